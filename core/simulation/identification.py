"""Simulated names: how often each procedure names a dataset wrongly, and how many it finds.

The names of many studies are made at once, each decided exactly as `named_by` decides it.

Vocabulary
----------
row
    The p-values of one study; a batch is a table of studies, shape (n, N).
named
    Every procedure names the smallest p-values of a row, ties together, so that
    how many it names says which.
wrong name
    A dataset that is named as one on which A is better, and is none.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..replicability.combinations import combination_named, counting_method_named
from ..replicability.identification import (
    named_by,
    procedure_named,
    procedure_names,
    procedure_of_p_values,
)
from ..replicability.local_tests import BonferroniTest, SimesTest, SumOfEvidence
from ..significance.settings import seed_or_new
from ..types import BoolArray, FloatArray, IntArray
from ..validation import RELATIVE_TOLERANCE, at_most, check_alpha
from .batch import NEAR_A_QUANTILE, BatchCounter
from .results import Mean, Position, Rate, SimulatedStudies, mean_of_sums, position_of
from .runs import Studies
from .scenarios import PValueSource


class BatchNamer:
    """Names by any procedure for tables of p-values; on the truth A is better."""

    def __init__(self, truth: BoolArray, *, alpha: float, procedures: Sequence[str]) -> None:
        self._truth = truth
        self._n = truth.size
        self._alpha = check_alpha(alpha)
        self._procedures = tuple(procedures)
        self._counter = BatchCounter(self._n, alpha=alpha)
        self._ranks = np.arange(1.0, self._n + 1.0)

    def named(self, p_values: FloatArray) -> dict[str, tuple[IntArray, IntArray]]:
        """How many each procedure names in each row of a table, shape (n, N), and how many rightly."""
        # The counter checks the table.
        self._counter.k_hat(p_values, ("count",))
        order = np.argsort(p_values, axis=1)
        ordered = np.take_along_axis(p_values, order, axis=1)
        # On how many of the datasets with the smallest p-values, of so many, A is better.
        right: IntArray = np.zeros((order.shape[0], self._n + 1), dtype=np.intp)
        np.cumsum(self._truth[order], axis=1, out=right[:, 1:])
        rows = np.arange(order.shape[0])
        found = {}
        for procedure in self._procedures:
            n_named = self._n_named(ordered, procedure)
            found[procedure] = (n_named, right[rows, n_named])
        return found

    def _n_named(self, ordered: FloatArray, procedure: str) -> IntArray:
        known = procedure_of_p_values(procedure)
        if known.factors is not None:
            return _up_to_the_last_success(at_most(known.factors(self._n) * ordered, self._alpha))
        local = combination_named(known.within).local
        if isinstance(local, (BonferroniTest, SimesTest)):
            count = self._counter.k_hat(ordered, (known.within,))[known.within].astype(np.intp)
            return self._by_hommel(ordered, count) if isinstance(local, SimesTest) else count
        if isinstance(local, SumOfEvidence):
            return self._by_sum_of_evidence(ordered, local)
        named = (named_by(row, alpha=self._alpha, procedure=procedure).sum() for row in ordered)
        return np.fromiter(named, dtype=np.intp, count=ordered.shape[0])

    def _by_hommel(self, ordered: FloatArray, count: IntArray) -> IntArray:
        """Hommel's value is N less the count by Simes."""
        largest = np.maximum(self._n - count, 1)
        level = (self._alpha / largest) * (1.0 + RELATIVE_TOLERANCE)
        return np.asarray((ordered <= level[:, np.newaxis]).sum(axis=1))

    def _by_sum_of_evidence(self, ordered: FloatArray, local: SumOfEvidence) -> IntArray:
        result = np.zeros(ordered.shape[0], dtype=np.intp)
        quantiles = local.quantile(self._ranks, self._alpha)
        evidence = local.evidence(ordered)
        # Where all together are not rejected nothing is named.
        near = NEAR_A_QUANTILE * (abs(quantiles[-1]) + self._n)
        rows = np.flatnonzero(evidence.sum(axis=1) >= quantiles[-1] - near)
        if rows.size:
            needed = local.evidence_needed(evidence[rows, ::-1], quantiles)
            thresholds = np.minimum(local.p_value_of(needed), 1.0)
            within = ordered[rows, ::-1] <= thresholds * (1.0 + RELATIVE_TOLERANCE)
            result[rows] = within.sum(axis=1)
        return result


def _up_to_the_last_success(holds: BoolArray) -> IntArray:
    n = holds.shape[1]
    last: IntArray = n - np.argmax(holds[:, ::-1], axis=1)
    return np.where(holds.any(axis=1), last, 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcedureSummary:
    """What one procedure's names come to.

    `family_wise_error` counts repetitions with a wrong name; the proportion is that of wrong names, 0
    where none is named. `power` is the share of the datasets on which A is better that are named;
    None where there is no such dataset.
    """

    procedure: str
    alpha: float
    family_wise_error: Rate
    false_discovery_proportion: Mean
    power: Mean | None
    mean_named: Mean

    @property
    def position(self) -> Position:
        """Where the error that the procedure bounds lies beside its level."""
        error: Rate | Mean = self.family_wise_error
        if not procedure_named(self.procedure).bounds_each_list:
            error = self.false_discovery_proportion
        return position_of(error.confidence_interval, self.alpha)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class IdentificationSimulation(SimulatedStudies):
    """Names of simulated studies; of the `proved` theory proves the promise."""

    summaries: Mapping[str, ProcedureSummary]
    proved: tuple[str, ...] = ()

    @property
    def _asked(self) -> dict[str, str]:
        return {"procedures": ",".join(self.summaries)}


def simulate_identification(
    scenario: PValueSource,
    *,
    n_repetitions: int,
    alpha: float = 0.05,
    procedures: Sequence[str] | None = None,
    rng: int | np.random.Generator | None = None,
    n_threads: int | None = None,
    on_progress: Callable[[int, int], object] | None = None,
) -> IdentificationSimulation:
    """Draw studies from a scenario that says where A is better, and name them."""
    chosen = procedure_names() if procedures is None else tuple(dict.fromkeys(procedures))
    seed = seed_or_new(rng)
    studies = Studies(scenario, seed)
    truth = studies.truth
    if truth is None:
        raise ValueError(
            "`scenario.truly_better` must say on which datasets A is better, where it is on some "
            "and not on others; the scenario has none."
        )
    namer = BatchNamer(truth, alpha=alpha, procedures=chosen)
    n_datasets, k = studies.n_datasets, studies.k
    # Sums of each chunk, added up at the end without rounding, in whatever order they came.
    sums: dict[int, dict[str, tuple[float, ...]]] = {}

    def name(number: int, chosen: slice, _start: int) -> None:
        p_values = studies.p_values(number, chosen)
        of_chunk = {}
        for procedure, (n_named, n_right) in namer.named(p_values).items():
            wrong = n_named - n_right
            share_wrong = wrong / np.maximum(n_named, 1)
            found = n_right / max(k, 1)
            of_chunk[procedure] = (
                float(np.count_nonzero(wrong)),
                *(
                    float(part)
                    for numbers in (share_wrong, found, n_named.astype(np.float64))
                    for part in (numbers.sum(), numbers @ numbers)
                ),
            )
        sums[number] = of_chunk

    done = studies.work_through(
        name, total=n_repetitions, n_threads=n_threads, on_progress=on_progress
    )
    summaries = {}
    for procedure in chosen:
        any_wrong, *added = (
            math.fsum(column)
            for column in zip(*(of_chunk[procedure] for of_chunk in sums.values()), strict=True)
        )
        summaries[procedure] = ProcedureSummary(
            procedure=procedure,
            alpha=alpha,
            family_wise_error=Rate(count=round(any_wrong), n=done),
            false_discovery_proportion=mean_of_sums(added[0], added[1], done, largest=1.0),
            power=mean_of_sums(added[2], added[3], done, largest=1.0) if k else None,
            mean_named=mean_of_sums(added[4], added[5], done, largest=float(n_datasets)),
        )
    # A procedure rests on no more than a combination's own condition (for Benjamini and Hochberg's
    # by their theorem of 2001 with Yekutieli).
    holds = {counting_method_named(name).dependence for name in studies.proved}
    return IdentificationSimulation(
        summaries=summaries,
        k=k,
        n_datasets=n_datasets,
        alpha=alpha,
        n_repetitions=done,
        n_asked=n_repetitions,
        seed=seed,
        scenario=studies.name,
        proved=tuple(
            procedure for procedure in chosen if procedure_named(procedure).dependence in holds
        ),
    )
