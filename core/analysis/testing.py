"""The tests that an analysis needs where its data are results on examples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from core.analysis.settings import DEFAULT_RESAMPLES, DEFAULT_SEED, AnalysisSettings
from core.data import PValueTable, ResultSet
from core.significance import run_dataset_tests
from core.significance.intervals import IntervalKind
from core.significance.result import Estimator, Zeros


@dataclass(frozen=True, slots=True, kw_only=True)
class TestPlan:
    """What a run of tests depends on, besides the data.

    Attributes
    ----------
    system_a, system_b : str
        Names of the systems; A the one that comes first in the file, as one
        run serves both directions.
    metric : str
        Name of the metric.
    test, n_resamples, seed, interval, estimator, zeros, whole_clusters, extended
        As `AnalysisSettings` has them.
    """

    __test__ = False  # not a test of pytest's

    system_a: str
    system_b: str
    metric: str
    test: str = "auto"
    n_resamples: int = DEFAULT_RESAMPLES
    seed: int = DEFAULT_SEED
    interval: IntervalKind = "basic"
    estimator: Estimator = "add-one"
    zeros: Zeros = "wilcox"
    whole_clusters: bool = True
    extended: tuple[tuple[str, int], ...] = ()


def systems_of(settings: AnalysisSettings, n_systems: int) -> tuple[int, int]:
    """Positions of the two systems compared: those chosen, or the first two."""
    first, second = settings.pair
    return (first, second) if 0 <= first < second < n_systems else (0, 1)


def metric_of(data: ResultSet, settings: AnalysisSettings) -> str:
    """The metric compared: the one chosen, or the file's first."""
    return settings.metric if settings.metric in data.metrics else data.metrics[0]


def plan_of(data: ResultSet, settings: AnalysisSettings) -> TestPlan:
    """The tests that the settings ask for."""
    first, second = systems_of(settings, len(data.systems))
    return TestPlan(
        system_a=data.systems[first],
        system_b=data.systems[second],
        metric=metric_of(data, settings),
        test=settings.test,
        n_resamples=settings.n_resamples,
        seed=settings.seed,
        interval=settings.interval,
        estimator=settings.estimator,
        zeros=settings.zeros,
        whole_clusters=settings.whole_clusters,
        extended=tuple(pair for pair in settings.extended if pair[0] in data.datasets),
    )


def run_plan(
    data: ResultSet,
    plan: TestPlan,
    *,
    on_progress: Callable[[int, int], object] | None = None,
    on_result: Callable[[PValueTable], object] | None = None,
) -> PValueTable:
    """Run the tests; the table has the datasets done, as `run_dataset_tests` gives it.

    Raises
    ------
    DataError
        If the data do not suit the tests.
    Stopped
        If `on_progress` stopped it before one dataset was done.
    """
    return run_dataset_tests(
        data,
        a=plan.system_a,
        b=plan.system_b,
        test=plan.test,
        metric=plan.metric,
        n_resamples=plan.n_resamples,
        rng=plan.seed,
        on_progress=on_progress,
        on_result=on_result,
    )


def countable(table: PValueTable, datasets: tuple[str, ...]) -> PValueTable:
    """The table with every dataset, p = 1 where there is nothing to count.

    Those not tested yet, and those where a bootstrap's p-value is out of its
    reach: it says that no resample can be extreme, not how strong the evidence
    is; counted as it stands it would name the dataset at any level.
    """
    table = table.with_untested(datasets)
    assert table.p_values_b is not None
    reach = [(False, False) if r is None else r.out_of_reach for r in table.results or ()]
    zero_a, zero_b = np.array(reach, dtype=np.bool_).reshape(-1, 2).T
    if not (zero_a.any() or zero_b.any()):
        return table
    p_values = np.where(zero_a, 1.0, table.p_values)
    kept = zip(table.notes, zero_a | zero_b, strict=True)
    return replace(
        table,
        p_values=p_values,
        p_values_b=np.where(zero_b, 1.0, table.p_values_b),
        p_value_bounds=(p_values, p_values),
        notes=tuple(f"{note}; kept out of counting (p = 1)" if out else note for note, out in kept),
    )
