"""Where the true effect on a new dataset is expected.

τ² is not known: the interval weighs every value of it by how well that agrees with
the Q that was seen. Q(τ²) is chi-squared with M − 1 degrees of freedom at the true
τ², so each quantile of that distribution gives one τ² (the ends of its Q-profile
interval are two of them). Given τ², the new effect is normal around the mean with
these weights, with variance τ² and the mean's variance added.
"""

from __future__ import annotations

import numpy as np

from core.effects.heterogeneity import Interval
from core.effects.tau2 import cochran_q, tau2_where, weighted_means
from core.types import FloatArray

# The integrand is smooth in √Q: with 64 points it has eight digits or more.
_POINTS = 64
# Beyond these tails of the chi-squared distribution nothing is left that counts.
_TAIL = 1e-14


def new_dataset_interval(
    effects: FloatArray, variances: FloatArray, *, confidence_level: float
) -> Interval:
    """Interval for the true effect on a new dataset, for checked effects, M >= 2.

    Quantiles of the mixture of normal distributions. With variances of 0 it would be
    the classical prediction interval of a normal sample, t with M − 1 degrees of
    freedom times the standard deviation times √(1 + 1/M).

    References
    ----------
    Nagashima, Noma and Furukawa (Statistical Methods in Medical Research 2019), who
    take the distribution of τ² from Cochran's Q; here it is that of the Q-profile of
    Viechtbauer (Statistics in Medicine 2007).
    """
    from scipy.optimize import brentq
    from scipy.special import ndtr, ndtri

    tau2, shares = _distribution_of_tau2(effects, variances)
    means, of_means = weighted_means(effects, variances + tau2[:, np.newaxis])
    spreads = np.sqrt(tau2 + of_means)

    def quantile(share: float) -> float:
        def excess(value: float) -> float:
            return float(shares @ ndtr((value - means) / spreads)) - share

        # Every one of the normal distributions has its own quantile between these.
        own = means + float(ndtri(share)) * spreads
        low, high = float(own.min()), float(own.max())
        if not excess(low) < 0.0 < excess(high):
            return low if excess(low) >= 0.0 else high
        return float(brentq(excess, low, high, xtol=1e-13 * (high - low), rtol=1e-13))

    tail = 0.5 * (1.0 - confidence_level)
    return quantile(tail), quantile(1.0 - tail)


def _distribution_of_tau2(
    effects: FloatArray, variances: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Values of τ² and their shares, which add up to 1; the first is 0.

    The share of 0 is the chance of a Q above the one that was seen with τ² = 0.
    """
    from scipy.special import chdtr, chdtri

    degrees = effects.size - 1
    at_zero = cochran_q(effects, variances)
    low = float(chdtri(degrees, 1.0 - _TAIL))
    high = min(at_zero, float(chdtri(degrees, _TAIL)))
    if not low < high:
        return np.zeros(1), np.ones(1)
    points, weights = np.polynomial.legendre.leggauss(_POINTS)
    roots = np.sqrt(low) + (np.sqrt(high) - np.sqrt(low)) * 0.5 * (points + 1.0)
    # The density of √Q, but for a constant.
    logarithms = (degrees - 1) * np.log(roots) - 0.5 * roots**2
    shares = weights * np.exp(logarithms - logarithms.max())
    below = float(chdtr(degrees, high))
    tau2 = tau2_where(effects, variances, roots**2)
    return np.append(0.0, tau2), np.append(1.0 - below, shares * (below / shares.sum()))
