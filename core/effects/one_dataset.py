"""One dataset of a set of results: its effect, its variance, or why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from core.data.result_set import ResultSet
from core.effects.effect_list import NO_VARIANCE, EffectName, VarianceMethod
from core.effects.maxima import NoMaximum, known_maximum
from core.effects.paired_effect import (
    PairedEffect,
    Undefined,
    effect_of_counts,
    effect_of_means,
    effect_of_predictions,
)
from core.effects.resampled import drawn_variance
from core.metrics.registry import CORRELATIONS, MEAN
from core.significance.clusters import FEWEST_CLUSTERS, Clusters
from core.significance.plan import given_of, gold_for
from core.significance.stopping import KeepGoing
from core.significance.streams import dataset_stream
from core.significance.suitability import problems_of_scores

AskedVariance = Literal["auto", "bootstrap", "closed-form", "none"]
VARIANCES: tuple[AskedVariance, ...] = get_args(AskedVariance)
_STREAM = "effect"


@dataclass(frozen=True, slots=True, kw_only=True)
class OneEffect:
    """What is known of one dataset."""

    effect: float
    variance: float
    method: VarianceMethod
    n_examples: int
    score_a: float
    score_b: float
    maximum: float | None
    n_differing: int | None
    n_clusters: int | None
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is asked of every dataset."""

    a: str
    b: str
    effect: EffectName
    variance: AskedVariance
    maximum: float | None
    n_resamples: int
    seed: int


def one_effect(
    result_set: ResultSet,
    dataset: str,
    metric: str,
    clusters: Clusters | None,
    asked: Asked,
    keep_going: KeepGoing,
) -> OneEffect:
    """The effect of one dataset as it is asked for.

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
    if asked.effect == "error-reduction":
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
    method: VarianceMethod = "closed-form"
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
    return OneEffect(
        effect=found.effect,
        variance=variance,
        method=method,
        n_examples=n,
        score_a=found.score_a,
        score_b=found.score_b,
        maximum=maximum,
        n_differing=None
        if found.n_differing is None or asked.variance == "none"
        else found.n_differing(),
        n_clusters=None if clusters is None else clusters.n_clusters,
        note="; ".join(notes),
    )


def _effect(
    result_set: ResultSet,
    dataset: str,
    metric: str,
    clusters: Clusters | None,
    asked: Asked,
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
