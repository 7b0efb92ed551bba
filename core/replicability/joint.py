"""Counting and naming under the datasets' real dependence, by joint flips of shared examples.

Where datasets hold the same examples, the signs of all their differences can be flipped
together. The flips then carry the dependence of the datasets, whatever it is, and the closed
test built on them needs no assumption about it.

Vocabulary
----------
unit
    What is flipped as a whole: an example with all its copies and translations, or a cluster.
    Units are independent of each other.
flip
    One sign for each unit, the same in all datasets.
z
    A dataset's sum of differences over the root of its sum of squares, which flips leave as
    it is.
intersection hypothesis
    On every unit, A and B are exchangeable jointly over the datasets of a set I.
evidence
    Of a set I: the largest z ("max"), or the sum of the squares of its positive z ("sum").
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from ..types import FloatArray, IntArray, frozen
from ..validation import at_most, is_at_most
from .counting import Counting
from .identification import Identification, identified

JointStatistic = Literal["sum", "max"]
JOINT_STATISTICS: tuple[JointStatistic, ...] = get_args(JointStatistic)

# Sums of the same numbers in another order differ by less, relative to what is summed.
_TIE = 1e-9
# Signs drawn at a time, so that memory stays bounded.
_CELLS_AT_A_TIME = 1 << 21
# Cells of the table of flips by datasets that one answer's searches may look into while it is open
# on which side of alpha p-values lie, and each of them after that: then a bound is given. The
# first are about 1,000 sets of 30 datasets with 9,999 flips, some seconds on one core.
MOST_CELLS = 300_000_000
_CELLS_BEYOND = 2_500_000
# The search for a p-value of random flips ends within so many of its own standard errors, or
# within this share of it.
_SLACK_OF_ERROR = 0.5
_SLACK_OF_P_VALUE = 0.02


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JointFlips:
    """The z of each dataset, observed, (N,), and flipped, (R, N); `exact` of all 2^T flips."""

    observed: FloatArray
    flipped: FloatArray
    n_units: int
    exact: bool

    @property
    def n_datasets(self) -> int:
        """N."""
        return self.observed.size

    @property
    def n_flips(self) -> int:
        """How many were drawn besides the data themselves, or all where all are taken."""
        return len(self.flipped) - (not self.exact)

    def turned(self) -> JointFlips:
        """The same flips for the claims "B is better"."""
        return replace(self, observed=-self.observed, flipped=-self.flipped)

    def of_datasets(self, members: Sequence[int]) -> JointFlips:
        """The same flips, of some of the datasets."""
        chosen = list(members)
        return replace(self, observed=self.observed[chosen], flipped=self.flipped[:, chosen])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FlipAnswer:
    """Count and names of "A is better" by "sum"; `step_down`, by "max", stands for itself."""

    count: Counting
    named: Identification
    step_down: Identification


def flip_jointly(
    differences: npt.ArrayLike,
    *,
    n_flips: int = 9999,
    rng: np.random.Generator | int | None = None,
) -> JointFlips:
    """Flip the units' differences together in all datasets.

    `differences`, shape (T, N): A - B on each unit, 0 where a dataset lacks it. All 2^T flips are
    taken where that is no more than `n_flips` + 1. Westfall and Young (1993), chapter 2; Hemerik and
    Goeman (TEST 2018), theorem 2, for the level with random flips.
    """
    given = np.ascontiguousarray(differences, dtype=np.float64)
    n_units, n_datasets = given.shape
    largest = np.abs(given).max(axis=0)
    largest[largest == 0.0] = 1.0
    # Over the largest, so that squares of likelihoods do not vanish.
    scale = largest * np.sqrt(np.square(given / largest).sum(axis=0))
    scale[scale == 0.0] = 1.0
    exact = n_units < 63 and 2**n_units <= n_flips + 1
    n_rows = 2**n_units if exact else n_flips + 1
    sums = np.empty((n_rows, n_datasets))
    total = given.sum(axis=0)
    generator = np.random.default_rng(rng)
    at_a_time = max(1, _CELLS_AT_A_TIME // n_units)
    for start in range(0, n_rows, at_a_time):
        end = min(n_rows, start + at_a_time)
        flipped: npt.NDArray[np.unsignedinteger[Any]]
        if exact:
            numbers = np.arange(start, end, dtype=np.uint64)[:, np.newaxis]
            flipped = numbers >> np.arange(n_units, dtype=np.uint64) & np.uint64(1)
        else:
            packed = np.frombuffer(generator.bytes((end - start) * -(-n_units // 8)), np.uint8)
            flipped = np.unpackbits(packed.reshape(end - start, -1), axis=1, count=n_units)
        # Those left as they are count double, less the sum of all: exact where counts are whole.
        sums[start:end] = total - 2.0 * (flipped.astype(np.float64) @ given)
    sums[0] = total
    z = frozen(sums / scale)
    return JointFlips(observed=z[0], flipped=z, n_units=n_units, exact=exact)


def joint_p_values(flips: JointFlips) -> FloatArray:
    """One p-value a dataset, of its own flips: the share with a z at least as large."""
    reached = flips.flipped >= flips.observed - _ties(flips.observed)
    p_values: FloatArray = reached.mean(axis=0)
    return p_values


def count_by_flips(
    flips: JointFlips, *, alpha: float = 0.05, statistic: JointStatistic = "sum"
) -> Counting:
    """On at least how many datasets A is better, under the dependence the flips carry.

    A partial conjunction p-value is the largest of the sets of N - u + 1 and more datasets, found by
    branch and bound, or an upper bound, so that the count can only be too small. Westfall and Young
    (1993) for "max"; Vesely, Finos and Goeman (JRSS B 2023) for "sum"; Goeman and Solari (Statistical
    Science 2011).
    """
    if statistic == "max":
        claims = np.sort(_step_down(flips))
    else:
        search, everything = _Search(flips), range(flips.n_datasets)
        sizes = range(flips.n_datasets, 0, -1)
        found = [search.largest(everything, size, level=alpha) for size in sizes]
        claims = np.maximum.accumulate(np.array(found))
    return Counting(
        k_hat=int(np.count_nonzero(at_most(claims, alpha))),
        n_datasets=flips.n_datasets,
        alpha=alpha,
        combination=f"joint-{statistic}",
        p_values=frozen(joint_p_values(flips)),
        partial_conjunction_p_values=frozen(claims),
    )


def identify_by_flips(
    flips: JointFlips, *, alpha: float = 0.05, statistic: JointStatistic = "max"
) -> Identification:
    """The datasets on which A is better, by the same test; by "max" the step-down test."""
    if statistic == "max":
        adjusted = _step_down(flips)
    else:
        search = _Search(flips)
        adjusted = np.array([search.largest([i], 1, level=alpha) for i in range(flips.n_datasets)])
    return identified(
        joint_p_values(flips),
        adjusted,
        np.full(flips.n_datasets, np.nan),
        alpha=alpha,
        procedure=f"joint-{statistic}",
    )


def count_in_group_by_flips(
    flips: JointFlips,
    members: Sequence[int],
    *,
    alpha: float = 0.05,
    statistic: JointStatistic = "sum",
) -> int:
    """d(S), on at least how many of these datasets A is better; valid for all groups at once."""
    if statistic == "max":
        return int(np.count_nonzero(at_most(_step_down(flips)[list(members)], alpha)))
    search = _Search(flips)
    # From the whole group down: the largest part of it within a set that is left standing.
    for size in range(len(members), 0, -1):
        if not is_at_most(search.largest(members, size, level=alpha, decide_only=True), alpha):
            return len(members) - size
    return len(members)


def k_hat_by_flips(
    flips: JointFlips, *, alpha: float = 0.05, statistic: JointStatistic = "sum"
) -> int:
    """The count of `count_by_flips` alone, for simulations: nothing beyond alpha is looked into."""
    everything = range(flips.n_datasets)
    return count_in_group_by_flips(flips, everything, alpha=alpha, statistic=statistic)


def _step_down(flips: JointFlips) -> FloatArray:
    """Adjusted p-values of "max": a set is rejected by its largest z, so its names say it all."""
    order = np.argsort(-flips.observed, kind="stable")
    # The largest z of each dataset and all those below it.
    largest = np.maximum.accumulate(flips.flipped[:, order[::-1]], axis=1)[:, ::-1]
    observed = flips.observed[order]
    shares = (largest >= observed - _ties(observed)).mean(axis=0)
    adjusted = np.empty(order.size)
    adjusted[order] = np.maximum.accumulate(shares)
    return adjusted


def _ties(values: FloatArray) -> FloatArray:
    ties: FloatArray = _TIE * (1.0 + np.abs(values))
    return ties


class _Node(NamedTuple):
    """Sets that hold `fixed` and so many, `wanted`, of either part of the free datasets, by rising z.

    `base` is the sum of the fixed ones' excesses in the flips `rows`: in the others none reaches 0.
    """

    fixed: tuple[int, ...]
    free: tuple[tuple[int, ...], ...]
    wanted: tuple[int, ...]
    base: FloatArray
    rows: IntArray


class _Search:
    """The largest p-value of many sets at once, by branch and bound.

    A set's p-value is the share of flips whose excess over its datasets sums to 0 or more, the excess
    being the square of the positive part of z less that of the observed z. No flip's sum exceeds that
    of its largest excesses: where even these reach 0 in few flips, all sets of a size have small
    p-values. Else they are split by whether they hold one dataset, the most promising part first.
    """

    def __init__(self, flips: JointFlips) -> None:
        observed = np.square(np.maximum(flips.observed, 0.0))
        self._excess = np.square(np.maximum(flips.flipped, 0.0)) - observed
        self._rising = np.argsort(flips.observed, kind="stable").tolist()
        self._least = -_TIE * (1.0 + float(observed.sum()))
        self._exact = flips.exact
        self._cells_left = MOST_CELLS
        self._of_all: FloatArray | None = None

    def largest(
        self, part: Collection[int], size: int, *, level: float, decide_only: bool = False
    ) -> float:
        """The largest p-value of the sets with `size` datasets of `part`, and any others.

        The search goes on until it is known on which side of the level it lies, and, unless it is to
        `decide_only` that, for a while until it is known to within a part of the flips' own error.
        Else the result is an upper bound on the same side, or if the cells ran out before, on any.
        """
        inside = tuple(i for i in self._rising if i in part)
        outside = tuple(i for i in self._rising if i not in part)
        top, tops = self._tops(inside), self._tops(outside)
        heap: list[tuple[float, int, _Node]] = []
        ticket = itertools.count()

        def add(node: _Node) -> None:
            bound = node.rows.size / len(self._excess)
            if bound > attained:
                heapq.heappush(heap, (-bound, next(ticket), node))

        # What holds whenever the loop looks: every set that was asked for lies in a node on the heap,
        # or its p-value is at most `attained`, which is that of one of them. No set of a node has a
        # p-value above the node's bound. So the answer lies between `attained` and the first bound.
        attained = 0.0
        for n_others, sums in enumerate(tops):
            rows = np.flatnonzero(top[size] + sums >= self._least)
            wanted = (size, n_others)
            add(_Node((), (inside, outside), wanted, np.zeros(rows.size), rows))
        beyond = 0 if decide_only else _CELLS_BEYOND
        while heap and -heap[0][0] > attained:
            bound = -heap[0][0]
            below = at_most(np.array([attained, bound]), level)
            decided = bool(below[0] == below[1])
            if decided and (beyond <= 0 or bound - attained <= self._slack(bound)):
                return bound
            if not decided and self._cells_left <= 0:
                return bound
            _, _, node = heapq.heappop(heap)
            cells = node.rows.size * self._excess.shape[1]
            if decided:
                beyond -= cells
            else:
                self._cells_left -= cells
            attained = max(attained, self._likely(node))
            for child in self._split(node):
                add(child)
        return attained

    def _tops(self, datasets: tuple[int, ...]) -> FloatArray:
        """`_top_sums` of some datasets; of all of them kept, as a count asks for every size."""
        if len(datasets) < self._excess.shape[1]:
            return _top_sums(self._excess[:, list(datasets)])
        if self._of_all is None:
            self._of_all = _top_sums(self._excess)
        return self._of_all

    def _slack(self, share: float) -> float:
        if self._exact:
            return 0.0
        error = math.sqrt(share * (1.0 - share) / len(self._excess))
        return max(_SLACK_OF_ERROR * error, _SLACK_OF_P_VALUE * share)

    def _likely(self, node: _Node) -> float:
        """The p-value of one set of the node: with the datasets that have the smallest z."""
        sums = node.base
        for free, wanted in zip(node.free, node.wanted, strict=True):
            sums = sums + self._of(node.rows, free[:wanted]).sum(axis=1)
        return float(np.count_nonzero(sums >= self._least)) / len(self._excess)

    def _of(self, rows: IntArray, datasets: tuple[int, ...]) -> FloatArray:
        excess: FloatArray = self._excess[rows[:, np.newaxis], list(datasets)]
        return excess

    def _split(self, node: _Node) -> Iterator[_Node]:
        """The node's sets with one dataset and those without: the one that is most in doubt."""
        doubts: list[tuple[float, int, int]] = []
        for place, (free, wanted) in enumerate(zip(node.free, node.wanted, strict=True)):
            if 0 < wanted < len(free):
                excess = self._of(node.rows, free)
                least = _largest(excess, wanted).min(axis=1)
                doubt = np.abs((excess >= least[:, np.newaxis]).mean(axis=0) - 0.5)
                doubts.append((float(doubt.min()), place, int(np.argmin(doubt))))
        if not doubts:
            return
        _, place, nearest = min(doubts)
        chosen = node.free[place][nearest]
        others = tuple(
            tuple(i for i in free if i != chosen) if at == place else free
            for at, free in enumerate(node.free)
        )
        fewer = tuple(n - (at == place) for at, n in enumerate(node.wanted))
        with_it = node.base + self._excess[node.rows, chosen]
        yield self._reaching((*node.fixed, chosen), others, fewer, with_it, node.rows)
        yield self._reaching(node.fixed, others, node.wanted, node.base, node.rows)

    def _reaching(
        self,
        fixed: tuple[int, ...],
        free: tuple[tuple[int, ...], ...],
        wanted: tuple[int, ...],
        base: FloatArray,
        rows: IntArray,
    ) -> _Node:
        """A node with those of the flips in which one of its sets may still reach 0."""
        bound = base
        for each, n in zip(free, wanted, strict=True):
            if n:
                bound = bound + _largest(self._of(rows, each), n).sum(axis=1)
        kept = bound >= self._least
        return _Node(fixed, free, wanted, base[kept], rows[kept])


def _top_sums(excess: FloatArray) -> FloatArray:
    """For m = 0, 1, ... the sum of the m largest of each row; shape (n + 1, R)."""
    falling = np.sort(excess, axis=1)[:, ::-1]
    sums = np.zeros((excess.shape[1] + 1, excess.shape[0]))
    np.cumsum(falling.T, axis=0, out=sums[1:])
    return sums


def _largest(excess: FloatArray, wanted: int) -> FloatArray:
    """The `wanted` largest of each row, in no order."""
    n = excess.shape[1]
    return excess if wanted == n else np.partition(excess, n - wanted, axis=1)[:, n - wanted :]
