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
    One whose first claim, "at least 1", may hold. The running maximum stops a
    count at the first claim that fails, so that every other study counts 0.
named
    Every procedure names the smallest p-values of a study, ties together, so that
    how many it names says which.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from ..replicability.combinations import combination_named, combination_names, minus_logs
from ..replicability.counting import count_datasets
from ..replicability.identification import named_by, procedure_of_p_values
from ..replicability.local_tests import BonferroniTest, LocalTest, SimesTest, SumOfEvidence
from ..types import BoolArray, FloatArray, IntArray
from ..validation import RELATIVE_TOLERANCE, at_most, check_alpha, check_whole

CountArray = npt.NDArray[np.int16]

MAX_DATASETS = int(np.iinfo(np.int16).max)

# Studies are worked on in parts of 256 KiB, which a processor's cache holds: fresh memory for larger
# tables costs more than the arithmetic on them.
PART_ENTRIES = 1 << 15
# Bounds say how many claims hold. Nearer than this to a quantile, relative to it and to the number of
# datasets, the tail probability itself decides as in `count_datasets`, and near Simes' bounds his
# comparison, so that rounding costs time and never a count: far above the error of a sum and quantile.
NEAR_A_QUANTILE = 1e-9
# P-values are rounded down to so many steps where their evidence is only bounded; a power of 2,
# so that nothing else is rounded.
_STEPS = 8192
# Of so many studies their rows are added one by one, in a third of the time of `accumulate`.
_MANY = 128


def estimator_names() -> tuple[str, ...]:
    """What counts: the common practice, or a combination."""
    return ("count", *combination_names())


class BatchCounter:
    """Counts and names for tables of p-values of N datasets, 1..32767, at one level."""

    def __init__(self, n_datasets: int, *, alpha: float) -> None:
        self._n = check_whole(n_datasets, name="n_datasets", least=1, most=MAX_DATASETS)
        self._at_once = max(1, PART_ENTRIES // n_datasets)
        self._alpha = check_alpha(alpha)
        self._level = self._alpha * (1.0 + RELATIVE_TOLERANCE)
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
        tests = {name: combination_named(name).local for name in asked if name != "count"}
        count, may_claim = self._first_look(p_values, tests)
        counts = {"count": count} | {name: np.zeros_like(count) for name in tests}
        # Only their p-values need to be in order.
        promising = np.flatnonzero(np.any(list(may_claim.values()), axis=0))
        for start in range(0, promising.size, self._at_once):
            part = promising[start : start + self._at_once]
            ordered = p_values[part]
            ordered.sort(axis=1)
            by_rank = ordered.T.copy()
            for name, local in tests.items():
                own = np.flatnonzero(may_claim[name][part])
                if own.size:
                    counts[name][part[own]] = self._counted(name, local, by_rank.take(own, axis=1))
        return {estimator: counts[estimator] for estimator in asked}

    def _first_look(
        self, p_values: FloatArray, tests: Mapping[str, LocalTest]
    ) -> tuple[CountArray, dict[str, BoolArray]]:
        """#{p <= alpha} of each study, and of which its first claim may hold by each combination."""
        count = np.empty(p_values.shape[0], dtype=np.int16)
        may_claim = {name: np.ones(count.size, dtype=np.bool_) for name in tests}
        for start in range(0, count.size, self._at_once):
            part = slice(start, start + self._at_once)
            # Turned while a processor's cache holds them, which takes a twentieth of the time.
            by_dataset = p_values[part].T.copy()
            smallest = by_dataset.min(axis=0)
            # NaN is the least and the largest, and fails its comparison.
            if not (smallest.min() >= 0.0 and by_dataset.max() <= 1.0):
                raise ValueError("`p_values` must lie between 0 and 1; some do not.")
            count[part] = at_most(by_dataset, self._alpha).sum(axis=0, dtype=np.int16)
            for name, local in tests.items():
                if isinstance(local, BonferroniTest):
                    may_claim[name][part] = at_most(self._n * smallest, self._alpha)
                elif isinstance(local, SimesTest):
                    # Some N p_(i) is at most i alpha, and i at most the count.
                    bound = (1.0 + NEAR_A_QUANTILE) * self._level / self._n
                    may_claim[name][part] = smallest <= bound * count[part]
                elif isinstance(local, SumOfEvidence):
                    below, above = self._quantiles(name, local)
                    if _is_product(local, above):
                        may = by_dataset.prod(axis=0) <= np.exp(-below[-1])
                    else:
                        # Rounded down: a smaller p-value has no less evidence.
                        steps = (by_dataset * _STEPS).astype(np.int32)
                        may = _evidence_of_steps(local).take(steps).sum(axis=0) >= below[-1]
                    may_claim[name][part] = may
        return count, may_claim

    def _counted(self, name: str, local: LocalTest, by_rank: FloatArray) -> IntArray:
        """By a combination, whose local test says how."""
        if isinstance(local, SumOfEvidence):
            return self._sum_of_evidence(by_rank, local, self._quantiles(name, local))
        if isinstance(local, BonferroniTest | SimesTest):
            # A p-value above alpha makes no claim true.
            small = by_rank[: np.count_nonzero(at_most(by_rank.min(axis=1), self._alpha))]
            if isinstance(local, SimesTest):
                return self._simes(small)
            factors = self._n + 1.0 - self._ranks[: small.shape[0]]
            return _leading(at_most(factors * small, self._alpha))
        studies = [count_datasets(p, alpha=self._alpha, combination=name) for p in by_rank.T]
        return np.array([study.k_hat for study in studies])

    def _quantiles(self, name: str, local: SumOfEvidence) -> tuple[FloatArray, FloatArray]:
        """Of 1, ..., N datasets, just below and just above the least sum that rejects."""
        if name not in self._near_quantiles:
            # Defined below 1 only.
            quantiles = local.quantile(self._ranks, min(self._level, 1.0 - RELATIVE_TOLERANCE))
            near = NEAR_A_QUANTILE * (np.abs(quantiles) + self._ranks)
            self._near_quantiles[name] = (quantiles - near, quantiles + near)
        return self._near_quantiles[name]

    def _sum_of_evidence(
        self, by_rank: FloatArray, local: SumOfEvidence, quantiles: tuple[FloatArray, FloatArray]
    ) -> IntArray:
        below, above = quantiles
        # From the largest p-value on: row m - 1 is of m datasets.
        falling = by_rank[::-1]
        if _is_product(local, above):
            product = _running(np.multiply, falling.copy())
            claims, near = _decided(product < np.exp(-above), product <= np.exp(-below))
        else:
            evidence, steps = _evidence_of_steps(local), (falling * _STEPS).astype(np.int32)
            least = _running(np.add, evidence[1:].take(steps)) > above
            claims, near = _decided(least, _running(np.add, evidence.take(steps)) >= below)
        if near.size:
            sums = np.cumsum(local.evidence(falling.take(near, axis=1)), axis=0)
            claims[near], nearer = _decided(sums > above, sums >= below)
            if nearer.size:
                # As single counts are summed, and by the tail probability itself.
                sums = sums.take(nearer, axis=1)
                tails = local.tail(sums, np.broadcast_to(self._ranks, sums.shape))
                claims[near[nearer]] = _leading(at_most(tails, self._alpha)[::-1])
        return claims

    def _simes(self, small: FloatArray) -> IntArray:
        """Count by Simes: N minus Hommel's value.

        Without the `first` smallest p-values, p_(i) rejects the rest when i > first and
        (N - first) p_(i) / (i - first) is at most alpha: when `first` is at most
        i - (N - i) p_(i) / (alpha - p_(i)). The largest such number decides.
        """
        ranks = self._ranks[: min(small.shape[0], self._n - 1)]
        p_values = small[: ranks.size]
        # Where p is not below alpha this is far below 0.
        room = np.maximum(self._level - p_values, NEAR_A_QUANTILE * self._level)
        most = np.minimum(ranks - (self._n - ranks) * p_values / room, ranks - 0.5)
        largest = most.max(axis=0, initial=-1.0)
        claims: IntArray = np.floor(largest).astype(np.intp) + 1
        whole = np.rint(largest).astype(np.intp)
        near = np.flatnonzero((abs(largest - whole) <= NEAR_A_QUANTILE * self._n) & (whole >= 0))
        if near.size:
            first = whole[near]
            rank = self._ranks[: small.shape[0]] - first
            factor = (self._n - first) / np.maximum(rank, 1.0)
            rejects = at_most(factor * small.take(near, axis=1), self._alpha) & (rank > 0.0)
            claims[near] = first + rejects.any(axis=0)
        if small.shape[0] == self._n:
            # The largest p-value of all N, alone.
            claims[at_most(small[-1], self._alpha)] = self._n
        return claims

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
    """The most evidence of each step, which the one after it has the least of."""
    return local.evidence(np.minimum(np.arange(_STEPS + 2.0) / _STEPS, 1.0))


def _is_product(local: SumOfEvidence, quantiles: FloatArray) -> bool:
    """Whether a sum is minus the logarithm of a product of p-values, as Fisher's, that floats hold."""
    # The least float is e to the -708.
    return local.evidence is minus_logs and bool(quantiles[-1, 0] <= 600.0)


def _running(operation: np.ufunc, entries: FloatArray) -> FloatArray:
    """Sums or products down each column, in their place."""
    if entries.shape[1] < _MANY:
        operation.accumulate(entries, axis=0, out=entries)
    else:
        for before, own in pairwise(entries):
            operation(before, own, own)
    return entries


def _decided(holds: BoolArray, may_hold: BoolArray) -> tuple[IntArray, IntArray]:
    """How many claims hold in each study, and in which studies not all that may hold surely do."""
    return _leading(holds[::-1]), np.flatnonzero((holds != may_hold).any(axis=0))


def _leading(holds: BoolArray) -> IntArray:
    """How many entries of each column are true before the first that is not."""
    first = holds.argmin(axis=0)
    all_hold = holds[first, np.arange(first.size)]
    return np.asarray(np.where(all_hold, holds.shape[0], first), dtype=np.intp)
