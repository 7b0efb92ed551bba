"""The scores of a grid: one cell for each dataset and system."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

import numpy as np

from core.data.layouts.grid_places import Grid
from core.data.layouts.incomplete import leaves_out
from core.data.layouts.nothing import NOTHING_WORDS
from core.data.layouts.number_notation import mixes_percent, notation_remarks, percent_words
from core.data.layouts.per_example import ExampleFindings
from core.data.layouts.scales import Extents, check_scales
from core.data.roles import Roles
from core.data.tables.number_column import numbers_of
from core.data.tables.numbers import UnreadableNumber, read_number
from core.data.words import quoted
from core.errors import Problem
from core.types import BoolArray, FloatArray, IntArray

_GIVE_SCORE = "Give the score, or leave the dataset out for every system."


def read_cells(found: ExampleFindings, roles: Roles, grid: Grid) -> tuple[FloatArray, BoolArray]:
    """Each dataset's and system's score, and which are missing; other cells without are problems."""
    values = np.full(grid.rows.shape, np.nan)
    missing: BoolArray = grid.rows < 0
    by_column = {column: numbers_of(found.raw, column) for column in grid.columns}
    found.remarks.extend(notation_remarks(by_column))
    mixed_in = {
        column: mixes_percent(numbers, _in_grid(grid, column, found.raw.n_rows))
        for column, numbers in by_column.items()
    }
    for index, column in enumerate(grid.columns):
        numbers, rows = numbers_of(found.raw, column), grid.rows[:, index]
        held = np.flatnonzero(rows >= 0)
        values[held, index] = numbers.values[rows[held]]
        wrong = ~np.isfinite(values[held, index])
        if not found.raw.decimal_comma:
            wrong |= numbers.is_comma[numbers.coded.codes[rows[held]]]
        texts = found.raw.column(column)
        mixed = mixed_in[column][rows[held]]
        for place in held[wrong | mixed].tolist():
            row = int(rows[place])
            text = texts[row].as_py()
            if text == "" or text.casefold() in NOTHING_WORDS:
                missing[place, index] = True
                if leaves_out(roles):
                    continue
                what = f"{quoted(text)} stands where a score should." if text else ""
                what, remedy = what or "There is no score.", _GIVE_SCORE
            elif mixed_in[column][row]:
                what, remedy = percent_words(text)
            else:
                what, remedy = _unreadable(text, decimal_comma=found.raw.decimal_comma)
            found.problems.append(
                Problem(
                    what=what,
                    remedy=remedy,
                    dataset=grid.datasets[place] or None,
                    column=column,
                    line=int(found.raw.lines[row]),
                    file=found.raw.file_of(row, column),
                )
            )
    return values, missing


def _in_grid(grid: Grid, column: str, n_rows: int) -> IntArray:
    """1 for each row of which this column's cell is read, 0 for others."""
    held = np.zeros(n_rows, dtype=np.intp)
    own = grid.rows[:, [name == column for name in grid.columns]]
    held[own[own >= 0]] = 1
    return held


def _unreadable(text: str, *, decimal_comma: bool) -> tuple[str, str]:
    try:
        read_number(text, decimal_comma=decimal_comma)
    except UnreadableNumber as error:
        return error.what, error.remedy
    return f"{quoted(text)} is not a number.", "Give a number such as 90.7."


def report_missing(
    found: ExampleFindings, grid: Grid, missing: BoolArray, *, in_rows: bool
) -> None:
    """Problems of systems that have no row on a dataset; empty cells are problems already."""

    def problems() -> Iterator[Problem]:
        for place, index in np.argwhere(missing & (grid.rows < 0)).tolist():
            yield Problem(
                what=f"The system {quoted(grid.systems[index])} has no score on this dataset.",
                remedy="Add its row, or leave the dataset out for every system.",
                dataset=grid.datasets[place] or None,
            )

    if in_rows:
        found.problems.extend(problems())


def printed_row(found: ExampleFindings, grid: Grid, index: int) -> tuple[str, ...]:
    """One dataset's scores in the digits given, with '.' as decimal mark."""
    printed = []
    for column, row in zip(grid.columns, grid.rows[index].tolist(), strict=True):
        try:
            digits = read_number(found.raw.column(column)[row].as_py(), decimal_comma=True).digits
        except UnreadableNumber:
            digits = repr(float(numbers_of(found.raw, column).values[row]))
        printed.append(digits)
    return tuple(printed)


def find_scales(
    found: ExampleFindings,
    roles: Roles,
    grid: Grid,
    values: FloatArray,
    datasets: tuple[str, ...],
) -> None:
    """A problem where systems are on different scales, unless they were said to be on one."""
    signed = [bool(numbers_of(found.raw, column).is_percent.any()) for column in grid.columns]
    extents = Extents(
        datasets=datasets,
        systems=grid.systems,
        lowest=values,
        highest=values,
        percent=np.array(signed, dtype=np.bool_),
    )
    scales = check_scales(extents, roles, metric=cast("str | None", roles["metric"]))
    found.problems.extend(scales.problems)
    found.remarks.extend(scales.remarks)
    found.choices.extend(scales.choices)
