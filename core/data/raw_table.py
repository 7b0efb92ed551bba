"""From text to a table of strings that remembers the file's lines.

The separator is the one that cuts every row into as many fields as the header
has; letters are never guessed at.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from dataclasses import dataclass
from itertools import chain

from core.data.text import DecodedText
from core.errors import DataError, Problem

# More rows than any published table has; a file beyond it is something else.
MAX_ROWS = 100_000
MAX_COLUMNS = 1_000

# In this order where several cut equally well: a decimal comma makes ","
# regular by accident, which the others hardly ever are.
SEPARATORS = {"\t": "tab", ";": "semicolon", "|": "vertical bar", ",": "comma"}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RawTable:
    """A file cut into cells, none of them interpreted.

    Attributes
    ----------
    header : tuple of str
        Column names, unique and not empty.
    rows : tuple of tuple of str
        As many cells each as the header; outer white space is removed.
    lines : tuple of int
        Line of the file on which each row begins, counted from 1.
    separator : str
        "," ";" "|" or a tab.
    encoding : str
        As decoded.
    remarks : tuple of str
        What the file's owner should know about how it was cut.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]
    separator: str
    encoding: str
    remarks: tuple[str, ...] = ()

    @property
    def decimal_comma(self) -> bool:
        """Whether a comma may be a decimal mark: it is not the separator."""
        return self.separator != ","

    def cells(self, column: str) -> tuple[str, ...]:
        """Every row's cell of one column."""
        index = self.header.index(column)
        return tuple(row[index] for row in self.rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cut:
    """The text cut by one separator."""

    separator: str
    header: tuple[str, ...]
    header_line: int
    rows: tuple[tuple[str, ...], ...]
    lines: tuple[int, ...]
    blank: tuple[int, ...]
    failure: Problem | None

    @property
    def n_regular(self) -> int:
        return sum(len(row) == len(self.header) for row in self.rows)

    @property
    def is_regular(self) -> bool:
        return self.failure is None and self.n_regular == len(self.rows)


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
    cuts = [_cut(decoded.text, separator, max_rows=max_rows) for separator in SEPARATORS]
    cuts = [cut for cut in cuts if len(cut.header) > 1]
    if not cuts:
        raise DataError(
            [
                Problem(
                    what="No comma, semicolon, tab or vertical bar separates the header into "
                    "columns.",
                    remedy="Write a header line and one row for each dataset, with the columns "
                    "separated by commas.",
                    line=1,
                )
            ]
        )
    best = max(cuts, key=_merit)
    problems = _header_problems(best)
    if best.failure is not None:
        problems.append(best.failure)
    problems.extend(_row_problems(best))
    if problems:
        raise DataError(problems)
    remarks = list(decoded.remarks)
    if best.blank:
        remarks.append(f"Rows without any content are skipped: {_listed_lines(best.blank)}.")
    return RawTable(
        header=best.header,
        rows=best.rows,
        lines=best.lines,
        separator=best.separator,
        encoding=decoded.encoding,
        remarks=tuple(remarks),
    )


def _merit(cut: _Cut) -> tuple[bool, float, int]:
    """Regular before irregular, then the most regular, then the most columns."""
    if cut.is_regular:
        return True, 1.0, len(cut.header)
    return False, cut.n_regular / max(1, len(cut.rows)), len(cut.header)


def _cut(text: str, separator: str, *, max_rows: int) -> _Cut:
    # Lines end as an editor ends them; str.splitlines would also break at
    # characters that may stand inside a name. The sentinel line shows whether
    # a quotation mark is still open at the end of the file.
    n_lines = sum(1 for _ in io.StringIO(text, newline=""))
    reader = csv.reader(
        chain(io.StringIO(text, newline=""), ["end"]), delimiter=separator, skipinitialspace=True
    )
    header: tuple[str, ...] | None = None
    header_line = 1
    rows: list[tuple[str, ...]] = []
    lines: list[int] = []
    blank: list[int] = []
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
        cells = tuple(field.strip() for field in fields)
        if not any(cells):
            if len(cells) > 1 and header is not None:
                blank.append(line)
            continue
        if header is None:
            header, header_line = cells, line
            if len(header) == 1:
                break
        else:
            rows.append(cells)
            lines.append(line)
        if len(rows) > max_rows:
            failure = Problem(
                what=f"The file has more than {max_rows:,} rows, the most that is read.",
                remedy="Keep one row for each dataset.",
            )
    return _Cut(
        separator=separator,
        header=header or (),
        header_line=header_line,
        rows=tuple(rows[:max_rows]),
        lines=tuple(lines[:max_rows]),
        blank=tuple(blank),
        failure=failure,
    )


def _header_problems(cut: _Cut) -> list[Problem]:
    if len(cut.header) > MAX_COLUMNS:
        return [
            Problem(
                what=f"The header has {len(cut.header):,} columns; at most {MAX_COLUMNS:,} are "
                "read.",
                remedy="Keep the columns of one table.",
                line=cut.header_line,
            )
        ]
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


def _row_problems(cut: _Cut) -> list[Problem]:
    if not cut.rows and cut.failure is None:
        return [
            Problem(
                what="The file has a header and no rows.",
                remedy="Add one row for each dataset.",
            )
        ]
    expected = len(cut.header)
    quote = f"put quotation marks around a cell that holds a {SEPARATORS[cut.separator]}"
    if cut.separator == ",":
        quote += ", and write decimal points, not decimal commas"
    return [
        Problem(
            what=f"The row has {len(row)} cells, the header {expected}.",
            remedy="Add the missing cells, if only as empty ones."
            if len(row) < expected
            else f"Remove what is too many: {quote}.",
            line=line,
        )
        for row, line in zip(cut.rows, cut.lines, strict=True)
        if len(row) != expected
    ]


def _listed_lines(lines: tuple[int, ...]) -> str:
    shown = ", ".join(map(str, lines[:5]))
    more = f" and {len(lines) - 5} more" if len(lines) > 5 else ""
    return f"line {shown}" if len(lines) == 1 else f"lines {shown}{more}"
