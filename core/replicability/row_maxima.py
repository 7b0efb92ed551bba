"""The largest entry of every row of a large table, of which only a small part is looked at."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from core.types import FloatArray, IntArray


def row_maxima(
    evaluate: Callable[[IntArray, IntArray], FloatArray],
    n_rows: int,
    *,
    n_columns: IntArray | None = None,
    ceiling: float,
    floor: float = -np.inf,
) -> FloatArray:
    """Largest entry of each row among its first columns.

    Parameters
    ----------
    evaluate : callable
        Entries at the given rows and columns. Where an entry is less than one to its
        right in some row, it must be so in every later row as well: then the place of
        the largest entry never moves to the left from one row to the next.
    n_rows : int
        At least 1.
    n_columns : ndarray of int, shape (n_rows,), optional
        How many columns each row has, at least 1 and never fewer than the row before it; by
        default row r has the columns 0, ..., r.
    ceiling, floor : float
        No entry lies above or below. An entry at the ceiling is there in every earlier
        row too, if the row has its column; one at the floor in every later row.

    Returns
    -------
    ndarray, shape (n_rows,)

    Notes
    -----
    Rows in the middle of those that are known are looked at next, between the places of
    their neighbours: about n_rows · log2(n_rows) entries.
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
