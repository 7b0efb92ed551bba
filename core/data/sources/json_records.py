"""Records of JSON gathered into columns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from core.data.sources.column_table import check_size, table_of_columns
from core.data.sources.json_values import cell, repeated_problem
from core.data.tables.limits import MAX_PROBLEMS, bounded
from core.data.tables.raw_table import RawTable
from core.data.tables.text import DecodedText
from core.data.words import listed, quoted
from core.errors import DataError, Problem

_ROWS_A_CHECK = 100_000
FLAT = "Give every value as one number or text; write nested values as columns of their own."


@dataclass(slots=True)
class Records:
    """Records that become columns one by one."""

    header: tuple[str, ...] = ()
    columns: list[list[str]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    n_problems: int = 0
    blank: int = 0

    def add(self, record: Any, line: int, extra: tuple[str, str] | None = None) -> None:
        """Take one record; `extra` is a column that it does not have itself."""
        if not isinstance(record, dict):
            self.refuse("Here stands a value that is no record, such as", record, line)
            return
        twice = repeated_problem(record, line)
        if twice is not None:
            self.report(twice)
            return
        if extra is not None:
            record = {extra[0]: extra[1], **record}
        if not self.header:
            self.header = tuple(record)
            self.columns = [[] for _ in self.header]
        if tuple(record) != self.header and set(record) != set(self.header):
            self.report(_differing(record, self.header, line))
            return
        cells = [cell(record[name]) for name in self.header]
        nested = [name for name, text in zip(self.header, cells, strict=True) if text is None]
        if nested:
            self.report(
                Problem(
                    what="The value is an array or an object.",
                    remedy=FLAT,
                    column=nested[0],
                    line=line,
                )
            )
            return
        texts = [text or "" for text in cells]
        if not any(texts):
            self.blank += 1
            return
        for column, text in zip(self.columns, texts, strict=True):
            column.append(text)
        self.lines.append(line)
        if len(self.lines) % _ROWS_A_CHECK == 1:
            check_size(n_rows=len(self.lines), n_columns=len(self.header))

    def refuse(self, what: str, value: Any, line: int) -> None:
        """Report a value that is no record."""
        shown = cell(value)
        kind = "an array" if shown is None else quoted(shown)
        self.report(
            Problem(
                what=f"{what} {kind}.", remedy='Give records such as {"dataset": …}.', line=line
            )
        )

    def report(self, problem: Problem) -> None:
        """Keep a problem, or only count it where there are many."""
        self.n_problems += 1
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(problem)

    def table(self, decoded: DecodedText) -> RawTable:
        """The table of all records, or a `DataError` with their problems."""
        if self.problems:
            raise DataError(bounded(self.problems, n_problems=self.n_problems, of="records"))
        if not self.lines:
            raise DataError(
                [Problem(what="The file holds no record.", remedy="Add one for each row.")]
            )
        remarks = decoded.remarks
        if self.blank:
            remarks += (f"Records without any content are skipped: {self.blank:,}.",)
        return table_of_columns(
            self.header, self.columns, self.lines, encoding=decoded.encoding, remarks=remarks
        )


def _differing(record: dict[str, Any], header: tuple[str, ...], line: int) -> Problem:
    lacking = [name for name in header if name not in record]
    more = [name for name in record if name not in header]
    differences = ([f"lacks {listed(lacking)}"] if lacking else []) + (
        [f"has {listed(more)} besides"] if more else []
    )
    return Problem(
        what=f"The record {' and '.join(differences)}, unlike the first one.",
        remedy="Give every record the same names, null where there is no value.",
        line=line,
    )
