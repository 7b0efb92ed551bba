"""Which p-values tests can give beside two printed scores, whether a printed one is among them, and at which n.

Vocabulary
----------
variant
    A test and the system that its p-values speak for.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from ..significance.correlation import FEWEST
from ..significance.known_tests import of_outcomes, of_three_correlations, significance_test_names
from ..significance.lattice import SMALLEST
from ..types import BoolArray, FloatArray, frozen
from ..validation import check_choice
from .correlations import CorrelationBox, correlation_box
from .printed_scores import (
    CLAIM_ALTERNATIVES,
    MOST_DIFFERENCES,
    MOST_EXAMPLES,
    ClaimAlternative,
    Range,
    Scale,
    ScoreMetric,
    ScoreRange,
    Splits,
    check_n,
    mcnemar_p_values,
    p_ranges,
    read_scores,
    splits_of,
)

if TYPE_CHECKING:
    from .means import MeansBox

Verdict = Literal["attainable", "not-attainable", "impossible"]
SpeaksFor = Literal["a", "b", "either"]
# The nearest smaller and larger n; None where none of those tried does, or the n in question.
Sizes = tuple[int | None, int | None]
# Of more splits only their range is given.
MOST_VALUES = 200_000
# Two computations of one p-value agree so far; tails are good to about 1e-12.
_RELATIVE = 1e-9
# Sizes of accuracies are tried one by one, as they must divide into whole examples.
_BLOCK = 4_096
_MOST_TRIED = 100_000


class Variant(NamedTuple):
    """A test and the system that its p-values speak for; "either" of two-sided ones."""

    test: str
    speaks_for: SpeaksFor

    @property
    def alternative(self) -> ClaimAlternative:
        """One-sided for that system, or two-sided."""
        return "two-sided" if self.speaks_for == "either" else "greater"


@dataclass(frozen=True, kw_only=True, eq=False)
class Attainment:
    """Whether a p-value within an interval can come out of all that is `possible`, and what it would take.

    The verdict is "impossible" where no p-value of the range lies in the interval, "not-attainable"
    where the range goes beyond it on both sides, but no split gives it. `disagreements` are fewest and
    most b + c of the splits that give it, None where there are too many to go through; `nearest` the
    p-values below and above that splits give, each with its b + c.
    """

    verdict: Verdict
    possible: PossibleP = field(repr=False)
    ends: Range = field(repr=False)
    disagreements: tuple[int, int] | None = None
    nearest: tuple[tuple[float, int], ...] = ()

    @cached_property
    def correlations(self) -> tuple[Range, ...]:
        """Intervals of the correlation between the systems that give it; empty of accuracies.

        Of correlations with gold that is r(A, B), of means with standard deviations
        that of the systems' scores. Found when first asked for.
        """
        source = self.possible.source
        if self.verdict != "attainable" or isinstance(source, Splits):
            return ()
        return source.correlations_giving(*self.ends, two_sided=self.possible.two_sided)


@dataclass(frozen=True, kw_only=True, eq=False)
class PossibleP:
    """The p-values that one test can give.

    Attributes
    ----------
    test : str
        Its name.
    alternative : {"greater", "two-sided"}
        A better, or either.
    n_examples : int
        n.
    low, high : float
        The smallest and the largest; of correlations and means a bound that may only be neared.
    source : Splits, CorrelationBox or MeansBox
        What the scores leave open.
    """

    test: str
    alternative: ClaimAlternative
    n_examples: int
    source: Splits | CorrelationBox | MeansBox

    @property
    def low(self) -> float:
        """The smallest."""
        return self.intervals[0][0]

    @property
    def high(self) -> float:
        """The largest."""
        return self.intervals[-1][1]

    @cached_property
    def intervals(self) -> tuple[Range, ...]:
        """Where they lie, rising."""
        if isinstance(self.source, Splits):
            return (self.source.p_range(self.test, self.alternative),)
        return self.source.p_intervals(two_sided=self.two_sided)

    @property
    def two_sided(self) -> bool:
        """Whether it is about either system."""
        return self.alternative == "two-sided"

    @cached_property
    def values(self) -> FloatArray | None:
        """Every possible p-value, rising; None where more than `MOST_VALUES` splits are."""
        if not isinstance(self.source, Splits):
            ends = np.unique(self.intervals)
            return ends if len(ends) == len(self.intervals) else None
        d, fewest, most, uncut = self.source.ways(self.test, self.alternative)
        numbers = (most - fewest) // 2 + 1
        if numbers.sum() > MOST_VALUES:
            return None
        way = np.repeat(np.arange(d.size), numbers)
        within = np.arange(way.size) - np.repeat(np.cumsum(numbers) - numbers, numbers)
        disagreements = fewest[way] + 2 * within
        found = np.sort(
            mcnemar_p_values(
                d[way],
                disagreements,
                test=self.test,
                alternative=self.alternative,
                uncut=uncut[way],
            )
        )
        # The same p-value by two ways may differ in its last digits.
        return frozen(found[np.diff(found, prepend=-1.0) > 1e-13 * found])

    def attains(self, low: float, high: float) -> Attainment:
        """Whether a p-value from `low` to `high`, which the digits allow, can come out, and how."""
        if not 0.0 <= low <= high <= 1.0:
            raise ValueError(
                f"`low` and `high` must be an interval between 0 and 1; got {low!r} and {high!r}."
            )
        ends, source = tolerant_ends(low, high), self.source
        made = partial(Attainment, possible=self, ends=ends)
        verdict: Verdict = "impossible"
        if any(ends[0] <= most and ends[1] >= least for least, most in self.intervals):
            verdict = "attainable"
        elif ends[0] <= self.high and ends[1] >= self.low:
            verdict = "not-attainable"
        gone_through = isinstance(source, Splits) and source.differences.size <= MOST_DIFFERENCES
        if verdict == "impossible" or not gone_through:
            return made(verdict=verdict)
        assert isinstance(source, Splits)
        disagreements, nearest = source.giving(self.test, self.alternative, *ends)
        verdict = "attainable" if disagreements else "not-attainable"
        return made(verdict=verdict, disagreements=disagreements, nearest=nearest)


def tolerant_ends(low: float, high: float) -> tuple[float, float]:
    """An interval that holds what is computed of each p-value in it."""
    # What is smaller than any normal float is computed as the smallest, two-sided as twice that.
    return max(low, SMALLEST) * (1.0 - _RELATIVE), max(high, 2.0 * SMALLEST) * (1.0 + _RELATIVE)


def possible_p_values(
    score_a: float | str,
    score_b: float | str,
    n: int,
    *,
    metric: ScoreMetric = "accuracy",
    alternative: ClaimAlternative = "greater",
    decimals: int | None = None,
    scale: Scale = "auto",
) -> dict[str, PossibleP]:
    """Which p-values two systems' scores on n examples leave open.

    Two accuracies fix b − c, the examples that only A has right less those that only
    B has right, and bound b + c; so McNemar's tests can give certain p-values alone.
    Two correlations with one gold bound that of the systems with each other.

    Parameters
    ----------
    score_a, score_b : float or str
        A's and B's. A text is rounded as printed ("86.40", ".864", "86.4%"), a number
        is exact.
    n : int
        Number of examples.
    metric : {"accuracy", "correlation"}
        What the scores are: the share of examples that are right, or each
        system's correlation with gold.
    alternative : {"greater", "two-sided"}
        What the p-values speak for: A better, or either.
    decimals : int, optional
        To how many decimals, as printed, the scores are rounded. Of texts: how
        many their column has.
    scale : {"auto", "fraction", "percent"}
        "auto": both are percent if one has a percent sign or lies beyond 1, and
        fractions otherwise.

    Returns
    -------
    dict of str to PossibleP
        Of accuracies "mcnemar", "mcnemar-mid-p", "mcnemar-chi2" and
        "mcnemar-chi2-corrected"; of correlations "williams", "steiger" and "meng",
        the last two without a correlation that is exactly 1 or −1.

    Raises
    ------
    ValueError
        If an argument is not as above, or an accuracy is no multiple of 1/n to the
        digits it is printed with.

    Examples
    --------
    >>> from replicability import possible_p_values
    >>> found = possible_p_values("86.0", "84.0", 100)["mcnemar"]
    >>> round(found.low, 4), round(found.high, 4)
    (0.25, 0.4278)
    """
    check_choice(alternative, CLAIM_ALTERNATIVES, name="alternative")
    n = check_n(n)
    a, b = read_scores(score_a, score_b, metric=metric, decimals=decimals, scale=scale)
    if metric == "accuracy":
        for name, score in (("score_a", a), ("score_b", b)):
            if not score.is_multiple_of_one_in(n):
                raise ValueError(
                    f"`{name}` must be a share of {n} examples; no number of right ones gives "
                    f"{score.printed}."
                )
    side: SpeaksFor = "either" if alternative == "two-sided" else "a"
    return {v.test: p for v, p in possible_of(a, b, n, sides=(side,)).items()}


def possible_of(
    score_a: ScoreRange,
    score_b: ScoreRange,
    n: int,
    *,
    sides: Sequence[SpeaksFor] = ("a", "either"),
) -> dict[Variant, PossibleP]:
    """As `possible_p_values`, of scores that are read; empty where an accuracy is impossible.

    An accuracy that no share of `n` is rounded to may have been rounded up or down.
    """
    sources: dict[str, Splits | CorrelationBox] = {}
    if score_a.metric == "accuracy":
        splits = splits_of(score_a.fitting(n), score_b.fitting(n), n)
        if splits.differences.size:
            sources = dict.fromkeys(significance_test_names(of_outcomes), splits)
    else:
        boxes = {
            test: correlation_box(test, score_a, score_b, n)
            for test in significance_test_names(of_three_correlations)
        }
        sources = {test: box for test, box in boxes.items() if box is not None}
    found = {
        (variant := Variant(test, side)): PossibleP(
            test=test, alternative=variant.alternative, n_examples=n, source=source
        )
        for test, source in sources.items()
        for side in sides
        if side != "b"
    }
    if "b" in sides:
        turned = possible_of(score_b, score_a, n, sides=("a",))
        found |= {Variant(v.test, "b"): possible for v, possible in turned.items()}
    return found


def nearest_sizes(
    score_a: ScoreRange,
    score_b: ScoreRange,
    n: int,
    bounds: Range,
    variant: Variant,
) -> Sizes:
    """The nearest numbers of examples at which a variant gives a p-value within bounds.

    Possible is what lies within the range of p-values; of accuracies also only an n that both are
    multiples of 1/n for. Whether some split gives the printed digits is not asked.
    """
    a, b = (score_b, score_a) if variant.speaks_for == "b" else (score_a, score_b)
    test, alternative = variant.test, variant.alternative
    ends = tolerant_ends(*bounds)
    if a.metric == "correlation":
        box = correlation_box(test, a, b, n)
        assert box is not None  # a test that is infinite for all of them is no variant
        return bisected(box, n, ends, two_sided=alternative == "two-sided", fewest=FEWEST)

    def possible(sizes: range) -> BoolArray:
        whole, low, high = p_ranges(a, b, np.array(sizes), test=test, alternative=alternative)
        return whole & (ends[0] <= high) & (ends[1] >= low)

    if possible(range(n, n + 1))[0]:
        return None, None
    first, last = max(1, n - _MOST_TRIED), min(MOST_EXAMPLES, n + min(9 * n + 1000, _MOST_TRIED))

    def nearest(blocks: Iterable[range], place: int) -> int | None:
        hits = ((sizes, np.flatnonzero(possible(sizes))) for sizes in blocks)
        return next((sizes[int(found[place])] for sizes, found in hits if found.size), None)

    smaller = (range(max(first, stop - _BLOCK), stop) for stop in range(n, first, -_BLOCK))
    larger = range(n + 1, last + 1)
    blocks = (larger[start : start + _BLOCK] for start in range(0, len(larger), _BLOCK))
    return nearest(smaller, -1), nearest(blocks, 0)


def bisected(
    box: CorrelationBox | MeansBox, n: int, ends: Range, *, two_sided: bool, fewest: int
) -> Sizes:
    """For ranges whose ends each move in one direction as n grows; p is 1 below `fewest`."""
    low, high = ends

    def p_range(size: int) -> Range:
        intervals = replace(box, n_examples=size).p_intervals(two_sided=two_sided)
        return intervals[0][0], intervals[-1][1]

    def possible(size: int) -> bool:
        least, largest = p_range(size)
        return low <= largest and high >= least

    if possible(n):
        return None, None
    if n < fewest:
        above = bisected(box, fewest, ends, two_sided=two_sided, fewest=fewest)[1]
        return None, fewest if possible(fewest) else above
    too_high = p_range(n)[1] < low

    def mended(size: int) -> bool:
        least, largest = p_range(size)
        return low <= largest if too_high else high >= least

    def first(sizes: range) -> int | None:
        """The first of the sizes away from n that mends it, if it is possible there."""
        # Mostly none does, which the last one tells at once.
        if not sizes or not mended(sizes[-1]):
            return None
        nearest = sizes[bisect_left(sizes, True, key=mended)]
        return nearest if possible(nearest) else None

    below = first(range(n - 1, fewest - 1, -1))
    if below is None and low <= 1.0 <= high:
        below = fewest - 1
    return below, first(range(n + 1, MOST_EXAMPLES + 1))
