"""About how long a comparison of all pairs will take, before it is begun."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

import numpy as np

from core.data import ResultSet
from core.metrics.registry import CORRELATIONS, MEAN
from core.significance.differences import paired_differences
from core.significance.known_tests import is_bootstrap, significance_test_named
from core.significance.lattice import MAX_BINS
from core.significance.wilcoxon import SignedRankTest
from core.systems.all_pairs import chosen_test

# Rough costs of one pair on one dataset, as measured.
_SECONDS_RESAMPLED_ALONE = 0.1
_SECONDS_OF_CLUSTERS, _SECONDS_OF_CLUSTER_AND_RESAMPLE = 4e-3, 4e-9
# Several sums an example instead of one.
_SUMS = 3.0
# Of each example in each resample: ranking anew takes longer than sums.
_SECONDS_OF_CORRELATION: Mapping[str, float] = {"spearman": 4e-8, "pearson": 6e-9}
_SECONDS_OF_BIN = 4e-7
_SECONDS_OF_MCNEMAR = 3e-6
_SECONDS_AT_ONCE = 4e-5
_SECONDS_EXACT_WILCOXON = 1.7e-7
_MOST_FOR_EXACT_WILCOXON = 1_000


def seconds(data: ResultSet, asked: Mapping[str, Hashable]) -> float:
    """About how long all pairs will take, by the tests that are really run."""
    metric, test = str(asked["metric"]), str(asked["test"])
    m = len(data.systems)
    of_datasets = asked["datasets"]
    assert isinstance(of_datasets, tuple)
    n_pairs, resamples = m * (m - 1) // 2, int(str(asked["resamples"]))
    kind = data.kind_of(metric)
    average = kind == MEAN
    total = 0.0
    for name in of_datasets:
        own = test
        if own == "auto":
            own = chosen_test(data, name, data.systems, metric)
        labels = data.clusters_of(name)
        n = data.n_examples(name) if labels is None else len(set(np.asarray(labels).tolist()))
        if kind in CORRELATIONS and significance_test_named(own).resamples:
            drawn = resamples * data.n_examples(name)
            total += n_pairs * _SECONDS_OF_CORRELATION[kind] * drawn
        elif is_bootstrap(own):
            total += 8e-9 * resamples * n * (1.0 + m / 50.0)
        elif labels is not None:
            total += n_pairs * _seconds_of_clustered_pair(resamples, n, average)
        else:
            total += n_pairs * _seconds_of_pair(own, n, average, _bins(data, name, metric))
    return total


def _bins(data: ResultSet, dataset: str, metric: str) -> int | None:
    """How many sums the differences of the first two systems reach; None where they have no step."""
    if data.kind_of(metric) != MEAN:
        return None
    first, second = (data.scores(dataset, system, metric) for system in data.systems[:2])
    whole = paired_differences(first, second).integers
    return None if whole is None else int(np.abs(whole).sum())


def _seconds_of_clustered_pair(resamples: int, n_clusters: int, average: bool) -> float:
    """Whole clusters are drawn anew for each pair."""
    drawn = _SECONDS_OF_CLUSTER_AND_RESAMPLE * resamples * n_clusters
    return _SECONDS_OF_CLUSTERS + (drawn if average else _SUMS * drawn)


def _seconds_of_pair(test: str, n: int, average: bool, bins: int | None) -> float:
    known = significance_test_named(test)
    if known.resamples and not average:
        return _SECONDS_RESAMPLED_ALONE
    if known.resamples:
        exact = bins is not None and bins < MAX_BINS
        return max(1e-3, _SECONDS_OF_BIN * (bins or 0) if exact else 2.5e-5 * n)
    if isinstance(known.kernel, SignedRankTest):
        exact = n <= _MOST_FOR_EXACT_WILCOXON
        return max(5e-4, _SECONDS_EXACT_WILCOXON * n * n) if exact else 2e-4
    return _SECONDS_OF_MCNEMAR if known.suits_outcomes_only else _SECONDS_AT_ONCE
