"""Datasets × systems with one score each are read from columns or rows, and told from examples."""

from hypothesis import given, settings
from hypothesis import strategies as st

from core.data import ScoreTable, read_results
from core.data.layouts.registry import SCORE_GRID

ROWS = "dataset,system,score\n"


def read(text, **roles):
    table = read_results(text.encode(), roles=roles)
    assert isinstance(table, ScoreTable)
    return table


def test_every_score_is_read_with_its_digits():
    table = read("dataset,A,B,C\nx,.90,0.8,70%\ny,2,2e+1,-3%\n")
    assert table.reading.layout == SCORE_GRID
    assert (table.datasets, table.systems) == (("x", "y"), ("A", "B", "C"))
    assert table.values.tolist() == [[0.9, 0.8, 70], [2, 20, -3]]
    assert table.printed == ((".90", "0.8", "70"), ("2", "2e+1", "-3"))
    assert table.higher_is_better
    assert "none within a dataset" in " ".join(table.reading.remarks)


def test_a_row_for_each_dataset_and_system_is_the_same_table():
    wide = read("dataset,A,B\nx,.9,.8\ny,1,2\n")
    long = read(ROWS + "x,A,.9\ny,B,2\nx,B,.8\ny,A,1\n")
    assert long.fingerprint == wide.fingerprint
    assert long.printed == wide.printed
    assert long.metric is None


@settings(max_examples=20, deadline=None)
@given(
    st.integers(1, 6).flatmap(
        lambda n: st.lists(
            st.lists(st.integers(-9999, 9999).map(lambda x: x / 100), min_size=3, max_size=3),
            min_size=n,
            max_size=n,
        )
    )
)
def test_scores_in_columns_or_rows_read_back_equal(values):
    wide = "dataset,A,B,C\n" + "".join(
        f"d{i},{','.join(map(repr, row))}\n" for i, row in enumerate(values)
    )
    long = ROWS + "".join(
        f"d{i},{system},{score!r}\n"
        for i, row in enumerate(values)
        for system, score in zip("ABC", row, strict=True)
    )
    for text in (wide, long):
        assert read(text, layout=SCORE_GRID, scales="one").values.tolist() == values
