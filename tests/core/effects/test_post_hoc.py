"""Comparisons after Friedman's test: other tools' numbers, levels, controls, groups."""

import itertools

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from core.effects.across import compare_across
from core.effects.friedman import friedman
from core.effects.post_hoc import adjustments, nemenyi, normal_wilcoxon_of_pairs, post_hoc
from core.replicability.identification import identify_datasets

GRIDS = st.tuples(st.integers(5, 15), st.integers(3, 6)).flatmap(
    lambda shape: arrays(np.int64, shape, elements=st.integers(0, 20))
)
NAMES = ("u", "v", "w", "x", "y", "z")


def example(n=12, k=6, shift=0.6, seed=3, decimals=2):
    rng = np.random.default_rng(seed)
    grid = np.round(rng.normal(size=(n, k)) + shift * np.arange(k), decimals)
    return friedman(grid, systems=NAMES[:k])


@settings(max_examples=15)
@given(GRIDS, st.sampled_from([0.01, 0.05, 0.5]))
def test_nemenyi_separates_what_lies_the_critical_difference_apart(grid, alpha):
    ranks = friedman(grid)
    result = nemenyi(ranks, alpha)
    k, n = ranks.n_systems, ranks.n_datasets
    q = scipy.stats.studentized_range.isf(alpha, k, np.inf) / np.sqrt(2)
    expected = q * np.sqrt(k * (k + 1) / (6 * n))
    assert result.critical_difference == pytest.approx(expected, rel=1e-9)
    apart = np.abs(ranks.mean_ranks[:, np.newaxis] - ranks.mean_ranks) >= expected
    np.testing.assert_array_equal(result.separated, apart)
    assert result.n_comparisons == k * (k - 1) // 2


@pytest.mark.parametrize("k", [3, 6])
def test_nemenyis_p_values_are_those_of_scipys_studentized_range(k):
    result = nemenyi(example(k=k, shift=0.8))
    for j in range(1, k):
        distance = abs(result.friedman.mean_ranks[0] - result.friedman.mean_ranks[j])
        q = distance / np.sqrt(k * (k + 1) / (12 * 12))
        expected = scipy.stats.studentized_range.sf(q, k, np.inf)
        assert result.adjusted_p_values[0, j] == pytest.approx(expected, rel=1e-8, abs=1e-13)
    assert 0 < np.triu(result.separated).sum() < result.n_comparisons


@given(GRIDS, st.sampled_from(adjustments()), st.booleans())
@settings(max_examples=30)
def test_normal_p_values_of_the_compared_pairs_are_adjusted_as_asked(grid, procedure, controlled):
    ranks = friedman(grid, systems=NAMES[: grid.shape[1]])
    result = post_hoc(ranks, "v" if controlled else None, procedure=procedure)
    pairs = [
        (i, j)
        for i, j in itertools.combinations(range(ranks.n_systems), 2)
        if not controlled or 1 in (i, j)
    ]
    error = np.sqrt(ranks.n_systems * (ranks.n_systems + 1) / (6 * ranks.n_datasets))
    z = [(ranks.mean_ranks[i] - ranks.mean_ranks[j]) / error for i, j in pairs]
    plain = 2 * scipy.stats.norm.sf(np.abs(z))
    # What each procedure makes of p-values is held against statsmodels in `core/replicability`.
    adjusted = identify_datasets(plain, procedure=procedure).adjusted_p_values
    np.testing.assert_allclose([result.z[pair] for pair in pairs], z, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose([result.p_values[pair] for pair in pairs], plain, rtol=1e-9)
    np.testing.assert_allclose(
        [result.adjusted_p_values[pair] for pair in pairs], adjusted, rtol=1e-9
    )
    assert result.n_comparisons == len(pairs)


def test_with_a_control_only_its_pairs_are_compared():
    result = post_hoc(example(), "w")
    compared = ~np.isnan(result.adjusted_p_values)
    expected = np.zeros((6, 6), dtype=bool)
    expected[2, :] = expected[:, 2] = True
    expected[2, 2] = False
    np.testing.assert_array_equal(compared, expected)
    assert not result.separated[~expected].any()
    assert result.groups == ()
    assert result.lettered == ()
    by_dunn = post_hoc(example(), "w", procedure="bonferroni-dunn")
    assert (by_dunn.procedure, by_dunn.alpha) == ("bonferroni-dunn", 0.05)
    np.testing.assert_array_equal(np.isnan(by_dunn.adjusted_p_values), ~compared)
    frame = result.to_frame()
    assert len(frame) == 5
    assert all("w" in pair for pair in zip(frame["system"], frame["compared_with"], strict=True))


@pytest.mark.parametrize(
    "compare",
    [
        nemenyi,
        lambda ranks, alpha: post_hoc(ranks, "x", alpha, procedure="bonferroni-dunn"),
        lambda ranks, alpha: post_hoc(ranks, None, alpha),
        lambda ranks, alpha: post_hoc(ranks, None, alpha, by_wilcoxon=True),
    ],
    ids=["nemenyi", "bonferroni-dunn", "holm", "wilcoxon"],
)
def test_a_higher_level_separates_more_by_the_same_adjusted_p_values(compare):
    ranks = example()
    low, high = compare(ranks, 0.05), compare(ranks, 0.3)
    np.testing.assert_array_equal(low.adjusted_p_values, high.adjusted_p_values)
    assert high.separated.sum() > low.separated.sum()


@settings(max_examples=30)
@given(GRIDS)
def test_pairs_by_wilcoxon_have_the_p_values_of_the_two_systems_alone(grid):
    scores = grid / 100
    result = post_hoc(friedman(scores), by_wilcoxon=True)
    for i, j in itertools.combinations(range(grid.shape[1]), 2):
        alone = compare_across(scores[:, i], scores[:, j], alternative="two-sided")
        p_value = alone.of("wilcoxon-zeros-dropped").p_value
        assert result.p_values[i, j] == (1.0 if p_value is None else p_value)
    assert result.critical_difference is None
    assert result.z is None


@pytest.mark.parametrize("decimals", [2, 15])
def test_many_pairs_have_scipys_normal_approximation(decimals):
    rng = np.random.default_rng(8)
    scores = np.round(rng.normal(size=(20, 3)) * np.pi, decimals)
    first, second = np.triu_indices(3, 1)
    expected = [
        scipy.stats.wilcoxon(np.round(scores[:, i] - scores[:, j], 14), method="approx").pvalue
        for i, j in zip(first, second, strict=True)
    ]
    np.testing.assert_allclose(normal_wilcoxon_of_pairs(scores, first, second), expected, rtol=1e-9)


def test_many_pairs_are_compared_by_the_normal_approximation_unless_asked_otherwise():
    few = example(n=30)
    assert post_hoc(few, by_wilcoxon=True).variant.endswith("exact")
    rng = np.random.default_rng(1)
    many = friedman(np.round(rng.normal(size=(60, 120)), 2))
    assert "normal" in post_hoc(many, by_wilcoxon=True).variant
    assert post_hoc(many, "system 1", by_wilcoxon=True).variant.endswith("exact")


def test_directions_that_differ_between_datasets_turn_the_scores_for_wilcoxon():
    rng = np.random.default_rng(2)
    grid = np.round(rng.normal(size=(14, 3)) + np.arange(3), 2)
    turned = grid.copy()
    turned[::2] *= -1
    directions = [i % 2 == 1 for i in range(14)]
    np.testing.assert_array_equal(
        post_hoc(friedman(turned, higher_is_better=directions), by_wilcoxon=True).p_values,
        post_hoc(friedman(grid), by_wilcoxon=True).p_values,
    )


def test_wrong_arguments_are_refused():
    ranks = example()
    with pytest.raises(ValueError, match="`alpha`"):
        nemenyi(ranks, 1.5)
    with pytest.raises(ValueError, match="`control` must be one of 'u'"):
        post_hoc(ranks, "nobody")
    with pytest.raises(ValueError, match="`procedure`"):
        post_hoc(ranks, procedure="tukey")
    with pytest.raises(ValueError, match="`procedure`"):
        post_hoc(ranks, procedure="fisher-closed")
