"""The counts of many studies at once, each decided exactly as `count_datasets` decides it.

Vocabulary
----------
estimator
    What counts: the common practice ("count"), or one of the combinations.
row
    The p-values of one study; a batch is a table of studies, shape (n, N).
promising row
    A row whose first claim, "at least 1", holds. The running maximum stops a
    count at the first claim that fails, so that every other row counts 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt
from scipy.special import gammainccinv

from core.replicability.decision import RELATIVE_TOLERANCE, at_most
from core.replicability.partial_conjunction import fisher_tail
from core.types import BoolArray, FloatArray, IntArray
from core.validation import check_alpha

Estimator = Literal["count", "bonferroni", "fisher", "simes"]
ESTIMATORS: tuple[Estimator, ...] = get_args(Estimator)
CountArray = npt.NDArray[np.int16]

MAX_DATASETS = int(np.iinfo(np.int16).max)

# Promising rows are worked on in parts of 256 KiB: fresh memory for larger tables costs more than
# the arithmetic on them.
PART_ENTRIES = 1 << 15

# Nearer than this to a quantile, relative to it, the tail probability itself decides, and near
# Simes' bounds his comparison: far above the error of a sum of logarithms and of the quantile,
# far below what slows a simulation down.
_NEAR_A_QUANTILE = 1e-9


class BatchCounter:
    """Counts by all four estimators for tables of p-values, at one level.

    Parameters
    ----------
    n_datasets : int
        N, the width of every table, 1..32767.
    alpha : float
        In (0, 1).

    Notes
    -----
    Time and memory of a row are O(N log N) and O(N) for every estimator. The
    working memory is kept from one table to the next, which saves most of the
    time of a short table: so no counter may serve two threads at once.
    """

    def __init__(self, n_datasets: int, *, alpha: float) -> None:
        if not 1 <= n_datasets <= MAX_DATASETS:
            raise ValueError(
                f"The number of datasets must lie between 1 and {MAX_DATASETS}; got {n_datasets}."
            )
        self._n = n_datasets
        self._alpha = check_alpha(alpha)
        # The level at which `at_most` compares.
        self._level = self._alpha * (1.0 + RELATIVE_TOLERANCE)
        self._sizes = np.arange(1.0, n_datasets + 1.0)
        # Half the chi-squared quantiles: of m datasets, the least sum of -ln p that rejects.
        self._quantiles = np.asarray(
            gammainccinv(self._sizes, min(self._level, 1.0)), dtype=np.float64
        )
        self._just_below = self._quantiles * (1.0 - _NEAR_A_QUANTILE)
        self._just_above = self._quantiles * (1.0 + _NEAR_A_QUANTILE)
        self._ordered = np.empty((0, n_datasets))
        self._logs = np.empty((0, n_datasets))

    def k_hat(
        self, p_values: FloatArray, estimators: Sequence[Estimator] = ESTIMATORS
    ) -> dict[Estimator, CountArray]:
        """Count each row.

        Parameters
        ----------
        p_values : ndarray, shape (n, N)
            In [0, 1], in any order within a row; left as they are.
        estimators : sequence of str
            Which counts are wanted, by default all four.

        Returns
        -------
        dict
            For each estimator, shape (n,): ``count_datasets(row).k_hat`` for
            "bonferroni", "fisher" and "simes", #{p <= alpha} for "count".

        Raises
        ------
        ValueError
            If the table has another shape, or holds anything outside [0, 1].
        """
        if p_values.ndim != 2 or p_values.shape[1] != self._n:
            raise ValueError(f"`p_values` must have shape (n, {self._n}); got {p_values.shape}.")
        n_rows = p_values.shape[0]
        if n_rows > self._ordered.shape[0]:
            self._ordered, self._logs = np.empty(p_values.shape), np.empty(p_values.shape)
        ordered = self._ordered[:n_rows]
        ordered[:] = p_values
        ordered.sort(axis=1)
        # NaN sorts last and fails its comparison.
        if not (np.all(ordered[:, 0] >= 0.0) and np.all(ordered[:, -1] <= 1.0)):
            raise ValueError("`p_values` must lie between 0 and 1; a scenario drew some outside.")
        count: CountArray = at_most(ordered, self._alpha).sum(axis=1, dtype=np.int16)
        if self._level >= 1.0:
            return {estimator: count.copy() for estimator in estimators}
        # A p-value above alpha makes no claim true by Bonferroni or Simes.
        small = ordered[:, : int(count.max(initial=0))]
        counted: dict[Estimator, CountArray] = {}
        for estimator in estimators:
            if estimator == "count":
                counted[estimator] = count
            elif estimator == "bonferroni":
                counted[estimator] = self._bonferroni(small)
            elif estimator == "fisher":
                counted[estimator] = self._fisher(ordered)
            else:
                counted[estimator] = self._simes(small)
        return counted

    def _bonferroni(self, small: FloatArray) -> CountArray:
        width = small.shape[1]
        result = np.zeros(small.shape[0], dtype=np.int16)
        if width:
            factors = self._n - np.arange(width)
            rows = np.flatnonzero(at_most(self._n * small[:, 0], self._alpha))
            result[rows] = _leading(at_most(factors * small[rows], self._alpha))
        return result

    def _fisher(self, ordered: FloatArray) -> CountArray:
        result = np.zeros(ordered.shape[0], dtype=np.int16)
        with np.errstate(divide="ignore"):
            logs = np.log(ordered, out=self._logs[: ordered.shape[0]])
        rows = np.flatnonzero(logs.sum(axis=1) <= -self._just_below[-1])
        # From the largest p-value on, as single counts are summed: column m - 1 is of m datasets.
        for part in _parts(rows, self._n):
            # 0.0 - x rather than -x: the logarithm of 1 must give 0, not -0.
            sums = np.cumsum(0.0 - logs[part, ::-1], axis=1)
            holds = sums >= self._just_below
            beyond = sums > self._just_above
            if np.count_nonzero(holds) != np.count_nonzero(beyond):
                near = holds & ~beyond
                sizes = np.broadcast_to(self._sizes, sums.shape)[near]
                holds[near] = at_most(fisher_tail(sums[near], sizes), self._alpha)
            result[part] = _leading(holds[:, ::-1])
        return result

    def _simes(self, small: FloatArray) -> CountArray:
        width = small.shape[1]
        result = np.zeros(small.shape[0], dtype=np.int16)
        if width:
            ranks = np.arange(1.0, width + 1.0)
            # One pass leaves few rows, for which the comparison itself decides.
            bounds = (self._level * (1.0 + _NEAR_A_QUANTILE) / self._n) * ranks
            near = np.flatnonzero((small <= bounds).any(axis=1))
            rejects = at_most((self._n / ranks) * small[near], self._alpha).any(axis=1)
            for part in _parts(near[rejects], width):
                result[part] = self._simes_of_promising(small[part], ranks)
        return result

    def _simes_of_promising(self, small: FloatArray, ranks: FloatArray) -> IntArray:
        """Count by Simes: N minus Hommel's value, in one pass over the p-values of a row.

        Without the `first` smallest p-values, p_(i) rejects the rest when
        (N - first) p_(i) <= (i - first) alpha. Solved for `first`, each
        p_(i) < alpha rejects for 0, 1, ... up to a bound of its own. So the
        largest bound of a row is the last step of its count.
        """
        gap = self._level - small
        bound = self._level * ranks - self._n * small
        # Where there is no gap the numerator is at most 0, as is then right for the bound.
        np.divide(bound, gap, out=bound, where=gap > 0.0)
        last = np.minimum(bound, ranks - 1.0).max(axis=1, initial=0.0)
        counts: IntArray = np.floor(last).astype(np.intp) + 1
        # The bounds are rounded; the comparison itself, beside them, has the last word.
        rising = np.arange(counts.size)
        while rising.size:
            rising = rising[self._simes_rejects(small[rising], counts[rising])]
            counts[rising] += 1
        falling = np.arange(counts.size)
        while falling.size:
            falling = falling[~self._simes_rejects(small[falling], counts[falling] - 1)]
            counts[falling] -= 1
        return counts

    def _simes_rejects(self, small: FloatArray, first: IntArray) -> BoolArray:
        """Whether Simes' test rejects each row without its `first` smallest p-values."""
        rank = np.arange(1.0, small.shape[1] + 1.0) - first[:, np.newaxis]
        factor: FloatArray = (self._n - first)[:, np.newaxis] / np.maximum(rank, 1.0)
        holds = at_most(factor * small, self._alpha) & (rank > 0.0)
        return np.asarray(holds.any(axis=1))


def _parts(rows: IntArray, width: int) -> Iterator[IntArray]:
    step = max(1, PART_ENTRIES // width)
    for start in range(0, rows.size, step):
        yield rows[start : start + step]


def _leading(holds: BoolArray) -> IntArray:
    """How many entries of each row are true before the first that is not."""
    first = holds.argmin(axis=1)
    all_hold = holds[np.arange(first.size), first]
    return np.asarray(np.where(all_hold, holds.shape[1], first), dtype=np.intp)
