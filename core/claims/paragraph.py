"""What a check found in detail, in one paragraph: what speaks against the paper first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from core.claims.claim import ANY, COUNT, Claim, method_name, needed_dependence
from core.claims.findings import Finding
from core.claims.paragraph_direction import counted, direction_in_short
from core.claims.paragraph_rows import listed, rows_in_short
from core.claims.sentences import below_half_sentence, numbers_in_words
from core.claims.standing import (
    Standing,
    directed_finding,
    grouped,
    printed_finding,
)
from core.report.formatting import display_name, format_level, format_percent, list_names

if TYPE_CHECKING:
    from core.claims.verdicts import ClaimReport

CAVEAT_IN_SHORT = (
    "Another n, test, rounding, or averages over runs could explain what does not fit; it is no "
    "sign of misconduct."
)
# Of more in one sentence, their number is told.
_MOST_IN_FULL = 2
_MOST_QUOTED = 3
# Of a paragraph that a review can hold.
MOST_WORDS = 200


def review_paragraph(report: ClaimReport) -> str:
    """One paragraph of plain text: what was checked, failures, what holds, what that needs.

    Every sentence is short; the numbers behind them are in the report's findings.
    """
    groups = grouped(report)
    said = [opening(report)]
    said += direction_in_short(report, groups)
    said += _denied(report, groups)
    said += rows_in_short(report)
    said += _open_and_confirmed(report, groups)
    remarks = _about_table(report)
    last = [CAVEAT_IN_SHORT] if any(f.claim is None for f in report.doubts) else []
    # What only adds to the verdicts gives way, the least first, where all would be too long.
    while True:
        text = " ".join(dict.fromkeys(part for part in (*said, *remarks, *last) if part))
        if not remarks or len(text.split()) <= MOST_WORDS:
            return text
        remarks.pop()


def opening(report: ClaimReport) -> str:
    """What was held against what."""
    n = len(report.claims)
    claims = "claim" if n == 1 else f"{n} claims"
    if not report.subject.datasets:
        interval = "interval and its estimate" if n == 1 else f"{n} intervals and their estimates"
        return f"I checked the printed {interval} against each other."
    a, b = display_name(report.subject.system_a), display_name(report.subject.system_b)
    size = len(report.subject.datasets)
    source = "the printed table" if report.made == "printed" else "the results"
    table = f"{source} of {a} and {b} on {size} dataset{'' if size == 1 else 's'}"
    if not n:
        return f"I checked the numbers in {table} against each other."
    return f"I checked the {claims} against {table}."


def _denied(report: ClaimReport, groups: Mapping[Standing, Sequence[Claim]]) -> list[str]:
    """Claims that every verdict denies; then what holds by direction alone, or may."""
    said = []
    found = [f for c in groups.get("denied", ()) if (f := printed_finding(report, c)) is not None]
    if len(found) <= _MOST_IN_FULL:
        said += [f.reason for f in found]
    else:
        each = listed([_with_numbers(report, f.claim) for f in found if f.claim], "; ")
        said.append(f"{len(found)} claims do not follow from the {report.made} numbers: {each}.")
    by_direction: tuple[tuple[Standing, str], ...] = (
        ("possible-if-read", "possible if the p-values are"),
        ("confirmed-by-direction", "confirmed with the p-values"),
    )
    for standing, stated in by_direction:
        by_readings: dict[str, list[str]] = {}
        for claim in groups.get(standing, ()):
            words = _with_numbers(report, claim)
            by_readings.setdefault(report.allowing(claim), []).append(words)
        for readings, each_words in by_readings.items():
            one = len(each_words) == 1
            which = "This claim is" if one else f"These {len(each_words)} claims are"
            said.append(
                f"{which} {stated} {readings}, though not if each is counted as {report.made}: "
                f"{listed(each_words, '; ')}."
            )
    more = [_with_numbers(report, claim) for claim in groups.get("at-least-by-direction", ())]
    if more:
        which, holds = "This claim is", "holds"
        if len(more) > 1:
            which, holds = f"These {len(more)} claims are", "hold"
        said.append(
            f"{which} not what the p-values as {report.made} give, and {holds} by direction only with "
            f"“at least” in place of “exactly”: {listed(more, '; ')}."
        )
    undecided: dict[str, list[str]] = {}
    for claim in groups.get("denied-as-printed", ()):
        directed = directed_finding(report, claim)
        why = "" if directed is None else directed.why
        undecided.setdefault(why, []).append(_with_numbers(report, claim))
    for why, each_words in undecided.items():
        one = len(each_words) == 1
        which = "This claim is" if one else f"These {len(each_words)} claims are"
        said.append(
            f"{which} not what the p-values as {report.made} give, and cannot be decided by direction: "
            f"{listed(each_words, '; ')}. {why[:1].upper()}{why[1:]}"
        )
    return said


def _with_numbers(report: ClaimReport, claim: Claim) -> str:
    """A claim in words, in brackets what the printed numbers give, and what would allow it."""
    words, finding = report.words(claim), printed_finding(report, claim)
    short = "" if finding is None else _short(finding)
    directed = directed_finding(report, claim)
    if directed is not None and (needs := directed.details.get("needs")):
        counts = numbers_in_words(*directed.details["others"][needs])
        short = f"{short}, {method_name(needs)} by direction {counts}"
    if short and words.endswith(")"):
        return f"{words[:-1]}; {short})"
    return f"{words} ({short})" if short else words


def _open_and_confirmed(
    report: ClaimReport, groups: Mapping[Standing, Sequence[Claim]]
) -> list[str]:
    """How many claims have each verdict that speaks against nothing."""
    total = len(report.claims)
    basis = f" by the {report.made} numbers"
    if report.of("scores-alone"):
        basis = " by scores and sizes alone"
    said = []
    confirmed = groups.get("confirmed", ())
    if confirmed:
        rest = 0 < len(confirmed) < total and set(groups) <= {
            "confirmed", "denied", "against-direction", "possible-if-read",
            "confirmed-by-direction", "at-least-by-direction", "denied-as-printed",
        }  # fmt: skip
        which = counted(len(confirmed), total)
        if rest:
            one = len(confirmed) == 1
            which = "The other claim" if one else f"The other {len(confirmed)} claims"
        verb = "is" if len(confirmed) == 1 else "are"
        said.append(f"{which} {verb} confirmed{basis}.")
    needing = groups.get("needs-more", ())
    for claim in needing[:_MOST_IN_FULL]:
        found = printed_finding(report, claim)
        if found is None or found.verdict != "not-excluded":
            found = directed_finding(report, claim)
        said.append("" if found is None else found.reason)
    more = len(needing) - _MOST_IN_FULL
    if more > 0:
        said.append(f"{more} more {'needs' if more == 1 else 'need'} as much.")
    remarks: tuple[tuple[Standing, str], ...] = (
        ("at-least-that-much", "holds with “at least” in place of “exactly”"),
        ("open", f"not excluded{basis}"),
        ("undecided", "cannot be decided"),
    )
    for standing, words in remarks:
        claims = groups.get(standing, ())
        if not claims:
            continue
        which = ""
        if total > 1:
            which = f": {listed([report.words(c) for c in claims], '; ', most=_MOST_QUOTED)}"
        verb = ""
        if standing == "open":
            verb = "is " if len(claims) == 1 else "are "
        if standing == "at-least-that-much" and len(claims) > 1:
            words = words.replace("holds", "hold")
        said.append(f"{counted(len(claims), total)} {verb}{words}{which}.")
    return said


def _about_table(report: ClaimReport) -> list[str]:
    """What methods take for granted, and what the common practice says by chance."""
    said = [f.reason for f in report.of("scores-alone") if f.claim is None][:1]
    directed = [f for f in report.of("direction") if f.claim is None]
    doubted = any(f.check == "direction" for f in report.doubts)
    if not report.claims:
        said += [f.reason for f in directed if "readings" not in f.details]
    below = [f for f in directed if f.details.get("all_below_half")]
    if below and (doubted or not report.claims):
        said.append(
            below_half_sentence(len(report.subject.datasets), below[0].details["largest_printed"])
        )
    # Of a choice among p-values the reason of a claim that fails has told already.
    told = any(f.claim and f.claim.method == ANY for f in report.doubts)
    assumed = [f for f in report.of("assumption") if not (told and "n_pairs" in f.details)]
    said += [_assumption(f) for f in assumed[:1]]
    counted = any(claim.method == COUNT for claim in report.claims)
    for finding in report.of("common-practice")[:1] if counted or not report.claims else ():
        level, n = format_level(finding.details["alpha"]), len(report.subject.datasets)
        chance = format_percent(finding.details["chance_of_a_false_win"])
        said.append(
            f"Counting p ≤ {level} has no guarantee: with no difference anywhere, "
            f"{'1 dataset shows' if n == 1 else f'{n} independent datasets show at least'} one in "
            f"up to {chance} of studies."
        )
    return said


def _assumption(finding: Finding) -> str:
    details = finding.details
    level = format_level(details["alpha"])
    if "n_pairs" in details:
        return (
            f"With all {details['n_pairs']} p-values in one family, Bonferroni "
            f"counts {details['counted']}, so at least {details['at_least']} datasets, at level {level}."
        )
    name = method_name(details["method"])
    counts = numbers_in_words(details["fewest"], details["most"])
    needs = "positively dependent or independent datasets"
    if needed_dependence(details["method"]) == "independent":
        needs = "independent datasets"
    return (
        f"{name[:1].upper()}{name[1:]} needs {needs}, which is not known here; Bonferroni counts "
        f"{counts} at level {level}."
    )


def _short(finding: Finding) -> str:
    """What the printed p-values give instead, in a few words."""
    details = finding.details
    source = "scores leave" if finding.check == "scores-alone" else "the p-values give"
    if "fewest" in details:
        return f"{source} {numbers_in_words(details['fewest'], details['most'])}"
    never = details.get("too_many") or details.get("above")
    if never:
        return f"not {list_names(never)}"
    left_out = details.get("left_out")
    return f"{list_names(left_out)} as well" if left_out else ""
