"""Tests of wins and losses: McNemar's, and the sign test.

Null hypothesis: a unit on which the two systems differ is a win of A with chance
1/2. Of McNemar's tests, that is: where only one of two classifiers is right, either
is so with chance 1/2, so that their accuracies are the same.

The exact tests reject a true null at α at most that often. With .2 of n examples
differing, the others at α = .05 (.01) exceed α: mid-p by at most .005 (.003) for
n = 50, .005 (.003) for n = 200, .005 (.003) for n = 1,000; χ² by at most .010
(.005) for n = 50, .005 (.003) for n = 200, .005 (.003) for n = 1,000; corrected
it does not.

References
----------
McNemar (Psychometrika 1947); Dixon and Mood (JASA 1946); Fagerland, Lydersen and
Laake (BMC Medical Research Methodology 2013), equations 1 to 5.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.metrics.per_example import listed, other_than_binary
from core.significance.binomial import binomial_point, fair_coin_at_least
from core.significance.differences import Differences
from core.significance.effect_sizes import odds_ratio, win_share
from core.significance.lattice import SMALLEST
from core.significance.result import (
    TEST_ALTERNATIVES,
    Approximation,
    EffectSize,
    Outcome,
    Sides,
    attainable,
)
from core.significance.settings import Settings
from core.significance.stopping import KeepGoing
from core.types import FloatArray
from core.validation import check_choice

# Below so many differing examples χ² is poor.
_FEW = 25


@dataclass(frozen=True, slots=True, kw_only=True)
class CountingTest:
    """The exact test of wins and losses, ties dropped; the other ones differ in their tails.

    Attributes
    ----------
    effect_size : callable
        Of wins and losses.
    """

    effect_size: Callable[[int, int], EffectSize | None] = win_share

    @property
    def approximation(self) -> Approximation | None:
        """The distribution that the statistic is referred to; None where it is its own."""
        return None

    def of_differences(
        self,
        differences: Differences,
        settings: Settings,
        *,
        rng: np.random.Generator,
        keep_going: KeepGoing,
    ) -> Outcome:
        """P-values of one sample for each alternative; the settings have nothing for it."""
        wins, losses = differences.wins, differences.losses
        return Outcome(
            p_values=self.sides(wins, losses),
            exact=True,
            statistic=self._statistic(wins, losses),
            notes=self._notes(differences, settings),
            approximation=self.approximation,
            effect_size=self.effect_size(wins, losses),
        )

    def p_of_counts(
        self, wins: npt.ArrayLike, losses: npt.ArrayLike, *, alternative: str
    ) -> FloatArray:
        """P-values, elementwise; never 0, and 1 where nothing differs.

        With X ~ Bin(wins + losses, 1/2), exact is P(X >= wins), two-sided twice the
        smaller tail, at most 1. Mid-p is a tail less ½·P(X = wins); two-sided twice
        the smaller, and at wins = losses 1 − ½·P(X = wins). χ² is
        (wins − losses)²/(wins + losses), one-sided by its signed root; corrected by 1
        (Edwards 1948), two-sided never below 0.

        Parameters
        ----------
        wins, losses : array_like
            Units on which A is better, and on which B is.
        alternative : {"greater", "less", "two-sided"}
            Of "less", wins and losses change places.

        Raises
        ------
        ValueError
            If there is no such alternative.
        """
        check_choice(alternative, TEST_ALTERNATIVES, name="alternative")
        won = np.asarray(wins, dtype=np.float64)
        lost = np.asarray(losses, dtype=np.float64)
        if alternative == "less":
            won, lost = lost, won
        two_sided = alternative == "two-sided"
        if two_sided:
            # Twice the tail of whichever is ahead.
            won, lost = np.maximum(won, lost), np.minimum(won, lost)
        tails = np.maximum(self._tails(won, lost, two_sided), SMALLEST)
        p_values = np.minimum(1.0, 2.0 * tails) if two_sided else tails
        return np.where(won + lost > 0.0, p_values, 1.0)

    def sides(self, wins: int, losses: int) -> Sides:
        """The p-values of one sample for each alternative."""
        greater, less = self.p_of_counts([wins, losses], [losses, wins], alternative="greater")
        two_sided = self.p_of_counts(wins, losses, alternative="two-sided")
        return Sides(float(greater), float(less), float(two_sided))

    def _tails(self, won: FloatArray, lost: FloatArray, _two_sided: bool) -> FloatArray:
        return fair_coin_at_least(won, lost)

    def _statistic(self, wins: int, _losses: int) -> float:
        return float(wins)

    def _notes(self, differences: Differences, settings: Settings) -> tuple[str, ...]:
        return _attainable(differences, settings, mid_p=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class MidPTest(CountingTest):
    """Counts the observed split by half."""

    def _tails(self, won: FloatArray, lost: FloatArray, two_sided: bool) -> FloatArray:
        half = 0.5 * binomial_point(won, won + lost)
        tails = fair_coin_at_least(won, lost) - half
        # At a tie the two tails have the observed split in common.
        return np.where(won == lost, 0.5 - 0.5 * half, tails) if two_sided else tails

    def _notes(self, differences: Differences, settings: Settings) -> tuple[str, ...]:
        return _attainable(differences, settings, mid_p=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChiSquaredTest(CountingTest):
    """By the normal distribution that the share of wins tends to.

    Attributes
    ----------
    correction : float
        For continuity: 1 after Edwards (1948), or 0.
    """

    correction: float

    @property
    def approximation(self) -> Approximation:
        """The distribution that the statistic is referred to."""
        return "normal"

    def _tails(self, won: FloatArray, lost: FloatArray, two_sided: bool) -> FloatArray:
        from scipy.special import ndtr

        shift = won - lost - self.correction
        if two_sided:
            shift = np.maximum(shift, 0.0)
        tails: FloatArray = ndtr(-shift / np.sqrt(np.maximum(won + lost, 1.0)))
        return tails

    def _statistic(self, wins: int, losses: int) -> float:
        return max(abs(wins - losses) - self.correction, 0.0) ** 2 / max(wins + losses, 1)

    def _notes(self, differences: Differences, _settings: Settings) -> tuple[str, ...]:
        differing = differences.wins + differences.losses
        if not 0 < differing < _FEW:
            return ()
        return (f"only {differing} examples differ: the exact test is safer than χ²",)


SIGN = CountingTest()
MCNEMAR = CountingTest(effect_size=odds_ratio)
MCNEMAR_MID_P = MidPTest(effect_size=odds_ratio)
MCNEMAR_CHI2 = ChiSquaredTest(effect_size=odds_ratio, correction=0.0)
MCNEMAR_CHI2_CORRECTED = ChiSquaredTest(effect_size=odds_ratio, correction=1.0)


def check_binary(**scores: FloatArray) -> None:
    """Check that the systems' scores are 0 or 1.

    Raises
    ------
    ValueError
        If one is not; the message lists the values.
    """
    for name, values in scores.items():
        others = other_than_binary(values)
        if others:
            raise ValueError(
                f"`{name}` must be 0 or 1 for McNemar's test; got {listed(others)}. "
                "Randomization, the paired t-test and Wilcoxon take any scores."
            )


def _attainable(differences: Differences, settings: Settings, *, mid_p: bool) -> tuple[str, ...]:
    differing = differences.wins + differences.losses
    return attainable(settings.alternative, n_differing=differing, n=differences.n, mid_p=mid_p)
