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
from scipy.special import gammainccinv

from core.replicability.combinations import minus_logs
from core.replicability.decision import RELATIVE_TOLERANCE, at_most
from core.simulation.batch import BatchCounter
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
    Time of a row is O(N log N) for every procedure, those included whose
    adjusted p-values take O(N^2): which datasets are named at one level asks
    for less. No namer may serve two threads at once.
    """

    def __init__(self, truth: BoolArray, *, alpha: float, procedures: Sequence[str]) -> None:
        self._truth = truth
        self._n = n = truth.size
        self._alpha = check_alpha(alpha)
        self._procedures = tuple(procedures)
        self._counter = BatchCounter(n, alpha=alpha)
        ranks = np.arange(1.0, n + 1.0)
        harmonic = float(np.sum(1.0 / np.arange(1, n + 1)))
        self._falling = ranks[::-1]
        self._by_rank = n / ranks
        self._by_rank_and_harmonic = harmonic * (n / ranks)
        self._needed: FloatArray = np.asarray(gammainccinv(ranks, self._alpha), dtype=np.float64)

    def named(self, p_values: FloatArray) -> dict[str, Named]:
        """Name the datasets of each row of a table, shape (n, N), left as it is.

        Raises
        ------
        ValueError
            If the table has another width, or holds anything outside [0, 1].
        """
        # The counter checks the table; Hommel's value is N less the count by Simes.
        wants_hommel = "hommel" in self._procedures
        counts = self._counter.k_hat(p_values, ("simes",) if wants_hommel else ("count",))
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
            if procedure == "hommel":
                largest = np.maximum(self._n - counts["simes"].astype(np.intp), 1)
                level = (self._alpha / largest) * (1.0 + RELATIVE_TOLERANCE)
                n_named = (ordered <= level[:, np.newaxis]).sum(axis=1)
            else:
                n_named = self._n_named(ordered, procedure)
            if right is None:
                n_right = n_named if self._truth[0] else np.zeros_like(n_named)
            else:
                n_right = right[np.arange(n_named.size), n_named]
            found[procedure] = Named(n_named=n_named, n_right=n_right)
        return found

    def _n_named(self, ordered: FloatArray, procedure: str) -> IntArray:
        alpha = self._alpha
        if procedure == "bonferroni":
            return np.asarray(at_most(self._n * ordered, alpha).sum(axis=1))
        if procedure == "holm":
            return _before_the_first_failure(at_most(self._falling * ordered, alpha))
        if procedure == "hochberg":
            return _up_to_the_last_success(at_most(self._falling * ordered, alpha))
        if procedure == "benjamini-hochberg":
            return _up_to_the_last_success(at_most(self._by_rank * ordered, alpha))
        if procedure == "benjamini-yekutieli":
            return _up_to_the_last_success(at_most(self._by_rank_and_harmonic * ordered, alpha))
        if procedure == "fisher-closed":
            return self._by_fisher(ordered)
        raise ValueError(f"`procedure` must be one that names without counts; got {procedure!r}.")

    def _by_fisher(self, ordered: FloatArray) -> IntArray:
        """As `closed_thresholds` of Fisher's test, of the largest p-value first."""
        n, needed = self._n, self._needed
        result = np.zeros(ordered.shape[0], dtype=np.intp)
        logs = minus_logs(ordered)
        # Where all together are not rejected nothing is named.
        rows = np.flatnonzero(logs.sum(axis=1) >= needed[-1] * (1.0 - 1e-9))
        if not rows.size:
            return result
        falling, logs = ordered[rows, ::-1], logs[rows, ::-1]
        of_largest = np.zeros((rows.size, n + 1))
        np.cumsum(logs, axis=1, out=of_largest[:, 1:])
        before = np.maximum.accumulate(needed - of_largest[:, :n], axis=1)
        after = np.full_like(before, -np.inf)
        with np.errstate(invalid="ignore"):
            beyond = needed[1:] - of_largest[:, 2:]
            worst = np.maximum.accumulate(beyond[:, ::-1], axis=1)[:, ::-1]
            after[:, :-1] = worst + logs[:, :-1]
        # An infinite sum (another p of 0) demands nothing of this dataset.
        after[np.isnan(after)] = -np.inf
        thresholds = np.minimum(np.exp(-np.maximum(before, after)), 1.0)
        result[rows] = (falling <= thresholds * (1.0 + RELATIVE_TOLERANCE)).sum(axis=1)
        return result


def _before_the_first_failure(holds: BoolArray) -> IntArray:
    return np.asarray(np.logical_and.accumulate(holds, axis=1).sum(axis=1))


def _up_to_the_last_success(holds: BoolArray) -> IntArray:
    n = holds.shape[1]
    last: IntArray = n - np.argmax(holds[:, ::-1], axis=1)
    return np.where(holds.any(axis=1), last, 0)
