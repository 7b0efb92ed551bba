"""The tests that settings ask for, as a plan, and how much of it a table of results has."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import Any

from core.analysis.compared import metric_of, systems_of
from core.analysis.settings import AnalysisSettings, TestSettings
from core.data import PValueTable, ResultSet

_OF_TESTS = tuple(field.name for field in fields(TestSettings))


@dataclass(frozen=True, slots=True, kw_only=True)
class TestPlan(TestSettings):
    """What a run of tests depends on, besides the data.

    Attributes
    ----------
    system_a, system_b : str
        Names of the systems; A the one that comes first in the file, as one
        run serves both directions.
    metric : str
        Name of the metric.
    skipped : tuple of str
        Datasets left out on which the metric is not defined, and which are not
        tested for that. The others that are left out are, so that taking one
        back runs nothing again.
    """

    system_a: str
    system_b: str
    metric: str
    skipped: tuple[str, ...] = ()


def plan_of(data: ResultSet, settings: AnalysisSettings) -> TestPlan:
    """The tests that the settings ask for."""
    first, second = systems_of(settings, len(data.systems))
    systems, metric = (data.systems[first], data.systems[second]), metric_of(data, settings)
    own: dict[str, Any] = {name: getattr(settings, name) for name in _OF_TESTS}
    own["extended"] = tuple(pair for pair in settings.extended if pair[0] in data.datasets)
    return TestPlan(
        **own,
        system_a=systems[0],
        system_b=systems[1],
        metric=metric,
        skipped=tuple(
            dataset
            for dataset in settings.excluded
            if dataset in data.datasets
            and any(math.isnan(data.score(dataset, system, metric)) for system in systems)
        ),
    )


def extends(plan: TestPlan, earlier: TestPlan) -> bool:
    """Whether a plan asks for what another did and more resamples on some datasets."""
    asked, had = dict(plan.extended), dict(earlier.extended)
    return replace(plan, extended=()) == replace(earlier, extended=()) and all(
        asked.get(dataset, 0) >= n_resamples for dataset, n_resamples in had.items()
    )


def n_done(plan: TestPlan, table: PValueTable | None) -> int:
    """How many datasets have been tested as the plan asks."""
    if table is None:
        return 0
    asked = dict(plan.extended)
    return sum(
        result is not None
        and (result.n_resamples is None or result.n_resamples >= asked.get(dataset, 0))
        for dataset, result in zip(table.datasets, table.results or (), strict=True)
    )


def plan_reached(plan: TestPlan, table: PValueTable) -> TestPlan:
    """The plan without the extensions that were not carried out."""
    reached = {
        dataset: result.n_resamples
        for dataset, result in zip(table.datasets, table.results or (), strict=True)
        if result is not None and (result.n_resamples or 0) > plan.n_resamples
    }
    asked = dict(plan.extended)
    return replace(plan, extended=tuple((d, n) for d, n in reached.items() if d in asked))
