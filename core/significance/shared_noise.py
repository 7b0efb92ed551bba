"""Monte Carlo p-values of many subsamples from one set of resamples for each size.

A resample is drawn once and applied to every subsample, place by place: the sums
of all subsamples are then one product of matrices (Berg-Kirkpatrick et al. 2012,
footnote 5). The stream is read as `core.significance` reads it, so that each
p-value is the one that its test gives on the subsample from that stream. The
subsamples of a size share their noise: their spread is hardly affected, their
common level is off by what one run of so many resamples is off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from core.significance.differences import TIE_TOLERANCE, Differences
from core.significance.products import product
from core.significance.resamples import draw_sums
from core.significance.result import TEST_ALTERNATIVES, TestAlternative
from core.significance.stopping import KeepGoing, check_going
from core.types import FloatArray, IntArray
from core.validation import check_choice

# As the tests themselves draw: what a seed gives depends on these.
_DRAWN_INDICES = 1 << 18
_TABLES = 512
_COUNT_COST = 16
_CHUNK_BYTES = 1 << 22
# Sides of a tile of a product that one thread does: see `core.significance.products`.
_TILE = 32
# Counts or signs held at once: 16 MiB.
_HELD = 1 << 21


def bootstrapped(
    differences: Differences,
    places: IntArray,
    alternative: TestAlternative,
    n_resamples: int,
    stream: Callable[[], np.random.Generator],
    keep_going: KeepGoing,
) -> FloatArray:
    """Bootstrap p-values (s + 1)/(b + 1) of subsamples, shape (rows,).

    Raises
    ------
    Stopped
        If `keep_going` says so.
    """
    check_choice(alternative, TEST_ALTERNATIVES, name="alternative")
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
    few = _n_distinct(columns) * _COUNT_COST < size
    for row in np.flatnonzero(few):
        check_going(keep_going)
        sums = draw_sums(columns[:, row], size, n_resamples, stream(), keep_going)
        count(sums[:, np.newaxis], np.array([row]))
    shared = np.flatnonzero(~few)
    if shared.size:
        own = np.ascontiguousarray(columns[:, shared])
        for counts in _draw_counts(size, n_resamples, stream(), keep_going):
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
    rows = min(n_resamples, max(1, _DRAWN_INDICES // size))
    kind = np.uint16 if size <= 1 << 16 else np.uint32
    for start in range(0, n_resamples, rows):
        part = min(rows, n_resamples - start)
        counts = np.zeros((part, size))
        for first in range(0, size, _DRAWN_INDICES):
            check_going(keep_going)
            shape = (part, min(_DRAWN_INDICES, size - first))
            drawn = rng.integers(0, size, size=shape, dtype=kind).astype(np.intp)
            drawn += size * np.arange(part)[:, np.newaxis]
            counts += np.bincount(drawn.ravel(), minlength=part * size).reshape(part, size)
        yield counts


def randomized(
    differences: Differences,
    places: IntArray,
    alternative: TestAlternative,
    n_resamples: int,
    stream: Callable[[], np.random.Generator],
    keep_going: KeepGoing,
) -> FloatArray:
    """Randomization p-values (s + 1)/(R + 1) of subsamples, shape (rows,).

    Raises
    ------
    Stopped
        If `keep_going` says so.
    """
    check_choice(alternative, TEST_ALTERNATIVES, name="alternative")
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
        sizes = np.abs(columns)
        total = sizes.sum(axis=0)
        room = TIE_TOLERANCE * total
        observed = np.maximum(columns, 0.0).sum(axis=0)
        far = np.maximum(observed, total - observed)
        extreme = np.zeros(which.size, dtype=np.int64)
        for bits in _draw_bits(own, n_resamples, stream(), keep_going):
            picked = tiled_product(bits, sizes)
            if alternative == "greater":
                beyond = picked >= observed - room
            elif alternative == "less":
                beyond = picked <= observed + room
            else:
                beyond = (picked >= far - room) | (picked <= total - far + room)
            extreme += np.count_nonzero(beyond, axis=0)
        p_values[which] = (extreme + 1) / (n_resamples + 1)
    return p_values


def _draw_bits(
    n_bytes: int, n_resamples: int, rng: np.random.Generator, keep_going: KeepGoing
) -> Iterator[FloatArray]:
    """Which differences are picked, in chunks of shape (resamples, 8 * n_bytes)."""
    blocks = range(0, n_bytes, _TABLES)
    streams = [rng]
    if len(blocks) > 1:
        seeds = rng.integers(2**63, size=len(blocks)).tolist()
        streams = [np.random.default_rng(seed) for seed in seeds]
    # The same number of rows for every block, so that a chunk is whole; drawn a block at a time.
    drawn: list[npt.NDArray[np.uint8]] = []
    for first, own in zip(blocks, streams, strict=True):
        width = min(_TABLES, n_bytes - first)
        rows = max(1, _CHUNK_BYTES // width)
        parts = []
        for start in range(0, n_resamples, rows):
            check_going(keep_going)
            shape = (min(rows, n_resamples - start), width)
            parts.append(own.integers(0, 256, size=shape, dtype=np.uint8))
        drawn.append(np.concatenate(parts))
    held = max(1, _HELD // (8 * n_bytes))
    for start in range(0, n_resamples, held):
        chunk = np.hstack([block[start : start + held] for block in drawn])
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
