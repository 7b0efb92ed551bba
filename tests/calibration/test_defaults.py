"""The default tests of averaged scores reject as often as their docstring says where means are equal."""

import itertools
import re

import pytest
from scipy.stats import binom

from core.significance.choose import RARE_LOSS_RATES, choose_test
from tests.calibration.defaults import DECIMALS, LEVEL, SHAPES, SIZES, drawn

DRAWS = 150
CASES = list(itertools.product(SHAPES, SIZES[::2], DECIMALS))
# Bonferroni's share of .001, both sides of every rate of both tests.
JUDGED_AT = 0.001 / (4 * len(CASES))
# Rates are stated to two digits, of more draws, the same for both kinds of scores.
ROOM = 0.02


def stated(shape: str) -> tuple[list[float], list[float]]:
    """By size, of the default and of Wilcoxon."""
    text = " ".join((choose_test.__doc__ or "").split())
    found = re.search(rf"- {re.escape(shape)}: ([\d. ]+); Wilcoxon ([\d. ]+?)(?= - | Rare)", text)
    assert found is not None, shape
    default, ranks = ([float(one) for one in group.split()] for group in found.groups())
    return default, ranks


def judge(share: float, said: float, case: object) -> None:
    n_small = round(share * DRAWS)
    assert binom.sf(n_small - 1, DRAWS, min(1.0, said + ROOM)) > JUDGED_AT, (case, share, said)
    assert binom.cdf(n_small, DRAWS, max(0.0, said - ROOM)) > JUDGED_AT, (case, share, said)


@pytest.mark.parametrize("shape", SHAPES)
def test_rates_under_equal_means_are_those_that_the_docstring_states(shape: str) -> None:
    default, ranks = stated(shape)
    for n, kind in itertools.product(SIZES[::2], DECIMALS):
        found = drawn(shape, n, DECIMALS[kind], DRAWS)
        # Ratings are on a lattice however they are rounded.
        exact = n <= 20 or kind == "on a lattice" or shape == "tied"
        assert found.tests == {"approximate-randomization" if exact else "paired-t"}, (n, kind)
        by_default, by_ranks, _ = found.rates
        judge(by_default, default[SIZES.index(n)], (shape, n, kind))
        judge(by_ranks, ranks[SIZES.index(n)], (shape, n, kind, "wilcoxon"))


def test_what_is_said_beside_small_samples_are_the_rates_of_the_docstring() -> None:
    assert tuple(RARE_LOSS_RATES) == SIZES
    assert list(RARE_LOSS_RATES.values()) == stated("rare large loss")[0]


def test_few_examples_reject_at_least_as_often_as_no_loss_is_among_them() -> None:
    # Where all are gains p is 2⁻ⁿ.
    for n in (12, 20):
        assert round(0.9**n, 2) <= RARE_LOSS_RATES[n] <= 0.9**n + 0.01


def test_tests_of_the_mean_near_their_level_where_wilcoxon_leaves_it_for_good() -> None:
    for shape in ("1 − Exp(1)", "rare large loss"):
        default, ranks = stated(shape)
        assert default[-1] <= 0.07 < 0.9 < ranks[-1], shape


def test_false_rejections_by_skewed_differences_are_warned_of_and_those_of_normal_ones_are_not():
    for kind in DECIMALS.values():
        assert drawn("normal", 12, kind, DRAWS).rates[2] == 1.0
        rare = drawn("rare large loss", 100, kind, DRAWS)
        assert rare.rates[2] >= 0.9
        assert drawn("normal", 100, kind, DRAWS).warned.mean() <= LEVEL
