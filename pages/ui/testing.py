"""Significance tests as background work: what was asked, how far it is, what is finished."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from core.data import PValueTable, ResultSet
from core.errors import DataError
from core.significance import Stopped, run_dataset_tests
from pages.ui.jobs import Job, Progress

DEFAULT_SEED = 0
DEFAULT_RESAMPLES = 9999


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
    test : str
        "auto" for the recommended one, or a test's name.
    n_resamples, seed : int
        Of the tests that resample.
    """

    __test__ = False  # not a test of pytest's

    system_a: str
    system_b: str
    metric: str
    test: str = "auto"
    n_resamples: int = DEFAULT_RESAMPLES
    seed: int = DEFAULT_SEED


def keep_out(table: PValueTable) -> PValueTable:
    """The table with p = 1 where a bootstrap's p-value is out of its reach.

    It says that no resample can be extreme, not how strong the evidence
    is; counted as it stands it would name the dataset at any level.
    """
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
        return keep_out(self._table.with_untested(self._data.datasets))

    def _check(self) -> None:
        if self.job.finished:
            _ = self.job.result  # raises what went wrong

    def _work(self, progress: Progress) -> None:
        try:
            run_dataset_tests(
                self._data,
                a=self.plan.system_a,
                b=self.plan.system_b,
                test=self.plan.test,
                metric=self.plan.metric,
                n_resamples=self.plan.n_resamples,
                rng=self.plan.seed,
                on_progress=progress,
                on_result=self._publish,
            )
        except Stopped:
            return

    def _publish(self, table: PValueTable) -> None:
        self._table = table
