"""What the owner of a table should know about how its numbers are written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from core.data.tables.number_column import NumberColumn


def notation_remarks(columns: Mapping[str, NumberColumn]) -> Iterator[str]:
    """Remarks on signs of percent, decimal commas and separators of thousands."""
    numbers = list(columns.values())
    percent = [bool(column.is_percent.any()) for column in numbers]
    if any(percent):
        mixed = not all(bool(column.is_percent.all()) for column in numbers)
        yield "Numbers with '%' are kept as printed" + (
            "; others have no '%' and are taken to be on the same scale." if mixed else "."
        )
    grouped = [
        remark for name, column in columns.items() if (remark := column.grouping_remark(name))
    ]
    yield from grouped
    if not grouped and any(bool(column.is_comma.any()) for column in numbers):
        yield "Commas in numbers are read as decimal marks."
