"""Pairs as one family: how many datasets they come to, and that it holds."""

from __future__ import annotations

from math import ceil

import numpy as np
import pytest
from scipy.stats import binomtest, norm

from core.reliability.pair_family import PairFamily, count_pairs
from core.report.family import count_metric_family


def family(p_values: np.ndarray, alpha: float = 0.05) -> PairFamily:
    """Of a table with a row a dataset and a column a choice."""
    n_datasets, m = p_values.shape
    return count_pairs(
        tuple(f"d{i}" for i in range(n_datasets) for _ in range(m)),
        tuple(f"m{j}" for _ in range(n_datasets) for j in range(m)),
        p_values.ravel(),
        alpha=alpha,
    )


def test_pairs_become_datasets_by_the_ceiling() -> None:
    p_values = np.array([[1e-6, 1e-6, 1e-6], [1e-6, 0.9, 0.9], [0.9, 0.9, 0.9]])
    found = family(p_values)
    assert found.n_pairs_bonferroni == 4
    assert found.most_choices == 3
    assert found.n_datasets_by("bonferroni") == ceil(4 / 3) == 2
    assert found.named_datasets == ("d0", "d1")
    assert found.n_datasets_of(0) == 0


def test_it_agrees_with_the_count_over_metrics_of_the_report() -> None:
    rng = np.random.default_rng(3)
    for _ in range(30):
        p_values = rng.random((6, 3)) ** 4
        by_metric = {f"m{j}": p_values[:, j] for j in range(3)}
        other, found = count_metric_family(by_metric), family(p_values)
        assert found.n_pairs_bonferroni == other.n_pairs_bonferroni
        assert found.n_pairs_simes == other.n_pairs_simes
        for n in range(found.n_pairs + 1):
            assert found.n_datasets_of(n) == other.datasets_of(n)


def test_where_datasets_have_different_numbers_the_fewest_that_hold_the_pairs_are_taken() -> None:
    datasets = ("big",) * 4 + ("small",) * 2 + ("tiny",)
    found = count_pairs(datasets, tuple("abcdefg"), [1e-9] * 7)
    assert [found.n_datasets_of(n) for n in range(8)] == [0, 1, 1, 1, 1, 2, 2, 3]
    assert found.n_datasets_by("bonferroni") == 3


def test_names_never_come_to_fewer_datasets_than_the_count() -> None:
    rng = np.random.default_rng(8)
    for _ in range(200):
        found = family(rng.random((5, 4)) ** 6)
        assert len(found.named_datasets) >= found.n_datasets_by("bonferroni")


def test_the_number_of_datasets_overstates_no_more_often_than_alpha() -> None:
    # Two of six datasets have an effect, by all three metrics, which correlate by .8.
    rng = np.random.default_rng(11)
    over = {"bonferroni": 0, "names": 0}
    n = 2_000
    for _ in range(n):
        shared = rng.normal(size=(6, 1))
        z = 0.8**0.5 * shared + 0.2**0.5 * rng.normal(size=(6, 3))
        z[:2] += 3.0
        found = family(norm.sf(z), alpha=0.2)
        over["bonferroni"] += found.n_datasets_by("bonferroni") > 2
        over["names"] += not set(found.named_datasets) <= {"d0", "d1"}
    for count in over.values():
        assert binomtest(count, n, 0.2, alternative="greater").pvalue > 1e-4


def test_fishers_count_is_not_offered() -> None:
    with pytest.raises(ValueError, match="those of one dataset are of the same examples"):
        family(np.array([[0.1, 0.2]])).n_datasets_by("fisher")


def test_lists_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="of the same pairs"):
        count_pairs(("d",), ("m", "n"), [0.1, 0.2])
