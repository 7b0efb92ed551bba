"""The effects of a set of results with their variances: on each dataset, and over all examples.

What is put together over all datasets are metrics that are no means: of a mean it is
`micro_average`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ..data.result_set import ResultSet
from ..metrics.labels import LABEL_METRICS, label_statistics
from ..metrics.registry import MEAN, statistic_metric
from ..signature import short_fingerprint, signature_line
from ..significance.differences import FEWEST_CLUSTERS, Clusters, clusters_of
from ..significance.plan import (
    asked_metric,
    by_dataset,
    check_compared,
    clusters_by_dataset,
    given_of,
    given_on,
    gold_for,
    wanted_datasets,
)
from ..significance.settings import Rng, dataset_stream, positive_number, seed_of
from ..significance.stopping import KeepGoing, Steps, Stopped
from ..types import FloatArray
from ..validation import check_choice, check_open_share
from .dataset_effects import NO_VARIANCE, DatasetEffects, LeftOut, joined
from .heterogeneity import Interval
from .meta_analysis import normal_interval
from .paired_effect import (
    Effect,
    Undefined,
    checked_maximum,
    drawn_sums,
    effect_named,
    effect_on,
    known_maximum,
    variance_of,
)

# Søgaard (2013) takes 50; the standard error of a variance from b samples is about √(2/b) of it.
DEFAULT_RESAMPLES = 1000
# Where variances come from; "none" leaves averages only.
VARIANCES = ("auto", "bootstrap", "none")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What is asked of every dataset."""

    results: ResultSet
    a: str
    b: str
    effect: Effect
    variance: str
    maximum: float | None
    n_resamples: int
    seed: int


def dataset_effects(
    result_set: ResultSet,
    *,
    a: str,
    b: str,
    metric: str | Mapping[str, str] | None = None,
    effect: str = "difference",
    variance: str = "auto",
    n_resamples: int = DEFAULT_RESAMPLES,
    rng: Rng = 0,
    clusters: Mapping[str, npt.ArrayLike] | None = None,
    datasets: Iterable[str] | None = None,
    maximum: float | None = None,
    on_progress: Callable[[int, int], object] | None = None,
) -> DatasetEffects:
    """How far A is ahead of B on each dataset, with the variance of that.

    A dataset's variance depends on the seed, its name, its scores and the
    settings, and on no other dataset.

    Parameters
    ----------
    result_set : ResultSet
        Per-example scores of both systems.
    a, b : str
        Names of the systems.
    metric : str or mapping of dataset to str, optional
        The set's first by default; also one of its `label_metrics`.
    effect : {"difference", "error-reduction", "standardised"}
        A − B; (A − B)/(maximum − B), for metrics with a maximum of which higher
        is better; or the mean over the standard deviation of the examples'
        differences, for scores that are averaged.
    variance : {"auto", "bootstrap", "none"}
        "auto" is in closed form for scores that are averaged, else by bootstrap;
        with "none" there are averages only.
    n_resamples : int
        Of the paired bootstrap, at least 2; Søgaard (2013) takes 50.
    rng : int or Generator
        Seed; of a Generator, one integer is drawn.
    clusters : mapping of dataset to array_like, optional
        As `run_dataset_tests` takes them: the set's own by default, ``{}`` none.
    datasets : iterable of str, optional
        All by default.
    maximum : float, optional
        The highest possible score, where it is not known from the metric: 100
        for percentages. One that contradicts the metric leaves datasets out.
    on_progress : callable, optional
        Called as ``on_progress(done, total)`` with numbers of datasets, also
        within a dataset. Returning False stops; finished datasets are kept.

    Returns
    -------
    DatasetEffects
        Datasets without such an effect are in `left_out`, each with its reason.

    Raises
    ------
    ValueError
        If an argument is not as described.
    Stopped
        If it was stopped before one dataset was done.

    Examples
    --------
    >>> from replicability import dataset_effects, read_results, read_sample
    >>> sample, content = read_sample("simulated-accuracy")
    >>> results = read_results(content)
    >>> effects = dataset_effects(results, a="ours", b="baseline")
    >>> effects.datasets[0], round(float(effects.effects[0]), 4)
    ('sim-task-01', 0.0838)
    """
    check_compared(result_set, a, b)
    asked = _Asked(
        results=result_set,
        a=a,
        b=b,
        effect=effect_named(effect),
        variance=check_choice(variance, VARIANCES, name="variance"),
        maximum=checked_maximum(maximum),
        n_resamples=checked_resamples(n_resamples),
        seed=seed_of(rng),
    )
    names = by_dataset(
        result_set,
        result_set.metrics[0] if metric is None else metric,
        argument="metric",
        of="metric",
    )
    wanted = wanted_datasets(result_set, datasets)
    for dataset in wanted:
        _check_metric(asked, names[dataset])
    among = set(wanted)
    together = {
        dataset: clusters_of(labels, n_examples=result_set.n_examples(dataset))
        for dataset, labels in clusters_by_dataset(result_set, clusters).items()
        if dataset in among
    }
    parts: list[DatasetEffects] = []
    steps = Steps(on_progress, total=len(wanted))
    try:
        for dataset in wanted:
            steps.check()
            own = together.get(dataset)
            parts.append(_of_dataset(asked, dataset, names[dataset], own, steps.keep_going))
            steps.done += 1
    except Stopped:
        pass
    complete = steps.end("The effects were stopped before one dataset was done.")
    return replace(joined(parts), complete=complete, not_done=wanted[len(parts) :])


def _of_dataset(
    asked: _Asked, dataset: str, metric: str, clusters: Clusters | None, keep_going: KeepGoing
) -> DatasetEffects:
    """The effect of one dataset as it is asked for, or the dataset as left out."""
    try:
        columns = _defined(asked, dataset, metric, clusters, keep_going)
    except Undefined as reason:
        none = np.empty(0)
        columns = {
            "datasets": (),
            **dict.fromkeys(("effects", "scores_a", "scores_b"), none),
            "variances": None if asked.variance == "none" else none,
            "n_examples": np.empty(0, dtype=np.intp),
            "variance_methods": (),
            "left_out": (LeftOut.of(dataset, reason),),
        }
    return DatasetEffects(
        effect=asked.effect.name,
        a=asked.a,
        b=asked.b,
        metric=metric,
        kind=asked.results.kind_of(metric),
        higher_is_better=asked.results.is_higher_better(metric),
        fingerprint=asked.results.fingerprint,
        **columns,
    )


def _defined(
    asked: _Asked, dataset: str, metric: str, clusters: Clusters | None, keep_going: KeepGoing
) -> dict[str, Any]:
    """What is known of the effect on one dataset; raises Undefined, which says why, if there is none."""
    n = asked.results.n_examples(dataset)
    units = n if clusters is None else clusters.n_clusters
    if units == 1 and asked.variance != "none":
        only = "it has only 1 example" if clusters is None else "its examples are all in 1 cluster"
        raise Undefined(f"{only}, so that its effect has no variance within the dataset")
    given = given_on(asked.results, dataset, (asked.a, asked.b), metric)
    maximum = known_maximum(given, declared=asked.maximum) if asked.effect.needs_maximum else None
    found = effect_on(given, asked.effect, maximum=maximum, clusters=clusters)
    notes = []
    if clusters is not None and units < FEWEST_CLUSTERS:
        notes.append(
            f"there are only {units} clusters: with fewer than {FEWEST_CLUSTERS} the variance within "
            "the dataset is itself uncertain"
        )
    method = "closed-form"
    if asked.variance == "none":
        method, variance, notes = "none", float("nan"), []
    elif asked.variance == "bootstrap" or found.closed_form is None:
        method = "bootstrap"
        stream = dataset_stream(asked.seed, dataset, "effect")
        variance, n_undefined = variance_of(found.drawn(asked.n_resamples, stream, keep_going))
        if np.isnan(variance):
            raise Undefined(
                f"{n_undefined:,} of {asked.n_resamples:,} resamples have no such effect, so "
                "that its variance is not known"
            )
        if n_undefined:
            notes.append(
                f"{n_undefined:,} of {asked.n_resamples:,} resamples have no such effect; the "
                "variance is that of the others"
            )
    else:
        variance = found.closed_form
    if variance == 0.0:
        notes.append(NO_VARIANCE)
    weighs, drawn_here = asked.variance != "none", method == "bootstrap"
    return {
        "datasets": (dataset,),
        "effects": np.array([found.effect]),
        "variances": np.array([variance]) if weighs else None,
        "n_examples": np.array([n], dtype=np.intp),
        "variance_methods": (method,),
        "scores_a": np.array([found.score_a]),
        "scores_b": np.array([found.score_b]),
        "maxima": () if maximum is None else (maximum,),
        "n_differing": (found.n_differing() if weighs else None,),
        "n_clusters": (None if clusters is None else clusters.n_clusters,),
        "n_resamples": asked.n_resamples if drawn_here else None,
        "seed": asked.seed if drawn_here else None,
        "notes": ("; ".join(notes),),
    }


def _check_metric(asked: _Asked, metric: str) -> None:
    kind = asked.results.kind_of(asked_metric(asked.results, metric))
    if kind != MEAN and asked.effect.needs_mean:
        raise ValueError(
            f"`effect` {asked.effect.name!r} must have one score an example, that is averaged; metric "
            f"{metric!r} is of kind {kind!r}."
        )


def checked_resamples(n_resamples: int) -> int:
    """A number of resamples that a variance can be of."""
    number = positive_number("n_resamples", n_resamples)
    if number < 2:
        raise ValueError(f"`n_resamples` must be at least 2 for a variance; got {number}.")
    return number


@dataclass(frozen=True, slots=True, kw_only=True)
class PooledEffect:
    """A difference of scores over all examples, for these datasets and no others.

    Its variance is that of resamples within each dataset; the interval is normal.
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
            level=self.confidence_level,
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

    Not of a mean, of which it is `micro_average`; not of a correlation, as gold is on several
    scales.
    """
    check_compared(result_set, a, b)
    name = asked_metric(result_set, metric)
    kind = result_set.kind_of(name)
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
    steps = Steps(on_progress, total=len(wanted))
    for dataset in wanted:
        n = result_set.n_examples(dataset)
        own = rows[start : start + n]
        start += n
        if dataset in clustered:
            own = clusters_of(clustered[dataset], n_examples=n).summed(own)
        stream = dataset_stream(seed, dataset, "pooled-effect")
        sums += drawn_sums(own, number, stream, steps.keep_going)
        steps.done += 1
    steps.finish()
    sign = 1.0 if result_set.is_higher_better(name) else -1.0
    drawn_a, drawn_b = scores(sums)
    variance, _ = variance_of(sign * (drawn_a - drawn_b))
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
