"""A column read at once says of each cell what reading that cell alone says."""

import math

import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.data.number_column import decimals_of, read_numbers
from core.data.numbers import UnreadableNumber, read_number
from core.data.raw_table import CodedColumn


def column(cells):
    encoded = pa.array(cells, type=pa.string()).dictionary_encode()
    return read_numbers(
        CodedColumn(array=encoded.dictionary, codes=encoded.indices.to_numpy(zero_copy_only=False))
    )


def alone(cell):
    try:
        return read_number(cell, decimal_comma=True)
    except UnreadableNumber:
        return None


NUMBERS = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.floats(allow_nan=False, allow_infinity=False).map("{:.18e}".format),
    st.integers(-(10**30), 10**30).map(str),
    st.decimals(-1000, 1000, places=4).map(str),
)
# Cells are trimmed when the file is cut.
TEXTS = st.text(st.sampled_from("0123456789+-−.,eE% \xa0nainf⁻²é"), max_size=10).map(str.strip)


@settings(max_examples=500, deadline=None)
@given(st.lists(st.one_of(NUMBERS, TEXTS), min_size=1, max_size=8))
@example(["1", "", "NaN", "inf", "1e400", "9" * 400, "-9" * 200, "0,5", "50 %", "+1", ".5", "5."])
@example(["1e-400", "1e99", "-1E+05", "−3", "1_0", "٣", "1 2", "%", "-", ".", "7\xa0%", "-0"])
def test_each_cell_is_read_as_it_is_alone(cells):
    numbers = column(cells)
    values = numbers.values.tolist()
    for cell, value in zip(cells, values, strict=True):
        expected = alone(cell)
        index = numbers.coded.texts.index(cell)
        if expected is None:
            assert math.isnan(value)
            assert numbers.decimals[index] == 0
            assert not numbers.is_comma[index]
        else:
            assert value == expected.value
            assert numbers.is_percent[index] == expected.percent
            assert numbers.is_comma[index] == expected.comma
            assert numbers.decimals[index] == decimals_of(expected.digits)
        assert numbers.is_blank[index] == (cell == "")


def test_rows_are_counted_and_not_texts():
    numbers = column(["1", "1", "1", "", "", "x", "2"])
    assert (numbers.n_numbers, numbers.n_others) == (4, 1)


@pytest.mark.parametrize(
    ("digits", "decimals"),
    [("1", 0), ("1.50", 2), ("1.5e-3", 4), ("1.5e3", 0), ("1e-2", 2), ("5.", 0), ("-.25", 2)],
)
def test_decimals_count_the_power_of_ten(digits, decimals):
    assert decimals_of(digits) == decimals
