"""Counts how often one system stands at least as high as another, of all pairs at once."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from core.systems.products import Counts
from core.types import FloatArray, IntArray

# Standings compared at once: a row of them fits a processor's first cache.
_ROW_BYTES = 16_384
# So that eight bits make a byte, and eight bytes a word.
_MULTIPLE = 64
# 32-bit floats are off by at most this of a number; here for two, for the room that is added
# to one of them, and for the room itself.
_ROUNDINGS_IN_32 = 4.0 * 2.0**-24
# Twice as large ones, and with the room, are still finite there.
_LARGEST_IN_32 = 2.0**126


class OrderCounter:
    """Counts how often one system's standing is at least another's.

    Parameters
    ----------
    n_systems : int
        m.
    kind : dtype
        That standings can be held in: narrow numbers compare quicker.
    room : float
        How far below another a standing still counts as a tie. With one, `kind` is
        64-bit floats, which are compared as 32-bit ones wherever that decides.
    """

    def __init__(self, n_systems: int, *, kind: npt.DTypeLike, room: float) -> None:
        self._room = room
        width = _ROW_BYTES // np.dtype(np.float32 if room else kind).itemsize
        self._held = np.empty((n_systems, width), dtype=kind)
        self._filled = 0
        # For each pair both comparisons, so that they are counted in one go.
        self._events = np.zeros((n_systems, 2, width), dtype=np.bool_)
        self._counts = np.zeros((n_systems, n_systems), dtype=np.int64)

    def add(self, standings: FloatArray | Counts | npt.NDArray[np.int16]) -> None:
        """Take in the standings of some resamples, shape (rows, m)."""
        start, width = 0, self._held.shape[1]
        while start < standings.shape[0]:
            taken = standings[start : start + width - self._filled]
            self._held[:, self._filled : self._filled + taken.shape[0]] = taken.T
            self._filled += taken.shape[0]
            start += taken.shape[0]
            if self._filled == width:
                self._compare()

    def finished(self) -> IntArray:
        """The counts, shape (m, m); entry (i, j) is how often i stood at least as high as j."""
        if self._filled:
            self._compare()
        return self._counts.astype(np.intp)

    def _compare(self) -> None:
        held = self._held[:, : self._filled]
        self._filled = 0
        if not self._room:
            self._compare_exactly(held)
            return
        undefined = np.isnan(held)
        if undefined.any():
            held = self._without_undefined(held, undefined)
        if held.shape[1]:
            self._compare_closely(held)

    def _compare_exactly(self, held: npt.NDArray[Any]) -> None:
        events = self._room_for_events(held.shape[1])
        for i in range(held.shape[0] - 1):
            own, others = events[i + 1 :], held[i + 1 :]
            np.greater_equal(held[i], others, out=own[:, 0, : held.shape[1]])
            np.less_equal(held[i], others, out=own[:, 1, : held.shape[1]])
            ahead, behind = _numbers(own)
            self._counts[i, i + 1 :] += ahead
            self._counts[i + 1 :, i] += behind

    def _compare_closely(self, held: npt.NDArray[Any]) -> None:
        """Compare 32-bit floats from either end of what they may stand for.

        Where both ends agree in all resamples, no two standings are close: the one
        ahead is beyond the room, and the other is not at least as high. The few
        pairs that remain are compared as they are.
        """
        width = held.shape[1]
        events = self._room_for_events(width)
        largest, room = float(np.abs(held).max()), self._room
        if largest > _LARGEST_IN_32:
            # By a power of two, which leaves every comparison as it is.
            smaller = 2.0 ** -math.frexp(largest)[1]
            held, largest, room = held * smaller, largest * smaller, room * smaller
        narrow = held.astype(np.float32)
        margin = np.float32(room + _ROUNDINGS_IN_32 * (largest + room))
        high, low = narrow + margin, narrow - margin
        for i in range(held.shape[0] - 1):
            own, others = events[i + 1 :], narrow[i + 1 :]
            np.greater_equal(high[i], others, out=own[:, 0, :width])
            np.greater(low[i], others, out=own[:, 1, :width])
            possibly, surely = _numbers(own)
            ahead, behind = possibly, width - surely
            close = np.flatnonzero(possibly != surely)
            if close.size:
                rows = held[i + 1 :][close]
                ahead[close] = (held[i] + room >= rows).sum(axis=1)
                behind[close] = (held[i] <= rows + room).sum(axis=1)
            self._counts[i, i + 1 :] += ahead
            self._counts[i + 1 :, i] += behind

    def _room_for_events(self, width: int) -> npt.NDArray[np.bool_]:
        """Where the comparisons of so many resamples are written; beyond them nothing is set."""
        words = _MULTIPLE * -(-width // _MULTIPLE)
        if words != self._events.shape[2]:
            self._events = np.zeros((*self._events.shape[:2], words), dtype=np.bool_)
        self._events[..., width:] = False
        return self._events

    def _without_undefined(
        self, held: npt.NDArray[Any], undefined: npt.NDArray[np.bool_]
    ) -> npt.NDArray[Any]:
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


def _numbers(events: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """How many of the events of each pair are set, shape (2, k) from (k, 2, width)."""
    k, _, width = events.shape
    words = np.packbits(events).view(np.uint64)
    of_words = np.bitwise_count(words).reshape(k, 2, width // 64)
    numbers: npt.NDArray[np.int64] = of_words.sum(axis=2, dtype=np.int64).T
    return numbers
