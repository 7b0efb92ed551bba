"""Repeated runs of each example: which column tells them apart, and which scores count."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.data.layouts.pairing import n_distinct
from core.data.roles import AVERAGE_RUNS, ONLY_RUN, Roles, column_of
from core.data.tables.columns import heading
from core.data.tables.headings import RUN_HEADINGS
from core.data.tables.raw_table import RawTable
from core.data.words import listed, quoted
from core.errors import Choice, DataError, Problem
from core.types import FloatArray

# More different values than this count something else than runs.
MAX_RUNS = 1_000
# The first runs that can be chosen alone by a button.
_MOST_OFFERED = 12


def find_run(
    raw: RawTable,
    given: Roles,
    *,
    example: str | None,
    others: Sequence[str | None],
) -> str | None:
    """The column that tells repeated runs of the same examples apart, as given or found.

    Parameters
    ----------
    example : str or None
        The column of ids.
    others : sequence of str or None
        The columns that an example and system have in common over the runs:
        dataset, and where rows say so system and metric.
    """
    if "run" in given:
        return column_of(given, "run")
    taken = {example, *others}
    for column in raw.header:
        if (
            heading(column) in RUN_HEADINGS
            and column not in taken
            and _holds_runs(raw, column, example, [name for name in others if name is not None])
        ):
            return column
    return None


def _holds_runs(raw: RawTable, column: str, example: str | None, others: Sequence[str]) -> bool:
    runs = raw.coded(column)
    if not 2 <= len(runs.array) <= MAX_RUNS:
        return False
    keys = [raw.coded(name).codes for name in others]
    if example is not None:
        keys.append(raw.coded(example).codes)
        n_examples, n_rows = n_distinct(*keys), n_distinct(*keys, runs.codes)
        # A few rows may stand twice by mistake: those are named later.
        return n_rows > n_examples and n_rows - n_examples > raw.n_rows - n_rows
    # Without ids: each run of a dataset has equally many rows, and more than one.
    n_keys = n_distinct(*keys) if keys else 1
    n_cells = n_distinct(*keys, runs.codes)
    if n_cells != n_keys * len(runs.array) or n_cells == raw.n_rows:
        return False
    return _same_size_in_every_run(raw, column, others)


def _same_size_in_every_run(raw: RawTable, column: str, others: Sequence[str]) -> bool:
    runs = raw.coded(column)
    key = np.zeros(raw.n_rows, dtype=np.int64)
    for name in others:
        coded = raw.coded(name)
        key = key * len(coded.array) + coded.codes
    _, key = np.unique(key, return_inverse=True)
    counts = np.bincount(key.ravel() * len(runs.array) + runs.codes).reshape(-1, len(runs.array))
    return bool((counts == counts[:, :1]).all() and counts.min() > 1)


def settle_runs(
    raw: RawTable, roles: Roles
) -> tuple[RawTable, str | None, tuple[Choice, ...], tuple[str, ...]]:
    """The rows that count, by what was declared of the runs.

    Returns
    -------
    raw : RawTable
        All rows, or those of the run that was chosen.
    column : str or None
        The column whose runs are still to be averaged.
    choices, remarks : tuples
        The question, and what was done about it.

    Raises
    ------
    DataError
        If there are runs and nothing is declared about them, or a run that
        the column does not hold.
    """
    column = column_of(roles, "run")
    if column is None:
        return raw, None, (), ()
    runs = [name for name in raw.coded(column).texts if name]
    if len(runs) < 2:
        return raw, None, (), ()
    choice = _choice(column, runs)
    declared = roles.get("runs")
    if declared == AVERAGE_RUNS:
        remark = (
            f"Averaged, as chosen: the {len(runs):,} runs of each example in {quoted(column)}. "
            "Scores are then means over runs, so 0 and 1 no longer stand for wrong and right."
        )
        return raw, column, (choice,), (remark,)
    if isinstance(declared, str) and declared.startswith(ONLY_RUN):
        chosen = declared.removeprefix(ONLY_RUN)
        if chosen in runs:
            coded = raw.coded(column)
            kept = raw.kept(coded.codes == coded.texts.index(chosen))
            remark = (
                f"Read, as chosen: run {quoted(chosen)} of {quoted(column)} alone; "
                f"{raw.n_rows - kept.n_rows:,} rows of other runs are left aside."
            )
            return kept, None, (choice,), (remark,)
        problem = Problem(
            what=f"The column has no run {quoted(chosen)}.",
            remedy=f"Its runs are {listed(runs)}.",
            column=column,
        )
    else:
        problem = Problem(
            what=f"The column holds {len(runs):,} runs of the same examples, {listed(runs[:3])}"
            f"{' among them' if len(runs) > 3 else ''}. Repeated runs are no further examples.",
            remedy="Average them, or choose one of them. If the rows are different examples, "
            "declare that no column holds runs.",
            column=column,
        )
    raise DataError([problem], columns=raw.header, choices=[choice])


def mean_of_runs(scores: FloatArray, decimals: int) -> FloatArray:
    """Mean over the last axis; sums of scores with few decimals are exact, so equal means stay equal."""
    if scores.shape[-1] == 1:
        return scores[..., 0]
    sums = scores.sum(axis=-1)
    means: FloatArray = np.round(sums, min(decimals, 12)) / scores.shape[-1]
    return means


def _choice(column: str, runs: Sequence[str]) -> Choice:
    return Choice(
        role="runs",
        question=f"{quoted(column)} holds {len(runs):,} runs of each example. Which scores count?",
        options=(
            (AVERAGE_RUNS, f"Average the {len(runs):,} runs of each example"),
            *((f"{ONLY_RUN}{run}", f"Use run {run} only") for run in runs[:_MOST_OFFERED]),
        ),
    )
