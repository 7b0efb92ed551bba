"""Which correlations of the two systems with each other give a printed p-value.

For a fixed r(A, B) the pairs r_gA, r_gB that are possible with it and lie within what
their digits allow form a convex set (an ellipse cut by a rectangle). On it p is
continuous and so takes an interval of values: r(A, B) is implied if that interval
meets the printed one. Its ends are those of points from all over the set, which can
miss a little where correlations with gold are rounded to 1.0 or −1.0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Literal

Interval = tuple[float, float]
ValueAt = Callable[[float, float, float], float | None]
PValueAt = Callable[[float, float, float], float]
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


def implied_correlations(
    r_gold_a: Interval,
    r_gold_b: Interval,
    *,
    evidence_at: ValueAt,
    p_at: PValueAt,
    low: float,
    high: float,
) -> tuple[Interval, ...]:
    """Intervals of r(A, B), rising, with which p can lie from `low` to `high`.

    Parameters
    ----------
    r_gold_a, r_gold_b : (float, float)
        Where the correlations with gold lie.
    evidence_at : function of (r_gold_a, r_gold_b, r_a_b)
        What p falls with, such as the statistic; None where the test is undefined.
    p_at : function of (r_gold_a, r_gold_b, r_a_b)
        The p-value where it is defined.
    low, high : float
        What the printed digits allow.
    """

    def side(r_a_b: float) -> Side | None:
        """Whether all p-values with this r(A, B) lie below (−1) or above (1) the interval."""
        evidence = [
            (value, a, b)
            for a, b in _possible_with(r_a_b, r_gold_a, r_gold_b)
            if (value := evidence_at(a, b, r_a_b)) is not None
        ]
        if not evidence:
            return None
        # Only the ends need a p-value, which takes most of the time.
        _, a, b = min(evidence)
        if p_at(a, b, r_a_b) < low:
            return -1
        _, a, b = max(evidence)
        return 1 if p_at(a, b, r_a_b) > high else 0

    found: list[Interval] = []
    known = [(r, s) for r in _grid(r_gold_a, r_gold_b) if (s := side(r)) is not None]
    if len(known) == 1 and known[0][1] == 0:
        return ((known[0][0], known[0][0]),)
    for (left, side_left), (right, side_right) in pairwise(known):
        if side_left == side_right != 0:
            continue
        first = left if side_left == 0 else _leaving(side, left, right, side_left)
        last = right if side_right == 0 else _leaving(side, right, left, side_right)
        if found and first <= found[-1][1]:
            found[-1] = (found[-1][0], last)
        else:
            found.append((first, last))
    return tuple(found)


def _grid(r_gold_a: Interval, r_gold_b: Interval) -> list[float]:
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


def _possible_with(
    r_a_b: float, r_gold_a: Interval, r_gold_b: Interval
) -> Iterator[tuple[float, float]]:
    """Pairs of correlations with gold from all over the set, its edges included."""

    def between(r: float) -> Interval:
        half = math.sqrt(max(0.0, (1.0 - r * r) * (1.0 - r_a_b * r_a_b)))
        return r * r_a_b - half, r * r_a_b + half

    def spread(low: float, high: float) -> Iterator[float]:
        if low >= high:
            # Empty but for rounding: the edge itself.
            return iter((0.5 * (low + high),))
        places = _PLACES[_POINTS if high - low <= _NARROW else _MORE_POINTS]
        return (low + (high - low) * 0.5 * place for place in places)

    def clipped(value: float, within: Interval) -> float:
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
