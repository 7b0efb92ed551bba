"""The effect on each dataset of a set of results, with its variance within the dataset."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ..data.result_set import ResultSet
from ..metrics.registry import CORRELATIONS, MEAN
from ..significance.differences import FEWEST_CLUSTERS, Clusters, clusters_of
from ..significance.plan import (
    by_dataset,
    clusters_by_dataset,
    given_of,
    gold_for,
    problems_of_scores,
    wanted_datasets,
)
from ..significance.settings import Rng, dataset_stream, positive_number, seed_of
from ..significance.stopping import KeepGoing, Stopped, goes_on
from ..validation import check_choice, check_two_systems
from .dataset_effects import (
    NO_VARIANCE,
    DatasetEffects,
    LeftOut,
    joined,
)
from .maxima import NoMaximum, checked_maximum, known_maximum
from .paired_effect import (
    Effect,
    PairedEffect,
    Undefined,
    effect_named,
    effect_of_counts,
    effect_of_means,
    effect_of_predictions,
)
from .resampled import drawn_variance

# Søgaard (2013) takes 50; the standard error of a variance from b samples is about √(2/b) of it.
PAPER_RESAMPLES = 50
DEFAULT_RESAMPLES = 1000
# Where variances come from; "none" leaves averages only.
VARIANCES = ("auto", "bootstrap", "closed-form", "none")
_STREAM = "effect"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What is asked of every dataset."""

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
    variance : {"auto", "bootstrap", "closed-form", "none"}
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
    check_two_systems(a, b, result_set.systems)
    asked = _Asked(
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
        _check_metric(result_set, names[dataset], asked)
    among = set(wanted)
    together = {
        dataset: clusters_of(labels, n_examples=result_set.n_examples(dataset))
        for dataset, labels in clusters_by_dataset(result_set, clusters).items()
        if dataset in among
    }
    parts: list[DatasetEffects] = []

    def keep_going() -> bool:
        return goes_on(on_progress, len(parts), len(wanted))

    try:
        for dataset in wanted:
            if not keep_going():
                break
            own = together.get(dataset)
            parts.append(_of_dataset(result_set, dataset, names[dataset], own, asked, keep_going))
    except Stopped:
        pass
    if not parts:
        raise Stopped("The effects were stopped before one dataset was done.")
    reached = len(parts)
    if on_progress is not None and reached == len(wanted):
        on_progress(reached, reached)
    return replace(joined(parts), complete=reached == len(wanted), not_done=wanted[reached:])


def _of_dataset(
    result_set: ResultSet,
    dataset: str,
    metric: str,
    clusters: Clusters | None,
    asked: _Asked,
    keep_going: KeepGoing,
) -> DatasetEffects:
    """The effect of one dataset as it is asked for, or the dataset as left out.

    Raises
    ------
    Stopped
        If `keep_going` says so.
    """
    try:
        return _defined(result_set, dataset, metric, clusters, asked, keep_going)
    except Undefined as reason:
        none = np.empty(0)
        return _part(
            result_set,
            metric,
            asked,
            datasets=(),
            effects=none,
            variances=None if asked.variance == "none" else none,
            n_examples=np.empty(0, dtype=np.intp),
            scores_a=none,
            scores_b=none,
            variance_methods=(),
            left_out=(
                LeftOut(dataset=dataset, reason=str(reason), needs_maximum=reason.needs_maximum),
            ),
        )


def _part(result_set: ResultSet, metric: str, asked: _Asked, **columns: Any) -> DatasetEffects:
    return DatasetEffects(
        effect=asked.effect.name,
        a=asked.a,
        b=asked.b,
        metric=metric,
        kind=result_set.kind_of(metric),
        higher_is_better=result_set.is_higher_better(metric),
        fingerprint=result_set.fingerprint,
        **columns,
    )


def _defined(
    result_set: ResultSet,
    dataset: str,
    metric: str,
    clusters: Clusters | None,
    asked: _Asked,
    keep_going: KeepGoing,
) -> DatasetEffects:
    """The effect of one dataset.

    Raises
    ------
    Undefined
        If there is none; the message says why.
    Stopped
        If `keep_going` says so.
    """
    n = result_set.n_examples(dataset)
    units = n if clusters is None else clusters.n_clusters
    if units == 1 and asked.variance != "none":
        only = "it has only 1 example" if clusters is None else "its examples are all in 1 cluster"
        raise Undefined(f"{only}, so that its effect has no variance within the dataset")
    maximum: float | None = None
    if asked.effect.needs_maximum:
        known = known_maximum(
            result_set,
            dataset,
            systems=(asked.a, asked.b),
            metric=metric,
            declared=asked.maximum,
        )
        if isinstance(known, NoMaximum):
            raise Undefined(known.reason, needs_maximum=known.may_be_said)
        maximum = known
    found = _effect(result_set, dataset, metric, clusters, asked, maximum)
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
        if asked.variance == "closed-form":
            raise Undefined(
                "the closed form of this variance takes examples to be independent, and these come "
                "in clusters"
            )
        method = "bootstrap"
        drawn = drawn_variance(
            found.resampled(),
            n_resamples=asked.n_resamples,
            rng=dataset_stream(asked.seed, dataset, _STREAM),
            keep_going=keep_going,
        )
        if np.isnan(drawn.variance):
            raise Undefined(
                f"{drawn.n_undefined:,} of {asked.n_resamples:,} resamples have no such effect, so "
                "that its variance is not known"
            )
        if drawn.n_undefined:
            notes.append(
                f"{drawn.n_undefined:,} of {asked.n_resamples:,} resamples have no such effect; the "
                "variance is that of the others"
            )
        variance = drawn.variance
    else:
        variance = found.closed_form
    if variance == 0.0:
        notes.append(NO_VARIANCE)
    weighs, drawn_here = asked.variance != "none", method == "bootstrap"
    n_differing = found.n_differing() if weighs and found.n_differing is not None else None
    return _part(
        result_set,
        metric,
        asked,
        datasets=(dataset,),
        effects=np.array([found.effect]),
        variances=np.array([variance]) if weighs else None,
        n_examples=np.array([n], dtype=np.intp),
        variance_methods=(method,),
        scores_a=np.array([found.score_a]),
        scores_b=np.array([found.score_b]),
        maxima=() if maximum is None else (maximum,),
        n_differing=(n_differing,),
        n_clusters=(None if clusters is None else clusters.n_clusters,),
        n_resamples=asked.n_resamples if drawn_here else None,
        seed=asked.seed if drawn_here else None,
        notes=("; ".join(notes),),
    )


def _effect(
    result_set: ResultSet,
    dataset: str,
    metric: str,
    clusters: Clusters | None,
    asked: _Asked,
    maximum: float | None,
) -> PairedEffect:
    kind = result_set.kind_of(metric)
    higher = result_set.is_higher_better(metric)
    first, second = (
        given_of(result_set, dataset, system, metric=metric, kind=kind)
        for system in (asked.a, asked.b)
    )
    if kind == MEAN:
        return effect_of_means(
            first,
            second,
            higher_is_better=higher,
            effect=asked.effect,
            maximum=maximum,
            clusters=clusters,
        )
    gold = gold_for(result_set, dataset, kind)
    scores = (
        result_set.score(dataset, asked.a, metric),
        result_set.score(dataset, asked.b, metric),
    )
    problems = problems_of_scores(
        dataset,
        {asked.a: first, asked.b: second},
        {asked.a: scores[0], asked.b: scores[1]},
        gold,
        test="paired-bootstrap",
        metric=metric,
        kind=kind,
        of_labels=metric not in result_set.metrics,
    )
    if problems:
        raise Undefined(" ".join(problem.what for problem in problems).rstrip("."))
    compute = effect_of_predictions if kind in CORRELATIONS else effect_of_counts
    return compute(
        first,
        second,
        gold,
        kind=kind,
        scores=scores,
        higher_is_better=higher,
        maximum=maximum,
        clusters=clusters,
    )


def _check_metric(result_set: ResultSet, metric: str, asked: _Asked) -> None:
    check_choice(metric, (*result_set.metrics, *result_set.label_metrics), name="metric")
    kind = result_set.kind_of(metric)
    if kind == MEAN:
        return
    if asked.effect.needs_mean:
        raise ValueError(
            f"`effect` {asked.effect.name!r} must have one score an example, that is averaged; metric "
            f"{metric!r} is of kind {kind!r}."
        )
    if asked.variance == "closed-form":
        raise ValueError(
            f"`variance` 'closed-form' is for scores that are averaged; metric {metric!r} is of kind "
            f"{kind!r}. Take 'auto' or 'bootstrap'."
        )


def checked_resamples(n_resamples: int) -> int:
    """A number of resamples that a variance can be of.

    Raises
    ------
    ValueError
        If it is no whole number of at least 2.
    """
    number = positive_number("n_resamples", n_resamples)
    if number < 2:
        raise ValueError(f"`n_resamples` must be at least 2 for a variance; got {number}.")
    return number
