"""The answer to a check of claims in a sentence or two: direction first, then numbers, then rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from core.claims import Claim, ClaimReport
from core.claims.findings import DENIED, DOUBTS, ClaimVerdict
from core.claims.paragraph_direction import counted, given_as_printed
from core.claims.standing import (
    Standing,
    beside_lower,
    directed_finding,
    grouped,
    printed_finding,
)
from core.report.formatting import display_name, list_names

# Of more, the sentence says how many there are.
_MOST_QUOTED = 2
Groups = Mapping[Standing, Sequence[Claim]]
# Standings that need no list of their claims, in the order in which they are told.
_PLAIN: Mapping[Standing, tuple[str, str]] = MappingProxyType(
    {
        "confirmed": ("is confirmed", "are confirmed"),
        "at-least-that-much": ("holds with “at least”", "hold with “at least”"),
        "needs-more": (
            "is not excluded, but needs more than is known of the datasets",
            "are not excluded, but need more than is known of the datasets",
        ),
        "open": ("is not excluded", "are not excluded"),
        "undecided": ("cannot be decided", "cannot be decided"),
    }
)


_END: Mapping[Standing, str] = MappingProxyType(
    {"at-least-that-much": " in place of “exactly”", "needs-more": ""}
)


def lead_sentence(report: ClaimReport) -> str:
    """State what direction speaks against, how many claims hold, and what does not fit."""
    if report.claims and all(claim.kind == "interval" for claim in report.claims):
        return _about_intervals(report)
    groups = grouped(report)
    parts = [*_about_direction(report, groups), *_about_claims(report, groups), _about_rows(report)]
    return " ".join(part for part in parts if part)


def _about_intervals(report: ClaimReport) -> str:
    n = len(report.claims)
    judged = [found for c in report.claims if (found := printed_finding(report, c)) is not None]
    off = [f for f in judged if f.verdict in DENIED]
    beside = [f for f in judged if f not in off and not f.details.get("in_the_middle")]
    said = []
    if off:
        which = "The estimate" if n == 1 else f"{len(off)} of {n} estimates"
        verb, middle = "does", "its printed interval"
        if len(off) > 1:
            verb, middle = "do", "their printed intervals"
        listed = "" if n == 1 else f": {_words([f.claim for f in off if f.claim], report)}"
        said.append(
            f"{which} {verb} not lie in the middle of {middle}, whatever the rounding{listed}."
        )
    if beside:
        which = "The estimate lies" if n == 1 else f"{len(beside)} of {n} estimates lie"
        said.append(
            f"{which} beside the middle of the interval, where limits that are not symmetric can "
            "put it."
        )
    if not said:
        which = "The estimate" if n == 1 else f"All {n} estimates"
        middle = "its printed interval" if n == 1 else "their printed intervals"
        said.append(f"{which} can lie in the middle of {middle}, within rounding.")
    return " ".join(said)


def _about_direction(report: ClaimReport, groups: Groups) -> list[str]:
    """What speaks against the direction of a claim, or leaves it open."""
    total = len(report.claims)
    said = []
    against = groups.get("against-direction", ())
    if against:
        start, verb = counted(len(against), total), "is not" if len(against) == 1 else "are not"
        if len(against) == total > 1:
            start, verb = "Neither claim" if total == 2 else f"None of the {total} claims", "is"
        given = given_as_printed(report, against)
        though = ""
        if given:
            though = (
                f", though as {report.made}, whichever system they speak for, the p-values {given}"
            )
        said.append(f"{start} {verb} supported once each p-value is read by direction{though}.")
    lower = _beside_lower(report)
    if lower:
        said.append(f"{lower}.")
    undirected = groups.get("undirected", ())
    if undirected:
        found = directed_finding(report, undirected[0])
        verb = "holds" if len(undirected) == 1 else "hold"
        if any(_verdict(report, claim) != "confirmed" for claim in undirected):
            verb = "can hold"
        why = "" if found is None else found.why
        said.append(
            f"{counted(len(undirected), total)} {verb} only as “differ”, not as “better”: {why}"
        )
    unsettled = groups.get("open-direction", ())
    if unsettled:
        verb = "is" if len(unsettled) == 1 else "are"
        listed = "" if total == 1 else f": {_words(unsettled, report)}"
        by = "by direction" if report.made == "printed" else "by the tests run here"
        said.append(
            f"{counted(len(unsettled), total)} {verb} not excluded {by}, but not confirmed "
            f"either{listed}."
        )
    return said


def _verdict(report: ClaimReport, claim: Claim) -> ClaimVerdict | None:
    found = printed_finding(report, claim)
    verdict: ClaimVerdict | None = None
    if found is not None:
        verdict = found.details.get("undirected", found.verdict)
    return verdict


def _about_claims(report: ClaimReport, groups: Groups) -> list[str]:
    total = len(report.claims)
    if total == 0:
        return ["No claim is entered, so the table alone is checked."]
    by = _basis(report)
    said: list[str] = []
    for standing, (one, many) in _PLAIN.items():
        claims = groups.get(standing, ())
        if not claims:
            continue
        start = "Both claims" if len(claims) == total == 2 else counted(len(claims), total)
        if said:
            said.append(
                f"{len(claims)} {one if len(claims) == 1 else many}{_END.get(standing, '')}."
            )
            continue
        end = _END.get(standing, f" {by}")
        said.append(f"{start} {one if len(claims) == 1 else many}{end}.")
    for verdict, words in (("contradicted", "contradicted"), ("not-supported", "not supported")):
        claims = [c for c in groups.get("denied", ()) if _verdict(report, c) == verdict]
        if claims:
            verb = "is" if len(claims) == 1 else "are"
            listed = "" if total == 1 else f": {_words(claims, report)}"
            start, end = (str(len(claims)), "") if said else (counted(len(claims), total), f" {by}")
            said.append(f"{start} {verb} {words}{end}{listed}.")
    claims = groups.get("denied-as-printed", ())
    if claims:
        verb = "is" if len(claims) == 1 else "are"
        listed = "" if total == 1 else f": {_words(claims, report)}"
        said.append(
            f"{counted(len(claims), total)} {verb} not what the p-values as {report.made} give, and "
            f"cannot be decided by direction{listed}."
        )
    claims = groups.get("at-least-by-direction", ())
    if claims:
        verb, holds = ("is", "holds") if len(claims) == 1 else ("are", "hold")
        listed = "" if total == 1 else f": {_words(claims, report)}"
        said.append(
            f"{counted(len(claims), total)} {verb} not what the p-values as {report.made} give, and "
            f"{holds} by direction only with “at least” in place of “exactly”{listed}."
        )
    by_direction: tuple[tuple[Standing, str], ...] = (
        ("possible-if-read", "possible if they are"),
        ("confirmed-by-direction", "confirmed with them"),
    )
    for standing, stated in by_direction:
        by_readings: dict[str, list[Claim]] = {}
        for claim in groups.get(standing, ()):
            by_readings.setdefault(report.allowing(claim), []).append(claim)
        for readings, claims in by_readings.items():
            verb = "is" if len(claims) == 1 else "are"
            listed = "" if total == 1 else f": {_words(claims, report)}"
            said.append(
                f"{counted(len(claims), total)} {verb} not what the p-values as {report.made} give, but "
                f"{stated} {readings}{listed}."
            )
    return said


def _basis(report: ClaimReport) -> str:
    if report.of("scores-alone"):
        return "by scores and sizes alone"
    if any(claim.kind == "interval" for claim in report.claims):
        return "by the printed numbers"
    if report.made == "computed":
        return "by the tests run here"
    if any("undirected" in f.details for f in report.of("arithmetic")):
        return f"by the {report.made} p-values, read by direction"
    return f"by the p-values as {report.made}"


def _beside_lower(report: ClaimReport) -> str:
    """State where a system is said to be better whose score is the worse one."""
    said = []
    for system, names in beside_lower(report).items():
        verb = "is" if len(names) == 1 else "are"
        said.append(
            f"{list_names(names)} {verb} claimed for {display_name(system)}, whose score is "
            f"{report.subject.worse} there"
        )
    return "; ".join(said)


def _about_rows(report: ClaimReport) -> str:
    rows = [f for f in report.of("possible-p-values") if f.dataset is not None]
    said = []
    impossible = [f.dataset for f in rows if f.verdict == "impossible" and f.dataset]
    if impossible:
        verb = "is" if len(impossible) == 1 else "are"
        said.append(
            f"Of {len(rows)} p-values beside their scores, {len(impossible)} {verb} not by a test on "
            f"these examples ({_few(impossible)})."
        )
    shares = [f.dataset for f in report.of("granularity") if f.dataset and f.verdict in DOUBTS]
    if shares:
        said.append(f"Scores are no share of their examples on {_few(shares)}.")
    if said:
        test = " a test on other units," if impossible else ""
        said.append(f"Another n,{test} another rounding, or averages over runs could explain that.")
    return " ".join(said)


def _few(names: Sequence[str]) -> str:
    return list_names(names, most=5)


def _words(claims: Sequence[Claim], report: ClaimReport) -> str:
    words = [report.words(claim) for claim in claims[:_MOST_QUOTED]]
    more = len(claims) - len(words)
    return "; ".join([*words, *([f"{more} more"] if more else [])])
