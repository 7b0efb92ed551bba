"""Each claim by every way to take its p-values: its one verdict, why, and what would settle it.

A claim holds where each reading gives it for every value within the printed digits, is
contradicted where none gives it for any, and depends on the reading in between. Digits are
taken as rounded to the nearest; only what also digits that were cut off or rounded up deny is
contradicted.

Vocabulary
----------
cell
    Part of one p-value's range that no threshold of a method divides. A method that only compares
    p-values with thresholds gives one answer for each choice of cells, so that trying one point of
    each decides exactly.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod
from typing import Literal, get_args

import numpy as np

from ..comparison import comparison_named
from ..replicability.combinations import combination_names
from ..replicability.counting import count_by_common_practice, count_datasets
from ..replicability.identification import named_by
from ..types import BoolArray, FloatArray
from ..validation import RELATIVE_TOLERANCE, at_most
from ..words.formatting import list_names, numbers_in_words
from ..words.subject import Subject
from . import wording
from .checked import (
    CheckedTable,
    Source,
    Way,
    WayName,
    as_they_stand,
    columns_of,
    contested,
    further_methods,
    readings_of,
)
from .claim import ANY, CORRECTION, COUNT, Claim, Method, names_by
from .findings import Finding, RowFinding, Verdict, VerdictKey
from .means import check_interval

Within = Literal["holds", "depends", "contradicted"]
_BEST_FIRST: tuple[Within, ...] = get_args(Within)
ONE_COLUMN = (
    "The table as read has one p-value for each dataset. Add the other columns, with headings that "
    "begin with “p_value”."
)

# Members at their low ends and all others at their high ends decide these.
_STEPWISE = ("holm", "bonferroni", "hochberg", "benjamini-hochberg", "benjamini-yekutieli")
# With so many choices of cells at most each is tried: about a second.
_MOST_CHOICES = 5_000
# Beyond so many datasets Simes' thresholds are too many to be useful.
_MOST_DATASETS = 60


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Taken:
    """What one way to take the p-values, of this name, makes of a claim.

    Of a count `fewest` and `most`, and where every choice was tried `others`, all that come out. Of a
    list `always` and `ever`: with all p-values at their high ends, and with all at their low ends;
    empty where nobody lists datasets.
    """

    name: WayName
    key: Within
    fewest: int
    most: int
    always: BoolArray
    ever: BoolArray
    others: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outcome:
    """All that the numbers make of one claim, by each reading in each way; none where nothing can be judged.

    `stand` is by the p-values as they stand, whichever system they speak for. Of "at least" without a
    method `others` are what combinations that assume more count, and `needs` is the one of them that
    may give the claim; `guaranteed` says what Bonferroni counts beside a larger count of p <= alpha
    that is right. `lower` are datasets with a small p-value beside a score that is not better, `even`
    those that leave the claim open as neither system is ahead there, `worse` those with the worse score
    where they leave fewer than are claimed; else `n_ahead` is on how many the score is better. `cut`:
    only digits that were cut off or rounded up allow the claim. `unprinted`: a p-value that leaves it
    open is printed as a lower end alone, as "n.s." is.
    """

    claim: Claim
    key: VerdictKey
    readings: tuple[tuple[Taken, ...], ...]
    stand: Taken | None
    method: Method
    level: float
    members: BoolArray
    subject: Subject
    made: Source
    others: Mapping[Method, tuple[int, int]] = field(default_factory=dict)
    needs: Method | None = None
    guaranteed: str = ""
    lower: tuple[str, ...] = ()
    even: tuple[str, ...] = ()
    cut: bool = False
    unprinted: bool = False
    worse: tuple[str, ...] = ()
    n_ahead: int | None = None

    @property
    def taken(self) -> dict[WayName, Taken]:
        """Each way once, as readings may share one."""
        return {taken.name: taken for reading in self.readings for taken in reading}

    @property
    def by_either(self) -> bool:
        """Whether a claim for one system is contradicted, and holds whichever each p-value is for."""
        return self.key == "contradicted" and self.stand is not None and self.stand.key == "holds"


def taken(
    claim: Claim, way: Way, *, method: Method, alpha: float, members: BoolArray
) -> Taken | None:
    """Judge a claim by one way; None where nobody counts so.

    Every count and list falls as p-values rise, so that all at their low ends give the most and all
    at their high ends the fewest. What lies between them comes out if some choice of cells gives it.
    """
    # A dataset counts by the smallest of several p-values as by its only one.
    by = COUNT if method == ANY else method
    if way.ahead is not None and by == "bonferroni" and claim.counts:
        # Bonferroni's count is Holm's number of names.
        by = "holm"
    by_p, procedure = claim.of_levels or by == COUNT, names_by(by)

    def listed(end: FloatArray) -> BoolArray:
        return at_most(end, alpha) if by_p else named_by(end, alpha=alpha, procedure=procedure)

    always = ever = np.zeros(0, dtype=np.bool_)
    if way.ahead is not None:
        # "At least" without a method is a claim about the systems, and no count of p-values.
        if (claim.kind == "at-least" and claim.method is None) or not (by_p or procedure):
            return None
        always, ever = listed(way.high) & way.ahead[0], listed(way.low) & way.ahead[1]
    elif claim.kind == "not-significant":
        always, ever = ~listed(way.low), ~listed(way.high)
    elif not claim.counts:
        always, ever = listed(way.high), listed(way.low)
    fewest, most = int(always.sum()), int(ever.sum())
    if not always.size:
        fewest, most = (count_by(end, by, alpha) for end in (way.high, way.low))
    k, others = claim.k or 0, tuple[int, ...]()
    if claim.kind == "at-least":
        may, must = most >= k, fewest >= k
    elif claim.kind == "exactly":
        if fewest < k < most and way.ahead is None:
            others = _all_but(k, way, by, alpha)
        may, must = fewest <= k <= most and not others, fewest == most
    elif claim.of_each:
        may, must = bool(ever[members].all()), bool(always[members].all())
    else:
        may = not ((always & ~members) | (members & ~ever)).any()
        may = may and (way.ahead is not None or _may_name(members, way, by, alpha))
        must = np.array_equal(always, ever)
    return Taken(
        name=way.name,
        key="contradicted" if not may else "holds" if must else "depends",
        fewest=fewest,
        most=most,
        always=always,
        ever=ever,
        others=others,
    )


def count_by(p_values: FloatArray, method: Method, alpha: float) -> int:
    """How many a method counts."""
    if method in (COUNT, ANY):
        return count_by_common_practice(p_values, alpha=alpha)
    if method in combination_names():
        return count_datasets(p_values, alpha=alpha, combination=method).k_hat
    return int(np.count_nonzero(named_by(p_values, alpha=alpha, procedure=names_by(method))))


def _all_but(k: int, way: Way, method: Method, alpha: float) -> tuple[int, ...]:
    """Every count that comes out of a way's p-values, where `k` surely does not; else empty."""
    tried: set[int] = set()
    for p_values in _choices(way, method, alpha) or ():
        tried.add(count_by(p_values, method, alpha))
        if k in tried:
            return ()
    return tuple(sorted(tried))


def _may_name(members: BoolArray, way: Way, procedure: Method, alpha: float) -> bool:
    """Whether a procedure can name exactly these datasets, which lie between its ends."""

    def are_named(p_values: FloatArray) -> bool:
        return np.array_equal(named_by(p_values, alpha=alpha, procedure=procedure), members)

    named = are_named(np.where(members, way.low, way.high))
    if named or procedure in _STEPWISE:
        return named
    choices = _choices(way, procedure, alpha)
    # Where choices are too many, or sums of evidence decide, nobody can tell.
    return choices is None or any(map(are_named, choices))


def _choices(way: Way, method: Method, alpha: float) -> Iterator[FloatArray] | None:
    """One point of every choice of cells; None where there are too many, or none are exact."""
    thresholds = _thresholds(method, way.low.size, alpha)
    if thresholds is None:
        return None
    # As every decision is made: a tie counts as at most.
    ends = thresholds * (1.0 + RELATIVE_TOLERANCE)
    points = []
    for least, largest in zip(way.low, way.high, strict=True):
        inside = thresholds[(thresholds > least) & (thresholds < largest)]
        candidates = np.concatenate([[least], inside, [largest]])
        _, first = np.unique(np.searchsorted(ends, candidates), return_index=True)
        points.append(candidates[first])
    if prod(len(values) for values in points) > _MOST_CHOICES:
        return None
    return (np.array(choice) for choice in product(*points))


def _thresholds(method: Method, n: int, alpha: float) -> FloatArray | None:
    """All that a method may compare a p-value with; None of sums of evidence, or where no number is skipped."""
    sizes = np.arange(1, n + 1)
    if method in ("bonferroni", CORRECTION, "holm", "hochberg"):
        return np.sort(alpha / sizes)
    if method in ("simes", "hommel") and n <= _MOST_DATASETS:
        ratios = {(i, size) for size in range(1, n + 1) for i in range(1, size + 1)}
        return np.unique([alpha * i / size for i, size in ratios])
    if method == "benjamini-hochberg":
        return alpha * sizes / n
    if method == "benjamini-yekutieli":
        return alpha * sizes / (n * np.sum(1.0 / sizes))
    return None


def combined(readings: Sequence[Sequence[Taken]]) -> Within:
    """What every reading together makes of a claim, each by the way that suits the claim best."""
    keys = {min((t.key for t in reading), key=_BEST_FIRST.index) for reading in readings}
    return keys.pop() if len(keys) == 1 else "depends"


def outcome_of(checked: CheckedTable, claim: Claim) -> Outcome:
    """Judge a claim about a table of p-values by every reading that the numbers allow."""
    found = _outcome(checked, claim)
    if found.key == "contradicted" and checked.made == "printed":
        cut = _outcome(checked.however_rounded(), claim)
        if cut.key != "contradicted":
            return replace(found, key="depends", cut=True)
    return found


def _outcome(checked: CheckedTable, claim: Claim) -> Outcome:
    level, method = claim.level(checked.alpha), claim.counted_by(checked.dependence)
    members = claim.members(checked.table.datasets)

    def judged(way: Way) -> Taken | None:
        return taken(claim, way, method=method, alpha=level, members=members)

    ways = readings_of(checked, claim)
    readings = tuple(
        tuple(found for way in reading if (found := judged(way)) is not None) for reading in ways
    )
    key: VerdictKey = combined(readings)
    stand = None
    if claim.better == "differ":
        # That doubled p-values give it is one way to read them, and not how papers count.
        (as_printed, *doubled), *_ = readings
        key = as_printed.key
        if key == "contradicted" and any(found.key != "contradicted" for found in doubled):
            key = "depends"
    else:
        stand = judged(as_they_stand(checked, claim))
        more = key == "contradicted" and _more_hold(claim, readings, members)
        if more and stand is not None and stand.key != "contradicted":
            # Exactly so many as they stand, and more once each is read for its system.
            key = "depends"
    others: dict[Method, tuple[int, int]] = {}
    needs: Method | None = None

    def counted_by(method: Method) -> tuple[int, int]:
        # What papers count first: p-values as they stand, or as each reading has them.
        return (
            min(count_by(first.high, method, level) for first, *_ in ways),
            max(count_by(first.low, method, level) for first, *_ in ways),
        )

    guaranteed = ""
    if key == "holds" and claim.counts and method == COUNT:
        fewest = min(found.fewest for each in readings for found in each if found.key == "holds")
        proved = counted_by("bonferroni")
        if proved[0] < fewest:
            guaranteed = f"Bonferroni counts {numbers_in_words(*proved)} of {checked.n}"
    if claim.kind == "at-least" and claim.method is None:
        others = {m: counted_by(m) for m in further_methods(checked.dependence)}
        if key == "contradicted":
            # A claim without a method is one about the systems, which numbers can fail to show.
            needs = next((m for m, (_, most) in others.items() if most >= (claim.k or 0)), None)
            key = "depends" if needs else "not-shown"
    worse: tuple[str, ...] = ()
    n_ahead = None
    within_margin = comparison_named(checked.table.claim).takes_margin
    is_of_means = not (within_margin or checked.subject.by_tendency)
    if key == "not-shown" and checked.signs is not None and is_of_means:
        worse = denied_by_scores(claim, checked.signs, checked.subject)
        if claim.better != "differ":
            n_ahead = int(np.count_nonzero(checked.ahead[0]))
    is_for_one = claim.better != "differ"
    about = members if claim.of_levels else np.ones_like(members)
    undecided = about & np.logical_or.reduce(
        [at_most(w.low, level) & ~at_most(w.high, level) for reading in ways for w in reading]
    )
    if method in _STEPWISE and not claim.counts:
        # Of others such a list does not depend.
        undecided &= np.logical_or.reduce([f.always != f.ever for each in readings for f in each])
    unprinted = checked.table.printed_lower_ends & about
    if claim.is_of_p_at_most_alpha:
        unprinted &= undecided
    even = np.zeros_like(members)
    if is_for_one and checked.signs is not None:
        even = undecided & (checked.signs == 0.0)
    return Outcome(
        claim=claim,
        key="contradicted" if worse else key,
        readings=readings,
        stand=stand,
        method=method,
        level=level,
        members=members,
        others=others,
        needs=needs,
        guaranteed=guaranteed,
        subject=checked.subject,
        made=checked.made,
        lower=checked.subject.chosen(contested(checked, level) & about) if is_for_one else (),
        even=checked.subject.chosen(even),
        unprinted=bool(unprinted.any()),
        worse=worse,
        n_ahead=n_ahead,
    )


def denied_by_scores(claim: Claim, differences: FloatArray, subject: Subject) -> tuple[str, ...]:
    """Datasets with the worse score, where "at least k" of no method is more than all others.

    `differences` are positive where A is ahead; 0 and NaN leave open who is.
    """
    if claim.kind != "at-least" or claim.method is not None or claim.better == "differ":
        return ()
    worse = differences < 0.0
    enough = (claim.k or 0) <= worse.size - np.count_nonzero(worse)
    return () if enough else subject.chosen(worse)


def _more_hold(claim: Claim, readings: Sequence[Sequence[Taken]], members: BoolArray) -> bool:
    """Whether every reading gives more than exactly so many, or than exactly these."""
    each = [found for reading in readings for found in reading]
    if claim.kind == "exactly":
        return min(found.fewest for found in each) > (claim.k or 0)
    first = [reading[0].always for reading in readings]
    return claim.kind == "named" and all(always[members].all() for always in first)


def judge(checked: CheckedTable, claim: Claim, rows: Sequence[Finding]) -> Verdict:
    """The verdict on one claim; `rows` are what was found on the table's rows."""
    if claim.kind == "interval":
        return check_interval(claim, alpha=checked.alpha)
    words = claim.words(checked.subject, alpha=checked.alpha, dependence=checked.dependence)
    if (verdict := beyond(claim, checked.n, words)) is not None:
        return verdict
    claimed = claim
    checked, claim = checked.seen_from(claim.better), claim.for_a
    columns = columns_of(checked, claim)
    if claim.method == ANY and not columns:
        settle = wording.WHOLE_TABLE
        return wording.verdict_on(claimed, "not-shown", words, ONE_COLUMN, settle=settle)
    outcome = outcome_of(checked, claim)
    behind = wording.behind(outcome, checked, columns)
    misfits = _deciding_misfits(claim, rows, outcome.level)
    key, why, settle = outcome.key, wording.why(outcome), wording.settle(outcome)
    if key == "holds" and misfits:
        possible = {f.dataset: f.reach for f in misfits}
        listed = list_names(list(possible))
        if claim.of_levels:
            key = "impossible"
            why = f"No test in use on these examples gives such a p-value on {listed}."
        elif outcome_of(checked.with_possible(possible), claim).key != "holds":
            key = "not-shown"
            why = f"It rests on the printed p-value of {listed}, which no test in use gives there."
        if key != "holds":
            settle = f"The authors could name the test, and the number of examples, of {listed}."
    return wording.verdict_on(
        claimed,
        key,
        words,
        why,
        settle=settle,
        behind=behind,
        on=wording.open_on(outcome)[0] if key == "depends" else "",
        outcome=outcome,
    )


def beyond(claim: Claim, n: int, words: str) -> Verdict | None:
    """What can be said of a claim about more datasets than there are, or about other ones."""
    total = claim.n_datasets or n
    if claim.k is not None and claim.k > total:
        why = f"It speaks of {claim.k} datasets, and there are {total}."
        settle = "The authors could say which datasets they count."
        return wording.verdict_on(claim, "impossible", words, why, settle=settle)
    if claim.n_datasets in (None, n):
        return None
    why = f"It speaks of {claim.n_datasets} datasets, and the table has {n}."
    return wording.verdict_on(claim, "not-shown", words, why, settle=wording.WHOLE_TABLE)


def _deciding_misfits(claim: Claim, rows: Sequence[Finding], level: float) -> list[RowFinding]:
    """Misfits among a claim's p-values, printed on one side of the level and possible on the other."""
    return [
        f
        for f in rows
        if isinstance(f, RowFinding)
        and (f.key, f.check) == ("impossible", "possible-p-values")
        and (not claim.of_levels or f.dataset in claim.datasets)
        and (f.reach[0] > level if f.p_value <= level else f.reach[1] <= level)
    ]
