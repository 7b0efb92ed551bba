"""Which pairs no resample can show to be extreme, so that their p-values say nothing."""

from __future__ import annotations

import numpy as np

from core.significance.differences import TIE_TOLERANCE
from core.significance.reach import has_witness
from core.significance.stopping import KeepGoing, check_going
from core.significance.summed_statistics import SummedStatistics
from core.systems.side_by_side import AveragedColumns, SummedColumns
from core.types import FloatArray, IntArray

_LOOK = 64


def beyond_averages(
    columns: AveragedColumns, unseen: np.ndarray, *, keep_going: KeepGoing = None
) -> IntArray:
    """Of ordered pairs without an extreme resample those of which none can be extreme, shape (k, 2).

    Raises
    ------
    Stopped
        If `keep_going` says so.
    """
    found: list[tuple[int, int]] = []
    values = np.ascontiguousarray(columns.values.T)
    narrow = values.astype(np.int32) if columns.step is not None and _small(values) else values
    totals, n = values.sum(axis=1), columns.n
    room = 0.0 if columns.step is not None else TIE_TOLERANCE * float(np.abs(values).sum())
    for i in np.flatnonzero(unseen.any(axis=1)).tolist():
        check_going(keep_going)
        others = np.flatnonzero(unseen[i])
        needed = 2.0 * (totals[i] - totals[others]) - room
        # Most are shown within reach by a few examples.
        few = narrow[i, :_LOOK] - narrow[others, :_LOOK]
        far = n * few.max(axis=1).astype(np.float64) < needed
        others, needed = others[far], needed[far]
        for j, least in zip(others.tolist(), needed.tolist(), strict=True):
            if n * float((narrow[i] - narrow[j]).max()) < least:
                found.append((i, j))
    return np.array(found, dtype=np.intp).reshape(-1, 2)


def _small(values: FloatArray) -> bool:
    return float(np.abs(values).max(initial=0.0)) < 2.0**30


def beyond_sums(
    columns: SummedColumns, unseen: np.ndarray, *, keep_going: KeepGoing = None
) -> IntArray:
    """The same of scores that are made of sums.

    Raises
    ------
    Stopped
        If `keep_going` says so.
    """
    found: list[tuple[int, int]] = []
    for i, j in np.argwhere(unseen).tolist():
        check_going(keep_going)
        statistics = SummedStatistics(
            a=columns.of(i),
            b=columns.of(j),
            score=columns.score,
            sign=columns.sign,
            scale=columns.room / TIE_TOLERANCE,
            farthest=np.inf,
        )
        if not has_witness(statistics):
            found.append((i, j))
    return np.array(found, dtype=np.intp).reshape(-1, 2)
