"""Sheets of an Excel workbook (.xlsx) as tables, each cell as it is stored.

Their rows take the same way as text files, so that a title above the header, blank
rows and missing names mean the same everywhere. Hidden rows are read and said.

Vocabulary
----------
hidden
    Rows that the spreadsheet does not show, be it by a filter.
"""

import csv
import io
import re
import warnings
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import zip_longest
from operator import itemgetter
from typing import Any

import numpy as np

from ...errors import DataError, Problem, listed, quoted, stop_at
from ..tables.limits import CUTTING, MAX_COLUMNS, MAX_ROWS, Allowance, Stages
from ..tables.numbers import is_number_cell
from ..tables.raw_table import RawTable
from ..tables.splitting import split_table
from ..tables.text import DecodedText
from .files import BROKEN_ARCHIVE, damaged_as, open_archive, read_member

_ROW = re.compile(rb"<(?:\w+:)?row\b([^>]*)>")
_IS_HIDDEN = re.compile(rb"""\bhidden\s*=\s*["'](?:1|true)["']""")
_NUMBER = re.compile(rb"""(?<![\w:])r\s*=\s*["'](\d{1,9})["']""")
# A result that is the empty text is stored as a text.
_WITHOUT_RESULT = re.compile(
    rb"""<(?:\w+:)?c\b(?![^>]*\bt=["']str)[^>]*\br=["']([A-Z]+\d+)["'][^>]*>"""
    rb"""<(?:\w+:)?f\b(?:[^>]*/>|[^<]*</(?:\w+:)?f>)(?:<(?:\w+:)?v\s*/>|<(?:\w+:)?v></(?:\w+:)?v>)?</"""
)
_ERROR = re.compile(rb"""<(?:\w+:)?c\b(?=[^>]*\bt=["']e["'])[^>]*\br=["']([A-Z]+\d+)["']""")
# Of both the cells, with what they hold and the remedy.
_ODD = (
    (
        _WITHOUT_RESULT,
        "Formulas have no stored result in",
        "Open the workbook in a spreadsheet and save it, or save the table as CSV.",
    ),
    (
        _ERROR,
        "Spreadsheet errors such as #N/A are in",
        "Mend the formulas, or empty the cells.",
    ),
)
_MERGED = re.compile(rb"""<(?:\w+:)?mergeCell\s+ref\s*=\s*["']([A-Z]+\d+:[A-Z]+\d+)["']""")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The numbers of a sheet's hidden rows, counted from 1, and its merged cells.

    Of cells that are shown as one: their first column and row, and their last ones. Where formulas
    have no value there are `problems`.
    """

    rows: frozenset[int] = frozenset()
    merged: tuple[tuple[Any, ...], ...] = ()
    problems: tuple[Problem, ...] = ()


def _shape_of(sheet: bytes) -> Shape:
    """What the XML that a sheet is stored as says beside its cells."""
    from openpyxl.utils import range_boundaries

    rows: set[int] = set()
    number = 0
    for found in _ROW.finditer(sheet) if b"hidden" in sheet else ():
        told = _NUMBER.search(found[1])
        number = int(told[1]) if told else number + 1
        if _IS_HIDDEN.search(found[1]):
            rows.add(number)
    merged = (range_boundaries(found.decode()) for found in _MERGED.findall(sheet))
    odd = [([c.decode() for c in cells.findall(sheet)], what, how) for cells, what, how in _ODD]
    problems = (Problem(f"{what} {listed(cells)}.", how) for cells, what, how in odd if cells)
    return Shape(rows=frozenset(rows), merged=tuple(merged), problems=tuple(problems))


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
        shapes = _shapes_of(content, allowance)
        with warnings.catch_warnings():
            # About styles, extensions and dates out of range, which are told otherwise.
            warnings.simplefilter("ignore", UserWarning)
            sheets = _read(content, stages, only, shapes)
    if not sheets:
        raise DataError.of(
            "The workbook holds nothing." if only is None else "The sheet is empty.",
            "Choose one with a header and a row for each dataset or example.",
        )
    return tuple(sheets)


def _read(
    content: bytes, stages: Stages, only: str | None, shapes: Mapping[str, Shape]
) -> list[Sheet]:
    # A tenth of the time that the app takes to start, and most files are no workbooks.
    from openpyxl import load_workbook

    file = io.BytesIO(content)
    book: Any = load_workbook(file, read_only=True, data_only=True, keep_links=False)
    names = [sheet.title for sheet in book.worksheets]
    if only is not None and only not in names:
        raise DataError.of(
            f"The workbook has no sheet {quoted(only)}.",
            "Its sheets are " + ", ".join(map(quoted, names)) + ".",
        )
    sheets = []
    for position, own in enumerate(book.worksheets):
        if only not in (None, own.title):
            continue
        stages.reached(CUTTING, position / len(names))
        if only is None and own.sheet_state != "visible":
            sheets.append(Sheet(name=own.title, table=None, is_hidden=True))
            continue
        part = str(own._worksheet_path).lstrip("/")
        sheet = _sheet(own, stages, shapes.get(part, Shape()))
        if sheet is not None:
            sheets.append(sheet)
    return sheets


def _shapes_of(content: bytes, allowance: Allowance) -> dict[str, Shape]:
    """Each sheet's shape by its part; what the parts unpack to is counted before any is parsed."""
    shapes: dict[str, Shape] = {}
    allowance.unpack(len(content))
    with open_archive(content) as archive:
        for info in archive.infolist():
            part = read_member(archive, info, allowance)
            # No spreadsheet writes one; it could define entities that grow without end.
            if b"<!DOCTYPE" in part[:1_000]:
                raise ValueError("a part defines a type")
            if "worksheets/" in info.filename:
                shapes[info.filename] = _shape_of(part)
    return shapes


def _sheet(cells_of: Any, stages: Stages, shape: Shape) -> Sheet | None:
    title = str(cells_of.title)
    percentages: dict[int, set[int]] = {}
    try:
        rows = list(_rows(cells_of, stages, percentages))
        stop_at(shape.problems)
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
        return Sheet(name=title, table=None, problems=error.problems, is_text=first == last)
    remarks = [*table.remarks, *of_merged]
    n_hidden = int(np.isin(table.lines, list(shape.rows)).sum())
    if n_hidden:
        remarks.append(f"Hidden rows of the sheet are read like the others: {n_hidden:,}.")
    for place, name in enumerate(table.header, start=first):
        n_shown = len(percentages.get(place, set()) & set(table.lines.tolist()))
        n_numbers = sum(map(is_number_cell, table.cells(name))) if n_shown else 0
        if n_shown < n_numbers:
            remarks.append(
                f"In {quoted(name)} the sheet shows {n_shown:,} of {n_numbers:,} numbers as "
                "percentages: all are read as they are stored, 5% as 0.05."
            )
    return Sheet(name=title, table=replace(table, remarks=tuple(remarks)))


def _rows(
    cells_of: Any, stages: Stages, percentages: dict[int, set[int]]
) -> Iterator[tuple[int, list[str]]]:
    """Number and cells of each row with content; the rows of numbers shown as `percentages` by column."""
    # What a sheet says about its size may be anything.
    cells_of.reset_dimensions()
    n_cells = n_rows = 0
    for number, row in enumerate(cells_of.iter_rows(), start=1):
        if number % _ROWS_A_REPORT == 0:
            stages.reached(CUTTING, 0.0)
        n_cells += len(row)
        cells = [_text(cell.value) for cell in row]
        for column, cell in enumerate(row):
            if isinstance(cell.value, (int, float)) and "%" in cell.number_format:
                percentages.setdefault(column, set()).add(number)
        while cells and not cells[-1]:
            cells.pop()
        n_rows += bool(cells)
        if (
            number > _LAST_ROW
            or n_cells > _MAX_CELLS
            or len(cells) > MAX_COLUMNS
            or n_rows > MAX_ROWS
        ):
            raise DataError.of(
                f"The sheet goes beyond {_LAST_ROW:,} rows, {MAX_COLUMNS:,} columns or "
                f"{_MAX_CELLS:,} cells, the most that is read.",
                "Keep the rows and columns that are compared.",
            )
        if cells:
            yield number, cells


def _text(value: Any) -> str:
    """What a cell holds, written exactly."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float):
        # A spreadsheet does not tell 1 from 1.0, and counts 15 digits: 0.1 + 0.2 is 0.3.
        exact = float(f"{value:.15g}")
        return str(int(exact)) if exact.is_integer() and abs(exact) < 1e15 else repr(exact)
    # Of a day and its first moment, the day.
    return str(value).removesuffix(" 00:00:00") if isinstance(value, datetime) else str(value)
