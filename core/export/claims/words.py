"""The answer to a check of claims in a sentence, and the words of its verdicts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from core.claims import Claim, ClaimReport, Finding
from core.claims.findings import CAVEAT, ClaimVerdict
from core.report.formatting import display_name, list_names
from core.report.sentences import Subject

# Of more, the sentence says how many there are.
_MOST_QUOTED = 2
_DENIED = ("contradicted", "not-supported")


class VerdictWords(NamedTuple):
    """A verdict as it is shown: a sign and words, so that no colour is needed."""

    sign: str
    words: str


VERDICT_WORDS: Mapping[ClaimVerdict, VerdictWords] = MappingProxyType(
    {
        "confirmed": VerdictWords("✓", "confirmed"),
        "at-least-that-much": VerdictWords("≥", "at least that much"),
        "not-excluded": VerdictWords("○", "not excluded"),
        "not-supported": VerdictWords("!", "not supported"),
        "contradicted": VerdictWords("✗", "contradicted"),
        "cannot-be-decided": VerdictWords("?", "cannot be decided"),
        "impossible": VerdictWords("✗", "impossible"),
        "not-attainable": VerdictWords("≠", "comes out of no test tried"),
    }
)
VERDICT_RULES: Mapping[ClaimVerdict, str] = MappingProxyType(
    {
        "confirmed": "every value that the printed digits allow gives what is claimed.",
        "at-least-that-much": "of a claim of exactly so many, or of exactly these, read by "
        "direction: so many or these and more come out, so that it holds as “at least” only.",
        "not-excluded": "some value or reading that the printed numbers allow may give it, and "
        "others do not.",
        "not-supported": "nothing that the printed numbers allow gives it. That is no evidence for "
        "the opposite.",
        "contradicted": "no value that the printed digits allow gives it.",
        "cannot-be-decided": "something that it depends on is not in the table.",
        "impossible": "of a printed number: none of the tests tried gives a p-value near it beside "
        f"these scores, or no number of right answers gives the score. {CAVEAT}",
        "not-attainable": "of a printed p-value: it lies among those that are possible, but no "
        f"test tried gives exactly its digits. {CAVEAT}",
    }
)


def lead_sentence(report: ClaimReport) -> str:
    """State how many claims are confirmed, what speaks against the others, and what does not fit."""
    parts = [_about_claims(report), _about_direction(report), _about_rows(report)]
    return " ".join(part for part in parts if part)


def _about_intervals(report: ClaimReport) -> str:
    n = len(report.claims)
    off = [
        claim
        for claim, verdict in zip(report.claims, report.verdicts, strict=True)
        if verdict in _DENIED
    ]
    if not off:
        which = "The estimate" if n == 1 else f"All {n} estimates"
        middle = "its printed interval" if n == 1 else "their printed intervals"
        return f"{which} can lie in the middle of {middle}, within rounding."
    which = "The estimate" if n == 1 else f"{len(off)} of {n} estimates"
    verb, middle = "does", "its printed interval"
    if len(off) > 1:
        verb, middle = "do", "their printed intervals"
    quoted = "" if n == 1 else f": {_quoted(off, report)}"
    return f"{which} {verb} not lie in the middle of {middle}, whatever the rounding{quoted}."


def _about_claims(report: ClaimReport) -> str:
    n = len(report.claims)
    if n and all(claim.kind == "interval" for claim in report.claims):
        return _about_intervals(report)
    if n == 0:
        return "No claim is entered, so the table alone is checked."
    by = "by scores and sizes alone" if report.of("scores-alone") else "by the p-values as printed"
    if any(claim.kind == "interval" for claim in report.claims):
        by = "by the printed numbers"
    grouped: dict[ClaimVerdict, list[Claim]] = {verdict: [] for verdict in VERDICT_WORDS}
    possible: list[tuple[Claim, str]] = []
    for claim, verdict in zip(report.claims, report.verdicts, strict=True):
        if verdict in _DENIED and (readings := report.allowing(claim)):
            possible.append((claim, readings))
        elif verdict is not None:
            grouped[verdict].append(claim)
    confirmed = len(grouped.pop("confirmed"))
    if n == 1:
        (verdict,) = report.verdicts
        if possible:
            return (
                "The claim is not what the p-values as printed give, but possible if they are "
                f"{possible[0][1]}."
            )
        words = VERDICT_WORDS[verdict].words if verdict else "not checked"
        if verdict == "cannot-be-decided":
            return f"The claim {words} {by}."
        return f"The claim is {words} {by}."
    if confirmed == n:
        return f"{'Both' if n == 2 else f'All {n}'} claims are confirmed {by}."
    verb = "is" if confirmed == 1 else "are"
    said = [f"{confirmed or 'None'} of {n} claims {verb if confirmed else 'is'} confirmed {by}"]
    for verdict, claims in grouped.items():
        if claims:
            verb = "" if verdict == "cannot-be-decided" else "is " if len(claims) == 1 else "are "
            quoted = ""
            if verdict in _DENIED:
                quoted = f": {_quoted(claims, report)}"
            said.append(f"{len(claims)} {verb}{VERDICT_WORDS[verdict].words}{quoted}")
    by_readings: dict[str, list[Claim]] = {}
    for claim, readings in possible:
        by_readings.setdefault(readings, []).append(claim)
    for readings, claims in by_readings.items():
        verb = "is" if len(claims) == 1 else "are"
        said.append(
            f"{len(claims)} {verb} not as printed, but possible if the p-values are {readings}: "
            f"{_quoted(claims, report)}"
        )
    return f"{'; '.join(said)}."


def _about_direction(report: ClaimReport) -> str:
    found = [finding for finding in report.of("direction") if finding.claim is not None]
    against = [f for f in found if f.verdict == "not-supported" and f.dataset is None]
    confirmed = {
        claim
        for claim, verdict in zip(report.claims, report.verdicts, strict=True)
        if verdict in ("confirmed", "not-excluded")
    }
    # What the numbers already deny needs no second denial, but counts where others are told.
    fresh = [f for f in against if f.claim in confirmed]
    if not fresh:
        return ""
    n = len(report.claims)
    if n == 1:
        start = "Read by direction it is not supported"
    elif len(against) == n:
        none = "neither" if n == 2 else f"none of the {n}"
        start = f"Read by direction {none} is supported"
    else:
        verb = "is" if len(against) == 1 else "are"
        start = f"Read by direction {len(against)} of the {n} {verb} not supported"
    lower = _beside_lower(found, report.subject)
    return f"{start}. {lower}." if lower else f"{start}."


def _beside_lower(found: Sequence[Finding], subject: Subject) -> str:
    """State where a system is said to be better whose score is the worse one."""
    said = []
    for side, system in (("a", subject.system_a), ("b", subject.system_b)):
        names = dict.fromkeys(
            f.dataset
            for f in found
            if f.dataset and f.claim and f.claim.better == side and f.verdict == "not-supported"
        )
        if names:
            listed = list_names([name for name in names if name])
            verb = "is" if len(names) == 1 else "are"
            said.append(
                f"{listed} {verb} claimed for {display_name(system)}, whose score is "
                f"{subject.worse} there"
            )
    return "; ".join(said)


def _about_rows(report: ClaimReport) -> str:
    rows = [f for f in report.of("possible-p-values") if f.dataset is not None]
    said = []
    impossible = [f.dataset for f in rows if f.verdict == "impossible" and f.dataset]
    if impossible:
        verb = "is" if len(impossible) == 1 else "are"
        said.append(f"{len(impossible)} {verb} impossible by every test tried ({_few(impossible)})")
    unattained = [f.dataset for f in rows if f.verdict == "not-attainable" and f.dataset]
    if unattained:
        verb = "comes" if len(unattained) == 1 else "come"
        said.append(f"{len(unattained)} {verb} out of no test tried ({_few(unattained)})")
    sentences = []
    if said:
        sentences.append(f"Of {len(rows)} p-values beside their scores, {'; '.join(said)}.")
    shares = [f.dataset for f in report.of("granularity") if f.dataset]
    if shares:
        sentences.append(f"Scores are no share of their examples on {_few(shares)}.")
    if sentences:
        sentences.append(
            "Another n, test or rounding could explain that; it is no sign of misconduct."
        )
    return " ".join(sentences)


def _few(names: Sequence[str]) -> str:
    return list_names(names, most=5)


def _quoted(claims: Sequence[Claim], report: ClaimReport) -> str:
    words = [
        claim.words(
            alpha=report.alpha,
            system_a=report.subject.system_a,
            system_b=report.subject.system_b,
        )
        for claim in claims[:_MOST_QUOTED]
    ]
    more = len(claims) - len(words)
    return f"{', '.join(words)} and {more} more" if more else " and ".join(words)
