"""What commas mean in a file, and what papers print after a score."""

from __future__ import annotations

import pyarrow as pa
import pytest

from core.data import read_results
from core.data.tables.numbers import read_number, shows_decimal_comma
from core.errors import DataError


def test_a_comma_is_a_decimal_mark_where_some_cell_shows_it_and_none_leaves_it_open() -> None:
    for cells, decimal in [
        (["91,2", "1,234"], True),
        (["0,001", "1,234"], True),
        (["1234,567", "1,234"], True),
        ([",5", "1,234"], True),
        (["1,234", "990"], False),
        (["$1,234", "850"], False),
        (["91.2", "850"], True),
        (["New York, NY", "x"], True),
        (["New York, NY", "1,234"], False),
        (["3,5·10^-4", "1,234"], True),
    ]:
        assert shows_decimal_comma([pa.array(cells)]) is decimal, (cells, decimal)


def test_marks_and_spreads_after_a_score_are_kept_apart() -> None:
    for text, value, trail in [
        ("91.2*", 91.2, "*"),
        ("80**", 80.0, "**"),
        ("80 †", 80.0, "†"),
        ("91.2 ± 0.3", 91.2, "± 0.3"),
        ("91.2±.3", 91.2, "±.3"),
        ("91.2 +/- 0.3", 91.2, "+/- 0.3"),
        ("91.2 (0.3)", 91.2, "(0.3)"),
        ("93% (±1%)", 93.0, "(±1%)"),
        ("−1.5*", -1.5, "*"),
        ("91.2±0.3**", 91.2, "±0.3 **"),
        ("91.2* ± 0.3", 91.2, "* ± 0.3"),
    ]:
        number = read_number(text)
        assert number.value == value, (text, value, trail)
        assert number.trail == trail, (text, value, trail)
        assert bool(number.spread) == any(digit in trail for digit in "0123456789"), text


@pytest.mark.parametrize(
    "text", ["*", "±0.3", "(0.3)", "sst2 (5)", "91.2 (see text)", "91.2 ± x", "9" + " ± 1" * 3000]
)
def test_what_only_looks_like_a_marked_score_is_no_number(text: str) -> None:
    with pytest.raises(ValueError, match="is not a number"):
        read_number(text)


@pytest.mark.parametrize(
    "rows",
    ["x;1.234,5;1.100\ny;1.300;900\n", "x;81,5;1.100\ny;90,5;0,9\n"],
    ids=["thousands in another column", "decimal commas in its own"],
)
def test_a_point_before_three_digits_is_not_read_beside_decimal_commas(rows: str) -> None:
    with pytest.raises(DataError) as caught:
        read_results(("dataset;A;B;p\n" + rows.replace("\n", ";0,01\n")).encode())
    (problem,) = caught.value.problems
    assert problem.what.startswith("'1.100' may be 1.1 or 1100:")
    assert problem.remedy == "Write 1,1 or 1100."
