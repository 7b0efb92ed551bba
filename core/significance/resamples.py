"""Resamples: which examples are drawn or swapped, and sums over them on the thread that asks.

Vocabulary
----------
counts
    How often each distinct row of examples is in a resample.
swap
    Of an example: A and B exchange what is known of them on it.
delta
    The difference A − B of a resample's scores, turned so that higher is
    better; nan where a score is not defined.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from ..types import FloatArray, IntArray
from .stopping import KeepGoing, check_going

# Multiplications in one piece. From 2**18 on BLAS shares a product among threads of its own, and
# waits for the last of them: beside other work that takes a hundred times as long as the product.
_MULTIPLICATIONS = (1 << 18) - 1
# Rows in one piece where not all columns fit into it.
_ROWS = 32


def product(counts: npt.NDArray[Any], rows: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Of counts, shape (resamples, d), and rows, shape (d, c), by the calling thread alone."""
    (resamples, width), columns = counts.shape, rows.shape[1]
    whole_width = _MULTIPLICATIONS // max(1, width * columns)
    at_once = max(1, min(max(_ROWS, whole_width), _MULTIPLICATIONS // columns))
    step = max(1, _MULTIPLICATIONS // (at_once * columns))
    sums: npt.NDArray[Any] = np.zeros((resamples, columns), dtype=rows.dtype)
    for top in range(0, resamples, at_once):
        own = counts[top : top + at_once]
        for start in range(0, width, step):
            sums[top : top + at_once] += own[:, start : start + step] @ rows[start : start + step]
    return sums


# Draws held at once, whatever the number of resamples. Indices, counts and their copy as floats
# take 24 bytes a draw, and ranks of three columns 80: few enough for a processor's cache, which
# halves the time. A resample is drawn in one piece: sums take 24 MiB for n = 1,000,000.
CHUNK_DRAWS = 1 << 15
# Swaps drawn at once, as single bits: 128 KiB. What a seed gives depends on it.
_DRAWN_SWAPS = 1 << 20
# Indices of single differences drawn at once. A draw takes 10 bytes: its narrow index and its
# difference, 2.5 MiB whatever n. What a seed gives depends on it.
DRAWN_INDICES = 1 << 18
# A multinomial count costs about as much as this many single draws.
COUNT_COST = 16

DeltasOf = Callable[[FloatArray], FloatArray]


def draw_sums(
    values: FloatArray,
    size: int,
    n_resamples: int,
    rng: np.random.Generator,
    keep_going: KeepGoing,
) -> FloatArray:
    """Sums of bootstrap samples of `size` draws from `values`, shape (n_resamples,)."""
    distinct, counts = np.unique(values, return_counts=True)
    sums = np.zeros(n_resamples)
    if distinct.size * COUNT_COST < size:
        chances = counts / values.size
        rows = max(1, DRAWN_INDICES // (distinct.size * COUNT_COST))
        for start in range(0, n_resamples, rows):
            check_going(keep_going)
            part = sums[start : start + rows]
            part[:] = rng.multinomial(size, chances, size=part.size) @ distinct
        return sums
    rows = min(n_resamples, max(1, DRAWN_INDICES // size))
    # Narrow indices are quicker to draw.
    kind = np.uint16 if values.size <= 1 << 16 else np.uint32
    for start in range(0, n_resamples, rows):
        part = sums[start : start + rows]
        # More than one piece only where a single resample is more than is held at once.
        for first in range(0, size, DRAWN_INDICES):
            check_going(keep_going)
            shape = (part.size, min(DRAWN_INDICES, size - first))
            part += values[rng.integers(0, values.size, size=shape, dtype=kind)].sum(axis=1)
    return sums


def bootstrap_deltas(
    rows: FloatArray,
    deltas_from: Callable[[FloatArray], DeltasOf],
    *,
    size: int,
    n_resamples: int,
    rng: np.random.Generator,
    keep_going: KeepGoing,
    breadth: int = 1,
) -> FloatArray:
    """Deltas of bootstrap samples, shape (n_resamples,).

    `deltas_from` takes distinct rows, shape (d, c), to a function from their counts, shape
    (resamples, d), to deltas, which holds `breadth` numbers for each where these are more.
    """
    deltas = np.empty(n_resamples)
    n = rows.shape[0]
    first, numbers = distinct_rows(rows, at_most=size // COUNT_COST)
    if first is None or numbers is None:
        deltas_of, chances = deltas_from(rows), None
    else:
        deltas_of, chances = deltas_from(rows[first]), numbers / n
    width = n if chances is None else chances.size
    resamples = max(1, CHUNK_DRAWS // max(width, breadth, size if chances is None else 1))
    for start in range(0, n_resamples, resamples):
        check_going(keep_going)
        part = deltas[start : start + resamples]
        counts = (
            drawn_counts(n, size, part.size, rng)
            if chances is None
            else rng.multinomial(size, chances, size=part.size)
        )
        part[:] = deltas_of(counts.astype(np.float64))
    return deltas


def random_swaps(
    numbers: IntArray, *, n_resamples: int, rng: np.random.Generator, keep_going: KeepGoing
) -> Iterator[FloatArray]:
    """How many of each kind of example are swapped, in chunks of shape (resamples, kinds)."""
    kinds = numbers.size
    single = bool((numbers == 1).all())
    held, drawn_at_once = (max(1, draws // kinds) for draws in (CHUNK_DRAWS, _DRAWN_SWAPS))
    if not single:
        for start in range(0, n_resamples, held):
            check_going(keep_going)
            part = min(held, n_resamples - start)
            yield rng.binomial(numbers, 0.5, size=(part, kinds)).astype(np.float64)
        return
    for start in range(0, n_resamples, drawn_at_once):
        part = min(drawn_at_once, n_resamples - start)
        drawn = rng.integers(0, 256, size=(part, -(-kinds // 8)), dtype=np.uint8)
        for first in range(0, part, held):
            check_going(keep_going)
            bits = np.unpackbits(drawn[first : first + held], axis=1, count=kinds)
            yield bits.astype(np.float64)


def all_swaps(n: int, *, keep_going: KeepGoing) -> Iterator[FloatArray]:
    """Every way to swap some of n examples, in chunks of shape (ways, n)."""
    places = np.arange(n)
    ways = CHUNK_DRAWS // max(1, n)
    for start in range(0, 1 << n, ways):
        check_going(keep_going)
        codes = np.arange(start, min(start + ways, 1 << n))
        yield ((codes[:, np.newaxis] >> places) & 1).astype(np.float64)


def distinct_rows(
    rows: FloatArray, *, at_most: int
) -> tuple[IntArray, IntArray] | tuple[None, None]:
    """First places and numbers of distinct rows, or Nones where there are more than `at_most`."""
    codes = row_codes(rows, at_most=at_most)
    if codes is None:
        return None, None
    _, first, numbers = np.unique(codes, return_index=True, return_counts=True)
    return first, numbers


def row_codes(rows: FloatArray, *, at_most: int) -> IntArray | None:
    """A number for each row, equal where rows are; None of more than `at_most` distinct ones."""
    codes: IntArray = np.zeros(rows.shape[0], dtype=np.intp)
    for column in rows.T:
        values, places = np.unique(column, return_inverse=True)
        # At most n codes times n values: no overflow.
        distinct, codes = np.unique(codes * values.size + places, return_inverse=True)
        if distinct.size > at_most:
            return None
    return codes


def drawn_counts(
    n: int, size: int, resamples: int, rng: np.random.Generator, *, kind: Any = np.int64
) -> IntArray:
    """How often each of n units is drawn, (resamples, n); a seed depends on the `kind`."""
    drawn = rng.integers(0, n, size=(resamples, size), dtype=kind).astype(np.intp, copy=False)
    drawn += n * np.arange(resamples)[:, np.newaxis]
    counts = np.bincount(drawn.ravel(), minlength=resamples * n)
    return counts.reshape(resamples, n)
