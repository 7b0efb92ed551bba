"""Text cut into columns at once, where nothing is quoted or only whole cells are.

What may be wrong with a text is not looked for here: `cutting` says it.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.data.tables.cutting import Cut, LineArray
from core.data.tables.limits import MAX_COLUMNS
from core.data.tables.stored import texts_of_rows, texts_to_look_at
from core.data.tables.streaming import stream_columns
from core.types import BoolArray

# What str.strip removes; the fast way has to remove the same.
WHITE_SPACE = (
    "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006"
    "\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
# Ends of texts are looked at in blocks.
_TEXTS_A_LOOK = 50_000
# Quotation marks are looked at in blocks of whole lines.
_BLOCK = 1 << 20


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
        columns = [texts_of_rows(column).filter(kept) for column in columns]
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


def _trimmed(column: Any) -> Any:
    texts = texts_to_look_at(column)
    if not _may_have_outer_space(texts):
        return column
    trimmed = pc.utf8_trim(texts, characters=WHITE_SPACE)
    if trimmed.equals(texts):
        return column
    # What differed by white space alone is now the same text.
    return pc.utf8_trim(texts_of_rows(column), characters=WHITE_SPACE)


def _may_have_outer_space(texts: Any) -> bool:
    """Whether some text begins or ends with white space of ASCII, or with anything beyond ASCII."""
    _, bounds, data = texts.buffers()
    offsets = np.frombuffer(bounds, dtype=np.int32)[texts.offset : texts.offset + len(texts) + 1]
    letters = np.frombuffer(data, dtype=np.uint8) if data is not None else np.array([], np.uint8)
    for start in range(0, len(texts), _TEXTS_A_LOOK):
        ends = offsets[start : start + _TEXTS_A_LOOK + 1]
        is_filled = ends[1:] > ends[:-1]
        # What is printed in ASCII lies between 33 and 126; numbers below wrap around.
        for outer in (letters[ends[:-1][is_filled]], letters[ends[1:][is_filled] - 1]):
            if (outer - np.uint8(33) > 93).any():
                return True
    return False


def _longest_cell(column: Any) -> int:
    texts = texts_to_look_at(column)
    longest: int | None = pc.max(pc.binary_length(texts)).as_py()
    return longest or 0
