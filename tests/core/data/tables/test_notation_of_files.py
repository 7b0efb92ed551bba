"""What commas mean in a file, and what papers print after a score."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from core.data import PValueTable, ScoreTable, read_results
from core.data.tables.numbers import read_number
from core.data.tables.thousands import shows_decimal_comma
from core.errors import DataError


@pytest.mark.parametrize(
    ("cells", "decimal"),
    [
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
    ],
)
def test_a_comma_is_a_decimal_mark_where_some_cell_shows_it_and_none_leaves_it_open(
    cells: list[str], decimal: bool
) -> None:
    assert shows_decimal_comma([pa.array(cells)]) is decimal


@pytest.mark.parametrize("separator", ["\t", ";", "|"])
def test_thousands_or_decimals_are_not_guessed(separator: str) -> None:
    rows = ["dataset,ours,base,p", "x,1#234,990,0.001", "y,1#100,850,0.002"]
    text = "\n".join(row.replace(",", separator).replace("#", ",") for row in rows)
    with pytest.raises(DataError) as caught:
        read_results(text.encode())
    assert "'1,234' may be 1.234 or 1234: nothing in the file shows" in str(caught.value)


def test_a_decimal_comma_anywhere_settles_the_others() -> None:
    table = read_results(b"dataset;ours;base;p\nx;91,234;90;0,001\ny;1,100;85;0,002\n")
    assert isinstance(table, PValueTable)
    assert table.scores_a is not None
    np.testing.assert_array_equal(table.scores_a, [91.234, 1.1])


@pytest.mark.parametrize(
    ("text", "value", "trail"),
    [
        ("91.2*", 91.2, "*"),
        ("80**", 80.0, "**"),
        ("80 †", 80.0, "†"),
        ("91.2 ± 0.3", 91.2, "± 0.3"),
        ("91.2±.3", 91.2, "±.3"),
        ("91.2 +/- 0.3", 91.2, "+/- 0.3"),
        ("91.2 (0.3)", 91.2, "(0.3)"),
        ("93% (±1%)", 93.0, "(±1%)"),
        ("−1.5*", -1.5, "*"),
    ],
)
def test_marks_and_spreads_after_a_score_are_kept_apart(
    text: str, value: float, trail: str
) -> None:
    number = read_number(text)
    assert number.value == value
    assert number.trail == trail


@pytest.mark.parametrize("text", ["*", "±0.3", "(0.3)", "sst2 (5)", "91.2 (see text)", "91.2 ± x"])
def test_what_only_looks_like_a_marked_score_is_no_number(text: str) -> None:
    with pytest.raises(ValueError, match="is not a number"):
        read_number(text)


def test_scores_with_stars_stay_the_scores_of_their_system_and_are_remarked_on() -> None:
    table = read_results(b"dataset,ours,base,third,p_value\nx,91.2*,90,80,.01\ny,80**,85,70,.5\n")
    assert isinstance(table, PValueTable)
    assert (table.system_a, table.system_b) == ("ours", "base")
    assert table.scores_a is not None
    np.testing.assert_array_equal(table.scores_a, [91.2, 80.0])
    assert table.reading is not None
    assert (
        "What follows the numbers in 'ours' is left out: '91.2*' as 91.2, '80**' as 80."
        in table.reading.remarks
    )


def test_scores_with_spreads_are_read_in_a_table_of_systems() -> None:
    table = read_results("dataset,A,B\nx,91 ± .3,90\ny,80 (0.2),85\n".encode())
    assert isinstance(table, ScoreTable)
    np.testing.assert_array_equal(table.values, [[91.0, 90.0], [80.0, 85.0]])
