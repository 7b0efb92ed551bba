"""Tests of wins and losses: McNemar's, and the sign test.

Every room takes its binomial probabilities and tails from here: for whole arrays at
once, with all their digits, however small.

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

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..metrics.per_example import listed, other_than_binary
from ..types import FloatArray
from ..validation import check_choice
from .differences import Differences
from .effect_sizes import odds_ratio, win_share
from .lattice import SMALLEST
from .margins import melded_p_values, tango_p_values
from .outcome import EffectSize, Outcome, Sides, attainable
from .settings import TEST_ALTERNATIVES, Approximation, Settings
from .stopping import KeepGoing

# SciPy's beta integral is right to 1e-11 above this; below, it gives 0 for some n from 1075 on.
_LEAST_OF_INTEGRAL = 1e-200
# From here on three terms of Stirling's series have all digits.
_STIRLING_FROM = 32.0


def binomial_at_least(
    successes: npt.ArrayLike, n: npt.ArrayLike, chance: float = 0.5
) -> FloatArray:
    """P(X >= successes) for X ~ Bin(n, chance), elementwise, to a relative 1e-10 for n up to 10^6.

    0 only for more than n successes, without a chance, and below the smallest float.

    Parameters
    ----------
    successes, n : array_like
        Whole numbers, of shapes that go together; successes may be negative.
    chance : float
        In [0, 1].
    """
    from scipy.special import betainc

    count, of = np.broadcast_arrays(
        np.asarray(successes, dtype=np.float64), np.asarray(n, dtype=np.float64)
    )
    inside = (count > 0.0) & (count <= of)
    tails = np.where(count <= 0.0, 1.0, 0.0)
    count, of = count[inside], of[inside]
    # The beta integral keeps the digits of small tails; 1 − cdf would not.
    found = np.asarray(betainc(count, of - count + 1.0, chance))
    if 0.0 < chance < 1.0:
        far = found < _LEAST_OF_INTEGRAL
        if far.any():
            found[far] = _far_tails(count[far], of[far], chance)
    tails[inside] = found
    return tails


def binomial_point(successes: npt.ArrayLike, n: npt.ArrayLike, chance: float = 0.5) -> FloatArray:
    """P(X = successes) for X ~ Bin(n, chance), elementwise, to a relative 1e-10 for n up to 10^6.

    Parameters
    ----------
    successes, n : array_like
        Whole numbers, 0 <= successes <= n.
    chance : float
        In [0, 1].

    References
    ----------
    Loader, "Fast and accurate computation of binomial probabilities" (2000).
    """
    from scipy.special import rel_entr

    count, of = np.broadcast_arrays(
        np.asarray(successes, dtype=np.float64), np.asarray(n, dtype=np.float64)
    )
    others = of - count
    deviance = rel_entr(count, of * chance) + rel_entr(others, of * (1.0 - chance))
    inner = (count > 0.0) & (others > 0.0)
    shape = np.where(inner, of, 1.0) / np.where(inner, 2.0 * math.pi * count * others, 1.0)
    corrections = _beyond_stirling(of) - _beyond_stirling(count) - _beyond_stirling(others)
    points: FloatArray = np.exp(np.where(inner, corrections, 0.0) - deviance) * np.sqrt(shape)
    return points


def fair_coin_at_least(wins: npt.ArrayLike, losses: npt.ArrayLike) -> FloatArray:
    """P(X >= wins) for X ~ Bin(wins + losses, 1/2), elementwise; never 0, and 1 without wins."""
    won, lost = np.asarray(wins, dtype=np.float64), np.asarray(losses, dtype=np.float64)
    return np.maximum(binomial_at_least(won, won + lost), SMALLEST)


def fair_coin(wins: int, losses: int) -> Sides:
    """Exact p-values of so many wins and losses, X ~ Bin(wins + losses, 1/2).

    Greater: P(X >= wins); less: P(X <= wins); two-sided: twice the smaller, at
    most 1. Without wins and losses all are 1.
    """
    greater, less = fair_coin_at_least([wins, losses], [losses, wins]).tolist()
    return Sides(greater, less, min(1.0, 2.0 * min(greater, less)))


def _far_tails(count: FloatArray, of: FloatArray, chance: float) -> FloatArray:
    """Far above the mean: the first point, and what each later one is of the one before."""
    odds = chance / (1.0 - chance)
    term, total, place = np.ones_like(count), np.ones_like(count), count.copy()
    while (term > 1e-17 * total).any():
        term *= odds * (of - place) / (place + 1.0)
        total += term
        place += 1.0
    return total * binomial_point(count, of, chance)


def _beyond_stirling(k: FloatArray) -> FloatArray:
    """How far ln k! lies above Stirling's ½·ln(2πk) + k·ln k − k; of no use at k = 0."""
    from scipy.special import gammaln

    small = np.clip(k, 1.0, _STIRLING_FROM)
    direct = gammaln(small + 1.0) - (small + 0.5) * np.log(small) + small
    large = np.maximum(k, _STIRLING_FROM)
    square = large**-2
    series = (1.0 / 12.0 - (1.0 / 360.0 - square / 1260.0) * square) / large
    return np.where(k < _STIRLING_FROM, direct - 0.5 * math.log(2.0 * math.pi), series)


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
class McNemarExact(CountingTest):
    """The exact test of 0/1 outcomes, which at a margin is melding."""

    def p_at_margin(
        self,
        wins: npt.ArrayLike,
        losses: npt.ArrayLike,
        n: int,
        *,
        margin: float,
        claim: str,
    ) -> FloatArray:
        """As `melded_p_values`."""
        return melded_p_values(wins, losses, n, margin=margin, claim=claim)


@dataclass(frozen=True, slots=True, kw_only=True)
class TangoTest:
    """Tango's score test of 0/1 outcomes at a margin; without one there is McNemar's χ²."""

    def p_at_margin(
        self,
        wins: npt.ArrayLike,
        losses: npt.ArrayLike,
        n: int,
        *,
        margin: float,
        claim: str,
    ) -> FloatArray:
        """As `tango_p_values`."""
        return tango_p_values(wins, losses, n, margin=margin, claim=claim)


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
MCNEMAR = McNemarExact(effect_size=odds_ratio)
TANGO = TangoTest()
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
