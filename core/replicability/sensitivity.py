"""What would change an answer: described, not guaranteed.

Vocabulary
----------
critical p-value
    The largest p-value with which a dataset would be named, all others as they are.
descriptive
    Looked at after the fact. No statement of this module carries the guarantee
    of the count it is about.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.replicability.counting import Counting, count_datasets
from core.replicability.decision import at_most
from core.replicability.identification import closed_names, closed_thresholds
from core.replicability.partial_conjunction import partial_conjunction_p_values
from core.types import BoolArray, Combination, FloatArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sensitivity:
    """What would change a count and the names of the same closed test.

    Attributes
    ----------
    counting : Counting
        The count in question.
    named : ndarray of bool, shape (N,)
        By the same closed test.
    critical_p_values : ndarray, shape (N,)
        In the order of the p-values.
    levels : ndarray, shape (N,)
        Entry ``u - 1``: the smallest alpha at which the count is at least u.
    k_hat_without : ndarray of int, shape (N,)
        The count of the other N - 1 datasets; 0 where there are none.
    """

    counting: Counting
    named: BoolArray
    critical_p_values: FloatArray
    levels: FloatArray
    k_hat_without: IntArray

    @property
    def hangs_on(self) -> IntArray:
        """Datasets without which nothing would be counted though now something is."""
        if self.counting.k_hat == 0:
            return np.empty(0, dtype=np.intp)
        return np.flatnonzero(self.k_hat_without == 0).astype(np.intp)

    @property
    def next_level_up(self) -> float | None:
        """The smallest alpha at which the count would be larger; None where it is N already."""
        k_hat = self.counting.k_hat
        return float(self.levels[k_hat]) if k_hat < self.levels.size else None

    @property
    def next_level_down(self) -> float | None:
        """The alpha below which the count would be smaller; None where it is 0 already."""
        k_hat = self.counting.k_hat
        return float(self.levels[k_hat - 1]) if k_hat else None


def find_sensitivity(
    p_values: npt.ArrayLike, *, alpha: float = 0.05, combination: Combination = "bonferroni"
) -> Sensitivity:
    """Find what would change a count and its names.

    Parameters
    ----------
    p_values : array_like, shape (N,)
        As for `count_datasets`.
    alpha : float
        In (0, 1).
    combination : {"bonferroni", "fisher", "simes"}
        As for `count_datasets`.

    Returns
    -------
    Sensitivity

    Raises
    ------
    ValueError
        As `count_datasets`.
    """
    counting = count_datasets(p_values, alpha=alpha, combination=combination)
    values, level = counting.p_values, counting.alpha
    named = closed_names(values, alpha=level, combination=combination)
    critical = {"bonferroni": _critical_by_holm, "simes": _critical_by_hommel}.get(combination)
    found = (
        # Its thresholds are by definition what is asked for.
        closed_thresholds(values, alpha=level, combination="fisher")
        if critical is None
        else critical(values, level)
    )
    found = np.array(found)
    without = _counts_without(values, level, combination)
    for array in (found, without, named):
        array.flags.writeable = False
    return Sensitivity(
        counting=counting,
        named=named,
        critical_p_values=found,
        levels=counting.partial_conjunction_p_values,
        k_hat_without=without,
    )


def _critical_by_holm(values: FloatArray, alpha: float) -> FloatArray:
    """Divide alpha by N - m, m being the number of others that Holm names before this one."""
    n = values.size
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    # With one dataset taken out, those after it move one step forward, to a
    # stricter threshold than their own.
    own_step = at_most(ordered * (n - np.arange(n)), alpha)
    earlier_step = at_most(ordered * (n - np.arange(n) + 1.0), alpha)
    n_before = _leading(own_step)
    m = np.empty(n, dtype=np.intp)
    for rank in range(n):
        if rank > n_before:
            m[rank] = n_before
        else:
            m[rank] = rank + _leading(earlier_step[rank + 1 :])
    result = np.empty(n)
    result[order] = alpha / (n - m)
    return result


def _leading(decisions: BoolArray) -> int:
    """How many are true before the first that is not."""
    return int(decisions.size if decisions.all() else np.argmin(decisions))


def _critical_by_hommel(values: FloatArray, alpha: float) -> FloatArray:
    """Divide alpha by the smallest m with which the dataset, alpha / m being its p-value, is named."""
    ordered = np.sort(values)

    def smallest_m(rank: int) -> int:
        changed = ordered.copy()
        low, high = 1, ordered.size
        while low < high:
            middle = (low + high) // 2
            changed[rank] = alpha / middle
            if closed_names(changed, alpha=alpha, combination="simes")[rank]:
                high = middle
            else:
                low = middle + 1
        return low

    return alpha / _in_file_order(values, _of_every_rank(ordered, smallest_m))


def _counts_without(values: FloatArray, alpha: float, combination: Combination) -> IntArray:
    """The count with each dataset left out in turn."""
    ordered = np.sort(values)
    if ordered.size == 1:
        return np.zeros(1, dtype=np.intp)

    def count_without(rank: int) -> int:
        rest = np.delete(ordered, rank)
        claims = partial_conjunction_p_values(rest, combination=combination)
        return int(np.count_nonzero(at_most(claims, alpha)))

    return _in_file_order(values, _of_every_rank(ordered, count_without))


def _of_every_rank(ordered: FloatArray, evaluate: Callable[[int], int]) -> IntArray:
    """`evaluate` at every rank, called only where its value may change.

    Taking out a larger p-value leaves smaller ones behind, so what is made of
    the others is monotone in the rank: equal ends mean equal values between.
    """
    found = np.empty(ordered.size, dtype=np.intp)
    last = ordered.size - 1
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


def _in_file_order(values: FloatArray, by_rank: IntArray) -> IntArray:
    result = np.empty_like(by_rank)
    result[np.argsort(values, kind="stable")] = by_rank
    return result
