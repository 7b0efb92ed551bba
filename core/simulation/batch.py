"""Counts and names of many studies at once, each decided exactly as `count_datasets` and `named_by` do.

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
named
    Every procedure names the smallest p-values of a study, ties together, so that
    how many it names says which.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ..replicability.combinations import combination_named, combination_names
from ..replicability.counting import count_datasets
from ..replicability.identification import named_by, procedure_of_p_values
from ..replicability.local_tests import BonferroniTest, SimesTest, SumOfEvidence
from ..types import BoolArray, FloatArray, IntArray
from ..validation import RELATIVE_TOLERANCE, at_most, check_alpha

CountArray = npt.NDArray[np.int16]

MAX_DATASETS = int(np.iinfo(np.int16).max)

# Promising studies are worked on in parts of 128 KiB: fresh memory for larger tables costs more
# than the arithmetic on them.
PART_ENTRIES = 1 << 14
# Nearer than this to a quantile, relative to it and to the number of datasets, the tail
# probability itself decides, and near Simes' bounds his comparison: far above the error of a sum
# of evidence and of the quantile, far below what slows a simulation down.
NEAR_A_QUANTILE = 1e-9
# P-values are rounded down to so many steps where their evidence is only bounded; a power of 2,
# so that nothing else is rounded.
_STEPS = 4096


def estimator_names() -> tuple[str, ...]:
    """What counts: the common practice, or a combination."""
    return ("count", *combination_names())


class BatchCounter:
    """Counts and names for tables of p-values of N datasets, 1..32767, at one level."""

    def __init__(self, n_datasets: int, *, alpha: float) -> None:
        if not 1 <= n_datasets <= MAX_DATASETS:
            raise ValueError(
                f"The number of datasets must lie between 1 and {MAX_DATASETS}; got {n_datasets}."
            )
        self._n = n_datasets
        self._alpha = check_alpha(alpha)
        # The level at which `at_most` compares, below 1 so that quantiles are defined.
        self._level = min(self._alpha * (1.0 + RELATIVE_TOLERANCE), 1.0 - RELATIVE_TOLERANCE)
        self._ranks = np.arange(1.0, n_datasets + 1.0)[:, np.newaxis]
        self._near_quantiles: dict[str, tuple[FloatArray, FloatArray]] = {}

    def k_hat(
        self, p_values: FloatArray, estimators: Sequence[str] | None = None
    ) -> dict[str, CountArray]:
        """Count each study by each estimator: for every one shape (n,).

        `p_values`, shape (n, N): in [0, 1], a study a row, in any order within it; left as they
        are. "count" is #{p <= alpha}, the others are ``count_datasets(row).k_hat``.
        """
        asked = estimator_names() if estimators is None else tuple(estimators)
        if p_values.ndim != 2 or p_values.shape[1] != self._n:
            raise ValueError(f"`p_values` must have shape (n, {self._n}); got {p_values.shape}.")
        by_rank = np.empty(p_values.shape[::-1])
        step = max(1, PART_ENTRIES // self._n)
        for start in range(0, p_values.shape[0], step):
            # Turned while a processor's cache holds them, which takes a twentieth of the time.
            some = slice(start, start + step)
            by_rank[:, some] = np.sort(p_values[some], axis=1).T
        # NaN sorts last and fails its comparison.
        if not (np.all(by_rank[0] >= 0.0) and np.all(by_rank[-1] <= 1.0)):
            raise ValueError("`p_values` must lie between 0 and 1; a scenario drew some outside.")
        count: CountArray = at_most(by_rank, self._alpha).sum(axis=0, dtype=np.int16)
        return {
            estimator: count if estimator == "count" else self._counted(estimator, by_rank, count)
            for estimator in asked
        }

    def _counted(self, combination: str, by_rank: FloatArray, count: CountArray) -> CountArray:
        """By a combination, whose local test says how."""
        local = combination_named(combination).local
        # A p-value above alpha makes no claim true by Bonferroni or Simes.
        small = by_rank[: int(count.max(initial=0))]
        if isinstance(local, BonferroniTest):
            return self._bonferroni(small)
        if isinstance(local, SimesTest):
            return self._simes(small)
        if isinstance(local, SumOfEvidence):
            return self._sum_of_evidence(by_rank, local, self._quantiles(combination, local))
        studies = (
            count_datasets(p_values, alpha=self._alpha, combination=combination).k_hat
            for p_values in by_rank.T
        )
        return np.fromiter(studies, dtype=np.int16, count=by_rank.shape[1])

    def _quantiles(self, name: str, local: SumOfEvidence) -> tuple[FloatArray, FloatArray]:
        """Of 1, ..., N datasets, just below and just above the least sum that rejects."""
        if name not in self._near_quantiles:
            quantiles = local.quantile(self._ranks, self._level)
            near = NEAR_A_QUANTILE * (np.abs(quantiles) + self._ranks)
            self._near_quantiles[name] = (quantiles - near, quantiles + near)
        return self._near_quantiles[name]

    def _bonferroni(self, small: FloatArray) -> CountArray:
        result = np.zeros(small.shape[1], dtype=np.int16)
        if small.shape[0]:
            promising = np.flatnonzero(at_most(self._n * small[0], self._alpha))
            factors = self._n + 1.0 - self._ranks[: small.shape[0]]
            for part in _parts(promising, small.shape[0]):
                result[part] = _leading(at_most(factors * small.take(part, axis=1), self._alpha))
        return result

    # Every way below has two steps. A quick one leaves out studies that certainly count 0, or says
    # by bounds how many claims certainly hold; whatever lies within `NEAR_A_QUANTILE` of a bound is
    # left to the comparison of `count_datasets` itself. So rounding costs time and never a count.

    def _sum_of_evidence(
        self, by_rank: FloatArray, local: SumOfEvidence, quantiles: tuple[FloatArray, FloatArray]
    ) -> CountArray:
        result = np.zeros(by_rank.shape[1], dtype=np.int16)
        undecided = np.flatnonzero(_most_evidence(by_rank, local) >= quantiles[0][-1, 0])
        for part in _parts(undecided, self._n):
            # From the largest p-value on: row m - 1 is of m datasets.
            evidence = local.evidence(by_rank.take(part, axis=1)[::-1])
            claims, near = _claims(evidence, quantiles)
            if near.size:
                # As single counts are summed, and by the tail probability itself.
                sums = np.cumsum(evidence.take(near, axis=1), axis=0)
                tails = local.tail(sums, np.broadcast_to(self._ranks, sums.shape))
                claims[near] = _leading(at_most(tails, self._alpha)[::-1])
            result[part] = claims
        return result

    def _simes(self, small: FloatArray) -> CountArray:
        result = np.zeros(small.shape[1], dtype=np.int16)
        ranks = self._ranks[: small.shape[0]]
        if ranks.size:
            # One pass leaves few studies, for which the comparison itself decides.
            bounds = (self._level * (1.0 + NEAR_A_QUANTILE) / self._n) * ranks
            near = np.flatnonzero((small <= bounds).any(axis=0))
            for part in _parts(near, small.shape[0]):
                result[part] = self._simes_of_promising(small.take(part, axis=1))
        return result

    def _simes_of_promising(self, small: FloatArray) -> IntArray:
        """Count by Simes: N minus Hommel's value.

        Without the `first` smallest p-values, p_(i) rejects the rest when
        (N - first) p_(i) / (i - first) is at most alpha. That rises with `first`, so that
        the largest number without which the rest is still rejected is found by halving; -1
        where not even all are.
        """
        low = np.full(small.shape[1], -1, dtype=np.intp)
        high = np.full_like(low, small.shape[0] - 1)
        while (low < high).any():
            middle = (low + high + 1) // 2
            rejects = self._simes_rejects(small, middle)
            low, high = np.where(rejects, middle, low), np.where(rejects, high, middle - 1)
        return low + 1

    def _simes_rejects(self, small: FloatArray, first: IntArray) -> BoolArray:
        """Whether Simes' test rejects each study without its `first` smallest p-values."""
        rank = self._ranks[: small.shape[0]] - first
        factor: FloatArray = (self._n - first) / np.maximum(rank, 1.0)
        holds = at_most(factor * small, self._alpha) & (rank > 0.0)
        return np.asarray(holds.any(axis=0))

    def named(
        self, p_values: FloatArray, truth: BoolArray, procedures: Sequence[str]
    ) -> dict[str, tuple[IntArray, IntArray]]:
        """How many each procedure names in each study, and on how many of these A is better in truth."""
        # Counting checks the table.
        self.k_hat(p_values, ("count",))
        order = np.argsort(p_values, axis=1)
        ordered = np.take_along_axis(p_values, order, axis=1)
        # On how many of the datasets with the smallest p-values, of so many, A is better.
        right: IntArray = np.zeros((order.shape[0], self._n + 1), dtype=np.intp)
        np.cumsum(truth[order], axis=1, out=right[:, 1:])
        studies = np.arange(order.shape[0])
        n_named = {procedure: self._n_named(ordered, procedure) for procedure in procedures}
        return {procedure: (n, right[studies, n]) for procedure, n in n_named.items()}

    def _n_named(self, ordered: FloatArray, procedure: str) -> IntArray:
        known = procedure_of_p_values(procedure)
        if known.factors is not None:
            holds = at_most(known.factors(self._n) * ordered, self._alpha)
            # Up to the last one that holds.
            last: IntArray = self._n - np.argmax(holds[:, ::-1], axis=1)
            return np.where(holds.any(axis=1), last, 0)
        local = combination_named(known.within).local
        if isinstance(local, SumOfEvidence):
            return self._named_by_evidence(ordered, local)
        if not isinstance(local, BonferroniTest | SimesTest):
            each = (named_by(row, alpha=self._alpha, procedure=procedure).sum() for row in ordered)
            return np.fromiter(each, dtype=np.intp, count=ordered.shape[0])
        count = self.k_hat(ordered, (known.within,))[known.within].astype(np.intp)
        if isinstance(local, BonferroniTest):
            return count
        # Hommel's value is N less the count by Simes.
        level = (self._alpha / np.maximum(self._n - count, 1)) * (1.0 + RELATIVE_TOLERANCE)
        return np.asarray((ordered <= level[:, np.newaxis]).sum(axis=1))

    def _named_by_evidence(self, ordered: FloatArray, local: SumOfEvidence) -> IntArray:
        result = np.zeros(ordered.shape[0], dtype=np.intp)
        quantiles = local.quantile(self._ranks[:, 0], self._alpha)
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


@lru_cache(maxsize=8)
def _evidence_of_steps(local: SumOfEvidence) -> FloatArray:
    return local.evidence(np.arange(_STEPS + 1.0) / _STEPS)


def _most_evidence(by_rank: FloatArray, local: SumOfEvidence) -> FloatArray:
    """The most that the evidence of each study can come to, of all its datasets together."""
    evidence = _evidence_of_steps(local)
    total = np.empty(by_rank.shape[1])
    width = max(1, PART_ENTRIES // by_rank.shape[0])
    for start in range(0, total.size, width):
        # Rounded down: a smaller p-value has no less evidence.
        steps = (by_rank[:, start : start + width] * _STEPS).astype(np.int32)
        evidence.take(steps).sum(axis=0, out=total[start : start + width])
    return total


def _claims(
    evidence: FloatArray, quantiles: tuple[FloatArray, FloatArray]
) -> tuple[IntArray, IntArray]:
    """How many claims hold in each study, and which studies are too near a quantile to say.

    `evidence`, shape (N, n): from the largest p-value on. `quantiles`, each of shape (N, 1): just
    below and just above the least sums that reject.
    """
    just_below, just_above = quantiles
    sums = np.cumsum(evidence, axis=0)
    holds = sums >= just_below
    beyond = sums > just_above
    claims = _leading(holds[::-1])
    if np.count_nonzero(holds) == np.count_nonzero(beyond):
        return claims, np.empty(0, dtype=np.intp)
    return claims, np.flatnonzero(claims > _leading(beyond[::-1]))


def _parts(studies: IntArray, height: int) -> Iterator[IntArray]:
    step = max(1, PART_ENTRIES // height)
    for start in range(0, studies.size, step):
        yield studies[start : start + step]


def _leading(holds: BoolArray) -> IntArray:
    """How many entries of each column are true before the first that is not."""
    first = holds.argmin(axis=0)
    all_hold = holds[first, np.arange(first.size)]
    return np.asarray(np.where(all_hold, holds.shape[0], first), dtype=np.intp)
