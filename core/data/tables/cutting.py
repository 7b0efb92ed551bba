"""Text cut into columns by one separator, row by row, with what is wrong.

`fast_cutting` gives the same cells of a text in which nothing can be wrong.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from core.data.tables.limits import MAX_COLUMNS
from core.data.tables.stored import texts_to_look_at
from core.errors import Problem

# Numbers of lines: of a file that is read half of the usual length holds them.
LineArray = npt.NDArray[np.integer]

_ROWS_A_CHUNK = 50_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """The text cut by one separator.

    Attributes
    ----------
    separator : str
        The one that was tried.
    header : tuple of str
        As it stands in the file: names may be missing or repeated.
    header_line : int
        Its line.
    columns : tuple of pyarrow arrays of strings, some of them dictionary-coded
        The cells of each column, trimmed; empty where rows do not fit.
    lines : ndarray of int
        Line on which each row begins.
    blank : tuple of int
        Lines of rows that hold separators alone.
    irregular : tuple of (int, int)
        Line and number of cells of each row that does not fit the header.
    n_rows : int
        Number of rows, irregular ones too.
    failure : Problem or None
        Why cutting stopped.
    left_aside : tuple of int
        Positions in the file, from 1, of columns that are not kept.
    """

    separator: str
    header: tuple[str, ...]
    header_line: int
    columns: tuple[Any, ...]
    lines: LineArray
    blank: tuple[int, ...]
    irregular: tuple[tuple[int, int], ...]
    n_rows: int
    failure: Problem | None = None
    left_aside: tuple[int, ...] = ()

    @property
    def is_regular(self) -> bool:
        """Whether every row has as many cells as the header."""
        return self.failure is None and not self.irregular

    @property
    def positions(self) -> tuple[int, ...]:
        """Position in the file of each column that is kept, from 1."""
        n_columns = len(self.header) + len(self.left_aside)
        return tuple(p for p in range(1, n_columns + 1) if p not in self.left_aside)

    def without_empty_columns(self) -> Cut:
        """The cut without columns that have neither a name nor any content.

        A spreadsheet writes them beside its table. Two or more columns stay.
        """
        if all(self.header) or not self.is_regular or not self.n_rows:
            return self
        empty = [
            not name and not pc.max(pc.binary_length(texts_to_look_at(column))).as_py()
            for name, column in zip(self.header, self.columns, strict=True)
        ]
        kept = [index for index, is_empty in enumerate(empty) if not is_empty]
        if len(kept) < 2:
            return self
        return replace(
            self,
            header=tuple(self.header[index] for index in kept),
            columns=tuple(self.columns[index] for index in kept),
            left_aside=tuple(index + 1 for index, is_empty in enumerate(empty) if is_empty),
        )


def cut_slowly(content: bytes, separator: str, *, max_rows: int) -> Cut:
    """Cut any text, with what is wrong."""
    # Lines end as an editor ends them; str.splitlines would also break at
    # characters that may stand inside a name. The sentinel line shows whether
    # a quotation mark is still open at the end of the file.
    n_lines = n_line_ends(content) + (content[-1:] not in (b"", b"\n", b"\r"))
    reader = csv.reader(
        chain(text_lines(content), ["end"]), delimiter=separator, skipinitialspace=True
    )
    header: tuple[str, ...] | None = None
    header_line, n_named = 1, 0
    builder = _Columns()
    lines: list[int] = []
    blank: list[int] = []
    irregular: list[tuple[int, int]] = []
    n_rows = 0
    failure: Problem | None = None
    while failure is None:
        line = reader.line_num + 1
        if line > n_lines:
            break
        try:
            fields = next(reader)
        except csv.Error:
            failure = _long_cell_problem(line)
            break
        if reader.line_num > n_lines:
            failure = _open_mark_problem(line)
            break
        cells = [field.strip() for field in fields]
        if not any(cells):
            if len(cells) > 1 and header is not None:
                blank.append(line)
            continue
        if header is None:
            header, header_line = tuple(cells), line
            n_named = max(index for index, name in enumerate(cells, start=1) if name)
            if n_named <= MAX_COLUMNS:
                header = header[:MAX_COLUMNS]
            if len(header) > MAX_COLUMNS:
                failure = _many_columns_problem(len(header), header_line)
                header = header[: MAX_COLUMNS + 1]
            if len(header) == 1:
                break
            continue
        n_rows += 1
        cells = _fitted(cells, len(header), n_named, separator)
        if n_rows > max_rows:
            failure = _many_rows_problem(max_rows)
        elif len(cells) != len(header):
            irregular.append((line, len(cells)))
            builder.forget()
        elif not irregular:
            builder.append(cells)
            lines.append(line)
    return Cut(
        separator=separator,
        header=header or (),
        header_line=header_line,
        columns=builder.finished(len(header or ())),
        lines=np.array(lines, dtype=np.intp),
        blank=tuple(blank),
        irregular=tuple(irregular),
        n_rows=min(n_rows, max_rows),
        failure=failure,
    )


def _fitted(cells: list[str], width: int, n_named: int, separator: str) -> list[str]:
    """A row with as many cells as the header, where they differ in empty ones at the end alone.

    Spreadsheets write a comma for each empty column in some rows and not in others.
    Under a header that ends in a name, however, "x,0,5," may be a decimal comma.
    """
    if n_named <= len(cells) < width:
        return cells + [""] * (width - len(cells))
    ends_in_names = n_named == width and separator == ","
    return cells if ends_in_names or any(cells[width:]) else cells[:width]


def _long_cell_problem(line: int) -> Problem:
    return Problem(
        what=f"A cell holds more than {csv.field_size_limit():,} characters.",
        remedy="Look for a quotation mark that is opened and not closed.",
        line=line,
    )


def _open_mark_problem(line: int) -> Problem:
    return Problem(
        what="A quotation mark opens here and is never closed.",
        remedy="Close it, or write it twice inside a quoted cell.",
        line=line,
    )


def _many_columns_problem(n_columns: int, line: int) -> Problem:
    return Problem(
        what=f"The header has {n_columns:,} columns; at most {MAX_COLUMNS:,} are read.",
        remedy="Keep the columns of one table.",
        line=line,
    )


def _many_rows_problem(max_rows: int) -> Problem:
    return Problem(
        what=f"The file has more than {max_rows:,} rows, the most that is read.",
        remedy="Split it, or keep only the rows that are compared.",
    )


class _Columns:
    """Rows gathered as columns, a chunk at a time: strings of Python take five times the memory."""

    def __init__(self) -> None:
        self._rows: list[Sequence[str]] = []
        self._chunks: list[list[Any]] = []

    def append(self, cells: Sequence[str]) -> None:
        self._rows.append(cells)
        if len(self._rows) == _ROWS_A_CHUNK:
            self._close()

    def forget(self) -> None:
        self._rows.clear()
        self._chunks.clear()

    def finished(self, n_columns: int) -> tuple[Any, ...]:
        self._close()
        if not self._chunks:
            return tuple(pa.array([], type=pa.string()) for _ in range(n_columns))
        return tuple(
            pa.concat_arrays([chunk[column] for chunk in self._chunks])
            for column in range(n_columns)
        )

    def _close(self) -> None:
        if self._rows:
            columns = zip(*self._rows, strict=True)
            self._chunks.append([pa.array(cells, type=pa.string()) for cells in columns])
            self._rows = []


def text_lines(content: bytes) -> Iterable[str]:
    """The lines with their ends, decoded as they are read."""
    return io.TextIOWrapper(io.BytesIO(content), encoding="utf-8", newline="")


def n_line_ends(content: bytes) -> int:
    """How many lines are ended, as an editor counts."""
    ends = content.count(b"\n")
    if b"\r" in content:
        ends += content.count(b"\r") - content.count(b"\r\n")
    return ends
