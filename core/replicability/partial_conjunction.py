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

from core.types import COMBINATIONS, Combination, FloatArray
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
    result = np.empty(n)
    columns = np.arange(n)
    for block in row_blocks(n, n):
        first = np.arange(block.start, block.stop)[:, np.newaxis]
        rank = columns - first + 1.0
        with np.errstate(divide="ignore"):
            factor = np.where(rank > 0, (n - first) / rank, np.inf)
        # 0 * inf would be no number; a p-value outside the set must not count.
        candidates = np.where(rank > 0, factor, 1.0) * ordered
        candidates[rank <= 0] = np.inf
        result[block] = candidates.min(axis=1)
    return np.minimum(result, 1.0)
