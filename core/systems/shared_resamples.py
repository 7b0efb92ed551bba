"""All pairs of systems on one shared matrix of resample counts.

With S_i the sum of a system's scores in a resample and T_i in the data, the
event of a pair, δ* ≥ 2δ, is S_i − S_j ≥ 2(T_i − T_j), that is u_i ≥ u_j with
u = S − 2T. So each resample puts the systems in an order, and a pair's p-value
is how often the order has i at or before j: one product of counts and scores
for all systems, and comparisons of columns (Berg-Kirkpatrick et al. 2012,
footnotes 4 and 5).

Vocabulary
----------
counts
    How often each unit is in a resample, a row a resample.
standing
    u above: of averages from sums of whole numbers, of other metrics from scores.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

from core.significance.stopping import KeepGoing, check_going
from core.systems.products import Counts, Product
from core.systems.side_by_side import AveragedColumns, SummedColumns
from core.types import FloatArray, IntArray

# Units drawn at once: their indices and counts stay in a processor's cache.
_CHUNK_DRAWS = 1 << 16
# Resamples whose counts are multiplied at once: enough for BLAS, few enough for memory.
_MOST_ROWS = 256
_COUNTED_AT_ONCE = 1 << 21
# Standings compared at once: a row of them fits a processor's first cache. A multiple of 8.
_COMPARED = 4096
# Sums below are exact in 32-bit floats.
_EXACT_IN_32 = 2.0**24
_TOLERANCE = 1e-12


def resample_counts(
    n: int,
    n_resamples: int,
    rng: np.random.Generator,
    *,
    kind: npt.DTypeLike = np.float64,
    keep_going: KeepGoing = None,
) -> Iterator[Counts]:
    """Counts of bootstrap samples of n units, in parts of shape (rows, n) that sum to n a row.

    A part is overwritten by the next one. What a seed gives does not depend on
    `kind`.

    Raises
    ------
    Stopped
        If `keep_going` says so.
    """
    rows = int(np.clip(_COUNTED_AT_ONCE // n, 1, _MOST_ROWS))
    drawn_rows = int(np.clip(_CHUNK_DRAWS // n, 1, rows))
    # Narrow indices are quicker to draw.
    narrow = np.uint16 if n <= 1 << 16 else np.uint32
    starts = (n * np.arange(drawn_rows, dtype=np.intp))[:, np.newaxis]
    places = np.empty((drawn_rows, n), dtype=np.intp)
    held = np.empty((min(rows, n_resamples), n), dtype=kind)
    for start in range(0, n_resamples, rows):
        part = held[: min(rows, n_resamples - start)]
        for first in range(0, part.shape[0], drawn_rows):
            check_going(keep_going)
            own = part[first : first + drawn_rows]
            wide = places[: own.shape[0]]
            np.add(rng.integers(0, n, size=wide.shape, dtype=narrow), starts[: len(own)], out=wide)
            own[:] = np.bincount(wide.ravel(), minlength=own.size).reshape(own.shape)
        yield part


def times_at_least_twice(
    columns: AveragedColumns | SummedColumns,
    n_resamples: int,
    rng: np.random.Generator,
    *,
    counts: Iterable[Counts] | None = None,
    keep_going: KeepGoing = None,
) -> IntArray:
    """In how many resamples each ordered pair has δ* ≥ 2δ, shape (m, m).

    Parameters
    ----------
    counts : iterable of ndarray, shape (rows, n), optional
        Counts of `n_resamples` resamples in all, in the place of drawn ones.

    Raises
    ------
    Stopped
        If `keep_going` says so.
    """
    if isinstance(columns, AveragedColumns):
        return _of_averages(columns, n_resamples, rng, counts, keep_going)
    return _of_sums(columns, n_resamples, rng, counts, keep_going)


def _of_averages(
    columns: AveragedColumns,
    n_resamples: int,
    rng: np.random.Generator,
    counts: Iterable[Counts] | None,
    keep_going: KeepGoing,
) -> IntArray:
    whole = columns.step is not None
    # The same shift of all systems shifts all standings alike, and keeps numbers small.
    values = columns.values - columns.values.min() if whole else _centred(columns.values)
    n, m = values.shape
    largest = n * float(np.abs(values).max(initial=0.0))
    kind: type[np.float32 | np.float64] = (
        np.float32 if whole and largest < _EXACT_IN_32 else np.float64
    )
    product = Product(_as(values, kind))
    twice = 2.0 * values.sum(axis=0)
    room = 0.0 if whole else _TOLERANCE * n * float(np.abs(values).mean())
    counter = OrderCounter(m, kind=_narrowest(3.0 * largest) if whole else np.float64, room=room)
    drawn = resample_counts(n, n_resamples, rng, kind=kind, keep_going=keep_going)
    for part in drawn if counts is None else counts:
        sums = product.of(_as(part, kind))
        sums -= twice.astype(kind)
        counter.add(sums)
    return counter.finished()


def _of_sums(
    columns: SummedColumns,
    n_resamples: int,
    rng: np.random.Generator,
    counts: Iterable[Counts] | None,
    keep_going: KeepGoing,
) -> IntArray:
    values = columns.values
    whole = bool((np.rint(values) == values).all())
    largest = values.shape[0] * float(np.abs(values).max(initial=0.0))
    kind: type[np.float32 | np.float64] = (
        np.float32 if whole and largest < _EXACT_IN_32 else np.float64
    )
    product = Product(_as(values, kind))
    # By the same function and sums as those of resamples.
    twice = 2.0 * columns.scores_of(values.sum(axis=0)[np.newaxis])
    counter = OrderCounter(columns.n_systems, kind=np.float64, room=columns.room)
    drawn = resample_counts(values.shape[0], n_resamples, rng, kind=kind, keep_going=keep_going)
    for part in drawn if counts is None else counts:
        sums = product.of(_as(part, kind)).astype(np.float64)
        counter.add(columns.scores_of(sums) - twice)
    return counter.finished()


def _as(values: Counts, kind: type[np.float32 | np.float64]) -> Counts:
    if kind is np.float32:
        return values.astype(np.float32, copy=False)
    return values.astype(np.float64, copy=False)


def _centred(values: FloatArray) -> FloatArray:
    # What all systems have in common on an example does not change a difference: less rounding.
    return np.asarray(values - np.median(values, axis=1, keepdims=True), dtype=np.float64)


def _narrowest(largest: float) -> type[np.generic]:
    if largest < 2.0**15:
        return np.int16
    return np.int32 if largest < 2.0**31 else np.float64


class OrderCounter:
    """Counts how often one system's standing is at least another's.

    Parameters
    ----------
    n_systems : int
        m.
    kind : dtype
        That standings can be held in: whole numbers compare quicker.
    room : float
        How far below another a standing still counts as a tie.
    """

    def __init__(self, n_systems: int, *, kind: npt.DTypeLike, room: float) -> None:
        self._room = room
        self._held = np.empty((n_systems, _COMPARED), dtype=kind)
        self._above = np.empty_like(self._held) if room else self._held
        self._filled = 0
        self._events = np.zeros((n_systems, _COMPARED), dtype=np.bool_)
        self._counts = np.zeros((n_systems, n_systems), dtype=np.int64)

    def add(self, standings: FloatArray | Counts | npt.NDArray[np.int16]) -> None:
        """Take in the standings of some resamples, shape (rows, m)."""
        start = 0
        while start < standings.shape[0]:
            taken = standings[start : start + _COMPARED - self._filled]
            self._held[:, self._filled : self._filled + taken.shape[0]] = taken.T
            self._filled += taken.shape[0]
            start += taken.shape[0]
            if self._filled == _COMPARED:
                self._compare()

    def finished(self) -> IntArray:
        """The counts, shape (m, m); entry (i, j) is how often i stood at least as high as j."""
        if self._filled:
            self._compare()
        return self._counts.astype(np.intp)

    def _compare(self) -> None:
        held, above = self._held[:, : self._filled], self._above[:, : self._filled]
        if self._room:
            undefined = np.isnan(held)
            if undefined.any():
                held = self._without_undefined(held, undefined)
                above = self._above[:, : held.shape[1]]
            np.add(held, self._room, out=above)
        width = held.shape[1]
        # Eight events are one word; beyond the width they are never set.
        words = 8 * -(-width // 8)
        self._events[:, width:words] = False
        for i in range(held.shape[0] - 1):
            events = self._events[i + 1 :, :width]
            packed = self._events[i + 1 :, :words].view(np.uint64)
            np.greater_equal(above[i], held[i + 1 :], out=events)
            self._counts[i, i + 1 :] += np.bitwise_count(packed).sum(axis=1, dtype=np.int64)
            np.less_equal(held[i], above[i + 1 :], out=events)
            self._counts[i + 1 :, i] += np.bitwise_count(packed).sum(axis=1, dtype=np.int64)
        self._filled = 0

    def _without_undefined(
        self, held: npt.NDArray[np.generic], undefined: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.generic]:
        """Count the resamples in which a score is not defined, and leave the others.

        A pair with an undefined score counts as extreme in both directions,
        which can make its p-values only larger.
        """
        of_any = undefined.any(axis=0)
        for standings, missing in zip(held[:, of_any].T, undefined[:, of_any].T, strict=True):
            either = missing[:, np.newaxis] | missing
            ahead = standings[:, np.newaxis] + self._room >= standings
            self._counts += either | ahead
        return held[:, ~of_any]
