"""Power of each test, by enumeration where its p-value is one of counts, else by theory."""

from __future__ import annotations

import numpy as np

from core.replicability.decision import at_most
from core.significance.binomial import binomial_at_least, binomial_point
from core.significance.counting import SIGN
from core.significance.known_tests import significance_test_named, significance_test_names
from core.significance.result import TEST_ALTERNATIVES, TestAlternative
from core.significance.significance_test import (
    Kernel,
    OfCounts,
    OfDifferences,
    OfMoments,
    OfSigns,
)
from core.significance.student import StudentTest
from core.significance.wilcoxon import SignedRankTest
from core.types import FloatArray, IntArray
from core.validation import check_choice

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
