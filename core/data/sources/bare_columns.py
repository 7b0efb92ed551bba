"""Two columns of numbers under no header: the scores of two systems, or ids with their scores."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.data.sources.column_table import check_size, table_of_columns
from core.data.tables.cutting import text_lines
from core.data.tables.raw_table import RawTable
from core.data.tables.text import DecodedText

# What the systems are called, as nobody says it.
SYSTEMS = ("A", "B")
_IDS = ("id", "score")
_POINT = r"[+\-−]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_COMMA = r"[+\-−]?(?:[0-9]+[.,]?[0-9]*|[.,][0-9]+)(?:[eE][+-]?[0-9]+)?"
_MISSING = r"|(?i:nan|na|n/a|null|none|-|\?)|"
# The separator of the columns, what stands between them, and how numbers are written.
_KINDS = (
    ("\t", r"[ ]*\t[ ]*", _COMMA),
    (";", r"[ \t]*;[ \t]*", _COMMA),
    (",", r"[ \t]*,[ \t]*", _POINT),
    (" ", r"[ ]+", _COMMA),
)
_INTEGER = re.compile(r"[+\-−]?[0-9]+")
# Of so many different whole numbers beside scores it is open whether they are ids.
_FEWEST_IDS = 5


def read_pair(decoded: DecodedText) -> RawTable | None:
    """The table of a file of two columns of numbers whose first line is no header; else None.

    Raises
    ------
    DataError
        If there are more lines than rows that are read.
    """
    first = next((line.strip() for line in text_lines(decoded.content) if line.strip()), "")
    kind = next((kind for kind in _KINDS if _pattern(kind, "").fullmatch(first)), None)
    if kind is None:
        return None
    columns: tuple[list[str], list[str]] = ([], [])
    lines: list[int] = []
    pattern = _pattern(kind, "" if kind[0] == " " else _MISSING)
    for line, text in enumerate(text_lines(decoded.content), start=1):
        if not text.strip():
            continue
        found = pattern.fullmatch(text.strip("\r\n ") if kind[0] == "\t" else text.strip())
        if found is None:
            return None
        columns[0].append(found[1])
        columns[1].append(found[2])
        lines.append(line)
        check_size(n_rows=len(lines), n_columns=2)
    if len(lines) < 2 or _is_header(columns):
        return None
    header, remark = _named(columns)
    if not header:
        return None
    return table_of_columns(
        header,
        columns,
        lines,
        separator=kind[0],
        encoding=decoded.encoding,
        remarks=(*decoded.remarks, remark),
    )


def _pattern(kind: tuple[str, str, str], missing: str) -> re.Pattern[str]:
    _, between, number = kind
    return re.compile(f"({number}{missing}){between}({number}{missing})")


def _is_header(columns: Sequence[Sequence[str]]) -> bool:
    """Whether whole numbers stand over fractions alone, as names such as years do."""
    return all(
        _INTEGER.fullmatch(column[0]) and not any(map(_INTEGER.fullmatch, column[1:]))
        for column in columns
    )


def _named(columns: Sequence[Sequence[str]]) -> tuple[tuple[str, str], str] | tuple[tuple[()], str]:
    """Names for the columns, and what is said of them; none where they may be something else."""
    first = columns[0]
    if all(map(_INTEGER.fullmatch, first)):
        start = first[0]
        if start in ("0", "1") and list(first) == [str(int(start) + i) for i in range(len(first))]:
            return _IDS, (
                "The file has no header: its first line is read as data. Column 1 counts the "
                "lines and is read as the ids of examples, column 2 as the scores of one system."
            )
        both = all(map(_INTEGER.fullmatch, columns[1]))
        if len(first) >= _FEWEST_IDS and len(set(first)) == len(first) and not both:
            return (), ""
    a, b = SYSTEMS
    return SYSTEMS, (
        f"The file has no header: its first line is read as data. Column 1 is called {a}, "
        f"column 2 {b}."
    )
