"""What printed scores and a number of examples allow: where true scores lie, and which splits two accuracies leave open.

Vocabulary
----------
printed unit
    What the scores are printed in: fractions (.864) or percent (86.4).
granularity
    An accuracy over n examples is a multiple of 1/n; one printed precisely
    enough that is none was not computed on n examples.
b, c
    Examples that only A has right, and that only B has right.
difference d = b − c
    Right examples of A less those of B.
disagreements s = b + c
    With r_A and r_B right, any of |d|, |d| + 2, …, min(r_A + r_B, 2n − r_A − r_B).

For a given d every p-value here moves in one direction as s grows. Exact: let S be
a walk of s fair steps. P(S_{s+2} ≥ d) − P(S_s ≥ d) = ¼[P(S_s = d − 2) − P(S_s = d)],
which is not negative for d ≥ 1 and not positive for d ≤ 0. Mid-p is
½[P(S ≥ d) + P(S ≥ d + 2)], so its step is ⅛[P(S_s = d − 2) − P(S_s = d + 2)]; two-sided at
d = 0 it is 1 − ½P(S_s = 0), which rises from s = 2 on, and 1 at s = 0. χ²'s root is d
(corrected: d − 1) over √s. Hence ends are enough for ranges, and halving finds the
disagreements that give a printed p.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Literal, get_args

import numpy as np

from ..data.tables.number_column import decimals_of
from ..data.tables.numbers import UnreadableNumber, read_number
from ..significance.counting import ChiSquaredTest, CountingTest
from ..significance.known_tests import of_outcomes, significance_test_named, significance_test_names
from ..types import BoolArray, FloatArray, IntArray
from ..validation import check_choice, check_whole

ScoreMetric = Literal["accuracy", "correlation"]
Scale = Literal["auto", "fraction", "percent"]

METRICS: tuple[ScoreMetric, ...] = get_args(ScoreMetric)
SCALES: tuple[Scale, ...] = get_args(Scale)
Range = tuple[float, float]
# Fewest and most right examples, of one n or of each of several.
Counts = tuple[int, int] | tuple[IntArray, IntArray]
# Beyond it whole ranges of counts no longer fit a table's row in about a second.
MOST_EXAMPLES = 1_000_000
# A number that is computed rather than typed is off by a few roundings.
_ROUNDINGS = 8
_MOST_DECIMALS = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreRange:
    """Where a true score lies, given how it is printed.

    Both ends are fractions, not percent, and may be rounded to what is printed.
    """

    printed: str
    low: Fraction
    high: Fraction
    metric: ScoreMetric

    def counts(self, n: int) -> tuple[int, int]:
        """Fewest and most right examples of n; the first is larger where no number fits."""
        return math.ceil(self.low * n), math.floor(self.high * n)

    def counts_of_each(self, sizes: IntArray) -> tuple[IntArray, IntArray]:
        """`counts` of many n at once."""
        largest = int(sizes.max(initial=1))
        if max(*self.low.as_integer_ratio(), *self.high.as_integer_ratio()) * largest < 2**62:
            fewest = -(-self.low.numerator * sizes // self.low.denominator)
            return fewest, self.high.numerator * sizes // self.high.denominator
        both = np.array([self.counts(size) for size in sizes.tolist()], dtype=np.intp)
        return both[:, 0], both[:, 1]

    def is_multiple_of_one_in(self, n: int) -> bool:
        """Whether some number of right examples out of n gives what is printed."""
        fewest, most = self.counts(n)
        return fewest <= most

    def by_any_rounding(self) -> ScoreRange:
        """Where the true score lies if it was rounded to the nearest, up, or down to its digits."""
        width = self.high - self.low
        # A range that ends with the scale is half of one already.
        half = width if self.low in (-1, 0) or self.high == 1 else width / 2
        lowest = Fraction(-1 if self.low < 0 else 0)
        return replace(
            self, low=max(lowest, self.low - half), high=min(Fraction(1), self.high + half)
        )

    def fitting(self, n: int) -> ScoreRange:
        """The range, or that by any rounding where no share of `n` lies in it."""
        return self if self.is_multiple_of_one_in(n) else self.by_any_rounding()


def unfitting(scores: Sequence[ScoreRange], n: int) -> tuple[str, ...]:
    """Accuracies, as printed, that no number of right examples out of n gives, by any rounding."""
    return tuple(
        score.printed
        for score in scores
        if score.metric == "accuracy" and not score.fitting(n).is_multiple_of_one_in(n)
    )


def check_n(n: int) -> int:
    """Return `n` as a number of examples; a `ValueError` where it is none."""
    return check_whole(n, name="n", least=1, most=MOST_EXAMPLES)


def read_scores(
    score_a: float | str,
    score_b: float | str,
    *,
    metric: ScoreMetric = "accuracy",
    decimals: int | None = None,
    scale: Scale = "auto",
) -> tuple[ScoreRange, ScoreRange]:
    """Where the true scores lie.

    A text is a rounded number, within half a unit of its last digit. A number is
    exact unless `decimals` says to how many it was rounded; beside a text
    `decimals` says how many the column has, as software drops closing zeros.
    With scale "auto" all scores are percent if one has a percent sign or lies
    beyond 1 (below −1), and fractions otherwise. Where no accuracy (0 to 1) or
    correlation (−1 to 1) can lie a score is a `ValueError`.
    """
    check_choice(metric, METRICS, name="metric")
    check_choice(scale, SCALES, name="scale")
    if decimals is not None:
        check_whole(decimals, name="decimals", least=0, most=_MOST_DECIMALS)
    given = {"score_a": score_a, "score_b": score_b}
    read = {name: _read(score, name, decimals) for name, score in given.items()}
    percent = scale == "percent" or (
        scale == "auto" and any(sign or abs(exact) > 1 for exact, _, sign in read.values())
    )
    divisor, lowest = 100 if percent else 1, Fraction(0 if metric == "accuracy" else -1)
    ranges = []
    for name, (exact, half, _) in read.items():
        if half == 0 and exact.denominator > 1 and metric == "accuracy":
            # 1/3 as a float is no third: a share is known by its nearest count.
            half = _roundings(given[name])
        if not lowest <= exact / divisor <= 1:
            kind = "an accuracy" if metric == "accuracy" else "a correlation"
            raise ValueError(
                f"`{name}` must lie between {lowest * divisor} and {divisor} to be {kind}; got "
                f"{given[name]!r}."
            )
        ranges.append(
            ScoreRange(
                printed=str(given[name]),
                low=max(lowest, (exact - half) / divisor),
                high=min(Fraction(1), (exact + half) / divisor),
                metric=metric,
            )
        )
    return ranges[0], ranges[1]


def printed_as(columns: Iterable[str]) -> tuple[int, Literal["fraction", "percent"]]:
    """Decimals and scale of whole columns of printed scores; empty texts are passed over.

    The most decimals that any score has count for all, as software drops closing zeros;
    one score that can only be percent makes all of them percent.
    """
    numbers = [read_number(text.strip()) for text in columns if text]
    decimals = max((decimals_of(number.digits) for number in numbers), default=0)
    is_percent = any(number.percent or abs(number.value) > 1 for number in numbers)
    return decimals, "percent" if is_percent else "fraction"


def read_rows(
    columns: Sequence[Sequence[str]], n_examples: Sequence[int], metric: ScoreMetric
) -> Iterator[tuple[tuple[ScoreRange, ScoreRange] | None, int]]:
    """Each dataset's scores, read as their whole columns are printed, and its n; None where one is missing."""
    decimals, scale = printed_as(text for column in columns for text in column)
    for a, b, n in zip(*columns, n_examples, strict=True):
        if a and b:
            size = check_n(n)
            yield read_scores(a, b, metric=metric, decimals=decimals, scale=scale), size
        else:
            yield None, n


def read_numbers(given: Mapping[str, float | str]) -> dict[str, tuple[Fraction, Fraction]]:
    """The range of each number by its name, as `read_scores` takes them; any unit will do."""
    read = {name: _read(number, name, None) for name, number in given.items()}
    return {name: (exact - half, exact + half) for name, (exact, half, _) in read.items()}


def _read(score: float | str, name: str, decimals: int | None) -> tuple[Fraction, Fraction, bool]:
    """What is printed, how far from it the true number may lie, and whether a percent sign follows."""
    if isinstance(score, str):
        try:
            number = read_number(score.strip())
        except UnreadableNumber as error:
            raise ValueError(f"`{name}` must be a printed number. {error}") from None
        exponent = Decimal(number.digits).as_tuple().exponent
        assert isinstance(exponent, int)  # read_number takes finite numbers only
        own = -exponent
        if decimals is not None and decimals < own:
            raise ValueError(
                f"`decimals` must be at least the {own} that `{name}` is printed with; "
                f"got {decimals}."
            )
        half = Fraction(10) ** -(own if decimals is None else decimals) / 2
        return Fraction(number.digits), half, number.percent
    if isinstance(score, bool) or not isinstance(score, numbers.Real):
        raise ValueError(f"`{name}` must be a number or a printed number; got {score!r}.")
    if not math.isfinite(score):
        raise ValueError(f"`{name}` must be finite; got {score!r}.")
    exact = Fraction(repr(float(score)))
    if decimals is None:
        return exact, Fraction(0), False
    unit = Fraction(10) ** -decimals
    whole = round(exact / unit) * unit
    if abs(exact - whole) > _roundings(score):
        raise ValueError(f"`{name}` must have at most {decimals} decimals; got {score!r}.")
    return whole, unit / 2, False


def _roundings(number: float | str) -> Fraction:
    return _ROUNDINGS * Fraction(math.ulp(float(number)))


ClaimAlternative = Literal["greater", "two-sided"]

CLAIM_ALTERNATIVES: tuple[ClaimAlternative, ...] = get_args(ClaimAlternative)


# Rows ask for it thousands of times, and every test would be asked what it is.
@cache
def mcnemar_test_named(name: str) -> CountingTest:
    """The kernel of one of McNemar's tests."""
    check_choice(name, significance_test_names(of_outcomes), name="test")
    counting = significance_test_named(name).counting
    assert counting is not None
    return counting


def is_corrected(kernel: CountingTest) -> bool:
    """Whether it is χ² with a correction for continuity."""
    return isinstance(kernel, ChiSquaredTest) and kernel.correction > 0.0


def mcnemar_p_values(
    differences: IntArray,
    disagreements: IntArray,
    *,
    test: str,
    alternative: str,
    uncut: BoolArray | bool = False,
) -> FloatArray:
    """McNemar's p-values of whole arrays of d and s, as `CountingTest.p_of_counts` has them.

    Both have one shape; s − |d| is even and not negative. Where `uncut`, which is of d = 0 alone, the
    two-sided corrected χ² is 1/s and not 0, as much software has it.
    """
    from scipy.special import ndtr

    p_values = mcnemar_test_named(test).p_of_counts(
        (disagreements + differences) // 2,
        (disagreements - differences) // 2,
        alternative=alternative,
    )
    if not np.any(uncut):
        return p_values
    left = 2.0 * ndtr(-1.0 / np.sqrt(np.maximum(disagreements, 1)))
    return np.where(uncut & (disagreements > 0), left, p_values)


# Of so many d at most each is gone through: with more it takes a second and longer.
MOST_DIFFERENCES = 20_000


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Splits:
    """Every split of n examples that two accuracies leave open.

    `differences` are each possible d, rising by 1, none where an accuracy is no multiple of 1/n;
    `most` are for each the most disagreements, and the fewest are |d|.
    """

    scores: tuple[ScoreRange, ScoreRange]
    n_examples: int
    differences: IntArray
    most: IntArray

    def ways(self, test: str, alternative: str) -> tuple[IntArray, IntArray, IntArray, BoolArray]:
        """Every d, its fewest and most s, and whether χ² is left uncut at 0; d = 0 once more where needed.

        Of a two-sided χ² with continuity correction, (|b − c| − 1)²/(b + c) is 1/s at b = c
        as statsmodels and mlxtend compute it, and 0 as others do: both are possible. Of a
        two-sided mid-p, s = 0 stands alone, as p is 1 there and .75 at s = 2.
        """
        kernel = mcnemar_test_named(test)
        check_choice(alternative, CLAIM_ALTERNATIVES, name="alternative")
        fewest, most = np.abs(self.differences), self.most
        uncut: BoolArray = np.zeros(fewest.shape, dtype=np.bool_)
        tied = np.flatnonzero((self.differences == 0) & (most >= 2))
        own_row = kernel.mid_p or is_corrected(kernel)
        if alternative != "two-sided" or not tied.size or not own_row:
            return self.differences, fewest, most, uncut
        once_more = (2, most[tied[0]], True)
        if kernel.mid_p:
            fewest[tied] = 2
            once_more = (0, 0, False)
        ends = zip((self.differences, fewest, most, uncut), (0, *once_more), strict=True)
        d, fewest, most, uncut = (np.append(*each) for each in ends)
        return d, fewest, most, uncut

    def p_range(self, test: str, alternative: str) -> tuple[float, float]:
        """Smallest and largest p-value of any split."""
        sizes = np.array([self.n_examples])
        _, low, high = p_ranges(*self.scores, sizes, test=test, alternative=alternative)
        return float(low[0]), float(high[0])

    def giving(
        self, test: str, alternative: str, low: float, high: float
    ) -> tuple[tuple[int, int] | None, tuple[tuple[float, int], ...]]:
        """Fewest and most s with p from `low` to `high`; else None, and the nearest p below and above with their s."""
        d, fewest, most, uncut = self.ways(test, alternative)
        last = (most - fewest) // 2
        rising = (d >= 1) | (alternative == "two-sided")

        def at(rank: IntArray) -> tuple[IntArray, FloatArray]:
            """The s of each way by their p, the smallest at rank 0."""
            s = fewest + 2 * np.where(rising, rank, last - rank)
            return s, mcnemar_p_values(d, s, test=test, alternative=alternative, uncut=uncut)

        # Of each way how many s have p below `low`, and at most at `high`. Both are halved at once:
        # most rows have few d, and each look at them costs the same.
        least, beyond = np.zeros((2, d.size), dtype=np.intp), np.stack([last + 1, last + 1])
        while (least < beyond).any():
            middle = (least + beyond) // 2
            _, p_values = at(np.minimum(middle, last))
            is_first = np.stack([p_values[0] < low, p_values[1] <= high]) & (least < beyond)
            least = np.where(is_first, middle + 1, least)
            beyond = np.where(is_first, beyond, np.minimum(middle, beyond))
        n_below, n_not_above = least
        hit = n_not_above > n_below
        if hit.any():
            ends = np.stack([at(rank)[0][hit] for rank in (n_below, n_not_above - 1)])
            return (int(ends.min()), int(ends.max())), ()

        def nearest(rank: IntArray) -> list[tuple[float, int]]:
            is_there = (rank >= 0) & (rank <= last)
            s, p_values = at(np.clip(rank, 0, last))
            return list(zip(p_values[is_there].tolist(), s[is_there].tolist(), strict=True))

        return None, (max(nearest(n_below - 1)), min(nearest(n_not_above)))


def splits_of(score_a: ScoreRange, score_b: ScoreRange, n: int) -> Splits:
    """Every split of n examples that has both accuracies."""
    right_a, right_b = score_a.counts(n), score_b.counts(n)
    differences = np.zeros(0, dtype=np.intp)
    if right_a[0] <= right_a[1] and right_b[0] <= right_b[1]:
        differences = np.arange(right_a[0] - right_b[1], right_a[1] - right_b[0] + 1, dtype=np.intp)
    most = most_disagreements(differences, n, right_a, right_b)
    return Splits(scores=(score_a, score_b), n_examples=n, differences=differences, most=most)


def p_ranges(
    score_a: ScoreRange, score_b: ScoreRange, sizes: IntArray, *, test: str, alternative: str
) -> tuple[BoolArray, FloatArray, FloatArray]:
    """Of each n whether it has both accuracies, and the smallest and largest p-value of any split."""
    right_a, right_b = score_a.counts_of_each(sizes), score_b.counts_of_each(sizes)
    (fewest_a, most_a), (fewest_b, most_b) = right_a, right_b
    whole = (fewest_a <= most_a) & (fewest_b <= most_b)
    smallest, largest = fewest_a - most_b, most_a - fewest_b
    # As |d| grows by k, s grows by at most k, and a walk that is k further after k
    # more steps was there before: p is extreme at the ends of d and at d nearest 0.
    nearest = np.clip(0, smallest, np.maximum(smallest, largest))
    d = np.stack([smallest, largest, nearest, np.zeros_like(sizes)])
    most = most_disagreements(d, sizes, right_a, right_b)
    ends = np.concatenate([np.abs(d[:3]), np.maximum(most, np.abs(d))[:3]])
    p_values = mcnemar_p_values(
        np.concatenate([d[:3], d[:3]]), ends, test=test, alternative=alternative
    )
    kernel = mcnemar_test_named(test)
    corrected = is_corrected(kernel)
    if alternative == "two-sided" and (corrected or kernel.mid_p):
        # At b = c = 1, where mid-p and software that leaves the correction uncut give the least.
        tied = (smallest <= 0) & (largest >= 0) & (most[3] >= 2)
        least = mcnemar_p_values(
            d[3], d[3] + 2, test=test, alternative=alternative, uncut=corrected
        )
        p_values = np.vstack([p_values, np.where(tied, least, p_values[0])])
    return whole, np.min(p_values, axis=0), np.max(p_values, axis=0)


def most_disagreements(
    differences: IntArray, n: int | IntArray, right_a: Counts, right_b: Counts
) -> IntArray:
    """For each d the largest s that some r_A and r_B, from the fewest to the most of each, allow."""
    # min(t, 2n − t) with t = r_A + r_B = 2 r_A − d is largest for t nearest n, one below it or above.
    lowest = np.maximum(right_a[0], right_b[0] + differences)
    highest = np.minimum(right_a[1], right_b[1] + differences)
    right = np.clip(np.floor_divide(n + differences, 2), lowest, highest)
    totals = 2 * right - differences
    best: IntArray = np.minimum(totals, 2 * n - totals)
    return best
