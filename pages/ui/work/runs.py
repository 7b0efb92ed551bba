"""The runs of tests that the settings ask for: started, found again, forgotten."""

from __future__ import annotations

from dataclasses import replace

from core.analysis import TestPlan, compared, plan_of
from core.analysis.plan import extends
from core.analysis.record import plan_in_words
from core.data import PValueTable, ResultSet
from pages.ui.frame import limits, state
from pages.ui.work import allowed, testing


def current_run() -> testing.TestRun | None:
    """The run of tests that the settings ask for; None where none was started."""
    plan = _plan()
    return state.session().runs.get(plan) if plan is not None else None


def run_tests() -> None:
    """Start the tests that the settings ask for, unless they were run before."""
    plan = _plan()
    if plan is None:
        return
    other = _plan_of_other_correlation()
    for earlier in state.session().runs.values():
        if earlier.plan not in (plan, other):
            earlier.job.stop()
    _start(plan)
    if other is not None:
        _start(other, wait=False)


def other_correlation() -> tuple[str, testing.TestRun | None] | None:
    """The other correlation with gold and the run of its tests; None where none is compared."""
    plan = _plan_of_other_correlation()
    return None if plan is None else (plan.metric, state.session().runs.get(plan))


def extend(due: tuple[tuple[str, int], ...]) -> None:
    """Extend tests of datasets to the numbers of resamples given; the others stay as they are."""
    kept = dict(state.session().settings.extended)
    state.choose(extended=tuple({**kept, **dict(due)}.items()))
    run_tests()


def keep_what_was_extended(run: testing.TestRun) -> None:
    """After a stop: the settings ask for what the tests have, no more."""
    kept = state.session().runs
    asked = run.plan
    reached = run.give_up_extending()
    if reached is not None:
        kept.pop(asked, None)
        kept[reached] = run
        state.choose(extended=reached.extended)
        n_left = len(asked.extended) - len(reached.extended)
        why = allowed.limit_reached(run.job, "Settling") or "Settling was stopped"
        state.remark(
            f"{why}; {n_left} of {len(asked.extended)} tests keep the resamples they had before."
        )


def collect() -> None:
    """Take over what a stopped extension has reached, before anything is drawn."""
    run = current_run()
    if run is not None and run.extending and not run.running:
        keep_what_was_extended(run)


def run_every_metric() -> None:
    """Start the recommended tests of every metric that were not run before."""
    for plan in _metric_plans():
        _start(plan)


def runs_of_metrics() -> dict[str, testing.TestRun | None]:
    """For each metric its run of the recommended tests; None where it was not started."""
    kept = state.session().runs
    return {plan.metric: kept.get(plan) for plan in _metric_plans()}


def _start(plan: TestPlan, *, wait: bool = True) -> None:
    current = state.session()
    assert current.loaded is not None
    assert isinstance(current.loaded.data, ResultSet)
    run = current.runs.get(plan)
    # One that is being stopped will not finish, though it still runs for a moment.
    ended = run is not None and (not run.running or run.job.progress.stopped)
    if run is None or (ended and run.n_finished < run.n_datasets):
        earlier = _extended_by(plan)
        run = testing.TestRun(
            current.loaded.data,
            plan,
            is_wanted=state.wanted(),
            earlier=earlier,
            # Each dataset has a stream of its own: what is done need not be done again.
            done=run.table_so_far if run is not None and earlier is None else None,
        )
        current.runs[plan] = run
        state.record("tests", plan_in_words(plan))
        run.job.start()
        if wait:
            # Most runs end within this; their answer is then there at the first look.
            run.job.wait(limits.SECONDS_TO_WAIT_FOR_TESTS)
    # The last used stand last.
    current.runs[plan] = current.runs.pop(plan)
    asked = _plan()
    idle = [old for old, run in current.runs.items() if old != asked and not run.running]
    surplus = len(current.runs) - limits.MAX_KEPT_RUNS - len(current.loaded.data.metrics)
    for old in idle[: max(0, surplus)]:
        del current.runs[old]


def _extended_by(plan: TestPlan) -> PValueTable | None:
    """The tests of a finished run that differs only in what this one extends."""
    for earlier, run in reversed(state.session().runs.items()):
        if run.finished_table is not None and extends(plan, earlier):
            return run.finished_table
    return None


def forget_runs() -> None:
    """Stop all runs and forget what was tried, as other data are loaded."""
    current = state.session()
    for run in current.runs.values():
        run.job.stop()
    current.runs, current.tried = {}, {}


def choose_systems(a: str, b: str) -> None:
    """Compare two of several systems; the same system twice is refused."""
    loaded = state.session().loaded
    if loaded is None or not hasattr(loaded.data, "systems"):
        return
    if a == b:
        state.remark("A and B must be two different systems; the choice was not changed.")
        return
    systems: tuple[str, ...] = loaded.data.systems
    i, j = systems.index(a), systems.index(b)
    state.choose(pair=(min(i, j), max(i, j)), swapped=i > j, question="", extended=())
    run_tests()


def choose_metric(metric: str) -> None:
    """Compare by another of the file's metrics."""
    loaded = state.session().loaded
    if loaded is None or not isinstance(loaded.data, ResultSet):
        return
    first = loaded.data.metrics[0]
    settings = state.session().settings
    # A test that suits one kind of metric need not suit another; correlations have the same.
    both = other_correlation()
    test = settings.test if both is not None and both[0] == metric else "auto"
    state.choose(metric="" if metric == first else metric, test=test, question="", extended=())
    run_tests()


def _plan() -> TestPlan | None:
    current = state.session()
    if current.loaded is None or not isinstance(current.loaded.data, ResultSet):
        return None
    return plan_of(current.loaded.data, current.settings)


def _plan_of_other_correlation() -> TestPlan | None:
    """The same tests by the other correlation with gold, where one of the two is compared."""
    plan, loaded = _plan(), state.session().loaded
    if plan is None or loaded is None or not isinstance(loaded.data, ResultSet):
        return None
    metric = compared.other_correlation(loaded.data, plan.metric)
    return None if metric is None else replace(plan, metric=metric, extended=())


def _metric_plans() -> list[TestPlan]:
    """The recommended tests of every metric, for the systems, resamples and seed in force."""
    plan = _plan()
    loaded = state.session().loaded
    if plan is None or loaded is None or not isinstance(loaded.data, ResultSet):
        return []
    return [replace(plan, metric=metric, test="auto") for metric in loaded.data.metrics]
