"""Text cut into columns by one separator: at once where nothing can be wrong, else row by row.

The slow way says what is wrong with a text; the fast way gives the same cells of
one without empty rows in which nothing is quoted, or only whole cells are.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv

from ...errors import Problem
from ...types import BoolArray
from .limits import MAX_COLUMNS, size_problems
from .text import are_among


def texts_of_rows(stored: Any) -> Any:
    """Every row's text, as a pyarrow array of strings."""
    return stored.dictionary_decode() if pa.types.is_dictionary(stored.type) else stored


def texts_to_look_at(stored: Any) -> Any:
    """Texts that hold all those of the rows: each once where the column is stored so."""
    return stored.dictionary if pa.types.is_dictionary(stored.type) else stored


def bytes_of(array: Any) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint8]]:
    """The bytes of all texts of a pyarrow array one after the other, and where each begins and the last ends."""
    _, offsets, data = array.buffers()
    ends = np.frombuffer(offsets, dtype=np.int32)[array.offset : array.offset + len(array) + 1]
    return ends, np.frombuffer(data or b"", dtype=np.uint8)


def consists_of(array: Any, letters: bytes) -> bool:
    """Whether no other byte stands in any text."""
    ends, text = bytes_of(array)
    return are_among(text[ends[0] : ends[-1]], letters)


# Numbers of lines: of a file that is read half of the usual length holds them.
LineArray = npt.NDArray[np.integer]

_ROWS_A_CHUNK = 50_000


def in_pieces(n: int) -> Iterator[slice]:
    """So many rows or bytes piece by piece, where all at once would take much room for a moment."""
    return (slice(start, start + _ROWS_A_CHUNK) for start in range(0, n, _ROWS_A_CHUNK))


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """The text cut by one separator."""

    separator: str
    # As it stands in the file: names may be missing or repeated.
    header: tuple[str, ...]
    header_line: int
    # pyarrow strings, some dictionary-coded: each column's cells, trimmed; empty where rows do not fit.
    columns: tuple[Any, ...]
    # Line on which each row begins.
    lines: LineArray
    # Lines of rows that hold separators alone.
    blank: tuple[int, ...]
    # Line and number of cells of each row that does not fit the header.
    irregular: tuple[tuple[int, int], ...]
    # Number of rows, irregular ones too.
    n_rows: int
    # Why cutting stopped.
    failure: Problem | None = None
    # Positions in the file, from 1, of columns that are not kept.
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
        """The cut without columns that have neither a name nor any content, as spreadsheets write them."""
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
    rows: list[Sequence[str]] = []
    chunks: list[list[Any]] = []
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
                f"A cell holds more than {csv.field_size_limit():,} characters.",
                "Look for a quotation mark that is opened and not closed.",
                line=line,
            )
            break
        if reader.line_num > n_lines:
            failure = Problem(
                "A quotation mark opens here and is never closed.",
                "Close it, or write it twice inside a quoted cell.",
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
            n_named = max(index for index, name in enumerate(cells, start=1) if name)
            if n_named <= MAX_COLUMNS:
                header = header[:MAX_COLUMNS]
            if len(header) > MAX_COLUMNS:
                (failure,) = size_problems(n_columns=len(header), line=header_line)
                header = header[: MAX_COLUMNS + 1]
            if len(header) == 1:
                break
            continue
        n_rows += 1
        cells = _fitted(cells, len(header), n_named, separator)
        if n_rows > max_rows:
            (failure,) = size_problems(n_rows=n_rows, most_rows=max_rows)
        elif len(cells) != len(header):
            irregular.append((line, len(cells)))
            rows, chunks = [], []
        elif not irregular:
            rows.append(cells)
            lines.append(line)
        if len(rows) == _ROWS_A_CHUNK:
            chunks.append(_arrays(rows))
            rows = []
    chunks += [_arrays(rows)] if rows else []
    nothing = pa.array([], type=pa.string())
    columns = tuple(map(pa.concat_arrays, zip(*chunks, strict=True)))
    return Cut(
        separator=separator,
        header=header or (),
        header_line=header_line,
        columns=columns or (nothing,) * len(header or ()),
        lines=np.array(lines, dtype=np.intp),
        blank=tuple(blank),
        irregular=tuple(irregular),
        n_rows=min(n_rows, max_rows),
        failure=failure,
    )


def _fitted(cells: list[str], width: int, n_named: int, separator: str) -> list[str]:
    """A row with as many cells as the header, where they differ in empty ones at the end alone."""
    if n_named <= len(cells) < width:
        return cells + [""] * (width - len(cells))
    # Under a header that ends in a name "x,0,5," may hold a decimal comma.
    ends_in_names = n_named == width and separator == ","
    return cells if ends_in_names or any(cells[width:]) else cells[:width]


def _arrays(rows: Sequence[Sequence[str]]) -> list[Any]:
    """Each column of some rows: as strings of Python they take five times the memory."""
    return [pa.array(cells, type=pa.string()) for cells in zip(*rows, strict=True)]


def text_lines(content: bytes) -> Iterable[str]:
    """The lines with their ends, decoded as they are read."""
    return io.TextIOWrapper(io.BytesIO(content), encoding="utf-8", newline="")


def n_line_ends(content: bytes) -> int:
    """How many lines are ended, as an editor counts."""
    ends = content.count(b"\n")
    if b"\r" in content:
        ends += content.count(b"\r") - content.count(b"\r\n")
    return ends


# What str.strip removes; the fast way has to remove the same.
WHITE_SPACE = (
    "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006"
    "\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
# Quotation marks are looked at in blocks of whole lines.
_MARKS_A_LOOK = 1 << 20


_FIRST_LINE = re.compile(rb"[^\r\n]+")


def cut_fast(content: bytes, separator: str, *, max_rows: int) -> Cut | None:
    """Cut text without empty rows that is quoted plainly or not at all; None for any other."""
    first = _FIRST_LINE.search(content)
    if first is None or separator.encode() not in first[0]:
        return None
    if b"\r" in content:
        content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    is_quoted = b'"' in content
    if is_quoted and not _is_plainly_quoted(content, separator):
        return None
    line = first[0].decode("utf-8")
    named = next(csv.reader([line], delimiter=separator)) if is_quoted else line.split(separator)
    header = tuple(name.strip() for name in named)
    if not 2 <= len(header) <= MAX_COLUMNS or not any(header):
        return None
    start, end = content.index(first[0]), len(content)
    while content[end - 1 : end] == b"\n":
        end -= 1
    rows = memoryview(content)[start + len(first[0]) + 1 : end]
    lines = np.frombuffer(content, dtype=np.uint8)[start:end]
    n_rows = sum(int(np.count_nonzero(lines[own] == ord("\n"))) for own in in_pieces(lines.size))
    if not 0 < n_rows <= max_rows:
        return None
    columns = _columns_of(rows, separator, len(header), n_rows, is_quoted=is_quoted)
    if columns is None or len(columns[0]) != n_rows:
        return None
    longest = [pc.max(pc.binary_length(texts_to_look_at(column))).as_py() for column in columns]
    columns = [_trimmed(column) for column in columns]
    empty: BoolArray = np.zeros(n_rows, dtype=np.bool_)
    if all(pc.index(texts_to_look_at(column), "").as_py() >= 0 for column in columns):
        empty = ~np.any([pc.not_equal(texts_of_rows(column), "") for column in columns], axis=0)
    if max(longest) > csv.field_size_limit() or empty.any():
        return None
    return Cut(
        separator=separator,
        header=header,
        header_line=start + 1,
        columns=tuple(columns),
        lines=np.arange(start + 2, start + 2 + n_rows, dtype=np.int32),
        blank=(),
        irregular=(),
        n_rows=n_rows,
    )


def _is_plainly_quoted(content: bytes, separator: str) -> bool:
    """Whether quotation marks stand around whole cells alone, within lines: read alike in every way."""
    edges = (ord(separator), ord("\n"))
    start = 0
    while start < len(content):
        end = content.find(b"\n", start + _MARKS_A_LOOK) + 1 or len(content)
        values = np.frombuffer(content[start:end], dtype=np.uint8)
        start = end
        marks = np.flatnonzero(values == ord('"'))
        ends = np.searchsorted(np.flatnonzero(values == ord("\n")), marks)
        before = values[marks[::2][marks[::2] > 0] - 1]
        after = values[marks[1::2][marks[1::2] < values.size - 1] + 1]
        if (
            marks.size % 2
            or not (np.isin(before, edges).all() and np.isin(after, edges).all())
            or (ends[::2] != ends[1::2]).any()
        ):
            return False
    return True


_PRINTED_ASCII = bytes(range(ord("!"), ord("~") + 1))


def _trimmed(column: Any) -> Any:
    texts = texts_to_look_at(column)
    if consists_of(texts, _PRINTED_ASCII):
        return column
    trimmed = pc.utf8_trim(texts, characters=WHITE_SPACE)
    if trimmed.equals(texts):
        return column
    # What differed by white space alone is now the same text.
    return pc.utf8_trim(texts_of_rows(column), characters=WHITE_SPACE)


# A column of so many rows is kept by its different texts where a sample repeats them.
_FEW_ROWS = 10_000
_ROWS_SAMPLED = 2_000
# So much is parsed at a time, as parsing takes twice the room of what it reads. Files with longer
# rows are cut row by row.
_BLOCK = 1 << 19

# Gives back at once what is no longer needed; the others keep it for later.
LARGE_POOL = pa.system_memory_pool()


def repeats_texts(stored: Any) -> bool:
    """Whether a column seems to hold many texts twice, so that each is looked at once."""
    is_coded = pa.types.is_dictionary(stored.type)
    return is_coded or len(stored) < _FEW_ROWS or _repeats_in_sample(stored)


def _repeats_in_sample(texts: Any) -> bool:
    some = np.linspace(0, len(texts) - 1, min(len(texts), _ROWS_SAMPLED)).astype(np.int64)
    return len(texts.take(pa.array(some)).unique()) < some.size / 2


def _columns_of(
    rows: memoryview, separator: str, n_columns: int, n_rows: int, *, is_quoted: bool
) -> list[Any] | None:
    """The columns of rows, coded where some of them repeat texts; None where rows do not fit."""
    some = bytes(rows[:_BLOCK])
    if len(rows) > _BLOCK:
        # Whole lines of four places: a file may begin with texts that repeat, and go on without.
        parts = (bytes(rows[i * len(rows) // 4 :][: _BLOCK // 4]) for i in range(4))
        some = b"".join(part[part.find(b"\n") + 1 : part.rfind(b"\n") + 1] for part in parts)
    plain = [pa.string()] * n_columns
    try:
        first = _pieces(some, separator, plain, is_quoted=is_quoted).read_all()
        columns: list[_CodedTexts | _Texts] = [
            _CodedTexts(n_rows)
            if _repeats_in_sample(texts)
            else _Texts(n_rows, pc.sum(pc.binary_length(texts)).as_py() * len(rows) // len(some))
            for texts in first.columns
        ]
        kinds = [column.kind for column in columns]
        for piece in _pieces(rows, separator, kinds, is_quoted=is_quoted):
            for column, texts in zip(columns, piece.columns, strict=True):
                column.add(texts)
    except pa.ArrowInvalid:
        return None
    return [column.array() for column in columns]


class _CodedTexts:
    """A column that repeats its texts: each once, and each row's position among them."""

    kind = pa.dictionary(pa.int32(), pa.string())

    def __init__(self, n_rows: int) -> None:
        self._known: dict[str, int] = {}
        self._codes = np.empty(n_rows, dtype=np.int32)
        self._n = 0

    def add(self, piece: Any) -> None:
        known = self._known
        positions = [known.setdefault(text, len(known)) for text in piece.dictionary.to_pylist()]
        codes = np.array(positions, dtype=np.int32)[piece.indices.to_numpy()]
        self._codes[self._n : self._n + codes.size] = codes
        self._n += codes.size

    def array(self) -> Any:
        narrow = self._codes[: self._n].astype(np.min_scalar_type(-len(self._known)))
        return pa.DictionaryArray.from_arrays(narrow, pa.array(self._known, type=pa.string()))


class _Texts:
    """Any other column, in room for somewhat more letters than are expected: few are ever moved."""

    kind = pa.string()

    def __init__(self, n_rows: int, n_expected: int) -> None:
        self._letters = np.empty(n_expected * 5 // 4, dtype=np.uint8)
        self._ends = np.zeros(n_rows + 1, dtype=np.int32)
        self._n = 0

    def add(self, piece: Any) -> None:
        ends, letters = bytes_of(piece)
        n, start = self._n, self._ends[self._n]
        end = start + ends[-1] - ends[0]
        if end > self._letters.size:
            self._letters = np.concatenate([self._letters, np.empty(end, dtype=np.uint8)])
        self._ends[n + 1 : n + len(piece) + 1] = ends[1:] + (start - ends[0])
        self._letters[start:end] = letters[ends[0] : ends[-1]]
        self._n += len(piece)

    def array(self) -> Any:
        letters = self._letters[: self._ends[self._n]]
        buffers = [None, pa.py_buffer(self._ends), pa.py_buffer(letters)]
        return pa.Array.from_buffers(pa.string(), self._n, buffers)


def _pieces(rows: Any, separator: str, types: Sequence[Any], *, is_quoted: bool) -> Any:
    """The rows parsed, some thousands at a time."""
    positions = [str(position) for position in range(len(types))]
    return pa_csv.open_csv(
        pa.BufferReader(rows),
        read_options=pa_csv.ReadOptions(
            column_names=positions, use_threads=False, block_size=_BLOCK
        ),
        parse_options=pa_csv.ParseOptions(
            delimiter=separator, quote_char='"' if is_quoted else False
        ),
        convert_options=pa_csv.ConvertOptions(
            column_types=dict(zip(positions, types, strict=True))
        ),
        memory_pool=LARGE_POOL,
    )
