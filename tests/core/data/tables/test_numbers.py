"""Printed numbers say a value and, by their digits, a range."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data.tables.numbers import (
    UnreadableNumber,
    read_number,
    read_p_value,
    read_whole_number,
    short_decimal,
    zero_upper_end,
)
from core.data.tables.thousands import grouping_remark, notation_of

PRINTED = [
    # text, value, low, high
    ("0.0018", 0.0018, 0.00175, 0.00185),
    (".04", 0.04, 0.035, 0.045),
    ("0.4450", 0.445, 0.44495, 0.44505),
    ("1e-5", 1e-5, 0.5e-5, 1.5e-5),
    ("2e-5", 2e-5, 1.5e-5, 2.5e-5),
    ("1E-05", 1e-5, 0.5e-5, 1.5e-5),
    ("1.12e-08", 1.12e-8, 1.115e-8, 1.125e-8),
    ("10^-4", 1e-4, 0.5e-4, 1.5e-4),
    ("10^{-4}", 1e-4, 0.5e-4, 1.5e-4),
    ("10**-4", 1e-4, 0.5e-4, 1.5e-4),
    ("10⁻⁴", 1e-4, 0.5e-4, 1.5e-4),
    ("10^−4", 1e-4, 0.5e-4, 1.5e-4),
    ("2·10^-4", 2e-4, 1.5e-4, 2.5e-4),
    ("2*10^-4", 2e-4, 1.5e-4, 2.5e-4),
    ("2x10^-4", 2e-4, 1.5e-4, 2.5e-4),
    ("2×10^-4", 2e-4, 1.5e-4, 2.5e-4),
    ("2.5 × 10^{-4}", 2.5e-4, 2.45e-4, 2.55e-4),
    (r"$2\cdot10^{-4}$", 2e-4, 1.5e-4, 2.5e-4),
    ("p = .03", 0.03, 0.025, 0.035),
    ("p=0.03", 0.03, 0.025, 0.035),
    ("P-value = .03", 0.03, 0.025, 0.035),
    ("=.03", 0.03, 0.025, 0.035),
    ("+0.5", 0.5, 0.45, 0.55),
    ("1", 1.0, 0.5, 1.0),
    ("1.000", 1.0, 0.9995, 1.0),
    ("0.0001", 0.0001, 0.00005, 0.00015),
    ("<0.001", 0.001, 0.0, 0.001),
    ("< .001", 0.001, 0.0, 0.001),
    ("<= 0.001", 0.001, 0.0, 0.001),
    ("≤.001", 0.001, 0.0, 0.001),
    ("p<.01", 0.01, 0.0, 0.01),
    ("p < 10^-4", 1e-4, 0.0, 1e-4),
    ("0.0", 0.05, 0.0, 0.05),
    ("0", 0.5, 0.0, 0.5),
    ("0.000", 0.0005, 0.0, 0.0005),
    ("-0.0", 0.05, 0.0, 0.05),
    ("5.0E-03", 5e-3, 4.95e-3, 5.05e-3),
    ("1.2×10−5", 1.2e-5, 1.15e-5, 1.25e-5),
    ("1.2 × 10-5", 1.2e-5, 1.15e-5, 1.25e-5),
    ("2*10-4", 2e-4, 1.5e-4, 2.5e-4),
    ("p<.05", 0.05, 0.0, 0.05),
]


@pytest.mark.parametrize(("text", "value", "low", "high"), PRINTED)
def test_a_printed_p_value_has_the_nearest_floats_of_its_exact_range(text, value, low, high):
    p = read_p_value(text)
    assert (p.value, p.low, p.high) == (value, low, high)
    assert (p.mark, p.comma) == ("", False)


@pytest.mark.parametrize(("text", "value", "low", "high"), PRINTED)
def test_a_decimal_comma_reads_the_same_where_it_is_allowed(text, value, low, high):
    p = read_p_value(text.replace(".", ","), decimal_comma=True)
    assert (p.value, p.low, p.high) == (value, low, high)


@pytest.mark.parametrize(
    ("text", "kind", "unit_exponent", "plain"),
    [
        ("0.0018", "number", -4, True),
        ("2e-5", "number", -5, False),
        ("10^-4", "number", -4, False),
        ("<.001", "below", -3, True),
        ("0.00", "zero", -2, True),
        ("0e-7", "zero", -7, False),
    ],
)
def test_kind_unit_and_notation_are_kept(text, kind, unit_exponent, plain):
    p = read_p_value(text)
    assert (p.kind, p.unit_exponent, p.plain) == (kind, unit_exponent, plain)


@pytest.mark.parametrize(
    ("text", "mark"), [(".04*", "*"), (".04 **", "**"), ("10^-4†", "†"), ("p = .04∗", "∗")]
)
def test_marks_after_a_p_value_are_set_aside(text, mark):
    p = read_p_value(text)
    assert p.mark == mark
    assert p.value in (0.04, 1e-4)


@pytest.mark.parametrize(
    ("text", "what", "remedy"),
    [
        ("", "There is no p-value.", "as printed"),
        ("-", "stands where a p-value should", "as printed"),
        ("—", "stands where a p-value should", "as printed"),
        ("ns", "not significant", "for example 0.31"),
        ("n.s.", "not significant", "for example 0.31"),
        ("N.S.", "not significant", "for example 0.31"),
        (">0.05", "says only what p lies above", "for example 0.31"),
        ("p ≥ .05", "says only what p lies above", "for example 0.31"),
        ("NaN", "'NaN' is not a p-value", "between 0 and 1"),
        ("NA", "is not a p-value", "between 0 and 1"),
        ("inf", "is not a p-value", "between 0 and 1"),
        ("0x1p-3", "is not a p-value", "between 0 and 1"),
        ("0.0_1", "is not a p-value", "between 0 and 1"),
        ("٠.٥", "is not a p-value", "between 0 and 1"),
        ("5%", "is not a p-value", "between 0 and 1"),
        ("<1%", "is not a p-value", "between 0 and 1"),
        ("10-5", "is not a p-value", "between 0 and 1"),
        ("2×105", "is not a p-value", "between 0 and 1"),
        ("1,234.5", "is not a p-value", "between 0 and 1"),
        ("p .03", "is not a p-value", "between 0 and 1"),
        ("0.03 (t-test)", "is not a p-value", "between 0 and 1"),
        ("1e-999999999999", "is not a p-value", "between 0 and 1"),
        ("1.5", "'1.5' lies outside 0 to 1.", "between 0 and 1"),
        ("-0.1", "lies outside 0 to 1", "between 0 and 1"),
        ("−0.1", "lies outside 0 to 1", "between 0 and 1"),
        ("10^4", "lies outside 0 to 1", "between 0 and 1"),
        ("1e400", "lies outside 0 to 1", "between 0 and 1"),
        ("<0", "not possible", "between 0 and 1"),
        ("0,04", "where the comma separates columns", "decimal point"),
        ("*", "is not a p-value", "between 0 and 1"),
        ("x" * 200, "…' is not a p-value", "between 0 and 1"),
    ],
)
def test_what_is_no_p_value_says_why_and_what_to_give(text, what, remedy):
    with pytest.raises(UnreadableNumber) as caught:
        read_p_value(text)
    assert what in caught.value.what
    assert remedy in caught.value.remedy


def test_a_p_value_below_every_float_stays_above_zero():
    p = read_p_value("1e-400")
    assert p.kind == "number"
    assert p.value == p.high == 5e-324
    assert p.low == 0.0


@given(st.integers(0, 10**6), st.integers(0, 12))
def test_the_range_of_any_decimal_encloses_its_value(digits, places):
    number = Decimal(digits).scaleb(-places)
    if number > 1:
        return
    p = read_p_value(format(number, "f"))
    half = Decimal(5).scaleb(-places - 1)
    assert p.low == float(max(Decimal(0), number - half))
    assert p.high == float(min(Decimal(1), number + half))
    assert p.low <= p.value <= p.high


@pytest.mark.parametrize(
    ("column", "upper_end"),
    [
        (["0.0", ".2123", "2e-5"], "0.00005"),
        (["0", "0.0944", "1.12e-08"], "0.00005"),
        (["10^-4", "0.0", "2·10^-4"], "0.00005"),
        (["0.0", "1.9e-06"], "0.00000005"),
        (["0.00", ".4"], "0.005"),
        (["0.0000", ".04"], "0.00005"),
        (["0.0"], "0.05"),
        (["0"], "0.5"),
        (["0", "<0.001", ".04"], "0.005"),
        ([".04", "<0.001"], None),
    ],
)
def test_a_zero_lies_below_half_the_finest_unit_of_its_column(column, upper_end):
    found = zero_upper_end([read_p_value(text) for text in column])
    assert found == (None if upper_end is None else Decimal(upper_end))


@pytest.mark.parametrize(
    ("text", "value", "digits", "percent"),
    [
        ("90.70", 90.7, "90.70", False),
        ("90.7%", 90.7, "90.7", True),
        ("90.7 %", 90.7, "90.7", True),
        ("+1", 1.0, "1", False),
        ("−1.5", -1.5, "-1.5", False),
        ("-1.5", -1.5, "-1.5", False),
        (".5", 0.5, ".5", False),
        ("1e3", 1000.0, "1e3", False),
        ("007", 7.0, "007", False),
    ],
)
def test_a_number_keeps_its_digits(text, value, digits, percent):
    number = read_number(text)
    assert (number.value, number.digits, number.percent) == (value, digits, percent)


def test_a_decimal_comma_becomes_a_point_in_the_digits():
    number = read_number("90,70", decimal_comma=True)
    assert (number.value, number.digits, number.comma) == (90.7, "90.70", True)


@pytest.mark.parametrize(
    "text",
    ["", "x", "inf", "nan", "1e400", "-1e400", "0x10", "1_000", "1,5", "1.2.3", "1e", "1 0000",
     "²", "٣", "%", "1%%", "1e-5000", "NA", "-", "10 00", "0 123", "1  234",
     "1 234’567", "0,123,456", "1,23,456.7", "1.234.56", "12345,678.9", "1,234,567e3"],
)  # fmt: skip
def test_what_python_might_take_for_a_number_is_none(text):
    with pytest.raises(UnreadableNumber):
        read_number(text)


@pytest.mark.parametrize("decimal_comma", [True, False])
@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("1,234,567", "1234567"),
        ("1,234.5", "1234.5"),
        ("12,345,678.25", "12345678.25"),
        ("1.234.567", "1234567"),
        ("1.234,5", "1234.5"),
        ("1.234.567,89", "1234567.89"),
        ("1 234", "1234"),
        ("1 234.5", "1234.5"),
        ("1\xa0234.5", "1234.5"),
        ("1\u2009234\u2009567", "1234567"),
        ("1\u202f234", "1234"),
        ("1'234.5", "1234.5"),
        ("1’234", "1234"),
        ("1 234 567,8", "1234567.8"),
        ("-1,234.5", "-1234.5"),
        ("+1,234.5", "1234.5"),
        ("−1 234", "-1234"),
    ],
)
def test_separators_of_thousands_are_read_where_they_cannot_be_mistaken(
    text, digits, decimal_comma
):
    number = read_number(text, decimal_comma=decimal_comma)
    assert (number.digits, number.value) == (digits, float(digits))
    assert (number.is_grouped, number.comma, number.percent) == (True, False, False)
    percent = read_number(text + "%", decimal_comma=decimal_comma)
    assert (percent.value, percent.percent) == (number.value, True)


def test_a_comma_before_decimals_stays_one_beside_separated_thousands():
    assert read_number("1 234,5", decimal_comma=True).value == 1234.5


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
    with pytest.raises(
        UnreadableNumber, match=r"may be 1\.234 or 1234: the column has the same mark"
    ):
        read_number(column[-1], decimal_comma=True, notation=notation_of(column))


@pytest.mark.parametrize(
    ("texts", "grouping", "decimal"),
    [
        (["1,234", "1.234", "x", "12", ""], "", ""),
        (["1,234.5"], ",", "."),
        (["1.234.567"], ".", ""),
        (["1 234,5"], " ", ","),
        (["0.123", "12,5", "1e-3"], "", ".,"),
        ([".5", "1.2345"], "", "."),
    ],
)
def test_a_column_shows_what_its_marks_mean_by_texts_with_one_reading(texts, grouping, decimal):
    notation = notation_of(texts)
    assert (notation.grouping, notation.decimal) == (frozenset(grouping), frozenset(decimal))


def test_a_remark_on_thousands_shows_a_few_and_counts_the_rest():
    remark = grouping_remark(
        "A", ["1,234.5", "1 234", "2 345", "3 456"], [1234.5, 1234, 2345, 3456]
    )
    assert remark == (
        "Separators of thousands in 'A' are left out: '1,234.5' as 1234.5, '1 234' as 1234, "
        "'2 345' as 2345 and 1 more."
    )


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_float_that_python_prints_is_read_back(value):
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


@pytest.mark.parametrize(
    ("number", "text"),
    [("0.00005", ".00005"), ("0.5", ".5"), ("5E-8", "5E-8"), ("1", "1"), ("5E-9", "5E-9")],
)
def test_short_decimals_read_as_printed_p_values_do(number, text):
    assert short_decimal(Decimal(number)) == text
