"""What changes places together under the null hypothesis, over all datasets at once.

Vocabulary
----------
unit
    Examples that change places together: one example in all datasets that hold
    it, and where there are clusters all examples of a cluster.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from core.data.labels import CodeArray
from core.data.overlap.find import example_codes
from core.data.result_set import ResultSet
from core.types import IntArray


def units_of(result_set: ResultSet, datasets: Sequence[str]) -> tuple[IntArray, ...]:
    """For each dataset the unit of each example, numbered over all of these.

    Examples that cannot be told apart from those of other datasets, by what they
    are known by, are units of their own.

    Parameters
    ----------
    result_set : ResultSet
        The results.
    datasets : sequence of str
        Which datasets take part: what others tie together counts for nothing.
    """
    sizes = [result_set.n_examples(name) for name in result_set.datasets]
    bounds = list(pairwise(np.cumsum([0, *sizes]).tolist()))
    places = [result_set.datasets.index(name) for name in datasets]
    all_codes = example_codes(result_set)
    codes = np.concatenate([all_codes[slice(*bounds[place])] for place in places]).astype(np.intp)
    unknown = codes < 0
    codes = np.where(unknown, int(codes.max(initial=-1)) + 1 + np.arange(codes.size), codes)
    _, units = np.unique(codes, return_inverse=True)
    if result_set.clusters is not None:
        units = _joined(units, [result_set.clusters.codes[place] for place in places])
    ends = np.cumsum([sizes[place] for place in places])
    return tuple(np.split(units, ends[:-1]))


def _joined(units: IntArray, cluster_codes: Sequence[CodeArray]) -> IntArray:
    """Units with all that a cluster of any dataset ties together."""
    from scipy import sparse
    from scipy.sparse.csgraph import connected_components

    first = int(units.max(initial=-1)) + 1
    clusters = []
    for codes in cluster_codes:
        _, own = np.unique(codes, return_inverse=True)
        clusters.append(own + first)
        first += int(own.max(initial=-1)) + 1
    ones = np.ones(units.size, dtype=np.int8)
    graph = sparse.coo_array((ones, (units, np.concatenate(clusters))), shape=(first, first))
    _, component = connected_components(graph.tocsr(), directed=False)
    joined: IntArray = np.asarray(component[units], dtype=np.intp)
    return joined
