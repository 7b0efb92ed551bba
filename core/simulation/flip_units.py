"""What changes places together under the null hypothesis, over all datasets at once.

Vocabulary
----------
unit
    Examples that change places together: one example in all datasets that hold
    it, and where there are clusters all examples of a cluster.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from core.data.overlap.example_ids import judge_ids
from core.data.overlap.find import Overlap
from core.data.result_set import ResultSet
from core.types import IntArray


def units_of(result_set: ResultSet, overlap: Overlap) -> tuple[IntArray, ...]:
    """For each dataset the unit of each example, numbered over all datasets.

    Parameters
    ----------
    result_set : ResultSet
        The datasets.
    overlap : Overlap
        Found in them. Its basis says what examples are known by; those that
        could not be compared are units of their own.

    Raises
    ------
    ValueError
        If the overlap is of other datasets.
    """
    sizes = [result_set.n_examples(name) for name in result_set.datasets]
    if overlap.datasets != result_set.datasets or overlap.n_examples.tolist() != sizes:
        raise ValueError("`overlap` must be that of `result_set`; it is of other datasets.")
    starts = np.cumsum([0, *sizes])
    n = int(starts[-1])
    codes = _codes(result_set, overlap, sizes)
    unknown = codes < 0
    codes = np.where(unknown, int(codes.max(initial=-1)) + 1 + np.arange(n), codes)
    _, units = np.unique(codes, return_inverse=True)
    if result_set.clusters is not None:
        units = _joined(units, result_set, starts)
    return tuple(units[start:stop] for start, stop in pairwise(starts.tolist()))


def _codes(result_set: ResultSet, overlap: Overlap, sizes: list[int]) -> IntArray:
    """What each example is known by, all datasets one after the other; -1 is nothing."""
    if overlap.basis == "inputs" and result_set.inputs is not None:
        return np.concatenate(result_set.inputs.codes).astype(np.intp)
    if overlap.basis == "ids" and result_set.example_ids is not None:
        ids = judge_ids(result_set.example_ids)
        # Mere numbers say nothing: any dataset counts like that.
        counted = np.repeat(ids.numbers, sizes)
        return np.where(counted, -1, ids.codes).astype(np.intp)
    return np.full(sum(sizes), -1, dtype=np.intp)


def _joined(units: IntArray, result_set: ResultSet, starts: IntArray) -> IntArray:
    """Units with all that a cluster of any dataset ties together."""
    from scipy import sparse
    from scipy.sparse.csgraph import connected_components

    assert result_set.clusters is not None
    first = int(units.max(initial=-1)) + 1
    clusters = []
    for codes in result_set.clusters.codes:
        _, own = np.unique(codes, return_inverse=True)
        clusters.append(own + first)
        first += int(own.max(initial=-1)) + 1
    ones = np.ones(int(starts[-1]), dtype=np.int8)
    graph = sparse.coo_array((ones, (units, np.concatenate(clusters))), shape=(first, first))
    _, component = connected_components(graph.tocsr(), directed=False)
    joined: IntArray = np.asarray(component[units], dtype=np.intp)
    return joined
