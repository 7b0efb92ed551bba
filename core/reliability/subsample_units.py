"""What a test needs of each unit that is drawn, an example or a cluster: differences or sums.

Without either, each subsample is tested on its own.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from core.metrics.per_example import per_example_scores
from core.metrics.registry import MEAN, is_counted, statistic_metric
from core.significance.clusters import Clusters
from core.significance.differences import Differences, turned_differences
from core.significance.known_tests import significance_test_named
from core.significance.plan import PlannedTest
from core.significance.resampling import PairedBootstrap, Randomization
from core.significance.shared_sums import UnitStatistics
from core.significance.summed_statistics import scale_of
from core.types import FloatArray


def unit_differences(
    plan: PlannedTest, a: Any, b: Any, clusters: Clusters | None
) -> Differences | None:
    """Differences of the units; None where p-values of many subsamples cannot be made of them."""
    kernel = significance_test_named(plan.test).kernel
    if plan.kind == "ratio" and isinstance(kernel, Randomization):
        # Swaps leave totals as they are where both systems have the same ones.
        if not _shared_totals(a, b):
            return None
        first, second = ((x if clusters is None else clusters.summed(x))[:, 0] for x in (a, b))
        differences = turned_differences(first, second, higher_is_better=plan.higher_is_better)
        return differences if clusters is None else replace(differences, unit="clusters")
    if plan.kind != MEAN:
        return None
    differences = _differences_of_means(plan, a, b)
    if clusters is None:
        return differences
    # The mean of clusters of several sizes is a ratio; swaps leave its denominator as it is.
    if isinstance(kernel, PairedBootstrap) and not _one_size(clusters):
        return None
    return clusters.summed_differences(differences)


def unit_statistics(
    plan: PlannedTest, a: Any, b: Any, clusters: Clusters | None
) -> UnitStatistics | None:
    """Summed statistics of the units, for the bootstrap of what is no mean over them; else None."""
    if not isinstance(significance_test_named(plan.test).kernel, PairedBootstrap):
        return None
    if is_counted(plan.kind):
        metric = statistic_metric(plan.kind)
        own = [x if clusters is None else clusters.summed(x) for x in (a, b)]
        return UnitStatistics(
            a=own[0],
            b=own[1],
            score=metric.score,
            sign=1.0 if plan.higher_is_better else -1.0,
            scale_of=lambda x, y: scale_of(metric, (x, y)),
        )
    if plan.kind != MEAN or clusters is None or _one_size(clusters):
        return None
    summed = clusters.summed_differences(_differences_of_means(plan, a, b))
    sizes = clusters.sizes.astype(np.float64)
    largest = float(np.abs(summed.values / sizes).max())
    return UnitStatistics(
        # A has all of the difference, so that sums keep their digits.
        a=np.column_stack([summed.values, sizes]),
        b=np.column_stack([np.zeros(sizes.size), sizes]),
        score=statistic_metric("ratio").score,
        sign=1.0,
        scale_of=lambda x, y: largest,
    )


def _differences_of_means(plan: PlannedTest, a: Any, b: Any) -> Differences:
    scores = per_example_scores(a, b, metric="mean", gold=None)
    return turned_differences(*scores, higher_is_better=plan.higher_is_better)


def _shared_totals(a: FloatArray, b: FloatArray) -> bool:
    return bool((a[:, 1] == b[:, 1]).all() and (a[:, 1] > 0.0).all())


def _one_size(clusters: Clusters) -> bool:
    return bool((clusters.sizes == clusters.sizes[0]).all())
