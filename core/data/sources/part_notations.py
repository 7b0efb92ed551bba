"""Numbers of several files, each read as its own file writes them before all become one column.

In one file a comma separates columns or thousands, in another it is a decimal
mark. Put together, the one would be read as the other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.data.tables.columns import P_VALUE_HEADINGS, is_numeric, p_value_heading
from core.data.tables.limits import bounded
from core.data.tables.number_column import NumberColumn, numbers_of
from core.data.tables.numbers import UnreadableNumber, read_number
from core.data.tables.printed_p_values import read_p_value
from core.data.tables.raw_table import RawTable
from core.data.tables.stored import texts_to_look_at
from core.data.tables.thousands import APART
from core.data.words import quoted
from core.errors import DataError, Problem
from core.types import BoolArray

# A comma, or what may stand between thousands: others mean the same everywhere.
_MARKED = rf"[0-9 ]*,[0-9]|[0-9][.{APART}][0-9]{{3}}"


@dataclass(slots=True, kw_only=True)
class _Found:
    """What was noticed in the files."""

    problems: list[Problem] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def in_one_notation(
    paths: Sequence[str], tables: Sequence[RawTable], names: Collection[str | None]
) -> tuple[list[RawTable], list[str]]:
    """The tables with the numbers of their columns written alike, and remarks on that.

    Parameters
    ----------
    paths : sequence of str
        What to call the files.
    tables : sequence of RawTable
        With the same columns, in any order.
    names : collection of str or None
        Columns that hold names and ids.

    Raises
    ------
    DataError
        With every number that its own file leaves open.
    """
    found = _Found()
    changed = [dict[str, Any]() for _ in tables]
    for column in tables[0].header:
        if column in names:
            continue
        marked = [_is_marked(table, column) for table in tables]
        if not any(marked):
            continue
        if p_value_heading(column) in P_VALUE_HEADINGS:
            _check_p_values(paths, tables, column, found)
        elif any(is_numeric(table, column) for table in tables):
            for path, table, own in zip(paths, tables, changed, strict=True):
                cells = _rewritten(path, table, column, found)
                if cells is not None:
                    own[column] = cells
    if found.problems:
        raise DataError(
            bounded(found.problems, n_problems=len(found.problems), of="cells"),
            columns=tables[0].header,
        )
    alike = [
        replace(table, columns=tuple(own.get(name, table.column(name)) for name in table.header))
        if own
        else table
        for table, own in zip(tables, changed, strict=True)
    ]
    return alike, found.remarks


def are_written_alike(tables: Sequence[RawTable], are_stored: Sequence[bool]) -> bool:
    """Whether commas and points mean the same in all of them, as far as their kinds say.

    Numbers that a workbook stores have decimal points, whatever text files have.
    """
    separators = (table.separator for table in tables)
    return len(set(zip(separators, are_stored, strict=True))) == 1


def _is_marked(table: RawTable, column: str) -> bool:
    stored = table.columns[table.header.index(column)]
    texts = texts_to_look_at(stored)
    return bool(pc.any(pc.match_substring_regex(texts, _MARKED)).as_py())


def _check_p_values(
    paths: Sequence[str], tables: Sequence[RawTable], column: str, found: _Found
) -> None:
    """A comma in a p-value can only be a decimal mark, but not where it separates columns."""
    for path, table in zip(paths, tables, strict=True):
        if table.decimal_comma:
            continue
        coded = table.coded(column)
        for code, text in enumerate(coded.texts):
            if "," not in text:
                continue
            try:
                read_p_value(text, decimal_comma=True)
            except UnreadableNumber:
                continue
            try:
                read_p_value(text, decimal_comma=False)
            except UnreadableNumber as error:
                found.problems.extend(_problems(path, table, column, coded.codes == code, error))


def _rewritten(path: str, table: RawTable, column: str, found: _Found) -> Any | None:
    """The column with plain decimal points where it has other marks; None where it has none."""
    if not _is_marked(table, column):
        return None
    numbers = numbers_of(table, column)
    codes, texts = numbers.coded.codes, numbers.coded.array
    doubtful = numbers.is_comma | (np.isnan(numbers.text_values) & ~numbers.is_blank)
    if numbers.is_grouped.size:
        doubtful |= numbers.is_grouped
    places = np.flatnonzero(doubtful)
    written: dict[int, str] = {}
    commas = False
    for code, text in zip(places.tolist(), texts.take(pa.array(places)).to_pylist(), strict=True):
        try:
            number = read_number(text, decimal_comma=table.decimal_comma, notation=numbers.notation)
        except UnreadableNumber as error:
            if _is_a_number(text):
                found.problems.extend(_problems(path, table, column, codes == code, error))
            continue
        if number.comma or number.is_grouped:
            commas |= number.comma
            sign = "%" if number.percent else ""
            written[code] = f"{number.digits}{sign} {number.trail}".rstrip()
    if not written:
        return None
    found.remarks.extend(_remarks(path, column, numbers, commas=commas))
    mended = texts.to_pylist()
    for code, text in written.items():
        mended[code] = text
    return pa.array(mended, type=pa.string()).take(pa.array(codes))


def _remarks(path: str, column: str, numbers: NumberColumn, *, commas: bool) -> Iterator[str]:
    remark = numbers.grouping_remark(column)
    if remark:
        yield f"{quoted(path)}: {remark}"
    if commas:
        yield f"{quoted(path)}: Commas in {quoted(column)} are read as decimal marks."


def _is_a_number(text: str) -> bool:
    """Whether a text that was refused is one in some notation."""
    if "," not in text and "." not in text:
        return False
    try:
        read_number(text, decimal_comma=True)
    except UnreadableNumber:
        return False
    return True


def _problems(
    path: str, table: RawTable, column: str, rows: BoolArray, error: UnreadableNumber
) -> Iterator[Problem]:
    for row in np.flatnonzero(rows).tolist():
        yield Problem(
            what=error.what,
            remedy=error.remedy,
            column=column,
            line=int(table.lines[row]),
            file=table.file_of(row, column) or path,
        )
