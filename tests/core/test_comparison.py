"""Margins as they are written and read."""

import pytest

from core.comparison import (
    COMPARISONS,
    checked_margin,
    comparison_named,
    read_margin,
    written_margin,
)


def test_a_margin_is_read_with_its_unit_in_decimals_and_written_back() -> None:
    for text, points, margin in (
        ("0.5 points", 100.0, 0.005),
        (".7 points", 100.0, 0.007),
        ("0,5 Points", 1.0, 0.5),
        ("1%", 100.0, 0.01),
        ("0.25", None, 0.25),
    ):
        assert read_margin(text, points) == margin
        assert read_margin(written_margin(margin, points), points) == margin


@pytest.mark.parametrize(
    ("text", "points"),
    [("0.5", 100.0), ("1 point", None), ("-1 points", 1.0), ("1,000 points", 1.0), ("", None)],
)
def test_a_number_without_the_unit_that_the_scores_need_is_asked_back(
    text: str, points: float | None
) -> None:
    with pytest.raises(ValueError, match="`margin` must"):
        read_margin(text, points)


def test_a_margin_goes_with_a_claim_that_has_one() -> None:
    assert checked_margin("better", 0) == 0.0
    for claim in (one.name for one in COMPARISONS if one.takes_margin):
        assert checked_margin(claim, 0.1) == 0.1
    for claim, margin in (("better", 0.1), ("equivalent", 0.0), ("not-worse", float("inf"))):
        with pytest.raises(ValueError, match="`margin` must"):
            checked_margin(claim, margin)


def test_a_claim_in_short_has_its_margin() -> None:
    at_a_margin = ["better by ≥ 0.02", "not worse by > 0.02", "equivalent within 0.02"]
    assert [one.in_short("0.02") for one in COMPARISONS] == ["better", *at_a_margin]
    several = written_margin([0.01, 0.02], None)
    assert (
        comparison_named("better-by").in_short(several) == "better by ≥ each dataset's own margin"
    )
