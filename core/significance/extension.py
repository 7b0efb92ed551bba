"""Going on with tests that were run: more resamples of the same streams.

The resamples of a larger number begin with those of a smaller one. So a p-value
depends on the seed, the dataset, the test and the total number, and not on how
often one went on. When to go on is `core.significance.settle`'s matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial

import numpy.typing as npt

from core.data.p_value_table import PValueTable
from core.significance.ends import rows_and_side
from core.significance.plan import ComparedSystems, PlannedTest, clusters_by_dataset
from core.significance.planned_run import bytes_held, run_planned
from core.significance.result import SignificanceResult, TestAlternative
from core.significance.run import table_of
from core.significance.settings import Settings, positive_number
from core.significance.stopping import KeepGoing, goes_on
from core.significance.threads import run_pieces


def extend(
    result_set: ComparedSystems,
    table: PValueTable,
    *,
    datasets: Iterable[str],
    up_to: int,
    clusters: Mapping[str, npt.ArrayLike] | None = None,
    n_threads: int = 1,
    on_progress: Callable[[int, int], object] | None = None,
) -> PValueTable:
    """Extend the tests of some datasets to `up_to` resamples, as `settle` does.

    Exact tests, and those that have as many resamples, stay as they are, and so
    do those that a stop came before.

    Parameters
    ----------
    datasets : iterable of str
        Of the table.

    Raises
    ------
    ValueError
        As `settle`, or if a dataset is not in the table.
    """
    names = tuple(datasets)
    unknown = [name for name in names if name not in table.datasets]
    if unknown:
        raise ValueError(f"`datasets` must be datasets of the table; got {unknown[0]!r}.")
    extended, _ = extend_rows(
        result_set,
        table,
        [i for i, name in enumerate(table.datasets) if name in names],
        up_to=up_to,
        clusters=clusters,
        n_threads=n_threads,
        on_progress=on_progress,
    )
    return extended


def made_here(table: PValueTable) -> tuple[list[SignificanceResult], TestAlternative]:
    """The results of a table and its side, if `run_dataset_tests` made it and nothing was changed."""
    rows, side = rows_and_side(table)
    results = [result for result in rows if result is not None]
    if table.p_values.tolist() != [result.p_value_of(side) for result in results]:
        raise ValueError(
            "`table` must be as `run_dataset_tests` made it: without untested datasets, and with "
            "no p-value taken as 1."
        )
    return results, side


def extend_rows(
    result_set: ComparedSystems,
    table: PValueTable,
    rows: Iterable[int],
    *,
    up_to: int,
    clusters: Mapping[str, npt.ArrayLike] | None,
    n_threads: int,
    on_progress: Callable[[int, int], object] | None,
) -> tuple[PValueTable, bool]:
    """The table with these rows extended, and whether all of them were."""
    up_to = positive_number("up_to", up_to)
    n_threads = positive_number("n_threads", n_threads)
    results, side = made_here(table)
    systems = (table.system_a, table.system_b)
    a, b = systems if side == "greater" else systems[::-1]
    together = clusters_by_dataset(result_set, clusters)
    # Exact p-values have no resamples to go on with.
    due = [i for i in rows if (results[i].n_resamples or up_to) < up_to]
    plans = {i: _plan_of(table.datasets[i], results[i], together) for i in due}
    number = 0

    def work(i: int, going: Callable[[], bool]) -> SignificanceResult:
        return _extended(
            result_set,
            table.datasets[i],
            plans[i],
            results[i],
            a=a,
            b=b,
            n_resamples=up_to,
            keep_going=going,
        )

    def keep_going() -> bool:
        return goes_on(on_progress, number, len(due))

    def on_done(place: int, result: SignificanceResult) -> None:
        nonlocal number
        results[due[place]] = result
        number += 1

    run_pieces(
        [partial(work, i) for i in due],
        n_threads=n_threads,
        bytes_held=lambda place: bytes_held(
            result_set, table.datasets[due[place]], plans[due[place]], a=a
        ),
        keep_going=keep_going,
        on_done=on_done,
    )
    complete = number == len(due)
    if complete and on_progress is not None:
        on_progress(len(due), len(due))
    extended = table_of(table.datasets, results, a=a, b=b, complete=table.complete)
    extended = extended if side == "greater" else extended.swapped()
    return replace(extended, reading=table.reading), complete


def _plan_of(
    dataset: str, result: SignificanceResult, together: Mapping[str, npt.ArrayLike]
) -> PlannedTest:
    if result.seed is None:
        raise ValueError(
            f"`table` must have the seed of its resamples; that of {dataset!r} is not known."
        )
    clusters = together.get(dataset)
    if (result.n_clusters is None) != (clusters is None):
        raise ValueError(
            f"`clusters` must be those that the table was made with; {dataset!r} was tested "
            f"{'without' if result.n_clusters is None else 'with'} clusters."
        )
    return PlannedTest(
        test=result.test,
        metric=result.metric,
        kind=result.kind,
        higher_is_better=result.higher_is_better,
        clusters=clusters,
    )


def _extended(
    result_set: ComparedSystems,
    dataset: str,
    plan: PlannedTest,
    result: SignificanceResult,
    *,
    a: str,
    b: str,
    n_resamples: int,
    keep_going: KeepGoing,
) -> SignificanceResult:
    assert result.seed is not None
    extended = run_planned(
        result_set,
        dataset,
        plan,
        a=a,
        b=b,
        settings=replace(_settings_of(result), n_resamples=n_resamples),
        seed=result.seed,
        keep_going=keep_going,
    )
    same = (extended.n_examples, extended.n_clusters, extended.score_a, extended.score_b) == (
        result.n_examples,
        result.n_clusters,
        result.score_a,
        result.score_b,
    )
    if not same:
        raise ValueError(
            f"`result_set` must hold the scores that the table was made from; those of {dataset!r} "
            "are others."
        )
    return extended


def _settings_of(result: SignificanceResult) -> Settings:
    """What a test that drew resamples was told."""
    return Settings(
        method=result.method_asked,
        interval=result.interval,
        estimator=result.estimator or "add-one",
        zeros=result.zeros or "wilcox",
        resample_size=result.resample_size,
        confidence_level=result.confidence_level,
    )
