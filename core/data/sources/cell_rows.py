"""Tables from rows of cells that need no cutting any more, such as those of a sheet.

They take the same way as text files, so that a title above the header, blank
rows and missing names mean the same everywhere.

Vocabulary
----------
stand-in
    A character that no text file may hold, in place of one that would cut a
    cell; it is put back as soon as the rows are columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import pyarrow.compute as pc

from core.data.tables.raw_table import RawTable
from core.data.tables.splitting import split_table
from core.data.tables.text import DecodedText
from core.errors import DataError, Problem

_CUTTING = '\t\n\r",;|'
_IN_PLACE = {character: chr(code) for code, character in enumerate(_CUTTING, start=1)}
_STAND_INS = str.maketrans(_IN_PLACE)
_BACK = str.maketrans({stand_in: character for character, stand_in in _IN_PLACE.items()})
_ANY_STAND_IN = "[" + "".join(_IN_PLACE.values()) + "]"


def table_of_rows(rows: Iterable[tuple[int, Sequence[str]]], *, encoding: str) -> RawTable:
    """The table that rows of cells make, the first with content being its header.

    Parameters
    ----------
    rows : iterable of (int, sequence of str)
        Line of a row and its cells, of which none holds a control character;
        lines count up from 1 and may leave gaps.
    encoding : str
        As of `RawTable`.

    Raises
    ------
    DataError
        As `split_table` does.
    """
    written: list[str] = []
    width = 0
    for line, cells in rows:
        written.extend("" for _ in range(line - 1 - len(written)))
        width = max(width, len(cells))
        written.append("\t".join([cell.strip().translate(_STAND_INS) for cell in cells]))
    if width < 2:
        raise DataError([_one_column_problem()])
    text = "\n".join(written) + "\n"
    try:
        raw = split_table(DecodedText(text=text, encoding=encoding, remarks=()))
    except DataError as error:
        raise DataError(
            [_put_back(problem) for problem in error.problems],
            columns=[name.translate(_BACK) for name in error.columns],
        ) from None
    return replace(
        raw,
        header=tuple(name.translate(_BACK) for name in raw.header),
        columns=tuple(_column(raw.column(name)) for name in raw.header),
        remarks=tuple(remark.translate(_BACK) for remark in raw.remarks),
    )


def _column(cells: Any) -> Any:
    if not pc.any(pc.match_substring_regex(cells, _ANY_STAND_IN)).as_py():
        return cells
    for character, stand_in in _IN_PLACE.items():
        cells = pc.replace_substring(cells, stand_in, character)
    return cells


def _put_back(problem: Problem) -> Problem:
    return replace(
        problem,
        what=problem.what.translate(_BACK),
        column=None if problem.column is None else problem.column.translate(_BACK),
    )


def _one_column_problem() -> Problem:
    return Problem(
        what="The table has one column.",
        remedy="Give a column of datasets and one for each system, under a header with their "
        "names.",
    )
