"""Significance tests as background work: how far it is, and what is finished."""

from __future__ import annotations

from collections.abc import Callable

from core.analysis import TestPlan, run_plan
from core.analysis.testing import countable
from core.data import PValueTable, ResultSet
from core.errors import DataError
from core.significance import Stopped
from pages.ui.jobs import Job, Progress


class TestRun:
    """One run over all datasets of a file; results appear one by one."""

    __test__ = False

    def __init__(
        self, results: ResultSet, plan: TestPlan, *, is_wanted: Callable[[], bool]
    ) -> None:
        self.plan = plan
        self.n_datasets = results.n_datasets
        self._data = results
        # Replaced whole by the working thread, so that a page never sees half of one.
        self._table: PValueTable | None = None
        self.job: Job[None] = Job(self._work, is_wanted=is_wanted)

    @property
    def running(self) -> bool:
        """Whether more results may come."""
        return not self.job.finished

    @property
    def n_finished(self) -> int:
        """How many datasets are done."""
        return 0 if self._table is None else self._table.n_datasets

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
        return countable(self._table, self._data.datasets)

    def _check(self) -> None:
        if self.job.finished:
            _ = self.job.result  # raises what went wrong

    def _work(self, progress: Progress) -> None:
        try:
            run_plan(self._data, self.plan, on_progress=progress, on_result=self._publish)
        except Stopped:
            return

    def _publish(self, table: PValueTable) -> None:
        self._table = table
