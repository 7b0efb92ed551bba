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

from ..shown import DataFrame, frame_of, stacked
from ..signature import listed, signature_line
from ..types import BoolArray, FloatArray
from ..validation import check_alpha, floats_of

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
    """The share of true claims at every level, for one R and one power.

    Attributes
    ----------
    prior_odds, power : float
        R and 1 − β.
    values : ndarray, shape (L,)
        At each level of the study.
    """

    prior_odds: float
    power: float
    values: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PriorOddsStudy:
    """The share of true claims for what a reader assumes, and for assumptions around it.

    Attributes
    ----------
    alpha, power, prior_odds : float
        As assumed.
    positive_predictive_value : float
        At these.
    target, alpha_for_target : float
        A share of true claims, and the largest level that gives it.
    levels : ndarray, shape (L,)
        Where the curves are known.
    curves : tuple of PredictiveCurve
        First the one assumed, then one for each further R and power.
    """

    alpha: float
    power: float
    prior_odds: float
    positive_predictive_value: float
    target: float
    alpha_for_target: float
    levels: FloatArray
    curves: tuple[PredictiveCurve, ...]

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
            target=self.target,
            further=listed(f"{one.prior_odds:.10g}/{one.power:.10g}" for one in self.curves[1:])
            or None,
        )

    def to_frame(self) -> DataFrame:
        """A row for each curve and level."""
        return stacked(
            [
                frame_of(
                    {
                        "prior_odds": curve.prior_odds,
                        "power": curve.power,
                        "alpha": self.levels,
                        "positive_predictive_value": curve.values,
                    }
                )
                for curve in self.curves
            ]
        )


def prior_odds_study(
    alpha: float = 0.05,
    *,
    power: float = PAPER_POWER,
    prior_odds: float = PAPER_PRIOR_ODDS,
    further_prior_odds: tuple[float, ...] = FURTHER_PRIOR_ODDS,
    further_powers: tuple[float, ...] = (),
) -> PriorOddsStudy:
    """Everything that the sliders of R, power and level lead to.

    Parameters
    ----------
    alpha, power, prior_odds : float
        As for `positive_predictive_value`.
    further_prior_odds, further_powers : tuple of float
        Curves beside the assumed one: for other R with the assumed power, and
        for other powers with the assumed R.

    Raises
    ------
    ValueError
        If an argument is out of its range.
    """
    level = check_alpha(alpha)
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
        alpha=level,
        power=float(power),
        prior_odds=float(prior_odds),
        positive_predictive_value=positive_predictive_value(
            level, power=power, prior_odds=prior_odds
        ),
        target=TARGET,
        alpha_for_target=float(alpha_for(TARGET, power=power, prior_odds=prior_odds)),
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
    level = _open_shares(alpha, "alpha")
    true_claims = _chances(power, prior_odds)
    return _plain(true_claims / (true_claims + level))


def alpha_for(
    ppv: npt.ArrayLike,
    *,
    power: npt.ArrayLike = PAPER_POWER,
    prior_odds: npt.ArrayLike = PAPER_PRIOR_ODDS,
) -> float | FloatArray:
    """The largest level at which so large a share of claims is true: (1 − β)R(1 − ppv)/ppv.

    Where any level will do it is 1.

    Parameters
    ----------
    ppv : float or array_like
        Shares of claims that are to be true, strictly between 0 and 1.
    power, prior_odds : float or array_like
        As for `positive_predictive_value`.

    Raises
    ------
    ValueError
        If an argument is out of its range.

    Examples
    --------
    >>> round(alpha_for(0.95, power=0.5, prior_odds=0.1), 6)
    0.002632
    """
    share = _open_shares(ppv, "ppv")
    level = _chances(power, prior_odds) * (1.0 - share) / share
    return _plain(np.minimum(level, 1.0))


def _open_shares(given: npt.ArrayLike, name: str) -> FloatArray:
    return _checked(given, name, "lie strictly between 0 and 1", lambda s: (s > 0.0) & (s < 1.0))


def _chances(power: npt.ArrayLike, prior_odds: npt.ArrayLike) -> FloatArray:
    """How many true claims there are for each comparison without an effect."""
    powers = _checked(power, "power", "be above 0 and at most 1", lambda p: (p > 0.0) & (p <= 1.0))
    odds = _checked(
        prior_odds, "prior_odds", "be at least 0 and finite", lambda r: (r >= 0.0) & np.isfinite(r)
    )
    return powers * odds


def _checked(
    given: npt.ArrayLike, name: str, must: str, holds: Callable[[FloatArray], BoolArray]
) -> FloatArray:
    numbers = floats_of(given, name=name, must="be a number or numbers", of="entries")
    if not bool(holds(numbers).all()):
        raise ValueError(f"`{name}` must {must}; got {given!r}.")
    return numbers


def _plain(values: FloatArray) -> float | FloatArray:
    return float(values) if np.ndim(values) == 0 else values
