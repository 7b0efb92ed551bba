"""What the owner of a table should know about how its numbers are written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from core.data.tables.number_column import NumberColumn
from core.data.words import quoted
from core.types import BoolArray, IntArray

ONE_SCALE = "Write every number of a column with '%', or none."


def notation_remarks(columns: Mapping[str, NumberColumn]) -> Iterator[str]:
    """Remarks on signs of percent, decimal commas and separators of thousands."""
    held = list(columns.values())
    percent = [bool(numbers.is_percent.any()) for numbers in held]
    if any(percent):
        yield percent_remark(mixed=not all(percent))
    if any(bool(numbers.is_comma.any()) for numbers in held):
        points = any(bool(((numbers.decimals > 0) & ~numbers.is_comma).any()) for numbers in held)
        grouped = any(bool(numbers.is_grouped.any()) for numbers in held)
        yield comma_remark(points=points, grouped=grouped)
    for name, numbers in columns.items():
        remark = numbers.grouping_remark(name)
        if remark is not None:
            yield remark


def percent_remark(*, mixed: bool) -> str:
    """On scores with a sign of percent, beside others without one where they are mixed."""
    return "Scores with '%' keep the number as printed" + (
        "; others have no '%' and are taken to be on the same scale." if mixed else "."
    )


def comma_remark(*, points: bool, grouped: bool) -> str:
    """On decimal commas, beside decimal points and separated thousands where there are such."""
    return (
        "Commas in numbers are read as decimal marks"
        + (", and so are points" if points else "")
        + ("." if not points or grouped else "; none is read as a separator of thousands.")
    )


def mixes_percent(numbers: NumberColumn, groups: IntArray | None = None) -> BoolArray:
    """The rows that have a sign of percent where most others have none, or the other way round.

    `groups` says of each row with which others it is on one scale; a 0 is the
    same on every scale.
    """
    wrong: BoolArray = np.zeros(numbers.coded.codes.size, dtype=np.bool_)
    if not numbers.is_percent.any():
        return wrong
    percent = numbers.is_percent[numbers.coded.codes]
    with np.errstate(invalid="ignore"):
        counts = np.isfinite(numbers.values) & (numbers.values != 0.0)
    of_row = np.zeros(wrong.size, dtype=np.intp) if groups is None else groups
    n_percent = np.bincount(of_row[counts & percent], minlength=int(of_row.max()) + 1)
    n_plain = np.bincount(of_row[counts & ~percent], minlength=int(of_row.max()) + 1)
    mixed = (n_percent > 0) & (n_plain > 0)
    odd = np.where((n_plain <= n_percent)[of_row], ~percent, percent)
    wrong = counts & mixed[of_row] & odd
    return wrong


def has_percent(numbers: NumberColumn, rows: IntArray) -> bool:
    """Whether a number of these rows has a sign of percent."""
    return bool(numbers.is_percent.any() and numbers.is_percent[numbers.coded.codes[rows]].any())


def percent_words(text: str) -> tuple[str, str]:
    """What is wrong with a cell that `mixes_percent`, and the remedy."""
    if "%" in text:
        return f"{quoted(text)} has a sign of percent, others of the column have none.", ONE_SCALE
    return f"{quoted(text)} has no sign of percent, others of the column have one.", ONE_SCALE
