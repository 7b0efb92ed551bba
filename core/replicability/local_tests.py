"""Tests of "A is better on none of these datasets", and the closed tests made of them.

Vocabulary
----------
local test
    Makes one p-value of the p-values of any set of datasets. It is symmetric (their
    order plays no part) and monotone (a smaller p-value makes its own no larger), so
    that of all sets of one size the largest p-values decide.
closed test
    Rejects "A is better on none of the datasets in S" when every set that contains S
    is rejected by the local test (Marcus, Peritz and Gabriel 1976).
ordered
    The p-values of all N datasets from the smallest to the largest, shape (N,).
"""

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..types import BoolArray, FloatArray, IntArray
from ..validation import RELATIVE_TOLERANCE, at_most, is_at_most


def row_maxima(
    evaluate: Callable[[IntArray, IntArray], FloatArray],
    n_rows: int,
    *,
    n_columns: IntArray | None = None,
    ceiling: float,
    floor: float = -np.inf,
) -> FloatArray:
    """Largest entry of each row among its first columns, by default row r's columns 0, ..., r.

    Where an entry is less than one to its right in some row, it must be so in every later row: then
    the place of the largest never moves to the left, and each row is looked at between the places of
    its neighbours, about n_rows · log2(n_rows) entries. `n_columns` never fall. No entry lies above
    the ceiling or below the floor; one at the ceiling is there in every earlier row too, and one at
    the floor in every later row.
    """
    maxima = np.empty(n_rows)
    width = np.arange(1, n_rows + 1) if n_columns is None else n_columns
    # One row beyond either end holds the widest bounds. Entries that are equal only as floats
    # say nothing of the other rows' places, so that ties keep both their ends, but for what
    # ceiling and floor settle.
    first = np.zeros(n_rows + 2, dtype=np.intp)
    last = np.full(n_rows + 2, width[-1] - 1, dtype=np.intp)
    step = 1 << max(0, n_rows.bit_length() - 1)
    while step:
        own = np.arange(step, n_rows + 1, 2 * step)
        low = first[own - step]
        high = np.minimum(last[np.minimum(own + step, n_rows + 1)], width[own - 1] - 1)
        ends = np.cumsum(high - low + 1)
        starts = ends - (high - low + 1)
        columns = np.arange(ends[-1]) - np.repeat(starts - low, high - low + 1)
        entries = evaluate(np.repeat(own - 1, high - low + 1), columns)
        largest = np.maximum.reduceat(entries, starts)
        reached = np.flatnonzero(entries == np.repeat(largest, high - low + 1))
        maxima[own - 1] = largest
        leftmost = columns[reached[np.searchsorted(reached, starts)]]
        rightmost = columns[reached[np.searchsorted(reached, ends) - 1]]
        first[own] = np.where(largest == floor, rightmost, leftmost)
        last[own] = np.where(largest == ceiling, leftmost, rightmost)
        step //= 2
    return maxima


class LocalTest(ABC):
    """A symmetric, monotone local test, with the closed test that it makes."""

    __slots__ = ()

    @abstractmethod
    def of_largest(self, ordered: FloatArray) -> FloatArray:
        """Entry ``u - 1``: the p-value of the N - u + 1 largest, for u = 1, ..., N."""

    @abstractmethod
    def adjusted(self, ordered: FloatArray) -> FloatArray:
        """Smallest level at which the closed test names each dataset, of p-values without ties.

        Of equal p-values the first has the entry of all of them.
        """

    @abstractmethod
    def thresholds(self, values: FloatArray, alpha: float) -> FloatArray:
        """What a closed test at `alpha` compares each p-value with, in the order given."""

    def critical(self, values: FloatArray, alpha: float) -> FloatArray:
        """Largest p-value with which each dataset would be named, the others as they are.

        By default alpha over the smallest m with which, alpha / m being its p-value, it is named.
        """
        ordered = np.sort(values)

        def smallest_divisor(rank: int) -> int:
            others = np.delete(ordered, rank)

            def named(divisor: int) -> bool:
                place = int(np.searchsorted(others, alpha / divisor))
                changed = np.insert(others, place, alpha / divisor)
                return bool(is_at_most(self.adjusted(changed)[place], alpha))

            return bisect_left(range(ordered.size), True, lo=1, key=named)

        divisors = of_every_rank(ordered.size, smallest_divisor)
        return alpha / divisors[np.searchsorted(ordered, values)]

    @abstractmethod
    def count_in_group(self, values: FloatArray, group: IntArray, alpha: float) -> int:
        """On at least how many of the datasets at these places A is better."""

    def size(self, n: int, alpha: float) -> float:
        """How often it rejects at `alpha` for n independent uniform p-values."""
        return alpha


class BonferroniTest(LocalTest):
    """The smallest p-value times their number; its closed test is Holm's procedure."""

    def of_largest(self, ordered: FloatArray) -> FloatArray:
        """See `LocalTest`."""
        return np.minimum(np.arange(ordered.size, 0, -1) * ordered, 1.0)

    def adjusted(self, ordered: FloatArray) -> FloatArray:
        """See `LocalTest`."""
        return np.maximum.accumulate(self.of_largest(ordered))

    def thresholds(self, values: FloatArray, alpha: float) -> FloatArray:
        """See `LocalTest`. Ties share the first one's."""
        first = np.searchsorted(np.sort(values), values, side="left")
        thresholds: FloatArray = alpha / (values.size - first)
        return thresholds

    def count_in_group(self, values: FloatArray, group: IntArray, alpha: float) -> int:
        """Count the names: a set is rejected where it holds one."""
        ordered = np.sort(values)
        adjusted = self.adjusted(ordered)[np.searchsorted(ordered, values[group])]
        return int(np.count_nonzero(at_most(adjusted, alpha)))

    def size(self, n: int, alpha: float) -> float:
        """See `LocalTest`: some p-value is at most alpha / n."""
        return float(-np.expm1(n * np.log1p(-alpha / n)))


class SimesTest(LocalTest):
    """The smallest of m p_(i) / i; its closed test is Hommel's procedure."""

    def of_largest(self, ordered: FloatArray) -> FloatArray:
        """See `LocalTest`."""
        return self._of_sizes(ordered)[::-1]

    def adjusted(self, ordered: FloatArray) -> FloatArray:
        """See `LocalTest`.

        A set of the j largest and p_i is not rejected below min(j p_i, a_j), a_j being the p-value of
        the j largest. The first grows with j and a_j / j falls: so max(a_{k+1}, k p_i) decides, k
        being the last j at which a_j / j exceeds p_i. Hommel (Biometrika 1988); Meijer, Krebs and
        Goeman (Biometrical Journal 2019).
        """
        n = ordered.size
        of_sizes = self._of_sizes(ordered)
        # Falls but for rounding.
        by_size = np.minimum.accumulate(of_sizes / np.arange(1.0, n + 1.0))
        last = n - np.searchsorted(by_size[::-1], ordered, side="right")
        beyond = np.append(of_sizes, 0.0)[last]
        adjusted: FloatArray = np.maximum(beyond, last * ordered)
        return adjusted

    def thresholds(self, values: FloatArray, alpha: float) -> FloatArray:
        """See `LocalTest`. The same for all of them."""
        return np.full(values.size, alpha / max(1, self.hommel_value(values, alpha)))

    def count_in_group(self, values: FloatArray, group: IntArray, alpha: float) -> int:
        """Largest 1 - u + #{i in S : h p_i <= u alpha}, h being Hommel's value.

        Goeman, Meijer, Krebs and Solari (Biometrika 2019).
        """
        scaled = self.hommel_value(values, alpha) * values[group]
        # The smallest u at which each is reached, 1 for those that are 0.
        reached_at = np.maximum(np.ceil(scaled / (alpha * (1.0 + RELATIVE_TOLERANCE))), 1.0)
        ordered = np.sort(reached_at[reached_at <= group.size])
        # Only where one more is reached can the bound grow.
        n_reached = np.searchsorted(ordered, ordered, side="right")
        return int(np.max(1 - ordered + n_reached, initial=0.0))

    def hommel_value(self, values: FloatArray, alpha: float) -> int:
        """Size of the largest set that Simes' test does not reject: N less its count."""
        claims = np.maximum.accumulate(self.of_largest(np.sort(values)))
        return int(values.size - np.count_nonzero(at_most(claims, alpha)))

    @staticmethod
    def _of_sizes(ordered: FloatArray) -> FloatArray:
        """Entry ``m - 1``: Simes' p-value of the m largest, at most the largest of them."""
        falling = ordered[::-1]
        return -row_maxima(
            lambda rows, columns: -((rows + 1.0) / (rows + 1.0 - columns)) * falling[columns],
            ordered.size,
            ceiling=0.0,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SumOfEvidence(LocalTest):
    """A local test whose p-value is the tail of a sum: each p-value adds its own evidence.

    The evidence falls with p, and may be infinite for 0. The tail is that of sums of m, from the sums
    and m; where that of S + x over m exceeds that of S' + x over m' < m, it must do so for every
    larger x, as exponential (Fisher) and normal evidence (Stouffer) does. The quantile is the least
    sum with a tail of at most alpha, from m and alpha. Tian, Chen, Katsevich, Goeman and Ramdas
    (Scandinavian Journal of Statistics 2023), for closed tests of sums by sorting.
    """

    evidence: Callable[[FloatArray], FloatArray]
    p_value_of: Callable[[FloatArray], FloatArray]
    tail: Callable[[FloatArray, FloatArray], FloatArray]
    quantile: Callable[[FloatArray, float], FloatArray]

    def of_largest(self, ordered: FloatArray) -> FloatArray:
        """See `LocalTest`."""
        # Summed from the largest p-value on: each partial sum then never falls
        # when a p-value falls, in floats too.
        sums = np.cumsum(self.evidence(ordered[::-1]))
        sizes = np.arange(1.0, ordered.size + 1.0)
        return self.tail(sums, sizes)[::-1]

    def adjusted(self, ordered: FloatArray) -> FloatArray:
        """See `LocalTest`.

        The worst sets with p_i are p_i and the j largest, j from 0 to those above it, and
        the N - u + 1 largest for the u up to its own place.
        """
        own = self.evidence(ordered[::-1])
        of_largest = np.concatenate([[0.0], np.cumsum(own)])
        sizes = np.arange(1.0, ordered.size + 1.0)
        # Of equal p-values the last in this order meets the most sets.
        last = np.flatnonzero(np.append(np.diff(ordered[::-1]) < 0.0, True))
        alone = row_maxima(
            lambda rows, columns: self.tail(own[last[rows]] + of_largest[columns], sizes[columns]),
            last.size,
            n_columns=last + 1,
            ceiling=1.0,
            floor=0.0,
        )
        each = alone[np.searchsorted(last, np.arange(ordered.size))][::-1]
        return np.maximum(np.maximum.accumulate(self.of_largest(ordered)), each)

    def thresholds(self, values: FloatArray, alpha: float) -> FloatArray:
        """Largest p-value with which each dataset would be named, the others as they are.

        {i} with the j largest of the others is rejected when its own evidence reaches
        the quantile of j + 1 less the sum of theirs.
        """
        order = np.argsort(-values, kind="stable")
        own = self.evidence(values[order])
        quantiles = self.quantile(np.arange(1.0, values.size + 1.0), alpha)
        result = np.empty(values.size)
        result[order] = self.p_value_of(self.evidence_needed(own, quantiles))
        return result

    def evidence_needed(self, own: FloatArray, quantiles: FloatArray) -> FloatArray:
        """The least evidence with which each would be named; `own` is sorted on the last axis."""
        of_largest = np.zeros((*own.shape[:-1], own.shape[-1] + 1))
        np.cumsum(own, axis=-1, out=of_largest[..., 1:])
        # j up to the own position: the j largest are all others. Beyond it they
        # include the own p-value, which is taken out again.
        before = np.maximum.accumulate(quantiles - of_largest[..., :-1], axis=-1)
        after = np.full_like(before, -np.inf)
        with np.errstate(invalid="ignore"):
            beyond = quantiles[1:] - of_largest[..., 2:]
            worst = np.maximum.accumulate(beyond[..., ::-1], axis=-1)[..., ::-1]
            after[..., :-1] = worst + own[..., :-1]
        # An infinite sum (another p of 0) demands nothing of this dataset.
        after[np.isnan(after)] = -np.inf
        if own.shape[-1] > 1:
            # Evidence as large as that of p = 1 may be cannot be taken out of a sum again.
            others = quantiles[1:] - np.cumsum(own[..., 1:], axis=-1)
            after[..., 0] = others.max(axis=-1)
        return np.maximum(before, after)

    def critical(self, values: FloatArray, alpha: float) -> FloatArray:
        """See `LocalTest`: its thresholds by definition."""
        return self.thresholds(values, alpha)

    def count_in_group(self, values: FloatArray, group: IntArray, alpha: float) -> int:
        """See `LocalTest`: the group less its largest part that lies in a set not rejected."""
        own = self.evidence(values)
        largest_of_group = group[np.argsort(-values[group], kind="stable")]
        descending = np.argsort(-values, kind="stable")

        def rejected(size: int) -> bool:
            members: BoolArray = np.zeros(values.size, dtype=np.bool_)
            members[largest_of_group[:size]] = True
            others = own[descending[~members[descending]]]
            sums = np.sum(own[members]) + np.concatenate([[0.0], np.cumsum(others)])
            tails = self.tail(sums, np.arange(size, size + sums.size, dtype=np.float64))
            return bool(np.all(at_most(tails, alpha)))

        # A set inside one that is not rejected is not rejected either, so the
        # largest such size is found by halving.
        low, high = 0, group.size
        while low < high:
            middle = (low + high + 1) // 2
            if rejected(middle):
                high = middle - 1
            else:
                low = middle
        return int(group.size - low)


def of_every_rank(n: int, evaluate: Callable[[int], int]) -> IntArray:
    """`evaluate` at every rank 0, ..., n - 1, called only where its value may change.

    Taking out a larger p-value leaves smaller ones behind, so what is made of
    the others is monotone in the rank: equal ends mean equal values between.
    """
    found = np.empty(n, dtype=np.intp)
    last = n - 1
    found[0], found[last] = evaluate(0), evaluate(last)
    spans = [(0, last)]
    while spans:
        low, high = spans.pop()
        if found[low] == found[high] or high - low < 2:
            found[low + 1 : high] = found[low]
            continue
        middle = (low + high) // 2
        found[middle] = evaluate(middle)
        spans += [(low, middle), (middle, high)]
    return found
