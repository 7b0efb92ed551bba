"""Whether a bootstrap sample can be as extreme as asked at all.

A p-value of the bootstrap counts resamples with at least twice the observed
difference. On few examples there may be none: the smallest p-value that the
number of resamples allows then says nothing about the strength of evidence.

Vocabulary
----------
witness
    A resample that is as extreme as asked. Finding one proves that they exist;
    finding none among those tried is taken for a sign that there is none.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement

import numpy as np

from core.significance.resamples import CHUNK_DRAWS
from core.significance.summed_statistics import SummedStatistics
from core.types import FloatArray, IntArray

# Up to so many rows every resample is tried: 6,435 of them.
ALL_TRIED_UP_TO = 8
# Of more rows, mixtures of any two among so many of those that speak most for the difference.
_MIXED = 24
_PARTS = 8


def has_witness(statistics: SummedStatistics, *, strict: bool = False) -> bool:
    """Whether a resample is found whose difference is at least twice the observed one.

    Parameters
    ----------
    statistics : SummedStatistics
        With a difference that is not zero.
    strict : bool
        Whether it must be more than twice.
    """
    delta, room = statistics.delta, statistics.room
    direction = 1.0 if delta > 0.0 else -1.0
    needed = 2.0 * abs(delta) + (room if strict else -room)
    for counts in _candidates(statistics, direction):
        deltas = direction * statistics.deltas(counts @ statistics.a, counts @ statistics.b)
        reached = deltas > needed if strict else deltas >= needed
        if bool(reached.any()):
            return True
    return False


def _candidates(statistics: SummedStatistics, direction: float) -> Iterator[FloatArray]:
    """How often each row is drawn, an array of shape (n_candidates, n) at a time."""
    n = statistics.n
    if n <= ALL_TRIED_UP_TO:
        drawn = np.array(list(combinations_with_replacement(range(n), n)))
        yield (drawn[:, :, np.newaxis] == np.arange(n)).sum(axis=1).astype(np.float64)
        return
    for order in _rankings(statistics, direction):
        yield from _leading(order, n)
        yield from _pairs(order[:_MIXED], n)


def _rankings(statistics: SummedStatistics, direction: float) -> Iterator[np.ndarray]:
    """Rows by how much they speak for the difference: by their influence, and by themselves."""
    with np.errstate(invalid="ignore"):
        influence = direction * (statistics.delta - statistics.jackknife())
        alone = direction * statistics.deltas(statistics.a, statistics.b)
    for merit in (influence, alone):
        yield np.argsort(-np.nan_to_num(merit, nan=-np.inf), kind="stable")


def _leading(order: np.ndarray, n: int) -> Iterator[FloatArray]:
    """The first k rows, each about n/k times, for k in growing steps."""
    sizes = np.unique(np.geomspace(1, n, num=min(n, 60)).astype(np.intp))
    for some in _in_parts(sizes, n):
        counts = np.zeros((some.size, n))
        for i, k in enumerate(some.tolist()):
            counts[i, order[:k]] = n // k
            counts[i, order[: n % k]] += 1.0
        yield counts


def _pairs(leading: np.ndarray, n: int) -> Iterator[FloatArray]:
    """Any two of the leading rows, in several proportions."""
    shares = np.unique(np.rint(np.linspace(0, n, _PARTS + 1)[1:-1]))
    for position, first in enumerate(leading[:-1].tolist()):
        others = leading[position + 1 :]
        pairs = np.column_stack(
            [np.tile(shares, others.size), np.repeat(others, shares.size)]
        ).astype(np.intp)
        for some in _in_parts(pairs, n):
            counts = np.zeros((some.shape[0], n))
            counts[:, first] = some[:, 0]
            counts[np.arange(some.shape[0]), some[:, 1]] = n - some[:, 0]
            yield counts


def _in_parts(candidates: IntArray, n: int) -> Iterator[IntArray]:
    """So many candidates at a time as resamples are held at once."""
    at_once = max(1, CHUNK_DRAWS // n)
    for start in range(0, candidates.shape[0], at_once):
        yield candidates[start : start + at_once]
