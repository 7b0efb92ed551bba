"""Files that hold one value a line, of one system on one dataset."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from core.data.tables.cutting import text_lines
from core.data.tables.limits import MAX_ROWS
from core.data.tables.splitting import SEPARATORS
from core.data.tables.text import DecodedText
from core.errors import DataError, Problem

NUMBER_ALONE = re.compile(r"[+\-−]?([0-9]+([.,][0-9]*)?|[.,][0-9]+)([eE][+-]?[0-9]+)?\s*%?")
# A first line such as these is a value that is missing, not a heading.
_NOTHING = frozenset({"nan", "null", "na", "n/a", "none", "missing", "?", "-", "–", "inf"})
_LABELS_AT_MOST = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreList:
    """The values of one file.

    Attributes
    ----------
    values : tuple of str
        One a line, '' where a line within is blank.
    first_line : int
        Line of the first value.
    heading : str or None
        What stands above them.
    encoding : str
        As decoded.
    remarks : tuple of str
        From decoding.
    is_sure : bool
        False where commas in it may as well divide columns without a header.
    """

    values: tuple[str, ...]
    first_line: int
    heading: str | None
    encoding: str
    remarks: tuple[str, ...] = ()
    is_sure: bool = True

    @property
    def has_comma(self) -> bool:
        """Whether commas stand in it, which are then decimal marks."""
        return any("," in value for value in self.values)


def read_score_list(decoded: DecodedText) -> ScoreList | None:
    """The values of a file with one a line, None for any other file.

    Raises
    ------
    DataError
        If there are more lines than rows that are read.
    """
    first = _first_line(decoded.content)
    is_number = NUMBER_ALONE.fullmatch(first) is not None
    if not is_number and any(separator in first for separator in SEPARATORS):
        return None
    if decoded.content.count(b"\n") > 2 * MAX_ROWS:
        raise DataError(
            [
                Problem(
                    what=f"The file has more than {MAX_ROWS:,} lines, the most that is read.",
                    remedy="Keep only the lines that are compared.",
                )
            ]
        )
    lines = [line.strip() for line in text_lines(decoded.content)]
    while lines and not lines[-1]:
        lines.pop()
    start = next(index for index, line in enumerate(lines) if line)
    values = lines[start:]
    heading = None
    if not is_number and _is_heading(values):
        heading, values = values[0], values[1:]
        start += 1
    if heading is None and not is_number and not _are_labels(values):
        return None
    return ScoreList(
        values=tuple(values),
        first_line=start + 1,
        heading=heading,
        encoding=decoded.encoding,
        remarks=decoded.remarks,
        is_sure="," not in first or _are_decimal_commas(values),
    )


def only_one_problem() -> Problem:
    """Why one such file alone is not enough."""
    return Problem(
        what="The file holds one value a line: the results of one system on one dataset.",
        remedy="Give one such file for each system, at least two, with names such as "
        "'dataset.system.txt'; or put the systems side by side in one file, under a header with "
        "their names.",
        line=1,
    )


def _first_line(content: bytes) -> str:
    return next((line.strip() for line in text_lines(content) if line.strip()), "")


def _are_decimal_commas(values: Sequence[str]) -> bool:
    """Whether commas are surely decimal marks, and not between two columns without a header.

    "1,0" under "0,1" may be two systems' results on two examples.
    """
    numbers = [value for value in values if NUMBER_ALONE.fullmatch(value)]
    if any("," not in number for number in numbers):
        return len(numbers) * 2 > len(values)
    return any(len(number.partition(",")[2].rstrip(" %")) > 2 for number in numbers)


def _is_heading(values: Sequence[str]) -> bool:
    """Whether the first line stands over numbers."""
    if values[0].casefold() in _NOTHING:
        return False
    n_numbers = sum(NUMBER_ALONE.fullmatch(value) is not None for value in values[1:])
    return n_numbers * 2 >= len(values) - 1 > 0


def _are_labels(values: Sequence[str]) -> bool:
    """Whether few different texts repeat, the first one among them, as labels do."""
    if values[0].casefold() in _NOTHING:
        return any(NUMBER_ALONE.fullmatch(value) for value in values)
    counts = Counter(values)
    return len(values) > len(counts) <= _LABELS_AT_MOST and counts[values[0]] > 1
