"""The share of true claims at every level, for what a reader assumes and around it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.reliability.prior_odds import (
    PAPER_POWER,
    PAPER_PRIOR_ODDS,
    alpha_for,
    positive_predictive_value,
    positive_predictive_value_from_probability,
)
from core.signature import signature_line
from core.types import FloatArray
from core.validation import check_alpha

if TYPE_CHECKING:
    import pandas as pd

TARGET = 0.95
FURTHER_PRIOR_ODDS = (0.01, 0.1, 0.5, 1.0)
# Levels of a curve: from one in a million to one half.
_LOWEST, _HIGHEST, _POINTS = -6.0, -0.30103, 121


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
    if_probability : float or None
        The same if `prior_odds` were meant as a share of comparisons; None for
        1 and above, which is no such share.
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
    if_probability: float | None
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
        )

    @property
    def complete(self) -> bool:
        """Always: it is a closed form."""
        return True

    def to_frame(self) -> pd.DataFrame:
        """A row for each curve and level."""
        import pandas as pd

        return pd.concat(
            [
                pd.DataFrame(
                    {
                        "prior_odds": curve.prior_odds,
                        "power": curve.power,
                        "alpha": self.levels,
                        "positive_predictive_value": curve.values,
                    }
                )
                for curve in self.curves
            ],
            ignore_index=True,
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
    as_share = None
    if prior_odds < 1.0:
        as_share = float(
            positive_predictive_value_from_probability(level, power=power, probability=prior_odds)
        )
    return PriorOddsStudy(
        alpha=level,
        power=float(power),
        prior_odds=float(prior_odds),
        positive_predictive_value=positive_predictive_value(
            level, power=power, prior_odds=prior_odds
        ),
        if_probability=as_share,
        target=TARGET,
        alpha_for_target=float(alpha_for(TARGET, power=power, prior_odds=prior_odds)),
        levels=levels,
        curves=curves,
    )
