"""Which datasets have things in common, and which are made of others, as WS-353 is of its parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...types import IntArray
from ..side_data import sorted_distinct

# Up to so many datasets every pair is counted and a matrix fits on paper or screen. Of more
# datasets those that have one thing are counted up to this many, as all would be millions of pairs.
MAX_MATRIX, MOST_HOLDERS = 2_000, 100
# What happens by chance with less than 2 to the minus this is taken for no chance.
FEWEST_BITS = 40.0
# A dataset lies within another, or is made of others, where so much of it is found there.
SHARE_WITHIN = 0.95
# Of more datasets that others lie within, and of more parts of one, the first are tried, and the
# largest.
MOST_WHOLES, MOST_PARTS = 500, 200


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SharedPairs:
    """Pairs of datasets with something in common.

    `n_distinct` says how many different things each dataset has. The pairs, `first` < `second` in
    this order, have `n_common` different things both, 1 or more: at least so many where there are
    more than `MAX_MATRIX` datasets.
    """

    n_distinct: IntArray
    first: IntArray
    second: IntArray
    n_common: IntArray

    def n_common_of(self, other: SharedPairs) -> IntArray:
        """For each of these pairs how many of another kind of things both have."""
        n_datasets = self.n_distinct.size
        keys = self.first * n_datasets + self.second
        others = other.first * n_datasets + other.second
        here = np.isin(others, keys)
        n_common = np.zeros(keys.size, dtype=np.intp)
        n_common[np.searchsorted(keys, others[here])] = other.n_common[here]
        return n_common


def shared_pairs(
    codes: npt.NDArray[np.integer], dataset: npt.NDArray[np.integer], *, n_datasets: int
) -> SharedPairs:
    """Count for each pair of datasets the codes, -1 for nothing, that stand in both."""
    from scipy import sparse

    known = codes >= 0
    keys = sorted_distinct(codes[known].astype(np.int64) * n_datasets + dataset[known])
    code, holder = np.divmod(keys, n_datasets)
    n_distinct = np.bincount(holder, minlength=n_datasets).astype(np.intp)
    starts = np.flatnonzero(np.diff(code, prepend=-1))
    n_holders = np.diff(starts, append=code.size)
    if n_datasets > MAX_MATRIX:
        first = np.arange(code.size) - np.repeat(starts, n_holders) < MOST_HOLDERS
        code, holder, n_holders = code[first], holder[first], n_holders.clip(max=MOST_HOLDERS)
        starts = np.cumsum(n_holders) - n_holders
    # What the same datasets have counts together: random numbers of these add up to one mark.
    numbers = np.random.default_rng(0).integers(2**63, size=n_datasets, dtype=np.uint64)
    several = np.flatnonzero(n_holders > 1)
    marks = np.add.reduceat(numbers[holder], starts)[several]
    _, places, counts = np.unique(marks, return_index=True, return_counts=True)
    places = several[places]
    sizes = n_holders[places]
    members = (holder[start : start + n] for start, n in zip(starts[places], sizes, strict=True))
    rows = np.concatenate([*members, holder[:0]])
    columns = np.repeat(np.arange(places.size), sizes)
    shape = (n_datasets, places.size)
    # Floats are exact here, and full tables of them are multiplied far faster.
    held = sparse.csr_array((np.ones(rows.size), (rows, columns)), shape=shape)
    times = sparse.csr_array((counts[columns] * 1.0, (rows, columns)), shape=shape)
    is_full = n_datasets <= MAX_MATRIX and 4 * rows.size >= n_datasets * places.size
    common = times.toarray() @ held.toarray().T if is_full else times @ held.T
    upper = sparse.triu(sparse.csr_array(common), k=1).tocoo()
    in_order = np.lexsort((upper.col, upper.row))
    return SharedPairs(
        n_distinct=n_distinct,
        first=upper.row[in_order].astype(np.intp),
        second=upper.col[in_order].astype(np.intp),
        n_common=upper.data[in_order].astype(np.intp),
    )


def connected(first: IntArray, second: IntArray, *, n: int) -> IntArray:
    """For each of `n` things a number, the same for those that pairs connect; -1 where none does."""
    from scipy import sparse
    from scipy.sparse.csgraph import connected_components

    numbers = np.full(n, -1, dtype=np.intp)
    if first.size:
        ones = np.ones(first.size, dtype=np.int8)
        graph = sparse.csr_array((ones, (first, second)), shape=(n, n))
        linked = sorted_distinct(np.concatenate([first, second]))
        numbers[linked] = connected_components(graph, directed=False)[1][linked]
    return numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class Union:
    """A dataset and two or more smaller ones within it, none to spare, that it is made of.

    They hold `n_covered` of its different examples together.
    """

    whole: int
    parts: tuple[int, ...]
    n_covered: int


def find_unions(
    codes: Sequence[npt.NDArray[np.integer]], subsets: IntArray, n_distinct: IntArray
) -> tuple[Union, ...]:
    """Every dataset that two or more others together make up to at least 95%.

    `codes` say for each dataset what its examples are, -1 for nothing; `subsets` are each dataset
    that lies within another, and that other, shape (n, 2).
    """
    smaller = subsets[n_distinct[subsets[:, 0]] < n_distinct[subsets[:, 1]]]
    # By the whole, its largest parts first.
    order = np.lexsort((smaller[:, 0], -n_distinct[smaller[:, 0]], smaller[:, 1]))
    ordered = smaller[order]
    wholes, starts = np.unique(ordered[:, 1], return_index=True)
    by_whole = zip(wholes[:MOST_WHOLES], np.split(ordered[:, 0], starts[1:]), strict=False)
    found = (_made_of(int(whole), parts[:MOST_PARTS].tolist(), codes) for whole, parts in by_whole)
    return tuple(union for union in found if union is not None)


def find_subsets(pairs: SharedPairs) -> IntArray:
    """Every dataset that lies within another, and that other; equal ones both ways."""
    found = [
        np.column_stack([part, whole])[pairs.n_common >= SHARE_WITHIN * pairs.n_distinct[part]]
        for part, whole in ((pairs.first, pairs.second), (pairs.second, pairs.first))
    ]
    return np.concatenate(found).astype(np.intp)


def each_once(subsets: IntArray) -> IntArray:
    """Of two datasets that lie within each other only one way, the first within the second."""
    n_datasets = int(subsets.max(initial=0)) + 1
    part, whole = subsets[:, 0], subsets[:, 1]
    both = np.isin(part * n_datasets + whole, whole * n_datasets + part)
    kept: IntArray = subsets[~both | (part < whole)]
    return kept


def _made_of(
    whole: int, parts: Sequence[int], codes: Sequence[npt.NDArray[np.integer]]
) -> Union | None:
    own = sorted_distinct(codes[whole][codes[whole] >= 0])
    times = np.zeros(own.size, dtype=np.intp)
    held: dict[int, IntArray] = {}
    for part in parts:
        places = np.flatnonzero(np.isin(own, codes[part]))
        if (times[places] == 0).any():
            held[part] = places
            times[places] += 1
    # The smallest first, so that few large parts remain.
    for part in list(reversed(held)):
        if (times[held[part]] > 1).all():
            times[held.pop(part)] -= 1
    n_covered = int(np.count_nonzero(times))
    if len(held) < 2 or n_covered < SHARE_WITHIN * own.size:
        return None
    return Union(whole=whole, parts=tuple(sorted(held)), n_covered=n_covered)
