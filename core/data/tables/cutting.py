"""Text cut into columns by one separator: fast where nothing is quoted, else row by row.

Both ways give the same cells; the slow one also says what is wrong.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from core.data.tables.streaming import stream_columns
from core.errors import Problem
from core.types import BoolArray

# Numbers of lines: of a file that is read half of the usual length holds them.
LineArray = npt.NDArray[np.integer]

# What str.strip removes; the fast way has to remove the same.
WHITE_SPACE = (
    "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006"
    "\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
# More columns than anyone compares systems and what goes with them.
MAX_COLUMNS = 1_000
_ROWS_A_CHUNK = 50_000
# Quotation marks are looked at in blocks of whole lines.
_BLOCK = 1 << 20


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

    @property
    def is_regular(self) -> bool:
        """Whether every row has as many cells as the header."""
        return self.failure is None and not self.irregular


def cut_fast(content: bytes, separator: str, *, max_rows: int) -> Cut | None:
    """Cut text that is quoted plainly or not at all; None where the slow way has to look."""
    if b"\r" in content:
        content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    header_start = len(content) - len(content.lstrip(b"\n")) if content[:1] == b"\n" else 0
    header_end = content.find(b"\n", header_start)
    is_quoted = b'"' in content
    if header_end < 0 or (is_quoted and not _is_plainly_quoted(content, separator)):
        return None
    header_line = header_start + 1
    header = _names(content[header_start:header_end].decode("utf-8"), separator)
    if not 2 <= len(header) <= MAX_COLUMNS or not any(header):
        return None
    row_lines = _lines_with_content(content, header_end + 1, header_line + 1)
    if not 0 < row_lines.size <= max_rows:
        return None
    rows = memoryview(content)[header_end + 1 :]
    columns = stream_columns(
        rows, separator, n_columns=len(header), n_rows=row_lines.size, is_quoted=is_quoted
    )
    if columns is None or any(_longest_cell(c) > csv.field_size_limit() for c in columns):
        return None
    columns = [_trimmed(column) for column in columns]
    empty = _all_empty(columns)
    if empty.any():
        kept = pa.array(~empty)
        columns = [_plain(column).filter(kept) for column in columns]
    return Cut(
        separator=separator,
        header=header,
        header_line=header_line,
        columns=tuple(columns),
        lines=row_lines[~empty] if empty.any() else row_lines,
        blank=tuple(row_lines[empty].tolist()),
        irregular=(),
        n_rows=int(row_lines.size - empty.sum()),
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
            if len(header) > MAX_COLUMNS:
                failure = Problem(
                    what=f"The header has {len(header):,} columns; at most {MAX_COLUMNS:,} are "
                    "read.",
                    remedy="Keep the columns of one table.",
                    line=header_line,
                )
                header = header[: MAX_COLUMNS + 1]
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


def text_lines(content: bytes) -> Iterable[str]:
    """The lines with their ends, decoded as they are read."""
    return io.TextIOWrapper(io.BytesIO(content), encoding="utf-8", newline="")


def n_line_ends(content: bytes) -> int:
    """How many lines are ended, as an editor counts."""
    ends = content.count(b"\n")
    if b"\r" in content:
        ends += content.count(b"\r") - content.count(b"\r\n")
    return ends


def _names(line: str, separator: str) -> tuple[str, ...]:
    """The names of a header that is quoted plainly or not at all."""
    cells = next(csv.reader([line], delimiter=separator)) if '"' in line else line.split(separator)
    return tuple(name.strip() for name in cells)


def _is_plainly_quoted(content: bytes, separator: str) -> bool:
    """Whether quotation marks stand around whole cells alone, each within one line.

    Every way of reading quotation marks then gives the same cells.
    """
    start = 0
    while start < len(content):
        end = content.find(b"\n", start + _BLOCK) + 1 or len(content)
        if not _are_plainly_quoted(content[start:end], separator):
            return False
        start = end
    return True


def _are_plainly_quoted(lines: bytes, separator: str) -> bool:
    values = np.frombuffer(lines, dtype=np.uint8)
    marks = np.flatnonzero(values == ord('"'))
    if marks.size % 2:
        return False
    opening, closing = marks[::2], marks[1::2]
    edges = (ord(separator), ord("\n"))
    before = values[opening[opening > 0] - 1]
    after = values[closing[closing < values.size - 1] + 1]
    if not (np.isin(before, edges).all() and np.isin(after, edges).all()):
        return False
    ends = np.flatnonzero(values == ord("\n"))
    return bool((np.searchsorted(ends, opening) == np.searchsorted(ends, closing)).all())


def _lines_with_content(content: bytes, start: int, first_line: int) -> LineArray:
    """Numbers of the lines from this byte on that are not empty."""
    if content.find(b"\n\n", start - 1) < 0:
        n_lines = content.count(b"\n", start) + (
            start < len(content) and not content.endswith(b"\n")
        )
        return np.arange(first_line, first_line + n_lines, dtype=np.int32)
    ends = np.flatnonzero(np.frombuffer(content, dtype=np.uint8, offset=start) == ord("\n"))
    if not content.endswith(b"\n"):
        ends = np.append(ends, len(content) - start)
    lengths = np.diff(ends, prepend=-1) - 1
    return (np.flatnonzero(lengths > 0) + first_line).astype(np.int32)


def _all_empty(columns: Sequence[Any]) -> BoolArray:
    empty: BoolArray = np.ones(len(columns[0]), dtype=np.bool_)
    for column in columns:
        if not empty.any():
            break
        if pa.types.is_dictionary(column.type):
            is_empty = pc.equal(column.dictionary, "").to_numpy(zero_copy_only=False)
            if not is_empty.any():
                empty[:] = False
                break
            empty &= is_empty[column.indices.to_numpy()]
        else:
            empty &= pc.equal(column, "").to_numpy(zero_copy_only=False)
    return empty


def _plain(column: Any) -> Any:
    return column.dictionary_decode() if pa.types.is_dictionary(column.type) else column


def _trimmed(column: Any) -> Any:
    texts = column.dictionary if pa.types.is_dictionary(column.type) else column
    if not _may_have_outer_space(texts):
        return column
    trimmed = pc.utf8_trim(texts, characters=WHITE_SPACE)
    if trimmed.equals(texts):
        return column
    # What differed by white space alone is now the same text.
    return pc.utf8_trim(_plain(column), characters=WHITE_SPACE)


def _may_have_outer_space(texts: Any) -> bool:
    """Whether some text begins or ends with white space of ASCII, or with anything beyond ASCII."""
    _, bounds, data = texts.buffers()
    offsets = np.frombuffer(bounds, dtype=np.int32)[texts.offset : texts.offset + len(texts) + 1]
    letters = np.frombuffer(data, dtype=np.uint8) if data is not None else np.array([], np.uint8)
    for start in range(0, len(texts), _ROWS_A_CHUNK):
        ends = offsets[start : start + _ROWS_A_CHUNK + 1]
        is_filled = ends[1:] > ends[:-1]
        # What is printed in ASCII lies between 33 and 126; numbers below wrap around.
        for outer in (letters[ends[:-1][is_filled]], letters[ends[1:][is_filled] - 1]):
            if (outer - np.uint8(33) > 93).any():
                return True
    return False


def _longest_cell(column: Any) -> int:
    texts = column.dictionary if pa.types.is_dictionary(column.type) else column
    longest: int | None = pc.max(pc.binary_length(texts)).as_py()
    return longest or 0
