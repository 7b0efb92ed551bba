"""The tests that settings ask for, as a plan; running it, the table that is counted, and what was tried."""

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any

from ..data import PValueTable, ResultSet
from ..errors import DataError
from ..significance.plan import PlannedTest, planned_tests
from ..significance.run import run_planned_tests, table_of
from ..significance.settings import Settings
from ..significance.single import SignificanceResult
from ..significance.stopping import Stopped
from ..validation import check_two_systems
from ..words.formatting import list_names
from .settings import TEST_CHOICES, USUAL, AnalysisSettings, TestSettings, metric_of, systems_of

_OF_TESTS = tuple(field.name for field in fields(TestSettings))


@dataclass(frozen=True, slots=True, kw_only=True)
class TestPlan(TestSettings):
    """What a run of tests depends on, besides the data.

    A is the system that comes first in the file, as one run serves both directions. Datasets left out
    are `skipped` that cannot be tested so, as the metric is not defined on them or the margin is too
    small for them; the others that are left out are tested, so that taking one back runs nothing again.
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
    plan = TestPlan(**own, system_a=systems[0], system_b=systems[1], metric=metric)
    excluded = tuple(dataset for dataset in settings.excluded if dataset in data.datasets)
    try:
        _tests_of(data, plan, excluded)
    except DataError as error:
        refused = {problem.dataset for problem in error.problems}
        return replace(plan, skipped=tuple(name for name in excluded if name in refused))
    return plan


def _tests_of(data: ResultSet, plan: TestPlan, datasets: tuple[str, ...]) -> dict[str, PlannedTest]:
    if not datasets:
        return {}
    # Published p-values have no margin to be reproduced at.
    estimator = "add-one" if plan.margin else plan.estimator
    return planned_tests(
        data,
        a=plan.system_a,
        b=plan.system_b,
        test=plan.test,
        metric=plan.metric,
        clusters=None if plan.whole_clusters else {},
        settings=Settings(interval=plan.interval, estimator=estimator, zeros=plan.zeros),
        n_resamples={dataset: plan.resamples_of(dataset) for dataset in datasets},
        claim=plan.claim,
        margin=plan.margin,
        seed=plan.seed,
        datasets=datasets,
    )


def extends(plan: TestPlan, earlier: TestPlan) -> bool:
    """Whether a plan asks for what another did and more resamples on some datasets."""
    return replace(plan, extended=()) == replace(earlier, extended=()) and all(
        plan.resamples_of(dataset) >= n_resamples for dataset, n_resamples in earlier.extended
    )


def done_of(plan: TestPlan, table: PValueTable | None) -> set[str]:
    """The datasets that have been tested as the plan asks."""
    return {
        dataset
        for dataset, result in _results_of(table).items()
        if result.n_resamples is None or result.n_resamples >= plan.resamples_of(dataset)
    }


def plan_reached(plan: TestPlan, table: PValueTable) -> TestPlan:
    """The plan without the extensions that were not carried out."""
    reached = {name: result.n_resamples or 0 for name, result in _results_of(table).items()}
    extended = ((name, reached.get(name, 0)) for name, _ in plan.extended)
    return replace(plan, extended=tuple(one for one in extended if one[1] > plan.n_resamples))


def run_plan(
    data: ResultSet,
    plan: TestPlan,
    *,
    done: PValueTable | None = None,
    n_threads: int = 1,
    on_progress: Callable[[int, int], object] | None = None,
    on_result: Callable[[PValueTable], object] | None = None,
) -> PValueTable:
    """Run the tests; the table has the datasets done, as `run_dataset_tests` gives it.

    `done` is what this very plan came to when it was stopped, or one that it `extends`: only datasets
    run that are not tested as the plan asks, and the table is that of a run without a stop. Datasets
    are tested `n_threads` at once; no number depends on it. Callbacks are as those of
    `run_dataset_tests`: progress counts the datasets that run, the tables hold those done before too.
    """
    before, finished = _results_of(done), done_of(plan, done)
    wanted = tuple(name for name in data.datasets if name not in plan.skipped)
    if done is not None and finished >= set(wanted):
        return done

    def whole(part: PValueTable) -> PValueTable:
        found = {**before, **_results_of(part)} if before else {}
        if not found:
            return part
        names = tuple(name for name in wanted if name in found)
        rows = [found[name] for name in names]
        complete = len(names) == len(wanted)
        return table_of(names, rows, a=plan.system_a, b=plan.system_b, complete=complete)

    check_two_systems(plan.system_a, plan.system_b, data.systems)
    tests = _tests_of(data, plan, tuple(name for name in wanted if name not in finished))
    try:
        part = run_planned_tests(
            data,
            tests,
            a=plan.system_a,
            b=plan.system_b,
            n_threads=n_threads,
            on_progress=on_progress,
            on_result=None if on_result is None else lambda table: on_result(whole(table)),
        )
    except Stopped:
        if done is None:
            raise
        return done
    return whole(part)


def _results_of(table: PValueTable | None) -> dict[str, SignificanceResult]:
    """What each dataset that was tested came to."""
    if table is None:
        return {}
    rows = zip(table.datasets, table.results or (), strict=True)
    return {name: result for name, result in rows if result is not None}


def countable(
    table: PValueTable, datasets: tuple[str, ...], *, skipped: tuple[str, ...] = ()
) -> PValueTable:
    """The table with every dataset, p = 1 where it is not tested yet.

    Those `skipped` are left out anyway.
    """
    tested = set(table.datasets)
    complete = all(name in tested or name in skipped for name in datasets)
    return replace(table.with_untested(datasets), complete=complete)


# Settings whose every value is kept, under the words for them.
RECORDED_SETTINGS = {
    "alpha": "levels",
    "dependence": "dependence",
    "combination": "combinations",
    "excluded": "datasets left out",
    "procedure": "procedures",
}
# What made examples the same in the joint counts that were seen; what was refused counted nothing.
COUNTED_JOINTLY = "shared examples counted jointly"
# Whoever looks at data has a level and an answer about dependence.
_SAID_ALWAYS = ("alpha", "dependence")
# Behind tests that ran by themselves as the file was loaded, before anything was chosen.
BY_ITSELF = " (ran by itself on loading)"
# What the studies of reliability came to in the end; a later sentence takes an earlier one's place.
DEPENDS_ON_CHOICES = "whether p ≤ α depends on a choice"


def recorded(settings: AnalysisSettings, name: str) -> str:
    """A setting as the list of what was tried names it."""
    # What is usual has no name of its own there.
    usual = {"combination": "counted_by", "procedure": "named_by"}
    value = getattr(settings, usual.get(name, name))
    if isinstance(value, tuple):
        return list_names(value, most=max(1, len(value))) or "none"
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def plan_in_words(plan: TestPlan) -> str:
    """A run of tests as the list of what was tried names it."""
    name = "recommended tests" if plan.test == "auto" else plan.test
    # Tests of A and B are those of B and A: each has both directions.
    pair = " and ".join(sorted((plan.system_a, plan.system_b)))
    extended = list_names([f"{dataset} to {n}" for dataset, n in plan.extended])
    said = [
        f"{pair}, {plan.metric}: {name}",
        f"{plan.n_resamples} resamples where they resample",
        f"seed {plan.seed}",
    ]
    for choice in TEST_CHOICES:
        value = getattr(plan, choice.name)
        if choice.tried and value != choice.usual:
            said.append(choice.tried.format(extended if choice.name == "extended" else value))
    return ", ".join(said)


def first_record(
    data: PValueTable | ResultSet, settings: AnalysisSettings
) -> dict[str, tuple[str, ...]]:
    """What is tried by looking at data once, with these settings."""
    record: dict[str, tuple[str, ...]] = {
        words: (recorded(settings, name),)
        for name, words in RECORDED_SETTINGS.items()
        if getattr(settings, name) != getattr(USUAL, name) or name in _SAID_ALWAYS
    }
    if isinstance(data, ResultSet):
        record["tests"] = (plan_in_words(plan_of(data, settings)),)
    return record
