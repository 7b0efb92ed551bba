"""The paired bootstrap of all pairs on one shared matrix of resample counts.

With S_i the sum of a system's scores in a resample and T_i in the data, the
event of a pair, δ* ≥ 2δ, is S_i − S_j ≥ 2(T_i − T_j), that is u_i ≥ u_j with
u = S − 2T. So each resample puts the systems in an order, and a pair's p-value
is how often the order has i at or before j: one product of counts and scores
for all systems, and comparisons of columns (Berg-Kirkpatrick et al. 2012,
footnotes 4 and 5). Of some pairs no resample can be extreme, so that their p-values
say nothing: they are found out.

Vocabulary
----------
counts
    How often each unit is in a resample, a row a resample.
standing
    u above: of averages from sums of whole numbers, of other metrics from scores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from ..significance.differences import TIE_TOLERANCE
from ..significance.resamples import drawn_counts, product
from ..significance.settings import Settings
from ..significance.stopping import KeepGoing, check_going
from ..significance.summed_statistics import SummedStatistics, has_witness
from ..significance.tails import outcomes_at_least
from ..types import FloatArray, IntArray
from .side_by_side import AveragedColumns, SummedColumns

Counts = npt.NDArray[np.float32] | npt.NDArray[np.float64]

# Multiplications in one piece. From 2**18 on BLAS shares a product among threads of its own, and
# waits for the last of them, which takes much longer beside other work.
_MULTIPLICATIONS = (1 << 18) - 1
# Units drawn at once: their indices and counts stay in a processor's cache.
_CHUNK_DRAWS = 1 << 16
# Resamples whose counts are multiplied at once: enough for BLAS, few enough for memory.
_MOST_ROWS = 256
_COUNTED_AT_ONCE = 1 << 21
# Sums below are exact in 32-bit floats.
_EXACT_IN_32 = 2.0**24
# Resample counts part by part, held as this kind of number.
_Parts = Callable[[type[np.float32 | np.float64]], Iterator[Counts]]


def product_in_pieces(counts: Counts, rows: Counts) -> Counts:
    """The product of counts, shape (resamples, n), and scores, shape (n, c)."""
    (resamples, n), columns = counts.shape, rows.shape[1]
    # Few rows at once, and so many units that their product is one piece.
    at_once = max(1, min(resamples, 32, _MULTIPLICATIONS // columns))
    step = max(1, _MULTIPLICATIONS // (at_once * columns))
    sums: Counts = np.zeros((resamples, columns), dtype=rows.dtype)
    for first in range(0, resamples, at_once):
        for start in range(0, n, step):
            part = counts[first : first + at_once, start : start + step]
            sums[first : first + at_once] += part @ rows[start : start + step]
    return sums


def orders(standings: FloatArray | Counts, room: float) -> IntArray:
    """In how many of some resamples each system stands at least as high as each other, (m, m).

    A pair with an undefined score counts both ways, which can make its p-values only larger.
    `standings`, shape (rows, m): of fewer than 65,536 resamples. `room`: how far below another
    a standing still counts as a tie.
    """
    held: npt.NDArray[Any] = np.ascontiguousarray(standings.T)
    lower = [(own < held).sum(axis=1, dtype=np.uint16) for own in held + room]
    counts: IntArray = held.shape[1] - np.array(lower, dtype=np.intp)
    return counts


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
    """
    rows = int(np.clip(_COUNTED_AT_ONCE // n, 1, _MOST_ROWS))
    drawn_rows = int(np.clip(_CHUNK_DRAWS // n, 1, rows))
    # Narrow indices are quicker to draw.
    narrow = np.uint16 if n <= 1 << 16 else np.uint32
    held = np.empty((min(rows, n_resamples), n), dtype=kind)
    for start in range(0, n_resamples, rows):
        part = held[: min(rows, n_resamples - start)]
        for first in range(0, part.shape[0], drawn_rows):
            check_going(keep_going)
            own = part[first : first + drawn_rows]
            own[:] = drawn_counts(n, n, len(own), rng, kind=narrow)
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

    `counts`: of `n_resamples` resamples in all, in parts of shape (rows, n), in the place of
    drawn ones. `on_share` is told which share of the resamples is done.
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
    # The same shift of all systems shifts all standings alike, and keeps numbers small; what all
    # have in common on an example does not change a difference, and without it less is rounded.
    common = columns.values.min() if whole else columns.values.mean(axis=1, keepdims=True)
    values = columns.values - common
    n, m = values.shape
    largest = n * float(np.abs(values).max(initial=0.0))
    # S and T lie between 0 and the largest, so that S − 2T is at most twice it.
    kind: type[np.float32 | np.float64] = (
        np.float32 if whole and 2.0 * largest <= _EXACT_IN_32 else np.float64
    )
    rows = _as(values, kind)
    twice = 2.0 * values.sum(axis=0)
    room = 0.0 if whole else TIE_TOLERANCE * n * float(np.abs(values).mean())
    less = twice.astype(kind)
    found = np.zeros((m, m), dtype=np.intp)
    for part in parts(kind):
        found += orders(product_in_pieces(part, rows) - less, room)
    return found


def _of_sums(columns: SummedColumns, parts: _Parts) -> IntArray:
    values = columns.values
    whole = bool((np.rint(values) == values).all())
    largest = values.shape[0] * float(np.abs(values).max(initial=0.0))
    kind: type[np.float32 | np.float64] = (
        np.float32 if whole and largest < _EXACT_IN_32 else np.float64
    )
    rows = _as(values, kind)
    # By the same function and sums as those of resamples.
    twice = 2.0 * columns.scores_of(values.sum(axis=0)[np.newaxis])
    found = np.zeros((columns.n_systems,) * 2, dtype=np.intp)
    for part in parts(kind):
        sums = product_in_pieces(part, rows).astype(np.float64)
        found += orders(columns.scores_of(sums) - twice, columns.room)
    return found


def _as(values: Counts, kind: type[np.float32 | np.float64]) -> Counts:
    if kind is np.float32:
        return values.astype(np.float32, copy=False)
    return values.astype(np.float64, copy=False)


def _beyond(
    columns: AveragedColumns | SummedColumns, unseen: np.ndarray, *, keep_going: KeepGoing
) -> IntArray:
    """The ordered pairs `unseen` in extreme resamples that can have none, shape (k, 2)."""
    if isinstance(columns, AveragedColumns):
        values, n = np.ascontiguousarray(columns.values.T), columns.n
        totals = values.sum(axis=1)
        room = 0.0 if columns.step is not None else TIE_TOLERANCE * float(np.abs(values).sum())

        def is_beyond(i: int, j: int) -> bool:
            farthest = n * float((values[i] - values[j]).max())
            return farthest < 2.0 * float(totals[i] - totals[j]) - room

    else:
        sums = columns

        def is_beyond(i: int, j: int) -> bool:
            statistics = SummedStatistics(
                a=sums.of(i),
                b=sums.of(j),
                score=sums.score,
                sign=sums.sign,
                scale=sums.room / TIE_TOLERANCE,
                farthest=np.inf,
            )
            return not has_witness(statistics)

    found: list[tuple[int, int]] = []
    for i, j in np.argwhere(unseen).tolist():
        check_going(keep_going)
        if is_beyond(i, j):
            found.append((i, j))
    return np.array(found, dtype=np.intp).reshape(-1, 2)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairsOfOneDataset:
    """What is known of all pairs on one dataset.

    Attributes
    ----------
    p_values : ndarray, shape (m, m)
        Entry (i, j) is of "i is better than j"; nan on the diagonal.
    method : {"exact", "monte-carlo", "normal", "student", "mixed"}
        How they were computed; "mixed" where pairs differ.
    shared : bool
        Whether all pairs were judged on the same resamples.
    out_of_reach : ndarray of int, shape (k, 2)
        Ordered pairs whose p-value is of a bootstrap that cannot reach twice
        the observed difference, and says nothing about the evidence.
    """

    p_values: FloatArray
    method: str
    n_resamples: int | None = None
    shared: bool = False
    out_of_reach: IntArray = field(default_factory=lambda: np.empty((0, 2), dtype=np.intp))

    def __post_init__(self) -> None:
        np.fill_diagonal(self.p_values, np.nan)


def bootstrap_pairs(
    columns: AveragedColumns | SummedColumns,
    *,
    settings: Settings,
    rng: np.random.Generator,
    keep_going: KeepGoing,
    on_share: Callable[[float], None],
) -> PairsOfOneDataset:
    """The paired bootstrap of all pairs: exact of outcomes, else on shared resamples."""
    if settings.method == "auto" and isinstance(columns, AveragedColumns) and columns.binary:
        wins = wins_of(columns)
        p_values = outcomes_at_least(wins, wins.T, columns.n, keep_going=keep_going)
        return PairsOfOneDataset(
            p_values=p_values, method="exact", out_of_reach=np.argwhere(p_values == 0.0)
        )
    b = settings.n_resamples
    extreme = times_at_least_twice(columns, b, rng, keep_going=keep_going, on_share=on_share)
    p_values = ((extreme + 1.0) / (b + 1.0)).astype(np.float64)
    unseen = extreme == 0
    beyond = _beyond(columns, unseen, keep_going=keep_going)
    return PairsOfOneDataset(
        p_values=p_values, method="monte-carlo", n_resamples=b, shared=True, out_of_reach=beyond
    )


def wins_of(columns: AveragedColumns) -> IntArray:
    """On how many examples the row is right and the column wrong, shape (m, m), of outcomes."""
    lowest, highest = float(columns.values.min()), float(columns.values.max())
    right = (columns.values - lowest) / max(highest - lowest, 1.0)
    # Whole numbers below 2**24 are exact in 32-bit floats, which multiply quicker.
    kind = np.float32 if columns.n < 1 << 24 else np.float64
    wins = product(right.T.astype(kind), (1.0 - right).astype(kind))
    return np.rint(wins).astype(np.intp)
