"""Lines above the header: a title, and the separator that Excel writes there."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from core.data.tables.cutting import Cut, cut_slowly, text_lines
from core.data.tables.numbers import DASH_CLASS
from core.data.words import listed

# Whether a title stands above a table shows in the table's first rows.
_ROWS_LOOKED_AT = 60
_LONGEST_START = 1 << 20
_MOST_TITLES = 5

_DECLARED = re.compile(rb'[\n\r]*"?sep=([^\r\n"]?)"?[ ,;|\t]*(\r\n|\r|\n)', re.IGNORECASE)
_NUMBER = re.compile(rf"[+{DASH_CLASS}]?[0-9]*[.,]?[0-9]+([eE][+{DASH_CLASS}]?[0-9]+)?\s*%?")
# Words with which a title begins that has a separator inside.
_TITLE = re.compile(r"\W*(table|tab\.|tabelle|tableau|figure|fig\.|results?|source)\b", re.I)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bare:
    """The text without the lines above its header, each of which is blank now.

    Attributes
    ----------
    content : bytes
        As UTF-8, with as many lines as before.
    remark : str
        What was left aside.
    """

    content: bytes
    remark: str


def declared_separator(content: bytes) -> tuple[str, bytes] | None:
    """The separator of a first line such as ``sep=;``, and the text with that line blank."""
    found = _DECLARED.match(content)
    if found is None:
        return None
    blank = b"\n" * len(list(text_lines(found[0])))
    return found[1].decode("utf-8", "replace"), blank + content[found.end() :]


def is_number_cell(cell: str) -> bool:
    """Whether a cell holds a number at first glance, before its column is read."""
    return _NUMBER.fullmatch(cell) is not None


def without_title(content: bytes, separators: Sequence[str]) -> Bare | None:
    """The text without one or a few lines of title; None where the first line may be the header.

    What follows has to be a regular table whose header names every column with
    words, over at least one column of numbers.
    """
    start = content[:_LONGEST_START]
    lines = list(islice(text_lines(_whole_lines(start, content)), _ROWS_LOOKED_AT))
    filled = [index for index, line in enumerate(lines) if line.strip()]
    for n_titles in range(1, min(_MOST_TITLES, len(filled) - 2) + 1):
        n_lines = filled[n_titles - 1] + 1
        titles = [lines[index] for index in filled[:n_titles]]
        rest = "".join(lines[n_lines:]).encode("utf-8")
        for separator in separators:
            cells = [_cells(title, separator) for title in titles]
            cut = cut_slowly(rest, separator, max_rows=_ROWS_LOOKED_AT).without_empty_columns()
            if _is_table(cut) and all(_is_title(title, len(cut.header)) for title in cells):
                n_bytes = len("".join(lines[:n_lines]).encode("utf-8"))
                return Bare(
                    content=b"\n" * n_lines + content[n_bytes:],
                    remark=_remark(
                        [index + 1 for index in filled[:n_titles]],
                        [f"{separator} ".join(title) for title in cells],
                    ),
                )
    return None


def _whole_lines(start: bytes, content: bytes) -> bytes:
    """The start of a text up to its last line end, so that no letter is cut in two."""
    if len(start) == len(content):
        return start
    return start[: max(start.rfind(b"\n"), start.rfind(b"\r")) + 1]


def _cells(line: str, separator: str) -> list[str]:
    """What stands in the cells of a line that are not empty."""
    try:
        cells = next(csv.reader([line.strip()], delimiter=separator), [])
    except csv.Error:
        cells = [line]
    return [cell.strip() for cell in cells if cell.strip()]


def _is_title(cells: Sequence[str], n_columns: int) -> bool:
    if not cells or len(cells) >= n_columns or any(map(is_number_cell, cells)):
        return False
    return len(cells) == 1 or _TITLE.match(cells[0]) is not None


def _is_table(cut: Cut) -> bool:
    """Whether it is regular, and its header consists of names over some numbers."""
    names = cut.header
    if not cut.is_regular or not cut.n_rows or len(names) < 2:
        return False
    if not all(names) or len(set(names)) < len(names) or any(map(is_number_cell, names)):
        return False
    return any(all(map(is_number_cell, column.to_pylist())) for column in cut.columns)


def _remark(lines: Sequence[int], titles: Sequence[str]) -> str:
    if len(lines) == 1:
        return f"Line {lines[0]} is taken for a title and left aside: {listed(titles)}."
    numbers = f"{', '.join(map(str, lines[:-1]))} and {lines[-1]}"
    return f"Lines {numbers} are taken for a title and left aside: {listed(titles)}."
