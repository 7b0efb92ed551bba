"""What a sheet shows otherwise than it stores it: hidden rows, dates, percentages.

Vocabulary
----------
hidden
    Rows and columns that the spreadsheet does not show, be it by a filter.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Any

import numpy as np

from core.data.tables.raw_table import RawTable
from core.data.words import listed, quoted

# As wide as any sheet.
_LAST_COLUMN = 16_384
# The header is one of the first rows with content.
_MAY_BE_ABOVE = 50

_ROW = re.compile(rb"<(?:\w+:)?row\b([^>]*)>")
_COLUMNS = re.compile(rb"<(?:\w+:)?col\b([^>]*)>")
_IS_HIDDEN = re.compile(rb"""\bhidden\s*=\s*["'](?:1|true)["']""")
_NUMBER = re.compile(rb"""(?<![\w:])(r|min|max)\s*=\s*["'](\d{1,9})["']""")

DateCell = date | time | timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class Hidden:
    """Numbers of hidden rows and columns, counted from 1."""

    rows: frozenset[int] = frozenset()
    columns: frozenset[int] = frozenset()


@dataclass(slots=True, kw_only=True)
class SheetMarks:
    """What was noticed while the cells of a sheet were read; columns count from 0."""

    dates: dict[tuple[int, int], str] = field(default_factory=dict)
    _percent: Counter[int] = field(default_factory=Counter)
    _plain: Counter[int] = field(default_factory=Counter)
    _above: list[tuple[int, int, bool]] = field(default_factory=list)
    _formats: dict[Any, bool] = field(default_factory=dict)

    def date(self, value: DateCell, row: int, column: int) -> str:
        """Note a date or time; its text as ISO 8601 writes it."""
        if isinstance(value, datetime):
            is_day = value.time() == time()
            text = value.date().isoformat() if is_day else value.isoformat(sep=" ")
        else:
            text = str(value) if isinstance(value, timedelta) else value.isoformat()
        self.dates[row, column] = text
        return text

    def number(self, cell: Any, row: int, column: int) -> None:
        """Note how a number is shown."""
        style = getattr(cell, "_style_id", None)
        if style not in self._formats:
            self._formats[style] = "%" in str(cell.number_format)
        shown_as_percent = self._formats[style]
        (self._percent if shown_as_percent else self._plain)[column] += 1
        if row <= _MAY_BE_ABOVE:
            self._above.append((row, column, shown_as_percent))

    def remarks(self, table: RawTable, first: int, hidden: Hidden) -> Iterator[str]:
        """What the owner should know; the table's first column is this one of the sheet."""
        top = int(table.lines[0]) if table.n_rows else 0
        for row, column, shown_as_percent in self._above:
            if row < top:
                (self._percent if shown_as_percent else self._plain)[column] -= 1
        n_rows = int(np.isin(table.lines, list(hidden.rows)).sum()) if hidden.rows else 0
        if n_rows:
            rows = "1 hidden row" if n_rows == 1 else f"{n_rows:,} hidden rows"
            yield f"{rows} of the sheet {'is' if n_rows == 1 else 'are'} read like the others."
        named = dict(enumerate(table.header, start=first))
        unseen = [name for column, name in named.items() if column + 1 in hidden.columns]
        if unseen:
            yield (
                f"{len(unseen):,} hidden {'column' if len(unseen) == 1 else 'columns'} of the "
                + (
                    f"sheet {'is' if len(unseen) == 1 else 'are'} read like the others: "
                    f"{listed(unseen)}."
                )
            )
        for column, name in named.items():
            n_percent, n_plain = self._percent[column], self._plain[column]
            if n_percent > 0 and n_plain > 0:
                yield (
                    f"In {quoted(name)} the sheet shows {n_percent:,} of {n_percent + n_plain:,} "
                    "numbers as percentages: all are read as they are stored, 5% as 0.05."
                )
            days = [(row, text) for (row, at), text in self.dates.items() if at == column]
            below = [(row, text) for row, text in days if row >= top]
            if below and n_percent + n_plain > 0:
                row, text = min(below)
                yield (
                    f"In {quoted(name)} dates stand between numbers ({len(below):,}, the first "
                    f"one in row {row}: {text}): spreadsheets make dates of numbers such as 1.5."
                )

    def named_dates(self, header: Sequence[str], first: int) -> frozenset[tuple[int, str]]:
        """Row and column name of each date."""
        return frozenset(
            (row, header[column - first])
            for row, column in self.dates
            if 0 <= column - first < len(header)
        )


def find_hidden(sheet: bytes) -> Hidden:
    """The hidden rows and columns of a sheet, from the XML that it is stored as."""
    if b"hidden" not in sheet:
        return Hidden()
    rows: set[int] = set()
    number = 0
    for found in _ROW.finditer(sheet):
        number = _numbers(found[1]).get(b"r", number + 1)
        if _IS_HIDDEN.search(found[1]):
            rows.add(number)
    columns: set[int] = set()
    for found in _COLUMNS.finditer(sheet):
        if _IS_HIDDEN.search(found[1]):
            own = _numbers(found[1])
            columns.update(range(own.get(b"min", 1), min(own.get(b"max", 0), _LAST_COLUMN) + 1))
    return Hidden(rows=frozenset(rows), columns=frozenset(columns))


def _numbers(attributes: bytes) -> dict[bytes, int]:
    return {name: int(digits) for name, digits in _NUMBER.findall(attributes)}
