"""Numbers and names as a reader sees them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.replicability.counting import chance_of_a_false_win
from core.words.formatting import (
    display_name,
    format_p_value,
    format_percent,
    format_share,
    format_thresholds,
    printed_number,
    rounded_level,
    signed,
)


def test_a_p_value_has_four_decimals_and_no_leading_zero() -> None:
    for p_value, shown in [
        (0.0012, ".0012"),
        (0.0979, ".0979"),
        (0.168, ".1680"),
        (0.05, ".0500"),
        (1.0, "1.0000"),
        (0.0, "0"),
        (2e-9, "< .0001"),
        (0.99999, "> .9999"),
        (0.5, ".5000"),
    ]:
        assert format_p_value(p_value) == shown, (p_value, shown)
    # Rounding never shows it on the other side of the level.
    assert format_p_value(0.050004, alpha=0.05) == ".050004"
    assert format_p_value(0.0099999, alpha=0.01) == ".0100"
    # No p-value but 0 is written as one, however low the level.
    few = [format_p_value(p_value, alpha=2e-5) for p_value in (0.0, 2e-9, 2.4e-5, 0.5)]
    assert few == ["0", "< .00001", ".000024", ".50000"]


def test_thresholds_of_a_column_and_published_p_values_are_written_like_ours() -> None:
    assert format_thresholds([0.05 / 7, 0.0125, 0.05]) == [".00714", ".01250", ".05000"]
    assert format_thresholds([0.025, 0.05]) == [".0250", ".0500"]
    # Published ones keep their digits.
    assert [
        printed_number(text) for text in ("0.0979", "0.05", ".004", "1.1e-8", "0", "<0.001")
    ] == [".0979", ".05", ".004", "1.1e-8", "0", "<.001"]


@given(
    p_value=st.floats(0.0, 1.0),
    alpha=st.sampled_from([0.05, 0.01, 0.001, 0.1, 0.0005, 2e-5, 1e-7]),
)
def test_the_shown_p_value_and_the_decision_agree(p_value: float, alpha: float) -> None:
    shown = format_p_value(p_value, alpha=alpha)
    if shown[0] not in "<>":
        assert (float(shown) <= alpha) == (p_value <= alpha * (1 + 2.0**-40))


def test_the_chance_of_a_false_win_is_never_rounded_to_certainty() -> None:
    # Dror et al. 2017: 1 - .95^100 = .994
    assert format_percent(chance_of_a_false_win(100)) == "99.4%"
    assert format_percent(chance_of_a_false_win(5000)) == "almost 100%"
    assert format_percent(chance_of_a_false_win(7)) == "30%"
    # All of a number of cases are 100 per cent, and nearly all are not.
    assert [format_share(held / 40) for held in (40, 39, 20, 0)] == ["100%", "98%", "50%", "0%"]
    assert format_share(999 / 1000) == "99.9%"
    assert format_share(1 - 1e-9) == "almost 100%"


def test_digits_show_what_a_printed_p_value_is_held_against() -> None:
    for p_value, limit, near in [
        (0.0, "0", "0"),
        (1.0, "1", "1"),
        (0.003, ".003", ".003"),
        (0.04521, ".0452", ".04521"),
        (0.000523, ".00052", ".000523"),
        (0.0001, ".0001", ".0001"),
        (0.00005, "5e-5", "5e-5"),
        (2.0449e-9, "2e-9", "2.045e-9"),
        (0.99997, ".9999", ".9999"),
    ]:
        assert (format_p_value(p_value, digits=2), format_p_value(p_value, digits=4)) == (
            limit,
            near,
        ), (p_value, limit, near)


@given(p_value=st.floats(1e-12, 1.0), digits=st.integers(1, 6))
def test_with_digits_a_p_value_is_a_number_that_is_off_by_less_than_its_last_digit(
    p_value: float, digits: int
) -> None:
    shown = float(format_p_value(p_value, digits=digits))
    assert shown == pytest.approx(p_value, rel=10.0 ** (1 - digits), abs=0.0)
    assert (shown == 1.0) == (p_value == 1.0)


@given(st.text(max_size=300))
def test_a_displayed_name_is_short_on_one_line_and_cannot_turn_the_text_around(name: str) -> None:
    shown = display_name(name)
    assert len(shown) <= 62
    assert not {"\n", "\r", "\t", "\u202e", "\u202d", "\u202a", "\u202b", "\u2028"} & set(shown)
    assert shown.count("\u2068") == shown.count("\u2069")


def test_a_right_to_left_name_is_isolated_and_others_are_kept_as_they_are() -> None:
    assert display_name("עברית") == "\u2068עברית\u2069"
    assert display_name("**x** <b>y</b> =1+1") == "**x** <b>y</b> =1+1"
    assert display_name("a\u202eb") == "ab"


def test_differences_carry_a_sign_and_the_scores_decimals() -> None:
    assert signed(3.1, 2) == "+3.10"
    assert signed(-0.44, 2) == "−0.44"
    assert signed(0.0, 2) == "0.00"
    assert signed(float("nan"), 2) == "–"


def test_a_rounded_level_is_short_however_small_it_is() -> None:
    for value, up, text in (
        (0.05, False, ".05"), (0.01239, False, ".0123"), (0.01231, True, ".0124"), (1.0, True, "1"),
        (0.9999, False, ".999"), (0.9999, True, "1"), (0.0, False, "0"),
        (0.000001834, False, "1.83e-06"), (1.234e-300, False, "1.23e-300"),
    ):  # fmt: skip
        assert rounded_level(value, up=up) == text, value
