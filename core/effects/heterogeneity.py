"""How much effects vary between datasets beyond what their variances account for.

Vocabulary
----------
Q
    Sum of squared distances from the weighted mean, each over its variance;
    chi-squared with M − 1 degrees of freedom where one effect is true of all.
τ²
    Variance of the true effects between datasets.
I²
    Share of the effects' variation that is not chance within datasets: (Q − df)/Q.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.types import FloatArray

Interval = tuple[float, float]

# Doublings of a bracket: from the smallest variance to beyond any number.
_DOUBLINGS = 2200


@dataclass(frozen=True, slots=True, kw_only=True)
class Heterogeneity:
    """Q and what is made of it.

    Attributes
    ----------
    q : float
        Cochran's Q.
    degrees_of_freedom : int
        M − 1.
    q_p_value : float
        Chance of a Q at least as large where one effect is true of all; 1 for M = 1.
    tau2, tau2_untruncated : float
        DerSimonian and Laird's moment estimate, at least 0, and before it was
        cut at 0.
    tau2_interval : (float, float) or None
        By Q-profile; None for M = 1.
    i2 : float
        In 0..1.
    i2_interval : (float, float) or None
        From the ends for τ².
    typical_variance : float
        The variance within datasets that I² compares τ² with; nan for M = 1.
    """

    q: float
    degrees_of_freedom: int
    q_p_value: float
    tau2: float
    tau2_untruncated: float
    tau2_interval: Interval | None
    i2: float
    i2_interval: Interval | None
    typical_variance: float


def weighted_mean(effects: FloatArray, variances: FloatArray) -> tuple[float, float]:
    """The mean weighted by 1/variance, and its variance.

    Measured from the first effect, so that effects that are all equal have it as
    their mean to the last digit; weights are relative, so that they do not overflow.
    """
    smallest = float(variances.min())
    relative = smallest / variances
    total = float(relative.sum())
    base = float(effects[0])
    mean = base + float(relative @ (effects - base)) / total
    return mean, smallest / total


def cochran_q(effects: FloatArray, variances: FloatArray) -> float:
    """Sum of squared distances from the weighted mean over the variances.

    Raises
    ------
    ValueError
        If it is too large for a number.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        mean, _ = weighted_mean(effects, variances)
        q = float((((effects - mean) / np.sqrt(variances)) ** 2).sum())
    if not np.isfinite(q):
        raise ValueError(
            "`effects` must be of a size that their variances can weigh; their weighted squares are "
            "too large for a number."
        )
    return q


def moment_tau2(effects: FloatArray, variances: FloatArray) -> float:
    """DerSimonian and Laird's τ² before it is cut at 0; 0 for one effect.

    References
    ----------
    DerSimonian and Laird (Controlled Clinical Trials 1986), equation 8.
    """
    if effects.size == 1:
        return 0.0
    excess = cochran_q(effects, variances) - (effects.size - 1)
    return excess * _moment_unit(variances)


def heterogeneity(
    effects: FloatArray, variances: FloatArray, *, confidence_level: float
) -> Heterogeneity:
    """Q, τ² and I² of checked effects and variances, shape (M,)."""
    from scipy.special import chdtrc

    n, q = effects.size, cochran_q(effects, variances)
    if n == 1:
        return Heterogeneity(
            q=0.0,
            degrees_of_freedom=0,
            q_p_value=1.0,
            tau2=0.0,
            tau2_untruncated=0.0,
            tau2_interval=None,
            i2=0.0,
            i2_interval=None,
            typical_variance=float("nan"),
        )
    untruncated = (q - (n - 1)) * _moment_unit(variances)
    interval = q_profile(effects, variances, confidence_level=confidence_level)
    # Where τ² is the moment estimate, τ²/(τ² + this) is (Q − df)/Q.
    typical = (n - 1) * _moment_unit(variances)
    low, high = (tau2 / (tau2 + typical) for tau2 in interval)
    return Heterogeneity(
        q=q,
        degrees_of_freedom=n - 1,
        q_p_value=float(chdtrc(n - 1, q)),
        tau2=max(0.0, untruncated),
        tau2_untruncated=untruncated,
        tau2_interval=interval,
        i2=max(0.0, (q - (n - 1)) / q) if q > 0.0 else 0.0,
        i2_interval=(low, high),
        typical_variance=typical,
    )


def q_profile(effects: FloatArray, variances: FloatArray, *, confidence_level: float) -> Interval:
    """The values of τ² under which Q is no surprise, for M >= 2.

    (0, 0) where effects vary so little that even τ² = 0 makes Q surprisingly small.

    References
    ----------
    Viechtbauer (Statistics in Medicine 2007), section 3.
    """
    from scipy.special import chdtri

    tail = 0.5 * (1.0 - confidence_level)
    degrees = effects.size - 1
    # `chdtri` takes the upper tail.
    low = _tau2_at(effects, variances, float(chdtri(degrees, tail)))
    high = _tau2_at(effects, variances, float(chdtri(degrees, 1.0 - tail)))
    return low, high


def _tau2_at(effects: FloatArray, variances: FloatArray, q: float) -> float:
    """The τ² at which Q, which falls as τ² grows, is `q`; 0 where it is below from the start."""
    from scipy.optimize import brentq

    def excess(tau2: float) -> float:
        return cochran_q(effects, variances + tau2) - q

    if excess(0.0) <= 0.0:
        return 0.0
    high = float(variances.min())
    for _ in range(_DOUBLINGS):
        if excess(high) <= 0.0:
            break
        high *= 2.0
    return float(brentq(excess, 0.0, high, xtol=1e-15 * high, rtol=1e-14, maxiter=500))


def _moment_unit(variances: FloatArray) -> float:
    """How much τ² there is for each unit of Q above its degrees of freedom."""
    smallest = float(variances.min())
    relative = smallest / variances
    total = float(relative.sum())
    # Σw − Σw²/Σw without a difference of nearly equal numbers.
    shares = relative / total
    return smallest / float((relative * (1.0 - shares)).sum())
