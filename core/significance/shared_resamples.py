"""Monte Carlo p-values of many subsamples from one set of resamples for each size.

A resample is drawn once and applied to every subsample, place by place: the sums
of all subsamples are then one product of matrices (Berg-Kirkpatrick et al. 2012,
footnote 5). The stream is read as `significance` reads it, so that each
p-value is the one that its test gives on the subsample from that stream. The
subsamples of a size share their noise: their spread is hardly affected, their
common level is off by what one run of so many resamples is off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from ..types import BoolArray, FloatArray, IntArray
from ..validation import check_choice
from .differences import TIE_TOLERANCE, Differences
from .means import random_bytes
from .resamples import CHUNK_DRAWS, COUNT_COST, DRAWN_INDICES, draw_sums, drawn_counts, product
from .settings import TEST_ALTERNATIVES, TestAlternative
from .stopping import KeepGoing, check_going
from .summed_statistics import SummedStatistics, has_witness

# Sides of a tile of a product that one thread does: see `significance.resamples`.
_TILE = 32
# Counts or signs held at once: 16 MiB.
_HELD = 1 << 21


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AskedOfRows:
    """What p-values of many subsamples are asked besides the scores.

    Attributes
    ----------
    alternative : {"greater", "less", "two-sided"}
        What they speak for.
    n_resamples : int
        Of Monte Carlo.
    stream : callable
        Gives the stream of the resamples, anew each time.
    keep_going : callable, optional
        Asked between chunks of work.
    """

    alternative: TestAlternative
    n_resamples: int
    stream: Callable[[], np.random.Generator]
    keep_going: KeepGoing = None

    def __post_init__(self) -> None:
        check_choice(self.alternative, TEST_ALTERNATIVES, name="alternative")


def bootstrapped(differences: Differences, places: IntArray, asked: AskedOfRows) -> FloatArray:
    """Bootstrap p-values (s + 1)/(b + 1) of subsamples, shape (rows,)."""
    alternative, n_resamples, keep_going = asked.alternative, asked.n_resamples, asked.keep_going
    size = places.shape[1]
    whole = differences.integers
    values = differences.values if whole is None else whole.astype(np.float64)
    columns = np.ascontiguousarray(values[places].T)
    total = columns.sum(axis=0)
    # A tie is a tie; whole numbers add up without rounding.
    room = (0.0 if whole is not None else TIE_TOLERANCE) * np.abs(columns).sum(axis=0)
    extreme = np.zeros(places.shape[0], dtype=np.int64)

    def count(sums: FloatArray, which: IntArray) -> None:
        at, near = total[which], room[which]
        if alternative == "greater":
            far = sums >= 2.0 * at - near
        elif alternative == "less":
            far = sums <= 2.0 * at + near
        else:
            far = (sums >= at + np.abs(at) - near) | (sums <= at - np.abs(at) + near)
        extreme[which] += np.count_nonzero(far, axis=0)

    # Of few distinct values the test draws how often each comes, so that nothing can be shared.
    few = _n_distinct(columns) * COUNT_COST < size
    for row in np.flatnonzero(few):
        check_going(keep_going)
        sums = draw_sums(columns[:, row], size, n_resamples, asked.stream(), keep_going)
        count(sums[:, np.newaxis], np.array([row]))
    shared = np.flatnonzero(~few)
    if shared.size:
        own = np.ascontiguousarray(columns[:, shared])
        for counts in _draw_counts(size, n_resamples, asked.stream(), keep_going):
            count(tiled_product(counts, own), shared)
    p: FloatArray = (extreme + 1) / (n_resamples + 1)
    return p


def _n_distinct(columns: FloatArray) -> IntArray:
    ordered = np.sort(columns, axis=0)
    steps: IntArray = np.count_nonzero(ordered[1:] != ordered[:-1], axis=0)
    return 1 + steps


def _draw_counts(
    size: int, n_resamples: int, rng: np.random.Generator, keep_going: KeepGoing
) -> Iterator[FloatArray]:
    """How often each place is in each resample, in chunks of shape (resamples, size)."""
    rows = min(n_resamples, max(1, DRAWN_INDICES // size))
    kind = np.uint16 if size <= 1 << 16 else np.uint32
    for start in range(0, n_resamples, rows):
        part = min(rows, n_resamples - start)
        counts = np.zeros((part, size))
        for first in range(0, size, DRAWN_INDICES):
            check_going(keep_going)
            draws = min(DRAWN_INDICES, size - first)
            counts += drawn_counts(size, draws, part, rng, kind=kind)
        yield counts


def randomized(differences: Differences, places: IntArray, asked: AskedOfRows) -> FloatArray:
    """Randomization p-values (s + 1)/(R + 1) of subsamples, shape (rows,)."""
    alternative, n_resamples = asked.alternative, asked.n_resamples
    rows = differences.values[places]
    differing = np.count_nonzero(rows, axis=1)
    p_values = np.ones(places.shape[0])
    # A row's random bytes are as many as its differences that are not zero need.
    n_bytes = -(-differing // 8)
    for own in np.unique(n_bytes[n_bytes > 0]).tolist():
        which = np.flatnonzero(n_bytes == own)
        columns = np.zeros((8 * own, which.size))
        for column, row in enumerate(which.tolist()):
            nonzero = rows[row][rows[row] != 0.0]
            columns[: nonzero.size, column] = nonzero
        room = TIE_TOLERANCE * np.abs(columns).sum(axis=0)
        observed = columns.sum(axis=0)
        extreme = np.zeros(which.size, dtype=np.int64)
        for bits in _draw_bits(own, n_resamples, asked.stream(), asked.keep_going):
            picked = tiled_product(bits, columns)
            if alternative == "greater":
                beyond = picked >= observed - room
            elif alternative == "less":
                beyond = picked <= observed + room
            else:
                beyond = picked >= np.maximum(observed, 0.0) - room
                beyond |= picked <= np.minimum(observed, 0.0) + room
            extreme += np.count_nonzero(beyond, axis=0)
        p_values[which] = (extreme + 1) / (n_resamples + 1)
    return p_values


def _draw_bits(
    n_bytes: int, n_resamples: int, rng: np.random.Generator, keep_going: KeepGoing
) -> Iterator[FloatArray]:
    """Which differences are picked, in chunks of shape (resamples, 8 * n_bytes)."""
    drawn = np.empty((n_resamples, n_bytes), dtype=np.uint8)
    for first, start, part in random_bytes(n_bytes, n_resamples, rng, keep_going):
        drawn[start : start + part.shape[0], first : first + part.shape[1]] = part
    held = max(1, _HELD // (8 * n_bytes))
    for start in range(0, n_resamples, held):
        chunk = drawn[start : start + held]
        yield np.unpackbits(chunk, axis=1, bitorder="little").astype(np.float64)


def tiled_product(counts: FloatArray, columns: FloatArray) -> FloatArray:
    """`counts` @ `columns` in tiles that the calling thread does alone."""
    sums = np.empty((counts.shape[0], columns.shape[1]))
    for left in range(0, columns.shape[1], _TILE):
        own = np.ascontiguousarray(columns[:, left : left + _TILE])
        for top in range(0, counts.shape[0], _TILE):
            part = slice(top, top + _TILE)
            sums[part, left : left + _TILE] = product(counts[part], own)
    return sums


# Sums of resamples held at once: 16 MiB.
_SUMS_HELD = 1 << 21


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class UnitStatistics:
    """Both systems' statistics on each unit of a dataset.

    Attributes
    ----------
    a, b : ndarray, shape (n_units, s)
        In the same order.
    score : callable
        Sums of shape (..., s) to scores of shape (...); nan where undefined.
    sign : float
        1 where a higher score is better, else -1.
    scale_of : callable
        From two scores to the size beside which rounding is judged.
    """

    a: FloatArray
    b: FloatArray
    score: Callable[[FloatArray], FloatArray]
    sign: float
    scale_of: Callable[[float, float], float]

    def kinds(self) -> IntArray:
        """A number for each unit, equal where all statistics are, shape (n_units,)."""
        _, which = np.unique(np.hstack([self.a, self.b]), axis=0, return_inverse=True)
        kinds: IntArray = which.ravel().astype(np.intp)
        return kinds

    def of(self, units: IntArray) -> SummedStatistics:
        """Those of one subsample."""
        a, b = self.a[units], self.b[units]
        scores = [float(self.score(own.sum(axis=0))) for own in (a, b)]
        return SummedStatistics(
            a=a,
            b=b,
            score=self.score,
            sign=self.sign,
            scale=self.scale_of(scores[0], scores[1]),
            farthest=np.inf,
        )


def few_kinds(kinds: IntArray, places: IntArray) -> BoolArray:
    """Of each subsample whether the test draws how often each distinct row comes."""
    n_kinds = int(kinds.max()) + 1
    there = np.zeros((places.shape[0], n_kinds), dtype=np.bool_)
    np.put_along_axis(there, kinds[places], True, axis=1)
    few: BoolArray = np.count_nonzero(there, axis=1) <= places.shape[1] // COUNT_COST
    return few


def bootstrapped_sums(
    statistics: UnitStatistics, places: IntArray, asked: AskedOfRows
) -> tuple[FloatArray, BoolArray]:
    """P-values (s + 1)/(b + 1) of subsamples, and where they are out of reach, shape (rows,).

    The p-value is nan where a score is not defined.
    """
    alternative, n_resamples, keep_going = asked.alternative, asked.n_resamples, asked.keep_going
    n_rows, size = places.shape
    width = statistics.a.shape[1]
    both = np.hstack([statistics.a, statistics.b])
    sums_a, sums_b = (own[places].sum(axis=1) for own in (statistics.a, statistics.b))
    scores_a, scores_b = statistics.score(sums_a), statistics.score(sums_b)
    delta = statistics.sign * (scores_a - scores_b)
    defined = np.isfinite(scores_a) & np.isfinite(scores_b)
    room = TIE_TOLERANCE * np.array(
        [statistics.scale_of(*pair) for pair in zip(scores_a, scores_b, strict=True)]
    )
    extreme = np.zeros(n_rows, dtype=np.int64)
    ahead = np.zeros(n_rows, dtype=np.int64)
    at_once = max(1, _SUMS_HELD // (2 * width * size))
    for left in range(0, n_rows, at_once):
        part = slice(left, left + at_once)
        own = places[part]
        columns = both[own].transpose(1, 0, 2).reshape(size, -1)
        rng = asked.stream()
        chunk = max(1, CHUNK_DRAWS // size)
        for start in range(0, n_resamples, chunk):
            check_going(keep_going)
            drawn_rows = min(chunk, n_resamples - start)
            counts = drawn_counts(size, size, drawn_rows, rng).astype(np.float64)
            sums = tiled_product(counts, columns).reshape(counts.shape[0], own.shape[0], 2 * width)
            drawn = statistics.sign * (
                statistics.score(sums[:, :, :width]) - statistics.score(sums[:, :, width:])
            )
            unknown = np.isnan(drawn)
            far, reached = _far(drawn, delta[part], room[part], alternative)
            # What has no score counts against the evidence, and shows no reach.
            extreme[part] += np.count_nonzero(far | unknown, axis=0)
            ahead[part] += np.count_nonzero(reached & ~unknown, axis=0)
    p_values = np.where(defined, (extreme + 1) / (n_resamples + 1), np.nan)
    sides = {"greater": delta > room, "less": delta < -room, "two-sided": np.abs(delta) > room}
    doubtful = defined & sides[alternative] & (ahead == 0)
    doubtful &= ~_reached_alone(statistics, places, delta, room)
    out_of_reach = np.zeros(n_rows, dtype=np.bool_)
    for row in np.flatnonzero(doubtful).tolist():
        check_going(keep_going)
        out_of_reach[row] = not has_witness(statistics.of(places[row]))
    return p_values, out_of_reach


def _far(
    drawn: FloatArray, delta: FloatArray, room: FloatArray, alternative: TestAlternative
) -> tuple[BoolArray, BoolArray]:
    """Which resamples are extreme, and which reach twice the observed difference."""
    with np.errstate(invalid="ignore"):
        high, low = drawn >= 2.0 * delta - room, drawn <= 2.0 * delta + room
        reached = np.where(delta > 0.0, high, low)
        if alternative == "two-sided":
            far = (drawn >= delta + np.abs(delta) - room) | (drawn <= delta - np.abs(delta) + room)
            return far, reached
    return (high if alternative == "greater" else low), reached


def _reached_alone(
    statistics: UnitStatistics, places: IntArray, delta: FloatArray, room: FloatArray
) -> BoolArray:
    """Whether one unit, drawn again and again, has twice the observed difference."""
    with np.errstate(divide="ignore", invalid="ignore"):
        alone = statistics.sign * (statistics.score(statistics.a) - statistics.score(statistics.b))
    high = np.where(np.isfinite(alone), alone, -np.inf)[places].max(axis=1)
    low = np.where(np.isfinite(alone), alone, np.inf)[places].min(axis=1)
    reached: BoolArray = np.where(delta > 0.0, high >= 2 * delta - room, low <= 2 * delta + room)
    return reached
