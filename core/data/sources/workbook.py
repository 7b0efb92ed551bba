"""Sheets of an Excel workbook (.xlsx) as tables, each cell as it is stored."""

from __future__ import annotations

import io
import re
import warnings
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from typing import Any

from core.data.sources.allowance import Allowance
from core.data.sources.archives import damaged_workbook, open_archive, read_member
from core.data.sources.cell_rows import table_of_rows
from core.data.sources.sheet_marks import Hidden, SheetMarks, find_hidden
from core.data.sources.stages import CUTTING, Stages
from core.data.tables.limits import MAX_COLUMNS, MAX_ROWS, bounded
from core.data.tables.raw_table import RawTable
from core.data.tables.text import CONTROL
from core.data.words import quoted
from core.errors import DataError, Problem

ENCODING = "UTF-8"
# A sheet of Excel has no more rows; other programs number rows beyond.
_LAST_ROW = 1_048_576
# Cells that were only ever coloured count as well, since each is looked at.
_MAX_CELLS = 50_000_000
_ROWS_A_REPORT = 20_000

_FORMULA = re.compile(rb"<(?:\w+:)?f[\s/>]")
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    # Of an XML parser, whichever is installed.
    SyntaxError,
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    ArithmeticError,
    OSError,
    EOFError,
    RecursionError,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One sheet that is not empty.

    Attributes
    ----------
    name : str
        As its tab says.
    table : RawTable or None
        None where it cannot be read as a table.
    problems : tuple of Problem
        Why not.
    is_hidden : bool
        Whether it was passed over, as the spreadsheet does not show it.
    dates : frozenset of (int, str)
        Line and column name of each cell that holds a date or time.
    """

    name: str
    table: RawTable | None
    problems: tuple[Problem, ...] = ()
    is_hidden: bool = False
    dates: frozenset[tuple[int, str]] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stored:
    """What the parts of a workbook say before any is parsed."""

    with_formulas: bool
    hidden: dict[str, Hidden]


@dataclass(frozen=True, slots=True)
class _OddCell:
    """A cell that holds no text or number that could be taken as it is."""

    row: int
    column: int
    what: str
    remedy: str


def read_sheets(
    content: bytes, *, name: str, allowance: Allowance, stages: Stages, only: str | None = None
) -> tuple[Sheet, ...]:
    """Every sheet that is shown and not empty, or the one that is asked for.

    Hidden sheets are named, not read.

    Raises
    ------
    DataError
        If the workbook is damaged or too large, or has no such sheet.
    """
    stored = _check_size(content, name, allowance)
    try:
        with warnings.catch_warnings():
            # About styles, extensions and dates out of range, which are told otherwise.
            warnings.simplefilter("ignore", UserWarning)
            sheets = _read(content, stages, only=only, stored=stored)
    except _BROKEN as error:
        if isinstance(error, DataError):
            raise
        raise damaged_workbook(name) from None
    if not sheets:
        raise DataError(
            [
                Problem(
                    what="The workbook holds nothing." if only is None else "The sheet is empty.",
                    remedy="Choose one with a header and a row for each dataset or example.",
                )
            ]
        )
    return tuple(sheets)


def _read(content: bytes, stages: Stages, *, only: str | None, stored: _Stored) -> list[Sheet]:
    values = _opened(content, cached=True)
    formulas = _opened(content, cached=False) if stored.with_formulas else None
    names = [sheet.title for sheet in values.worksheets]
    if only is not None and only not in names:
        raise DataError([_no_such_sheet(only, names)])
    sheets = []
    for position, title in enumerate(names):
        if only not in (None, title):
            continue
        stages.reached(CUTTING, position / len(names))
        own = values.worksheets[position]
        if only is None and own.sheet_state != "visible":
            sheets.append(Sheet(name=title, table=None, is_hidden=True))
            continue
        beside = None if formulas is None else formulas.worksheets[position]
        hidden = stored.hidden.get(str(own._worksheet_path).lstrip("/"), Hidden())
        sheet = _sheet(own, beside, title, stages, hidden)
        if sheet is not None:
            sheets.append(sheet)
    return sheets


def _opened(content: bytes, *, cached: bool) -> Any:
    # A tenth of the time that the app takes to start, and most files are no workbooks.
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    file = io.BytesIO(content)
    try:
        return load_workbook(file, read_only=True, data_only=cached, keep_links=False)
    except InvalidFileException as error:
        raise ValueError("not a workbook") from error


def _check_size(content: bytes, name: str, allowance: Allowance) -> _Stored:
    """Count what the parts unpack to before any is parsed; what they say besides their cells."""
    with_formulas = False
    hidden: dict[str, Hidden] = {}
    allowance.unpack(len(content))
    with open_archive(content) as archive:
        for info in archive.infolist():
            try:
                part = read_member(archive, info, allowance)
            except DataError:
                raise
            except (*_BROKEN, RuntimeError):
                raise damaged_workbook(name) from None
            # No spreadsheet writes one; it could define entities that grow without end.
            if b"<!DOCTYPE" in part[:1_000]:
                raise damaged_workbook(name)
            if "worksheets/" in info.filename:
                with_formulas |= bool(_FORMULA.search(part))
                hidden[info.filename] = find_hidden(part)
    return _Stored(with_formulas=with_formulas, hidden=hidden)


def _sheet(
    values: Any, formulas: Any | None, title: str, stages: Stages, hidden: Hidden
) -> Sheet | None:
    odd: list[_OddCell] = []
    marks = SheetMarks()
    try:
        rows = list(_rows(values, formulas, odd, marks, stages))
    except DataError as error:
        return Sheet(name=title, table=None, problems=error.problems)
    if not rows:
        return None
    first = min(next(i for i, cell in enumerate(cells) if cell) for _, cells in rows)
    last = max(max(i for i, cell in enumerate(cells) if cell) for _, cells in rows)
    shown = ((row, _padded(cells[first : last + 1], last + 1 - first)) for row, cells in rows)
    try:
        table = table_of_rows(shown, encoding=ENCODING)
    except DataError as error:
        problems = [*error.problems, *_odd_problems(odd, (), first)]
        return Sheet(name=title, table=None, problems=tuple(problems))
    problems = _odd_problems(odd, table.header, first)
    if problems:
        return Sheet(name=title, table=None, problems=tuple(problems))
    remarks = (*table.remarks, *marks.remarks(table, first, hidden))
    return Sheet(
        name=title,
        table=replace(table, remarks=remarks),
        dates=marks.named_dates(table.header, first),
    )


def _rows(
    values: Any, formulas: Any | None, odd: list[_OddCell], marks: SheetMarks, stages: Stages
) -> Iterator[tuple[int, list[str]]]:
    """Number and cells of each row with content."""
    # What a sheet says about its size may be anything.
    values.reset_dimensions()
    beside: Iterator[Sequence[Any]] = iter(())
    if formulas is not None:
        formulas.reset_dimensions()
        beside = formulas.iter_rows()
    n_cells = n_rows = 0
    for number, row in enumerate(values.iter_rows(), start=1):
        if number % _ROWS_A_REPORT == 0:
            stages.reached(CUTTING, 0.0)
        n_cells += len(row)
        if number > _LAST_ROW or n_cells > _MAX_CELLS:
            raise DataError([_too_large_problem()])
        if formulas is not None:
            computed = next(beside, ())
            for column, cell in enumerate(computed):
                # A result that is the empty text is stored as text.
                stored = row[column] if column < len(row) else None
                if cell.data_type == "f" and (
                    stored is None or (stored.value is None and stored.data_type == "n")
                ):
                    odd.append(_OddCell(number, column, *_NO_RESULT))
        cells = [_text(cell, number, column, odd, marks) for column, cell in enumerate(row)]
        while cells and not cells[-1]:
            cells.pop()
        if not cells:
            continue
        n_rows += 1
        if len(cells) > MAX_COLUMNS or n_rows > MAX_ROWS:
            raise DataError([_too_large_problem()])
        yield number, cells


_NO_RESULT = (
    "The cell holds a formula whose result is not stored.",
    "Open the workbook in a spreadsheet and save it, or save the table as CSV.",
)


def _text(cell: Any, row: int, column: int, odd: list[_OddCell], marks: SheetMarks) -> str:
    """What a cell holds, written exactly; what cannot be taken as it is goes to `odd`."""
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int):
        marks.number(cell, row, column)
        return str(value)
    if isinstance(value, float):
        marks.number(cell, row, column)
        # A spreadsheet does not tell 1 from 1.0.
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, (datetime, date, time, timedelta)):
        return marks.date(value, row, column)
    text = str(value)
    if cell.data_type == "e":
        what = f"The cell holds the error {text}."
        odd.append(_OddCell(row, column, what, "Mend the formula, or empty the cell."))
    elif CONTROL.search(text):
        what = f"The cell holds a character that is no letter ({CONTROL.sub('?', text)!r})."
        odd.append(_OddCell(row, column, what, "Write the cell anew."))
        return CONTROL.sub("?", text)
    return text


def _padded(cells: list[str], width: int) -> list[str]:
    return cells + [""] * (width - len(cells))


def _odd_problems(odd: list[_OddCell], header: Sequence[str], first: int) -> list[Problem]:
    """The problems of odd cells, by the names of their columns as far as there are any."""
    from openpyxl.utils import get_column_letter

    def named(column: int) -> str:
        position = column - first
        return header[position] if 0 <= position < len(header) else get_column_letter(column + 1)

    problems = (
        Problem(what=cell.what, remedy=cell.remedy, column=named(cell.column), line=cell.row)
        for cell in odd
    )
    return bounded(problems, n_problems=len(odd), of="cells")


def _too_large_problem() -> Problem:
    return Problem(
        what=f"The sheet goes beyond {_LAST_ROW:,} rows, {MAX_COLUMNS:,} columns or "
        f"{_MAX_CELLS:,} cells, the most that is read.",
        remedy="Keep the rows and columns that are compared.",
    )


def _no_such_sheet(only: str, names: Sequence[str]) -> Problem:
    return Problem(
        what=f"The workbook has no sheet {quoted(only)}.",
        remedy="Its sheets are " + ", ".join(map(quoted, names)) + ".",
    )
