"""Cells that hold counts: finite whole numbers from 0."""

from __future__ import annotations

import numpy as np

from core.data.layouts.nothing import NOTHING_WORDS
from core.data.layouts.per_example import ExampleFindings
from core.data.tables.number_column import NumberColumn, numbers_of
from core.data.tables.numbers import UnreadableNumber, read_number
from core.data.tables.raw_table import RawTable
from core.data.words import quoted
from core.types import BoolArray, FloatArray

GIVE_COUNT = "Give the count, or leave this example out for every system."
# Beyond it floats skip whole numbers.
_LARGEST = 2.0**53


def read_counts(found: ExampleFindings, column: str, *, remedy: str = GIVE_COUNT) -> FloatArray:
    """One column's counts, nan where a cell holds none; each such cell is a problem."""
    numbers = numbers_of(found.raw, column)
    values = numbers.text_values
    wrong = _wrong_texts(numbers)
    if wrong.any():
        cells = found.raw.column(column)

        def explain(row: int) -> tuple[str, str]:
            text = cells[row].as_py()
            if not text:
                return "There is no count.", remedy
            if text.casefold() in NOTHING_WORDS:
                return f"{quoted(text)} stands where a count should.", remedy
            try:
                number = read_number(text, decimal_comma=True).value
            except UnreadableNumber:
                return f"{quoted(text)} is not a count.", "Give a whole number such as 12."
            if number < 0:
                return f"{quoted(text)} is below 0.", "A count is 0 or more."
            if number > _LARGEST:
                return f"{quoted(text)} is out of range.", "Give a whole number such as 12."
            return (
                f"{quoted(text)} is not a whole number.",
                "Give counts of whole things; weighted counts and averages are none.",
            )

        found.cell_problems(np.flatnonzero(wrong[numbers.coded.codes]), column, explain)
    counts: FloatArray = np.where(wrong, np.nan, values)[numbers.coded.codes]
    return counts


def are_counts(raw: RawTable, column: str) -> bool:
    """Whether every cell of a column that is not blank holds a count."""
    numbers = numbers_of(raw, column)
    wrong = _wrong_texts(numbers) & ~numbers.is_blank
    return bool(not wrong.any() and not numbers.is_blank.all())


def _wrong_texts(numbers: NumberColumn) -> BoolArray:
    """For each text whether it is no count."""
    values = numbers.text_values
    with np.errstate(invalid="ignore"):
        wrong: BoolArray = ~((values >= 0.0) & (values <= _LARGEST) & (values == np.floor(values)))
    return wrong | numbers.is_percent
