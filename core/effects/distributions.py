"""Distributions that effects may come from: their fit, and Anderson and Darling's test of it.

Vocabulary
----------
Gumbel distribution
    Of largest values: density e^{−z − e^{−z}}/β with z = (x − a)/β, location a, scale β,
    mean a + γβ with Euler's γ = .57721….
A²
    Anderson and Darling's statistic: how far the effects' distribution function lies from
    a fitted one, with weight on the tails. Location and scale are estimated from the same
    effects, for which the critical values are made; a p-value is known only to lie between
    two levels of the published table.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..types import FloatArray
from .heterogeneity import checked_effects

FEWEST_FOR_DISTRIBUTIONS = 5
# The tables are made for eight or more.
_FEW = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class GumbelFit:
    """Location a and scale β of a fitted distribution; β is 0 where all values are the same."""

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

    At the one root β of x̄ − β − Σxe^{−x/β}/Σe^{−x/β} (Johnson, Kotz and Balakrishnan, Continuous
    Univariate Distributions 2, 1995, section 22.9.3).
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


def _standardised(values: FloatArray) -> tuple[FloatArray, float, float]:
    """Values from the middle and in units of the range, that a fit may not depend on either."""
    middle, unit = float(np.median(values)), float(values[-1] - values[0])
    return (values - middle) / unit, middle, unit


def _of_normal(values: FloatArray) -> tuple[float, float]:
    scaled, middle, unit = _standardised(values)
    return middle + unit * float(scaled.mean()), unit * float(scaled.std(ddof=1))


def _of_gumbel(values: FloatArray) -> tuple[float, float]:
    fit = fit_gumbel(values)
    return fit.location, fit.scale


def _of_logistic(values: FloatArray) -> tuple[float, float]:
    """Maximum likelihood, for each rate 1/scale with its best centre.

    Along these the slope changes sign once. A search in location and scale, as
    `scipy.stats.anderson` makes it, ends elsewhere on some samples.
    """
    from scipy.optimize import brentq

    scaled, middle, unit = _standardised(values)

    def centre_at(rate: float) -> float:
        def balance(centre: float) -> float:
            return float(np.tanh(0.5 * rate * (scaled - centre)).mean())

        return float(brentq(balance, scaled[0], scaled[-1], xtol=1e-15, rtol=1e-14))

    def slope(rate: float) -> float:
        apart = rate * (scaled - centre_at(rate))
        return float((np.tanh(0.5 * apart) * apart).mean()) - 1.0

    # The slope is at most rate − 1, and grows without end as values are not all equal.
    high = 2.0
    while slope(high) <= 0.0:
        high *= 2.0
    rate = float(brentq(slope, 0.5, high, xtol=1e-13, rtol=1e-13))
    return middle + unit * centre_at(rate), unit * (1.0 / rate)


def _normal_tails(z: FloatArray) -> tuple[FloatArray, FloatArray]:
    from scipy.special import log_ndtr

    return log_ndtr(z), log_ndtr(-z)


def _logistic_tails(z: FloatArray) -> tuple[FloatArray, FloatArray]:
    return -np.logaddexp(0.0, -z), -np.logaddexp(0.0, z)


def _gumbel_tails(z: FloatArray) -> tuple[FloatArray, FloatArray]:
    small = np.exp(-z)
    return -small, np.log(-np.expm1(-small))


@dataclass(frozen=True, slots=True, kw_only=True)
class Distribution:
    """One distribution with location and scale, and the table of A² where both are fitted.

    Its name is SciPy's. They are fitted to sorted effects, of the normal by mean and standard
    deviation, else by maximum likelihood; log tails are of the chances below and above standardised
    values. A² is multiplied by the factor, of n, and then held against the points: levels, falling,
    each with the A² that has it as p: D'Agostino and Stephens (Goodness-of-Fit Techniques 1986),
    table 4.7, for the normal; Stephens (Biometrika 1979 and 1977) for the logistic and Gumbel.
    """

    name: str
    title: str
    fit: Callable[[FloatArray], tuple[float, float]]
    log_tails: Callable[[FloatArray], tuple[FloatArray, FloatArray]]
    factor: Callable[[int], float]
    points: tuple[tuple[float, float], ...]


DISTRIBUTIONS = (
    Distribution(
        name="normal",
        title="a normal",
        fit=_of_normal,
        log_tails=_normal_tails,
        factor=lambda n: 1.0 + 0.75 / n + 2.25 / n**2,
        points=((0.15, 0.561), (0.10, 0.631), (0.05, 0.752), (0.025, 0.873), (0.01, 1.035)),
    ),
    Distribution(
        name="logistic",
        title="a logistic",
        fit=_of_logistic,
        log_tails=_logistic_tails,
        factor=lambda n: 1.0 + 0.25 / n,
        points=(
            (0.25, 0.426),
            (0.10, 0.563),
            (0.05, 0.660),
            (0.025, 0.769),
            (0.01, 0.906),
            (0.005, 1.010),
        ),
    ),
    Distribution(
        name="gumbel_r",
        title="a Gumbel",
        fit=_of_gumbel,
        log_tails=_gumbel_tails,
        factor=lambda n: 1.0 + 0.2 / math.sqrt(n),
        points=((0.25, 0.474), (0.10, 0.637), (0.05, 0.757), (0.025, 0.877), (0.01, 1.038)),
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DistributionTest:
    """How far effects are from a fitted distribution, by A².

    p lies between `p_low` and `p_high`: two neighbouring levels, or 0 or 1 beyond the table.
    """

    distribution: Distribution
    n: int
    location: float
    scale: float
    statistic: float
    p_low: float
    p_high: float
    note: str = ""

    @property
    def p_bracket(self) -> str:
        """The p-value as far as the table says it: "p between .05 and .10"."""
        if self.p_high == 1.0:
            return f"p > {_level(self.p_low)}"
        if self.p_low == 0.0:
            return f"p < {_level(self.p_high)}"
        return f"p between {_level(self.p_low)} and {_level(self.p_high)}"

    def is_evidence_against(self, alpha: float = 0.05) -> bool | None:
        """Whether p is at most alpha; None where the table cannot tell."""
        if self.p_high <= alpha:
            return True
        if self.p_low >= alpha:
            return False
        return None


def distribution_tests(effects: npt.ArrayLike) -> tuple[DistributionTest, ...]:
    """Test the fit of a normal, a logistic and a Gumbel distribution to at least `FEWEST_FOR_DISTRIBUTIONS` effects.

    A large p is no evidence for a distribution: with few datasets several fit. Effects that are all
    equal have none to be tested.
    """
    values = np.sort(checked_effects(effects))
    n = values.size
    if values[0] == values[-1]:
        return ()
    odd = 2.0 * np.arange(1, n + 1) - 1.0
    found = []
    for distribution in DISTRIBUTIONS:
        location, scale = distribution.fit(values)
        log_below, log_above = distribution.log_tails((values - location) / scale)
        statistic = float(-n - (odd @ (log_below + log_above[::-1])) / n)
        levels = tuple(level for level, _ in distribution.points)
        critical = tuple(point / distribution.factor(n) for _, point in distribution.points)
        exceeded = sum(statistic >= value for value in critical)
        found.append(
            DistributionTest(
                distribution=distribution,
                n=n,
                location=location,
                scale=scale,
                statistic=statistic,
                p_low=levels[exceeded] if exceeded < len(levels) else 0.0,
                p_high=levels[exceeded - 1] if exceeded else 1.0,
                note=f"the tables are made for {_FEW} or more; this is of {n}" if n < _FEW else "",
            )
        )
    return tuple(found)


def _level(level: float) -> str:
    text = f"{level:.3f}".rstrip("0").lstrip("0")
    return text if len(text) > 2 else f"{level:.2f}".lstrip("0")
