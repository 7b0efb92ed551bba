"""Tails of the studentized range, and groups that nothing separates."""

import itertools

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from core.effects.post_hoc import groups_not_separated, letters, nemenyi_quantile, range_tail
from tests.core.effects.cases import brute_force, separations


@pytest.mark.parametrize("k", [2, 3, 13, 100, 300])
def test_tails_agree_with_scipy(k):
    q = np.array([0.0, 0.3, 1.0, 2.2, 3.3, 4.5, 6.0, 7.5])
    reference = [scipy.stats.studentized_range.sf(value, k, np.inf) for value in q]
    np.testing.assert_allclose(range_tail(q, k), reference, rtol=1e-9, atol=1e-13)


def test_small_tails_are_those_of_one_pair_times_the_number_of_pairs():
    q = np.linspace(0.0, 38.0, 77)
    of_pair = 2.0 * scipy.stats.norm.sf(q / np.sqrt(2.0))
    np.testing.assert_allclose(range_tail(q, 2), of_pair, rtol=1e-11)
    for k in (3, 40, 300):
        tails, pairs = range_tail(q[24:], k), k * (k - 1) / 2 * of_pair[24:]
        assert (tails <= pairs * (1.0 + 1e-12)).all(), k
        np.testing.assert_allclose(tails[16:], pairs[16:], rtol=1e-6)


def test_tails_keep_the_shape_and_the_order_and_never_reach_zero():
    q = np.array([[1.0, 100.0], [0.0, 1.0]])
    tails = range_tail(q, 5)
    assert tails.shape == (2, 2)
    assert tails[0, 0] == tails[1, 1]
    assert tails[1, 0] == pytest.approx(1.0, rel=1e-12)
    assert 0.0 < tails[0, 1] < 1e-300


def test_quantiles_are_where_the_tail_is_alpha():
    for k, alpha in ((2, 0.1), (5, 0.001), (57, 0.1), (300, 0.001)):
        expected = scipy.stats.studentized_range.isf(alpha, k, np.inf)
        assert nemenyi_quantile(alpha, k) * 2**0.5 == pytest.approx(expected, rel=1e-9), k


@given(separations(), st.randoms(use_true_random=False))
def test_groups_are_as_large_as_they_can_be_and_share_letters_where_nothing_separates(
    separated, random
):
    k = len(separated)
    order = random.sample(range(k), k)
    groups = groups_not_separated(separated, order)
    assert {frozenset(group) for group in groups} <= brute_force(separated)
    assert len(groups) == len(set(groups))
    place = {system: i for i, system in enumerate(order)}
    assert all(list(group) == sorted(group, key=place.__getitem__) for group in groups)
    marks = letters(groups, k)
    assert all("a" in marks[member] for member in groups[0])
    for i, j in itertools.combinations(range(k), 2):
        assert bool(set(marks[i]) & set(marks[j])) != separated[i, j]


def test_300_systems_in_one_order_have_their_runs_as_groups():
    ranks = np.arange(300)
    groups = groups_not_separated(np.abs(ranks[:, np.newaxis] - ranks) >= 20, ranks.tolist())
    assert groups == tuple(tuple(range(i, i + 20)) for i in range(281))


def test_three_hundred_systems_without_any_order_end_soon():
    upper = np.triu(np.random.default_rng(0).random((300, 300)) < 0.5, 1)
    separated = upper | upper.T
    together = np.zeros((300, 300), dtype=bool)
    for group in groups_not_separated(separated, range(300)):
        together[np.ix_(group, group)] = True
    np.fill_diagonal(together, True)
    assert np.array_equal(together, ~separated)
