"""Files of one value a line, side by side in one table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
import pyarrow as pa

from core.data.sources.column_table import PutTogether, table_of_columns
from core.data.sources.name_grid import NameGrid, find_grid, stems_of
from core.data.sources.score_list import ScoreList
from core.data.words import listed
from core.errors import DataError, Problem
from core.types import IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Grid:
    """The file of each cell: by its row's dataset and its column's system."""

    ends: IntArray
    files: tuple[dict[str, str], ...]

    def file_of(self, row: int, column: str | None) -> str | None:
        own = self.files[int(np.searchsorted(self.ends, row, side="right"))]
        return own.get(column or "", next(iter(own.values())))


def side_by_side(
    paths: Sequence[str], lists: Sequence[ScoreList], *, whole: str, order: object
) -> PutTogether:
    """A wide table: a row for each dataset and line, a column for each system.

    Raises
    ------
    DataError
        If the names do not tell datasets and systems, or the files of one
        dataset do not have the same number of values.
    """
    grid = find_grid(stems_of(paths), [len(one.values) for one in lists], whole=whole, order=order)
    problems = _heading_problems(paths, lists)
    if problems:
        raise DataError(problems, choices=grid.choices)
    datasets: list[str] = []
    lines: list[int] = []
    sizes: list[int] = []
    files: list[dict[str, str]] = []
    for dataset in grid.datasets:
        own = {system: grid.places[dataset, system] for system in grid.systems}
        first = lists[next(iter(own.values()))]
        sizes.append(len(first.values))
        datasets += [dataset] * len(first.values)
        lines += range(first.first_line, first.first_line + len(first.values))
        files.append({system: paths[place] for system, place in own.items()})
    raw = table_of_columns(
        ["dataset", *grid.systems],
        [datasets, *(_column(system, grid, lists) for system in grid.systems)],
        lines,
        separator="\t" if any(one.has_comma for one in lists) else ",",
        encoding=lists[0].encoding,
        remarks=(grid.remark, *dict.fromkeys(r for one in lists for r in one.remarks)),
        origin=_Grid(ends=np.array(list(accumulate(sizes))), files=tuple(files)),
    )
    return PutTogether(raw=raw, roles={"name_order": grid.order}, choices=grid.choices)


def _column(system: str, grid: NameGrid, lists: Sequence[ScoreList]) -> pa.Array:
    values: list[str] = []
    for dataset in grid.datasets:
        values += lists[grid.places[dataset, system]].values
    return pa.array(values, type=pa.string())


def _heading_problems(paths: Sequence[str], lists: Sequence[ScoreList]) -> list[Problem]:
    """A first line may be a heading in all files or in none."""
    headed = [path for path, one in zip(paths, lists, strict=True) if one.heading is not None]
    if len(headed) in (0, len(paths)):
        return []
    return [
        Problem(
            what=f"Some files begin with a heading, {listed(headed)}, and others with a value.",
            remedy="Write the same heading into every file, or remove it.",
            line=1,
            file=headed[0],
        )
    ]
