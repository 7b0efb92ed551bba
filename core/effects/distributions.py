"""Which distributions effects may come from: the Anderson–Darling test.

Parameters are estimated from the same effects, for which the critical values are
made. A p-value is known only to lie between two levels of the published table.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, assert_never, get_args

import numpy as np
import numpy.typing as npt

from core.effects.gumbel import fit_gumbel
from core.effects.inputs import checked_effects
from core.types import FloatArray

DistributionName = Literal["normal", "logistic", "gumbel_r"]
DISTRIBUTIONS: tuple[DistributionName, ...] = get_args(DistributionName)
FEWEST_FOR_DISTRIBUTIONS = 5
# The tables are made for eight or more.
_FEW = 8

_LEVELS: dict[DistributionName, tuple[float, ...]] = {
    "normal": (0.15, 0.10, 0.05, 0.025, 0.01),
    "logistic": (0.25, 0.10, 0.05, 0.025, 0.01, 0.005),
    "gumbel_r": (0.25, 0.10, 0.05, 0.025, 0.01),
}
# Of A² times a factor that depends on n; see `_factor`.
_POINTS: dict[DistributionName, tuple[float, ...]] = {
    "normal": (0.561, 0.631, 0.752, 0.873, 1.035),
    "logistic": (0.426, 0.563, 0.660, 0.769, 0.906, 1.010),
    "gumbel_r": (0.474, 0.637, 0.757, 0.877, 1.038),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DistributionTest:
    """How far effects are from a fitted distribution.

    Attributes
    ----------
    distribution : {"normal", "logistic", "gumbel_r"}
        Which one; "gumbel_r" is that of largest values.
    n : int
        Number of effects.
    location, scale : float
        The fitted parameters: mean and standard deviation (over n − 1) of the
        normal, else by maximum likelihood.
    statistic : float
        A², larger where the effects fit worse.
    levels, critical_values : tuple of float
        The table for n effects: A² above an entry has p below its level.
    p_low, p_high : float
        What p lies between: two neighbouring levels, or 0 or 1 beyond the table.
    note : str
        What to know about it, '' if nothing.

    References
    ----------
    D'Agostino and Stephens (Goodness-of-Fit Techniques 1986), table 4.7 (normal);
    Stephens (Biometrika 1979) (logistic); Stephens (Biometrika 1977) (Gumbel).
    """

    distribution: DistributionName
    n: int
    location: float
    scale: float
    statistic: float
    levels: tuple[float, ...]
    critical_values: tuple[float, ...]
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
    """Test the fit of a normal, a logistic and a Gumbel distribution.

    A large p is no evidence for a distribution: with few datasets several fit.

    Parameters
    ----------
    effects : array_like, shape (M,)
        At least 5, not all equal.

    Raises
    ------
    ValueError
        If there are fewer, or all are equal.
    """
    values = np.sort(checked_effects(effects))
    n = values.size
    if n < FEWEST_FOR_DISTRIBUTIONS:
        raise ValueError(
            f"`effects` must hold at least {FEWEST_FOR_DISTRIBUTIONS} entries for a test of their "
            f"distribution; got {n}."
        )
    if values[0] == values[-1]:
        raise ValueError(
            f"`effects` must not all be equal for a test of their distribution; all {n} are "
            f"{float(values[0]):g}."
        )
    return tuple(_test(values, name) for name in DISTRIBUTIONS)


def _test(values: FloatArray, name: DistributionName) -> DistributionTest:
    n = values.size
    location, scale = _fitted(values, name)
    log_below, log_above = _log_tails((values - location) / scale, name)
    odd = 2.0 * np.arange(1, n + 1) - 1.0
    statistic = float(-n - (odd @ (log_below + log_above[::-1])) / n)
    critical = tuple(point / _factor(n, name) for point in _POINTS[name])
    levels = _LEVELS[name]
    exceeded = sum(statistic >= value for value in critical)
    return DistributionTest(
        distribution=name,
        n=n,
        location=location,
        scale=scale,
        statistic=statistic,
        levels=levels,
        critical_values=critical,
        p_low=levels[exceeded] if exceeded < len(levels) else 0.0,
        p_high=levels[exceeded - 1] if exceeded else 1.0,
        note=f"the tables are made for {_FEW} or more; this is of {n}" if n < _FEW else "",
    )


def _factor(n: int, name: DistributionName) -> float:
    """By what A² of n values is multiplied before it is compared with the points."""
    if name == "normal":
        return 1.0 + 0.75 / n + 2.25 / n**2
    if name == "logistic":
        return 1.0 + 0.25 / n
    if name == "gumbel_r":
        return 1.0 + 0.2 / math.sqrt(n)
    assert_never(name)


def _fitted(values: FloatArray, name: DistributionName) -> tuple[float, float]:
    if name == "gumbel_r":
        fit = fit_gumbel(values)
        return fit.location, fit.scale
    # From the middle and in units of the range, so that a fit does not depend on either.
    middle, unit = float(np.median(values)), float(values[-1] - values[0])
    scaled = (values - middle) / unit
    if name == "normal":
        location, scale = float(scaled.mean()), float(scaled.std(ddof=1))
    elif name == "logistic":
        location, scale = _logistic(scaled)
    else:
        assert_never(name)
    return middle + unit * location, unit * scale


def _logistic(values: FloatArray) -> tuple[float, float]:
    """Maximum likelihood, of values at most 1 from 0 and with the range 1.

    The likelihood is concave in 1/scale and location/scale: for each rate 1/scale
    there is one best centre, and along these the slope changes sign once. A search
    in location and scale, as `scipy.stats.anderson` makes it, ends elsewhere on
    some samples.
    """
    from scipy.optimize import brentq

    def centre_at(rate: float) -> float:
        def balance(centre: float) -> float:
            return float(np.tanh(0.5 * rate * (values - centre)).mean())

        return float(brentq(balance, values[0], values[-1], xtol=1e-15, rtol=1e-14))

    def slope(rate: float) -> float:
        apart = rate * (values - centre_at(rate))
        return float((np.tanh(0.5 * apart) * apart).mean()) - 1.0

    # The slope is at most rate − 1, and grows without end as values are not all equal.
    high = 2.0
    while slope(high) <= 0.0:
        high *= 2.0
    rate = float(brentq(slope, 0.5, high, xtol=1e-13, rtol=1e-13))
    return centre_at(rate), 1.0 / rate


def _log_tails(z: FloatArray, name: DistributionName) -> tuple[FloatArray, FloatArray]:
    """Logarithms of the chances of a value below and above, without 1 − p."""
    if name == "normal":
        from scipy.special import log_ndtr

        return log_ndtr(z), log_ndtr(-z)
    if name == "logistic":
        return -np.logaddexp(0.0, -z), -np.logaddexp(0.0, z)
    if name == "gumbel_r":
        small = np.exp(-z)
        return -small, np.log(-np.expm1(-small))
    assert_never(name)


def _level(level: float) -> str:
    text = f"{level:.3f}".rstrip("0").lstrip("0")
    return text if len(text) > 2 else f"{level:.2f}".lstrip("0")
