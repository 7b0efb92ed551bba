"""Closed testing: claims about single datasets and about any group of them, without a 2^N search.

Vocabulary
----------
closed test
    Rejects "A is better on none of the datasets in S" when every set that
    contains S is rejected by the combination's own test.
d(S)
    A is better on at least d(S) of the datasets in S; holds for all S at once
    with confidence 1 - alpha, also for S chosen after looking.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from core.replicability.decision import at_most
from core.replicability.partial_conjunction import (
    fisher_tail,
    minus_logs,
    partial_conjunction_p_values,
    row_blocks,
    smallest_slopes,
)
from core.types import COMBINATIONS, BoolArray, Combination, FloatArray, IntArray
from core.validation import check_alpha, check_choice, check_p_values


def closed_p_values(p_values: FloatArray, *, combination: Combination) -> FloatArray:
    """Adjusted p-value of each single dataset under closed testing.

    The dataset with p-value p_i can be named at level alpha when its entry is
    at most alpha, that is when d({i}) = 1.

    Parameters
    ----------
    p_values : ndarray, shape (N,)
        In [0, 1].
    combination : {"bonferroni", "fisher", "simes"}
        The local test: gives Holm, the closed Fisher test, or Hommel.

    Returns
    -------
    ndarray, shape (N,)
        In the order of `p_values`.
    """
    order = np.argsort(p_values, kind="stable")
    ordered = p_values[order]
    # The sets that hold p_(i) and only smaller or equal ranks beyond it are
    # the worst of their size: their maximum is the running maximum at u = i.
    adjusted = partial_conjunction_p_values(ordered, combination=combination)
    if combination == "fisher":
        adjusted = np.maximum(adjusted, _fisher_alone(ordered))
    elif combination == "simes":
        adjusted = np.maximum(adjusted, _simes_alone(ordered))
    # Ties share one decision: a set may hold either of two equal p-values.
    first_of_ties = np.searchsorted(ordered, ordered, side="left")
    result = np.empty_like(adjusted)
    result[order] = adjusted[first_of_ties]
    return result


def _fisher_alone(ordered: FloatArray) -> FloatArray:
    """Largest Fisher p-value of {p_(i)} with the j largest, j smaller than its distance to them."""
    n = ordered.size
    logs = minus_logs(ordered)
    of_largest = np.concatenate([[0.0], np.cumsum(logs[::-1])])
    result = np.empty(n)
    sizes = np.arange(n)
    for block in row_blocks(n, n):
        rows = np.arange(block.start, block.stop)
        width = n - block.start
        table = logs[rows, np.newaxis] + of_largest[:width]
        tails = fisher_tail(table, np.arange(1.0, width + 1.0))
        tails[sizes[:width] >= (n - rows)[:, np.newaxis]] = 0.0
        result[block] = tails.max(axis=1)
    return result


def _simes_alone(ordered: FloatArray) -> FloatArray:
    """Largest Simes p-value of {p_(i)} with the j largest, j smaller than its distance to them."""
    n = ordered.size
    sizes = np.arange(1, n + 1)
    # Entry size - 1: Simes' test of the `size` largest without their smallest.
    without_first = np.full(n, np.inf)
    second = smallest_slopes(ordered, skip=1)
    ranks = second - np.arange(n - 1) + 1.0
    without_first[1:] = ((np.arange(n, 1, -1) / ranks) * ordered[second])[::-1]
    result = np.empty(n)
    for block in row_blocks(n, n):
        rows = np.arange(block.start, block.stop)[:, np.newaxis]
        table = np.minimum(sizes * ordered[rows], without_first)
        table[sizes > n - rows] = 0.0
        result[block] = table.max(axis=1)
    return np.minimum(result, 1.0)


def hommel_value(p_values: FloatArray, *, alpha: float) -> int:
    """Hommel's h: the size of the largest set that Simes' test does not reject.

    Equal to N minus the count by Simes, because the sets that decide are those
    of the largest p-values.
    """
    claims = partial_conjunction_p_values(p_values, combination="simes")
    return int(p_values.size - np.count_nonzero(at_most(claims, alpha)))


def count_in_group(
    p_values: npt.ArrayLike,
    group_indices: Sequence[int] | npt.NDArray[np.integer],
    *,
    alpha: float = 0.05,
    combination: Combination = "bonferroni",
) -> int:
    """On at least how many datasets of a group A is better: the bound d(S).

    Holds for all groups at once with confidence 1 - alpha, also for groups
    chosen after looking, provided `alpha` and `combination` were fixed before.

    Parameters
    ----------
    p_values : array_like, shape (N,)
        P-values of ALL datasets, in [0, 1]; those outside the group count too.
    group_indices : sequence of int
        Positions of the group's datasets in `p_values`, each once, 0..N-1.
    alpha : float
        In (0, 1).
    combination : {"bonferroni", "fisher", "simes"}
        As in `count_datasets`; the assumption concerns all N datasets.

    Returns
    -------
    int
        d(S), between 0 and the size of the group; for the whole it is k_hat.

    Raises
    ------
    ValueError
        If an index is repeated or out of range, or as `count_datasets`.

    References
    ----------
    Goeman, Meijer, Krebs and Solari (Biometrika 2019) for Simes; Goeman and
    Solari (Statistical Science 2011) for closed testing in general.
    """
    level = check_alpha(alpha)
    check_choice(combination, COMBINATIONS, name="combination")
    values = check_p_values(p_values)
    group = _check_group(group_indices, values.size)
    if combination == "bonferroni":
        holm = closed_p_values(values, combination="bonferroni")
        return int(np.count_nonzero(at_most(holm[group], level)))
    if combination == "simes":
        return _count_by_simes(values, group, level)
    return _count_by_fisher(values, group, level)


def _check_group(group_indices: Sequence[int] | npt.NDArray[np.integer], n: int) -> IntArray:
    raw = np.asarray(group_indices)
    if raw.size == 0:
        return np.empty(0, dtype=np.intp)
    if raw.ndim != 1 or not np.issubdtype(raw.dtype, np.integer):
        raise ValueError(
            f"`group_indices` must be a list of whole numbers; got dtype {raw.dtype} "
            f"with {raw.ndim} dimensions."
        )
    group = raw.astype(np.intp)
    if group.min() < 0 or group.max() >= n:
        raise ValueError(
            f"`group_indices` must lie between 0 and {n - 1}; got {group.min()} to {group.max()}."
        )
    found, times = np.unique(group, return_counts=True)
    if np.any(times > 1):
        repeated = int(found[times > 1][0])
        raise ValueError(f"`group_indices` must name each dataset once; got {repeated} repeatedly.")
    return group


def _count_by_simes(values: FloatArray, group: IntArray, alpha: float) -> int:
    h = hommel_value(values, alpha=alpha)
    scaled = np.sort(h * values[group])
    best = 0
    for block in row_blocks(group.size, group.size):
        u = np.arange(block.start + 1, block.stop + 1)
        # scaled / u against alpha rather than scaled against u * alpha, so that
        # every decision is the one comparison of a p-value with alpha.
        reached = at_most(scaled[np.newaxis, :] / u[:, np.newaxis], alpha).sum(axis=1)
        best = max(best, int(np.max(1 - u + reached)))
    return best


def _count_by_fisher(values: FloatArray, group: IntArray, alpha: float) -> int:
    largest_of_group = group[np.argsort(-values[group], kind="stable")]
    descending = np.argsort(-values, kind="stable")
    logs = minus_logs(values)

    def rejected(size: int) -> bool:
        members: BoolArray = np.zeros(values.size, dtype=np.bool_)
        members[largest_of_group[:size]] = True
        others = logs[descending[~members[descending]]]
        own = np.sum(logs[members])
        sums = own + np.concatenate([[0.0], np.cumsum(others)])
        sizes = np.arange(size, size + sums.size, dtype=np.float64)
        return bool(np.all(at_most(fisher_tail(sums, sizes), alpha)))

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
