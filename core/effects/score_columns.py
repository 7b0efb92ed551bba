"""Scores of whole datasets, given as numbers or digits, and what they are compared by."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ..data.p_value_table import PValueTable
from ..data.result_checks import checked_names
from ..data.score_table import ScoreTable
from ..errors import DataError, Problem
from ..significance.differences import Differences, paired_differences, tied
from ..types import FloatArray
from ..validation import is_missing

# Numbers, or digits as printed.
Scores = Sequence[float] | Sequence[str] | FloatArray

# With four, not even a one-sided Wilcoxon or sign test can reach .05: 1/16 is its smallest p.
FEWEST_DATASETS = 5
# Scores that were computed are off by a few roundings of the largest; that breaks no tie.
ROUNDINGS = 2.0**-50


def systems_of(table: ScoreTable | PValueTable) -> tuple[str, ...]:
    """The systems that a table has scores of."""
    return table.systems if isinstance(table, ScoreTable) else (table.system_a, table.system_b)


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
) -> FloatArray:
    """A column of finite scores for each system, shape (N, k).

    Raises DataError if scores are missing; every one is named.
    """
    problems: list[Problem] = []
    values = np.zeros((len(datasets), len(systems)))
    for j, (column, system) in enumerate(zip(columns, systems, strict=True)):
        for i, (entry, dataset) in enumerate(zip(column, datasets, strict=True)):
            if is_missing(entry) or entry == "":
                what, remedy = (
                    "There is no score.",
                    "Add it, or leave the dataset out for every system.",
                )
                problems.append(Problem(what=what, remedy=remedy, dataset=dataset, column=system))
                continue
            try:
                values[i, j] = entry
            except (TypeError, ValueError, OverflowError):
                values[i, j] = np.nan
            if not math.isfinite(values[i, j]):
                raise ValueError(
                    f"Scores must be finite numbers; got {entry!r} of system {system!r} on "
                    f"dataset {dataset!r}."
                )
    if problems:
        raise DataError(problems)
    return values


def paired_averages(a: FloatArray, b: FloatArray) -> Differences:
    """The differences of scores that may have been computed: rounding breaks no tie of sizes."""
    largest = max(float(np.abs(a).max(initial=0.0)), float(np.abs(b).max(initial=0.0)))
    return paired_differences(a, b, room=ROUNDINGS * largest)


def midranks(values: FloatArray) -> FloatArray:
    """Midranks in each row, the smallest value first; rounding of the row's largest breaks no tie."""
    from scipy.stats import rankdata

    room = ROUNDINGS * np.abs(values).max(axis=1, keepdims=True)
    return np.asarray(rankdata(tied(values, room), axis=1), dtype=np.float64)
