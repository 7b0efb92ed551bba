"""From text to a table of text that remembers the file's lines.

The separator is the one that cuts every row into as many fields as the header
has; letters are never guessed at.

Vocabulary
----------
coded
    Each different text of a column once, and for each row which one it is. A
    million rows are then judged by their few hundred texts.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from core.data.tables.cutting import MAX_COLUMNS, Cut, LineArray, cut_fast, cut_slowly, text_lines
from core.data.tables.preamble import declared_separator, without_title
from core.data.tables.streaming import LARGE_POOL
from core.data.tables.text import DecodedText
from core.data.tables.thousands import shows_decimal_comma
from core.data.words import quoted
from core.errors import DataError, Problem
from core.types import BoolArray, IntArray

# More rows than any results that are compared by example have.
MAX_ROWS = 2_000_000
# More would not fit into one column of text.
MAX_CHARACTERS = 500_000_000
# More problems than anyone mends one by one; the others are counted.
MAX_PROBLEMS = 1_000

_LONGEST_HEADER = 1_000_000
_BLOCK = 1 << 16
# Columns of fewer rows are looked at text by text, others only where a sample repeats.
_FEW_ROWS = 10_000
_ROWS_SAMPLED = 2_000

# What a first column is called that has no name and holds names.
_UNNAMED = "column 1"

# In this order where several cut equally well: a decimal comma makes ","
# regular by accident, which the others hardly ever are.
SEPARATORS = {"\t": "tab", ";": "semicolon", "|": "vertical bar", ",": "comma"}


@dataclass(frozen=True, kw_only=True, eq=False)
class CodedColumn:
    """A column with each different text kept once.

    Attributes
    ----------
    array : pyarrow array of strings
        The texts, in the order of their first rows.
    codes : ndarray of int, shape (n_rows,)
        For each row a position in `array`.
    one_each : bool
        Whether row i holds text i, be it the same as another.
    """

    array: Any
    codes: npt.NDArray[np.int32]
    one_each: bool = False

    @property
    def texts(self) -> list[str]:
        """The texts as strings, made anew at each call."""
        texts: list[str] = self.array.to_pylist()
        return texts

    @cached_property
    def counts(self) -> IntArray:
        """In how many rows each text stands."""
        n_texts = len(self.array)
        counts = np.zeros(n_texts, dtype=np.intp)
        # In blocks, as positions are widened before they are counted.
        block = max(_BLOCK, n_texts)
        for start in range(0, self.codes.size, block):
            counts += np.bincount(self.codes[start : start + block], minlength=n_texts)
        return counts


class Origin(Protocol):
    """Tells the files apart that a table was put together from."""

    def file_of(self, row: int, column: str | None) -> str | None:
        """Name of the file of a row, or of one cell of it."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RawTable:
    """A file cut into cells, none of them interpreted.

    Attributes
    ----------
    header : tuple of str
        Column names, unique and not empty.
    columns : tuple of pyarrow arrays of strings, some of them dictionary-coded
        One for each name of the header; outer white space is removed. `column`
        gives plain strings.
    lines : ndarray of int
        Line of the file on which each row begins, counted from 1.
    separator : str
        "," ";" "|" or a tab.
    encoding : str
        As decoded.
    remarks : tuple of str
        What the file's owner should know about how it was cut.
    origin : Origin or None
        Which cell came from which file, where several were put together.
    parsed : dict
        Columns as numbers, kept once they were read; see `number_column`.
    """

    header: tuple[str, ...]
    columns: tuple[Any, ...]
    lines: LineArray
    separator: str
    encoding: str
    remarks: tuple[str, ...] = ()
    origin: Origin | None = None
    parsed: dict[str, Any] = field(default_factory=dict, init=False, repr=False)
    _coded: dict[str, CodedColumn] = field(default_factory=dict, init=False, repr=False)
    # Whether a comma is a decimal mark, once that was asked.
    _shown: list[bool] = field(default_factory=list, init=False, repr=False)
    _each_row: list[npt.NDArray[np.int32]] = field(default_factory=list, init=False, repr=False)

    @property
    def n_rows(self) -> int:
        """Number of rows without the header."""
        return int(self.lines.size)

    def file_of(self, row: int, column: str | None = None) -> str | None:
        """The file that a row, or one cell of it, came from; None where there is only one file."""
        return None if self.origin is None else self.origin.file_of(row, column)

    @property
    def decimal_comma(self) -> bool:
        """Whether a comma is a decimal mark: it separates no columns, nor perhaps thousands.

        Where every comma of the file stands before three digits, as in 1,234,
        nothing shows which it is.
        """
        if self.separator == ",":
            return False
        if not self._shown:
            texts = (c.dictionary if pa.types.is_dictionary(c.type) else c for c in self.columns)
            self._shown.append(shows_decimal_comma(texts))
        return self._shown[0]

    def column(self, name: str) -> Any:
        """Every row's cell of one column, as a pyarrow array of strings."""
        stored = self.columns[self.header.index(name)]
        return stored.dictionary_decode() if pa.types.is_dictionary(stored.type) else stored

    def is_blank(self, name: str) -> bool:
        """Whether no cell of one column holds anything."""
        stored = self.columns[self.header.index(name)]
        texts = stored.dictionary if pa.types.is_dictionary(stored.type) else stored
        return not pc.max(pc.binary_length(texts)).as_py()

    def is_repetitive(self, name: str) -> bool:
        """Whether one column seems to hold many texts twice, so that each is looked at once."""
        stored = self.columns[self.header.index(name)]
        if name in self._coded or pa.types.is_dictionary(stored.type) or self.n_rows < _FEW_ROWS:
            return True
        some = pa.array(np.linspace(0, self.n_rows - 1, _ROWS_SAMPLED).astype(np.int64))
        return len(stored.take(some).unique()) < _ROWS_SAMPLED / 2

    def cells(self, name: str) -> tuple[str, ...]:
        """Every row's cell of one column, as strings: for tables of moderate length."""
        return tuple(self.column(name).to_pylist())

    def kept(self, rows: BoolArray) -> RawTable:
        """The table of those rows alone for which `rows` is true."""
        mask = pa.array(rows)
        origin = None if self.origin is None else _Kept(self.origin, np.flatnonzero(rows))
        return replace(
            self,
            columns=tuple(self.column(name).filter(mask) for name in self.header),
            lines=self.lines[rows],
            origin=origin,
        )

    def without(self, names: Collection[str]) -> RawTable:
        """The table without these columns; what was read of the others is shared with this one."""
        kept = [index for index, name in enumerate(self.header) if name not in names]
        view = replace(
            self,
            header=tuple(self.header[index] for index in kept),
            columns=tuple(self.columns[index] for index in kept),
        )
        for part in ("parsed", "_coded", "_each_row"):
            object.__setattr__(view, part, getattr(self, part))
        return view

    def row_by_row(self, name: str) -> CodedColumn:
        """One column as if every text stood in one row alone: for a column of hardly any twice."""
        if not self._each_row:
            self._each_row.append(np.arange(self.n_rows, dtype=np.int32))
        return CodedColumn(array=self.column(name), codes=self._each_row[0], one_each=True)

    def forget_numbers(self, names: Iterable[str]) -> None:
        """Let go of these columns as numbers; where they are asked for they are read again."""
        for name in names:
            self.parsed.pop(name, None)
        self._each_row.clear()

    def coded(self, name: str) -> CodedColumn:
        """One column with each different text kept once."""
        if name not in self._coded:
            stored = self.columns[self.header.index(name)]
            encoded = (
                stored
                if pa.types.is_dictionary(stored.type)
                else pc.dictionary_encode(stored, memory_pool=LARGE_POOL)
            )
            self._coded[name] = CodedColumn(
                array=encoded.dictionary, codes=encoded.indices.to_numpy(zero_copy_only=False)
            )
        return self._coded[name]


@dataclass(frozen=True, slots=True)
class _Kept:
    """The origin of rows that were taken from a longer table."""

    whole: Origin
    rows: IntArray

    def file_of(self, row: int, column: str | None) -> str | None:
        return self.whole.file_of(int(self.rows[row]), column)


def split_table(decoded: DecodedText, *, max_rows: int = MAX_ROWS) -> RawTable:
    """Cut text into rows and cells.

    Parameters
    ----------
    decoded : DecodedText
        From `decode_text`.
    max_rows : int
        A longer file is refused.

    Raises
    ------
    DataError
        With every problem: no separator, a header alone, names missing or
        repeated, rows longer or shorter than the header, too many rows.
    """
    content = decoded.content
    if len(content) > MAX_CHARACTERS and len(decoded.text) > MAX_CHARACTERS:
        raise DataError(
            [
                Problem(
                    what=f"The file has {len(decoded.text):,} characters; at most "
                    f"{MAX_CHARACTERS:,} are read.",
                    remedy="Split it, or keep only the columns that are compared.",
                )
            ]
        )
    remarks = list(decoded.remarks)
    separators: Sequence[str] = tuple(SEPARATORS)
    declared = declared_separator(content)
    if declared is not None:
        separator, content = declared
        if separator not in SEPARATORS:
            raise DataError([_unknown_separator_problem(separator)])
        separators = (separator,)
    cuts = _cuts(content, separators, max_rows=max_rows)
    if not any(cut.is_regular and not _header_problems(cut) for cut in cuts):
        bare = without_title(content, separators)
        if bare is not None:
            remarks.append(bare.remark)
            cuts = _cuts(bare.content, separators, max_rows=max_rows)
    if not cuts:
        raise DataError([_no_columns_problem(content)])
    best, counter = _without_counter(max(cuts, key=_merit))
    best, named = _with_names_named(best)
    remarks += [remark for remark in (counter, named) if remark]
    # Names are told only where all of them were read.
    problems = _header_problems(best) if len(best.header) <= MAX_COLUMNS else []
    if best.failure is not None:
        problems.append(best.failure)
    problems.extend(_row_problems(best))
    if problems:
        raise DataError(problems)
    if best.blank:
        remarks.append(f"Rows without any content are skipped: {_listed_lines(best.blank)}.")
    return RawTable(
        header=best.header,
        columns=best.columns,
        lines=best.lines,
        separator=best.separator,
        encoding=decoded.encoding,
        remarks=tuple(remarks),
    )


def bounded(problems: Iterable[Problem], *, n_problems: int, of: str) -> list[Problem]:
    """The first thousand problems of one kind, and how many more there are."""
    listed = [problem for problem, _ in zip(problems, range(MAX_PROBLEMS), strict=False)]
    if n_problems > len(listed):
        listed.append(
            Problem(
                what=f"There are {n_problems - len(listed):,} more {of} with such problems.",
                remedy="Mend those above first.",
            )
        )
    return listed


def _cuts(content: bytes, separators: Sequence[str], *, max_rows: int) -> list[Cut]:
    """The text cut by each separator that the header has."""
    candidates = [separator for separator in separators if _n_names(content, separator) > 1]
    fast = [cut_fast(content, separator, max_rows=max_rows) for separator in candidates]
    found = [cut for cut in fast if cut is not None]
    return found or [cut_slowly(content, s, max_rows=max_rows) for s in candidates]


def _n_names(content: bytes, separator: str) -> int:
    """Into how many names a separator cuts the header; 2 where that cannot be told yet."""
    # A letter may be cut in two at the end.
    start = content[:_LONGEST_HEADER].decode("utf-8", "ignore")
    reader = csv.reader(
        text_lines(start.encode("utf-8")), delimiter=separator, skipinitialspace=True
    )
    try:
        for names in reader:
            if any(name.strip() for name in names):
                return len(names)
    except csv.Error:
        return 2
    return 0


def _unknown_separator_problem(separator: str) -> Problem:
    return Problem(
        what=f"The first line says that {quoted(separator)} separates the columns, which is "
        "not read.",
        remedy="Separate them by a comma, semicolon, tab or vertical bar.",
        line=1,
    )


def _no_columns_problem(content: bytes) -> Problem:
    first = next((line for line in map(str.strip, text_lines(content)) if line), "")
    if re.fullmatch(r"[+-]?[0-9]*[.,]?[0-9]+", first):
        return Problem(
            what="The file holds one number a line and no header.",
            remedy="Put the systems' scores side by side in one file, under a header with their "
            "names, or give one such file for each system.",
            line=1,
        )
    return Problem(
        what="No comma, semicolon, tab or vertical bar separates the header into columns.",
        remedy="Write a header line and one row for each dataset, or for each example, with the "
        "columns separated by commas.",
        line=1,
    )


def _merit(cut: Cut) -> tuple[bool, float, int]:
    """Regular before irregular, then the most regular, then the most columns."""
    if cut.is_regular:
        return True, 1.0, len(cut.header)
    n_regular = cut.n_rows - len(cut.irregular)
    return False, n_regular / max(1, cut.n_rows), len(cut.header)


def _without_counter(cut: Cut) -> tuple[Cut, str]:
    """The cut without a first column that has no name and counts the rows, as pandas writes it."""
    if len(cut.header) < 3 or cut.header[0] or not cut.n_rows or not cut.is_regular:
        return cut, ""
    cells = cut.columns[0]
    if pa.types.is_dictionary(cells.type):
        cells = cells.dictionary_decode()
    first = cells[0].as_py()
    if first not in ("0", "1") or len(cells) != cut.n_rows:
        return cut, ""
    counted = pa.array(np.arange(int(first), int(first) + cut.n_rows)).cast(pa.string())
    if not pc.all(pc.equal(cells, counted)).as_py():
        return cut, ""
    rest = replace(cut, header=cut.header[1:], columns=cut.columns[1:])
    return rest, "Column 1 has no name and counts the rows: it is left aside."


def _with_names_named(cut: Cut) -> tuple[Cut, str]:
    """The cut with a name for a first column of names over columns of numbers alone.

    So pandas writes a table whose rows are datasets or examples.
    """
    header, is_plain = cut.header, cut.is_regular and cut.n_rows > 0
    if not is_plain or len(header) < 3 or header[0] or not all(header[1:]):
        return cut, ""
    texts = [
        (c.dictionary_decode() if pa.types.is_dictionary(c.type) else c).to_pylist()
        for c in cut.columns
    ]
    names, cells = texts[0], texts[1:]
    if any(not name or _is_number(name) for name in names) or _UNNAMED in header:
        return cut, ""
    if not all(_is_number(cell) for column in cells for cell in column if cell):
        return cut, ""
    remark = f"Column 1 has no name: it is called {quoted(_UNNAMED)} here."
    return replace(cut, header=(_UNNAMED, *header[1:])), remark


def _is_number(cell: str) -> bool:
    return re.fullmatch(r"[+\-−]?[0-9]*[.,]?[0-9]+([eE][+-]?[0-9]+)?\s*%?", cell) is not None


def _header_problems(cut: Cut) -> list[Problem]:
    problems = [
        Problem(
            what=f"Column {position} has no name.",
            remedy="Name it in the header, or remove it.",
            line=cut.header_line,
        )
        for position, name in enumerate(cut.header, start=1)
        if not name
    ]
    for name, count in Counter(cut.header).items():
        if name and count > 1:
            positions = [i for i, other in enumerate(cut.header, start=1) if other == name]
            problems.append(
                Problem(
                    what=f"The name stands over {count} columns: {', '.join(map(str, positions))}.",
                    remedy="Give each column a name of its own.",
                    column=name,
                    line=cut.header_line,
                )
            )
    return problems


def _row_problems(cut: Cut) -> list[Problem]:
    if not cut.n_rows and cut.failure is None:
        return [
            Problem(
                what="The file has a header and no rows.",
                remedy="Add one row for each dataset, or for each example.",
            )
        ]
    expected = len(cut.header)
    quote = f"put quotation marks around a cell that holds a {SEPARATORS[cut.separator]}"
    if cut.separator == ",":
        quote += ", and write decimal points, not decimal commas"
    return bounded(
        (
            Problem(
                what=f"The row has {n_cells} cell{'s' if n_cells != 1 else ''}, the header "
                f"{expected}.",
                remedy="Add the missing cells, if only as empty ones."
                if n_cells < expected
                else f"Remove what is too many: {quote}.",
                line=line,
            )
            for line, n_cells in cut.irregular
        ),
        n_problems=len(cut.irregular),
        of="rows",
    )


def _listed_lines(lines: tuple[int, ...]) -> str:
    shown = ", ".join(map(str, lines[:5]))
    more = f" and {len(lines) - 5} more" if len(lines) > 5 else ""
    return f"line {shown}" if len(lines) == 1 else f"lines {shown}{more}"
