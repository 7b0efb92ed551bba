"""Tails of the studentized range, and groups that nothing separates."""

import itertools

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from core.effects.critical_difference import (
    groups_not_separated,
    letters,
    range_quantile,
    range_tail,
)


@pytest.mark.parametrize("k", [2, 3, 13, 100, 300])
def test_tails_agree_with_scipy(k):
    q = np.array([0.0, 0.3, 1.0, 2.2, 3.3, 4.5, 6.0, 7.5])
    reference = [scipy.stats.studentized_range.sf(value, k, np.inf) for value in q]
    np.testing.assert_allclose(range_tail(q, k), reference, rtol=1e-9, atol=1e-13)


def test_the_range_of_two_normals_is_a_normal_difference_far_into_the_tail():
    q = np.linspace(0.0, 38.0, 77)
    np.testing.assert_allclose(
        range_tail(q, 2), 2.0 * scipy.stats.norm.sf(q / np.sqrt(2.0)), rtol=1e-11
    )


@pytest.mark.parametrize("k", [3, 40, 300])
def test_small_tails_are_the_chance_of_one_pair_times_the_number_of_pairs(k):
    q = np.array([12.0, 20.0])
    pairs = k * (k - 1) / 2 * 2.0 * scipy.stats.norm.sf(q / np.sqrt(2.0))
    tails = range_tail(q, k)
    assert (tails <= pairs).all()
    np.testing.assert_allclose(tails[1], pairs[1], rtol=1e-6)


def test_tails_keep_the_shape_and_the_order_and_never_reach_zero():
    q = np.array([[1.0, 100.0], [0.0, 1.0]])
    tails = range_tail(q, 5)
    assert tails.shape == (2, 2)
    assert tails[0, 0] == tails[1, 1]
    assert tails[1, 0] == pytest.approx(1.0, rel=1e-12)
    assert 0.0 < tails[0, 1] < 1e-300


@pytest.mark.parametrize(("k", "alpha"), [(2, 0.1), (5, 0.001), (57, 0.1), (300, 0.001)])
def test_quantiles_are_where_the_tail_is_alpha(k, alpha):
    q = range_quantile(alpha, k)
    assert q == pytest.approx(scipy.stats.studentized_range.isf(alpha, k, np.inf), rel=1e-9)


def brute_force(separated):
    """Every set of systems, kept if no two are separated and no larger one holds it."""
    k = len(separated)
    fitting = [
        set(members)
        for size in range(1, k + 1)
        for members in itertools.combinations(range(k), size)
        if not any(separated[i, j] for i, j in itertools.combinations(members, 2))
    ]
    return {frozenset(one) for one in fitting if not any(one < other for other in fitting)}


@settings(max_examples=50)
@given(st.integers(1, 8), st.data())
def test_groups_equal_a_brute_force_for_any_separation(k, data):
    separated = np.zeros((k, k), dtype=bool)
    for i, j in itertools.combinations(range(k), 2):
        separated[i, j] = separated[j, i] = data.draw(st.booleans())
    order = data.draw(st.permutations(range(k)))
    groups = groups_not_separated(separated, order=order)
    assert {frozenset(group) for group in groups} == brute_force(separated)
    assert len(groups) == len(set(groups))
    place = {system: i for i, system in enumerate(order)}
    assert all(list(group) == sorted(group, key=place.__getitem__) for group in groups)


@settings(max_examples=50)
@given(st.integers(2, 9), st.data())
def test_systems_share_a_letter_exactly_where_they_are_not_separated(k, data):
    separated = np.zeros((k, k), dtype=bool)
    for i, j in itertools.combinations(range(k), 2):
        separated[i, j] = separated[j, i] = data.draw(st.booleans())
    marks = letters(groups_not_separated(separated), k)
    for i, j in itertools.combinations(range(k), 2):
        assert bool(set(marks[i]) & set(marks[j])) != separated[i, j]


def test_300_systems_in_one_order_have_their_runs_as_groups():
    ranks = np.arange(300)
    groups = groups_not_separated(np.abs(ranks[:, np.newaxis] - ranks) >= 20, order=ranks.tolist())
    assert groups == tuple(tuple(range(i, i + 20)) for i in range(281))


def test_a_matrix_that_cannot_be_grouped_is_refused():
    with pytest.raises(ValueError, match="symmetric"):
        groups_not_separated(np.array([[False, True], [False, False]]))
    with pytest.raises(ValueError, match="`order`"):
        groups_not_separated(np.zeros((2, 2), dtype=bool), order=[0, 0])
    # Four pairs, each separated within: 2·2·2·2 groups.
    separated = np.kron(np.eye(4), [[0, 1], [1, 0]]).astype(bool)
    assert len(groups_not_separated(separated)) == 16
    with pytest.raises(ValueError, match="at most 15 groups"):
        groups_not_separated(separated, most=15)
