"""Significance tests as background work: how far it is, and what is finished."""

from __future__ import annotations

from collections.abc import Callable

from core.analysis import TestPlan, run_plan
from core.analysis.plan import n_done, plan_reached
from core.analysis.testing import countable
from core.data import PValueTable, ResultSet
from core.errors import DataError
from core.significance import Stopped
from pages.ui.work import jobs
from pages.ui.work.job_progress import Progress
from pages.ui.work.jobs import Job


class TestRun:
    """One run over all datasets of a file; results appear one by one."""

    __test__ = False

    def __init__(
        self,
        results: ResultSet,
        plan: TestPlan,
        *,
        is_wanted: Callable[[], bool],
        earlier: PValueTable | None = None,
        done: PValueTable | None = None,
    ) -> None:
        self.plan = plan
        self.n_datasets = results.n_datasets - len(plan.skipped)
        self._data = results
        self._earlier = earlier
        self._done = done
        # Replaced whole by the working thread, so that a page never sees half of one.
        self._table: PValueTable | None = earlier if earlier is not None else done
        self.n_done_before = n_done(plan, self._table)
        self.job: Job[None] = Job(self._work, is_wanted=is_wanted)

    @property
    def running(self) -> bool:
        """Whether more results may come."""
        return not self.job.finished

    @property
    def n_finished(self) -> int:
        """How many datasets are tested as the plan asks."""
        return n_done(self.plan, self._table)

    @property
    def n_left(self) -> int:
        """How many datasets are still to be tested as the plan asks."""
        return self.n_datasets - self.n_finished

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
    def refusal(self) -> DataError | None:
        """Why these data do not suit the test asked for, if so."""
        try:
            self._check()
        except DataError as error:
            return error
        return None

    @property
    def table(self) -> PValueTable | None:
        """A row for every dataset, p = 1 on those not tested; None before the first is done."""
        if self.refusal is not None or self._table is None:
            return None
        return countable(self._table, self._data.datasets, skipped=self.plan.skipped)

    def _check(self) -> None:
        if self.job.finished:
            _ = self.job.result  # raises what went wrong

    def _work(self, progress: Progress) -> None:
        try:
            table = run_plan(
                self._data,
                self.plan,
                earlier=self._earlier,
                done=self._done,
                n_threads=jobs.n_threads(),
                on_progress=progress,
                on_result=self._publish,
            )
        except Stopped:
            return
        self._publish(table)

    def _publish(self, table: PValueTable) -> None:
        self._table = table
