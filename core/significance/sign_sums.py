"""Exact distribution of a sum of whole numbers under fair random signs, as a whole.

`core.significance.lattice.SignSum` finds one tail to its last digit; here all
tails are wanted at once, each to about 1e-12.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from core.types import FloatArray, IntArray

Integers = npt.NDArray[np.int64]

# Whole numbers are taken as they are where their distribution takes so few steps.
MOST_BINS = 1 << 18
MOST_STEPS = 1 << 23
# Else they, or floats, are rounded, so finely that it takes about so many; to a mean size of
# as many steps as these at least and at most.
_STEPS = 1 << 21
_COARSEST, _FINEST = 8.0, 1024.0
# Below about this a transform's tail is nothing but rounding.
SMALLEST = 1e-13


def whole_numbers(values: FloatArray, integers: Integers | None = None) -> tuple[Integers, bool]:
    """Differences as whole numbers, and whether these are the differences themselves.

    A sum of rounded differences is a statistic of its own right, whose
    distribution under random signs is as exact; it is only not quite the mean.

    Parameters
    ----------
    values : ndarray, shape (n,)
        Differences.
    integers : ndarray of int64, optional
        The same as multiples of one step, where there is one.
    """
    if integers is not None:
        divisor = max(1, int(np.gcd.reduce(integers))) if integers.size else 1
        reduced = integers // divisor
        sizes = np.abs(reduced)
        total = int(sizes.sum())
        if total <= MOST_BINS and np.unique(sizes).size * total <= MOST_STEPS:
            return reduced, True
    sizes = np.abs(values)
    n = int(np.count_nonzero(sizes))
    if n == 0:
        return np.zeros(values.size, dtype=np.int64), True
    # Half of n·level bins for each different size, of which rounding leaves some four times level.
    n_sizes = np.unique(sizes).size
    level = max(2.0 * _STEPS / (n_sizes * n), math.sqrt(_STEPS / (2.0 * n)))
    level = min(max(level, _COARSEST), _FINEST)
    step = float(sizes.sum()) / (n * level)
    return np.rint(values / step).astype(np.int64), False


def point_probabilities(sizes: IntArray | Integers) -> FloatArray:
    """P(sum = 0), ..., P(sum = total) of those of `sizes` that a fair coin each picks.

    The sum under random signs is twice this sum less the total.
    """
    from scipy.fft import irfft, next_fast_len

    values, counts = np.unique(sizes[sizes != 0], return_counts=True)
    total = int(values @ counts)
    if total == 0:
        return np.ones(1)
    length = next_fast_len(total + 1, real=True)
    half = np.pi * np.arange(length // 2 + 1) / length
    transform = np.ones(half.size)
    for value, count in zip(values.tolist(), counts.tolist(), strict=True):
        cosines = np.cos(half * value)
        transform *= cosines if count == 1 else cosines**count
    # Centred at total / 2, so turned back by that; exactly, as angles are multiples of π / length.
    turns = (np.arange(half.size) * total) % (2 * length)
    points = irfft(transform * np.exp(-1j * np.pi * turns / length), n=length)[: total + 1]
    points = np.maximum(points, 0.0)
    return np.asarray(points / points.sum(), dtype=np.float64)


def upper_tails_of(points: FloatArray) -> FloatArray:
    """P(sum >= s) for each s, from the probabilities of all points."""
    tails = np.cumsum(points[::-1])[::-1]
    # Summed from below where that is the shorter way, so that no p-value is too small.
    below = np.concatenate([[0.0], np.cumsum(points)[:-1]])
    joined = np.where(tails > 0.5, 1.0 - below, tails)
    clipped: FloatArray = np.clip(joined, SMALLEST, 1.0)
    return clipped
