"""Scores as they are given, numbers or digits, with the names that messages need."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

import numpy as np
import numpy.typing as npt

from ..data.p_value_table import exact_differences
from ..data.result_checks import checked_names
from ..errors import DataError, Problem
from ..significance.differences import Differences, paired_differences
from ..types import FloatArray

# Numbers, or digits as printed: those tie wherever they are printed as ties.
Scores = Sequence[float] | Sequence[str] | FloatArray

# With four, not even a one-sided Wilcoxon or sign test can reach .05: 1/16 is its smallest p.
FEWEST_DATASETS = 5
# Scores that were computed are off by a few roundings of the largest; that breaks no tie.
_ROUNDINGS = 2.0**-50


def too_few_datasets(n_datasets: int) -> str:
    """Why so few datasets are not tested, '' where they are enough."""
    if n_datasets >= FEWEST_DATASETS:
        return ""
    smallest = f"{2.0**-n_datasets:.10g}".removeprefix("0")
    return (
        f"Tests over datasets need at least {FEWEST_DATASETS} of them; got {n_datasets}. "
        f"With {n_datasets}, the smallest p that Wilcoxon's test or the sign test can reach "
        f"is {smallest} one-sided and twice that two-sided."
    )


def given_names(names: Sequence[str] | None, n: int, *, of: str) -> tuple[str, ...]:
    """The names given, or "dataset 1", "dataset 2" and so on where they are `of` "dataset"."""
    if names is None:
        return tuple(f"{of} {i + 1}" for i in range(n))
    checked = checked_names(names, name=f"{of}s")
    if len(checked) != n:
        raise ValueError(f"`{of}s` must have {n} names; got {len(checked)}.")
    return checked


def read_columns(
    columns: Sequence[Scores], *, datasets: Sequence[str], systems: Sequence[str]
) -> list[list[str] | FloatArray]:
    """Each system's scores as digits where they are printed, else as floats.

    Raises DataError if scores are missing; every one is named.
    """
    problems: list[Problem] = []
    read: list[list[str] | FloatArray] = []
    for column, system in zip(columns, systems, strict=True):
        entries: list[Any] = list(column.tolist() if isinstance(column, np.ndarray) else column)
        if missing := [i for i, entry in enumerate(entries) if _is_missing(entry)]:
            problems += [
                Problem(
                    what="There is no score.",
                    remedy="Add it, or leave the dataset out for every system.",
                    dataset=datasets[i],
                    column=system,
                )
                for i in missing
            ]
            continue
        for i, entry in enumerate(entries):
            if not _is_finite(entry):
                raise ValueError(
                    f"Scores must be finite numbers; got {entry!r} of system {system!r} on "
                    f"dataset {datasets[i]!r}."
                )
        if any(isinstance(entry, str) for entry in entries):
            read.append(
                [entry if isinstance(entry, str) else repr(float(entry)) for entry in entries]
            )
        else:
            read.append(np.array(entries, dtype=np.float64))
    if problems:
        raise DataError(problems)
    return read


def _is_missing(entry: object) -> bool:
    return entry is None or entry == "" or (isinstance(entry, float) and math.isnan(entry))


def _is_finite(entry: object) -> bool:
    try:
        value = Decimal(entry) if isinstance(entry, str) else entry
        return math.isfinite(value)  # type: ignore[arg-type]
    except (InvalidOperation, TypeError, ValueError, OverflowError):
        return False


def oriented_differences(
    a: list[str] | FloatArray, b: list[str] | FloatArray, *, higher_is_better: bool
) -> Differences:
    """A − B, turned so that higher is better; exact where a score is given in digits."""
    ahead, behind = (a, b) if higher_is_better else (b, a)
    if isinstance(ahead, np.ndarray) and isinstance(behind, np.ndarray):
        return paired_averages(ahead, behind)
    exact = np.array(exact_differences(_digits(ahead), _digits(behind)), dtype=np.float64)
    return paired_differences(exact, np.zeros_like(exact))


def paired_averages(a: FloatArray, b: FloatArray) -> Differences:
    """The differences of scores that may have been computed: rounding breaks no tie of sizes."""
    largest = max(float(np.abs(a).max(initial=0.0)), float(np.abs(b).max(initial=0.0)))
    return paired_differences(a, b, room=_ROUNDINGS * largest)


def _digits(scores: list[str] | FloatArray) -> list[str]:
    return scores if isinstance(scores, list) else [repr(score) for score in scores.tolist()]


def midranks(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Midranks in each row, the smallest value first, and the sum of t³ − t over its ties.

    Values that are equal but for a few roundings of the row's largest tie.
    """
    n, k = values.shape
    order = np.argsort(values, axis=1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=1)
    room = _ROUNDINGS * np.abs(values).max(axis=1, keepdims=True)
    starts = np.ones((n, k), dtype=np.bool_)
    starts[:, 1:] = np.diff(ordered, axis=1) > room
    group = np.cumsum(starts.ravel()) - 1
    sizes = np.bincount(group).astype(np.float64)
    first = np.tile(np.arange(1.0, k + 1.0), n)[starts.ravel()]
    ranks = np.empty((n, k))
    np.put_along_axis(ranks, order, (first + (sizes - 1.0) / 2.0)[group].reshape(n, k), axis=1)
    row = np.repeat(np.arange(n), k)[starts.ravel()]
    tied: FloatArray = np.bincount(row, weights=sizes**3 - sizes, minlength=n).astype(np.float64)
    return ranks, tied


def score_grid(scores: Any) -> npt.NDArray[np.object_]:
    """Rows of numbers or digits as an array of objects, shape (N, k)."""
    # A DataFrame would give the names of its columns.
    given = scores.to_numpy() if hasattr(scores, "to_numpy") else scores
    rows = given.tolist() if isinstance(given, np.ndarray) else list(given)
    # A text is a score, not a row of characters.
    no_rows = any(isinstance(row, str) or not isinstance(row, Iterable) for row in rows)
    rows = [] if no_rows else [list(row) for row in rows]
    if len({len(row) for row in rows}) != 1:
        raise ValueError("`scores` must have a row for each dataset, all of the same length.")
    grid = np.empty((len(rows), len(rows[0])), dtype=np.object_)
    for i, row in enumerate(rows):
        grid[i, :] = row
    return grid


def score_matrix(
    grid: npt.NDArray[np.object_], datasets: Sequence[str], systems: Sequence[str]
) -> FloatArray:
    """The same as finite floats; problems are those of `read_columns`."""
    columns = read_columns(list(grid.T), datasets=datasets, systems=systems)
    return np.array(
        [[float(entry) for entry in column] for column in columns], dtype=np.float64
    ).T.copy()
