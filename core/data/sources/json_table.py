"""JSON as a table: records, one a line or in an array, and columns by name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from core.data.sources.column_table import PutTogether, table_of_columns
from core.data.sources.json_nested import nested_table
from core.data.sources.json_records import FLAT, Records
from core.data.sources.json_values import (
    AFTER_END,
    Entry,
    JsonText,
    alike_problems,
    cell,
    check_letters,
    repeated_problem,
)
from core.data.tables.limits import bounded
from core.data.tables.raw_table import RawTable
from core.data.tables.text import DecodedText
from core.data.words import listed, quoted
from core.errors import DataError, Problem

# With more lines that are no JSON a file is something else.
_MOST_BROKEN = 50


def read_json(decoded: DecodedText, *, name: str, order: object = None) -> PutTogether:
    """The table that a JSON file holds.

    Parameters
    ----------
    decoded : DecodedText
        Its text.
    name : str
        Of the file, for problems.
    order : object
        The role "name_order".

    Raises
    ------
    DataError
        With every problem, with its line as far as it is known.
    """
    text = JsonText(decoded.text)
    check_letters(text.text)
    if text.next == "[":
        records = Records()
        try:
            for entry in text.elements():
                records.add(entry.value, entry.line)
            _check_end(text)
        except DataError as error:
            raise DataError([*records.problems, *error.problems]) from None
        return PutTogether(raw=records.table(decoded), roles={})
    members: list[Entry] | None
    try:
        members = list(text.members())
    except DataError:
        # Perhaps the first of many lines; they are then read one by one.
        if not _looks_like_lines(text.text):
            raise
        members = None
    if members is None or text.next:
        return PutTogether(raw=_lines(JsonText(text.text)).table(decoded), roles={})
    return _of_object(members, decoded, name=name, order=order)


def _looks_like_lines(text: str) -> bool:
    """Whether the first two lines with content each look like one object."""
    lines = (line.strip() for line in text.split("\n", 50)[:50])
    filled = [line for line in lines if line][:2]
    return len(filled) == 2 and all(line.startswith('{"') for line in filled)


def _lines(text: JsonText) -> Records:
    """JSON Lines: one record after the other."""
    records = Records()
    n_broken = 0
    while text.next:
        line = text.line
        start = text.position
        try:
            value = text.value()
        except DataError as error:
            for problem in error.problems:
                records.report(replace(problem, line=line))
            n_broken += 1
            if n_broken == _MOST_BROKEN:
                break
            text.position = start
            text.skip_line()
        else:
            records.add(value, line)
    return records


def _check_end(text: JsonText) -> None:
    if text.next:
        raise DataError(
            [
                Problem(
                    what=AFTER_END,
                    remedy="Give one array, or one record a line.",
                    line=text.line,
                )
            ]
        )


def _of_object(
    members: list[Entry], decoded: DecodedText, *, name: str, order: object
) -> PutTogether:
    """The table of one object: a record, columns, records by dataset, or nested scores."""
    problems = [p for m in members if (p := repeated_problem(m.value, m.line)) is not None]
    names = [member.key for member in members]
    again = [key for position, key in enumerate(names) if key in names[:position]]
    problems += [
        Problem(
            what=f"The name {quoted(m.key)} stands twice in one object.",
            remedy="Give each value a name of its own.",
            line=m.line,
        )
        for m in members
        if again and m.key == again[0]
    ][1:]
    problems += alike_problems(members)
    if problems:
        raise DataError(problems)
    kinds = {_kind(member.value) for member in members}
    if kinds == {"value"}:
        records = Records()
        records.add({member.key: member.value for member in members}, members[0].line)
        return PutTogether(raw=records.table(decoded), roles={})
    if kinds <= {"records", "empty"} and "records" in kinds:
        return PutTogether(raw=_by_dataset(members).table(decoded), roles={})
    if kinds == {"list"}:
        return PutTogether(raw=_columns(members, decoded, name), roles={})
    if kinds == {"object"}:
        by_row = _columns_by_row(members)
        if by_row is not None:
            return PutTogether(raw=_columns(by_row, decoded, name), roles={})
        return nested_table(members, decoded, name=name, order=order)
    raise DataError(
        [
            Problem(
                what="The values of the object are of different kinds"
                + (": " + ", ".join(sorted(kinds)) if kinds else "")
                + ".",
                remedy="Give an array of records, or scores by dataset and system.",
                line=members[0].line if members else 1,
            )
        ]
    )


def _kind(value: Any) -> str:
    if isinstance(value, dict):
        return "object"
    if isinstance(value, list):
        if not value:
            return "empty"
        return "records" if all(isinstance(entry, dict) for entry in value) else "list"
    return "value"


def _by_dataset(members: Iterable[Entry]) -> Records:
    """Records in one array for each dataset."""
    records = Records()
    for member in members:
        for record in member.value:
            named = isinstance(record, dict) and "dataset" in record
            records.add(record, member.line, None if named else ("dataset", member.key))
    return records


def _columns_by_row(members: list[Entry]) -> list[Entry] | None:
    """Columns given as {name: {"0": …, "1": …}}, as pandas writes them; None if they are not."""
    numbers = list(members[0].value)
    if numbers != [str(i) for i in range(len(numbers))] or len(numbers) < 2:
        return None
    if any(list(member.value) != numbers for member in members):
        return None
    return [Entry(m.line, m.key, list(m.value.values())) for m in members]


@dataclass(frozen=True, slots=True)
class _Entries:
    """Rows that are known by their place in arrays, for want of lines of their own."""

    name: str

    def file_of(self, row: int, column: str | None) -> str | None:
        return f"{self.name}, entry {row + 1}"


def _columns(members: list[Entry], decoded: DecodedText, name: str) -> RawTable:
    lengths = {member.key: len(member.value) for member in members}
    if len(set(lengths.values())) > 1:
        counts = ", ".join(f"{quoted(key)} {count:,}" for key, count in list(lengths.items())[:10])
        raise DataError(
            [
                Problem(
                    what=f"The columns have different numbers of entries: {counts}.",
                    remedy="Give each column one entry a row, null where there is none.",
                    line=members[0].line,
                )
            ]
        )
    columns = []
    problems: list[Problem] = []
    for member in members:
        cells = [cell(value) for value in member.value]
        problems.extend(
            Problem(
                what=f"Entry {position} is an array or an object.",
                remedy=FLAT,
                column=member.key,
                line=member.line,
            )
            for position, text in enumerate(cells, start=1)
            if text is None
        )
        columns.append([text or "" for text in cells])
    if problems:
        raise DataError(bounded(problems, n_problems=len(problems), of="entries"))
    if len(members) < 2:
        raise DataError(
            [
                Problem(
                    what=f"There is one column, {listed(list(lengths))}.",
                    remedy="Give a column for each of two or more systems.",
                )
            ]
        )
    return table_of_columns(
        list(lengths),
        columns,
        [members[0].line] * len(columns[0]),
        encoding=decoded.encoding,
        remarks=decoded.remarks,
        origin=_Entries(name),
    )
