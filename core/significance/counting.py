"""Tests of wins and losses: McNemar's, the sign test, and those of 0/1 outcomes at a margin.

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

At a margin m in [0, 1): of n examples b are wins of A and c of B; θ is the share on which
the two differ, δ the difference of the two accuracies, A − B. Null hypotheses:

- not worse by m: δ <= −m;
- better by m: δ <= m.

No randomization test exists where m > 0, as exchanging A and B says δ = 0. The exact
test melds what is known of θ, a beta distribution, with the binomial test of the wins
among the examples that differ. In every case tried its level is at most α; at m = 0 it
is McNemar's exact test. Tango's score test is the usual approximation: its level
exceeds α by up to a quarter.

References
----------
McNemar (Psychometrika 1947); Dixon and Mood (JASA 1946); Fagerland, Lydersen and
Laake (BMC Medical Research Methodology 2013), equations 1 to 5; Fay and Lumbard (Statistics
in Medicine 2021); Tango (Statistics in Medicine 1998), equations 8 to 12.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import numpy as np
import numpy.typing as npt

from ..types import FloatArray
from ..validation import check_choice
from .differences import Differences
from .lattice import SMALLEST
from .outcome import EffectSize, Outcome, Sides, attainable, odds_ratio, win_share
from .settings import Asked, MethodUsed, Settings

# SciPy's beta integral is right to 1e-11 above this; below, it gives 0 for some n from 1075 on.
_LEAST_OF_INTEGRAL = 1e-200
# From here on three terms of Stirling's series have all digits.
_STIRLING_FROM = 32.0


def binomial_at_least(
    successes: npt.ArrayLike, n: npt.ArrayLike, chance: float = 0.5
) -> FloatArray:
    """P(X >= successes) for X ~ Bin(n, chance), elementwise, to a relative 1e-10 for n up to 10^6.

    0 only for more than n successes, without a chance, and below the smallest float; successes may
    be negative.
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


MarginClaim = Literal["not-worse", "better-by"]
MARGIN_CLAIMS: tuple[MarginClaim, ...] = get_args(MarginClaim)
# P-values at a margin by wins, losses and n, elementwise, as `melded_p_values`.
PAtMargin = Callable[..., FloatArray]

# Of the integral over θ: points at which its peak is looked for, how far below the peak it is
# left out (e^-46 = 1e-20), and nodes of Gauss and Legendre's rule on what is left.
_LINEAR, _NEAR_MODE, _DEVIATIONS = 257, 513, 30.0
_LOG_OUTSIDE = 46.0
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(200)
# Pairs of wins and losses at once: 16 MiB of points.
_PAIRS_AT_ONCE = 1024


def melded_p_values(
    wins: npt.ArrayLike, losses: npt.ArrayLike, n: int, *, margin: float, claim: str
) -> FloatArray:
    """P-values of the exact test, elementwise; never 0, and falling as wins rise or losses fall.

    Not worse: E P(Bin(b + c, ½(1 − m/θ)) >= b), θ ~ Beta(b + c + 1, n − b − c), the probability
    being 0 where θ < m. Better by m: the same with ½·min(2, 1 + m/θ) and θ ~ Beta(b + c, n − b − c
    + 1); without a win 1. The margin m is a share of the n examples.
    """
    won, lost = _checked(wins, losses, n, margin, claim)
    flat = np.stack([won.ravel(), lost.ravel()])
    found = np.empty(flat.shape[1])
    for start in range(0, found.size, _PAIRS_AT_ONCE):
        part = slice(start, start + _PAIRS_AT_ONCE)
        won_here, lost_here = flat[:, part]
        found[part] = _melded(won_here, lost_here, float(n), margin, claim == "not-worse")
    return np.clip(found, SMALLEST, 1.0).reshape(won.shape)


def tango_p_values(
    wins: npt.ArrayLike, losses: npt.ArrayLike, n: int, *, margin: float, claim: str
) -> FloatArray:
    """P-values of Tango's score test, elementwise; never 0. Arguments are as of `melded_p_values`.

    Z = (b − c + nm)/√(n(q₁₀ + q₀₁ − m²)), the q being maximum likelihood under q₁₀ − q₀₁ = −m. Of
    "better by m" the same with −m; 0 where nothing differs and m is 0.
    """
    from scipy.special import ndtr

    won, lost = _checked(wins, losses, n, margin, claim)
    # A better by m is not: B worse by less than m. Seen from B, the difference is −δ.
    worse = claim == "better-by"
    b, c = (lost, won) if worse else (won, lost)
    linear = b * (1.0 - margin) + c * (1.0 + margin) + 2.0 * n * margin
    root = np.sqrt(np.maximum(linear**2 - 8.0 * n * c * margin * (1.0 + margin), 0.0))
    behind = (linear + root) / (4.0 * n)
    variance = n * np.maximum(2.0 * behind - margin - margin**2, 0.0)
    some = variance > 0.0
    z = np.where(some, (b - c + n * margin) / np.sqrt(np.where(some, variance, 1.0)), 0.0)
    return np.maximum(ndtr(z if worse else -z), SMALLEST)


def _checked(
    wins: npt.ArrayLike, losses: npt.ArrayLike, n: int, margin: float, claim: str
) -> tuple[FloatArray, FloatArray]:
    check_choice(claim, MARGIN_CLAIMS, name="claim")
    won, lost = np.broadcast_arrays(
        np.asarray(wins, dtype=np.float64), np.asarray(losses, dtype=np.float64)
    )
    if not 0.0 <= margin < 1.0:
        raise ValueError(f"`margin` must be a share of the examples in [0, 1); got {margin!r}.")
    return won, lost


def _melded(
    won: FloatArray, lost: FloatArray, n: float, margin: float, not_worse: bool
) -> FloatArray:
    from scipy.special import betainc

    differing = won + lost
    if margin == 0.0:
        return np.where(won > 0.0, betainc(np.maximum(won, 1.0), lost + 1.0, 0.5), 1.0)
    p = np.ones(won.size)
    if not_worse:
        first, second = differing + 1.0, n - differing
        # Without an example on which neither or both are right, θ is 1.
        certain = second == 0.0
        p[certain & (won > 0.0)] = betainc(
            won[certain & (won > 0.0)], lost[certain & (won > 0.0)] + 1.0, 0.5 * (1.0 - margin)
        )
        unknown = ~certain
    else:
        first, second = differing, n - differing + 1.0
        unknown = won > 0.0
    if unknown.any():
        p[unknown] = _integrated(
            won[unknown], lost[unknown], first[unknown], second[unknown], margin, not_worse
        )
    return p


def _integrated(
    won: FloatArray,
    lost: FloatArray,
    first: FloatArray,
    second: FloatArray,
    margin: float,
    not_worse: bool,
) -> FloatArray:
    """The integral over θ ~ Beta(first, second), around the peak of what is integrated."""
    from scipy.special import betainc, betaln, xlog1py, xlogy

    column = slice(None), np.newaxis
    mode = (first - 1.0) / np.maximum(first + second - 2.0, 1.0)
    spread = np.sqrt(first * second / (first + second + 1.0)) / (first + second)
    near = mode[column] + spread[column] * np.linspace(-_DEVIATIONS, _DEVIATIONS, _NEAR_MODE)
    all_over = np.broadcast_to(np.linspace(margin, 1.0, _LINEAR), (won.size, _LINEAR))
    points = np.sort(np.clip(np.concatenate([near, all_over], axis=1), margin, 1.0), axis=1)
    constant = betaln(first, second)

    def log_of(theta: FloatArray) -> FloatArray:
        chance = 0.5 * (1.0 - margin / theta if not_worse else 1.0 + margin / theta)
        tail = betainc(np.maximum(won, 1.0)[column], lost[column] + 1.0, chance)
        with np.errstate(divide="ignore"):
            log_tail = np.log(np.where(won[column] > 0.0, tail, 1.0))
        density = xlogy(first[column] - 1.0, theta) + xlog1py(second[column] - 1.0, -theta)
        return np.asarray(density + log_tail, dtype=np.float64)

    heights = log_of(points)
    inside = heights > heights.max(axis=1, keepdims=True) - _LOG_OUTSIDE
    left = np.maximum(np.argmax(inside, axis=1) - 1, 0)
    right = np.minimum(points.shape[1] - np.argmax(inside[:, ::-1], axis=1), points.shape[1] - 1)
    rows = np.arange(won.size)
    start, end = points[rows, left], points[rows, right]
    half = 0.5 * (end - start)
    theta = 0.5 * (start + end)[column] + half[column] * _NODES
    integral: FloatArray = half * (np.exp(log_of(theta) - constant[column]) @ _WEIGHTS)
    # Where θ is at most m, A is not worse for certain, and better by m never.
    return integral if not_worse else integral + betainc(first, second, margin)


# Below so many differing examples χ² is poor.
_FEW = 25


@dataclass(frozen=True, slots=True, kw_only=True)
class CountingTest:
    """The exact test of wins and losses, ties dropped; the other ones differ in their tails."""

    effect_size: Callable[[int, int], EffectSize | None] = win_share
    # Whether the observed split is counted by half.
    mid_p: bool = False
    method: ClassVar[MethodUsed] = "exact"

    def of_scores(self, differences: Differences, asked: Asked) -> Outcome:
        """P-values of one sample for each alternative; the settings have nothing for it."""
        wins, losses = differences.wins, differences.losses
        return Outcome(
            p_values=self.sides(wins, losses),
            method=self.method,
            statistic=self._statistic(wins, losses),
            notes=self._notes(differences, asked.settings),
            effect_size=self.effect_size(wins, losses),
        )

    def p_of_counts(
        self, wins: npt.ArrayLike, losses: npt.ArrayLike, *, alternative: str
    ) -> FloatArray:
        """P-values, elementwise; never 0, and 1 where nothing differs.

        With X ~ Bin(wins + losses, 1/2), exact is P(X >= wins), two-sided twice the smaller tail, at
        most 1; mid-p a tail less ½·P(X = wins), two-sided at wins = losses 1 − ½·P(X = wins). χ² is
        (wins − losses)²/(wins + losses), one-sided by its signed root; corrected by 1, never below 0.
        """
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

    def _tails(self, won: FloatArray, lost: FloatArray, two_sided: bool) -> FloatArray:
        tails = fair_coin_at_least(won, lost)
        if not self.mid_p:
            return tails
        half = 0.5 * binomial_point(won, won + lost)
        # At a tie the two tails have the observed split in common.
        return np.where((won == lost) & two_sided, 0.5 - 0.5 * half, tails - half)

    def _statistic(self, wins: int, _losses: int) -> float:
        return float(wins)

    def _notes(self, differences: Differences, settings: Settings) -> tuple[str, ...]:
        return attainable(
            settings.alternative,
            n_differing=differences.wins + differences.losses,
            n=differences.n,
            mid_p=self.mid_p,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ChiSquaredTest(CountingTest):
    """By the normal distribution; the continuity correction is 1 (Edwards 1948), or 0."""

    correction: float
    method: ClassVar[MethodUsed] = "normal"

    def _tails(self, won: FloatArray, lost: FloatArray, _two_sided: bool) -> FloatArray:
        from scipy.special import ndtr

        shift = won - lost - self.correction
        tails: FloatArray = ndtr(-shift / np.sqrt(np.maximum(won + lost, 1.0)))
        return tails

    def _statistic(self, wins: int, losses: int) -> float:
        return max(abs(wins - losses) - self.correction, 0.0) ** 2 / max(wins + losses, 1)

    def _notes(self, differences: Differences, _settings: Settings) -> tuple[str, ...]:
        differing = differences.wins + differences.losses
        if not 0 < differing < _FEW:
            return ()
        differ = "example differs" if differing == 1 else "examples differ"
        return (f"only {differing} {differ}: the exact test is safer than χ²",)


SIGN = CountingTest()
MCNEMAR = CountingTest(effect_size=odds_ratio)
MCNEMAR_MID_P = CountingTest(effect_size=odds_ratio, mid_p=True)
MCNEMAR_CHI2 = ChiSquaredTest(effect_size=odds_ratio, correction=0.0)
MCNEMAR_CHI2_CORRECTED = ChiSquaredTest(effect_size=odds_ratio, correction=1.0)
