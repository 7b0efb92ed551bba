"""Columns of datasets and systems together put below one another, as the question was answered.

With one gold column beside them each dataset is compared
with all of it: a row is then the same example in every dataset.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import pyarrow as pa

from ...errors import Choice, DataError, Problem
from ...types import IntArray
from ..roles import COVARIATES, LAYOUT, Roles, column_of, several_of, systems_of
from ..tables.headings import (
    DATASET_FIRST,
    ONE_DATASET,
    SYSTEM_FIRST,
    HeadingGrid,
    heading,
    two_parts,
)
from ..tables.raw_table import PutTogether, RawTable
from ..words import listed, quoted
from .columns import Columns, held
from .row_units import incomplete_rows
from .score_cells import numeric_columns

DATASET = "dataset"
# Of so many names a few stand for all in an answer.
_MOST_NAMED = 3
# A kind of file that says which columns hold results, and of what gold.
Recognise = Callable[[Columns], Roles | None]


def ask_for_order(columns: Columns, systems: Sequence[str], *, one_gold: bool = False) -> None:
    """Ask whether columns that nobody chose are systems, or systems on several datasets.

    With `one_gold` all of them are compared with one column, so that their lengths say nothing.

    Raises
    ------
    DataError
        With the question, where the headings leave it open and it was not answered.
    """
    raw = columns.raw
    grid = None if columns.given.get("name_order") else grid_of(columns, systems)
    if grid is None:
        return
    raise DataError.of(
        f"Each heading has two parts, as {quoted(systems[0])}, that may name a "
        "dataset and a system.",
        "Say what they are, or stack the columns: a column 'dataset', and one "
        "column for each system.",
        answered_by="name_order",
        columns=raw.header,
        choices=(order_choice(raw, grid, one_gold=one_gold),),
    )


def order_choice(raw: RawTable, grid: HeadingGrid, *, one_gold: bool) -> Choice:
    """The question which part of the headings is the dataset, without what the lengths rule out."""
    orders = (DATASET_FIRST, SYSTEM_FIRST)
    fitting = [order for order in orders if one_gold or _lengths_fit(raw, grid, order)]
    return Choice(
        role="name_order",
        question="Do the headings name datasets and systems together?",
        options=(
            *((order, _in_words(grid, order)) for order in fitting or orders),
            (ONE_DATASET, f"No, {len(grid.columns)} systems on one dataset"),
        ),
    )


def grid_of(columns: Columns, systems: Sequence[str]) -> HeadingGrid | None:
    """The grid of the systems' headings, in a single table that names no datasets otherwise."""
    raw = columns.raw
    if systems_of(columns.given) is not None or raw.origin is not None:
        return None
    if columns.dataset is not None or DATASET in {heading(column) for column in raw.header}:
        return None
    grid = two_parts(systems)
    if grid is None:
        return None
    others = {heading(column) for column in raw.header if column not in systems}
    parts = {heading(part) for part in (*grid.firsts, *grid.seconds)}
    return None if others & parts or DATASET in parts else grid


def filled_rows(raw: RawTable, column: str) -> IntArray:
    """The rows in which a column holds something."""
    rows: IntArray = np.flatnonzero(~incomplete_rows(raw, [column]))
    return rows


def _lengths_fit(raw: RawTable, grid: HeadingGrid, order: str) -> bool:
    """Whether all columns of each dataset hold equally many scores, without a gap."""
    datasets, systems = grid.names(order)
    return all(
        len({filled_rows(raw, grid.column(name, system, order)).size for system in systems}) == 1
        for name in datasets
    )


def _in_words(grid: HeadingGrid, order: str) -> str:
    """Write "9 datasets × 3 systems (ar, cs, … × mbert, xlmr, ours)"."""
    datasets, systems = grid.names(order)
    return (
        f"{len(datasets)} datasets × {len(systems)} systems ({_some(datasets)} × {_some(systems)})"
    )


def _some(names: Sequence[str]) -> str:
    if len(names) <= _MOST_NAMED:
        return ", ".join(names)
    return ", ".join((*names[: _MOST_NAMED - 1], "…"))


def _in_the_file(
    raw: RawTable, headings: Mapping[tuple[str, str], str], problems: Iterable[Problem]
) -> list[Problem]:
    """The problems with the file's own headings, those of a cell of all datasets once."""
    beside = set(raw.header) - {DATASET, *(system for _, system in headings)}
    found = []
    for problem in problems:
        dataset, column = problem.dataset, problem.column
        if dataset is not None and column is not None:
            own = headings.get((dataset, column))
            if own is not None:
                problem = replace(problem, column=own)
            elif column in beside and problem.line is not None:
                problem = replace(problem, dataset=None)
        found.append(problem)
    return list(dict.fromkeys(found))


def settle_headings(
    raw: RawTable, given: Roles, kinds: Sequence[tuple[str, Recognise]]
) -> PutTogether:
    """The table as the question was answered, and the question; as it is where none was asked.

    `kinds` are those whose systems are compared with gold, by name.

    Datasets are put below one another. Of each the rows up to the last one that
    holds any of its scores are kept, so that shorter ones may end in blanks; where
    one column holds the gold labels of all, every row is one of each dataset.
    """
    order = given.get("name_order")
    if order not in (DATASET_FIRST, SYSTEM_FIRST, ONE_DATASET):
        return PutTogether(raw=raw)
    # Roles given since then name columns of the table that is made here.
    known: Roles = {
        role: name
        for role, name in given.items()
        if (role in ("example", "cluster", "run", "gold") and name in raw.header)
        or (role == "gold" and name is None)
        or role in ("name_order", LAYOUT)
    }
    shown = Columns(raw.without(several_of(given, COVARIATES) or ()), known)
    systems, gold = _columns_asked_about(shown, kinds)
    grid = grid_of(shown, systems)
    if grid is None:
        return PutTogether(raw=raw)
    choices = (order_choice(raw, grid, one_gold=gold is not None),)
    if order == ONE_DATASET:
        return PutTogether(raw=raw, choices=choices)
    datasets, systems = grid.names(order)
    stacked = _stacked(raw, grid, order, gold)
    headings = {
        (name, system): grid.column(name, system, order) for name in datasets for system in systems
    }
    return PutTogether(
        raw=stacked, choices=choices, in_the_file=partial(_in_the_file, stacked, headings)
    )


def _columns_asked_about(
    columns: Columns, kinds: Sequence[tuple[str, Recognise]]
) -> tuple[Sequence[str], str | None]:
    """The columns of results, and the one column of gold labels that they are compared with."""
    known = columns.given
    for name, recognise in kinds:
        if known.get(LAYOUT) not in (None, name):
            continue
        try:
            roles = recognise(columns)
        except DataError:
            # Another question, asked of the table that is made here.
            continue
        if roles is not None and column_of(roles, "gold") is not None:
            return systems_of(roles) or (), column_of(roles, "gold")
    beside = held(columns.example, column_of(known, "cluster"), column_of(known, "run"))
    return numeric_columns(columns.raw, beside), None


def _stacked(raw: RawTable, grid: HeadingGrid, order: object, gold: str | None) -> RawTable:
    datasets, systems = grid.names(order)
    own = [[grid.column(name, system, order) for system in systems] for name in datasets]
    lengths = [raw.n_rows if gold is not None else _length(raw, columns) for columns in own]
    every = np.concatenate([np.arange(length) for length in lengths])
    columns = set(grid.columns.values())
    beside = [column for column in raw.header if column not in columns]
    arrays = [raw.column(column).take(pa.array(every)) for column in beside]
    codes = np.repeat(np.arange(len(datasets), dtype=np.int32), lengths)
    names = pa.DictionaryArray.from_arrays(pa.array(codes), pa.array(datasets))
    for of_system in zip(*own, strict=True):
        parts = [
            raw.column(column).slice(0, length)
            for column, length in zip(of_system, lengths, strict=True)
        ]
        arrays.append(pa.concat_arrays(parts))
    return replace(
        raw,
        header=(DATASET, *beside, *systems),
        columns=(names, *arrays),
        lines=raw.lines[every],
        remarks=(*raw.remarks, *_remarks(datasets, systems, order, gold)),
    )


def _remarks(
    datasets: Sequence[str], systems: Sequence[str], order: object, gold: str | None
) -> list[str]:
    first, second = ("dataset", "system") if order == DATASET_FIRST else ("system", "dataset")
    remarks = [
        f"The headings are read as {first} and {second}: the datasets are {listed(datasets)}, "
        f"the systems {listed(systems)}."
    ]
    if gold is not None:
        remarks.append(
            f"Every dataset is compared with the one column {quoted(gold)}, line by line: the "
            "datasets share their examples, be they translated."
        )
    return remarks


def _length(raw: RawTable, columns: Sequence[str]) -> int:
    """The number of rows up to the last in which one of these columns holds something."""
    return max(int(filled_rows(raw, column).max(initial=-1)) + 1 for column in columns)
