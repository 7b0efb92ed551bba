"""Run a test on each of many datasets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Protocol

import numpy as np

from core.data.p_value_table import PValueTable
from core.errors import DataError, Problem
from core.metrics.per_example import listed, other_than_binary
from core.significance.choose import (
    NAME_ANOTHER,
    WILLIAMS_IS_MISSING,
    SignificanceTest,
    choose_test,
    significance_tests,
)
from core.significance.result import SignificanceResult
from core.significance.single import MCNEMAR_VARIANTS, positive_number, run_significance_test
from core.significance.stopping import Stopped
from core.significance.streams import Rng, dataset_stream, seed_of
from core.types import FloatArray
from core.validation import check_choice

__all__ = [
    "ComparedSystems",
    "Stopped",
    "run_dataset_tests",
    "run_significance_test",
    "significance_tests",
]


class ComparedSystems(Protocol):
    """What is needed of a set of results; `core.data.ResultSet` is one."""

    @property
    def datasets(self) -> tuple[str, ...]:
        """Names of the datasets."""

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems."""

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of the metrics, the default one first."""

    @property
    def higher_is_better(self) -> Mapping[str, bool]:
        """For each metric whether a higher score is the better one."""

    def oriented(self, dataset: str, system: str, metric: str | None = None) -> FloatArray:
        """Scores turned so that higher is better, shape (n,)."""

    def gold(self, dataset: str) -> Any:
        """Gold labels or scores of one dataset, or None."""


def run_dataset_tests(
    result_set: ComparedSystems,
    *,
    a: str,
    b: str,
    test: str | Mapping[str, str] = "auto",
    metric: str | None = None,
    n_resamples: int = 9999,
    rng: Rng = 0,
    on_progress: Callable[[int, int], object] | None = None,
    on_result: Callable[[PValueTable], object] | None = None,
) -> PValueTable:
    """Test "A is better than B" on every dataset.

    A dataset's p-value depends on the seed, its name, its test, its scores and
    the number of resamples, and on no other dataset.

    Parameters
    ----------
    result_set : ResultSet
        Per-example scores of both systems.
    a, b : str
        Names of the systems.
    test : str or mapping of dataset to str
        One of `significance_tests`, or "auto": `choose_test` decides for each
        dataset.
    metric : str, optional
        Name of the scores' metric, the set's first by default.
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
        it was stopped; the datasets that were done are in it.

    Raises
    ------
    DataError
        If scores do not suit the test; every dataset of which that is true is
        named, before any test runs.
    ValueError
        If an argument is not as described.
    Stopped
        If it was stopped before one dataset was done.
    """
    check_choice(a, result_set.systems, name="a")
    check_choice(b, result_set.systems, name="b")
    if a == b:
        raise ValueError(f"`a` and `b` must be different systems; both are {a!r}.")
    name = (
        result_set.metrics[0]
        if metric is None
        else check_choice(metric, result_set.metrics, name="metric")
    )
    n_resamples = positive_number("n_resamples", n_resamples)
    seed = seed_of(rng)
    tests = _chosen_tests(result_set, a, b, test, name)
    higher = bool(result_set.higher_is_better[name])
    total = len(tests)
    results: list[SignificanceResult] = []

    def keep_going() -> bool:
        return on_progress is None or on_progress(len(results), total) is not False

    complete = True
    for dataset, chosen in tests.items():
        try:
            if not keep_going():
                raise Stopped("The tests were stopped.")
            result = run_significance_test(
                result_set.oriented(dataset, a, name),
                result_set.oriented(dataset, b, name),
                test=chosen,
                n_resamples=n_resamples,
                rng=dataset_stream(seed, dataset, chosen),
                keep_going=keep_going,
            )
        except Stopped:
            complete = False
            break
        results.append(_as_given(result, metric=name, seed=seed, higher_is_better=higher))
        if on_result is not None:
            done = tuple(tests)[: len(results)]
            on_result(_table(done, results, a=a, b=b, complete=len(done) == total))
    if complete and on_progress is not None:
        on_progress(total, total)
    if not results:
        raise Stopped("The tests were stopped before one dataset was done.")
    return _table(tuple(tests)[: len(results)], results, a=a, b=b, complete=complete)


def _chosen_tests(
    result_set: ComparedSystems, a: str, b: str, test: str | Mapping[str, str], metric: str
) -> dict[str, SignificanceTest]:
    """Each dataset's test, checked against its scores; every problem at once."""
    choices: tuple[str, ...] = ("auto", *significance_tests)
    if isinstance(test, Mapping):
        missing = [dataset for dataset in result_set.datasets if dataset not in test]
        unknown = [dataset for dataset in test if dataset not in result_set.datasets]
        if missing or unknown:
            named = "no test for" if missing else "a test for the unknown dataset"
            raise ValueError(
                "`test` must name a test for each dataset of the results; "
                f"got {named} {(missing or unknown)[0]!r}."
            )
        asked = {dataset: test[dataset] for dataset in result_set.datasets}
    else:
        asked = dict.fromkeys(result_set.datasets, test)
    tests: dict[str, SignificanceTest] = {}
    problems: list[Problem] = []
    for dataset, wanted in asked.items():
        check_choice(wanted, choices, name="test")
        scores_a = result_set.oriented(dataset, a, metric)
        scores_b = result_set.oriented(dataset, b, metric)
        if wanted == "auto":
            try:
                chosen, _ = choose_test(scores_a, scores_b, gold=result_set.gold(dataset))
            except ValueError:
                problem = Problem(what=WILLIAMS_IS_MISSING, remedy=NAME_ANOTHER, dataset=dataset)
                problems.append(problem)
            else:
                tests[dataset] = chosen
            continue
        tests[dataset] = next(name for name in significance_tests if name == wanted)
        others = other_than_binary(scores_a) or other_than_binary(scores_b)
        if wanted in MCNEMAR_VARIANTS and others:
            problems.append(
                Problem(
                    what=(
                        f"metric '{metric}' must be 0 or 1 for McNemar's test; "
                        f"got {listed(others)}."
                    ),
                    remedy="Choose Wilcoxon, the bootstrap or randomization for this dataset.",
                    dataset=dataset,
                )
            )
    if problems:
        raise DataError(problems)
    return tests


def _as_given(
    result: SignificanceResult, *, metric: str, seed: int, higher_is_better: bool
) -> SignificanceResult:
    """The result with its scores turned back; 0 − x, as −x would make a zero negative."""
    scores = (result.score_a, result.score_b)
    score_a, score_b = scores if higher_is_better else (0.0 - scores[0], 0.0 - scores[1])
    return replace(
        result,
        metric=metric,
        seed=seed,
        score_a=score_a,
        score_b=score_b,
        higher_is_better=higher_is_better,
    )


def _table(
    datasets: tuple[str, ...],
    results: list[SignificanceResult],
    *,
    a: str,
    b: str,
    complete: bool,
) -> PValueTable:
    greater = np.array([result.p_value_greater for result in results])
    return PValueTable(
        datasets=datasets,
        p_values=greater,
        p_values_b=np.array([result.p_value_less for result in results]),
        p_value_bounds=(greater, greater),
        alternative="greater",
        printed=tuple(repr(result.p_value_greater) for result in results),
        system_a=a,
        system_b=b,
        metric=results[0].metric,
        scores_a=np.array([result.score_a for result in results]),
        scores_b=np.array([result.score_b for result in results]),
        higher_is_better=results[0].higher_is_better,
        n_examples=np.array([result.n_examples for result in results]),
        results=tuple(results),
        notes=tuple("; ".join(result.notes) for result in results),
        complete=complete,
    )
