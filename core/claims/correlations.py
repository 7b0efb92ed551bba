"""What two correlations with one gold leave open: the correlation of the systems with each other.

The three must be a correlation matrix, so r(A, B) lies between
r_gA·r_gB ± √((1 − r_gA²)(1 − r_gB²)), and with it the p-value of each test.

Which r(A, B) give a printed p-value: for a fixed r(A, B) the pairs r_gA, r_gB that are possible with it and lie within what
their digits allow form a convex set (an ellipse cut by a rectangle). On it p is
continuous and so takes an interval of values: r(A, B) is implied if that interval
meets the printed one. Its ends are those of points from all over the set, which can
miss a little where correlations with gold are rounded to 1.0 or −1.0.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, product
from typing import Literal, cast

import numpy as np

from ..metrics.registry import ONE
from ..significance.correlation import FEWEST, CorrelationTest
from ..significance.known_tests import correlation_test_named
from .printed_scores import Range, ScoreRange

Side = Literal[-1, 0, 1]

# r(A, B) as cosines, dense near its ends, where p moves fastest.
_ANGLES = 100
_NEAR = tuple(10.0**-k for k in range(2, 9))
_HALVINGS = 30
# Of a range that is narrow (three decimals and more), and of a wider one.
_NARROW = 0.0011
_POINTS = 3
_MORE_POINTS = 7
# How far along a range twice over the points are.
_PLACES = {
    n: tuple(1.0 - math.cos(math.pi * i / (n - 1)) for i in range(n))
    for n in (_POINTS, _MORE_POINTS)
}


def _angles(r_gold_a: Range, r_gold_b: Range) -> list[float]:
    """Values of r(A, B) from the least to the largest that is possible."""
    # Correlations are cosines of angles, and angles add and subtract at most.
    (near_a, far_a), (near_b, far_b) = (
        (math.acos(high), math.acos(low)) for low, high in (r_gold_a, r_gold_b)
    )
    least = max(0.0, near_a - far_b, near_b - far_a)
    sums = near_a + near_b, far_a + far_b
    most = math.pi - max(0.0, sums[0] - math.pi, math.pi - sums[1])
    steps = [i / _ANGLES for i in range(_ANGLES + 1)]
    steps += [*_NEAR, *(1.0 - near for near in _NEAR)]
    return sorted({math.cos(least + (most - least) * step) for step in steps})


def _possible_with(r_a_b: float, r_gold_a: Range, r_gold_b: Range) -> Iterator[tuple[float, float]]:
    """Pairs of correlations with gold from all over the set, its edges included."""

    def between(r: float) -> Range:
        half = math.sqrt(max(0.0, (1.0 - r * r) * (1.0 - r_a_b * r_a_b)))
        return r * r_a_b - half, r * r_a_b + half

    def spread(low: float, high: float) -> Iterator[float]:
        if low >= high:
            # Empty but for rounding: the edge itself.
            return iter((0.5 * (low + high),))
        places = _PLACES[_POINTS if high - low <= _NARROW else _MORE_POINTS]
        return (low + (high - low) * 0.5 * place for place in places)

    def clipped(value: float, within: Range) -> float:
        return min(max(value, within[0]), within[1])

    # The ellipse reaches −1 at r_gB = −r(A, B) and 1 at r_gB = r(A, B).
    lowest = between(clipped(-r_a_b, r_gold_b))[0]
    highest = between(clipped(r_a_b, r_gold_b))[1]
    for a in spread(max(r_gold_a[0], lowest), min(r_gold_a[1], highest)):
        low, high = between(a)
        for b in spread(max(r_gold_b[0], low), min(r_gold_b[1], high)):
            # Rounding must not leave what the digits allow.
            yield clipped(a, r_gold_a), clipped(b, r_gold_b)


def _leaving(side: Callable[[float], Side | None], start: float, end: float, at: Side) -> float:
    """Where, going from `start` to `end`, p-values are no longer all on one side."""
    for _ in range(_HALVINGS):
        middle = 0.5 * (start + end)
        if side(middle) == at:
            start = middle
        else:
            end = middle
    return end


# Fisher's z is finite below; a correlation that is rounded to 1 is less than it.
BELOW_ONE = 1.0 - 1e-13
# Nearer to −1, 1 + r(A, B) has lost its digits; p has the limit that it is near already.
_OPPOSITE = -1.0 + 1e-7
# Positions between the least (−1) and the largest (1) possible r(A, B): dense near
# both, where the three correlations leave no variance and p moves fastest.
_NEAR_ENDS = tuple(1.0 - 10.0**-k for k in range(3, 15))
POSITIONS = tuple(
    sorted(
        {*np.cos(np.linspace(0.0, math.pi, 49)).tolist(), *_NEAR_ENDS, *(-u for u in _NEAR_ENDS)}
    )
)
_ZOOMS = 30
Point = tuple[float, float, float]


@dataclass(frozen=True, kw_only=True, eq=False)
class CorrelationBox:
    """One test of two printed correlations over n examples, and where each system's lies."""

    test: str
    r_gold_a: tuple[float, float]
    r_gold_b: tuple[float, float]
    n_examples: int

    @cached_property
    def kernel(self) -> CorrelationTest:
        """What computes the test."""
        return correlation_test_named(self.test)

    def p_value(self, a: float, b: float, r_a_b: float, *, two_sided: bool) -> float:
        """The p-value of three correlations."""
        p_values = self.kernel.outcome(a, b, r_a_b, self.n_examples).p_values
        return p_values.two_sided if two_sided else p_values.greater

    @property
    def may_be_one_system(self) -> bool:
        """Whether r(A, B) may be 1: then p is 1."""
        (low_a, high_a), (low_b, high_b) = self.r_gold_a, self.r_gold_b
        return max(low_a, low_b) <= min(high_a, high_b)

    def p_intervals(self, *, two_sided: bool) -> tuple[tuple[float, float], ...]:
        """Where the p-values of every possible r(A, B) lie, each from smallest to largest."""
        if not self._ends:
            return ((1.0, 1.0),)
        found = [self.p_value(*_correlations(end), two_sided=two_sided) for end in self._ends]
        interval = min(found), max(found)
        # Of systems that cannot be told apart p is 1, whatever it is nearby.
        apart = self.may_be_one_system and interval[1] < 1.0
        return (interval, (1.0, 1.0)) if apart else (interval,)

    def correlations_giving(
        self, low: float, high: float, *, two_sided: bool
    ) -> tuple[tuple[float, float], ...]:
        """Intervals of r(A, B) with which p lies from `low` to `high`, rising.

        Over all correlations with gold that the digits allow.
        """
        if self.n_examples < FEWEST:
            return ((-1.0, 1.0),) if low <= 1.0 <= high else ()

        def side(r_a_b: float) -> Side | None:
            """Whether all p-values with this r(A, B) lie below (−1) or above (1) the interval."""
            evidence = [
                (abs(value) if two_sided else value, a, b)
                for a, b in _possible_with(r_a_b, self.r_gold_a, self.r_gold_b)
                if (value := self._statistic(a, b, r_a_b)) is not None
            ]
            if not evidence:
                return None
            # Only the ends need a p-value, which takes most of the time.
            for (_, a, b), beyond in ((min(evidence), -1), (max(evidence), 1)):
                p_value = self.p_value(a, b, r_a_b, two_sided=two_sided)
                if p_value < low if beyond < 0 else p_value > high:
                    return cast(Side, beyond)
            return 0

        found: list[Range] = []
        known = [
            (r, s) for r in _angles(self.r_gold_a, self.r_gold_b) if (s := side(r)) is not None
        ]
        if len(known) == 1 and known[0][1] == 0:
            found.append((known[0][0], known[0][0]))
        for (left, side_left), (right, side_right) in pairwise(known):
            if side_left == side_right != 0:
                continue
            first = left if side_left == 0 else _leaving(side, left, right, side_left)
            last = right if side_right == 0 else _leaving(side, right, left, side_right)
            if found and first <= found[-1][1]:
                first = found.pop()[0]
            found.append((first, last))
        if self.may_be_one_system and low <= 1.0 <= high and (not found or found[-1][1] < ONE):
            found.append((1.0, 1.0))
        return tuple(found)

    @cached_property
    def _ends(self) -> tuple[Point, ...]:
        """Where the statistic is least and where it is largest; empty where it is never defined."""
        start = [
            (value, point)
            for point in product(three(*self.r_gold_a), three(*self.r_gold_b), POSITIONS)
            if (value := self._statistic(*_correlations(point))) is not None
        ]
        if not start:
            return ()
        least = self._zoom(min(start), lambda value: value)
        largest = self._zoom(max(start), lambda value: -value)
        if not self.may_be_one_system:
            return least[1], largest[1]
        # p is 1 (two-sided) where A and B correlate alike, which lies between.
        both = max(self.r_gold_a[0], self.r_gold_b[0])
        return least[1], largest[1], (both, both, 0.0)

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
    """The box of two printed correlations; None where the test is infinite for all of them."""
    kernel = correlation_test_named(test)
    ranges = [(float(score.low), float(score.high)) for score in (score_a, score_b)]
    if any(low == high and kernel.has_no_z(low, 0.0) for low, high in ranges):
        return None
    if kernel.of_fisher_z:
        ranges = [(max(low, -BELOW_ONE), min(high, BELOW_ONE)) for low, high in ranges]
    return CorrelationBox(test=test, r_gold_a=ranges[0], r_gold_b=ranges[1], n_examples=n)


def _correlations(point: Point) -> Point:
    """r_gA, r_gB and the r(A, B) at a position between its least and largest."""
    a, b, position = point
    return a, b, a * b + position * math.sqrt(max(0.0, (1.0 - a * a) * (1.0 - b * b)))


def three(low: float, high: float) -> tuple[float, ...]:
    """Both ends of a range and its middle, each once."""
    return (low,) if low == high else (low, 0.5 * (low + high), high)
