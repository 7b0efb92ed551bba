"""The effects of a set of results with their variances: on each dataset, and over all examples.

What is put together over all datasets are metrics that are no means: of a mean it is
`micro_average`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..data.result_set import ResultSet
from ..metrics.per_example import LABEL_METRICS
from ..metrics.registry import MEAN
from ..signature import short_fingerprint, signature_line
from ..significance.differences import FEWEST_CLUSTERS, Clusters, clusters_of
from ..significance.plan import (
    Given,
    asked_metric,
    by_dataset,
    check_compared,
    clusters_by_dataset,
    given_of,
    given_on,
    gold_for,
    wanted_datasets,
)
from ..significance.settings import Rng, dataset_stream, seed_of
from ..significance.stopping import Steps, Stopped
from ..types import FloatArray
from ..validation import check_choice, check_open_share, check_whole
from .dataset_effects import NO_VARIANCE, OF_EACH, DatasetEffects, LeftOut
from .heterogeneity import Interval
from .meta_analysis import normal_interval
from .paired_effect import (
    Draw,
    Effect,
    Undefined,
    checked_maximum,
    drawn_sums,
    effect_named,
    effect_on,
    known_maximum,
    statistics_of,
    variance_of,
)

# Søgaard (2013) takes 50; the standard error of a variance from b samples is about √(2/b) of it.
DEFAULT_RESAMPLES = 1000
# Where variances come from; "none" leaves averages only.
VARIANCES = ("auto", "bootstrap", "none")


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
    asked, declared = effect_named(effect), checked_maximum(maximum)
    weighs = check_choice(variance, VARIANCES, name="variance") != "none"
    number, seed = checked_resamples(n_resamples), seed_of(rng)
    names = by_dataset(
        result_set,
        result_set.metrics[0] if metric is None else metric,
        argument="metric",
        of="metric",
    )
    wanted = wanted_datasets(result_set, datasets)
    for name in dict.fromkeys(names[dataset] for dataset in wanted):
        kind = result_set.kind_of(asked_metric(result_set, name))
        if kind != MEAN and asked.needs_mean:
            raise ValueError(
                f"`effect` {effect!r} must have one score an example, that is averaged; metric "
                f"{name!r} is of kind {kind!r}."
            )
    labels = clusters_by_dataset(result_set, clusters)
    rows: list[dict[str, Any]] = []
    left_out: list[LeftOut] = []
    steps = Steps(on_progress, total=len(wanted))
    try:
        for dataset in wanted:
            steps.check()
            n, own = result_set.n_examples(dataset), labels.get(dataset)
            together = None if own is None else clusters_of(own, n_examples=n)
            given = given_on(result_set, dataset, (a, b), names[dataset])
            stream = dataset_stream(seed, result_set.name_in_file(dataset), "effect")

            def draw(drawn: Draw, stream: np.random.Generator = stream) -> FloatArray:
                return drawn(number, stream, steps.keep_going)

            try:
                found = _row(given, asked, variance, n, together, declared, draw)
                rows.append({"datasets": dataset, "n_examples": n, **found})
            except Undefined as reason:
                left_out.append(LeftOut.of(dataset, reason))
            steps.done += 1
    except Stopped:
        pass
    complete = steps.end("The effects were stopped before one dataset was done.")
    columns: dict[str, Any] = {name: tuple(row[name] for row in rows) for name in OF_EACH}
    has_drawn = "bootstrap" in columns["variance_methods"]
    # Where no dataset has an effect, of those that were to have one.
    metrics = {names[dataset] for dataset in columns["datasets"] or wanted[: steps.done]}
    kinds = {result_set.kind_of(name) for name in metrics}
    if not weighs:
        columns["variances"] = None
    if not asked.needs_maximum:
        columns["maxima"] = ()
    return DatasetEffects(
        effect=effect,
        a=a,
        b=b,
        metric=next(iter(metrics)) if len(metrics) == 1 else None,
        kind=next(iter(kinds)) if len(kinds) == 1 else None,
        higher_is_better=any(map(result_set.is_higher_better, metrics)),
        n_resamples=number if has_drawn else None,
        seed=seed if has_drawn else None,
        left_out=tuple(left_out),
        complete=complete,
        not_done=wanted[steps.done :],
        fingerprint=result_set.fingerprint,
        **columns,
    )


def _row(
    given: Given,
    effect: Effect,
    variance: str,
    n: int,
    clusters: Clusters | None,
    declared: float | None,
    draw: Callable[[Draw], FloatArray],
) -> dict[str, Any]:
    """What is known of the effect on one dataset; raises Undefined, which says why, if there is none."""
    units = n if clusters is None else clusters.n_clusters
    weighs = variance != "none"
    if units == 1 and weighs:
        only = "it has only 1 example" if clusters is None else "its examples are all in 1 cluster"
        raise Undefined(f"{only}, so that its effect has no variance within the dataset")
    maximum = known_maximum(given, declared=declared) if effect.needs_maximum else None
    found = effect_on(given, effect, maximum=maximum, clusters=clusters, is_drawn=weighs)
    notes, method, own = [], variance, found.closed_form
    if weighs and clusters is not None and units < FEWEST_CLUSTERS:
        notes.append(
            f"there are only {units} clusters: with fewer than {FEWEST_CLUSTERS} the variance within "
            "the dataset is itself uncertain"
        )
    if weighs:
        method = "closed-form"
    if weighs and found.drawn is not None and (variance == "bootstrap" or own is None):
        method, effects = "bootstrap", draw(found.drawn)
        own, n_undefined = variance_of(effects)
        without = f"{n_undefined:,} of {effects.size:,} resamples have no such effect"
        if np.isnan(own):
            raise Undefined(f"{without}, so that its variance is not known")
        if n_undefined:
            notes.append(f"{without}; the variance is that of the others")
    if weighs and own == 0.0:
        notes.append(NO_VARIANCE)
    return {
        "effects": found.effect,
        "variances": own,
        "variance_methods": method,
        "scores_a": found.score_a,
        "scores_b": found.score_b,
        "maxima": maximum,
        "n_differing": found.n_differing if weighs else None,
        "n_clusters": None if clusters is None else clusters.n_clusters,
        "notes": "; ".join(notes),
    }


def checked_resamples(n_resamples: int) -> int:
    """A number of resamples that a variance can be of."""
    number = check_whole(n_resamples, name="n_resamples", least=1)
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

    gold = None
    if kind in LABEL_METRICS:
        gold = np.concatenate([gold_for(result_set, dataset, kind) for dataset in wanted])
    score, *statistics = statistics_of(kind, together(a), together(b), gold)
    rows, width = np.hstack(statistics), statistics[0].shape[1]

    def scores(sums: FloatArray) -> tuple[FloatArray, FloatArray]:
        return score(sums[..., :width]), score(sums[..., width:])

    score_a, score_b = map(float, scores(rows.sum(axis=0)))
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
        stream = dataset_stream(seed, result_set.name_in_file(dataset), "pooled-effect")
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
