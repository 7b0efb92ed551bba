"""The names of many studies at once, each decided exactly as `named_by` decides it.

Vocabulary
----------
row
    The p-values of one study; a batch is a table of studies, shape (n, N).
named
    Every procedure names the smallest p-values of a row, ties together, so that
    how many it names says which.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.replicability.combinations import combination_named
from core.replicability.decision import RELATIVE_TOLERANCE, at_most
from core.replicability.identification import named_by
from core.replicability.local_tests import BonferroniTest, SimesTest, SumOfEvidence
from core.replicability.procedures import Closed, SingleStep, StepUp, procedure_named
from core.simulation.batch import NEAR_A_QUANTILE, BatchCounter
from core.types import BoolArray, FloatArray, IntArray
from core.validation import check_alpha


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Named:
    """How many datasets a procedure names in each row.

    Attributes
    ----------
    n_named : ndarray of int, shape (n,)
        All of them.
    n_right : ndarray of int, shape (n,)
        Those on which A is better.
    """

    n_named: IntArray
    n_right: IntArray


class BatchNamer:
    """Names by any procedure for tables of p-values, at one level.

    Parameters
    ----------
    truth : ndarray of bool, shape (N,)
        On which datasets A is better.
    alpha : float
        In (0, 1).
    procedures : sequence of str
        Which.

    Notes
    -----
    Time of a row is O(N log N) for every procedure. No namer may serve two threads at once.
    """

    def __init__(self, truth: BoolArray, *, alpha: float, procedures: Sequence[str]) -> None:
        self._truth = truth
        self._n = truth.size
        self._alpha = check_alpha(alpha)
        self._procedures = tuple(procedures)
        self._counter = BatchCounter(self._n, alpha=alpha)
        self._ranks = np.arange(1.0, self._n + 1.0)

    def named(self, p_values: FloatArray) -> dict[str, Named]:
        """Name the datasets of each row of a table, shape (n, N), left as it is.

        Raises
        ------
        ValueError
            If the table has another width, or holds anything outside [0, 1].
        """
        # The counter checks the table.
        self._counter.k_hat(p_values, ("count",))
        right: IntArray | None = None
        if self._truth.all() or not self._truth.any():
            ordered = np.sort(p_values, axis=1)
        else:
            order = np.argsort(p_values, axis=1)
            ordered = np.take_along_axis(p_values, order, axis=1)
            right = np.zeros((order.shape[0], self._n + 1), dtype=np.intp)
            np.cumsum(self._truth[order], axis=1, out=right[:, 1:])
        found: dict[str, Named] = {}
        for procedure in self._procedures:
            n_named = self._n_named(ordered, procedure)
            if right is None:
                n_right = n_named if self._truth[0] else np.zeros_like(n_named)
            else:
                n_right = right[np.arange(n_named.size), n_named]
            found[procedure] = Named(n_named=n_named, n_right=n_right)
        return found

    def _n_named(self, ordered: FloatArray, procedure: str) -> IntArray:
        """How many a procedure names in each row, as its kernel works."""
        kernel = procedure_named(procedure).kernel
        if isinstance(kernel, SingleStep):
            return np.asarray(at_most(self._n * ordered, self._alpha).sum(axis=1))
        if isinstance(kernel, StepUp):
            return _up_to_the_last_success(at_most(kernel.factors(self._n) * ordered, self._alpha))
        if isinstance(kernel, Closed):
            local = combination_named(kernel.combination).local
            if isinstance(local, BonferroniTest):
                return _before_the_first_failure(at_most(self._ranks[::-1] * ordered, self._alpha))
            if isinstance(local, SimesTest):
                return self._by_hommel(ordered, kernel.combination)
            if isinstance(local, SumOfEvidence):
                return self._by_sum_of_evidence(ordered, local)
        named = (named_by(row, alpha=self._alpha, procedure=procedure).sum() for row in ordered)
        return np.fromiter(named, dtype=np.intp, count=ordered.shape[0])

    def _by_hommel(self, ordered: FloatArray, combination: str) -> IntArray:
        """Hommel's value is N less the count by Simes."""
        count = self._counter.k_hat(ordered, (combination,))[combination]
        largest = np.maximum(self._n - count.astype(np.intp), 1)
        level = (self._alpha / largest) * (1.0 + RELATIVE_TOLERANCE)
        return np.asarray((ordered <= level[:, np.newaxis]).sum(axis=1))

    def _by_sum_of_evidence(self, ordered: FloatArray, local: SumOfEvidence) -> IntArray:
        """As its thresholds name."""
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


def _before_the_first_failure(holds: BoolArray) -> IntArray:
    return np.asarray(np.logical_and.accumulate(holds, axis=1).sum(axis=1))


def _up_to_the_last_success(holds: BoolArray) -> IntArray:
    n = holds.shape[1]
    last: IntArray = n - np.argmax(holds[:, ::-1], axis=1)
    return np.where(holds.any(axis=1), last, 0)
