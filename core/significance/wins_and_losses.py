"""P-values of wins and losses, for whole arrays at once: McNemar's tests and the sign test."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.significance.binomial import binomial_point, fair_coin_at_least
from core.significance.lattice import SMALLEST
from core.significance.result import TEST_ALTERNATIVES, Sides
from core.types import FloatArray
from core.validation import check_choice

# Tests whose p-value is a function of wins and losses.
COUNTING_TESTS = ("mcnemar", "mcnemar-mid-p", "mcnemar-chi2", "mcnemar-chi2-corrected", "sign")


def p_of_counts(
    test: str, wins: npt.ArrayLike, losses: npt.ArrayLike, *, alternative: str
) -> FloatArray:
    """P-values of one of `COUNTING_TESTS`, elementwise; never 0, and 1 where nothing differs.

    With X ~ Bin(wins + losses, 1/2), exact is P(X >= wins), two-sided twice the
    smaller tail, at most 1. Mid-p is a tail less ½·P(X = wins); two-sided twice
    the smaller, and at wins = losses 1 − ½·P(X = wins). χ² is
    (wins − losses)²/(wins + losses), one-sided by its signed root; corrected by 1
    (Edwards 1948), two-sided never below 0.

    Parameters
    ----------
    wins, losses : array_like
        Examples on which A is better, and on which B is.
    alternative : {"greater", "less", "two-sided"}
        Of "less", wins and losses change places.

    Raises
    ------
    ValueError
        If the test or the alternative is another.

    References
    ----------
    McNemar (Psychometrika 1947); Fagerland, Lydersen and Laake (BMC Medical
    Research Methodology 2013), equations 1 to 5.
    """
    check_choice(test, COUNTING_TESTS, name="test")
    check_choice(alternative, TEST_ALTERNATIVES, name="alternative")
    won = np.asarray(wins, dtype=np.float64)
    lost = np.asarray(losses, dtype=np.float64)
    if alternative == "less":
        won, lost = lost, won
    two_sided = alternative == "two-sided"
    if two_sided:
        # Twice the tail of whichever is ahead.
        won, lost = np.maximum(won, lost), np.minimum(won, lost)
    if test in ("mcnemar", "sign"):
        tails = fair_coin_at_least(won, lost)
    elif test == "mcnemar-mid-p":
        half = 0.5 * binomial_point(won, won + lost)
        tails = fair_coin_at_least(won, lost) - half
        if two_sided:
            # At a tie the two tails have the observed split in common.
            tails = np.where(won == lost, 0.5 - 0.5 * half, tails)
    else:
        tails = _tails_of_chi_squared(won, lost, test == "mcnemar-chi2-corrected", two_sided)
    tails = np.maximum(tails, SMALLEST)
    p_values = np.minimum(1.0, 2.0 * tails) if two_sided else tails
    return np.where(won + lost > 0.0, p_values, 1.0)


def sides_of_counts(test: str, wins: int, losses: int) -> Sides:
    """The p-values of one sample for each alternative, as `p_of_counts`."""
    greater, less = p_of_counts(test, [wins, losses], [losses, wins], alternative="greater")
    two_sided = p_of_counts(test, wins, losses, alternative="two-sided")
    return Sides(float(greater), float(less), float(two_sided))


def _tails_of_chi_squared(
    won: FloatArray, lost: FloatArray, corrected: bool, two_sided: bool
) -> FloatArray:
    from scipy.special import ndtr

    shift = won - lost - (1.0 if corrected else 0.0)
    if two_sided:
        shift = np.maximum(shift, 0.0)
    tails: FloatArray = ndtr(-shift / np.sqrt(np.maximum(won + lost, 1.0)))
    return tails
