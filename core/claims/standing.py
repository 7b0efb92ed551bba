"""What all checks of one claim come to: whether it stands, and what is in its way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from core.claims.check_inputs import CountedAs
from core.claims.claim import Claim
from core.claims.findings import DENIED, Finding
from core.replicability.assessment import ONE_SIDED

if TYPE_CHECKING:
    from core.claims.verdicts import ClaimReport

Standing = Literal[
    "against-direction",
    "undirected",
    "open-direction",
    "denied",
    "denied-as-printed",
    "possible-if-read",
    "confirmed-by-direction",
    "at-least-by-direction",
    "at-least-that-much",
    "open",
    "needs-more",
    "undecided",
    "confirmed",
    "unchecked",
]


def standing_of(report: ClaimReport, claim: Claim) -> Standing:
    """What stands in the way of a claim; direction comes before what the numbers leave open.

    A claim is denied only where every verdict on it denies it: by the numbers as printed, and by
    direction where it is about one. Where direction gives it, gives more, allows it under more
    than is known of the datasets, or cannot be decided, it is not what the numbers as printed
    give, which is said, but it is not denied.
    """
    printed, directed = printed_finding(report, claim), directed_finding(report, claim)
    verdict = None if printed is None else printed.details.get("denied", printed.verdict)
    by_direction = None if directed is None else directed.verdict
    if verdict != "confirmed":
        if by_direction == "confirmed":
            return "confirmed" if verdict is None else "confirmed-by-direction"
        if by_direction == "at-least-that-much":
            return "at-least-by-direction" if verdict in DENIED else "at-least-that-much"
    if verdict in DENIED:
        if by_direction == "not-excluded":
            return "possible-if-read"
        return "denied-as-printed" if by_direction == "cannot-be-decided" else "denied"
    if by_direction == "not-supported":
        return "against-direction"
    if by_direction == "cannot-be-decided" and verdict != "cannot-be-decided":
        return "undirected"
    if directed is not None and by_direction == "not-excluded":
        return "needs-more" if directed.details.get("needs") else "open-direction"
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


def readings_that_allow(directed: Finding) -> tuple[CountedAs, ...]:
    """The readings by which direction allows a claim, if with more than is known of the datasets."""
    details = directed.details
    found: tuple[CountedAs, ...] = details.get("allowed_by") or details.get("allowed_if", ())
    return found


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
        elif set(readings_that_allow(finding)) & set(ONE_SIDED):
            names = finding.details.get("lower", ())
        if names:
            own = found.setdefault(systems[finding.claim.better], {})
            own.update(dict.fromkeys(names))
    return {system: tuple(names) for system, names in found.items()}
