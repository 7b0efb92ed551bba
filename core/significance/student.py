"""Student's paired t-test.

Null hypothesis: the mean difference is zero, the differences being normal (or n large enough
for their mean to be). Of outcomes and ratings it rejects at α = .05 (.01) more often than α
by at most .010 (.005) for n = 50, .005 (.003) for n = 200, .005 (.003) for n = 1,000. Of
skewed differences with mean 0 it rejects more often: with losses rarer and larger than gains
.10 to .18 at n = 30, .07 to .09 at n = 100, .06 to .07 at n = 400.
"""

import math

import numpy as np

from ..types import FloatArray
from .differences import Differences
from .lattice import SMALLEST, Integers, spread_of
from .outcome import NO_EVIDENCE, Outcome, Sides, d_z
from .settings import Asked


def student(differences: Differences, _asked: Asked | None = None) -> Outcome:
    """Mean difference over its standard error, n − 1 degrees of freedom.

    Where differences do not vary (n = 1 among those), t is undefined and every p-value is 1: no
    variance can be guessed from none. Student (Biometrika 1908); Dror et al. (ACL 2018), section
    3.1.
    """
    n = differences.n
    # By a power of two, so that squares neither overflow nor vanish.
    scale = 2.0 ** -math.frexp(float(np.abs(differences.values).max()))[1]
    deviation = 0.0 if differences.constant else float((differences.values * scale).std(ddof=1))
    if deviation == 0.0:
        reason = "n = 1" if n == 1 else "the differences do not vary"
        return Outcome(
            p_values=NO_EVIDENCE,
            method="student",
            statistic=None,
            notes=(f"{reason}: t is undefined, p = 1",),
            effect_size=d_z(differences),
        )
    from scipy.special import stdtr

    t = differences.mean * scale * math.sqrt(n) / deviation
    return Outcome(
        p_values=Sides.of_statistic(t, lambda value: float(stdtr(n - 1, value))),
        method="student",
        statistic=t,
        effect_size=d_z(differences),
    )


def student_of_moments(
    n: FloatArray,
    sums: FloatArray,
    squares: FloatArray,
    integers: Integers | None = None,
) -> FloatArray:
    """P-values of "A is better", elementwise; 1 where differences do not vary."""
    from scipy.special import stdtr

    spread, varies = spread_of(n, sums, squares)
    varies &= n >= 2.0
    freedom = np.maximum(n - 1.0, 1.0)
    variance = np.where(varies, spread, 1.0) / freedom
    t = sums / np.sqrt(np.maximum(n, 1.0) * variance)
    tails: FloatArray = np.maximum(stdtr(freedom, -t), SMALLEST)
    return np.where(varies, tails, 1.0)
