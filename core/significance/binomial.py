"""Binomial probabilities and tails, for whole arrays at once, that keep their digits however small.

Every room takes its tails of wins and losses from here.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from core.significance.lattice import SMALLEST
from core.significance.result import Sides
from core.types import FloatArray

# SciPy's beta integral is right to 1e-11 above this; below, it gives 0 for some n from 1075 on.
_LEAST_OF_INTEGRAL = 1e-200
# From here on three terms of Stirling's series have all digits.
_STIRLING_FROM = 32.0


def binomial_at_least(
    successes: npt.ArrayLike, n: npt.ArrayLike, chance: float = 0.5
) -> FloatArray:
    """P(X >= successes) for X ~ Bin(n, chance), elementwise, to a relative 1e-10 for n up to 10^6.

    0 only for more than n successes, without a chance, and below the smallest float.

    Parameters
    ----------
    successes, n : array_like
        Whole numbers, of shapes that go together; successes may be negative.
    chance : float
        In [0, 1].
    """
    from scipy.special import betainc

    count, of = np.broadcast_arrays(
        np.asarray(successes, dtype=np.float64), np.asarray(n, dtype=np.float64)
    )
    inside = (count > 0.0) & (count <= of)
    tails = np.where(count <= 0.0, 1.0, 0.0)
    count, of = count[inside], of[inside]
    # The beta integral keeps the digits of small tails; 1 − cdf would not.
    found = np.asarray(betainc(count, of - count + 1.0, chance))
    if 0.0 < chance < 1.0:
        far = found < _LEAST_OF_INTEGRAL
        if far.any():
            found[far] = _far_tails(count[far], of[far], chance)
    tails[inside] = found
    return tails


def binomial_point(successes: npt.ArrayLike, n: npt.ArrayLike, chance: float = 0.5) -> FloatArray:
    """P(X = successes) for X ~ Bin(n, chance), elementwise, to a relative 1e-10 for n up to 10^6.

    Parameters
    ----------
    successes, n : array_like
        Whole numbers, 0 <= successes <= n.
    chance : float
        In [0, 1].

    References
    ----------
    Loader, "Fast and accurate computation of binomial probabilities" (2000).
    """
    from scipy.special import rel_entr

    count, of = np.broadcast_arrays(
        np.asarray(successes, dtype=np.float64), np.asarray(n, dtype=np.float64)
    )
    others = of - count
    deviance = rel_entr(count, of * chance) + rel_entr(others, of * (1.0 - chance))
    inner = (count > 0.0) & (others > 0.0)
    shape = np.where(inner, of, 1.0) / np.where(inner, 2.0 * math.pi * count * others, 1.0)
    corrections = _beyond_stirling(of) - _beyond_stirling(count) - _beyond_stirling(others)
    points: FloatArray = np.exp(np.where(inner, corrections, 0.0) - deviance) * np.sqrt(shape)
    return points


def fair_coin_at_least(wins: npt.ArrayLike, losses: npt.ArrayLike) -> FloatArray:
    """P(X >= wins) for X ~ Bin(wins + losses, 1/2), elementwise; never 0, and 1 without wins."""
    won, lost = np.asarray(wins, dtype=np.float64), np.asarray(losses, dtype=np.float64)
    return np.maximum(binomial_at_least(won, won + lost), SMALLEST)


def fair_coin(wins: int, losses: int) -> Sides:
    """Exact p-values of so many wins and losses, X ~ Bin(wins + losses, 1/2).

    Greater: P(X >= wins); less: P(X <= wins); two-sided: twice the smaller, at
    most 1. Without wins and losses all are 1.
    """
    greater, less = fair_coin_at_least([wins, losses], [losses, wins]).tolist()
    return Sides(greater, less, min(1.0, 2.0 * min(greater, less)))


def _far_tails(count: FloatArray, of: FloatArray, chance: float) -> FloatArray:
    """Far above the mean: the first point, and what each later one is of the one before."""
    odds = chance / (1.0 - chance)
    term, total, place = np.ones_like(count), np.ones_like(count), count.copy()
    while (term > 1e-17 * total).any():
        term *= odds * (of - place) / (place + 1.0)
        total += term
        place += 1.0
    return total * binomial_point(count, of, chance)


def _beyond_stirling(k: FloatArray) -> FloatArray:
    """How far ln k! lies above Stirling's ½·ln(2πk) + k·ln k − k; of no use at k = 0."""
    from scipy.special import gammaln

    small = np.clip(k, 1.0, _STIRLING_FROM)
    direct = gammaln(small + 1.0) - (small + 0.5) * np.log(small) + small
    large = np.maximum(k, _STIRLING_FROM)
    square = large**-2
    series = (1.0 / 12.0 - (1.0 / 360.0 - square / 1260.0) * square) / large
    return np.where(k < _STIRLING_FROM, direct - 0.5 * math.log(2.0 * math.pi), series)
