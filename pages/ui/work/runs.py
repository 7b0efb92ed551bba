"""The tests that the settings ask for: run in the background, found again, extended, forgotten."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import streamlit as st

from core.analysis import TestPlan, plan_of, run_plan
from core.analysis.settings import metric_of_other_correlation
from core.analysis.testing import countable, extends, n_done, plan_in_words, plan_reached
from core.comparison import BETTER, Margin
from core.data import PValueTable, ResultSet
from pages.ui.frame import limits, prose, state
from pages.ui.work import background, jobs
from pages.ui.work.background import Manner, Refusal, Run, Task

_TESTS = Manner(called="Testing")


class TestRun:
    """One run over all datasets of a file; results appear one by one.

    It extends some of `earlier` tests that are all done, or adds to those of its plan that are `done`.
    """

    __test__ = False

    def __init__(
        self,
        results: ResultSet,
        plan: TestPlan,
        *,
        earlier: PValueTable | None = None,
        done: PValueTable | None = None,
    ) -> None:
        self.plan = plan
        self.n_datasets = results.n_datasets - len(plan.skipped)
        self._data = results
        self._earlier = earlier
        # Replaced whole by the working thread, so that a page never sees half of one.
        self._table: PValueTable | None = earlier if earlier is not None else done
        self.n_done_before = n_done(plan, self._table)
        self.job = background.job_of(partial(self._work, done))

    @property
    def running(self) -> bool:
        """Whether more results may come."""
        return not self.job.finished

    @property
    def n_finished(self) -> int:
        """How many datasets are tested as the plan asks."""
        return n_done(self.plan, self._table)

    @property
    def table_so_far(self) -> PValueTable | None:
        """What a run of the same plan can go on from; None where nothing is done."""
        return None if self.extending else self._table

    @property
    def finished_table(self) -> PValueTable | None:
        """The tests as they were run, once all are done."""
        done = self._table is not None and self._table.complete and not self.running
        return self._table if done else None

    @property
    def extending(self) -> bool:
        """Whether it draws more resamples for tests that are all done."""
        return self._earlier is not None

    def give_up_extending(self) -> TestPlan | None:
        """After a stop: the plan that was reached, which is then this run's; else None."""
        table = self.finished_table
        if not self.extending or table is None or self.n_finished == self.n_datasets:
            return None
        self.plan = plan_reached(self.plan, table)
        return self.plan

    @property
    def refusal(self) -> Refusal | None:
        """Why these data do not suit the test asked for, if so."""
        result = self.job.result if self.job.finished else None
        return result if isinstance(result, Refusal) else None

    @property
    def table(self) -> PValueTable | None:
        """A row for every dataset, p = 1 on those not tested; None before the first is done."""
        if self.refusal is not None or self._table is None:
            return None
        return countable(self._table, self._data.datasets, skipped=self.plan.skipped)

    def watch(self) -> None:
        """Its bar; the page is drawn anew when more is known, but seldom while it changes."""
        drawn, drawn_at = self.n_finished, time.monotonic()

        def has_more() -> bool:
            old = time.monotonic() - drawn_at > limits.SECONDS_BETWEEN_DRAWINGS
            return self.n_finished != drawn and (old or not drawn)

        doing, unit = ("Extending tests", "tests") if self.extending else ("Testing", "datasets")
        task = Task("tests", {}, self._work, doing=doing, unit=unit, manner=_TESTS)
        # Made for this drawing alone: kept, the two would hold each other, and the data.
        background.bar(Run(task=task, job=self.job), has_more=has_more)

    def _work(self, done: PValueTable | None, *, on_progress: Callable[[int, int], bool]) -> None:
        self._publish(
            run_plan(
                self._data,
                self.plan,
                earlier=self._earlier,
                done=done,
                n_threads=jobs.n_threads(),
                on_progress=on_progress,
                on_result=self._publish,
            )
        )

    def _publish(self, table: PValueTable) -> None:
        self._table = table


def current_run() -> TestRun | None:
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


def other_correlation() -> tuple[str, TestRun | None] | None:
    """The other correlation with gold and the run of its tests; None where none is compared."""
    plan = _plan_of_other_correlation()
    return None if plan is None else (plan.metric, state.session().runs.get(plan))


def extend(due: tuple[tuple[str, int], ...]) -> None:
    """Extend tests of datasets to the numbers of resamples given; the others stay as they are."""
    kept = dict(state.session().settings.extended)
    state.choose(extended=tuple({**kept, **dict(due)}.items()))
    run_tests()


def draw(n_resamples: int) -> None:
    """Test anew with another number of resamples, and of joint flips."""
    state.choose(n_resamples=n_resamples)
    run_tests()


def collect() -> None:
    """Take over what a stopped extension has reached, before anything is drawn."""
    run = current_run()
    if run is not None and run.extending and not run.running:
        _keep_what_was_extended(run)


def _keep_what_was_extended(run: TestRun) -> None:
    """After a stop: the settings ask for what the tests have, no more."""
    kept = state.session().runs
    asked = run.plan
    reached = run.give_up_extending()
    if reached is not None:
        kept.pop(asked, None)
        kept[reached] = run
        state.choose(extended=reached.extended)
        n_left = len(asked.extended) - len(reached.extended)
        why = background.out_of_time(run.job, "Settling", kept=True) or "Settling was stopped."
        state.remark(
            f"{why} {n_left} of {len(asked.extended)} tests keep the resamples they had before."
        )


def watch() -> None:
    """A bar while the tests run that are asked for; a word where they were stopped."""
    run = current_run()
    if run is None:
        return
    if run.running:
        run.watch()
    elif run.refusal is None and run.n_finished < run.n_datasets:
        is_kept = run.n_finished > run.n_done_before
        late = background.out_of_time(run.job, _TESTS.called, kept=is_kept)
        prose.notice(
            f"{late or 'Testing was stopped:'} {run.n_finished} of {run.n_datasets} "
            "datasets are tested. The others count as datasets on which nothing is shown (p = 1)."
        )
        # What is done is not done again.
        n_left = run.n_datasets - run.n_finished
        label = f"Go on with the other {n_left}" if run.n_finished else "Run all tests"
        st.button(label, on_click=run_tests, key="run-all-tests")


def run_every_metric() -> None:
    """Start the recommended tests of every metric that were not run before."""
    for plan in _metric_plans():
        _start(plan)


def runs_of_metrics() -> dict[str, TestRun | None]:
    """For each metric its run of the recommended tests; None where it was not started."""
    kept = state.session().runs
    return {plan.metric: kept.get(plan) for plan in _metric_plans()}


def _start(plan: TestPlan, *, wait: bool = True) -> None:
    current, data = state.session(), state.results()
    assert data is not None
    run = current.runs.get(plan)
    # One that is being stopped will not finish, though it still runs for a moment.
    ended = run is not None and (not run.running or run.job.progress.stopped)
    if run is None or (ended and run.n_finished < run.n_datasets):
        earlier = _extended_by(plan)
        run = TestRun(
            data,
            plan,
            earlier=earlier,
            # Each dataset has a stream of its own: what is done need not be done again.
            done=run.table_so_far if run is not None and earlier is None else None,
        )
        current.runs[plan] = run
        state.record("tests", plan_in_words(plan))
        background.begin(run.job, wait=wait)
    # The last used stand last.
    current.runs[plan] = current.runs.pop(plan)
    asked = _plan()
    idle = [old for old, run in current.runs.items() if old != asked and not run.running]
    surplus = len(current.runs) - limits.MAX_KEPT_RUNS - len(data.metrics)
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
    systems: tuple[str, ...] = getattr(state.data(), "systems", ())
    if not systems:
        return
    if a == b:
        state.remark("A and B must be two different systems; the choice was not changed.")
        return
    i, j = systems.index(a), systems.index(b)
    state.choose(pair=(min(i, j), max(i, j)), swapped=i > j, question="", extended=())
    run_tests()


def choose_metric(metric: str) -> None:
    """Compare by another of the file's metrics."""
    data = state.results()
    if data is None:
        return
    settings = state.session().settings
    # A test that suits one kind of metric need not suit another; correlations have the same.
    both = other_correlation()
    test = settings.test if both is not None and both[0] == metric else "auto"
    if settings.margin:
        state.remark("A margin is in the units of one metric: of the new one, A better is asked.")
    state.choose(
        metric="" if metric == data.metrics[0] else metric,
        test=test,
        question="",
        extended=(),
        claim=BETTER,
        margin=0.0,
    )
    run_tests()


def choose_claim(claim: str, margin: Margin) -> None:
    """Claim something else of A and B, by the recommended tests."""
    settings = state.session().settings
    if (claim, margin) != (settings.claim, settings.margin):
        state.choose(claim=claim, margin=margin, test="auto", question="", extended=())
        run_tests()


def _plan() -> TestPlan | None:
    data = state.results()
    return None if data is None else state.computed(plan_of, data, state.session().settings)


def _plan_of_other_correlation() -> TestPlan | None:
    """The same tests by the other correlation with gold, where one of the two is compared."""
    plan, data = _plan(), state.results()
    if plan is None or data is None:
        return None
    metric = metric_of_other_correlation(data, plan.metric)
    return None if metric is None else replace(plan, metric=metric, extended=())


def _metric_plans() -> list[TestPlan]:
    """The recommended tests of every metric, for the systems, resamples and seed in force."""
    plan, data = _plan(), state.results()
    if plan is None or data is None:
        return []
    return [replace(plan, metric=metric, test="auto") for metric in data.metrics]
