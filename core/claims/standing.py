"""What all checks of one claim come to: whether it stands, and what is in its way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from core.claims.claim import Claim
from core.claims.findings import Finding
from core.replicability.assessment import ONE_SIDED

if TYPE_CHECKING:
    from core.claims.verdicts import ClaimReport

Standing = Literal[
    "against-direction",
    "undirected",
    "open-direction",
    "denied",
    "possible-if-read",
    "at-least-that-much",
    "open",
    "needs-more",
    "undecided",
    "confirmed",
    "unchecked",
]
DENIED = frozenset({"contradicted", "not-supported"})


def standing_of(report: ClaimReport, claim: Claim) -> Standing:
    """What stands in the way of a claim; direction comes before what the numbers leave open."""
    printed, directed = printed_finding(report, claim), directed_finding(report, claim)
    verdict = None if printed is None else printed.verdict
    if verdict in DENIED:
        return "possible-if-read" if report.allowing(claim) else "denied"
    if directed is not None:
        if directed.verdict == "not-supported":
            return "against-direction"
        if directed.verdict == "cannot-be-decided" and verdict != "cannot-be-decided":
            return "undirected"
        if directed.verdict == "not-excluded" and verdict in (None, "confirmed", "not-excluded"):
            return "needs-more" if directed.details.get("needs") else "open-direction"
        if verdict is None:
            return "confirmed" if directed.verdict == "confirmed" else "at-least-that-much"
    if verdict == "not-excluded":
        assert printed is not None
        return "needs-more" if printed.details.get("needs") else "open"
    if verdict == "cannot-be-decided":
        return "undecided"
    return "confirmed" if verdict == "confirmed" else "unchecked"


def grouped(report: ClaimReport) -> dict[Standing, list[Claim]]:
    """The claims of each standing, in their order; standings without claims are left out."""
    found: dict[Standing, list[Claim]] = {}
    for claim in report.claims:
        found.setdefault(standing_of(report, claim), []).append(claim)
    return found


def printed_finding(report: ClaimReport, claim: Claim) -> Finding | None:
    """What the printed numbers make of a claim, or scores alone."""
    return next(
        (
            f
            for f in report.findings
            if f.check in ("arithmetic", "scores-alone") and f.claim == claim and f.dataset is None
        ),
        None,
    )


def directed_finding(report: ClaimReport, claim: Claim) -> Finding | None:
    """What direction makes of it; None of a claim that is about none."""
    return next((f for f in report.of("direction") if f.claim == claim and f.dataset is None), None)


def beside_lower(report: ClaimReport) -> dict[str, tuple[str, ...]]:
    """For each system the datasets on which it is claimed to be better though its score is worse.

    Those where no reading lets p speak for it, and those where the table declares that it does.
    """
    systems = {"a": report.subject.system_a, "b": report.subject.system_b}
    found: dict[str, dict[str, None]] = {}
    for finding in report.of("direction"):
        if finding.claim is None or finding.claim.better == "differ":
            continue
        names: tuple[str, ...] = ()
        if finding.dataset is not None:
            names = (finding.dataset,) if finding.verdict == "not-supported" else ()
        elif set(finding.details.get("allowed_by", ())) & set(ONE_SIDED):
            names = finding.details.get("lower", ())
        if names:
            own = found.setdefault(systems[finding.claim.better], {})
            own.update(dict.fromkeys(names))
    return {system: tuple(names) for system, names in found.items()}
