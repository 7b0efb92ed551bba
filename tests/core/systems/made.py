"""Systems whose order and kinship are known, and sums counted in the plain way."""

from collections.abc import Iterator

import numpy as np

from core.data.result_set import ResultSet
from core.types import FloatArray


def result_set(*tables: FloatArray, names: list[str] | None = None, **keywords) -> ResultSet:
    """A dataset a table, a system a column."""
    systems = names or [f"s{k}" for k in range(tables[0].shape[1])]
    return ResultSet.from_scores(
        {
            f"d{place}": {name: table[:, k] for k, name in enumerate(systems)}
            for place, table in enumerate(tables)
        },
        **keywords,
    )


def scores_of(kind: str, n: int, m: int, seed: int = 0) -> FloatArray:
    rng = np.random.default_rng(seed)
    both = 0.5 * rng.random((n, 1)) + 0.5 * rng.random((n, m)) + 0.1 * rng.random(m)
    if kind == "0/1":
        return (both > 0.55).astype(np.float64)
    if kind == "apart":
        return np.round(10.0 * both, 1) + rng.random((n, 1))
    return np.round(10.0 * both, 1) if kind == "one decimal" else both


def resamples(n: int, b: int, seed: int = 0) -> FloatArray:
    """Counts of b bootstrap samples of n examples."""
    rng = np.random.default_rng(seed)
    return np.array([np.bincount(rng.integers(0, n, n), minlength=n) for _ in range(b)], float)


def in_turn(counts: FloatArray) -> tuple[int, Iterator[FloatArray]]:
    """In parts of odd sizes, and how many these are."""
    parts = [counts[start : start + 37] for start in range(0, counts.shape[0], 37)]
    return len(parts), iter(parts)


def two_groups(n: int, m: int, seed: int = 0, *, spread: float = 0.05) -> FloatArray:
    """Continuous scores of m systems, the first half of one kind and the others of another.

    Systems of a kind share what they find hard, so that differences vary less.
    Quality rises with the place in each half.
    """
    rng = np.random.default_rng(seed)
    of_kind = rng.normal(size=(n, 2))
    half = m // 2
    level = spread * np.linspace(-1.0, 1.0, half)
    columns = [
        of_kind[:, k // half] * 0.8 + 0.3 * rng.normal(size=n) + level[k % half]
        for k in range(2 * half)
    ]
    return np.column_stack(columns) + rng.normal(size=(n, 1))
