"""Files without a header: one value a line, or two columns of numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import pyarrow as pa

from ...errors import Problem
from ..tables.cutting import text_lines
from ..tables.headings import roles_named
from ..tables.limits import MAX_ROWS
from ..tables.numbers import DASH_CLASS, NOTHING_WORDS, is_number_cell
from ..tables.raw_table import PutTogether, RawTable, check_size, in_turn, table_of_columns
from ..tables.splitting import SEPARATORS
from ..tables.text import DecodedText
from .name_grid import check_folders, find_grid, stems_of

_LABELS_AT_MOST = 50


def read_values(decoded: DecodedText, *, are_answers: bool = False) -> RawTable | None:
    """The one column of a file with a value a line; None for any other file.

    So it is of one whose commas may as well divide columns without a header. With `are_answers`,
    as beside a file that is named as gold, any texts are values.
    """
    first = _first_line(decoded.content)
    is_number = is_number_cell(first)
    if not is_number and any(separator in first for separator in SEPARATORS):
        return None
    if decoded.content.count(b"\n") > 2 * MAX_ROWS:
        check_size(n_rows=MAX_ROWS + 1, n_columns=1)
    lines = [line.strip() for line in text_lines(decoded.content)]
    while lines and not lines[-1]:
        lines.pop()
    start = next(index for index, line in enumerate(lines) if line)
    values = lines[start:]
    heading = None
    if not is_number and (_is_heading(values) or _names_answers(values)):
        heading, values = values[0], values[1:]
        start += 1
        if _names_answers([heading, *values]):
            values = [_without_quotes(value) for value in values]
    elif not is_number and not (are_answers and _are_answers(values)) and not _are_labels(values):
        return None
    if "," in first and not _are_decimal_commas(values):
        return None
    return table_of_columns(
        [heading or ("score" if any(map(is_number_cell, values)) else "prediction")],
        [values],
        range(start + 1, start + 1 + len(values)),
        # Commas are then decimal marks.
        separator="\t" if any("," in value for value in values) else ",",
        encoding=decoded.encoding,
        remarks=decoded.remarks,
    )


def only_one_problem() -> Problem:
    """Why one such file alone is not enough."""
    return Problem(
        "The file holds one value a line: the results of one system on one dataset.",
        "Give one such file for each system, at least two, with names such as "
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
    numbers = [value for value in values if is_number_cell(value)]
    if any("," not in number for number in numbers):
        return len(numbers) * 2 > len(values)
    return any(len(number.partition(",")[2].rstrip(" %")) > 2 for number in numbers)


def _is_heading(values: Sequence[str]) -> bool:
    """Whether the first line stands over numbers."""
    if values[0].casefold() in NOTHING_WORDS:
        return False
    n_numbers = sum(map(is_number_cell, values[1:]))
    return n_numbers * 2 >= len(values) - 1 > 0


def _names_answers(values: Sequence[str]) -> bool:
    """Whether the first line says that gold labels or predictions stand below it."""
    named = roles_named(values[0]) & {"gold", "prediction"}
    return bool(named) and len(values) > 2 and values[0] not in values[1:]


def _without_quotes(value: str) -> str:
    """A value as a spreadsheet wrote it: within quotation marks those inside stand twice."""
    is_quoted = len(value) > 1 and value[0] == value[-1] == '"'
    return value[1:-1].replace('""', '"') if is_quoted else value


def _are_answers(values: Sequence[str]) -> bool:
    """Whether lines are texts of any kind, and no rows of a table."""
    cut = sum(any(mark in value for mark in SEPARATORS) for value in values)
    return len(values) > 1 and 2 * cut <= len(values)


def _are_labels(values: Sequence[str]) -> bool:
    """Whether few different texts repeat, the first one among them, as labels do."""
    if values[0].casefold() in NOTHING_WORDS:
        return any(map(is_number_cell, values))
    counts = Counter(values)
    return len(values) > len(counts) <= _LABELS_AT_MOST and counts[values[0]] > 1


# What the systems are called, as nobody says it.
SYSTEMS = ("A", "B")
_IDS = ("id", "score")
_NUMBER = re.compile(
    rf"[+{DASH_CLASS}]?(?:[0-9]+[.,]?[0-9]*|[.,][0-9]+)(?:[eE][+{DASH_CLASS}]?[0-9]+)?"
)
_INTEGER = re.compile(rf"[+{DASH_CLASS}]?[0-9]+")
# Of so many different whole numbers beside scores it is open whether they are ids.
_FEWEST_IDS = 5


def read_pair(decoded: DecodedText) -> RawTable | None:
    """The table of a file of two columns of numbers whose first line is no header; else None."""
    first = _first_line(decoded.content)
    # None cuts at any blanks; "1,0" may as well be one value with a decimal comma.
    for separator in ("\t", ";", None) if is_number_cell(first) else ("\t", ";", ",", None):
        cells = [cell.strip() for cell in first.split(separator)]
        if len(cells) == 2 and all(map(_NUMBER.fullmatch, cells)):
            break
    else:
        return None
    columns: tuple[list[str], list[str]] = ([], [])
    lines: list[int] = []
    for line, text in enumerate(text_lines(decoded.content), start=1):
        if not text.strip():
            continue
        cells = [cell.strip() for cell in text.strip("\r\n ").split(separator)]
        if len(cells) != 2 or not all(
            _NUMBER.fullmatch(cell)
            or (separator and (not cell or cell.casefold() in NOTHING_WORDS))
            for cell in cells
        ):
            return None
        for column, cell in zip(columns, cells, strict=True):
            column.append(cell)
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
        separator=separator or " ",
        encoding=decoded.encoding,
        remarks=(*decoded.remarks, remark),
    )


def _is_header(columns: Sequence[Sequence[str]]) -> bool:
    """Whether whole numbers stand over fractions alone, as names such as years do."""
    return all(
        _INTEGER.fullmatch(column[0]) and not any(map(_INTEGER.fullmatch, column[1:]))
        for column in columns
    )


def _named(columns: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], str]:
    """Names for the columns, and remarks on them; none where they may be something else."""
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


def side_by_side(
    paths: Sequence[str], lists: Sequence[RawTable], *, whole: str, order: object
) -> PutTogether:
    """A wide table: a row for each dataset and line, a column for each system."""
    stems = stems_of(paths)
    grid = find_grid(stems, [one.n_rows for one in lists], whole=whole, order=order)
    check_folders(grid, stems, order)
    datasets: list[str] = []
    lines: list[int] = []
    sizes: list[int] = []
    files: list[dict[str, str]] = []
    places = grid.places
    for dataset in grid.datasets:
        own = places[dataset]
        first = lists[next(iter(own.values()))]
        sizes.append(first.n_rows)
        datasets += [dataset] * first.n_rows
        lines += first.lines.tolist()
        files.append({system: paths[place] for system, place in own.items()})
    raw = table_of_columns(
        ["dataset", *grid.systems],
        [
            datasets,
            *(
                pa.concat_arrays([lists[places[d][system]].columns[0] for d in grid.datasets])
                for system in grid.systems
            ),
        ],
        lines,
        separator=next((one.separator for one in lists if one.separator != ","), ","),
        encoding=lists[0].encoding,
        remarks=(grid.remark, *dict.fromkeys(r for one in lists for r in one.remarks)),
        origin=in_turn(sizes=sizes, files=files),
    )
    return PutTogether(raw=raw, roles={"name_order": grid.order}, choices=grid.choices)
