"""Products of resample counts and scores, whatever else the machine is doing."""

from __future__ import annotations

import time

import numpy as np
import numpy.typing as npt

Counts = npt.NDArray[np.float32] | npt.NDArray[np.float64]

# Multiplications in one piece. From 2**18 on BLAS shares a product among threads of its own, and
# waits for the last of them: quicker on an idle machine, and much slower beside other work.
_MULTIPLICATIONS = (1 << 18) - 1
_SLOWED = 1.5


class Product:
    """Multiplies tables of counts by one table of scores, in pieces or as a whole.

    The first two products are timed, one of each kind, and the quicker kind is
    kept; where whole products become slower than pieces were, pieces are taken
    from then on. Sums of whole numbers are exact either way; others differ by
    roundings, for which their comparisons leave room.

    Parameters
    ----------
    rows : ndarray, shape (n, c)
        The scores.
    """

    def __init__(self, rows: Counts) -> None:
        self._rows = rows
        self._held = np.empty((0, rows.shape[1]), dtype=rows.dtype)
        self._in_pieces: float | None = None
        self._whole: bool | None = None

    def of(self, counts: Counts) -> Counts:
        """The product of counts, shape (rows, n), and the scores."""
        if self._in_pieces is None:
            begun = time.perf_counter()
            sums = self._pieces(counts)
            self._in_pieces = (time.perf_counter() - begun) / counts.shape[0]
            return sums
        if self._whole is False:
            return self._pieces(counts)
        begun = time.perf_counter()
        found: Counts = np.matmul(counts, self._rows)
        took = (time.perf_counter() - begun) / counts.shape[0]
        self._whole = took <= self._in_pieces * (1.0 if self._whole is None else _SLOWED)
        return found

    def _pieces(self, counts: Counts) -> Counts:
        resamples, n = counts.shape
        columns = self._rows.shape[1]
        # Few rows at once, and so many units that their product is one piece.
        at_once = max(1, min(resamples, 32, _MULTIPLICATIONS // columns))
        step = max(1, _MULTIPLICATIONS // (at_once * columns))
        if self._held.shape[0] < at_once:
            self._held = np.empty((at_once, columns), dtype=self._rows.dtype)
        sums: Counts = np.zeros((resamples, columns), dtype=self._rows.dtype)
        for first in range(0, resamples, at_once):
            own = sums[first : first + at_once]
            piece = self._held[: own.shape[0]]
            for start in range(0, n, step):
                part = counts[first : first + at_once, start : start + step]
                np.matmul(part, self._rows[start : start + step], out=piece)
                own += piece
        return sums
