"""Units that speak alike: their patterns over all datasets, and how these tie datasets together.

Vocabulary
----------
pattern
    A unit's contributions to all datasets; equal ones are drawn together.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from core.types import FloatArray, IntArray


def patterns_of(
    dataset: IntArray, unit: IntArray, value: IntArray
) -> tuple[list[tuple[tuple[int, int], ...]], IntArray]:
    """The different patterns of units, and how many units have each.

    A pattern and its opposite are one, as coins are fair.

    Parameters
    ----------
    dataset, unit, value : ndarray of int, shape (n,)
        Contributions of shared units: to which dataset, of which unit, and how much.
    """
    order = np.lexsort((dataset, unit))
    starts = np.flatnonzero(np.diff(unit[order], prepend=-1))
    pairs = list(zip(dataset[order].tolist(), value[order].tolist(), strict=True))
    numbers: dict[tuple[tuple[int, int], ...], int] = {}
    for start, stop in pairwise([*starts.tolist(), len(pairs)]):
        pattern = tuple(pairs[start:stop])
        if pattern[0][1] < 0:
            pattern = tuple((d, -v) for d, v in pattern)
        numbers[pattern] = numbers.get(pattern, 0) + 1
    return list(numbers), np.array(list(numbers.values()), dtype=np.intp)


def correlations_of(table: Any, times: IntArray, squares: FloatArray) -> FloatArray | None:
    """Correlations of the datasets' sums, 0 where one never varies; None for very many datasets.

    Parameters
    ----------
    table : scipy.sparse array, shape (N, n_patterns)
        Patterns of shared units.
    times : ndarray of int, shape (n_patterns,)
        How many units have each.
    squares : ndarray, shape (N,)
        Sums of the squares of all contributions to each dataset.
    """
    if squares.size > 2_000:
        return None
    products: FloatArray = np.asarray(
        (table.multiply(times.astype(np.float64)) @ table.T).todense()
    )
    spread = np.sqrt(squares)
    scale = np.outer(spread, spread)
    correlations = np.zeros_like(scale)
    np.divide(products, scale, out=correlations, where=scale > 0.0)
    np.fill_diagonal(correlations, np.where(spread > 0.0, 1.0, 0.0))
    correlations.flags.writeable = False
    return correlations
