"""Power of a test at an effect that is stated, never at the one observed.

Power at the observed effect is the p-value told a second time: where p = .05 it is
about one half, whatever the truth. And an effect that was chosen because it was
significant is on average too large, so that power computed from it is optimistic.

It is computed by enumeration where a test's p-value depends on wins and losses
alone, else by theory.

Vocabulary
----------
effect
    Of 0/1 scores: the difference d of the two accuracies, A − B. Of other
    averaged scores: the mean difference.
disagreement
    Of 0/1 scores: the share q of examples that one of the two has right and the
    other wrong. A alone has (q + d)/2 of the examples right, B alone (q − d)/2.
attained level
    The chance that the test gives p <= alpha where the effect is 0. Of a discrete
    test it lies below alpha.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..replicability.decision import at_most
from ..signature import signature_line
from ..significance.counting import SIGN, binomial_at_least, binomial_point
from ..significance.known_tests import significance_test_named, significance_test_names
from ..significance.result import TEST_ALTERNATIVES, TestAlternative
from ..significance.significance_test import (
    Kernel,
    OfCounts,
    OfDifferences,
    OfMoments,
    OfSigns,
)
from ..significance.student import StudentTest
from ..significance.wilcoxon import SignedRankTest
from ..types import BoolArray, FloatArray, IntArray
from ..validation import check_alpha, check_choice, check_open_share

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StatedEffect:
    """What power is asked for: a test, and an effect that is stated.

    Attributes
    ----------
    effect : float
        As stated, A − B with higher being better.
    test : str
        Name of the test.
    alpha : float
        The level.
    alternative : {"greater", "less", "two-sided"}
        What its p-value speaks for; "two-sided" counts both directions.
    disagreement, standard_deviation : float or None
        What the effect is seen against: the first with 0/1 scores, else the second.
    approximation : str
        What is assumed beyond independent examples, '' where nothing is.
    """

    effect: float
    test: str
    alpha: float
    alternative: TestAlternative
    disagreement: float | None
    standard_deviation: float | None
    approximation: str

    def _signature(self, **asked: object) -> str:
        return signature_line(
            **asked,
            alt=self.alternative,
            alpha=self.alpha,
            effect=self.effect,
            disagreement=self.disagreement,
            sd=self.standard_deviation,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Power(StatedEffect):
    """Chance of p <= alpha at each size, at a stated effect.

    Attributes
    ----------
    n_examples : ndarray of int, shape (sizes,)
        Sizes of independent test sets.
    power : ndarray, shape (sizes,)
        At the effect.
    attained_level : ndarray, shape (sizes,)
        At no effect, with the same disagreement or standard deviation.
    """

    n_examples: IntArray
    power: FloatArray
    attained_level: FloatArray

    @property
    def signature(self) -> str:
        """The line that names everything the numbers depend on."""
        return self._signature(power=self.test)

    def to_frame(self) -> pd.DataFrame:
        """A row for each size."""
        import pandas as pd

        return pd.DataFrame(
            {
                "n_examples": self.n_examples,
                "effect": self.effect,
                "power": self.power,
                "attained_level": self.attained_level,
            }
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExpectedShares:
    """What share of independent test sets of each size has p <= alpha.

    Attributes
    ----------
    n_examples : tuple of int
        The sizes.
    by_chance : tuple of float
        Where the systems are equal: the attained level.
    by_effect : tuple of float or None
        At the stated effect; None without one.
    effect : float or None
        As stated.
    approximation : str
        As of `Power`.
    """

    n_examples: tuple[int, ...]
    by_chance: tuple[float, ...]
    by_effect: tuple[float, ...] | None
    effect: float | None
    approximation: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExamplesNeeded(StatedEffect):
    """The smallest test set on which a stated effect is found often enough.

    Attributes
    ----------
    n_examples : int or None
        The smallest n that reaches the power, as the ten sizes after it do: the
        power of discrete tests rises with small steps back. None where none up
        to `most` does.
    power : float
        As asked for.
    reached : float or None
        The power at `n_examples`.
    most : int
        The largest size tried.
    """

    n_examples: int | None
    power: float
    reached: float | None
    most: int

    @property
    def signature(self) -> str:
        """The line that names everything the number depends on."""
        return self._signature(needed=self.test, power=self.power)


# Of the number of discordant examples, so many standard deviations to either side: 1e-15.
_DEVIATIONS = 8.5
# Of Wilcoxon's test beside Student's for normal differences (Hodges and Lehmann 1956).
_EFFICIENCY = 3.0 / np.pi

_NOT_OF_CORRELATIONS = (
    "`test` must be one of scores that are averaged; the power of {!r} depends on three "
    "correlations, not on one effect."
)
_NORMAL = "normal differences"
_NORMAL_MEAN = "the mean difference is taken to be normal"
_AS_SIGN = (
    "computed as for the sign test, which it is on 0/1 scores but for rounding of its normal form"
)
_OF_RANKS = (
    "normal differences, of which Wilcoxon's test uses as much as Student's does of 3/π of them"
)
_AS_STUDENT = "normal differences; computed for Student's t, which the test approaches as n grows"


def power_of_outcomes(
    effect: float,
    sizes: IntArray,
    disagreement: float,
    test: str,
    alpha: float,
    alternative: TestAlternative,
) -> tuple[FloatArray, str]:
    """Of 0/1 scores, shape (sizes,), and what is assumed beyond independent examples.

    Raises
    ------
    ValueError
        If the test is one of correlations, its power is not known, or there is no
        such test or alternative.
    """
    check_choice(alternative, TEST_ALTERNATIVES, name="alternative")
    kernel = _kernel(test)
    if disagreement == 0.0:
        return np.zeros(sizes.size), ""
    if isinstance(kernel, OfMoments):
        spread = np.sqrt(disagreement - effect**2)
        if spread == 0.0:
            return np.full(sizes.size, float(effect > 0.0)), _NORMAL_MEAN
        return _normal_power(effect / spread * np.sqrt(sizes), alpha, alternative), _NORMAL_MEAN
    counting = kernel if isinstance(kernel, OfCounts) else SIGN
    chance = 0.5 * (1.0 + effect / disagreement)
    power = _enumerated(sizes, disagreement, chance, counting, alpha, alternative)
    return power, _AS_SIGN if isinstance(kernel, SignedRankTest) else ""


def power_of_means(
    shift: float, sizes: IntArray, test: str, alpha: float, alternative: TestAlternative
) -> tuple[FloatArray, str]:
    """At a mean difference in standard deviations, shape (sizes,), and what is assumed.

    Raises
    ------
    ValueError
        If the test is one of correlations, or of 0/1 scores, its power is not
        known, or there is no such test or alternative.
    """
    from scipy.special import ndtr

    check_choice(alternative, TEST_ALTERNATIVES, name="alternative")
    kernel = _kernel(test)
    if significance_test_named(test).suits_outcomes_only:
        raise ValueError(
            f"`disagreement` must be given with `test` {test!r}, which is for 0/1 scores."
        )
    if isinstance(kernel, OfCounts):
        chance = float(ndtr(shift))
        return _enumerated(sizes, 1.0, chance, kernel, alpha, alternative), _NORMAL
    own = sizes.astype(np.float64)
    if isinstance(kernel, SignedRankTest):
        return _student_power(shift, _EFFICIENCY * own, alpha, alternative), _OF_RANKS
    power = _student_power(shift, own, alpha, alternative)
    return power, _NORMAL if isinstance(kernel, StudentTest) else _AS_STUDENT


def tests_of_known_power() -> tuple[str, ...]:
    """Names of the tests of averaged scores whose power is known, as `power_of_outcomes` has it."""
    return significance_test_names(
        lambda test: isinstance(test.kernel, OfCounts | OfMoments | OfSigns)
    )


def _kernel(name: str) -> Kernel:
    kernel = significance_test_named(name).kernel
    if not isinstance(kernel, OfDifferences):
        raise ValueError(_NOT_OF_CORRELATIONS.format(name))
    check_choice(name, tests_of_known_power(), name="test")
    return kernel


def _normal_power(centre: FloatArray, alpha: float, alternative: TestAlternative) -> FloatArray:
    from scipy.special import ndtr, ndtri

    if alternative == "two-sided":
        edge = float(ndtri(alpha / 2.0))
        return np.asarray(ndtr(edge + centre) + ndtr(edge - centre))
    sign = 1.0 if alternative == "greater" else -1.0
    return np.asarray(ndtr(float(ndtri(alpha)) + sign * centre))


def _student_power(
    shift: float, sizes: FloatArray, alpha: float, alternative: TestAlternative
) -> FloatArray:
    from scipy.special import stdtrit
    from scipy.stats import nct

    power = np.zeros(sizes.size)
    enough = sizes > 1.0
    freedom, own = sizes[enough] - 1.0, sizes[enough]
    if alternative == "less":
        shift = -shift
    elif alternative == "two-sided":
        shift = abs(shift)
    edge = -stdtrit(freedom, alpha / 2.0 if alternative == "two-sided" else alpha)
    centre = shift * np.sqrt(own)
    found = nct.sf(edge, freedom, centre)
    if alternative == "two-sided":
        # Of the wrong side, far out, scipy gives nan for what is below 1e-20.
        found = found + np.nan_to_num(nct.cdf(-edge, freedom, centre))
    power[enough] = found
    return power


def _enumerated(
    sizes: IntArray,
    disagreement: float,
    chance: float,
    kernel: OfCounts,
    alpha: float,
    alternative: TestAlternative,
) -> FloatArray:
    """Sum over the number of discordant examples and, within it, over the wins."""

    def ends(n: int) -> tuple[int, int]:
        centre = n * disagreement
        reach = _DEVIATIONS * np.sqrt(centre * (1.0 - disagreement)) + 40.0
        return max(0, int(centre - reach)), min(n, int(np.ceil(centre + reach)))

    windows = [ends(n) for n in sizes.tolist()]
    numbers = np.unique(np.concatenate([np.arange(low, high + 1) for low, high in windows]))
    of = numbers.astype(np.float64)
    if alternative == "less":
        chance = 1.0 - chance
    side: TestAlternative = "two-sided" if alternative == "two-sided" else "greater"
    critical = _critical_wins(of, kernel, alpha, side)
    rejected = binomial_at_least(critical, of, chance)
    if alternative == "two-sided":
        rejected = rejected + binomial_at_least(critical, of, 1.0 - chance)
    power = np.empty(sizes.size)
    for i, (n, (low, high)) in enumerate(zip(sizes.tolist(), windows, strict=True)):
        part = slice(*np.searchsorted(numbers, [low, high + 1]).tolist())
        weights = binomial_point(of[part], n, disagreement)
        power[i] = float(weights @ rejected[part]) / float(weights.sum())
    return power


def _critical_wins(
    of: FloatArray, kernel: OfCounts, alpha: float, alternative: TestAlternative
) -> FloatArray:
    """The fewest wins of so many discordant examples with p <= alpha; one more than all if none."""
    # p falls as wins rise from one half on; below one half no test rejects in favour of A,
    # unless alpha is above one half.
    low = np.full(of.size, -1.0) if alternative == "greater" else np.ceil(of / 2.0) - 1.0
    high = of + 1.0
    while bool((high - low > 1.0).any()):
        middle = np.floor((low + high) / 2.0)
        inside = (middle > low) & (middle < high)
        won = np.clip(middle, 0.0, of)
        small = at_most(kernel.p_of_counts(won, of - won, alternative=alternative), alpha)
        high = np.where(inside & small, middle, high)
        low = np.where(inside & ~small, middle, low)
    return high


# Where power rises with small steps back, so many sizes in a row are to reach it.
_IN_A_ROW = 10

# Sizes looked at around the one that the search finds.
_LOOK_BACK, _LOOK_AHEAD = 24, 64


def power_at(
    effect: float,
    n: int | Sequence[int] | IntArray,
    *,
    test: str,
    alpha: float = 0.05,
    alternative: TestAlternative = "greater",
    disagreement: float | None = None,
    standard_deviation: float | None = None,
) -> Power:
    """Chance that a test set of `n` independent examples gives p <= alpha.

    Parameters
    ----------
    effect : float
        What the user states: A − B, higher being better. Never the observed one.
    n : int or sequence of int
        Sizes, at least 1 each.
    test : str
        With `disagreement`: McNemar's tests, "sign" and "approximate-randomization"
        by enumerating wins and losses; "paired-bootstrap" by the normal
        approximation. With `standard_deviation`: "paired-t" by the noncentral t
        distribution; "paired-bootstrap" and "approximate-randomization" as that,
        which they approach, and "wilcoxon" with 3/π of the examples.
    alpha : float
        In (0, 1).
    alternative : {"greater", "less", "two-sided"}
        What p-values speak for.
    disagreement : float, optional
        Of 0/1 scores, in [|effect|, 1].
    standard_deviation : float, optional
        Of the differences of other scores, above 0. One of the two is given.

    Raises
    ------
    ValueError
        If an argument is not as described, or the test's power is not known so.

    References
    ----------
    Miettinen (Biometrics 1968) for McNemar's test; Johnson, Kotz and Balakrishnan
    (1995), chapter 31, for the noncentral t distribution.
    """
    significance_test_named(test)
    level = check_alpha(alpha)
    check_choice(alternative, TEST_ALTERNATIVES, name="alternative")
    sizes = np.atleast_1d(np.asarray(n))
    if sizes.ndim != 1 or sizes.dtype.kind not in "iu" or bool((sizes < 1).any()):
        raise ValueError(f"`n` must be whole numbers of at least 1; got {n!r}.")
    shift = _checked_effect(effect, disagreement, standard_deviation)
    if disagreement is not None:
        power, approximation = power_of_outcomes(
            shift, sizes, float(disagreement), test, level, alternative
        )
        chance, _ = power_of_outcomes(0.0, sizes, float(disagreement), test, level, alternative)
    else:
        assert standard_deviation is not None
        spread = float(standard_deviation)
        power, approximation = power_of_means(shift / spread, sizes, test, level, alternative)
        chance, _ = power_of_means(0.0, sizes, test, level, alternative)
    return Power(
        effect=shift,
        n_examples=sizes.astype(np.intp),
        power=power,
        attained_level=chance,
        test=test,
        alpha=level,
        alternative=alternative,
        disagreement=disagreement,
        standard_deviation=standard_deviation,
        approximation=approximation,
    )


def share_expected(
    n_examples: Sequence[int],
    *,
    effect: float | None = None,
    test: str,
    alpha: float = 0.05,
    alternative: TestAlternative = "greater",
    disagreement: float | None = None,
    standard_deviation: float | None = None,
) -> ExpectedShares:
    """What share of independent test sets is significant, by chance and by a stated effect.

    To be shown beside the shares of subsamples of one dataset, which share
    examples and follow the whole dataset as they grow.

    Raises
    ------
    ValueError
        As `power_at`.
    """
    found = power_at(
        0.0 if effect is None else effect,
        list(n_examples),
        test=test,
        alpha=alpha,
        alternative=alternative,
        disagreement=disagreement,
        standard_deviation=standard_deviation,
    )
    return ExpectedShares(
        n_examples=tuple(found.n_examples.tolist()),
        by_chance=tuple(found.attained_level.tolist()),
        by_effect=None if effect is None else tuple(found.power.tolist()),
        effect=effect,
        approximation=found.approximation,
    )


def examples_needed(
    power: float,
    *,
    effect: float,
    test: str,
    alpha: float = 0.05,
    alternative: TestAlternative = "greater",
    disagreement: float | None = None,
    standard_deviation: float | None = None,
    most: int = 1_000_000,
) -> ExamplesNeeded:
    """Search for the size of a test set on which a stated effect is found often enough.

    Parameters
    ----------
    power : float
        In (0, 1).
    most : int
        The largest size to try.
    effect, test, alpha, alternative, disagreement, standard_deviation
        As of `power_at`.

    Raises
    ------
    ValueError
        As `power_at`.
    """
    check_open_share(power, name="power")

    def at(sizes: Sequence[int]) -> Power:
        return power_at(
            effect,
            sizes,
            test=test,
            alpha=alpha,
            alternative=alternative,
            disagreement=disagreement,
            standard_deviation=standard_deviation,
        )

    def reaches(n: int) -> bool:
        return float(at([n]).power[0]) >= power

    found = at([1])
    low, high = 0, 1
    while high < most and not reaches(high):
        low, high = high, min(2 * high, most)
    n: int | None = None
    if reaches(high):
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if reaches(middle) else (middle, high)
        n = _settled(high, reaches=lambda sizes: at(sizes).power >= power)
    return ExamplesNeeded(
        n_examples=n,
        power=power,
        reached=None if n is None else float(at([n]).power[0]),
        most=most,
        effect=found.effect,
        test=test,
        alpha=found.alpha,
        alternative=alternative,
        disagreement=disagreement,
        standard_deviation=standard_deviation,
        approximation=found.approximation,
    )


def _settled(first: int, *, reaches: Callable[[Sequence[int]], BoolArray]) -> int:
    """The smallest size around `first` that reaches, as the sizes after it do."""
    start = max(1, first - _LOOK_BACK)
    while True:
        sizes = range(start, start + _LOOK_AHEAD)
        found = reaches(sizes)
        runs = np.lib.stride_tricks.sliding_window_view(found, _IN_A_ROW + 1).all(axis=1)
        if runs.any():
            return sizes[int(np.argmax(runs))]
        start += _LOOK_AHEAD - _IN_A_ROW


def _checked_effect(
    effect: float, disagreement: float | None, standard_deviation: float | None
) -> float:
    shift = float(effect)
    if not np.isfinite(shift):
        raise ValueError(f"`effect` must be a finite number; got {effect!r}.")
    if (disagreement is None) == (standard_deviation is None):
        raise ValueError(
            "Either `disagreement` (of 0/1 scores) or `standard_deviation` (of the differences of "
            "other scores) must be given, and not both."
        )
    if disagreement is not None and not abs(shift) <= disagreement <= 1.0:
        raise ValueError(
            "`disagreement` must lie between the size of `effect` and 1, as accuracies cannot be "
            f"farther apart than the share of examples that differ; got {disagreement!r} with "
            f"effect {effect!r}."
        )
    if standard_deviation is not None and not 0.0 < standard_deviation < np.inf:
        raise ValueError(f"`standard_deviation` must be above 0; got {standard_deviation!r}.")
    return shift
