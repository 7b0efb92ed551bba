"""Sheets of an Excel workbook (.xlsx) as tables, each cell as it is stored.

Their rows take the same way as text files, so that a title above the header, blank
rows and missing names mean the same everywhere. What a sheet shows otherwise than it
stores it is said: hidden rows, dates, percentages.

Vocabulary
----------
hidden
    Rows and columns that the spreadsheet does not show, be it by a filter.
"""

from __future__ import annotations

import csv
import io
import re
import warnings
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time
from itertools import zip_longest
from operator import itemgetter
from typing import Any

import numpy as np
import pyarrow.compute as pc

from ...errors import DataError, Problem, listed, quoted
from ..tables.limits import CUTTING, MAX_COLUMNS, MAX_ROWS, Allowance, Stages, bounded
from ..tables.numbers import is_number_cell
from ..tables.raw_table import RawTable
from ..tables.splitting import split_table
from ..tables.text import CONTROL, DecodedText
from .archives import BROKEN_ARCHIVE, damaged_as, open_archive, read_member

# As wide as any sheet.
_LAST_COLUMN = 16_384
# The header is one of the first rows with content.
_MAY_BE_ABOVE = 50

_ROW = re.compile(rb"<(?:\w+:)?row\b([^>]*)>")
_COLUMNS = re.compile(rb"<(?:\w+:)?col\b([^>]*)>")
_IS_HIDDEN = re.compile(rb"""\bhidden\s*=\s*["'](?:1|true)["']""")
_NUMBER = re.compile(rb"""(?<![\w:])(r|min|max)\s*=\s*["'](\d{1,9})["']""")
_MERGED = re.compile(rb"""<(?:\w+:)?mergeCell\s+ref\s*=\s*["']([A-Z]+\d+:[A-Z]+\d+)["']""")

# As dates and times are written.
_ISO = r"^([0-9]{4}-[0-9]{2}-[0-9]{2}|([0-9]+ days?, )?[0-9]{1,2}:[0-9]{2}:[0-9]{2})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The numbers of a sheet's hidden rows and columns, counted from 1, and its merged cells.

    Of cells that are shown as one: their first column and row, and their last ones.
    """

    rows: frozenset[int] = frozenset()
    columns: frozenset[int] = frozenset()
    merged: tuple[tuple[Any, ...], ...] = ()


@dataclass(slots=True, kw_only=True)
class SheetMarks:
    """What was noticed while the cells of a sheet were read; columns count from 0."""

    _percent: Counter[int] = field(default_factory=Counter)
    _plain: Counter[int] = field(default_factory=Counter)
    _above: list[tuple[int, int, bool]] = field(default_factory=list)
    _formats: dict[Any, bool] = field(default_factory=dict)

    def number(self, cell: Any, row: int, column: int) -> None:
        """Note how a number is shown."""
        style = getattr(cell, "_style_id", None)
        if style not in self._formats:
            self._formats[style] = "%" in str(cell.number_format)
        shown_as_percent = self._formats[style]
        (self._percent if shown_as_percent else self._plain)[column] += 1
        if row <= _MAY_BE_ABOVE:
            self._above.append((row, column, shown_as_percent))

    def remarks(self, table: RawTable, first: int, hidden: Shape) -> Iterator[str]:
        """What the owner should know; the table's first column is this one of the sheet."""
        top = int(table.lines[0]) if table.n_rows else 0
        for row, column, shown_as_percent in self._above:
            if row < top:
                (self._percent if shown_as_percent else self._plain)[column] -= 1
        named = dict(enumerate(table.header, start=first))
        n_rows = int(np.isin(table.lines, list(hidden.rows)).sum()) if hidden.rows else 0
        unseen = [name for column, name in named.items() if column + 1 in hidden.columns]
        if n_rows:
            yield f"Hidden rows of the sheet are read like the others: {n_rows:,}."
        if unseen:
            yield f"Hidden columns of the sheet are read like the others: {listed(unseen)}."
        for column, name in named.items():
            n_percent, n_plain = self._percent[column], self._plain[column]
            if n_percent > 0 and n_plain > 0:
                yield (
                    f"In {quoted(name)} the sheet shows {n_percent:,} of {n_percent + n_plain:,} "
                    "numbers as percentages: all are read as they are stored, 5% as 0.05."
                )
            days = pc.match_substring_regex(table.column(name), _ISO).to_numpy(zero_copy_only=False)
            if days.any() and n_percent + n_plain > 0:
                first_day = int(np.argmax(days))
                yield (
                    f"In {quoted(name)} dates stand between numbers ({int(days.sum()):,}, the first "
                    f"one in row {table.lines[first_day]}: {table.column(name)[first_day]}): "
                    "spreadsheets make dates of numbers such as 1.5."
                )


def _shape_of(sheet: bytes) -> Shape:
    """What the XML that a sheet is stored as says beside its cells."""
    from openpyxl.utils import range_boundaries

    rows: set[int] = set()
    columns: set[int] = set()
    number = 0
    is_any_hidden = b"hidden" in sheet
    for found in _ROW.finditer(sheet) if is_any_hidden else ():
        number = _numbers(found[1]).get(b"r", number + 1)
        if _IS_HIDDEN.search(found[1]):
            rows.add(number)
    for found in _COLUMNS.finditer(sheet) if is_any_hidden else ():
        if _IS_HIDDEN.search(found[1]):
            own = _numbers(found[1])
            columns.update(range(own.get(b"min", 1), min(own.get(b"max", 0), _LAST_COLUMN) + 1))
    merged = (range_boundaries(found.decode()) for found in _MERGED.findall(sheet))
    return Shape(rows=frozenset(rows), columns=frozenset(columns), merged=tuple(merged))


def _unmerged(
    rows: Sequence[tuple[int, list[str]]], merged: Sequence[tuple[Any, ...]]
) -> tuple[list[tuple[int, list[str]]], tuple[str, ...]]:
    """The rows with what merged cells show in each of their rows; a remark where there are any.

    A row of headings over groups of columns joins the row of headings below it.
    """
    by_row = dict(rows)
    numbers = list(by_row)
    remarks: list[str] = []
    # First and last place of each group of columns that a row of cells stands over.
    headed: dict[int, list[slice]] = {}
    named = []
    for left, top, right, bottom in sorted(merged, key=itemgetter(1, 0)):
        text = next(iter(by_row.get(top, [])[left - 1 : left]), "")
        if text and bottom > top:
            named.append(text)
            for number in numbers[bisect_right(numbers, top) : bisect_right(numbers, bottom)]:
                cells = by_row[number]
                cells += [""] * (left - len(cells))
                cells[left - 1] = text
        elif text and right > left:
            headed.setdefault(top, []).append(slice(left - 1, right))
    if named:
        remarks.append(f"Merged cells count in each of their rows: {listed(named)}.")
    for number, groups in headed.items():
        above, place = by_row[number], numbers.index(number) + 1
        if place == len(numbers) or not _is_row_of_groups(above, by_row[numbers[place]], groups):
            continue
        for one in groups:
            above[one] = [above[one.start]] * (one.stop - one.start)
        below = by_row[numbers[place]]
        del by_row[number]
        by_row[numbers[place]] = [
            " ".join(dict.fromkeys(part for part in pair if part))
            for pair in zip_longest(above, below, fillvalue="")
        ]
        remarks.append(f"Rows {number} and {numbers[place]} are read as one header.")
        break
    return list(by_row.items()), tuple(remarks)


def _is_row_of_groups(above: Sequence[str], below: Sequence[str], groups: Sequence[slice]) -> bool:
    """Whether merged cells of a row, and no title, stand over the headings below it."""
    return (
        sum(map(bool, above)) > 1
        and not any(map(is_number_cell, (*above, *below)))
        and all(all(below[one]) and one.stop <= len(below) for one in groups)
    )


def _numbers(attributes: bytes) -> dict[bytes, int]:
    return {name: int(digits) for name, digits in _NUMBER.findall(attributes)}


_LINE_ENDS = re.compile("\r\n|\r|\n")


def table_of_rows(rows: Iterable[tuple[int, Sequence[str]]]) -> RawTable:
    """The table that rows of cells make, each with its line; the first with content is the header.

    No cell holds a control character, and a line end within one is a space; lines count up from 1
    and may leave gaps.
    """
    written = io.StringIO()
    cells_of = csv.writer(written, delimiter="\t", lineterminator="\n")
    width = last = 0
    for line, cells in rows:
        written.write("\n" * (line - 1 - last))
        width, last = max(width, len(cells)), line
        # Each row is one line.
        cells_of.writerow([_LINE_ENDS.sub(" ", cell.strip()) for cell in cells])
    if width < 2:
        raise DataError.of(
            "The table has one column.",
            "Give a column of datasets and one for each system, under a header with their names.",
        )
    decoded = DecodedText(content=written.getvalue().encode(), encoding="UTF-8")
    return split_table(decoded, separator="\t")


# A sheet of Excel has no more rows; other programs number rows beyond.
_LAST_ROW = 1_048_576
# Cells that were only ever coloured count as well, since each is looked at.
_MAX_CELLS = 50_000_000
_ROWS_A_REPORT = 20_000

_FORMULA = re.compile(rb"<(?:\w+:)?f[\s/>]")
# Also of an XML parser, whichever is installed.
_BROKEN = (*BROKEN_ARCHIVE, SyntaxError, TypeError, AttributeError, ArithmeticError)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One sheet that is not empty, called as its tab says.

    `table` is None where it cannot be read as one (`problems` say why), and where it `is_hidden`
    and was passed over. It `is_text` where it has one column, as notes have.
    """

    name: str
    table: RawTable | None
    problems: tuple[Problem, ...] = ()
    is_hidden: bool = False
    is_text: bool = False


def read_sheets(
    content: bytes, *, name: str, allowance: Allowance, stages: Stages, only: str | None = None
) -> tuple[Sheet, ...]:
    """Every sheet that is shown and not empty, or the one that is asked for; hidden ones unread."""
    with damaged_as(
        f"The workbook {quoted(name)} is damaged or of a kind that is not known.",
        "Open it in a spreadsheet and save it again as .xlsx, or as CSV in UTF-8.",
        _BROKEN,
    ):
        with_formulas, shapes = _check_size(content, allowance)
        with warnings.catch_warnings():
            # About styles, extensions and dates out of range, which are told otherwise.
            warnings.simplefilter("ignore", UserWarning)
            sheets = _read(content, stages, only, with_formulas, shapes)
    if not sheets:
        raise DataError.of(
            "The workbook holds nothing." if only is None else "The sheet is empty.",
            "Choose one with a header and a row for each dataset or example.",
        )
    return tuple(sheets)


def _read(
    content: bytes,
    stages: Stages,
    only: str | None,
    with_formulas: bool,
    shapes: Mapping[str, Shape],
) -> list[Sheet]:
    values = _opened(content, cached=True)
    formulas = _opened(content, cached=False) if with_formulas else None
    names = [sheet.title for sheet in values.worksheets]
    if only is not None and only not in names:
        raise DataError.of(
            f"The workbook has no sheet {quoted(only)}.",
            "Its sheets are " + ", ".join(map(quoted, names)) + ".",
        )
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
        part = str(own._worksheet_path).lstrip("/")
        sheet = _sheet(own, beside, title, stages, shapes.get(part, Shape()))
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


def _check_size(content: bytes, allowance: Allowance) -> tuple[bool, dict[str, Shape]]:
    """Count what the parts unpack to before any is parsed.

    Returns whether any holds formulas, and the shape of each sheet by its part.
    """
    with_formulas = False
    shapes: dict[str, Shape] = {}
    allowance.unpack(len(content))
    with open_archive(content) as archive:
        for info in archive.infolist():
            part = read_member(archive, info, allowance)
            # No spreadsheet writes one; it could define entities that grow without end.
            if b"<!DOCTYPE" in part[:1_000]:
                raise ValueError("a part defines a type")
            if "worksheets/" in info.filename:
                with_formulas |= bool(_FORMULA.search(part))
                shapes[info.filename] = _shape_of(part)
    return with_formulas, shapes


def _sheet(
    values: Any,
    formulas: Any | None,
    title: str,
    stages: Stages,
    shape: Shape,
) -> Sheet | None:
    odd: list[Problem] = []
    marks = SheetMarks()
    try:
        rows = list(_rows(values, formulas, odd, marks, stages))
    except DataError as error:
        return Sheet(name=title, table=None, problems=error.problems)
    if not rows:
        return None
    rows, of_merged = _unmerged(rows, shape.merged)
    first = min(next(i for i, cell in enumerate(cells) if cell) for _, cells in rows)
    last = max(max(i for i, cell in enumerate(cells) if cell) for _, cells in rows)
    width = last + 1
    shown = ((row, (cells + [""] * (width - len(cells)))[first:width]) for row, cells in rows)
    try:
        table = table_of_rows(shown)
    except DataError as error:
        problems = [*error.problems, *_odd_problems(odd, (), first)]
        return Sheet(name=title, table=None, problems=tuple(problems), is_text=first == last)
    problems = _odd_problems(odd, table.header, first)
    if problems:
        return Sheet(name=title, table=None, problems=tuple(problems))
    remarks = (*table.remarks, *of_merged, *marks.remarks(table, first, shape))
    return Sheet(
        name=title,
        table=replace(table, remarks=remarks),
    )


def _rows(
    values: Any, formulas: Any | None, odd: list[Problem], marks: SheetMarks, stages: Stages
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
                    odd.append(_odd(number, column, *_NO_RESULT))
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


def _text(cell: Any, row: int, column: int, odd: list[Problem], marks: SheetMarks) -> str:
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
        # A spreadsheet does not tell 1 from 1.0, and counts 15 digits: 0.1 + 0.2 is 0.3.
        exact = float(f"{value:.15g}")
        return str(int(exact)) if exact.is_integer() and abs(exact) < 1e15 else repr(exact)
    if isinstance(value, datetime):
        is_day = value.time() == time()
        return value.date().isoformat() if is_day else value.isoformat(sep=" ")
    if isinstance(value, (date, time)):
        return value.isoformat()
    text = str(value)
    if cell.data_type == "e":
        what = f"The cell holds the error {text}."
        odd.append(_odd(row, column, what, "Mend the formula, or empty the cell."))
    elif CONTROL.search(text):
        what = f"The cell holds a character that is no letter ({CONTROL.sub('?', text)!r})."
        odd.append(_odd(row, column, what, "Write the cell anew."))
        return CONTROL.sub("?", text)
    return text


def _odd(row: int, column: int, what: str, remedy: str) -> Problem:
    """A cell that holds no text or number as it is, in a column by its number as yet."""
    return Problem(what, remedy, column=str(column), line=row)


def _odd_problems(odd: list[Problem], header: Sequence[str], first: int) -> list[Problem]:
    """The problems of odd cells, by the names of their columns as far as there are any."""
    from openpyxl.utils import get_column_letter

    names = dict(enumerate(header, start=first))
    places = (int(problem.column or 0) for problem in odd)
    named = (names.get(column, get_column_letter(column + 1)) for column in places)
    problems = (replace(p, column=name) for p, name in zip(odd, named, strict=True))
    return bounded(problems, n_problems=len(odd), of="cells")


def _too_large_problem() -> Problem:
    return Problem(
        f"The sheet goes beyond {_LAST_ROW:,} rows, {MAX_COLUMNS:,} columns or "
        f"{_MAX_CELLS:,} cells, the most that is read.",
        "Keep the rows and columns that are compared.",
    )
