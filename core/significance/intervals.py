"""Bootstrap intervals of the difference.

Vocabulary
----------
basic
    2δ − quantiles of δ*. It excludes 0 exactly where the bootstrap's one-sided
    p-value is at most half the rest, as both move the distribution to its null.
percentile
    The quantiles of δ* themselves.
bca
    Percentiles at levels corrected for bias, z0, and acceleration, a: second-order
    accurate (Efron 1987). a comes from leaving out one example, or cluster, at a
    time.

Bootstrap intervals of a mean difference, from its exact distribution or from resamples.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal, get_args

import numpy as np

from ..types import FloatArray
from ..validation import check_choice
from .differences import TIE_TOLERANCE, Differences
from .lattice import DrawSum

IntervalKind = Literal["basic", "percentile", "bca"]
INTERVAL_KINDS: tuple[IntervalKind, ...] = get_args(IntervalKind)
# Beside a claim at a margin: what the test itself does not reject.
Own = Literal["own"]
OWN: Own = "own"
Interval = tuple[float, float] | None
# Values of the statistic without each example, shape (n,), in order; only their
# spread counts.
Jackknife = Callable[[], FloatArray]

MAY_DISAGREE = {
    "percentile": "percentile interval: it may disagree with p, which the basic one goes with",
    "bca": "BCa interval: it may disagree with p, which the basic one goes with",
}
NO_BCA = "no BCa interval: its correction is not defined on these scores"
TOO_FAR_BCA = "no BCa interval: its corrected ends lie beyond the resamples that were drawn"


def interval_of(
    deltas: FloatArray,
    delta: float,
    *,
    kind: IntervalKind,
    confidence_level: float,
    room: float,
    jackknife: Jackknife,
) -> tuple[Interval, tuple[str, ...]]:
    """An interval from bootstrap deltas, and what to know about it.

    Parameters
    ----------
    deltas : ndarray, shape (n_resamples,)
        nan where undefined: those lie beyond both ends.
    delta : float
        The observed one.
    room : float
        How far apart two deltas may be and still be a tie.
    jackknife : callable
        For "bca".

    Returns
    -------
    ((float, float) or None, tuple of str)
        None where the resamples are too few for the level, or one end is not
        known.
    """
    check_choice(kind, INTERVAL_KINDS, name="interval")
    tail = 0.5 * (1.0 - confidence_level)
    tails = (tail, tail)
    if kind == "bca":
        # Ties by half, as a lattice has many of them.
        below = float(np.count_nonzero(deltas < delta - room))
        level = float(np.count_nonzero(deltas <= delta + room))
        corrected = bca_tails(0.5 * (below + level) / deltas.size, jackknife(), tail=tail)
        if corrected is None:
            return None, (NO_BCA,)
        tails = corrected
    # How many resamples may lie beyond each end, counted from (b + 1)·tail.
    beyond = [math.floor(one * (deltas.size + 1) * (1.0 + 1e-12)) - 1 for one in tails]
    n_undefined = int(np.count_nonzero(np.isnan(deltas)))
    if min(beyond) < 0 or n_undefined > min(beyond):
        return None, (TOO_FAR_BCA,) if kind == "bca" else ()
    # nan is sorted to the upper end.
    places = (beyond[0] - n_undefined, deltas.size - 1 - beyond[1])
    low, high = (float(end) for end in np.partition(deltas, places)[list(places)])
    if kind == "basic":
        return (2.0 * delta - high, 2.0 * delta - low), ()
    return (low, high), (MAY_DISAGREE[kind],)


def bca_tails(below: float, jackknife: FloatArray, *, tail: float) -> tuple[float, float] | None:
    """The shares of δ* beyond the lower and the upper end, or None where they are not defined.

    Parameters
    ----------
    below : float
        Share of δ* below δ, ties by half.
    jackknife : ndarray, shape (n,)
        The statistic without each example.
    tail : float
        The share that is to be beyond each end.

    References
    ----------
    Efron (JASA 1987), section 2; DiCiccio and Efron (Statistical Science 1996),
    equations 2.3, 2.8 and 6.6.
    """
    from scipy.special import ndtr, ndtri

    a = acceleration(jackknife)
    if a is None or not 0.0 < below < 1.0:
        return None
    bias = float(ndtri(below))
    ends = []
    for z in (float(ndtri(tail)), -float(ndtri(tail))):
        moved = bias + z
        if a * moved >= 1.0:
            return None
        ends.append(bias + moved / (1.0 - a * moved))
    return float(ndtr(ends[0])), float(ndtr(-ends[1]))


def acceleration(jackknife: FloatArray) -> float | None:
    """A sixth of the skewness of the jackknife; None where it does not vary or is not defined."""
    if not bool(np.isfinite(jackknife).all()):
        return None
    deviations = jackknife.mean() - jackknife
    largest = float(np.abs(deviations).max())
    if largest <= 1e-14 * float(np.abs(jackknife).max()):
        return None
    deviations /= largest
    return float((deviations**3).sum() / (6.0 * float((deviations**2).sum()) ** 1.5))


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
