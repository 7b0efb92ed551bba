"""Counting and naming beside the libraries that do a part of it."""

from functools import partial

import numpy as np
from scipy.stats import chi2
from statsmodels.stats.multitest import multipletests

from core import count_datasets, identify_datasets
from core.replicability.joint import count_by_flips, flip_jointly, identify_by_flips
from tests.benchmarks.timing import compare, within


def fisher_per_u(p_values: np.ndarray, alpha: float) -> int:
    """The count as it is usually written: one combination a u, each from the whole array."""
    ordered = np.sort(p_values)
    n = ordered.size
    worst, k_hat = 0.0, 0
    for u in range(1, n + 1):
        statistic = -2.0 * sum(np.log(p) for p in ordered[u - 1 :])
        worst = max(worst, float(chi2.sf(statistic, 2 * (n - u + 1))))
        k_hat += worst <= alpha
    return k_hat


def main() -> None:
    """Run them."""
    rng = np.random.default_rng(2017)
    p_values = rng.random(1000) ** 3
    assert count_datasets(p_values, combination="fisher").k_hat == fisher_per_u(p_values, 0.05)
    compare(
        "k̂ by Fisher, N = 1,000",
        lambda: count_datasets(p_values, combination="fisher"),
        "a loop over u",
        lambda: fisher_per_u(p_values, 0.05),
    )
    for procedure in ("holm", "hommel"):
        compare(
            f"{procedure.title()}, N = 1,000",
            partial(identify_datasets, p_values, procedure=procedure),
            "statsmodels multipletests",
            partial(multipletests, p_values, 0.05, method=procedure),
        )
    for n in (1000, 5000):
        many = rng.random(n) ** 3
        compare(
            f"closed Fisher test, N = {n:,}",
            partial(identify_datasets, many, procedure="fisher-closed"),
            "sorting them",
            partial(np.sort, many),
        )
    _joint(rng)


def _joint(rng: np.random.Generator) -> None:
    """Joint flips of 5,000 examples in 30 datasets."""
    shared = rng.normal(size=(5000, 1))
    differences = 0.8 * shared + 0.6 * rng.normal(size=(5000, 30))
    differences[:, :25] += 0.04

    def drawn() -> list[np.ndarray]:
        own = np.random.default_rng(1)
        pieces = (
            2.0 * own.integers(0, 2, size=(500, 5000), dtype=np.int8) - 1.0 for _ in range(20)
        )
        return [signs @ differences for signs in pieces]

    compare(
        "joint flips and names by max, N = 30, n = 5,000",
        lambda: identify_by_flips(flip_jointly(differences, rng=1)),
        "drawing signs, one matrix product",
        drawn,
        at_least=0.5,
    )
    flips = flip_jointly(differences, rng=1)
    within("closed test by sum: count", lambda: count_by_flips(flips), seconds=10)
    within(
        "closed test by sum: names", lambda: identify_by_flips(flips, statistic="sum"), seconds=10
    )
