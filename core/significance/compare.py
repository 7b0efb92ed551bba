"""What two systems score on one dataset, and what a test finds there.

A test of averaged scores is given differences. Where examples come in clusters, the
mean of a resample of clusters is a ratio, the sum of the clusters' scores over the
number of their examples; where all clusters have the same size it is the mean of the
clusters' means, and whole clusters are tested as examples are.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.metrics.per_example import other_than_binary
from core.metrics.registry import STATISTIC_METRICS, Correlation, StatisticMetric
from core.significance.bootstrap import bootstrap_interval, has_exact_interval
from core.significance.clusters import SAME_SUMS, Clusters
from core.significance.counts import counted_statistics, with_interval_of_sums
from core.significance.differences import Differences, turned_differences
from core.significance.effect_sizes import cohens_q
from core.significance.predictions import predictions_of, with_interval_of_correlations
from core.significance.result import NO_INTERVAL, Comparison, Outcome, comparison_of_means
from core.significance.settings import Settings
from core.significance.significance_test import (
    OfCorrelations,
    OfDifferences,
    OfSums,
    SignificanceTest,
)
from core.significance.stopping import KeepGoing
from core.significance.summed_statistics import SharedTotals, SummedStatistics
from core.types import FloatArray

# Draws for an interval beside another test's p-value: about two seconds of them.
_MAX_INTERVAL_DRAWS = 1 << 28


def compare_means(
    a: FloatArray,
    b: FloatArray,
    by: SignificanceTest,
    settings: Settings,
    *,
    higher_is_better: bool,
    clusters: Clusters | None,
    rng: np.random.Generator,
    keep_going: KeepGoing,
) -> tuple[Comparison, Outcome]:
    """Test two systems' scores, shape (n,), that are averaged.

    Raises
    ------
    ValueError
        If "exact" is asked for in vain.
    Stopped
        If `keep_going` says so.
    """
    differences = turned_differences(a, b, higher_is_better=higher_is_better)
    comparison = comparison_of_means(differences, higher_is_better=higher_is_better)
    if clusters is None:
        if other_than_binary(a) or other_than_binary(b):
            comparison = replace(comparison, skewness=differences.skewness)
        return comparison, _of_differences(differences, by, settings, rng, keep_going)
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
        outcome = _of_differences(means, by, settings, rng, keep_going)
    else:
        statistics = _ratios(summed, sizes.astype(np.float64))
        outcome = _of_sums(statistics, by, settings, rng, keep_going)
        outcome = replace(outcome, statistic=differences.mean)
    if not comparison.alike and not summed.values.any():
        outcome = replace(outcome, notes=(SAME_SUMS, *outcome.notes))
    return comparison, outcome


def compare_counts(
    metric: StatisticMetric,
    a: FloatArray,
    b: FloatArray,
    by: SignificanceTest,
    settings: Settings,
    *,
    higher_is_better: bool,
    clusters: Clusters | None = None,
    rng: np.random.Generator,
    keep_going: KeepGoing,
) -> tuple[Comparison, Outcome]:
    """Test two systems' counted statistics, shape (n, s).

    With clusters, their statistics are added up, and each cluster is drawn and
    exchanged as one.

    Raises
    ------
    ValueError
        If a system's score is not defined, or "exact" is asked for in vain.
    Stopped
        If `keep_going` says so.
    """
    statistics, scores = counted_statistics(metric, a, b, higher_is_better=higher_is_better)
    comparison = statistics.compared(*scores)
    if clusters is not None:
        summed = (clusters.summed(a), clusters.summed(b))
        statistics, _ = counted_statistics(
            metric, *summed, higher_is_better=higher_is_better, unit="clusters"
        )
    outcome = _of_sums(statistics, by, settings, rng, keep_going)
    if statistics.alike and not comparison.alike:
        outcome = replace(outcome, notes=(SAME_SUMS, *outcome.notes))
    # The difference as reported, not as the sum of what the lattice counts.
    return comparison, replace(outcome, statistic=comparison.difference)


def compare_predictions(
    a: FloatArray,
    b: FloatArray,
    gold: FloatArray,
    by: SignificanceTest,
    settings: Settings,
    *,
    kind: Correlation,
    higher_is_better: bool,
    clusters: Clusters | None = None,
    rng: np.random.Generator,
    keep_going: KeepGoing,
) -> tuple[Comparison, Outcome]:
    """Test two systems' predictions, shape (n,), by their correlations with gold.

    Raises
    ------
    ValueError
        If gold or predictions are constant, "exact" is asked for in vain, or
        a correlation does not suit the test.
    Stopped
        If `keep_going` says so.
    """
    assert isinstance(by.kernel, OfCorrelations)
    predictions = predictions_of(
        a, b, gold, kind=kind, higher_is_better=higher_is_better, clusters=clusters
    )
    comparison = predictions.comparison
    outcome = by.kernel.of_correlations(predictions, settings, rng=rng, keep_going=keep_going)
    if settings.with_interval and not by.gives_interval:
        # Drawn after the p-value, so that it does not change it.
        outcome = with_interval_of_correlations(
            outcome, predictions, settings, rng=rng, keep_going=keep_going
        )
    pair = (comparison.score_a, comparison.score_b)
    effect_size = cohens_q(*(pair if higher_is_better else pair[::-1]))
    return comparison, replace(outcome, effect_size=effect_size)


def _of_differences(
    differences: Differences,
    by: SignificanceTest,
    settings: Settings,
    rng: np.random.Generator,
    keep_going: KeepGoing,
) -> Outcome:
    """A test's outcome, with an interval that is drawn after the p-value."""
    assert isinstance(by.kernel, OfDifferences)
    outcome = by.kernel.of_differences(differences, settings, rng=rng, keep_going=keep_going)
    if by.gives_interval or not settings.with_interval:
        return outcome
    draws = differences.n * settings.n_resamples
    if not has_exact_interval(differences) and draws > _MAX_INTERVAL_DRAWS:
        return replace(outcome, notes=(*outcome.notes, NO_INTERVAL))
    interval, notes = bootstrap_interval(
        differences,
        confidence_level=settings.confidence_level,
        interval=settings.interval,
        n_resamples=settings.n_resamples,
        rng=rng,
        keep_going=keep_going,
    )
    return replace(outcome, interval=interval, notes=(*outcome.notes, *notes))


def _of_sums(
    statistics: SummedStatistics,
    by: SignificanceTest,
    settings: Settings,
    rng: np.random.Generator,
    keep_going: KeepGoing,
) -> Outcome:
    assert isinstance(by.kernel, OfSums)
    outcome = by.kernel.of_sums(statistics, settings, rng=rng, keep_going=keep_going)
    if by.gives_interval or not settings.with_interval:
        return outcome
    return with_interval_of_sums(outcome, statistics, settings, rng=rng, keep_going=keep_going)


def _ratios(summed: Differences, sizes: FloatArray) -> SummedStatistics:
    """Ratios of which A has all of the difference, so that sums keep their digits."""
    means = summed.values / sizes
    return SummedStatistics(
        a=np.column_stack([summed.values, sizes]),
        b=np.column_stack([np.zeros(sizes.size), sizes]),
        score=STATISTIC_METRICS["ratio"].score,
        sign=1.0,
        scale=float(np.abs(means).max()),
        farthest=float((means if summed.mean > 0.0 else -means).max()),
        shared=SharedTotals(differences=summed, totals=sizes),
        unit="clusters",
    )
