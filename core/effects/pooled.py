"""The effect over the examples of all datasets put together, of metrics that are no means."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..data.result_set import ResultSet
from ..metrics.labels import LABEL_METRICS, label_statistics
from ..metrics.registry import CORRELATIONS, MEAN, statistic_metric
from ..signature import short_fingerprint, signature_line
from ..significance.differences import clusters_of
from ..significance.plan import clusters_by_dataset, given_of, gold_for, wanted_datasets
from ..significance.settings import Rng, dataset_stream, seed_of
from ..significance.stopping import goes_on
from ..types import FloatArray
from ..validation import check_choice, check_open_share, check_two_systems
from .from_results import DEFAULT_RESAMPLES, checked_resamples
from .heterogeneity import Interval
from .meta_analysis import normal_interval
from .resampled import drawn_sums, variance_of

_STREAM = "pooled-effect"


@dataclass(frozen=True, slots=True, kw_only=True)
class PooledEffect:
    """A difference of scores over all examples, for these datasets and no others.

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
            pooled="difference",
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
    n_resamples: int = DEFAULT_RESAMPLES,
    rng: Rng = 0,
    clusters: Mapping[str, npt.ArrayLike] | None = None,
    datasets: Iterable[str] | None = None,
    confidence_level: float = 0.95,
    on_progress: Callable[[int, int], object] | None = None,
) -> PooledEffect:
    """The difference over all examples put together, with an interval by the paired bootstrap.

    The scores are those of the sums over all datasets, which no average of theirs is.

    Parameters
    ----------
    result_set, a, b, n_resamples, rng, clusters, datasets
        As of `dataset_effects`.
    metric : str, optional
        Computed from sums over examples, or from labels. Not a mean, of which it is
        `micro_average`; not a correlation, as gold scores of different datasets are on
        scales of their own.
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
    name = result_set.metrics[0] if metric is None else metric
    check_choice(name, (*result_set.metrics, *result_set.label_metrics), name="metric")
    kind = result_set.kind_of(name)
    if kind in CORRELATIONS:
        raise ValueError(
            f"`metric` must not be a correlation; got {name!r}: gold scores of different datasets "
            "are on scales of their own."
        )
    if kind == MEAN:
        raise ValueError(
            f"`metric` must not be a mean of examples' scores; got {name!r}, of which the "
            "difference over all examples is `micro_average`."
        )
    level = check_open_share(confidence_level, name="confidence_level")
    number, seed = checked_resamples(n_resamples), seed_of(rng)
    wanted = wanted_datasets(result_set, datasets)

    def together(system: str) -> Any:
        return np.concatenate(
            [given_of(result_set, dataset, system, metric=name, kind=kind) for dataset in wanted]
        )

    counted = together(a), together(b)
    if kind in LABEL_METRICS:
        gold = np.concatenate([gold_for(result_set, dataset, kind) for dataset in wanted])
        computed, *statistics = label_statistics(*counted, gold, metric=kind)
        rows = np.hstack(statistics)
    else:
        computed, rows = statistic_metric(kind), np.hstack(counted)
    width = rows.shape[1] // 2

    def scores(sums: FloatArray) -> tuple[FloatArray, FloatArray]:
        return computed.score(sums[..., :width]), computed.score(sums[..., width:])

    score_a, score_b = (float(score) for score in scores(rows.sum(axis=0)))
    if not np.isfinite([score_a, score_b]).all():
        raise ValueError(
            f"The effect over all examples is not defined: '{name}' has no score there."
        )
    clustered = clusters_by_dataset(result_set, clusters)
    sums = np.zeros((number, rows.shape[1]))
    start = 0
    for done, dataset in enumerate(wanted):

        def keep_going(done: int = done) -> bool:
            return goes_on(on_progress, done, len(wanted))

        n = result_set.n_examples(dataset)
        own = rows[start : start + n]
        start += n
        if dataset in clustered:
            own = clusters_of(clustered[dataset], n_examples=n).summed(own)
        stream = dataset_stream(seed, dataset, _STREAM)
        sums += drawn_sums(own, n_resamples=number, rng=stream, keep_going=keep_going)
    if on_progress is not None:
        on_progress(len(wanted), len(wanted))
    sign = 1.0 if result_set.is_higher_better(name) else -1.0
    drawn_a, drawn_b = scores(sums)
    variance = variance_of(sign * (drawn_a - drawn_b)).variance
    if np.isnan(variance):
        raise ValueError("The effect is defined on too few resamples for a variance.")
    estimate = sign * (score_a - score_b) + 0.0
    return PooledEffect(
        estimate=estimate,
        variance=variance,
        confidence_interval=normal_interval(estimate, variance, level),
        confidence_level=level,
        score_a=score_a,
        score_b=score_b,
        metric=name,
        a=a,
        b=b,
        n_datasets=len(wanted),
        n_examples=start,
        n_resamples=number,
        seed=seed,
        fingerprint=result_set.fingerprint,
    )
