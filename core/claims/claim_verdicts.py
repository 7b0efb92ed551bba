"""One verdict a claim, by what stands in its way: the most severe that may be said fairly.

Vocabulary
----------
impossible
    More datasets are claimed than there are, or a p-value that no test in use on these
    examples gives.
contradicted
    No reading of direction, sidedness, counting and rounding allows the claim.
not-shown
    The numbers do not carry it, which is no evidence against it.
depends
    Some reading, rounding or assumption allows it, and others do not.
holds
    Every one allows it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from core.claims.claim import COUNT, Claim, method_name
from core.claims.findings import Finding
from core.claims.sentences import numbers_in_words
from core.claims.standing import Standing, directed_finding, printed_finding, standing_of
from core.replicability.combinations import combination_named, combination_names
from core.report.formatting import display_name, format_level, list_names

if TYPE_CHECKING:
    from core.claims.verdicts import ClaimReport

VerdictKey = Literal["impossible", "contradicted", "not-shown", "depends", "holds"]

_HOLDS: frozenset[Standing] = frozenset({"confirmed", "confirmed-by-direction"})
_DENIED: frozenset[Standing] = frozenset({"denied", "against-direction"})
_OF_ROUNDING: frozenset[Standing] = frozenset({"open"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a check comes to for one claim.

    Attributes
    ----------
    claim : Claim
        The claim.
    key : {"impossible", "contradicted", "not-shown", "depends", "holds"}
        The most severe that may be said.
    why : str
        One sentence.
    settle : str
        What would settle it, in a sentence; empty of a claim that holds.
    """

    claim: Claim
    key: VerdictKey
    why: str
    settle: str


def verdict_of(report: ClaimReport, claim: Claim) -> Verdict:
    """Judge one claim by all findings on it, and by the rows that it rests on."""
    n = len(report.subject.datasets)
    total = claim.n_datasets or n
    if claim.k is not None and total and claim.k > total:
        return Verdict(
            claim=claim,
            key="impossible",
            why=f"It speaks of {claim.k} datasets, and there are {total}.",
            settle="The authors could say which datasets they count.",
        )
    misfits = _misfits(report, claim)
    never = [f for f in misfits if claim.of_levels and _out_of_reach(f, report, claim)]
    if never:
        names = list_names([f.dataset for f in never if f.dataset])
        return Verdict(
            claim=claim,
            key="impossible",
            why=f"No test in use on these examples gives such a p-value on {names}.",
            settle=f"The authors could name the test, and the number of examples, of {names}.",
        )
    standing = standing_of(report, claim)
    if standing in _HOLDS and misfits:
        names = list_names([f.dataset for f in misfits if f.dataset])
        return Verdict(
            claim=claim,
            key="depends",
            why=f"It rests on the printed p-value of {names}, which no test in use gives there.",
            settle=f"The authors could name the test, and the number of examples, of {names}.",
        )
    key = _key(report, claim, standing)
    return Verdict(
        claim=claim,
        key=key,
        why=_why(report, claim, standing, key),
        settle=_settle(report, claim, standing, key),
    )


def _key(report: ClaimReport, claim: Claim, standing: Standing) -> VerdictKey:
    printed = printed_finding(report, claim)
    if standing in _HOLDS:
        return "holds"
    if claim.kind == "interval" and printed is not None:
        if printed.verdict == "contradicted":
            return "contradicted"
        if printed.details["in_the_middle"]:
            return "holds"
        return "depends" if printed.verdict == "not-excluded" else "not-shown"
    if standing == "undecided" and claim.n_datasets not in (None, len(report.subject.datasets)):
        return "not-shown"
    if standing == "at-least-by-direction":
        # More comes out by every reading, and exactly so many were claimed.
        return "contradicted"
    if standing in _DENIED:
        # Of scores alone only some tests can be gone through; a claim without a method is a
        # claim about the systems, which numbers can fail to show.
        alone = printed is not None and printed.check == "scores-alone"
        open_method = claim.kind == "at-least" and claim.method is None
        return "not-shown" if alone or open_method else "contradicted"
    return "depends"


def _misfits(report: ClaimReport, claim: Claim) -> list[Finding]:
    """Impossible p-values that decide about a claim: on its side of the level, and out of reach of it."""
    if claim.kind == "interval":
        return []
    return [
        f
        for f in report.rows
        if f.verdict == "impossible"
        and f.check == "possible-p-values"
        and (claim.counts or f.dataset in claim.datasets)
        and _changes_sides(f, report, claim)
    ]


def _changes_sides(finding: Finding, report: ClaimReport, claim: Claim) -> bool:
    """Whether the printed p-value and those that are possible lie on two sides of the level."""
    level = report.alpha if claim.alpha is None else claim.alpha
    small = _is_small(finding, level)
    if small is None:
        return True
    details = finding.details
    return bool(details["smallest"] > level if small else details["most"] <= level)


def _out_of_reach(finding: Finding, report: ClaimReport, claim: Claim) -> bool:
    """Whether no possible p-value lies on the claimed side of the level."""
    level = report.alpha if claim.alpha is None else claim.alpha
    if claim.kind == "significant":
        return bool(finding.details["smallest"] > level)
    return bool(
        finding.details["too_high"]
        and finding.details["most"] <= level
        and _all_below(finding, level)
    )


def _all_below(finding: Finding, level: float) -> bool:
    return all(high <= level for _, high in finding.details["ranges"])


def _is_small(finding: Finding, level: float) -> bool | None:
    try:
        return float(str(finding.details["printed"]).lstrip("<=≤ ").replace(",", ".")) <= level
    except ValueError:
        return None


def _why(report: ClaimReport, claim: Claim, standing: Standing, key: VerdictKey) -> str:
    printed, directed = printed_finding(report, claim), directed_finding(report, claim)
    if claim.kind == "interval" or standing in ("undecided", "unchecked"):
        return _first_sentence(printed)
    if claim.counts:
        return _why_of_count(report, claim, printed, directed, key)
    if key == "contradicted" or key == "not-shown":
        found = directed if standing == "against-direction" else printed
        never = [] if found is None else [
            *found.details.get("never", ()), *found.details.get("too_many", ()),
            *found.details.get("above", ()), *found.details.get("not_above", ()),
        ]  # fmt: skip
        level = format_level(report.alpha if claim.alpha is None else claim.alpha)
        if never and claim.kind == "not-significant":
            return f"p is at most {level} on {list_names(never)}."
        if never and claim.kind == "significant":
            behind = "" if standing == "denied" else f" for {_system(report, claim)}"
            return f"The p-values do not give p ≤ {level}{behind} on {list_names(never)}."
        if never:
            return f"{_by(claim)} does not name {list_names(never)}, however the p-values are read."
        left = () if found is None else found.details.get("left_out", ())
        if left:
            return f"{_by(claim)} names {list_names(left)} as well."
        return _first_sentence(found)
    return _first_sentence(directed if standing not in ("open",) and directed else printed)


def _why_of_count(
    report: ClaimReport,
    claim: Claim,
    printed: Finding | None,
    directed: Finding | None,
    key: VerdictKey,
) -> str:
    """What the numbers give in place of the count, by every reading of them."""
    n = len(report.subject.datasets)
    spans = []
    if directed is not None and directed.details.get("counts"):
        spans = list(directed.details["counts"].values())
    elif printed is not None and "fewest" in printed.details:
        spans = [(printed.details["fewest"], printed.details["most"])]
    if not spans:
        return _first_sentence(directed or printed)
    details = directed if directed is not None and directed.details.get("counts") else printed
    method = None if details is None else details.details.get("method")
    by = "" if method is None else f" by {'p ≤ α' if method == COUNT else method_name(method)}"
    given = numbers_in_words(min(low for low, _ in spans), max(high for _, high in spans))
    needs = None if details is None else details.details.get("needs")
    if needs:
        found = details.details["others"][needs] if details is not None else (0, 0)
        return (
            f"The numbers give {given} of {n}{by}, and {numbers_in_words(*found)} by "
            f"{method_name(needs)} if {combination_named(needs).condition}."
        )
    over = " over all readings" if key == "depends" else ""
    return f"The numbers give {given} of {n}{by}{over}."


def _settle(report: ClaimReport, claim: Claim, standing: Standing, key: VerdictKey) -> str:
    if key == "holds":
        return ""
    if claim.kind == "interval":
        return "The authors could say how the interval was made, and give more digits."
    printed, directed = printed_finding(report, claim), directed_finding(report, claim)
    if key == "contradicted":
        most = [f.details["most"] for f in (printed,) if f is not None and "most" in f.details]
        if claim.kind == "exactly" and most and claim.k is not None and min(most) > claim.k:
            return f"“At least {claim.k}” would hold."
        if standing == "against-direction" or (directed and directed.details.get("lower")):
            return "The authors could say which metric was tested, and in which direction."
        return "The authors could say which p-values, level and method the claim is made from."
    needs = next(
        (f.details["needs"] for f in (printed, directed) if f and f.details.get("needs")), None
    )
    if needs:
        return (
            f"It would hold if {combination_named(needs).condition}: the authors could say whether "
            "the datasets share examples."
        )
    if key == "not-shown":
        if standing == "undecided":
            return "The whole table that the claim is about would settle it."
        return "The results on examples, or an argument for independent datasets, could show more."
    if standing in _OF_ROUNDING:
        return "P-values with more digits would settle it."
    if printed is not None and printed.check == "scores-alone":
        return "The p-values themselves would settle it."
    return "The authors could say whether p-values are one- or two-sided, and for which system."


def _by(claim: Claim) -> str:
    method = claim.method or ""
    title = method_name(method)
    return title if method in combination_names() else f"{title[:1].upper()}{title[1:]}"


def _system(report: ClaimReport, claim: Claim) -> str:
    return display_name(report.subject.system_b if claim.better == "b" else report.subject.system_a)


def _first_sentence(finding: Finding | None) -> str:
    """The reason up to its first full stop before a blank and a capital letter."""
    if finding is None:
        return "No number of the table is about it."
    text = finding.why or finding.reason
    for end in range(len(text) - 2):
        if (
            text[end] in ".;"
            and text[end + 1] == " "
            and (text[end] == ";" or text[end + 2].isupper())
        ):
            text = f"{text[:end]}."
            break
    return text if text.startswith("p ") else f"{text[:1].upper()}{text[1:]}"


def in_order_of_severity(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """The most severe first, each kind in the order of the claims."""
    order: tuple[VerdictKey, ...] = ("impossible", "contradicted", "not-shown", "depends", "holds")
    return sorted(verdicts, key=lambda verdict: order.index(verdict.key))
