"""A column of cells as numbers, judged by its different texts and not cell by cell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from core.data.numbers import UnreadableNumber, read_number
from core.data.raw_table import CodedColumn, RawTable
from core.types import BoolArray, FloatArray

# Of the notations that `read_number` takes the usual ones, which a typed
# parser reads to the same float.
_USUAL = r"^-?[0-9]+([.,][0-9]+)?([eE][+-]?[0-9]{1,2})?%?$"
_PARTS = r"^-?[0-9]+(?:\.(?P<fraction>[0-9]+))?(?:[eE]\+?(?P<exponent>-?[0-9]{1,2}))?$"

# Nothing else is a number to `read_number`; what is none is not tried one by one.
_POSSIBLE = r"^[+\-−]?[0-9]*[.,]?[0-9]*([eE][+-]?[0-9]{1,5})?([^0-9]*%)?$"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NumberColumn:
    """What each different text of a column says as a number.

    Attributes
    ----------
    coded : CodedColumn
        The texts, and which row holds which.
    text_values : ndarray, shape (n_texts,)
        nan where the text is no number.
    is_blank, is_percent, is_comma : ndarray of bool, shape (n_texts,)
        Whether the text is empty, ends with '%', has a decimal comma.
    decimals : ndarray of int, shape (n_texts,)
        How many decimals the number is given with, 0 where it is none.
    """

    coded: CodedColumn
    text_values: FloatArray
    is_blank: BoolArray
    is_percent: BoolArray
    is_comma: BoolArray
    decimals: npt.NDArray[np.int32]

    @property
    def values(self) -> FloatArray:
        """Each row's number, nan where it is none; shape (n_rows,)."""
        return self.text_values[self.coded.codes]

    @property
    def n_numbers(self) -> int:
        """Number of rows that hold a number."""
        return int(self.coded.counts[np.isfinite(self.text_values)].sum())

    @property
    def n_others(self) -> int:
        """Number of rows that hold something else and are not blank."""
        return int(self.coded.counts[np.isnan(self.text_values) & ~self.is_blank].sum())


def numbers_of(raw: RawTable, column: str) -> NumberColumn:
    """One column of a table as numbers, read once."""
    if column not in raw.parsed:
        raw.parsed[column] = read_numbers(raw.coded(column))
    numbers: NumberColumn = raw.parsed[column]
    return numbers


def read_numbers(coded: CodedColumn) -> NumberColumn:
    """Read the texts of a column as numbers.

    A comma counts as a decimal mark: in a file that is separated by commas it
    is still meant as a number, and is reported where it is read.
    """
    array = coded.array
    n = len(array)
    usual = pc.match_substring_regex(array, _USUAL).to_numpy(zero_copy_only=False)
    values = np.full(n, np.nan)
    comma = pc.find_substring(array, ",").to_numpy() >= 0
    percent = usual & pc.ends_with(array, "%").to_numpy(zero_copy_only=False)
    plain = pc.utf8_rtrim(pc.replace_substring(array, ",", "."), characters="%")
    plain = plain.filter(pa.array(usual))
    values[usual] = plain.cast(pa.float64()).to_numpy()
    decimals = np.zeros(n, dtype=np.int32)
    decimals[usual] = _decimals(plain)
    # Hundreds of digits overflow; the other notations are rare.
    values[np.isinf(values)] = np.nan
    percent[np.isnan(values)] = False
    decimals[np.isnan(values)] = 0
    blank = pc.equal(array, "").to_numpy(zero_copy_only=False)
    possible = pc.match_substring_regex(array, _POSSIBLE).to_numpy(zero_copy_only=False)
    rest = np.flatnonzero(np.isnan(values) & ~blank & possible)
    for index, text in zip(rest.tolist(), array.take(pa.array(rest)).to_pylist(), strict=True):
        try:
            number = read_number(text, decimal_comma=True)
        except UnreadableNumber:
            continue
        values[index] = number.value
        percent[index] = number.percent
        decimals[index] = decimals_of(number.digits)
    return NumberColumn(
        coded=coded,
        text_values=values,
        is_blank=blank,
        is_percent=percent,
        is_comma=comma & np.isfinite(values),
        decimals=decimals,
    )


def decimals_of(digits: str) -> int:
    """How many decimals a number in digits has; 1.5e-3 has four."""
    plain, _, exponent = digits.lower().partition("e")
    return max(0, len(plain.partition(".")[2]) - int(exponent or 0))


def _decimals(plain: Any) -> npt.NDArray[np.int32]:
    """As `decimals_of`, for texts in the usual notation with a decimal point."""
    parts = pc.extract_regex(plain, _PARTS)
    fraction = pc.utf8_length(parts.field("fraction")).to_numpy(zero_copy_only=False)
    given = parts.field("exponent")
    exponent = pc.if_else(pc.equal(given, ""), "0", given).cast(pa.int32())
    decimals: npt.NDArray[np.int32] = np.maximum(
        0, fraction - exponent.to_numpy(zero_copy_only=False)
    )
    return decimals
