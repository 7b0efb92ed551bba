"""The tests that the settings ask for: run in the background, found again, extended, forgotten."""

import time
from dataclasses import replace
from functools import partial

import streamlit as st

from core.analysis import TestPlan, plan_of, run_plan
from core.analysis.settings import metric_of_other_correlation
from core.analysis.testing import countable, done_of, extends, plan_in_words, plan_reached
from core.comparison import BETTER, Margin
from core.data import PValueTable, ResultSet
from pages.ui.frame import limits, prose, state
from pages.ui.work import background, jobs
from pages.ui.work.background import Manner, Refusal, Task
from pages.ui.work.jobs import Job

_TESTS = Manner(called="Testing", on_every_page=False)


def tests_of(run: Job) -> PValueTable | None:
    """Its tests so far; None before the first is done, and where the data do not suit the test."""
    found = run.result
    return found if isinstance(found, PValueTable) else None


def finished_tests(run: Job) -> PValueTable | None:
    """The tests as they were run, once all are done."""
    found = tests_of(run)
    return found if found is not None and found.complete and run.finished else None


def n_finished(run: Job) -> int:
    """How many datasets are tested as the plan asks."""
    return len(done_of(run.task.of, tests_of(run)))


def is_finished(run: Job | None) -> bool:
    """Whether every dataset is tested as the plan asks."""
    return run is not None and n_finished(run) == _n_datasets(run)


def table_of(run: Job | None) -> PValueTable | None:
    """A row for every dataset, p = 1 on those not tested; None before the first is done."""
    found, data = None if run is None else tests_of(run), state.results()
    if run is None or found is None or data is None:
        return None
    return state.computed(countable, found, data.datasets, skipped=run.task.of.skipped)


def _n_datasets(run: Job) -> int:
    return len(state.all_datasets()) - len(run.task.of.skipped)


def current_run() -> Job | None:
    """The run of tests that the settings ask for; None where none was started."""
    plan = _plan()
    return None if plan is None else background.latest(plan)


def run_tests() -> None:
    """Start the tests that the settings ask for, unless they were run before."""
    plan = _plan()
    if plan is None:
        return
    other = _plan_of_other_correlation()
    for asked, earlier in state.session().runs.items():
        if asked not in (plan, other):
            earlier.stop()
    _start(plan)
    if other is not None:
        _start(other, wait=False)


def other_correlation() -> tuple[str, Job | None] | None:
    """The other correlation with gold and the run of its tests; None where none is compared."""
    plan = _plan_of_other_correlation()
    return None if plan is None else (plan.metric, background.latest(plan))


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
    table = None if run is None else finished_tests(run)
    if run is None or table is None or is_finished(run):
        return
    # The settings ask for what the tests have, no more.
    asked, work = run.task.of, state.session().work
    reached = plan_reached(asked, table)
    run.task = replace(run.task, of=reached)
    work[reached] = work.pop(asked)
    state.choose(extended=reached.extended)
    n_left = len(asked.extended) - len(reached.extended)
    why = background.out_of_time(run, "Settling", kept=True) or "Settling was stopped."
    state.remark(
        f"{why} {n_left} of {len(asked.extended)} tests keep the resamples they had before."
    )


def watch() -> None:
    """A bar while the tests run that are asked for; a word where they were stopped."""
    run = current_run()
    if run is None:
        return
    n, drawn_at = n_finished(run), time.monotonic()

    def has_more() -> bool:
        """More is known; but the page is drawn anew seldom while it changes."""
        old = time.monotonic() - drawn_at > limits.SECONDS_BETWEEN_DRAWINGS
        return n_finished(run) != n and (old or not n)

    if not run.finished:
        background.bar(run, has_more=has_more)
    elif not (background.say_failure(run) or isinstance(run.result, Refusal) or is_finished(run)):
        n_datasets, is_kept = _n_datasets(run), n > len(done_of(run.task.of, run.task.before))
        late = background.out_of_time(run, _TESTS.called, kept=is_kept)
        prose.notice(
            f"{late or 'Testing was stopped:'} {n} of {n_datasets} datasets are tested. The others "
            "count as datasets on which nothing is shown (p = 1)."
        )
        # What is done is not done again.
        label = f"Go on with the other {n_datasets - n}" if n else "Run all tests"
        st.button(label, on_click=run_tests, key="run-all-tests")


def _start(plan: TestPlan, *, wait: bool = True) -> None:
    current, data = state.session(), state.results()
    assert data is not None
    run = background.latest(plan)
    # One that is being stopped will not finish, though it still runs for a moment.
    ended = run is not None and (run.finished or run.stopped)
    if run is None or (ended and not is_finished(run)):
        # The tests of a finished run that differs only in what this one extends.
        earlier = (
            finished_tests(one)
            for asked, one in reversed(current.runs.items())
            if extends(plan, asked)
        )
        extended = next((table for table in earlier if table is not None), None)
        # Each dataset has a stream of its own: what is done need not be done again.
        done = tests_of(run) if extended is None and run is not None else extended
        task = Task(
            "tests",
            {},
            partial(_work, data, plan, done),
            doing="Testing" if extended is None else "Extending tests",
            unit="datasets" if extended is None else "tests",
            manner=_TESTS,
            before=done,
            of=plan,
        )
        state.record("tests", plan_in_words(plan))
        background.start(task, wait=wait)
    # The last used stand last.
    current.work[plan] = current.work.pop(plan)
    idle = [old for old, run in current.runs.items() if old != _plan() and run.finished]
    surplus = len(current.runs) - limits.MAX_KEPT_RUNS
    for old in idle[: max(0, surplus)]:
        background.forget(old)


def _work(
    data: ResultSet, plan: TestPlan, done: PValueTable | None, *, on_progress: jobs.Job
) -> PValueTable:
    """Add to the tests that are `done`, of this plan or of one that it extends."""
    return run_plan(
        data,
        plan,
        done=done,
        n_threads=jobs.n_threads(),
        on_progress=on_progress,
        on_result=partial(setattr, on_progress, "so_far"),
    )


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
