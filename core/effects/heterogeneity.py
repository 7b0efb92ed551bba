"""How much effects vary between datasets beyond what their variances account for.

Vocabulary
----------
Q
    Sum of squared distances from the weighted mean, each over its variance;
    chi-squared with M − 1 degrees of freedom where one effect is true of all.
τ²
    Variance of the true effects between datasets.
I²
    Share of the effects' variation that is not chance within datasets: τ²/(τ² + s̃²).
s̃²
    The typical variance within datasets, by Higgins and Thompson.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.effects.tau2 import (
    Tau2Method,
    cochran_q,
    estimated_tau2,
    moment_tau2,
    tau2_where,
    typical_variance,
)
from core.types import FloatArray

Interval = tuple[float, float]


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
    tau2_method : {"paule-mandel", "reml", "dersimonian-laird"}
        How τ² is estimated.
    tau2 : float
        At least 0.
    tau2_untruncated : float or None
        Of "dersimonian-laird": before it was cut at 0. The others look among
        values from 0 up.
    tau2_interval : (float, float) or None
        By Q-profile, whatever the method; None for M = 1. At levels of .37 and
        above it holds Paule and Mandel's τ². The others may lie outside.
    i2 : float
        In 0..1, from `tau2`.
    i2_interval : (float, float) or None
        From the ends for τ².
    typical_variance : float
        The variance within datasets that I² compares τ² with; nan for M = 1.
    """

    q: float
    degrees_of_freedom: int
    q_p_value: float
    tau2_method: Tau2Method
    tau2: float
    tau2_untruncated: float | None
    tau2_interval: Interval | None
    i2: float
    i2_interval: Interval | None
    typical_variance: float

    @property
    def is_outside_interval(self) -> bool:
        """Whether τ² lies outside its Q-profile interval, by more than rounding."""
        if self.tau2_interval is None:
            return False
        low, high = self.tau2_interval
        return not low * (1.0 - 1e-9) <= self.tau2 <= high * (1.0 + 1e-9)


def heterogeneity(
    effects: FloatArray,
    variances: FloatArray,
    *,
    confidence_level: float,
    tau2: Tau2Method = "paule-mandel",
) -> Heterogeneity:
    """Q, τ² and I² of checked effects and variances, shape (M,)."""
    from scipy.special import chdtrc

    n, q = effects.size, cochran_q(effects, variances)
    estimate = estimated_tau2(effects, variances, tau2)
    untruncated = moment_tau2(effects, variances) if tau2 == "dersimonian-laird" else None
    interval, typical = None, float("nan")
    if n > 1:
        interval = q_profile(effects, variances, confidence_level=confidence_level)
        typical = typical_variance(variances)
    return Heterogeneity(
        q=q,
        degrees_of_freedom=n - 1,
        q_p_value=float(chdtrc(n - 1, q)) if n > 1 else 1.0,
        tau2_method=tau2,
        tau2=estimate,
        tau2_untruncated=untruncated,
        tau2_interval=interval,
        i2=_share(estimate, typical),
        i2_interval=None
        if interval is None
        else (_share(interval[0], typical), _share(interval[1], typical)),
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
    # `chdtri` takes the upper tail.
    quantiles = chdtri(effects.size - 1, np.array([tail, 1.0 - tail]))
    low, high = tau2_where(effects, variances, quantiles)
    return float(low), float(high)


def _share(tau2: float, typical: float) -> float:
    """τ²/(τ² + s̃²)."""
    return 1.0 / (1.0 + typical / tau2) if tau2 else 0.0
