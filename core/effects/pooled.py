"""The effect over the examples of all datasets put together: a micro-average of any metric."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from core.data.result_set import ResultSet
from core.effects.dataset_effects import DEFAULT_RESAMPLES, checked_resamples, wanted_datasets
from core.effects.heterogeneity import Interval
from core.effects.maxima import NoMaximum, checked_maximum, known_maximum
from core.effects.meta_analysis import normal_interval
from core.effects.paired_effect import (
    PairedEffect,
    Undefined,
    effect_of_counts,
    effect_of_means,
)
from core.effects.resampled import drawn_sums, variance_of
from core.metrics.labels import LABEL_METRICS, label_statistics
from core.metrics.registry import CORRELATIONS, MEAN, statistic_metric
from core.signature import short_fingerprint, signature_line
from core.significance.clusters import clusters_of
from core.significance.plan import clusters_by_dataset, given_of, gold_for
from core.significance.stopping import goes_on
from core.significance.streams import Rng, dataset_stream, seed_of
from core.types import FloatArray
from core.validation import check_choice, check_open_share, check_two_systems

PooledName = Literal["difference", "error-reduction"]
_POOLED: tuple[PooledName, ...] = ("difference", "error-reduction")
_STREAM = "pooled-effect"


@dataclass(frozen=True, slots=True, kw_only=True)
class PooledEffect:
    """An effect over all examples, for these datasets and no others.

    Attributes
    ----------
    estimate : float
        The effect, positive where A is better.
    variance : float
        Of resamples that draw within each dataset as many examples, or clusters,
        as it has.
    confidence_interval : (float, float)
        Normal.
    confidence_level : float
        Of it.
    score_a, score_b : float
        The systems' scores over all examples.
    effect : {"difference", "error-reduction"}
        What is computed.
    metric : str
        Name of the metric.
    a, b : str
        Names of the systems.
    n_datasets, n_examples : int
        How many are put together.
    n_resamples, seed : int
        Of the bootstrap.
    fingerprint : str
        Of the data.
    """

    estimate: float
    variance: float
    confidence_interval: Interval
    confidence_level: float
    score_a: float
    score_b: float
    effect: PooledName
    metric: str
    a: str
    b: str
    n_datasets: int
    n_examples: int
    n_resamples: int
    seed: int
    fingerprint: str

    @property
    def standard_error(self) -> float:
        """Square root of the variance."""
        return math.sqrt(self.variance)

    @property
    def signature(self) -> str:
        """The line that reproduces it."""
        return signature_line(
            pooled=self.effect,
            metric=self.metric,
            a=self.a,
            b=self.b,
            samples=self.n_resamples,
            seed=self.seed,
            datasets=self.n_datasets,
            data=short_fingerprint(self.fingerprint),
        )


def pooled_effect(
    result_set: ResultSet,
    *,
    a: str,
    b: str,
    metric: str | None = None,
    effect: PooledName = "difference",
    n_resamples: int = DEFAULT_RESAMPLES,
    rng: Rng = 0,
    clusters: Mapping[str, npt.ArrayLike] | None = None,
    datasets: Iterable[str] | None = None,
    maximum: float | None = None,
    confidence_level: float = 0.95,
    on_progress: Callable[[int, int], object] | None = None,
) -> PooledEffect:
    """The effect over all examples put together, with an interval by the paired bootstrap.

    Of scores that are averaged it is `micro_average`. Of counted metrics it is the
    score of the sums over all datasets, which no average of theirs is.

    Parameters
    ----------
    result_set, a, b, n_resamples, rng, clusters, datasets, maximum
        As of `dataset_effects`.
    metric : str, optional
        Not a correlation: gold scores of different datasets are on scales of their
        own.
    effect : {"difference", "error-reduction"}
        As of `dataset_effects`.
    confidence_level : float
        Of the interval.
    on_progress : callable, optional
        Called as ``on_progress(done, total)`` with numbers of datasets. Returning
        False stops.

    Raises
    ------
    ValueError
        If an argument is not as described, or the effect is not defined.
    Stopped
        If it was stopped.
    """
    check_two_systems(a, b, result_set.systems)
    check_choice(effect, _POOLED, name="effect")
    name = result_set.metrics[0] if metric is None else metric
    check_choice(name, (*result_set.metrics, *result_set.label_metrics), name="metric")
    if result_set.kind_of(name) in CORRELATIONS:
        raise ValueError(
            f"`metric` must not be a correlation; got {name!r}: gold scores of different datasets "
            "are on scales of their own."
        )
    level = check_open_share(confidence_level, name="confidence_level")
    number, seed = checked_resamples(n_resamples), seed_of(rng)
    wanted = wanted_datasets(result_set, datasets)
    most = None
    if effect == "error-reduction":
        most = _maximum(result_set, wanted, (a, b), name, checked_maximum(maximum))
    try:
        found = _put_together(result_set, wanted, (a, b), name, most)
    except Undefined as reason:
        raise ValueError(f"The effect over all examples is not defined: {reason}.") from None
    drawn_from = found.resampled()
    assert drawn_from.of_sums is not None
    together = clusters_by_dataset(result_set, clusters)
    sums = np.zeros((number, drawn_from.rows.shape[1]))
    start = 0
    for done, dataset in enumerate(wanted):

        def keep_going(done: int = done) -> bool:
            return goes_on(on_progress, done, len(wanted))

        n = result_set.n_examples(dataset)
        rows = drawn_from.rows[start : start + n]
        start += n
        if dataset in together:
            rows = clusters_of(together[dataset], n_examples=n).summed(rows)
        stream = dataset_stream(seed, dataset, _STREAM)
        sums += drawn_sums(rows, n_resamples=number, rng=stream, keep_going=keep_going)
    if on_progress is not None:
        on_progress(len(wanted), len(wanted))
    variance = variance_of(drawn_from.of_sums(sums)).variance
    if np.isnan(variance):
        raise ValueError("The effect is defined on too few resamples for a variance.")
    return PooledEffect(
        estimate=found.effect,
        variance=variance,
        confidence_interval=normal_interval(found.effect, variance, level),
        confidence_level=level,
        score_a=found.score_a,
        score_b=found.score_b,
        effect=effect,
        metric=name,
        a=a,
        b=b,
        n_datasets=len(wanted),
        n_examples=start,
        n_resamples=number,
        seed=seed,
        fingerprint=result_set.fingerprint,
    )


def _put_together(
    result_set: ResultSet,
    wanted: tuple[str, ...],
    systems: tuple[str, str],
    metric: str,
    maximum: float | None,
) -> PairedEffect:
    kind, higher = result_set.kind_of(metric), result_set.is_higher_better(metric)

    def joined(system: str) -> Any:
        parts = [
            given_of(result_set, dataset, system, metric=metric, kind=kind) for dataset in wanted
        ]
        return np.concatenate(parts)

    first, second = (joined(system) for system in systems)
    if kind == MEAN:
        return effect_of_means(
            first,
            second,
            higher_is_better=higher,
            effect="difference" if maximum is None else "error-reduction",
            maximum=maximum,
            clusters=None,
        )
    gold, known = None, None
    counted: tuple[FloatArray, FloatArray] = (first, second)
    if kind in LABEL_METRICS:
        gold = np.concatenate([gold_for(result_set, dataset, kind) for dataset in wanted])
        known, *statistics = label_statistics(first, second, gold, metric=kind)
        counted = (statistics[0], statistics[1])
    score = (statistic_metric(kind) if known is None else known).score
    scores = (float(score(counted[0].sum(axis=0))), float(score(counted[1].sum(axis=0))))
    if not np.isfinite(scores).all():
        raise Undefined(f"'{metric}' has no score there")
    return effect_of_counts(
        first,
        second,
        gold,
        kind=kind,
        scores=scores,
        higher_is_better=higher,
        maximum=maximum,
        clusters=None,
    )


def _maximum(
    result_set: ResultSet,
    wanted: tuple[str, ...],
    systems: tuple[str, str],
    metric: str,
    declared: float | None,
) -> float:
    for dataset in wanted:
        known = known_maximum(
            result_set, dataset, systems=systems, metric=metric, declared=declared
        )
        if isinstance(known, NoMaximum):
            raise ValueError(
                f"The error reduction is not defined on dataset {dataset!r}: {known.reason}."
            )
    assert not isinstance(known, NoMaximum)
    return known
