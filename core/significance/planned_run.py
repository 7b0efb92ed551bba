"""Run what is planned for one dataset."""

from __future__ import annotations

from dataclasses import replace

from core.errors import Problem
from core.metrics.labels import LABEL_METRICS, n_label_statistics
from core.metrics.registry import CORRELATIONS, MEAN
from core.significance.plan import ComparedSystems, PlannedTest, given_of, gold_for
from core.significance.resamples import CHUNK_DRAWS
from core.significance.result import SignificanceResult
from core.significance.settings import Settings
from core.significance.single import run_with_settings
from core.significance.stopping import KeepGoing, Stopped
from core.significance.streams import dataset_stream

# Draws of means are held so many at once, whatever n, at 18 bytes.
_BYTES_OF_MEANS = 18 << 18
# Bytes a draw: indices, counts and their copy as floats; for Spearman's midranks of three columns.
_BYTES_OF_SUMS, _BYTES_OF_RANKS = 24, 80
# Statistics of both systems, side by side and sorted.
_COPIES_OF_STATISTICS = 6
# Those of `core.significance.predictions`, whatever was given of an example.
_STATISTICS_OF_CORRELATIONS = 6


def run_planned(
    result_set: ComparedSystems,
    dataset: str,
    plan: PlannedTest,
    *,
    a: str,
    b: str,
    settings: Settings,
    seed: int,
    keep_going: KeepGoing,
) -> SignificanceResult:
    """The result of one dataset's test, from its own stream of random numbers.

    Raises
    ------
    ValueError
        If an argument does not suit the test.
    Stopped
        If `keep_going` says so.
    """
    first, second = (
        given_of(result_set, dataset, system, metric=plan.metric, kind=plan.kind)
        for system in (a, b)
    )
    result = run_with_settings(
        first,
        second,
        settings,
        test=plan.test,
        metric=plan.kind,
        gold=gold_for(result_set, dataset, plan.kind),
        clusters=plan.clusters,
        higher_is_better=plan.higher_is_better,
        rng=dataset_stream(seed, dataset, plan.test),
        keep_going=keep_going,
    )
    return replace(result, metric=plan.metric, seed=seed)


def problems_of_exactness(
    result_set: ComparedSystems,
    dataset: str,
    plan: PlannedTest,
    *,
    a: str,
    b: str,
    own: Settings,
) -> list[Problem]:
    """What keeps an exact test from being exact on this dataset.

    Found by beginning it: a test says so before its first chunk of work.
    """
    if own.method != "exact":
        return []
    try:
        run_planned(
            result_set,
            dataset,
            plan,
            a=a,
            b=b,
            settings=replace(own, n_resamples=1),
            seed=0,
            keep_going=lambda: False,
        )
    except Stopped:
        return []
    except ValueError as error:
        remedy = "Choose method 'auto', or another test for this dataset."
        return [Problem(what=str(error), remedy=remedy, dataset=dataset)]
    return []


def bytes_held(result_set: ComparedSystems, dataset: str, plan: PlannedTest, *, a: str) -> int:
    """About how much memory one dataset's test holds at once while it draws resamples."""
    given = given_of(result_set, dataset, a, metric=plan.metric, kind=plan.kind)
    n = int(given.shape[0])
    if plan.kind == MEAN:
        # Of clusters, sums and sizes.
        held, width = _BYTES_OF_MEANS, 1 if plan.clusters is None else 2
    elif plan.kind in CORRELATIONS:
        a_draw = _BYTES_OF_RANKS if plan.kind == "spearman" else _BYTES_OF_SUMS
        held, width = a_draw * max(CHUNK_DRAWS, n), _STATISTICS_OF_CORRELATIONS
    else:
        held = _BYTES_OF_SUMS * max(CHUNK_DRAWS, n)
        if plan.kind in LABEL_METRICS:
            gold = gold_for(result_set, dataset, plan.kind)
            width = n_label_statistics(plan.kind, len({*given.tolist(), *gold.tolist()}))
        else:
            width = int(given.shape[1])
    return held + 8 * _COPIES_OF_STATISTICS * n * width
