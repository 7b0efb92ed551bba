"""Repeated runs of each example: which column tells them apart."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from core.data.layouts.example_columns import counts_rows
from core.data.layouts.pairing import Pairing, n_distinct
from core.data.repeated_runs import RepeatedRuns
from core.data.roles import Roles, column_of
from core.data.tables.columns import heading
from core.data.tables.headings import RUN_HEADINGS
from core.data.tables.number_column import numbers_of
from core.data.tables.raw_table import RawTable
from core.types import FloatArray, IntArray


def ids_and_runs(
    raw: RawTable,
    given: Roles,
    *,
    example: str | None,
    others: Sequence[str | None],
    single_rows: bool = False,
) -> tuple[str | None, str | None]:
    """The column of ids, and the one that tells repeated runs of the same examples apart.

    Parameters
    ----------
    example : str or None
        The column of ids, as given or found.
    others : sequence of str or None
        The columns that an example and system have in common over the runs:
        dataset, and where rows say so system and metric.
    single_rows : bool
        Whether a run may have a single row, a score of it as a whole: without
        ids the runs are then what is compared.
    """
    ids = example
    if "example" not in given and example is not None and _counts_rows(raw, example, others[0]):
        ids = None
    run = _find_run(raw, given, example=ids, others=others, single_rows=single_rows)
    if run is None and ids is None and single_rows and not {"run", "example"} & given.keys():
        ids = _single_row_runs(raw, others)
        return example if ids is None else ids, None
    return (example, None) if run is None else (ids, run)


def _find_run(
    raw: RawTable,
    given: Roles,
    *,
    example: str | None,
    others: Sequence[str | None],
    single_rows: bool,
) -> str | None:
    if "run" in given:
        return column_of(given, "run")
    named = [name for name in others if name is not None]
    for column in _headed_like_runs(raw, (example, *others, column_of(given, "cluster"))):
        if len(raw.coded(column).array) < 2 or raw.is_blank(column):
            continue
        if example is not None:
            # Where no id stands in two runs, nothing is repeated.
            keys = [raw.coded(name).codes for name in (*named, example)]
            if n_distinct(*keys, raw.coded(column).codes) > n_distinct(*keys):
                return column
        elif not (single_rows and _has_single_rows(raw, column, named)):
            return column
    return None


def _single_row_runs(raw: RawTable, others: Sequence[str | None]) -> str | None:
    """The column of runs with one row each, of which there are several."""
    named = [name for name in others if name is not None]
    keys = [raw.coded(name).codes for name in named]
    if raw.n_rows < 2 or (keys and n_distinct(*keys) == raw.n_rows):
        return None
    columns = _headed_like_runs(raw, others)
    return next((column for column in columns if _has_single_rows(raw, column, named)), None)


def _headed_like_runs(raw: RawTable, taken: Sequence[str | None]) -> Iterator[str]:
    for column in raw.header:
        if heading(column) in RUN_HEADINGS and column not in taken:
            yield column


def _has_single_rows(raw: RawTable, column: str, others: Sequence[str]) -> bool:
    keys = [raw.coded(name).codes for name in (*others, column)]
    return n_distinct(*keys) == raw.n_rows


def _counts_rows(raw: RawTable, example: str, dataset: str | None) -> bool:
    """Whether a counter goes on through all rows of a dataset, whatever run they are of."""
    if not counts_rows(example) or raw.n_rows < 2:
        return False
    values = numbers_of(raw, example).values
    if dataset is None:
        return bool((np.diff(values) == 1.0).all())
    codes = raw.coded(dataset).codes
    order = np.argsort(codes, kind="stable")
    same = codes[order][1:] == codes[order][:-1]
    steps = np.diff(values[order])
    return bool((np.diff(values) == 1.0).all() or (steps[same] == 1.0).all())


def kept_runs(
    roles: Roles,
    pairing: Pairing,
    n_systems: int,
    values: Mapping[str, tuple[tuple[FloatArray, ...] | None, ...]],
) -> RepeatedRuns | None:
    """The scores of each run beside their means; None where there is one run."""
    column, runs = column_of(roles, "run"), pairing.names[2]
    if column is None or len(runs) < 2:
        return None
    return RepeatedRuns(column=column, names=pairing.own_runs or (runs,) * n_systems, values=values)


def by_dataset(
    of_systems: Sequence[FloatArray], ends: IntArray
) -> tuple[tuple[FloatArray, ...], ...]:
    """Each system's scores of runs, shape (n_examples, n_runs), for each dataset apart."""
    split = [np.split(scores, ends[:-1]) for scores in of_systems]
    return tuple(zip(*split, strict=True))


def mean_of_runs(scores: FloatArray, decimals: int) -> FloatArray:
    """Mean over the last axis; sums of scores with few decimals are exact, so equal means stay equal."""
    if scores.shape[-1] == 1:
        return scores[..., 0]
    sums = scores.sum(axis=-1)
    means: FloatArray = np.round(sums, min(decimals, 12)) / scores.shape[-1]
    return means
