"""Text cut into columns by one separator: fast where nothing is quoted, else row by row.

Both ways give the same cells; the slow one also says what is wrong.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv

from core.errors import Problem
from core.types import BoolArray, IntArray

# What str.strip removes; the fast way has to remove the same.
WHITE_SPACE = (
    "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006"
    "\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
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
    columns : tuple of pyarrow arrays of strings
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
    """

    separator: str
    header: tuple[str, ...]
    header_line: int
    columns: tuple[Any, ...]
    lines: IntArray
    blank: tuple[int, ...]
    irregular: tuple[tuple[int, int], ...]
    n_rows: int
    failure: Problem | None = None

    @property
    def is_regular(self) -> bool:
        """Whether every row has as many cells as the header."""
        return self.failure is None and not self.irregular


def cut_fast(text: str, separator: str, *, max_rows: int) -> Cut | None:
    """Cut text without quotation marks; None where the slow way has to look."""
    if '"' in text:
        return None
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    content = text.encode("utf-8")
    lines = _lines_with_content(content)
    if lines.size < 2 or lines.size > max_rows + 1:
        return None
    header_line = int(lines[0])
    first = text.split("\n", header_line)[header_line - 1]
    header = tuple(name.strip() for name in first.split(separator))
    if len(header) < 2 or not any(header):
        return None
    positions = [str(position) for position in range(len(header))]
    try:
        table = pa_csv.read_csv(
            io.BytesIO(content),
            read_options=pa_csv.ReadOptions(column_names=positions, skip_rows=header_line),
            parse_options=pa_csv.ParseOptions(delimiter=separator, quote_char=False),
            convert_options=pa_csv.ConvertOptions(
                column_types={position: pa.string() for position in positions}
            ),
        )
    except pa.ArrowInvalid:
        return None
    row_lines = lines[1:]
    if table.num_rows != row_lines.size:
        return None
    columns = tuple(
        _one_array(pc.utf8_trim(column, characters=WHITE_SPACE)) for column in table.columns
    )
    if any(pc.max(pc.binary_length(c)).as_py() > csv.field_size_limit() for c in columns):
        return None
    empty = _all_empty(columns)
    if empty.any():
        kept = pa.array(~empty)
        columns = tuple(column.filter(kept) for column in columns)
    return Cut(
        separator=separator,
        header=header,
        header_line=header_line,
        columns=columns,
        lines=row_lines[~empty],
        blank=tuple(row_lines[empty].tolist()),
        irregular=(),
        n_rows=int(row_lines.size - empty.sum()),
    )


def cut_slowly(text: str, separator: str, *, max_rows: int) -> Cut:
    """Cut any text, with what is wrong."""
    # Lines end as an editor ends them; str.splitlines would also break at
    # characters that may stand inside a name. The sentinel line shows whether
    # a quotation mark is still open at the end of the file.
    n_lines = sum(1 for _ in io.StringIO(text, newline=""))
    reader = csv.reader(
        chain(io.StringIO(text, newline=""), ["end"]), delimiter=separator, skipinitialspace=True
    )
    header: tuple[str, ...] | None = None
    header_line = 1
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
            failure = Problem(
                what=f"A cell holds more than {csv.field_size_limit():,} characters.",
                remedy="Look for a quotation mark that is opened and not closed.",
                line=line,
            )
            break
        if reader.line_num > n_lines:
            failure = Problem(
                what="A quotation mark opens here and is never closed.",
                remedy="Close it, or write it twice inside a quoted cell.",
                line=line,
            )
            break
        cells = [field.strip() for field in fields]
        if not any(cells):
            if len(cells) > 1 and header is not None:
                blank.append(line)
            continue
        if header is None:
            header, header_line = tuple(cells), line
            if len(header) == 1:
                break
            continue
        n_rows += 1
        if n_rows > max_rows:
            failure = Problem(
                what=f"The file has more than {max_rows:,} rows, the most that is read.",
                remedy="Split it, or keep only the rows that are compared.",
            )
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


def _lines_with_content(content: bytes) -> IntArray:
    """Numbers of the lines that are not empty, counted from 1."""
    ends = np.flatnonzero(np.frombuffer(content, dtype=np.uint8) == ord("\n"))
    if not content.endswith(b"\n"):
        ends = np.append(ends, len(content))
    lengths = np.diff(ends, prepend=-1) - 1
    return np.flatnonzero(lengths > 0) + 1


def _all_empty(columns: Sequence[Any]) -> BoolArray:
    empty: BoolArray = np.ones(len(columns[0]), dtype=np.bool_)
    for column in columns:
        if not empty.any():
            break
        empty &= pc.equal(column, "").to_numpy(zero_copy_only=False)
    return empty


def _one_array(column: Any) -> Any:
    if isinstance(column, pa.ChunkedArray):
        return pa.concat_arrays(column.chunks) if column.num_chunks != 1 else column.chunk(0)
    return column
