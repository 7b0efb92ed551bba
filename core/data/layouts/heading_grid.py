"""Headings that name dataset and system together, as 'ar_mbert', 'ar_xlmr', 'cs_mbert', 'cs_xlmr'.

A file does not say whether these are systems on one dataset, so its owner is asked;
read as datasets, the columns are put below one another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from core.data.layouts.example_columns import base_columns
from core.data.layouts.metric_grid import metric_grid
from core.data.layouts.nothing import incomplete_rows
from core.data.layouts.score_cells import numeric_columns
from core.data.roles import COVARIATES, NAME_ORDERS, Roles, several_of, systems_of
from core.data.tables.columns import folded, heading
from core.data.tables.headings import RUN_HEADINGS
from core.data.tables.raw_table import RawTable
from core.data.words import listed, quoted
from core.errors import Choice, DataError, Problem
from core.types import IntArray

DATASET_FIRST, SYSTEM_FIRST, _, ONE_DATASET = NAME_ORDERS
DATASET = "dataset"
_SEPARATORS = "|/:._- "
# Of so many names a few stand for all in an answer.
_MOST_NAMED = 3
# With such endings headings name variants of a system: 'bert-base', 'bert-large'.
_VARIANTS = frozenset(
    {"tiny", "mini", "small", "medium", "base", "large", "huge", "xl", "xxl", "cased", "uncased"}
)
_NUMBERED = re.compile(r"v?[0-9.]+[bmk]?")


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadingGrid:
    """Columns of which each heading is a first part and a second part, on a full grid.

    Attributes
    ----------
    firsts, seconds : tuple of str
        Two or more of each, in the order of the columns.
    columns : dict of (first, second) to column
        Complete.
    """

    firsts: tuple[str, ...]
    seconds: tuple[str, ...]
    columns: dict[tuple[str, str], str]

    def names(self, order: object) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The datasets and the systems, where they stand in this order."""
        both = (self.firsts, self.seconds)
        return both if order == DATASET_FIRST else both[::-1]

    def column(self, dataset: str, system: str, order: object) -> str:
        """The column of a dataset and a system."""
        return self.columns[(dataset, system) if order == DATASET_FIRST else (system, dataset)]


def heading_grid(columns: Sequence[str]) -> HeadingGrid | None:
    """Headings cut at one separator into parts that all go together; None where no cut does that."""
    if len(columns) < 4 or metric_grid(columns) is not None:
        return None
    return next(_grids(columns), None)


def _grids(columns: Sequence[str]) -> Iterator[HeadingGrid]:
    given = set(columns)
    for separator in _SEPARATORS:
        pieces = columns[0].split(separator)
        for cut in range(1, len(pieces)):
            left, right = separator.join(pieces[:cut]), separator.join(pieces[cut:])
            seconds = [c[len(left) + 1 :] for c in columns if c.startswith(left + separator)]
            firsts = [c[: -len(right) - 1] for c in columns if c.endswith(separator + right)]
            if len(firsts) * len(seconds) != len(columns) or min(len(firsts), len(seconds)) < 2:
                continue
            # What else separates belongs to no name: 'ar | mbert', 'ar__mbert'.
            bare = {part: part.strip(f" {separator}") for part in (*firsts, *seconds)}
            found = {(bare[a], bare[b]): f"{a}{separator}{b}" for a in firsts for b in seconds}
            firsts, seconds = [bare[a] for a in firsts], [bare[b] for b in seconds]
            names = [*firsts, *seconds]
            if set(found.values()) != given or len({folded(name) for name in names}) < len(names):
                continue
            # A part that is empty, as in '_x' and 'ar_x', names nothing.
            if not all(names):
                continue
            if not _are_runs(firsts) and not _are_runs(seconds) and not _are_variants(seconds):
                yield HeadingGrid(firsts=tuple(firsts), seconds=tuple(seconds), columns=found)


def _are_runs(parts: Sequence[str]) -> bool:
    """Whether parts of headings say which run of a system it is: 'seed1', 'seed2'."""
    return all(heading(part).rstrip("0123456789").strip() in RUN_HEADINGS for part in parts)


def _are_variants(parts: Sequence[str]) -> bool:
    """Whether parts of headings number or size a system: '1', 'v2', '7b', 'large'."""
    return all(part.lower() in _VARIANTS or _NUMBERED.fullmatch(part.lower()) for part in parts)


def ask_for_order(raw: RawTable, given: Roles, systems: Sequence[str]) -> None:
    """Ask whether columns that nobody chose are systems, or systems on several datasets.

    Raises
    ------
    DataError
        With the question, where the headings leave it open and it was not answered.
    """
    grid = None if given.get("name_order") else _grid_of(raw, given, systems)
    if grid is None:
        return
    raise DataError(
        [
            Problem(
                what=f"Each heading has two parts, as {quoted(systems[0])}, that may name a "
                "dataset and a system.",
                remedy="Say what they are, or stack the columns: a column 'dataset', and one "
                "column for each system.",
                answered_by="name_order",
            )
        ],
        columns=raw.header,
        choices=(_order_choice(raw, grid),),
    )


def _order_choice(raw: RawTable, grid: HeadingGrid) -> Choice:
    """The question which part of the headings is the dataset, without what the lengths rule out."""
    orders = (DATASET_FIRST, SYSTEM_FIRST)
    fitting = [order for order in orders if _lengths_fit(raw, grid, order)]
    return Choice(
        role="name_order",
        question="Do the headings name datasets and systems together?",
        options=(
            *((order, _in_words(grid, order)) for order in fitting or orders),
            (ONE_DATASET, f"No, {len(grid.columns)} systems on one dataset"),
        ),
    )


def settle_headings(raw: RawTable, given: Roles) -> tuple[RawTable, tuple[Choice, ...]]:
    """The table as the question was answered, and the question; as it is where none was asked.

    Datasets are put below one another. Of each the rows up to the last one that
    holds any of its scores are kept, so that shorter ones may end in blanks.
    """
    order = given.get("name_order")
    if order not in (DATASET_FIRST, SYSTEM_FIRST, ONE_DATASET):
        return raw, ()
    # Roles given since then name columns of the table that is made here.
    known: Roles = {
        role: name
        for role, name in given.items()
        if role in ("example", "cluster", "run") and name in raw.header
    }
    shown = raw.without(several_of(given, COVARIATES) or ())
    _, example, _ = base_columns(shown, known)
    beside = (example, known.get("cluster"), known.get("run"))
    taken = [column for column in beside if isinstance(column, str)]
    columns = numeric_columns(shown, taken)
    grid = _grid_of(shown, known, columns)
    if grid is None:
        return raw, ()
    choices = (_order_choice(raw, grid),)
    return (raw if order == ONE_DATASET else _stacked(raw, grid, order)), choices


def _stacked(raw: RawTable, grid: HeadingGrid, order: object) -> RawTable:
    datasets, systems = grid.names(order)
    rows = [
        np.arange(_length(raw, [grid.column(name, system, order) for system in systems]))
        for name in datasets
    ]
    every = np.concatenate(rows)
    columns = set(grid.columns.values())
    beside = [column for column in raw.header if column not in columns]
    arrays = [raw.column(column).take(pa.array(every)) for column in beside]
    codes = np.repeat(np.arange(len(datasets), dtype=np.int32), [part.size for part in rows])
    names = pa.DictionaryArray.from_arrays(pa.array(codes), pa.array(datasets))
    for system in systems:
        parts = [
            raw.column(grid.column(name, system, order)).slice(0, part.size)
            for name, part in zip(datasets, rows, strict=True)
        ]
        arrays.append(pa.concat_arrays(parts))
    first, second = ("dataset", "system") if order == DATASET_FIRST else ("system", "dataset")
    remark = (
        f"The headings are read as {first} and {second}: the datasets are {listed(datasets)}, "
        f"the systems {listed(systems)}."
    )
    return replace(
        raw,
        header=(DATASET, *beside, *systems),
        columns=(names, *arrays),
        lines=raw.lines[every],
        remarks=(*raw.remarks, remark),
    )


def _grid_of(raw: RawTable, given: Roles, systems: Sequence[str]) -> HeadingGrid | None:
    """The grid of the systems' headings, in a single table that names no datasets otherwise."""
    if systems_of(given) is not None or raw.origin is not None:
        return None
    dataset, _, _ = base_columns(raw, given)
    if dataset is not None or DATASET in {heading(column) for column in raw.header}:
        return None
    grid = heading_grid(systems)
    if grid is None:
        return None
    others = {heading(column) for column in raw.header if column not in systems}
    parts = {heading(part) for part in (*grid.firsts, *grid.seconds)}
    return None if others & parts or DATASET in parts else grid


def _filled(raw: RawTable, column: str) -> IntArray:
    """The rows in which a column holds something."""
    rows: IntArray = np.flatnonzero(~incomplete_rows(raw, [column]))
    return rows


def _length(raw: RawTable, columns: Sequence[str]) -> int:
    """The number of rows up to the last in which one of these columns holds something."""
    return max(int(_filled(raw, column).max(initial=-1)) + 1 for column in columns)


def _lengths_fit(raw: RawTable, grid: HeadingGrid, order: str) -> bool:
    """Whether all columns of each dataset hold equally many scores, without a gap."""
    datasets, systems = grid.names(order)
    return all(
        len({_filled(raw, grid.column(name, system, order)).size for system in systems}) == 1
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
