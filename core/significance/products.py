"""Products of matrices on the thread that asks for them."""

from __future__ import annotations

from core.types import FloatArray

# Multiplications in one piece. From 2**18 on BLAS shares a product among threads of its own, and
# waits for the last of them: beside other work that takes a hundred times as long as the product.
_MULTIPLICATIONS = 1 << 17


def product(counts: FloatArray, rows: FloatArray) -> FloatArray:
    """Of counts, shape (resamples, d), and rows, shape (d, c)."""
    resamples, width = counts.shape
    columns = rows.shape[1]
    step = max(1, _MULTIPLICATIONS // max(1, resamples * columns))
    sums = counts[:, :step] @ rows[:step]
    for start in range(step, width, step):
        sums += counts[:, start : start + step] @ rows[start : start + step]
    return sums
