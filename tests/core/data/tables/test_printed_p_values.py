"""A printed p-value says a value and, by its digits, a range."""

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data.tables.numbers import (
    UnreadableNumber,
    printed_kind,
    read_p_value,
    short_decimal,
    zero_upper_end,
)
from core.validation import at_most

# Value, low and high, and how papers print it.
PRINTED = {
    (0.0018, 0.00175, 0.00185): ["0.0018"],
    (0.04, 0.035, 0.045): [".04"],
    (0.445, 0.44495, 0.44505): ["0.4450"],
    (1e-5, 0.5e-5, 1.5e-5): ["1e-5", "1E-05"],
    (2e-5, 1.5e-5, 2.5e-5): ["2e-5"],
    (1.12e-8, 1.115e-8, 1.125e-8): ["1.12e-08"],
    (1e-4, 0.5e-4, 1.5e-4): ["10^-4", "10^{-4}", "10**-4", "10⁻⁴", "10^−4", "0.0001"],
    (2e-4, 1.5e-4, 2.5e-4): [
        *("2·10^-4", "2*10^-4", "2x10^-4", "2×10^-4", "2*10-4", r"$2\cdot10^{-4}$")
    ],
    (2.5e-4, 2.45e-4, 2.55e-4): ["2.5 × 10^{-4}"],
    (1.2e-5, 1.15e-5, 1.25e-5): ["1.2×10−5", "1.2 × 10-5"],
    (5e-3, 4.95e-3, 5.05e-3): ["5.0E-03"],
    (0.03, 0.025, 0.035): ["p = .03", "p=0.03", "P-value = .03", "=.03"],
    (0.5, 0.45, 0.55): ["+0.5"],
    (1.0, 0.5, 1.0): ["1"],
    (1.0, 0.9995, 1.0): ["1.000"],
    (0.001, 0.0, 0.001): ["<0.001", "< .001", "<= 0.001", "≤.001"],
    (0.01, 0.0, 0.01): ["p<.01"],
    (0.05, 0.0, 0.05): ["p<.05", "0.0", "-0.0"],
    (1e-4, 0.0, 1e-4): ["p < 10^-4"],
    (0.5, 0.0, 0.5): ["0"],
    (0.0005, 0.0, 0.0005): ["0.000"],
    (0.05, 0.01, 0.05): [".01≤p<.05", "0.01 <= p < 0.05"],
}


def test_a_printed_p_value_has_the_nearest_floats_of_its_exact_range():
    for expected, texts in PRINTED.items():
        for text in texts:
            p = read_p_value(text)
            assert (p.value, p.low, p.high) == expected, text
            assert (p.mark, p.comma) == ("", False), text


def test_kind_unit_and_notation_are_kept():
    for text, kind, unit_exponent, plain in [
        ("0.0018", "number", -4, True),
        ("2e-5", "number", -5, False),
        ("10^-4", "number", -4, False),
        ("<.001", "below", -3, True),
        ("0.00", "zero", -2, True),
        ("0e-7", "zero", -7, False),
    ]:
        p = read_p_value(text)
        assert (p.kind, p.unit_exponent, p.plain) == (kind, unit_exponent, plain), text


def test_marks_after_a_p_value_are_set_aside():
    for text, mark in [(".04*", "*"), (".04 **", "**"), ("10^-4†", "†"), ("p = .04∗", "∗")]:
        p = read_p_value(text)
        assert p.mark == mark, (text, mark)
        assert p.value in (0.04, 1e-4), (text, mark)


# What is said of them, and what to give.
NONE: dict[tuple[str, str], list[str]] = {
    ("There is no p-value.", "as printed"): [""],
    ("stands where a p-value should", "as printed"): ["-", "—"],
    ("'NaN' is not a p-value", "between 0 and 1"): ["NaN"],
    ("is not a p-value", "between 0 and 1"): [
        *("NA", "inf", "0x1p-3", "0.0_1", "٠.٥", "5%", "<1%", "10-5", "2×105", "1,234.5", "p .03"),
        *("0.03 (t-test)", "1e-999999999999", ".05<p<.01", "not sure", "*"),
    ],
    ("'1.5' lies outside 0 to 1.", "between 0 and 1"): ["1.5"],
    ("lies outside 0 to 1", "between 0 and 1"): ["-0.1", "−0.1", "10^4", "1e400", "> 1.5"],
    ("not possible", "between 0 and 1"): ["<0", ">1"],
    ("where the comma separates columns", "decimal point"): ["0,04"],
    ("…' is not a p-value", "between 0 and 1"): ["x" * 200],
}


@pytest.mark.parametrize(
    ("text", "what", "remedy"), [(text, *said) for said, texts in NONE.items() for text in texts]
)
def test_what_is_no_p_value_says_why_and_what_to_give(text, what, remedy):
    with pytest.raises(UnreadableNumber) as caught:
        read_p_value(text)
    assert what in caught.value.what
    assert remedy in caught.value.remedy


LOWER_ENDS = {
    0.05: ["ns", "n.s.", "N.S.", "not significant", ">0.05", "p > .05", "> .05", ">.05†"],
    0.1: ["p ≥ .1"],
    0.2: [">= 0.2"],
}


@pytest.mark.parametrize(
    ("text", "low"), [(text, low) for low, texts in LOWER_ENDS.items() for text in texts]
)
def test_a_lower_end_alone_is_a_range_up_to_1_and_counts_as_1(text, low):
    p = read_p_value(text)
    assert (p.kind, p.high, p.value) == ("above", 1.0, 1.0)
    assert p.low == pytest.approx(low, rel=1e-9)
    # What is above a level does not reach it, whatever passes for equal there.
    assert bool(at_most(np.array(p.low), low)) == ("≥" in text or ">=" in text)
    assert printed_kind(text) == "above"


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


def test_a_zero_lies_below_half_the_finest_unit_of_its_column():
    columns = {
        "0.00005": ["0.0 .2123 2e-5", "0 0.0944 1.12e-08", "10^-4 0.0 2·10^-4", "0.0000 .04"],
        "0.00000005": ["0.0 1.9e-06"],
        "0.005": ["0.00 .4", "0 <0.001 .04"],
        "0.05": ["0.0"],
        "0.5": ["0"],
    }
    for upper_end, texts in columns.items():
        for text in texts:
            assert zero_upper_end([*map(read_p_value, text.split())]) == Decimal(upper_end), text
    assert zero_upper_end([read_p_value(".04"), read_p_value("<0.001")]) is None


def test_short_decimals_read_as_printed_p_values_do():
    for text in (".00005", ".5", "5E-8", "1", "5E-9"):
        assert short_decimal(Decimal(text)) == text
