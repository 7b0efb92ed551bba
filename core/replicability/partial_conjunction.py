"""P-values of the claims "A is better on at least u of the N datasets".

Vocabulary
----------
partial conjunction p-value
    P-value of the null hypothesis "fewer than u datasets have an effect",
    made of the N - u + 1 largest p-values (Benjamini & Heller 2008).
combination
    What makes one p-value of several: Bonferroni (any dependence), Fisher
    (independent datasets), Simes (independent or positively dependent).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from scipy.special import gammaincc

from core.types import COMBINATIONS, Combination, FloatArray, IntArray
from core.validation import check_choice, check_p_values

# Entries of a temporary table: 4 Mi floats are 32 MiB, whatever N.
MAX_TABLE_ENTRIES = 1 << 22


def partial_conjunction_p_values(
    p_values: npt.ArrayLike, *, combination: Combination = "bonferroni"
) -> FloatArray:
    """P-values of "at least u of N datasets", for u = 1, ..., N.

    Parameters
    ----------
    p_values : array_like, shape (N,)
        One p-value a dataset, each valid for its own null hypothesis; in [0, 1].
    combination : {"bonferroni", "fisher", "simes"}
        How the N - u + 1 largest p-values are combined.

    Returns
    -------
    ndarray, shape (N,)
        Entry ``u - 1`` is p_*^{u/N}: the p-value of the null hypothesis that A
        is better on fewer than u datasets, made monotone in u by the running
        maximum.

    Raises
    ------
    ValueError
        If `p_values` is empty or holds anything outside [0, 1], or the
        combination is unknown.

    References
    ----------
    Dror et al. (TACL 2017), sections 4.1 and 4.2, equations 3 to 6; Benjamini
    and Heller (Biometrics 2008).
    """
    check_choice(combination, COMBINATIONS, name="combination")
    ordered = np.sort(check_p_values(p_values))
    combine = {"bonferroni": _bonferroni, "fisher": _fisher, "simes": _simes}[combination]
    return np.maximum.accumulate(combine(ordered))


def fisher_tail(sum_of_minus_logs: FloatArray, n_combined: FloatArray) -> FloatArray:
    """P(chi-squared with 2m d.f. >= 2s), by the upper tail itself: 1 - cdf would lose it."""
    tail: FloatArray = gammaincc(n_combined, sum_of_minus_logs)
    return tail


def minus_logs(p_values: FloatArray) -> FloatArray:
    """-ln p, infinite for p = 0."""
    with np.errstate(divide="ignore"):
        # 0.0 - x rather than -x: the logarithm of 1 must give 0, not -0.
        return 0.0 - np.log(p_values)


def row_blocks(n_rows: int, n_columns: int) -> Iterator[slice]:
    """Split the rows of a table so that each part holds at most `MAX_TABLE_ENTRIES`."""
    step = max(1, MAX_TABLE_ENTRIES // max(1, n_columns))
    for start in range(0, n_rows, step):
        yield slice(start, min(start + step, n_rows))


def _bonferroni(ordered: FloatArray) -> FloatArray:
    n = ordered.size
    capped: FloatArray = np.minimum(np.arange(n, 0, -1) * ordered, 1.0)
    return capped


def _fisher(ordered: FloatArray) -> FloatArray:
    # Summed from the largest p-value on: each partial sum then never falls
    # when a p-value falls, in floats too.
    sums = np.cumsum(minus_logs(ordered[::-1]))[::-1]
    return fisher_tail(sums, np.arange(ordered.size, 0, -1, dtype=np.float64))


def _simes(ordered: FloatArray) -> FloatArray:
    n = ordered.size
    m = np.arange(n, 0, -1, dtype=np.float64)
    first = smallest_slopes(ordered, skip=0)
    return np.minimum(m / (first - np.arange(n) + 1.0) * ordered[first], 1.0)


def smallest_slopes(ordered: FloatArray, *, skip: int) -> IntArray:
    """For each u the index i >= u + skip with the smallest p_(i) / (i - u + 1), 0-based.

    That is the tangent from the point (u - 1, 0) to the lower convex hull of
    the points (i, p_(i)) to its right. One pass from the right keeps the hull,
    so all N minima over up to N candidates take about N log N steps.

    Parameters
    ----------
    ordered : ndarray, shape (N,)
        Sorted p-values.
    skip : {0, 1}
        Whether the set's own first p-value counts.

    Returns
    -------
    ndarray of int, shape (N - skip,)
    """
    values = ordered.tolist()
    n = len(values)
    found = np.empty(n - skip, dtype=np.intp)
    hull: list[int] = []  # from right to left
    for u in range(n - 1 - skip, -1, -1):
        new = u + skip
        height = values[new]
        while len(hull) > 1:
            near, far = hull[-1], hull[-2]
            if (values[near] - height) * (far - new) < (values[far] - height) * (near - new):
                break
            hull.pop()
        hull.append(new)
        # Along the hull the slope falls to its minimum and then rises: halve.
        low, high = 0, len(hull) - 1
        while low < high:
            middle = (low + high) // 2
            right, left = hull[middle], hull[middle + 1]
            if values[right] * (left - u + 1) <= values[left] * (right - u + 1):
                high = middle
            else:
                low = middle + 1
        found[u] = hull[low]
    return found
