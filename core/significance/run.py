"""Run a test on each of many datasets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from core.data.p_value_table import PValueTable
from core.metrics.registry import CORRELATIONS
from core.significance.choose import significance_tests
from core.significance.plan import ComparedSystems, planned_tests
from core.significance.result import SignificanceResult
from core.significance.settings import positive_number
from core.significance.single import run_significance_test
from core.significance.stopping import Stopped
from core.significance.streams import Rng, dataset_stream, seed_of
from core.validation import check_choice

__all__ = [
    "ComparedSystems",
    "Stopped",
    "run_dataset_tests",
    "run_significance_test",
    "significance_tests",
]


def run_dataset_tests(
    result_set: ComparedSystems,
    *,
    a: str,
    b: str,
    test: str | Mapping[str, str] = "auto",
    metric: str | Mapping[str, str] | None = None,
    clusters: Mapping[str, npt.ArrayLike] | None = None,
    n_resamples: int = 9999,
    rng: Rng = 0,
    on_progress: Callable[[int, int], object] | None = None,
    on_result: Callable[[PValueTable], object] | None = None,
) -> PValueTable:
    """Test "A is better than B" on every dataset.

    A dataset's p-value depends on the seed, its name, its test, its scores and
    clusters and the number of resamples, and on no other dataset.

    Parameters
    ----------
    result_set : ResultSet
        Per-example scores of both systems.
    a, b : str
        Names of the systems.
    test : str or mapping of dataset to str
        One of `significance_tests`, or "auto": `choose_test` decides for each
        dataset.
    metric : str or mapping of dataset to str, optional
        Name of the scores' metric, the set's first by default.
    clusters : mapping of dataset to array_like, optional
        For each dataset whose examples come in clusters their labels, shape
        (n,), as `run_significance_test` takes them. A dataset that it does not
        name has none.
    n_resamples : int
        Of Monte Carlo.
    rng : int or Generator
        Seed; of a Generator, one integer is drawn.
    on_progress : callable, optional
        Called as ``on_progress(done, total)`` with numbers of datasets, also
        between chunks within a dataset. Returning False stops.
    on_result : callable, optional
        Called with the table of all datasets done, whenever one is done.

    Returns
    -------
    PValueTable
        With the p-values of "A better" as `p_values`, those of "B better" as
        `p_values_b`, each dataset's result in `results`. `complete` is False if
        it was stopped; the datasets that were done are in it. Where datasets
        have different metrics it names none, and where those are not better in
        the same direction it has no scores: each result has its own.

    Raises
    ------
    DataError
        If scores do not suit the test or are not defined; every dataset of
        which that is true is named, before any test runs.
    ValueError
        If an argument is not as described.
    Stopped
        If it was stopped before one dataset was done.
    """
    check_choice(a, result_set.systems, name="a")
    check_choice(b, result_set.systems, name="b")
    if a == b:
        raise ValueError(f"`a` and `b` must be different systems; both are {a!r}.")
    n_resamples = positive_number("n_resamples", n_resamples)
    seed = seed_of(rng)
    tests = planned_tests(result_set, a=a, b=b, test=test, metric=metric, clusters=clusters)
    total = len(tests)
    results: list[SignificanceResult] = []

    def keep_going() -> bool:
        return on_progress is None or on_progress(len(results), total) is not False

    complete = True
    for dataset, plan in tests.items():
        try:
            if not keep_going():
                raise Stopped("The tests were stopped.")
            result = run_significance_test(
                result_set.scores(dataset, a, plan.metric),
                result_set.scores(dataset, b, plan.metric),
                test=plan.test,
                metric=plan.kind,
                gold=result_set.gold(dataset) if plan.kind in CORRELATIONS else None,
                clusters=None if clusters is None else clusters.get(dataset),
                higher_is_better=plan.higher_is_better,
                n_resamples=n_resamples,
                rng=dataset_stream(seed, dataset, plan.test),
                keep_going=keep_going,
            )
        except Stopped:
            complete = False
            break
        results.append(replace(result, metric=plan.metric, seed=seed))
        if on_result is not None:
            done = tuple(tests)[: len(results)]
            on_result(table_of(done, results, a=a, b=b, complete=len(done) == total))
    if complete and on_progress is not None:
        on_progress(total, total)
    if not results:
        raise Stopped("The tests were stopped before one dataset was done.")
    return table_of(tuple(tests)[: len(results)], results, a=a, b=b, complete=complete)


def table_of(
    datasets: tuple[str, ...],
    results: list[SignificanceResult],
    *,
    a: str,
    b: str,
    complete: bool,
) -> PValueTable:
    """The table of these results, of A better."""
    greater = np.array([result.p_value_greater for result in results])
    metrics = {result.metric for result in results}
    directions = {result.higher_is_better for result in results}
    one_direction = len(directions) == 1
    return PValueTable(
        datasets=datasets,
        p_values=greater,
        p_values_b=np.array([result.p_value_less for result in results]),
        p_value_bounds=(greater, greater),
        alternative="greater",
        printed=tuple(repr(result.p_value_greater) for result in results),
        system_a=a,
        system_b=b,
        metric=results[0].metric if len(metrics) == 1 else None,
        scores_a=np.array([result.score_a for result in results]) if one_direction else None,
        scores_b=np.array([result.score_b for result in results]) if one_direction else None,
        higher_is_better=results[0].higher_is_better if one_direction else True,
        n_examples=np.array([result.n_examples for result in results]),
        results=tuple(results),
        notes=tuple("; ".join(result.notes) for result in results),
        complete=complete,
    )
