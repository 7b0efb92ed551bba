"""P-values of wins and losses, for many samples at once: McNemar's tests and the sign test."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.reliability.tails import fair_coin_at_least
from core.significance.lattice import SMALLEST
from core.significance.result import TestAlternative
from core.types import FloatArray

# Tests whose p-value is a function of wins and losses.
COUNTING_TESTS = ("mcnemar", "mcnemar-mid-p", "mcnemar-chi2", "mcnemar-chi2-corrected", "sign")


def p_of_counts(
    test: str, wins: npt.ArrayLike, losses: npt.ArrayLike, *, alternative: TestAlternative
) -> FloatArray:
    """P-values of one of `COUNTING_TESTS`, elementwise, as the test itself gives them.

    Parameters
    ----------
    wins, losses : array_like
        Examples on which A is better, and on which B is.
    """
    from scipy.special import ndtr

    won = np.asarray(wins, dtype=np.float64)
    lost = np.asarray(losses, dtype=np.float64)
    if alternative == "less":
        won, lost = lost, won
    n = won + lost
    if test in ("mcnemar-chi2", "mcnemar-chi2-corrected"):
        correction = 1.0 if test == "mcnemar-chi2-corrected" else 0.0
        spread = np.sqrt(np.maximum(n, 1.0))
        if alternative == "two-sided":
            root = np.maximum(np.abs(won - lost) - correction, 0.0) / spread
            p = np.minimum(1.0, 2.0 * ndtr(-root))
        else:
            p = ndtr(-(won - lost - correction) / spread)
        return np.where(n > 0.0, np.maximum(p, SMALLEST), 1.0)
    greater = fair_coin_at_least(won, lost)
    less = fair_coin_at_least(lost, won) if alternative == "two-sided" else greater
    if test == "mcnemar-mid-p":
        half = 0.5 * _point(won, lost)
        greater, less = (
            np.where(n > 0.0, np.maximum(tail - half, SMALLEST), 1.0) for tail in (greater, less)
        )
    if alternative == "two-sided":
        return np.minimum(1.0, 2.0 * np.minimum(greater, less))
    return greater


def _point(wins: FloatArray, losses: FloatArray) -> FloatArray:
    """P(X = wins) for X ~ Bin(wins + losses, 1/2)."""
    from scipy.special import betaln

    n = wins + losses
    point: FloatArray = np.exp(
        -betaln(wins + 1.0, losses + 1.0) - np.log(n + 1.0) - n * np.log(2.0)
    )
    return point
