"""How many claims at a level are true, given how many of the ideas tried are.

Vocabulary
----------
prior odds
    R: among the comparisons that are tried, how many have an effect for each one
    that has none. Odds, not a share: R = .1 is a share of .1/1.1.
power
    1 − β: the chance that a comparison with an effect reaches p <= alpha.
positive predictive value
    The share of the comparisons with p <= alpha that have an effect.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import overload

import numpy as np
import numpy.typing as npt

from ..signature import listed, signature_line
from ..types import BoolArray, FloatArray
from ..validation import floats_of

TARGET = 0.95
FURTHER_PRIOR_ODDS = (0.01, 0.1, 0.5, 1.0)
# Levels of a curve: from one in a million to one half.
_LOWEST, _HIGHEST, _POINTS = -6.0, -0.30103, 121

# Søgaard et al. (2014), section 2: what they take R and β to be.
PAPER_PRIOR_ODDS = 0.1
PAPER_BETA = 0.5
PAPER_POWER = 1.0 - PAPER_BETA
# The level at which their figures come to 95%, beside the two common ones.
PAPER_LEVELS = (0.05, 0.01, 0.0025)


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictiveCurve:
    """The share of true claims at each level of the study, for one R and one power."""

    prior_odds: float
    power: float
    values: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PriorOddsStudy:
    """The share of true claims for what a reader assumes.

    The first curve, and for assumptions around it.
    """

    alpha: float
    power: float
    prior_odds: float
    levels: FloatArray
    curves: tuple[PredictiveCurve, ...]

    @property
    def positive_predictive_value(self) -> float:
        """The share of true claims at what is assumed."""
        return positive_predictive_value(self.alpha, power=self.power, prior_odds=self.prior_odds)

    @property
    def alpha_for_target(self) -> float:
        """The largest level that gives the share looked for."""
        return alpha_for(TARGET, power=self.power, prior_odds=self.prior_odds)

    @property
    def false_per_true(self) -> float:
        """How many claims without an effect there are for each one with; infinite for R = 0."""
        true_claims = self.power * self.prior_odds
        return self.alpha / true_claims if true_claims else float("inf")

    @property
    def signature(self) -> str:
        """The one line that names everything the numbers depend on."""
        return signature_line(
            ppv="ioannidis",
            alpha=self.alpha,
            power=self.power,
            prior_odds=self.prior_odds,
            target=TARGET,
            further=listed(f"{one.prior_odds:.10g}/{one.power:.10g}" for one in self.curves[1:])
            or None,
        )


def prior_odds_study(
    alpha: float = 0.05,
    *,
    power: float = PAPER_POWER,
    prior_odds: float = PAPER_PRIOR_ODDS,
    further_prior_odds: tuple[float, ...] = FURTHER_PRIOR_ODDS,
    further_powers: tuple[float, ...] = (),
) -> PriorOddsStudy:
    """Everything that R.

    Power and level lead to, beside other R with the power and other powers with the R.
    """
    levels = np.logspace(_LOWEST, _HIGHEST, _POINTS)
    pairs = [
        (prior_odds, power),
        *((odds, power) for odds in further_prior_odds),
        *((prior_odds, other) for other in further_powers),
    ]
    curves = tuple(
        PredictiveCurve(
            prior_odds=float(odds),
            power=float(chance),
            values=np.asarray(positive_predictive_value(levels, power=chance, prior_odds=odds)),
        )
        for odds, chance in dict.fromkeys(pairs)
    )
    return PriorOddsStudy(
        alpha=alpha,
        power=float(power),
        prior_odds=float(prior_odds),
        levels=levels,
        curves=curves,
    )


@overload
def positive_predictive_value(
    alpha: float, *, power: float = ..., prior_odds: float = ...
) -> float: ...


@overload
def positive_predictive_value(
    alpha: npt.ArrayLike, *, power: npt.ArrayLike = ..., prior_odds: npt.ArrayLike = ...
) -> float | FloatArray: ...


def positive_predictive_value(
    alpha: npt.ArrayLike,
    *,
    power: npt.ArrayLike = PAPER_POWER,
    prior_odds: npt.ArrayLike = PAPER_PRIOR_ODDS,
) -> float | FloatArray:
    """The share of claims at level `alpha` that are true: (1 − β)R / (R − βR + α).

    Parameters
    ----------
    alpha : float or array_like
        Levels, strictly between 0 and 1.
    power : float or array_like
        1 − β, above 0 and at most 1: for an effect that is stated, not observed.
    prior_odds : float or array_like
        R, at least 0 and finite.

    Returns
    -------
    float or ndarray
        A number where all three are; else of the shape that they have together.

    Raises
    ------
    ValueError
        If an argument is out of its range.

    References
    ----------
    Ioannidis (PLoS Medicine 2005); Søgaard et al. (CoNLL 2014), section 2.

    Examples
    --------
    >>> from replicability import positive_predictive_value
    >>> round(positive_predictive_value(0.01, power=0.5, prior_odds=0.1), 4)
    0.8333
    """
    level = _checked(
        alpha, "alpha", "lie strictly between 0 and 1", lambda a: (a > 0.0) & (a < 1.0)
    )
    powers = _checked(power, "power", "be above 0 and at most 1", lambda p: (p > 0.0) & (p <= 1.0))
    odds = _checked(
        prior_odds, "prior_odds", "be at least 0 and finite", lambda r: (r >= 0.0) & np.isfinite(r)
    )
    true_claims = powers * odds
    values = true_claims / (true_claims + level)
    return float(values) if np.ndim(values) == 0 else values


def alpha_for(share: float, *, power: float, prior_odds: float) -> float:
    """The largest level, up to 1, at which so large a share of claims is true: (1 − β)R(1 − ppv)/ppv."""
    return min(power * prior_odds * (1.0 - share) / share, 1.0)


def _checked(
    given: npt.ArrayLike, name: str, must: str, holds: Callable[[FloatArray], BoolArray]
) -> FloatArray:
    numbers = floats_of(given, name=name, must="be a number or numbers", of="entries")
    if not bool(holds(numbers).all()):
        raise ValueError(f"`{name}` must {must}; got {given!r}.")
    return numbers
