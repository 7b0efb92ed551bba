"""Which datasets have things in common, and which are made of others, as WS-353 is of its parts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ...types import BoolArray, FloatArray, IntArray

# Up to so many datasets every pair is counted and a matrix fits on paper or screen.
MAX_MATRIX = 2_000
# With more datasets, what stands in so many of them that it alone makes a great
# part of these pairs is told by itself, not pair by pair.
MAX_PAIRS = 10_000_000
# So many sets of datasets that have the same things are kept.
MAX_SETS = 100
# What happens by chance with less than 2 to the minus this is taken for no chance.
FEWEST_BITS = 40.0
# Cells of one block of the matrix of datasets by things.
_BLOCK = 1 << 23
# A dataset lies within another, or is made of others, where so much of it is found there.
SHARE_WITHIN = 0.95
# Of more parts the largest are tried.
MOST_PARTS = 200
# So many examples are looked up at most: a chain of ten thousand datasets, each
# within the next, would otherwise take minutes.
MOST_LOOKED_UP = 20_000_000
# What looking up a part costs besides, as a number of examples.
LOOK_UP = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What exactly the same three or more datasets have in common.

    Attributes
    ----------
    members : tuple of int
        Positions of the datasets, in their order.
    n_common : int
        How many things all of these have, and no other dataset.
    """

    members: tuple[int, ...]
    n_common: int

    @property
    def n_pairs(self) -> int:
        """Number of pairs of these datasets."""
        return len(self.members) * (len(self.members) - 1) // 2


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SharedPairs:
    """Pairs of datasets with something in common.

    Attributes
    ----------
    n_distinct : ndarray of int, shape (n_datasets,)
        How many different things each dataset has.
    first, second : ndarray of int, shape (n_pairs,)
        The pairs, `first` < `second`, in this order.
    n_common : ndarray of int, shape (n_pairs,)
        How many different things both have, 1 or more.
    n_widespread : int
        How many things stand in so many datasets that they are counted in no
        pair; 0 up to `MAX_MATRIX` datasets.
    widespread : ndarray of bool, shape (n_datasets,)
        Which datasets have any of these.
    held : tuple of Held
        Why pairs have something in common: things that three or more datasets
        have, those of the most datasets first; at most 100 sets of datasets.
    """

    n_distinct: IntArray
    first: IntArray
    second: IntArray
    n_common: IntArray
    n_widespread: int
    widespread: BoolArray
    held: tuple[Held, ...] = ()

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
    """Count for each pair of datasets the codes that stand in both.

    Parameters
    ----------
    codes : ndarray of int, shape (n,)
        What each example is; -1 is nothing.
    dataset : ndarray of int, shape (n,)
        Which dataset it belongs to.
    """
    known = codes >= 0
    keys = sorted_distinct(codes[known].astype(np.int64) * n_datasets + dataset[known])
    code, holder = np.divmod(keys, n_datasets)
    n_distinct = np.bincount(holder, minlength=n_datasets).astype(np.intp)
    starts = np.flatnonzero(np.diff(code, prepend=-1))
    n_holders = np.diff(starts, append=code.size)
    chosen = n_holders > 1
    beyond = np.zeros(starts.size, dtype=np.bool_)
    if n_datasets > MAX_MATRIX:
        n_pairs = n_holders.astype(np.float64) * (n_holders - 1) / 2
        order = np.argsort(n_holders, kind="stable")
        beyond[order] = np.cumsum(n_pairs[order]) > MAX_PAIRS
        beyond &= chosen
        chosen &= ~beyond
    # What most datasets have is cheaper to count in a full matrix.
    wide = chosen & (n_holders >= max(32, n_datasets // 10)) & (n_datasets <= MAX_MATRIX)
    rows = np.repeat(np.arange(starts.size), n_holders)
    widespread = np.zeros(n_datasets, dtype=np.bool_)
    widespread[holder[beyond[rows]]] = True
    narrow_part = (chosen & ~wide)[rows]
    first, second, n_common = _narrow_pairs(rows[narrow_part], holder[narrow_part], n_datasets)
    if wide.any():
        matrix = _wide_pairs(rows[wide[rows]], holder[wide[rows]], n_datasets)
        matrix[first, second] += n_common
        first, second = (part.astype(np.intp) for part in np.nonzero(np.triu(matrix, k=1)))
        n_common = matrix[first, second].astype(np.intp)
    return SharedPairs(
        n_distinct=n_distinct,
        first=first,
        second=second,
        n_common=n_common,
        n_widespread=int(np.count_nonzero(beyond)),
        widespread=widespread,
        held=_held(holder, starts, np.where(beyond, 0, n_holders), n_datasets),
    )


def most_pairs_first(held: Iterable[Held]) -> tuple[Held, ...]:
    """In the order of `SharedPairs.held`."""
    return tuple(sorted(held, key=lambda one: (-one.n_pairs, -one.n_common, one.members)))


def connected(first: IntArray, second: IntArray, *, n_datasets: int) -> IntArray:
    """For each dataset a number, the same for those that pairs connect; -1 where none does."""
    from scipy import sparse
    from scipy.sparse.csgraph import connected_components

    numbers = np.full(n_datasets, -1, dtype=np.intp)
    if first.size:
        ones = np.ones(first.size, dtype=np.int8)
        graph = sparse.csr_array((ones, (first, second)), shape=(n_datasets, n_datasets))
        linked = np.unique(np.concatenate([first, second]))
        numbers[linked] = connected_components(graph, directed=False)[1][linked]
    return numbers


def sorted_distinct(keys: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """As `np.unique`, which is several times slower on millions of different numbers."""
    ordered = np.sort(keys)
    first = np.ones(ordered.size, dtype=np.bool_)
    first[1:] = ordered[1:] != ordered[:-1]
    return ordered[first]


def _held(
    holder: npt.NDArray[np.int64], starts: IntArray, n_holders: IntArray, n_datasets: int
) -> tuple[Held, ...]:
    """The sets of datasets that hold the same things, by random numbers that add up to a mark."""
    if not np.any(n_holders > 2):
        return ()
    numbers = np.random.default_rng(0).integers(2**63, size=n_datasets, dtype=np.uint64)
    marks = np.add.reduceat(numbers[holder], starts)
    several = np.flatnonzero(n_holders > 2)
    _, places, counts = np.unique(marks[several], return_index=True, return_counts=True)
    places = several[places]
    kept = np.lexsort((places, -counts, -n_holders[places]))[:MAX_SETS]
    return most_pairs_first(
        Held(
            members=tuple(holder[starts[place] : starts[place] + n_holders[place]].tolist()),
            n_common=int(count),
        )
        for place, count in zip(places[kept].tolist(), counts[kept].tolist(), strict=True)
    )


def _narrow_pairs(
    thing: IntArray, holder: npt.NDArray[np.int64], n_datasets: int
) -> tuple[IntArray, IntArray, IntArray]:
    from scipy import sparse

    column = np.cumsum(np.diff(thing, prepend=-1) > 0) - 1
    ones = np.ones(holder.size, dtype=np.int32)
    shape = (n_datasets, int(column.max(initial=-1)) + 1)
    held = sparse.csr_array((ones, (holder, column)), shape=shape)
    upper = sparse.triu(held @ held.T, k=1).tocoo()
    order = np.lexsort((upper.col, upper.row))
    return (
        upper.row[order].astype(np.intp),
        upper.col[order].astype(np.intp),
        upper.data[order].astype(np.intp),
    )


def _wide_pairs(thing: IntArray, holder: npt.NDArray[np.int64], n_datasets: int) -> FloatArray:
    column = np.cumsum(np.diff(thing, prepend=-1) > 0) - 1
    matrix = np.zeros((n_datasets, n_datasets))
    width = max(1, _BLOCK // n_datasets)
    n_things = int(column[-1]) + 1
    for start in range(0, n_things, width):
        low, high = np.searchsorted(column, (start, start + width))
        # Whole numbers up to the number of examples are exact in single precision.
        block = np.zeros((n_datasets, min(width, n_things - start)), dtype=np.float32)
        block[holder[low:high], column[low:high] - start] = 1.0
        matrix += block @ block.T
    return matrix


@dataclass(frozen=True, slots=True, kw_only=True)
class Union:
    """A dataset and the others that it is made of.

    Attributes
    ----------
    whole : int
        Position of the dataset.
    parts : tuple of int
        Positions of two or more smaller ones that lie within it, in their
        order; none of them could be left out.
    n_covered : int
        How many of its different examples they hold together.
    """

    whole: int
    parts: tuple[int, ...]
    n_covered: int


def find_unions(
    codes: Sequence[npt.NDArray[np.integer]], subsets: IntArray, n_distinct: IntArray
) -> tuple[Union, ...]:
    """Every dataset that two or more others together make up to at least 95%.

    Parameters
    ----------
    codes : sequence of ndarray of int
        For each dataset what its examples are; -1 is nothing.
    subsets : ndarray of int, shape (n, 2)
        Each dataset that lies within another, and that other.
    n_distinct : ndarray of int, shape (n_datasets,)
        Number of different examples of each.
    """
    smaller = subsets[n_distinct[subsets[:, 0]] < n_distinct[subsets[:, 1]]]
    # By the whole, its largest parts first.
    order = np.lexsort((smaller[:, 0], -n_distinct[smaller[:, 0]], smaller[:, 1]))
    ordered = smaller[order]
    wholes, starts = np.unique(ordered[:, 1], return_index=True)
    found = []
    budget = MOST_LOOKED_UP
    for whole, parts in zip(
        wholes.tolist(), np.split(ordered[:, 0], starts[1:]) if wholes.size else [], strict=True
    ):
        chosen = parts[:MOST_PARTS].tolist()
        budget -= sum(codes[whole].size + codes[part].size + LOOK_UP for part in chosen)
        if budget < 0:
            break
        union = _made_of(whole, chosen, codes)
        if union is not None:
            found.append(union)
    return tuple(found)


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
    own = np.unique(codes[whole][codes[whole] >= 0])
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
