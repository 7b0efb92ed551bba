"""Which splits of disagreements two accuracies leave open, and McNemar's p-values of them.

Vocabulary
----------
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

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

import numpy as np

from ..significance.counting import ChiSquaredTest, CountingTest, MidPTest
from ..significance.known_tests import (
    of_outcomes,
    significance_test_named,
    significance_test_names,
)
from ..types import BoolArray, FloatArray, IntArray
from ..validation import check_choice
from .printed_scores import ScoreRange

ClaimAlternative = Literal["greater", "two-sided"]

CLAIM_ALTERNATIVES: tuple[ClaimAlternative, ...] = get_args(ClaimAlternative)


def mcnemar_test_named(name: str) -> CountingTest:
    """The kernel of one of McNemar's tests.

    Raises
    ------
    ValueError
        If it is none of them.
    """
    check_choice(name, significance_test_names(of_outcomes), name="test")
    kernel = significance_test_named(name).kernel
    assert isinstance(kernel, CountingTest)
    return kernel


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

    Parameters
    ----------
    differences, disagreements : ndarray of int
        d and s, of one shape; s − |d| even and not negative.
    test : str
        One of McNemar's.
    alternative : {"greater", "two-sided"}
        For A, or either.
    uncut : bool or ndarray of bool
        Where the two-sided corrected χ² is 1/s and not 0, as much software has it; of d = 0 alone.
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


class Ways(NamedTuple):
    """Each way to reach a p-value: d, the fewest and most s, and whether χ² is left uncut at 0."""

    differences: IntArray
    fewest: IntArray
    most: IntArray
    uncut: BoolArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Splits:
    """Every split that two accuracies leave open.

    Attributes
    ----------
    n_examples : int
        n.
    differences : ndarray of int
        Each possible d, rising by 1; empty where an accuracy is no multiple of 1/n.
    most : ndarray of int
        For each the most disagreements; the fewest are |d|.
    """

    n_examples: int
    differences: IntArray
    most: IntArray

    @property
    def n_splits(self) -> int:
        """Number of different (b, c)."""
        return int(((self.most - np.abs(self.differences)) // 2 + 1).sum())

    def ways(self, test: str, alternative: str) -> Ways:
        """Every d with its s, and once more d = 0 where one row of s is not enough.

        Of a two-sided χ² with continuity correction, (|b − c| − 1)²/(b + c) is 1/s at b = c
        as statsmodels and mlxtend compute it, and 0 as others do: both are possible. Of a
        two-sided mid-p, s = 0 stands alone, as p is 1 there and .75 at s = 2.

        Raises
        ------
        ValueError
            If it is no such test, or another alternative than "greater" and
            "two-sided".
        """
        kernel = mcnemar_test_named(test)
        check_choice(alternative, CLAIM_ALTERNATIVES, name="alternative")
        fewest, most = np.abs(self.differences), self.most
        uncut = np.zeros(fewest.shape, dtype=np.bool_)
        tied = np.flatnonzero((self.differences == 0) & (most >= 2))
        if alternative != "two-sided" or not tied.size:
            return Ways(self.differences, fewest, most, uncut)
        if isinstance(kernel, MidPTest):
            fewest[tied] = 2
            return Ways(
                np.append(self.differences, 0),
                np.append(fewest, 0),
                np.append(most, 0),
                np.append(uncut, False),
            )
        if not is_corrected(kernel):
            return Ways(self.differences, fewest, most, uncut)
        return Ways(
            np.append(self.differences, 0),
            np.append(fewest, 2),
            np.append(most, most[tied[0]]),
            np.append(uncut, True),
        )

    def p_range(self, test: str, alternative: str) -> tuple[float, float]:
        """Smallest and largest p-value of any split."""
        differences, fewest, most, uncut = self.ways(test, alternative)
        if self.differences.size > MOST_DIFFERENCES:
            # As |d| grows by k, s grows by at most k, and a walk that is k further after k
            # more steps was there before: p is extreme at the ends of d and at d nearest 0.
            last = self.differences.size - 1
            chosen = [0, int(np.abs(self.differences).argmin()), last, differences.size - 1]
            differences, fewest, most = differences[chosen], fewest[chosen], most[chosen]
            uncut = uncut[chosen]
        p_values = mcnemar_p_values(
            np.tile(differences, 2),
            np.concatenate([fewest, most]),
            test=test,
            alternative=alternative,
            uncut=np.tile(uncut, 2),
        )
        return float(p_values.min()), float(p_values.max())

    def all_p_values(self, test: str, alternative: str) -> FloatArray:
        """The p-value of every split, by d and then by s."""
        differences, fewest, most, uncut = self.ways(test, alternative)
        numbers = (most - fewest) // 2 + 1
        within = np.arange(numbers.sum()) - np.repeat(np.cumsum(numbers) - numbers, numbers)
        return mcnemar_p_values(
            np.repeat(differences, numbers),
            np.repeat(fewest, numbers) + 2 * within,
            test=test,
            alternative=alternative,
            uncut=np.repeat(uncut, numbers),
        )

    def steps_between(
        self, test: str, alternative: str, low: float, high: float
    ) -> tuple[IntArray, IntArray, BoolArray]:
        """For each of `ways` where p lies below, within and above an interval.

        Returns
        -------
        n_below, n_not_above : ndarray of int
            Number of s whose p lies below `low`, and at most at `high`.
        rising : ndarray of bool
            Whether p grows with s; where not, those numbers count from the most s.
        """
        differences, fewest, most, uncut = self.ways(test, alternative)
        last = (most - fewest) // 2
        rising = np.ones(fewest.shape, dtype=np.bool_)
        if alternative == "greater":
            rising = differences >= 1

        def at(rank: IntArray) -> FloatArray:
            step = np.where(rising, rank, last - rank)
            return mcnemar_p_values(
                differences, fewest + 2 * step, test=test, alternative=alternative, uncut=uncut
            )

        def holds(ranks: IntArray) -> BoolArray:
            p_values = at(ranks)
            return np.stack([p_values[0] < low, p_values[1] <= high])

        # Both at once: most rows have few d, and each look at them costs the same.
        n_below, n_not_above = _count_first(np.stack([last + 1, last + 1]), holds)
        return n_below, n_not_above, rising


def splits_of(score_a: ScoreRange, score_b: ScoreRange, n: int) -> Splits:
    """Every split of n examples that has both accuracies."""
    fewest_a, most_a = score_a.counts(n)
    fewest_b, most_b = score_b.counts(n)
    if fewest_a > most_a or fewest_b > most_b:
        none = np.zeros(0, dtype=np.intp)
        return Splits(n_examples=n, differences=none, most=none)
    differences = np.arange(fewest_a - most_b, most_a - fewest_b + 1, dtype=np.intp)
    most = most_disagreements(
        differences, n, fewest_a=fewest_a, most_a=most_a, fewest_b=fewest_b, most_b=most_b
    )
    return Splits(n_examples=n, differences=differences, most=most)


def most_disagreements(
    differences: IntArray,
    n: int | IntArray,
    *,
    fewest_a: int | IntArray,
    most_a: int | IntArray,
    fewest_b: int | IntArray,
    most_b: int | IntArray,
) -> IntArray:
    """For each d the largest s that some r_A and r_B within their ranges allow."""
    # min(t, 2n − t) with t = r_A + r_B = 2 r_A − d is largest for t nearest n.
    lowest = np.maximum(fewest_a, fewest_b + differences)
    highest = np.minimum(most_a, most_b + differences)
    nearest = np.floor_divide(n + differences, 2)
    totals = [2 * np.clip(right, lowest, highest) - differences for right in (nearest, nearest + 1)]
    best: IntArray = np.maximum(*(np.minimum(total, 2 * n - total) for total in totals))
    return best


def _count_first(sizes: IntArray, holds: Callable[[IntArray], BoolArray]) -> IntArray:
    """How many of the ranks 0, 1, … below each size fulfil what only first ones do."""
    low, high = np.zeros_like(sizes), sizes.copy()
    while (low < high).any():
        middle = (low + high) // 2
        true = holds(np.minimum(middle, sizes - 1)) & (low < high)
        low = np.where(true, middle + 1, low)
        high = np.where(true, high, np.minimum(middle, high))
    return low
