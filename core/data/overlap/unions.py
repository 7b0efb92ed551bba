"""Datasets that are made of others, as WS-353 is of its parts for similarity and relatedness."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.data.overlap.shared_pairs import SharedPairs
from core.types import IntArray

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
