"""What two systems score on one dataset, and what a test finds there.

A test of averaged scores is given differences. Where examples come in clusters, the
mean of a resample of clusters is a ratio, the sum of the clusters' scores over the
number of their examples; where all clusters have the same size it is the mean of the
clusters' means, and whole clusters are tested as examples are.
"""

from dataclasses import replace

import numpy as np

from ..metrics.per_example import other_than_binary
from ..metrics.registry import STATISTIC_METRICS, Correlation, StatisticMetric
from ..types import FloatArray
from .at_margin import (
    OF_BOOTSTRAP,
    OF_PSEUDO_MEDIAN,
    inversion_of,
    largest_loss,
    outcome_of_counts,
    outcome_of_identical,
    refused_at_margin,
    shifted_outcome,
)
from .bootstrap import with_interval
from .correlation import predictions_of
from .differences import SAME_SUMS, Clusters, Differences, shifted, turned_differences
from .known_tests import SignificanceTest
from .outcome import ALL_ZERO, Compared, Outcome, cohens_q
from .settings import OWN, Asked, Settings
from .summed_statistics import Scored, SummedStatistics, counted_statistics


def compare_means(
    a: FloatArray,
    b: FloatArray,
    by: SignificanceTest,
    asked: Asked,
    *,
    higher_is_better: bool,
    clusters: Clusters | None,
) -> tuple[Compared, Outcome]:
    """Test two systems' scores, shape (n,), that are averaged."""
    settings = asked.settings
    differences = turned_differences(a, b, higher_is_better=higher_is_better)
    zero_one = not (other_than_binary(a) or other_than_binary(b))
    units = differences if clusters is None else clusters.summed_differences(differences)
    # The differences were turned where lower is better: 0 − x, as −x would make a zero negative.
    means = (differences.score_a, differences.score_b)
    score_a, score_b = means if higher_is_better else (0.0 - means[0], 0.0 - means[1])
    comparison = Compared(
        n_examples=differences.n,
        score_a=score_a,
        score_b=score_b,
        difference=differences.mean,
        wins=differences.wins,
        ties=differences.ties,
        losses=differences.losses,
        alike="" if differences.values.any() else ALL_ZERO,
        skewness=None if not by.of_mean or (clusters is None and zero_one) else units.skewness,
    )
    same_sums = not comparison.alike and not units.values.any()
    if settings.margin:
        outcome = _means_at_margin(
            differences,
            units,
            by,
            asked,
            zero_one=zero_one,
            largest=largest_loss(a, b, zero_one=zero_one, clusters=clusters),
            clusters=clusters,
        )
    else:
        outcome = by.of_scores(_drawn_units(units, clusters), asked)
    if _lacks_interval(by, settings, outcome):
        outcome = with_interval(outcome, _drawn_units(units, clusters), asked)
        if settings.margin and not by.gives_interval:
            outcome = replace(outcome, notes=(*outcome.notes, OF_BOOTSTRAP))
    if clusters is not None and not clusters.of_one_size:
        outcome = replace(outcome, statistic=differences.mean)
    if same_sums:
        outcome = replace(outcome, notes=(SAME_SUMS, *outcome.notes))
    return comparison, outcome


def _means_at_margin(
    differences: Differences,
    units: Differences,
    by: SignificanceTest,
    asked: Asked,
    *,
    zero_one: bool,
    largest: float,
    clusters: Clusters | None,
) -> Outcome:
    settings = asked.settings
    if zero_one and by.p_at_margin is not None:
        return outcome_of_counts(by.p_at_margin, differences, settings)
    why_not = refused_at_margin(units, margin=settings.margin, zero_one=zero_one, largest=largest)
    if why_not:
        raise ValueError(f"`margin` must have a test on these scores; {why_not}.")
    if not units.values.any():
        return outcome_of_identical(units.n, settings, largest=largest)

    def run(shift: float, own: Asked) -> Outcome:
        moved = shifted(differences, shift)
        if clusters is not None:
            moved = clusters.summed_differences(moved)
        outcome: Outcome = by.of_scores(_drawn_units(moved, clusters), own)
        return outcome

    sizes = np.ones(units.n) if clusters is None else clusters.sizes.astype(np.float64)
    inversion = None if by.gives_interval else inversion_of(differences, units, sizes)
    outcome = shifted_outcome(run, asked, inversion=inversion)
    if by.of_tendency:
        return replace(outcome, notes=(OF_PSEUDO_MEDIAN, *outcome.notes))
    return outcome


def compare_counts(
    metric: StatisticMetric,
    a: FloatArray,
    b: FloatArray,
    by: SignificanceTest,
    asked: Asked,
    *,
    higher_is_better: bool,
    clusters: Clusters | None = None,
) -> tuple[Compared, Outcome]:
    """Test two systems' counted statistics, shape (n, s); those of a cluster are added up."""
    statistics, scores = counted_statistics(metric, a, b, higher_is_better=higher_is_better)
    comparison = statistics.compared(*scores)
    if clusters is not None:
        summed = (clusters.summed(a), clusters.summed(b))
        statistics, _ = counted_statistics(
            metric, *summed, higher_is_better=higher_is_better, unit="clusters"
        )
    outcome = _of_no_means(statistics, by, asked)
    if statistics.alike and not comparison.alike:
        outcome = replace(outcome, notes=(SAME_SUMS, *outcome.notes))
    # The difference as reported, not as the sum of what the lattice counts.
    return comparison, replace(outcome, statistic=comparison.difference)


def compare_predictions(
    a: FloatArray,
    b: FloatArray,
    gold: FloatArray,
    by: SignificanceTest,
    asked: Asked,
    *,
    kind: Correlation,
    higher_is_better: bool,
    clusters: Clusters | None = None,
) -> tuple[Compared, Outcome]:
    """Test two systems' predictions, shape (n,), by their correlations with gold."""
    predictions = predictions_of(
        a, b, gold, kind=kind, higher_is_better=higher_is_better, clusters=clusters
    )
    comparison = predictions.comparison
    outcome = _of_no_means(predictions, by, asked)
    pair = (comparison.score_a, comparison.score_b)
    effect_size = cohens_q(*(pair if higher_is_better else pair[::-1]))
    return comparison, replace(outcome, effect_size=effect_size)


def _of_no_means(scored: SummedStatistics, by: SignificanceTest, asked: Asked) -> Outcome:
    if asked.settings.margin:
        outcome = shifted_outcome(
            lambda shift, own: by.of_scores(scored.shifted(shift), own), asked
        )
    else:
        outcome = by.of_scores(scored, asked)
    if _lacks_interval(by, asked.settings, outcome):
        return with_interval(outcome, scored, asked)
    return outcome


def _lacks_interval(by: SignificanceTest, settings: Settings, outcome: Outcome) -> bool:
    """Whether an interval is still to be drawn: one from shifted resamples would be shifted, too."""
    comes_along = outcome.interval_kind == OWN if settings.margin else by.gives_interval
    return settings.with_interval and not comes_along


def _drawn_units(units: Differences, clusters: Clusters | None) -> Scored:
    """Examples as they are; the means of clusters of one size, the ratios of others."""
    if clusters is None:
        return units
    if not clusters.of_one_size:
        return ratios_of(units, clusters)
    size = int(clusters.sizes[0])
    return replace(
        units,
        values=units.values / size,
        step=None if units.step is None else units.step / size,
    )


def ratios_of(summed: Differences, clusters: Clusters) -> SummedStatistics:
    """Means of clusters as ratios of which A has all of the difference, so that sums keep digits."""
    sizes = clusters.sizes.astype(np.float64)
    means = summed.values / sizes
    return SummedStatistics(
        a=np.column_stack([summed.values, sizes]),
        b=np.column_stack([np.zeros(sizes.size), sizes]),
        score=STATISTIC_METRICS["ratio"].score,
        sign=1.0,
        scale=float(np.abs(means).max()),
        farthest=float((means if summed.mean > 0.0 else -means).max()),
        shared=summed,
        unit="clusters",
    )
