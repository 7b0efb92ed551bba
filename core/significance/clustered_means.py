"""Tests of averaged scores whose examples come in clusters.

The mean of a resample of clusters is a ratio, the sum of the clusters' scores
over the number of their examples. Where all clusters have the same size it is
the mean of the clusters' means, and whole clusters are tested as examples are.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.metrics.registry import STATISTIC_METRICS
from core.significance.clusters import SAME_SUMS, Clusters
from core.significance.comparison import Comparison, comparison_of_means
from core.significance.counts import outcome_of_sums
from core.significance.differences import Differences, turned_differences
from core.significance.means import outcome_of_means
from core.significance.result import Outcome
from core.significance.settings import Settings
from core.significance.stopping import KeepGoing
from core.significance.summed_statistics import SharedTotals, SummedStatistics
from core.types import FloatArray


def compare_clustered_means(
    a: FloatArray,
    b: FloatArray,
    clusters: Clusters,
    settings: Settings,
    *,
    higher_is_better: bool,
    rng: np.random.Generator,
    keep_going: KeepGoing,
) -> tuple[Comparison, Outcome]:
    """Test two systems' scores, shape (n,), that are averaged, by whole clusters.

    Raises
    ------
    ValueError
        If "exact" is asked for in vain.
    Stopped
        If `keep_going` says so.
    """
    differences = turned_differences(a, b, higher_is_better=higher_is_better)
    comparison = comparison_of_means(differences, higher_is_better=higher_is_better)
    summed = clusters.summed_differences(differences)
    comparison = replace(comparison, skewness=summed.skewness)
    sizes = clusters.sizes
    size = int(sizes[0])
    if bool((sizes == size).all()):
        means = replace(
            summed,
            values=summed.values / size,
            step=None if summed.step is None else summed.step / size,
        )
        outcome = outcome_of_means(means, settings, rng=rng, keep_going=keep_going)
    else:
        statistics = _statistics(summed, sizes.astype(np.float64))
        outcome = outcome_of_sums(statistics, settings, rng=rng, keep_going=keep_going)
        outcome = replace(outcome, statistic=differences.mean)
    if not comparison.alike and not summed.values.any():
        outcome = replace(outcome, notes=(SAME_SUMS, *outcome.notes))
    return comparison, outcome


def _statistics(summed: Differences, sizes: FloatArray) -> SummedStatistics:
    """Ratios of which A has all of the difference, so that sums keep their digits."""
    means = summed.values / sizes
    nothing = np.zeros(sizes.size)
    return SummedStatistics(
        a=np.column_stack([summed.values, sizes]),
        b=np.column_stack([nothing, sizes]),
        score=STATISTIC_METRICS["ratio"].score,
        sign=1.0,
        scale=float(np.abs(means).max()),
        farthest=float((means if summed.mean > 0.0 else -means).max()),
        shared=SharedTotals(differences=summed, totals=sizes),
        unit="clusters",
    )
