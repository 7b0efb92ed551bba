"""Printed numbers are read as they stand, or refused with a remedy; none is guessed."""

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data.tables.numbers import (
    UnreadableNumber,
    notation_of,
    read_number,
    read_whole_number,
    shows_decimal_comma,
)
from core.metrics.per_example import LARGEST_SCORE


def test_a_number_keeps_its_digits():
    for text in ("90.70", "-1.5", ".5", "1e3", "007"):
        number = read_number(text)
        assert (number.value, number.digits, number.percent) == (float(text), text, False)
    for text, digits in (("90.7%", "90.7"), ("90.7 %", "90.7"), ("+1", "1"), ("−1.5", "-1.5")):
        number = read_number(text)
        assert (number.value, number.digits) == (float(digits), digits), text
        assert number.percent == ("%" in text), text


@pytest.mark.parametrize("text", ["2026-05-01", "2026-05-01 10:00:00"])
def test_a_date_is_told_as_one_with_what_spreadsheets_do(text: str):
    with pytest.raises(UnreadableNumber) as caught:
        read_number(text)
    assert caught.value.what == f"'{text}' is a date and not a number."
    assert "format the cell" in caught.value.remedy


def test_a_decimal_comma_becomes_a_point_in_the_digits():
    number = read_number("90,70", decimal_comma=True)
    assert (number.value, number.digits, number.comma) == (90.7, "90.70", True)


@pytest.mark.parametrize(
    "text",
    ["", "x", "inf", "nan", "1e400", "-1e400", "2e150", "0x10", "1_000", "1,5", "1.2.3", "1e", "1 0000",
     "²", "٣", "%", "1%%", "1e-5000", "NA", "-", "10 00", "0 123", "1  234",
     "1 234’567", "0,123,456", "1,23,456.7", "1.234.56", "12345,678.9", "1,234,567e3"],
)  # fmt: skip
def test_what_python_might_take_for_a_number_is_none(text):
    with pytest.raises(UnreadableNumber):
        read_number(text)


def test_separators_of_thousands_are_read_where_they_cannot_be_mistaken():
    for decimal_comma in [True, False]:
        for digits, texts in {
            "1234567": ["1,234,567", "1.234.567", "1\u2009234\u2009567"],
            "1234.5": ["1,234.5", "1.234,5", "1 234,5", "1\xa0234.5", "1'234.5", "+1,234.5"],
            "12345678.25": ["12,345,678.25"],
            "1234567.89": ["1.234.567,89"],
            "1234567.8": ["1 234 567,8"],
            "1234": ["1 234", "1\u202f234", "1’234"],
            "-1234.5": ["-1,234.5"],
            "-1234": ["−1 234"],
        }.items():
            for text in texts:
                number = read_number(text, decimal_comma=decimal_comma)
                assert (number.digits, number.value) == (digits, float(digits)), text
                assert (number.is_grouped, number.comma, number.percent) == (True, False, False)
                percent = read_number(text + "%", decimal_comma=decimal_comma)
                assert (percent.value, percent.percent) == (number.value, True), text


@pytest.mark.parametrize("text", ["1,234", "12,345%", "-1,234"])
def test_a_comma_before_three_digits_has_two_readings_where_it_separates_columns(text):
    with pytest.raises(UnreadableNumber) as caught:
        read_number(text)
    bare = text.removesuffix("%")
    assert f"may be {bare.replace(',', '.')} or {bare.replace(',', '')}:" in caught.value.what


def test_elsewhere_a_mark_before_three_digits_is_decimal_unless_its_column_shows_otherwise():
    assert read_number("1,234", decimal_comma=True).value == 1.234
    assert read_number("1.234", decimal_comma=True).value == 1.234
    for example, text in (("1,234,567", "1,234"), ("1.234,5", "1.234")):
        notation = notation_of([example, "7", text, "x"])
        number = read_number(text, decimal_comma=True, notation=notation)
        assert (number.value, number.is_grouped) == (1234.0, True)
        # A text with one reading is read as it stands.
        assert read_number("0.5", notation=notation).value == 0.5


@pytest.mark.parametrize(
    "column",
    [
        ["1,234.5", "12,5", "1,234"],
        ["1.234.567", "0.5", "1.234"],
        ["1 234,5", "1,234,567", "1,234"],
    ],
)
def test_a_mark_of_both_meanings_in_one_column_is_never_guessed(column):
    with pytest.raises(UnreadableNumber, match=r"1\.234 or 1234"):
        read_number(column[-1], decimal_comma=True, notation=notation_of(column))


def test_a_column_shows_what_its_marks_mean_by_texts_with_one_reading():
    for texts, grouping, decimal in [
        (["1,234", "1.234", "x", "12", ""], "", ""),
        (["1,234.5"], ",", "."),
        (["1.234.567"], ".", ""),
        (["1 234,5"], " ", ","),
        (["0.123", "12,5", "1e-3"], "", ".,"),
        ([".5", "1.2345"], "", "."),
    ]:
        notation = notation_of(texts)
        found = notation.grouping, notation.decimal
        assert found == (frozenset(grouping), frozenset(decimal)), texts


@given(st.floats(min_value=-LARGEST_SCORE, max_value=LARGEST_SCORE))
def test_every_float_in_range_that_python_prints_is_read_back(value):
    assert read_number(repr(value)).value == value


@pytest.mark.parametrize(
    ("text", "value"),
    [("2000", 2000), ("+3", 3), ("2000.0", 2000), ("2,000", 2000), ("1,234,567", 1234567),
     ("1.234.567", 1234567), ("12 345", 12345), ("1’234", 1234)],
)  # fmt: skip
def test_sizes_are_whole_numbers(text, value):
    assert read_whole_number(text) == value


@pytest.mark.parametrize(
    "text",
    ["0", "-5", "2.5", "2.000", "2,00", "0,123", "1,234.5", "1 234.0", "1e3", "", "9" * 30, "1_0"],
)
def test_other_sizes_are_refused(text):
    with pytest.raises(UnreadableNumber, match="positive whole number"):
        read_whole_number(text)


def test_a_comma_is_a_decimal_mark_where_some_cell_shows_it_and_none_leaves_it_open() -> None:
    for cell in ("91,2", "0,001", "1234,567", ",5", "3,5·10^-4"):
        assert shows_decimal_comma([pa.array([cell, "1,234"])]), cell
    for cells in (["91.2", "850"], ["New York, NY", "x"]):
        assert shows_decimal_comma([pa.array(cells)]), cells
    for cells in (["1,234", "990"], ["$1,234", "850"], ["New York, NY", "1,234"]):
        assert not shows_decimal_comma([pa.array(cells)]), cells


def test_marks_and_spreads_after_a_score_are_kept_apart() -> None:
    trails = ("*", "**", "†", "± 0.3", "±.3", "+/- 0.3", "(0.3)", "(±1%)", "* ± 0.3")
    cells = [(91.2, f"91.2{between}{trail}", trail) for trail in trails for between in ("", " ")]
    cells += [(93.0, "93% (±1%)", "(±1%)"), (-1.5, "−1.5*", "*"), (91.2, "91.2±0.3**", "±0.3 **")]
    for value, text, trail in cells:
        number = read_number(text)
        assert (number.value, number.trail) == (value, trail), text
        assert bool(number.spread) == any(digit in trail for digit in "0123456789"), text
    for trail in ("↑", "▼", "↑1.1", "↓ 0.3%"):
        number = read_number(f"91.2 {trail}")
        assert (number.value, number.trail, number.spread) == (91.2, trail, "")


@pytest.mark.parametrize(
    "text", ["*", "±0.3", "(0.3)", "sst2 (5)", "91.2 (see text)", "91.2 ± x", "9" + " ± 1" * 3000]
)
def test_what_only_looks_like_a_marked_score_is_no_number(text: str) -> None:
    with pytest.raises(ValueError, match="is not a number"):
        read_number(text)
