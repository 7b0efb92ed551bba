"""The one place where scores of A and B are subtracted.

Binary subtraction breaks true ties: 0.3 − 0.2 and 0.2 − 0.1 differ in floats.
Rank tests, exact distributions and counts of ties need them equal. So scores are
first written as whole numbers over one denominator, and those are subtracted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from ..types import BoolArray, FloatArray

# What is drawn and exchanged.
Unit = Literal["examples", "clusters"]

# Scores with more decimals are continuous measurements: ties in them are none.
MAX_DECIMALS = 12
# Fractions such as 2/3 (an F score, a rate of few) have no finite decimals.
MAX_DENOMINATOR = 1024
# Whole numbers below this are exact in floats, and so are sums that stay below it.
_EXACT = 2.0**53
_LOOK = 8
# Scores that were themselves computed, such as b + 0.1, are off by a few roundings
# of the largest; that must not make a difference vary that does not.
_ROUNDINGS = 2.0**-50
_SMALL = 1e-3
# Sums of floats that are apart by no more than this share of what was added up are a tie.
TIE_TOLERANCE = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Differences:
    """score(A) − score(B) of each example, ties unbroken.

    Attributes
    ----------
    values : ndarray, shape (n,)
        Equal where the scores' digits give equal differences.
    integers : ndarray of int64, shape (n,), or None
        The same as multiples of `step`, without a common divisor; None where
        there is no step or a sum of n of them could not be held exactly.
    step : float or None
        The difference that one unit of `integers` stands for.
    score_a, score_b, mean : float
        Means over the examples: of A, of B, of the differences.
    unit : {"examples", "clusters"}
        What the values are of.
    """

    values: FloatArray
    integers: npt.NDArray[np.int64] | None
    step: float | None
    score_a: float
    score_b: float
    mean: float
    unit: Unit = "examples"

    @property
    def n(self) -> int:
        """Number of examples."""
        return self.values.size

    @property
    def wins(self) -> int:
        """Examples on which A is better."""
        return int(np.count_nonzero(self.values > 0.0))

    @property
    def losses(self) -> int:
        """Examples on which B is better."""
        return int(np.count_nonzero(self.values < 0.0))

    @property
    def ties(self) -> int:
        """Examples on which neither is."""
        return self.n - self.wins - self.losses

    @property
    def constant(self) -> bool:
        """Whether all differences are the same."""
        return bool((self.values == self.values[0]).all())

    @property
    def skewness(self) -> float:
        """Mean cube of the standardised differences, g1; 0 where they do not vary.

        Below 0 where losses of A are rarer and larger than its gains.
        """
        largest = float(np.abs(self.values).max())
        if self.constant:
            return 0.0
        # So that cubes neither overflow nor vanish.
        centred = self.values / largest - (self.values / largest).mean()
        variance = float(np.mean(centred**2))
        return float(np.mean(centred**3)) / variance**1.5 if variance > 0.0 else 0.0


def paired_differences(a: FloatArray, b: FloatArray, *, room: float = 0.0) -> Differences:
    """Subtract without breaking ties.

    The denominator is the smallest of 1, 10, ..., 10**12, or else of
    1, ..., 1024, for which every score is a whole number over it, up to four
    roundings of the largest score. Without one, floats are subtracted as they
    are.

    Parameters
    ----------
    a, b : ndarray, shape (n,)
        Finite scores, higher being better.
    room : float
        How far apart the sizes of two differences without a denominator may be
        and still be one size: of scores that were computed, which other
        processors round otherwise.
    """
    denominator = _common_denominator(a, b)
    if denominator is None:
        apart = a - b
        rounding = _ROUNDINGS * max(float(np.abs(a).max()), float(np.abs(b).max()))
        if float(np.ptp(apart)) <= rounding:
            # One difference throughout but for rounding, whose spread says nothing.
            same = float(np.median(apart))
            apart = np.full_like(apart, same if abs(same) > rounding else 0.0)
        values = apart if room == 0.0 else _of_tied_sizes(apart, room)
        integers, step = _multiples_of_the_smallest(values)
        return Differences(
            values=values,
            integers=integers,
            step=step,
            score_a=float(a.mean()),
            score_b=float(b.mean()),
            mean=float(apart.mean()),
        )
    whole_a = np.rint(a * denominator).astype(np.int64)
    whole_b = np.rint(b * denominator).astype(np.int64)
    whole = whole_a - whole_b
    divisor = max(1, int(np.gcd.reduce(whole)))
    n = a.size
    reduced = whole // divisor
    return Differences(
        values=whole / denominator,
        integers=reduced if _sums_exactly(reduced) else None,
        step=divisor / denominator,
        score_a=_mean(whole_a, denominator, n),
        score_b=_mean(whole_b, denominator, n),
        mean=_mean(whole, denominator, n),
    )


def turned_differences(a: FloatArray, b: FloatArray, *, higher_is_better: bool) -> Differences:
    """As `paired_differences`, of scores as given: turned where lower is better."""
    # 0 − x, as −x would make a zero negative.
    return paired_differences(*((a, b) if higher_is_better else (0.0 - a, 0.0 - b)))


def shifted(differences: Differences, by: float) -> Differences:
    """The same with a number added to each, in decimals where the scores have them."""
    moved = paired_differences(differences.values, np.full(differences.n, -by))
    return replace(
        moved, score_a=differences.score_a, score_b=differences.score_b, unit=differences.unit
    )


def tied(values: FloatArray, room: FloatArray | float) -> FloatArray:
    """Values of which those that differ by rounding alone are the same number.

    Parameters
    ----------
    values : ndarray, shape (..., m)
        Compared along the last axis.
    room : float or ndarray, shape (..., 1)
        Values no farther than this from their neighbour become the lowest of them.
    """
    order = np.argsort(values, axis=-1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=-1)
    begins = np.ones(ordered.shape, dtype=np.bool_)
    begins[..., 1:] = np.diff(ordered, axis=-1) > room
    places = np.where(begins, np.arange(ordered.shape[-1]), 0)
    first = np.maximum.accumulate(places, axis=-1)
    found = np.empty(values.shape, dtype=np.float64)
    np.put_along_axis(found, order, np.take_along_axis(ordered, first, axis=-1), axis=-1)
    return found


def _of_tied_sizes(values: FloatArray, room: float) -> FloatArray:
    # Beside a 0, as what is no larger than the room is none.
    sizes = tied(np.append(np.abs(values), 0.0), room)[:-1]
    found: FloatArray = np.sign(values) * sizes + 0.0
    return found


def _common_denominator(a: FloatArray, b: FloatArray) -> float | None:
    distinct = np.unique(np.concatenate([np.unique(a), np.unique(b)]))
    candidates: FloatArray = np.concatenate(
        [10.0 ** np.arange(MAX_DECIMALS + 1), np.arange(1.0, MAX_DENOMINATOR + 1.0)]
    )
    room = _ROUNDINGS * float(np.abs(distinct).max())
    # A few values rule out nearly every candidate, and those that a candidate
    # fails on rule out most of the others.
    look = distinct[:: 1 + distinct.size // _LOOK]
    while True:
        candidates = candidates[_fits(look, candidates, room).all(axis=1)]
        if candidates.size == 0:
            return None
        wrong = distinct[~_fits(distinct, candidates[:1], room)[0]]
        if wrong.size == 0:
            return float(candidates[0])
        look = wrong[:_LOOK]


def _fits(scores: FloatArray, denominators: FloatArray, room: float) -> BoolArray:
    """Whether each score is a whole number over each denominator, shape (denominators, scores)."""
    over = denominators[:, np.newaxis]
    with np.errstate(over="ignore"):
        whole = np.rint(scores * over)
    # Where the room is no longer small beside the step, anything would fit.
    allowed = np.where(room * over <= _SMALL, room, 0.0)
    fits: BoolArray = (np.abs(whole / over - scores) <= allowed) & (np.abs(whole) < _EXACT / 2)
    return fits


def _multiples_of_the_smallest(
    values: FloatArray,
) -> tuple[npt.NDArray[np.int64] | None, float | None]:
    sizes = np.abs(values[values != 0.0])
    if sizes.size == 0:
        return np.zeros(values.size, dtype=np.int64), 1.0
    step = float(sizes.min())
    with np.errstate(over="ignore"):
        multiples = np.rint(values / step)
    if not bool((multiples * step == values).all()) or np.abs(multiples).max() >= _EXACT:
        return None, None
    integers = multiples.astype(np.int64)
    return (integers, step) if _sums_exactly(integers) else (None, None)


def _sums_exactly(integers: npt.NDArray[np.int64]) -> bool:
    return float(np.abs(integers).max()) * integers.size < _EXACT


def _mean(whole: npt.NDArray[np.int64], denominator: float, n: int) -> float:
    if float(np.abs(whole).max()) * n < 2.0**62:
        return int(whole.sum()) / (int(denominator) * n)
    return float((whole / denominator).mean())
