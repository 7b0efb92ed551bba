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

from collections.abc import Callable, Iterable, Iterator

import numpy as np
import numpy.typing as npt

from core.significance.differences import TIE_TOLERANCE
from core.significance.stopping import KeepGoing, check_going
from core.systems.order_counter import OrderCounter
from core.systems.products import Counts, Product
from core.systems.side_by_side import AveragedColumns, SummedColumns
from core.types import FloatArray, IntArray

# Units drawn at once: their indices and counts stay in a processor's cache.
_CHUNK_DRAWS = 1 << 16
# Resamples whose counts are multiplied at once: enough for BLAS, few enough for memory.
_MOST_ROWS = 256
_COUNTED_AT_ONCE = 1 << 21
# Sums below are exact in 32-bit floats.
_EXACT_IN_32 = 2.0**24

# Resample counts part by part, held as this kind of number.
_Parts = Callable[[type[np.float32 | np.float64]], Iterator[Counts]]


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
    on_share: Callable[[float], None] | None = None,
) -> IntArray:
    """In how many resamples each ordered pair has δ* ≥ 2δ, shape (m, m).

    Parameters
    ----------
    counts : iterable of ndarray, shape (rows, n), optional
        Counts of `n_resamples` resamples in all, in the place of drawn ones.
    on_share : callable, optional
        Told which share of the resamples is done, after each part.

    Raises
    ------
    Stopped
        If `keep_going` says so.
    """

    def parts(kind: type[np.float32 | np.float64]) -> Iterator[Counts]:
        n, done = columns.values.shape[0], 0
        drawn = resample_counts(n, n_resamples, rng, kind=kind, keep_going=keep_going)
        for part in drawn if counts is None else counts:
            yield _as(part, kind)
            done += part.shape[0]
            if on_share is not None:
                on_share(done / n_resamples)

    if isinstance(columns, AveragedColumns):
        return _of_averages(columns, parts)
    return _of_sums(columns, parts)


def _of_averages(columns: AveragedColumns, parts: _Parts) -> IntArray:
    whole = columns.step is not None
    # The same shift of all systems shifts all standings alike, and keeps numbers small.
    values = columns.values - columns.values.min() if whole else _centred(columns.values)
    n, m = values.shape
    largest = n * float(np.abs(values).max(initial=0.0))
    # S and T lie between 0 and the largest, so that S − 2T is at most twice it.
    kind: type[np.float32 | np.float64] = (
        np.float32 if whole and 2.0 * largest <= _EXACT_IN_32 else np.float64
    )
    product = Product(_as(values, kind))
    twice = 2.0 * values.sum(axis=0)
    room = 0.0 if whole else TIE_TOLERANCE * n * float(np.abs(values).mean())
    counter = OrderCounter(m, kind=_narrowest(2.0 * largest) if whole else np.float64, room=room)
    less = twice.astype(kind)
    for part in parts(kind):
        sums = product.of(part)
        sums -= less
        counter.add(sums)
    return counter.finished()


def _of_sums(columns: SummedColumns, parts: _Parts) -> IntArray:
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
    for part in parts(kind):
        sums = product.of(part).astype(np.float64)
        counter.add(columns.scores_of(sums) - twice)
    return counter.finished()


def _as(values: Counts, kind: type[np.float32 | np.float64]) -> Counts:
    if kind is np.float32:
        return values.astype(np.float32, copy=False)
    return values.astype(np.float64, copy=False)


def _centred(values: FloatArray) -> FloatArray:
    # What all systems have in common on an example does not change a difference: less rounding.
    return np.asarray(values - values.mean(axis=1, keepdims=True), dtype=np.float64)


def _narrowest(largest: float) -> type[np.generic]:
    if largest < 2.0**15:
        return np.int16
    if largest <= _EXACT_IN_32:
        return np.float32
    return np.int32 if largest < 2.0**31 else np.float64
