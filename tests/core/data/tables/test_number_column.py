"""A column read at once says of each cell what reading that cell alone says."""

import math
import time

import numpy as np
import pyarrow as pa
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.data.tables.number_column import decimals_of, differing_columns, numbers_of, read_numbers
from core.data.tables.numbers import UnreadableNumber, notation_of, read_number
from core.data.tables.raw_table import CodedColumn
from core.data.tables.splitting import split_table
from core.data.tables.text import DecodedText


def column(cells):
    encoded = pa.array(cells, type=pa.string()).dictionary_encode()
    return read_numbers(
        CodedColumn(array=encoded.dictionary, codes=encoded.indices.to_numpy(zero_copy_only=False))
    )


def table_of(cells):
    text = "A,B\n" + "".join(f"{cell},1\n" for cell in cells)
    return split_table(DecodedText(content=text.encode(), encoding=""))


def alone(cell, cells=()):
    try:
        return read_number(cell, decimal_comma=True, notation=notation_of(cells))
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
PLAIN = st.text(st.sampled_from("0123456789-."), min_size=1, max_size=8)
GROUPED = st.from_regex(
    r"[+-]?[1-9][0-9]{0,2}([,.' \xa0][0-9]{3}){1,2}([.,][0-9]{1,3})?%?", fullmatch=True
)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.one_of(NUMBERS, TEXTS, GROUPED), min_size=1, max_size=8)
    | st.lists(PLAIN, min_size=1, max_size=4)
)
@example(["1", "", "NaN", "inf", "1e400", "2e150", "9" * 400, "-9" * 151, "0,5"])
@example(["50 %", "+1", ".5", "5."])
@example(["1,234.5", "1,234", "12", "x"])
@example(["1,234.5", "1,234", "1,5", "5.123"])
@example(["1.234,5", "1.234", "-1.234%", "1 234", "1’234.5 %", "0.5"])
@example(["1", "2.50", "-.5", "5.", "0012", "-0", "12345678901234567890.5"])
@example(["1", "9" * 150])
@example(["1", "9" * 151])
@example(["1", "-"])
@example(["1", "."])
@example(["1-2", "3"])
@example(["0+−0"])
@example(["1e-400", "1e99", "-1E+05", "−3", "1_0", "٣", "1 2", "%", "-", ".", "7\xa0%", "-0"])
def test_each_cell_is_read_as_it_is_alone(cells):
    numbers = column(cells)
    values = numbers.values.tolist()
    for cell, value in zip(cells, values, strict=True):
        expected = alone(cell, cells)
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
            assert (numbers.is_grouped.any() and numbers.is_grouped[index]) == expected.is_grouped
        assert numbers.is_blank[index] == (cell == "")


def test_rows_are_counted_and_not_texts():
    numbers = column(["1", "1", "1", "", "", "x", "2"])
    assert (numbers.n_numbers, numbers.n_others) == (4, 1)


def test_decimals_count_the_power_of_ten():
    counted = {"1": 0, "1.50": 2, "1.5e-3": 4, "1.5e3": 0, "1e-2": 2, "5.": 0, "-.25": 2}
    assert {digits: decimals_of(digits) for digits in counted} == counted


def test_a_column_that_repeats_nothing_is_read_row_by_row_to_the_same_numbers_and_exceptions():
    cells = [f"{i / 7:.6f}" for i in range(20_000)]
    raw = table_of(cells)
    numbers = numbers_of(raw, "A")
    assert numbers.coded.one_each
    assert numbers.values.tolist() == [float(cell) for cell in cells]
    assert (numbers.n_numbers, numbers.n_others, numbers.decimals.tolist()) == (
        20_000, 0, [6] * 20_000
    )  # fmt: skip
    assert numbers_of(raw, "A") is numbers
    # An exception is found on its row.
    cells[12_345] = "NA"
    numbers = numbers_of(table_of(cells), "A")
    assert np.flatnonzero(np.isnan(numbers.values)).tolist() == [12_345]
    assert (numbers.n_numbers, numbers.n_others) == (19_999, 1)


def test_a_column_without_separated_thousands_has_nothing_to_remark():
    assert column(["1,5", "2.123", "x"]).grouping_remark("A") is None
    many = column(["1,234.5", "1,234", "2,345", "3,456", "7"]).grouping_remark("A")
    assert "'2,345' as 2345 and 1 more" in many
    assert "3,456" not in many
    remark = column(["1,234.5", "1,234", "7"]).grouping_remark("A")
    assert "'1,234.5' as 1234.5, '1,234' as 1234." in remark


def test_hundreds_of_columns_are_held_against_one_another_in_moments() -> None:
    """As leaderboards have them: before, each column was compared with each pair again and again."""
    rng = np.random.default_rng(0)
    names = [f"task {i}" for i in range(300)]
    rows = [",".join(f"{x:.4f}" for x in rng.uniform(0.7, 0.9, len(names))) for _ in range(120)]
    text = f"system,{','.join(names)},gap\n" + "".join(
        f"s{i},{row},{float(row[:6]) - float(row[7:13]):.4f}\n" for i, row in enumerate(rows)
    )
    raw = split_table(DecodedText(content=text.encode(), encoding=""))
    start = time.perf_counter()
    found = {column: differing_columns(raw, column) for column in raw.header}
    assert time.perf_counter() - start < 15
    assert found.pop("gap") == ("task 0", "task 1")
    assert not any(found.values())
