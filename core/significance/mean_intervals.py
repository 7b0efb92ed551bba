"""Bootstrap intervals of a mean difference, from its exact distribution or from resamples."""

from __future__ import annotations

import numpy as np

from core.significance.differences import TIE_TOLERANCE, Differences
from core.significance.intervals import (
    INTERVAL_KINDS,
    MAY_DISAGREE,
    NO_BCA,
    Interval,
    IntervalKind,
    bca_tails,
    interval_of,
)
from core.significance.lattice import DrawSum
from core.types import FloatArray
from core.validation import check_choice


def exact_interval(
    differences: Differences,
    exact: DrawSum,
    size: int,
    confidence_level: float,
    kind: IntervalKind,
) -> tuple[Interval, tuple[str, ...]]:
    """The interval from the exact distribution of a resample's sum, and its notes."""
    check_choice(kind, INTERVAL_KINDS, name="interval")
    if differences.constant:
        return None, ()
    assert differences.step is not None
    assert differences.integers is not None
    total, n, unit = int(differences.integers.sum()), differences.n, differences.step
    tail = 0.5 * (1.0 - confidence_level)
    if kind == "basic":
        low, high = exact.quantiles(tail)
        # Over one denominator, so that .084 comes out as .084.
        twice = 2 * size * total
        return ((twice - n * high) * unit / (n * size), (twice - n * low) * unit / (n * size)), ()
    tails = (tail, tail)
    if kind == "bca":
        at_least = exact.at_least(-(-size * total // n))
        below = 0.5 * (1.0 - at_least + exact.at_most(size * total // n))
        corrected = bca_tails(below, _without_each(differences), tail=tail)
        if corrected is None:
            return None, (NO_BCA,)
        tails = corrected
    low, high = exact.quantiles(*tails)
    return (low * unit / size, high * unit / size), (MAY_DISAGREE[kind],)


def drawn_interval(
    differences: Differences, means: FloatArray, confidence_level: float, kind: IntervalKind
) -> tuple[Interval, tuple[str, ...]]:
    """The interval from means of resamples, and its notes."""
    if differences.constant:
        return None, ()
    return interval_of(
        means,
        differences.mean,
        kind=kind,
        confidence_level=confidence_level,
        room=TIE_TOLERANCE * float(np.abs(differences.values).mean()),
        jackknife=lambda: _without_each(differences),
    )


def _without_each(differences: Differences) -> FloatArray:
    """Means without each difference, but for a constant and a factor."""
    return 0.0 - differences.values
