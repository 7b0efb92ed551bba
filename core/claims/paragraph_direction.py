"""Whose lead the p-values speak for, as short as a review can hold it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from core.claims.claim import COUNT, Claim, method_name
from core.claims.findings import Finding
from core.claims.paragraph_rows import MOST_LISTED, listed
from core.claims.sentences import OTHER_UNITS, numbers_in_words
from core.claims.standing import Standing, beside_lower, directed_finding, printed_finding
from core.report.formatting import display_name, format_level, list_names

if TYPE_CHECKING:
    from core.claims.verdicts import ClaimReport

_MOST_UNSETTLED = 1


def direction_in_short(
    report: ClaimReport, groups: Mapping[Standing, Sequence[Claim]]
) -> list[str]:
    """Whose lead the p-values speak for, before anything is said to hold."""
    said = [f.reason for f in report.of("direction") if f.details.get("other_side")]
    said.append(_against(report, groups.get("against-direction", ())))
    said += _systems_against(report, groups.get("against-direction", ()))
    lower = beside_lower(report)
    if not groups.get("against-direction"):
        for system, names in lower.items():
            said.append(
                f"Small p-values stand beside a {report.subject.worse} score of "
                f"{display_name(system)} on {list_names(names)}."
            )
    undirected = groups.get("undirected", ())
    if undirected:
        first = directed_finding(report, undirected[0])
        said.append(
            f"{counted(len(undirected), len(report.claims))} can hold only as “differ”, not as "
            f"“better”: {'' if first is None else first.why}"
        )
    unsettled = groups.get("open-direction", ())
    if unsettled:
        each = [f"{report.words(claim)}{_by_readings(report, claim)}" for claim in unsettled]
        one = len(unsettled) == 1
        why = "depending on direction and rounding"
        if report.made == "computed":
            why = "as the p-values and the scores disagree"
        said.append(
            f"{counted(len(unsettled), len(report.claims))} {'is' if one else 'are'} not excluded, "
            f"{why}: {listed(each, '; ', most=_MOST_UNSETTLED)}."
        )
    return said


def _by_readings(report: ClaimReport, claim: Claim) -> str:
    found = directed_finding(report, claim)
    if found is None or not found.details.get("counts"):
        return ""
    spans = list(found.details["counts"].values())
    fewest, most = min(low for low, _ in spans), max(high for _, high in spans)
    if report.made == "computed":
        return f" ({fewest} without these datasets, {most} with them)"
    given = numbers_in_words(fewest, most)
    halved = found.details.get("halved")
    beside = "" if halved is None else f", halved two-sided p-values {numbers_in_words(*halved)}"
    return f" (the readings give {given}{beside})"


def _against(report: ClaimReport, claims: Sequence[Claim]) -> str:
    if not claims:
        return ""
    n, total = len(claims), len(report.claims)
    given = given_as_printed(report, claims)
    though = f", though the p-values {given} where direction is left aside" if given else ""
    which = "the claim is not" if total == 1 else f"none of the {n} claims is"
    if n < total:
        which = f"{n} of {total} claims {'is' if n == 1 else 'are'} not"
    return f"With each p-value read for the system whose score is the better one, {which} supported{though}."


def given_as_printed(report: ClaimReport, claims: Sequence[Claim]) -> str:
    """Write "give it", "may give them" or "give 2 of them and may give 1"; empty for none."""
    n = len(claims)
    verdicts = [_as_printed(report, claim) for claim in claims]
    said = []
    for verb, verdict in (("give", "confirmed"), ("may give", "not-excluded")):
        number = verdicts.count(verdict)
        if number:
            them = "it" if n == 1 else "them" if number == n else f"{number} of them"
            said.append(f"{verb} {them}")
    return " and ".join(said)


def _as_printed(report: ClaimReport, claim: Claim) -> str | None:
    found = printed_finding(report, claim)
    return None if found is None else found.details.get("undirected", found.verdict)


def _systems_against(report: ClaimReport, claims: Sequence[Claim]) -> list[str]:
    """What each system has instead of what is claimed."""
    said = []
    lower = beside_lower(report)
    for side, system in (("a", report.subject.system_a), ("b", report.subject.system_b)):
        own = [
            f for c in claims if c.better == side and (f := directed_finding(report, c)) is not None
        ]
        if own:
            where = ""
            if names := lower.get(system, ()):
                where = f" (its score is {report.subject.worse} on {list_names(names)})"
            said.append(f"For {display_name(system)}{where}: {_by_level(own)}.")
    if lower:
        said.append(f"This takes the tests to compare these scores, not {OTHER_UNITS}.")
    return said


def _by_level(found: Sequence[Finding]) -> str:
    """Write "at level .05 Bonferroni gives 3 (claimed 6), Holm does not name Tamil; at level …"."""
    by_level: dict[float, list[str]] = {}
    for finding in found[:MOST_LISTED]:
        claim, details = finding.claim, finding.details
        assert claim is not None
        if claim.counts:
            spans = list(details["counts"].values())
            least, most = min(low for low, _ in spans), max(high for _, high in spans)
            by = f"by {method_name(details['method'])}"
            if details["method"] == COUNT:
                by = f"by counting p ≤ {format_level(details['alpha'])}"
            part = f"{numbers_in_words(least, most)} {by} (claimed {claim.k})"
        else:
            never = list_names(details["never"]) or "exactly these never"
            verb = "p is larger on" if claim.method is None else "does not name"
            part = (
                f"{'' if claim.method is None else method_name(claim.method) + ' '}{verb} {never}"
            )
        by_level.setdefault(details["alpha"], []).append(part)
    said = [
        f"at level {format_level(level)}, {', '.join(parts)}" for level, parts in by_level.items()
    ]
    more = len(found) - MOST_LISTED
    return "; ".join(said + ([f"and {more} more"] if more > 0 else []))


def counted(n: int, total: int) -> str:
    """Write "The claim", "All 7 claims" or "2 of 7 claims"."""
    if n == total:
        return "The claim" if n == 1 else f"All {n} claims"
    return f"{n} of {total} claims"
