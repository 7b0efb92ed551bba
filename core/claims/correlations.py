"""What two correlations with one gold leave open: the correlation of the systems with each other.

The three must be a correlation matrix, so r(A, B) lies between
r_gA·r_gB ± √((1 − r_gA²)(1 − r_gB²)), and with it the p-value of each test.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import cast

import numpy as np

from core.claims.agreement import implied_correlations
from core.claims.printed_scores import ScoreRange
from core.claims.splits import CLAIM_ALTERNATIVES
from core.metrics.registry import ONE
from core.significance.correlation import FEWEST, CorrelationTest
from core.significance.known_tests import correlation_test_named
from core.validation import check_choice

# Fisher's z is finite below; a correlation that is rounded to 1 is less than it.
_BELOW_ONE = 1.0 - 1e-13
# Nearer to −1, 1 + r(A, B) has lost its digits; p has the limit that it is near already.
_OPPOSITE = -1.0 + 1e-7
# Positions between the least (−1) and the largest (1) possible r(A, B): dense near
# both, where the three correlations leave no variance and p moves fastest.
_NEAR = tuple(1.0 - 10.0**-k for k in range(3, 15))
POSITIONS = tuple(
    sorted({*np.cos(np.linspace(0.0, math.pi, 49)).tolist(), *_NEAR, *(-u for u in _NEAR)})
)
_ZOOMS = 30
Point = tuple[float, float, float]


@dataclass(frozen=True, kw_only=True, eq=False)
class CorrelationBox:
    """One test of two printed correlations over n examples.

    Attributes
    ----------
    test : {"williams", "steiger", "meng"}
        Its name.
    r_gold_a, r_gold_b : (float, float)
        Where each system's correlation with gold lies.
    n_examples : int
        n.
    """

    test: str
    r_gold_a: tuple[float, float]
    r_gold_b: tuple[float, float]
    n_examples: int

    @cached_property
    def kernel(self) -> CorrelationTest:
        """What computes the test."""
        return correlation_test_named(self.test)

    def p_value(self, a: float, b: float, r_a_b: float, alternative: str) -> float | None:
        """The p-value of three correlations; None where the statistic is undefined.

        Raises
        ------
        ValueError
            If the alternative is neither "greater" nor "two-sided".
        """
        check_choice(alternative, CLAIM_ALTERNATIVES, name="alternative")
        outcome = self.kernel.outcome(a, b, r_a_b, self.n_examples)
        if outcome.statistic is None:
            return None
        return (
            outcome.p_values.two_sided if alternative == "two-sided" else outcome.p_values.greater
        )

    @property
    def too_few(self) -> bool:
        """Whether n is too small for the test, so that p is 1."""
        return self.n_examples < FEWEST

    @property
    def may_be_one_system(self) -> bool:
        """Whether r(A, B) may be 1: then p is 1."""
        (low_a, high_a), (low_b, high_b) = self.r_gold_a, self.r_gold_b
        return max(low_a, low_b) <= min(high_a, high_b)

    def p_intervals(self, alternative: str) -> tuple[tuple[float, float], ...]:
        """Where the p-values of every possible r(A, B) lie, each from smallest to largest.

        Raises
        ------
        ValueError
            As `p_value`.
        """
        check_choice(alternative, CLAIM_ALTERNATIVES, name="alternative")
        if self.too_few or not self._ends:
            return ((1.0, 1.0),)
        found = [
            value
            for point in self._ends
            if (value := self.p_value(*_correlations(point), alternative)) is not None
        ]
        interval = min(found), max(found)
        # Of systems that cannot be told apart p is 1, whatever it is nearby.
        apart = self.may_be_one_system and interval[1] < 1.0
        return (interval, (1.0, 1.0)) if apart else (interval,)

    def p_range(self, alternative: str) -> tuple[float, float]:
        """Smallest and largest p-value of any possible r(A, B)."""
        intervals = self.p_intervals(alternative)
        return intervals[0][0], intervals[-1][1]

    def correlations_giving(
        self, low: float, high: float, alternative: str
    ) -> tuple[tuple[float, float], ...]:
        """Intervals of r(A, B) with which p lies from `low` to `high`, rising.

        Over all correlations with gold that the digits allow.

        Raises
        ------
        ValueError
            As `p_value`.
        """
        check_choice(alternative, CLAIM_ALTERNATIVES, name="alternative")
        if self.too_few:
            return ((-1.0, 1.0),) if low <= 1.0 <= high else ()

        def evidence_at(a: float, b: float, r_a_b: float) -> float | None:
            value = self._statistic(a, b, r_a_b)
            return abs(value) if value is not None and alternative == "two-sided" else value

        found = implied_correlations(
            self.r_gold_a,
            self.r_gold_b,
            evidence_at=evidence_at,
            p_at=lambda a, b, r_a_b: cast(float, self.p_value(a, b, r_a_b, alternative)),
            low=low,
            high=high,
        )
        if self.may_be_one_system and low <= 1.0 <= high and (not found or found[-1][1] < ONE):
            found = (*found, (1.0, 1.0))
        return found

    @cached_property
    def _ends(self) -> tuple[Point, ...]:
        """Where the statistic is least and where it is largest; empty where it is never defined."""
        start = [
            (value, point)
            for point in self._grid()
            if (value := self._statistic(*_correlations(point))) is not None
        ]
        if not start:
            return ()
        least = self._zoom(min(start), lambda value: value)
        largest = self._zoom(max(start), lambda value: -value)
        # p is 1 (two-sided) where A and B correlate alike, which lies between.
        equal = self._equal() if least[0] <= 0.0 <= largest[0] else None
        return tuple(point for point in (least[1], largest[1], equal) if point is not None)

    def _equal(self) -> Point | None:
        if not self.may_be_one_system:
            return None
        both = max(self.r_gold_a[0], self.r_gold_b[0])
        return both, both, 0.0

    def _grid(self) -> Iterator[Point]:
        return product(_three(*self.r_gold_a), _three(*self.r_gold_b), POSITIONS)

    def _statistic(self, a: float, b: float, r_a_b: float) -> float | None:
        if not _OPPOSITE < r_a_b < ONE:
            return None
        return self.kernel.statistic(a, b, r_a_b, self.n_examples)

    def _zoom(
        self, start: tuple[float, Point], cost: Callable[[float], float]
    ) -> tuple[float, Point]:
        """A better point than `start`, looked for in ever smaller boxes around the best."""
        best = start
        (low_a, high_a), (low_b, high_b) = self.r_gold_a, self.r_gold_b
        half = [(high_a - low_a) / 2.0, (high_b - low_b) / 2.0, 0.1]
        for _ in range(_ZOOMS):
            a, b, u = best[1]
            # The last axis is stretched near its ends, as `POSITIONS` is.
            angle = math.acos(u)
            near = product(
                {max(low_a, a - half[0]), a, min(high_a, a + half[0])},
                {max(low_b, b - half[1]), b, min(high_b, b + half[1])},
                {
                    math.cos(min(math.pi, max(0.0, angle + half[2] * step)))
                    for step in (-1.0, -0.5, 0.0, 0.5, 1.0)
                },
            )
            for point in near:
                value = self._statistic(*_correlations(point))
                if value is not None and cost(value) < cost(best[0]):
                    best = (value, point)
            half = [width * 0.6 for width in half]
        return best


def correlation_box(
    test: str, score_a: ScoreRange, score_b: ScoreRange, n: int
) -> CorrelationBox | None:
    """The box of two printed correlations; None where the test is infinite for all of them.

    Raises
    ------
    ValueError
        If it is no test of correlations.
    """
    kernel = correlation_test_named(test)
    ranges = [score_a.ends, score_b.ends]
    if any(low == high and kernel.has_no_z(low, 0.0) for low, high in ranges):
        return None
    if kernel.of_fisher_z:
        ranges = [(max(low, -_BELOW_ONE), min(high, _BELOW_ONE)) for low, high in ranges]
    return CorrelationBox(test=test, r_gold_a=ranges[0], r_gold_b=ranges[1], n_examples=n)


def _correlations(point: Point) -> Point:
    """r_gA, r_gB and the r(A, B) at a position between its least and largest."""
    a, b, position = point
    return a, b, a * b + position * math.sqrt(max(0.0, (1.0 - a * a) * (1.0 - b * b)))


def _three(low: float, high: float) -> tuple[float, ...]:
    return (low,) if low == high else (low, 0.5 * (low + high), high)
