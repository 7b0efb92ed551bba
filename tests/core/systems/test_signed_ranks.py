"""Pairs without ties share one distribution, and have the p-value that each alone has."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from core.significance import wilcoxon as single
from core.significance.differences import paired_differences
from core.significance.single import run_significance_test
from core.significance.stopping import Stopped
from core.systems import compare_all_pairs
from core.systems.signed_ranks import SignedRanks, chances_of_rank_sums
from tests.core.systems.made import result_set, scores_of


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

    monkeypatch.setattr("core.systems.signed_ranks.chances_of_rank_sums", counted)
    monkeypatch.setattr("core.systems.signed_ranks.wilcoxon", never)
    scores = scores_of("continuous", 60, 8)
    pairs = compare_all_pairs(result_set(scores), test="wilcoxon")
    assert made == [60]
    assert pairs.methods == ("exact",)
    for i, j in itertools.combinations(range(8), 2):
        alone = run_significance_test(scores[:, i], scores[:, j], test="wilcoxon")
        assert pairs.p_values[0, i, j] == pytest.approx(alone.p_value_greater, rel=1e-12)
        assert pairs.p_values[0, j, i] == pytest.approx(alone.p_value_less, rel=1e-12)


def test_few_distributions_are_kept():
    ranks = SignedRanks()
    for n in range(1, 60):
        ranks.p_values(paired_differences(np.arange(1.0, n + 1.0), np.zeros(n)))
    assert len(ranks._known) == 16


def test_a_stop_is_heard_while_a_distribution_is_made():
    with pytest.raises(Stopped):
        chances_of_rank_sums(100, lambda: False)
