"""Maximum-likelihood fit of the Gumbel distribution of largest values.

Density e^{−z − e^{−z}}/β with z = (x − a)/β: location a, scale β, mean a + γβ with
Euler's γ = .57721….
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.effects.inputs import checked_effects
from core.types import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True)
class GumbelFit:
    """A fitted distribution.

    Attributes
    ----------
    location, scale : float
        a and β; β is 0 where all values are the same.
    """

    location: float
    scale: float

    @property
    def mean(self) -> float:
        """The mean of the distribution, a + γβ."""
        return self.location + float(np.euler_gamma) * self.scale

    @property
    def variance(self) -> float:
        """The variance of the distribution, π²β²/6."""
        return math.pi**2 * self.scale**2 / 6.0


def fit_gumbel(values: npt.ArrayLike) -> GumbelFit:
    """Fit location and scale by maximum likelihood.

    The likelihood has one maximum, at the one root β of x̄ − β − Σxe^{−x/β}/Σe^{−x/β},
    which is found between bounds that always hold. Of values that are all the same
    the scale is 0 and the location that value.

    Parameters
    ----------
    values : array_like, shape (M,)
        Finite numbers.

    Raises
    ------
    ValueError
        If there are none or one is not finite.

    References
    ----------
    Johnson, Kotz and Balakrishnan (Continuous Univariate Distributions 2, 1995),
    section 22.9.3.
    """
    from scipy.optimize import brentq

    given = checked_effects(values, name="values")
    smallest = float(given.min())
    above: FloatArray = given - smallest
    # Comparison of the values, as a mean of equal ones may be off by a rounding.
    unit = float(above.mean())
    if not above.any() or unit == 0.0:
        return GumbelFit(location=smallest, scale=0.0)
    scaled = above / unit

    def excess(scale: float) -> float:
        weights = np.exp(-scaled / scale)
        return scale - 1.0 + float(scaled @ weights) / float(weights.sum())

    # xe^{−x/β} is at most β/e and the weights add up to 1 or more, as the smallest value is 0.
    low = 1.0 / (1.0 + scaled.size / math.e)
    scale = float(brentq(excess, 0.5 * low, 1.0, xtol=1e-15, rtol=1e-14))
    location = -scale * math.log(float(np.exp(-scaled / scale).mean()))
    return GumbelFit(location=smallest + unit * location, scale=unit * scale)
