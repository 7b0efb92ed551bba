"""The effect on each dataset of a set of results, with its variance within the dataset."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import numpy as np
import numpy.typing as npt

from core.data.result_set import ResultSet
from core.effects.effect_list import EFFECTS, DatasetEffects, EffectName, LeftOut
from core.effects.maxima import checked_maximum
from core.effects.one_dataset import VARIANCES, Asked, AskedVariance, OneEffect, one_effect
from core.effects.paired_effect import Undefined
from core.metrics.registry import MEAN
from core.significance.clusters import clusters_of
from core.significance.plan import by_dataset, clusters_by_dataset
from core.significance.settings import positive_number
from core.significance.stopping import Stopped, goes_on
from core.significance.streams import Rng, seed_of
from core.validation import check_choice, check_two_systems

__all__ = ["DEFAULT_RESAMPLES", "PAPER_RESAMPLES", "VARIANCES", "dataset_effects"]

# Søgaard (2013) takes 50; the standard error of a variance from b samples is about √(2/b) of it.
PAPER_RESAMPLES = 50
DEFAULT_RESAMPLES = 1000


def dataset_effects(
    result_set: ResultSet,
    *,
    a: str,
    b: str,
    metric: str | Mapping[str, str] | None = None,
    effect: EffectName = "difference",
    variance: AskedVariance = "auto",
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
    """
    check_two_systems(a, b, result_set.systems)
    asked = Asked(
        a=a,
        b=b,
        effect=check_choice(effect, EFFECTS, name="effect"),
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
    done: dict[str, OneEffect] = {}
    left_out: list[LeftOut] = []

    def keep_going() -> bool:
        return goes_on(on_progress, len(done) + len(left_out), len(wanted))

    reached = 0
    try:
        for dataset in wanted:
            if not keep_going():
                break
            own = together.get(dataset)
            try:
                done[dataset] = one_effect(
                    result_set, dataset, names[dataset], own, asked, keep_going
                )
            except Undefined as reason:
                left_out.append(
                    LeftOut(dataset=dataset, reason=str(reason), needs_maximum=reason.needs_maximum)
                )
            reached += 1
    except Stopped:
        pass
    if reached == 0:
        raise Stopped("The effects were stopped before one dataset was done.")
    if on_progress is not None and reached == len(wanted):
        on_progress(reached, reached)
    return _result(result_set, names, wanted[reached:], done, left_out, asked)


def _result(
    result_set: ResultSet,
    names: Mapping[str, str],
    not_done: tuple[str, ...],
    done: Mapping[str, OneEffect],
    left_out: list[LeftOut],
    asked: Asked,
) -> DatasetEffects:
    every = list(done.values())
    metrics = {names[dataset] for dataset in done} or set(names.values())
    bootstrap = any(one.method == "bootstrap" for one in every)
    maxima = tuple(one.maximum for one in every if one.maximum is not None)
    kinds = {result_set.kind_of(name) for name in metrics}
    return DatasetEffects(
        datasets=tuple(done),
        effects=np.array([one.effect for one in every], dtype=np.float64),
        variances=None
        if asked.variance == "none"
        else np.array([one.variance for one in every], dtype=np.float64),
        n_examples=np.array([one.n_examples for one in every], dtype=np.intp),
        effect=asked.effect,
        variance_methods=tuple(one.method for one in every),
        a=asked.a,
        b=asked.b,
        metric=next(iter(metrics)) if len(metrics) == 1 else None,
        kind=next(iter(kinds)) if len(kinds) == 1 else None,
        # Of metrics with different directions no one label is right: effects are turned.
        higher_is_better=any(result_set.is_higher_better(name) for name in metrics),
        scores_a=np.array([one.score_a for one in every], dtype=np.float64),
        scores_b=np.array([one.score_b for one in every], dtype=np.float64),
        maxima=maxima,
        n_differing=tuple(one.n_differing for one in every),
        n_clusters=tuple(one.n_clusters for one in every),
        n_resamples=asked.n_resamples if bootstrap else None,
        seed=asked.seed if bootstrap else None,
        left_out=tuple(left_out),
        notes=tuple(one.note for one in every),
        complete=not not_done,
        not_done=not_done,
        fingerprint=result_set.fingerprint,
    )


def wanted_datasets(result_set: ResultSet, datasets: Iterable[str] | None) -> tuple[str, ...]:
    """The datasets that are asked for, in the order of the set.

    Raises
    ------
    ValueError
        If there is none, or an unknown one.
    """
    if datasets is None:
        return result_set.datasets
    asked = {check_choice(name, result_set.datasets, name="datasets") for name in datasets}
    if not asked:
        raise ValueError("`datasets` must name at least one dataset; got none.")
    return tuple(dataset for dataset in result_set.datasets if dataset in asked)


def _check_metric(result_set: ResultSet, metric: str, asked: Asked) -> None:
    check_choice(metric, (*result_set.metrics, *result_set.label_metrics), name="metric")
    kind = result_set.kind_of(metric)
    if kind == MEAN:
        return
    if asked.effect == "standardised":
        raise ValueError(
            "`effect` 'standardised' must have one score an example, that is averaged; metric "
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
