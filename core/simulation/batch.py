"""The counts of many studies at once, each decided exactly as `count_datasets` decides it.

Vocabulary
----------
estimator
    What counts: the common practice ("count"), or one of the combinations.
by rank
    Shape (N, n): each study's p-values are a column, the smallest first. Numbers
    of different studies then lie side by side, which is what a processor adds
    and compares several of at once.
promising study
    One whose first claim, "at least 1", holds. The running maximum stops a
    count at the first claim that fails, so that every other study counts 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
from scipy.special import gammainccinv, ndtr

from core.replicability.combinations import combination_names, fisher_tail
from core.replicability.decision import RELATIVE_TOLERANCE, at_most
from core.types import BoolArray, FloatArray, IntArray
from core.validation import check_alpha, check_choice

# What counts: the common practice, or a combination.
ESTIMATORS = ("count", *combination_names())
CountArray = npt.NDArray[np.int16]

MAX_DATASETS = int(np.iinfo(np.int16).max)

# Promising studies are worked on in parts of 128 KiB: fresh memory for larger tables costs more
# than the arithmetic on them.
PART_ENTRIES = 1 << 14
# So many p-values are multiplied before a logarithm is taken of the product: it falls below the
# smallest number that is exact only where their Fisher sum is far above 600.
_MULTIPLIED = 128
_LEAST_PRODUCT = 1e-290

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
    Time and memory of a study are O(N log N) and O(N) for every estimator. The
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
        self._ranks = np.arange(1.0, n_datasets + 1.0)[:, np.newaxis]
        # Half the chi-squared quantiles: of m datasets, the least sum of -ln p that rejects.
        quantiles = np.asarray(gammainccinv(self._ranks, min(self._level, 1.0)), dtype=np.float64)
        self._just_below = quantiles * (1.0 - _NEAR_A_QUANTILE)
        self._just_above = quantiles * (1.0 + _NEAR_A_QUANTILE)
        self._part = np.empty((max(1, PART_ENTRIES // n_datasets), n_datasets))
        self._by_rank = np.empty(0)

    def k_hat(
        self,
        p_values: FloatArray,
        estimators: Sequence[str] = ESTIMATORS,
        *,
        minus_z: bool = False,
    ) -> dict[str, CountArray]:
        """Count each study.

        Parameters
        ----------
        p_values : ndarray, shape (n, N)
            In [0, 1], a study a row, in any order within it; left as they are.
        estimators : sequence of str
            Which counts are wanted, by default all four.
        minus_z : bool
            Whether the table holds, instead, numbers whose lower normal tails are
            the p-values.

        Returns
        -------
        dict
            For each estimator, shape (n,): ``count_datasets(row).k_hat`` for
            "bonferroni", "fisher" and "simes", #{p <= alpha} for "count".

        Raises
        ------
        ValueError
            If the table has another shape, or holds anything outside [0, 1], or
            there is no such estimator.
        """
        for estimator in estimators:
            check_choice(estimator, ESTIMATORS, name="estimators")
        if p_values.ndim != 2 or p_values.shape[1] != self._n:
            raise ValueError(f"`p_values` must have shape (n, {self._n}); got {p_values.shape}.")
        by_rank = self._sorted(p_values, minus_z=minus_z)
        # NaN sorts last and fails its comparison.
        if not (np.all(by_rank[0] >= 0.0) and np.all(by_rank[-1] <= 1.0)):
            raise ValueError("`p_values` must lie between 0 and 1; a scenario drew some outside.")
        count: CountArray = at_most(by_rank, self._alpha).sum(axis=0, dtype=np.int16)
        if self._level >= 1.0:
            return {estimator: count.copy() for estimator in estimators}
        # A p-value above alpha makes no claim true by Bonferroni or Simes.
        small = by_rank[: int(count.max(initial=0))]
        counted: dict[str, CountArray] = {}
        for estimator in estimators:
            if estimator == "count":
                counted[estimator] = count
            elif estimator == "bonferroni":
                counted[estimator] = self._bonferroni(small)
            elif estimator == "fisher":
                counted[estimator] = self._fisher(by_rank)
            elif estimator == "simes":
                counted[estimator] = self._simes(small)
            else:
                raise ValueError(
                    f"`estimators`: no count of many studies by {estimator!r} is made."
                )
        return counted

    def _sorted(self, p_values: FloatArray, *, minus_z: bool) -> FloatArray:
        """By rank, in this counter's memory."""
        n, step = p_values.shape[0], self._part.shape[0]
        if p_values.size > self._by_rank.size:
            self._by_rank = np.empty(p_values.size)
        by_rank = self._by_rank[: p_values.size].reshape(self._n, n)
        for start in range(0, n, step):
            part = self._part[: min(step, n - start)]
            part[:] = p_values[start : start + step]
            part.sort(axis=1)
            if minus_z:
                # Which formula a tail takes depends on its place: of sorted numbers a processor
                # foresees that, and takes half the time.
                ndtr(part, out=part)
            by_rank[:, start : start + step] = part.T
        return by_rank

    def _bonferroni(self, small: FloatArray) -> CountArray:
        result = np.zeros(small.shape[1], dtype=np.int16)
        if small.shape[0]:
            promising = np.flatnonzero(at_most(self._n * small[0], self._alpha))
            factors = self._n + 1.0 - self._ranks[: small.shape[0]]
            for part in _parts(promising, small.shape[0]):
                result[part] = _leading(at_most(factors * small.take(part, axis=1), self._alpha))
        return result

    def _fisher(self, by_rank: FloatArray) -> CountArray:
        result = np.zeros(by_rank.shape[1], dtype=np.int16)
        promising = np.flatnonzero(_log_products(by_rank) <= -self._just_below[-1, 0])
        for part in _parts(promising, self._n):
            logs = _minus_logs(by_rank.take(part, axis=1))
            # From the largest p-value on: row m - 1 is of m datasets.
            sums = _running_sums(logs[::-1])
            holds = sums >= self._just_below
            beyond = sums > self._just_above
            if np.count_nonzero(holds) != np.count_nonzero(beyond):
                near = np.flatnonzero((holds & ~beyond).any(axis=0))
                # As single counts are summed, and by the tail probability itself.
                exact = np.cumsum(logs[::-1, near], axis=0)
                tails = fisher_tail(exact, np.broadcast_to(self._ranks, exact.shape))
                holds[:, near] = at_most(tails, self._alpha)
            result[part] = _leading(holds[::-1])
        return result

    def _simes(self, small: FloatArray) -> CountArray:
        result = np.zeros(small.shape[1], dtype=np.int16)
        ranks = self._ranks[: small.shape[0]]
        if ranks.size:
            # One pass leaves few studies, for which the comparison itself decides.
            bounds = (self._level * (1.0 + _NEAR_A_QUANTILE) / self._n) * ranks
            near = np.flatnonzero((small <= bounds).any(axis=0))
            for part in _parts(near, small.shape[0]):
                own = small.take(part, axis=1)
                rejects = at_most((self._n / ranks) * own, self._alpha).any(axis=0)
                result[part[rejects]] = self._simes_of_promising(own[:, rejects], ranks)
        return result

    def _simes_of_promising(self, small: FloatArray, ranks: FloatArray) -> IntArray:
        """Count by Simes: N minus Hommel's value, in one pass over the p-values of a study.

        Without the `first` smallest p-values, p_(i) rejects the rest when
        (N - first) p_(i) <= (i - first) alpha. Solved for `first`, each
        p_(i) < alpha rejects for 0, 1, ... up to a bound of its own. So the
        largest bound of a study is the last step of its count.
        """
        gap = self._level - small
        lead = self._level * ranks - self._n * small
        bound = lead.copy()
        # Where there is no gap the lead is at most 0, as is then right for the bound.
        np.divide(lead, gap, out=bound, where=gap > 0.0)
        last = np.minimum(bound, ranks - 1.0, out=bound).max(axis=0, initial=0.0)
        counts: IntArray = np.floor(last).astype(np.intp) + 1
        # The bounds are rounded; the comparison itself, beside them, has the last word, unless it
        # is clear without: by how much the left side above is less, far beyond any rounding.
        clear = self._n * self._level * _NEAR_A_QUANTILE
        ends = (lead - counts * gap).max(axis=0, initial=-np.inf) < -clear
        ends &= (lead - (counts - 1.0) * gap).max(axis=0, initial=-np.inf) > clear
        unclear = np.flatnonzero(~ends)
        if unclear.size:
            counts[unclear] = self._simes_compared(small[:, unclear], counts[unclear])
        return counts

    def _simes_compared(self, small: FloatArray, counts: IntArray) -> IntArray:
        """Put right counts that are near the truth."""
        rising = np.arange(counts.size)
        while rising.size:
            rising = rising[self._simes_rejects(small[:, rising], counts[rising])]
            counts[rising] += 1
        falling = np.arange(counts.size)
        while falling.size:
            falling = falling[~self._simes_rejects(small[:, falling], counts[falling] - 1)]
            counts[falling] -= 1
        return counts

    def _simes_rejects(self, small: FloatArray, first: IntArray) -> BoolArray:
        """Whether Simes' test rejects each study without its `first` smallest p-values."""
        rank = self._ranks[: small.shape[0]] - first
        factor: FloatArray = (self._n - first) / np.maximum(rank, 1.0)
        holds = at_most(factor * small, self._alpha) & (rank > 0.0)
        return np.asarray(holds.any(axis=0))


def _parts(studies: IntArray, height: int) -> Iterator[IntArray]:
    step = max(1, PART_ENTRIES // height)
    for start in range(0, studies.size, step):
        yield studies[start : start + step]


def _leading(holds: BoolArray) -> IntArray:
    """How many entries of each column are true before the first that is not."""
    first = holds.argmin(axis=0)
    all_hold = holds[first, np.arange(first.size)]
    return np.asarray(np.where(all_hold, holds.shape[0], first), dtype=np.intp)


def _log_products(by_rank: FloatArray) -> FloatArray:
    """The logarithm of the product of each column; -inf also where it is not known exactly."""
    total = np.zeros(by_rank.shape[1])
    for start in range(0, by_rank.shape[0], _MULTIPLIED):
        product = np.multiply.reduce(by_rank[start : start + _MULTIPLIED], axis=0)
        product[product < _LEAST_PRODUCT] = 0.0
        with np.errstate(divide="ignore"):
            total += np.log(product, out=product)
    return total


def _minus_logs(by_rank: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore"):
        logs = np.log(by_rank, out=by_rank)
    # 0.0 - x rather than -x: the logarithm of 1 must give 0, not -0.
    return np.subtract(0.0, logs, out=logs)


def _running_sums(values: FloatArray) -> FloatArray:
    """Sums of the first 1, 2, ... rows: by doubling, as one after the other would wait for each."""
    sums, other = np.empty_like(values), np.empty_like(values)
    sums[:1] = values[:1]
    np.add(values[1:], values[:-1], out=sums[1:])
    step = 2
    while step < values.shape[0]:
        other[:step] = sums[:step]
        np.add(sums[step:], sums[:-step], out=other[step:])
        sums, other = other, sums
        step *= 2
    return sums
