"""Exact p-values of all pairs at once: of outcomes and of signed ranks."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from core.significance import wilcoxon as single
from core.significance.differences import paired_differences
from core.significance.lattice import DrawSum
from core.significance.single import run_significance_test
from core.systems.all_pairs import compare_all_pairs
from core.systems.exact import (
    SignedRanks,
    bootstrap_of_outcomes,
    chances_of_rank_sums,
    wins_of_outcomes,
)
from tests.core.significance.oracles import draw_sums, lower, upper
from tests.core.systems.made import result_set, scores_of


@pytest.mark.parametrize("n", [1, 2, 3, 5, 8])
def test_the_bootstrap_of_few_outcomes_is_that_of_all_its_resamples(n):
    for more in range(n + 1):
        for fewer in range(min(more, n - more) + 1):
            wins = np.array([[0, more], [fewer, 0]])
            found = bootstrap_of_outcomes(wins, n)
            sums = draw_sums([1] * more + [-1] * fewer + [0] * (n - more - fewer), n)
            twice = 2 * (more - fewer)
            assert found[0, 1] == pytest.approx(float(upper(sums, twice)), rel=1e-11)
            assert found[1, 0] == pytest.approx(float(lower(sums, twice)), rel=1e-11)


@pytest.mark.parametrize(("more", "fewer", "n"), [(400, 100, 2_000), (60, 5, 300), (900, 0, 2_000)])
def test_small_tails_keep_their_digits(more, fewer, n):
    found = bootstrap_of_outcomes(np.array([[0, more], [fewer, 0]]), n)[0, 1]
    differences = np.array([1] * more + [-1] * fewer + [0] * (n - more - fewer))
    expected = DrawSum(differences, n).at_least(2 * (more - fewer))
    assert expected < 1e-8
    assert found == pytest.approx(expected, rel=1e-9)


def test_twice_the_difference_out_of_reach_is_zero():
    assert bootstrap_of_outcomes(np.array([[0, 6], [0, 0]]), 10)[0, 1] == 0.0
    assert bootstrap_of_outcomes(np.array([[0, 5], [0, 0]]), 10)[0, 1] == pytest.approx(0.5**10)


def test_many_pairs_are_each_their_own():
    outcomes = scores_of("0/1", 90, 40)
    wins = wins_of_outcomes(outcomes)
    together = bootstrap_of_outcomes(wins, 90)
    for i, j in ((0, 1), (5, 30), (39, 2)):
        alone = bootstrap_of_outcomes(wins[np.ix_([i, j], [i, j])], 90)
        assert together[i, j] == pytest.approx(alone[0, 1], rel=1e-11)
        assert together[j, i] == pytest.approx(alone[1, 0], rel=1e-11)


def test_the_chances_are_those_of_all_signs() -> None:
    for n in range(1, 12):
        sums = np.array(list(itertools.product([0, 1], repeat=n))) @ np.arange(1, n + 1)
        half = n * (n + 1) // 4
        expected = [np.count_nonzero(sums <= s) / 2**n for s in range(half + 1)]
        assert chances_of_rank_sums(n).tolist() == expected, n


@pytest.mark.parametrize(
    ("n", "shift"),
    [(1, 0.0), (2, -4.0), (7, 0.4), (30, 0.05), (211, -0.1), (1_000, 0.05), (1_000, 4.0)],
)
def test_both_p_values_are_those_of_the_single_test_to_twelve_digits(n, shift):
    rng = np.random.default_rng(n)
    differences = paired_differences(rng.normal(size=n) + shift, rng.normal(size=n))
    expected = single.wilcoxon(differences).p_values
    greater, less, exact = SignedRanks().p_values(differences)
    assert exact
    assert greater == pytest.approx(expected.greater, rel=1e-12, abs=0.0)
    assert less == pytest.approx(expected.less, rel=1e-12, abs=0.0)


def test_ties_zeros_and_large_sizes_have_the_p_values_of_the_single_test():
    rng = np.random.default_rng(0)
    ranks = SignedRanks()
    tied = paired_differences(np.round(rng.normal(size=40), 1), np.zeros(40))
    with_zeros = rng.normal(size=40)
    with_zeros[:9] = 0.0
    large = paired_differences(rng.normal(size=1_200), np.zeros(1_200))
    none = paired_differences(np.zeros(5), np.zeros(5))
    for one in (tied, paired_differences(with_zeros, np.zeros(40)), large, none):
        greater, less, exact = ranks.p_values(one)
        expected = single.wilcoxon(one).p_values
        assert (greater, less) == pytest.approx((expected.greater, expected.less), rel=1e-12)
        assert exact == (one is not large)


def test_one_distribution_serves_all_pairs_of_as_many_examples(monkeypatch):
    made = []

    def counted(n, keep_going=None):
        made.append(n)
        return chances_of_rank_sums(n, keep_going)

    def never(*_arguments, **_keywords):
        raise AssertionError("a pair without ties was tested by itself")

    monkeypatch.setattr("core.systems.exact.chances_of_rank_sums", counted)
    monkeypatch.setattr("core.systems.exact.wilcoxon", never)
    scores = scores_of("continuous", 60, 8)
    pairs = compare_all_pairs(result_set(scores), test="wilcoxon")
    assert made == [60]
    assert pairs.methods == ("exact",)
    for i, j in itertools.combinations(range(8), 2):
        alone = run_significance_test(scores[:, i], scores[:, j], test="wilcoxon")
        assert pairs.p_values[0, i, j] == pytest.approx(alone.p_value_greater, rel=1e-12)
        assert pairs.p_values[0, j, i] == pytest.approx(alone.p_value_less, rel=1e-12)
