"""Datasets × systems with one score each are read from columns or rows, and told from examples."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.data import SCORES, ScoreTable, read_results
from core.data.layouts.registry import SCORE_GRID
from core.errors import DataError
from tests.core.data.layouts.texts import refused

START = "dataset,A,B\n"
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


def test_systems_in_rows_may_be_called_by_numbers():
    assert read(ROWS + "x,1,.9\nx,2,.8\ny,1,1\ny,2,2\n").systems == ("1", "2")


def test_decimal_commas_become_points():
    assert read("dataset;A;B\nx;0,5;1\ny;2;0,25\n").printed == (("0.5", "1"), ("2", "0.25"))


def test_a_row_for_each_dataset_and_system_is_the_same_table():
    wide = read("dataset,A,B\nx,.9,.8\ny,1,2\n")
    long = read(ROWS + "x,A,.9\ny,B,2\nx,B,.8\ny,A,1\n")
    assert long.fingerprint == wide.fingerprint
    assert long.printed == wide.printed
    assert long.metric is None


@pytest.mark.parametrize(
    "text",
    [
        "dataset,A WER,B WER\nx,1,2\ny,2,1\n",
        "dataset,system,WER\nx,A,1\nx,B,2\ny,A,1\ny,B,2\n",
        "dataset,metric,A,B\nx,WER,1,2\ny,WER,2,1\n",
    ],
)
def test_names_that_say_lower_is_better_are_believed_with_a_remark(text):
    table = read(text)
    assert (table.metric, table.higher_is_better) == ("WER", False)
    assert "Lower is taken to be better" in " ".join(table.reading.remarks)
    assert read(text, higher_is_better=True).higher_is_better


@pytest.mark.parametrize(
    "text",
    ["dataset,A,B,C\nx,.90,0.8,70%\ny,2,2e+1,-3%\n", ROWS + "x,A,.9\ny,B,2\nx,B,.8\ny,A,1\n"],
)
def test_the_roles_of_a_reading_give_the_same_table_again(text):
    first = read(text)
    second = read(text, **first.reading.roles)
    assert (second.reading, second.fingerprint) == (first.reading, first.fingerprint)


@pytest.mark.parametrize("cell", ["", "NA", "-"])
def test_a_missing_score_is_a_question(cell):
    text = START + f"x,1,2\ny,{cell},3\nz,2,4\n"
    error = refused(text)
    assert "Dataset 'y', column 'A', line 3" in str(error.problems[0])
    assert "leave the dataset out for every system" in str(error.problems[0])
    (choice,) = error.choices
    assert choice.options == (("leave-out", "Leave out 1 dataset"),)
    table = read(text, incomplete="leave-out")
    assert table.datasets == ("x", "z")
    assert table.values.tolist() == [[1, 2], [2, 4]]
    assert "without a score of every system, 'y'; 2 datasets stay" in table.reading.remarks[0]


def test_a_system_without_a_row_on_a_dataset_is_a_question():
    text = ROWS + "x,A,1\nx,B,2\ny,A,1\n"
    error = refused(text)
    assert str(error.problems[0]) == (
        "Dataset 'y': The system 'B' has no score on this dataset. Add its row, or leave the "
        "dataset out for every system."
    )
    assert read(text, incomplete="leave-out").datasets == ("x",)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (START + "x,1,2\ny,one,3\n", "Dataset 'y', column 'A', line 3: 'one' is not a number."),
        (START + "x,1,2\ny,2e150,3\n", "Dataset 'y', column 'A', line 3: '2e150' is out of range."),
        (START + "x,1,2\n,2,3\n", "Column 'dataset', line 3: The dataset has no name."),
        (START + "x,1,2\nx,2,3\n", "Dataset 'x', column 'dataset', line 3: The dataset is already "
         "on line 2."),
        ("dataset,A\nx,1\ny,2\n", "Only 'A' holds scores; a comparison needs two systems."),
        ("A,B\n1,2\n2,3\n", "No column is recognised for the role 'dataset'."),
        (ROWS + "x,A,1\nx,A,2\nx,B,3\n", "Dataset 'x', column 'dataset', line 3: A score of 'A' on "
         "this dataset is already on line 2."),
        ("dataset,metric,A,B\nx,WER,1,2\ny,accuracy,2,1\n", "of 'WER' lower is better, of the "
         "others higher"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_place(text, expected):
    assert expected in str(refused(text, layout=SCORE_GRID).problems[0])


@pytest.mark.parametrize(
    ("text", "metrics"),
    [
        ("dataset,system,WER,F1\nx,A,1,3\nx,B,2,4\ny,A,5,7\ny,B,6,8\n", ("WER", "F1")),
        ("dataset,system,metric,score\nx,A,WER,1\nx,B,WER,2\ny,A,WER,5\ny,B,WER,6\n"
         "x,A,F1,3\nx,B,F1,4\ny,A,F1,7\ny,B,F1,8\n", ("WER", "F1")),
    ],
)  # fmt: skip
def test_of_several_metrics_one_is_chosen(text, metrics):
    error = refused(text)
    assert "one at a time is compared" in str(error.problems[0])
    (choice,) = error.choices
    assert (choice.role, tuple(value for value, _ in choice.options)) == ("metric", metrics)
    table = read(text, metric="WER")
    assert table.values.tolist() == [[1, 2], [5, 6]]
    assert not table.higher_is_better
    assert read(text, metric="F1").values.tolist() == [[3, 4], [7, 8]]


def test_an_average_among_the_datasets_is_a_problem():
    with pytest.raises(DataError, match="'Average' seems to be no dataset but an average"):
        read(START + "x,1,2\ny,2,3\nAverage,1.5,2.5\n")


@pytest.mark.parametrize(
    ("text", "roles", "is_grid"),
    [
        (START + "x,1,2\ny,2,3\n", {}, True),
        (START + "x,1,2\ny,2,3\n", {"layout": SCORES}, False),
        (START + "x,1,2\ny,2,3\n", {"dataset": None, "example": "dataset"}, False),
        (START + "x,1,2\nx,2,3\n", {}, False),
        ("dataset,example,A,B\nx,1,1,2\ny,1,2,3\n", {}, False),
        ("no,dataset,A,B\n1,x,1,2\n2,y,2,3\n", {}, True),
        ("A,B\n1,2\n2,3\n", {}, False),
        ("dataset,example,system,score\nx,1,A,1\nx,1,B,2\ny,1,A,3\ny,1,B,4\n", {}, False),
        (ROWS + "x,A,1\nx,A,2\nx,B,2\nx,B,3\n", {}, False),
    ],
)
def test_examples_and_datasets_are_told_apart(text, roles, is_grid):
    reading = read_results(text.encode(), roles=roles).reading
    assert reading is not None
    assert (reading.layout == SCORE_GRID) == is_grid


@settings(max_examples=60, deadline=None)
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


def test_percent_beside_fractions_of_one_system_is_a_problem():
    (problem,) = refused("dataset,A,B\nx,85%,.7\ny,0.8,.5\nz,75%,.4\n").problems
    assert str(problem).startswith(
        "Dataset 'y', column 'A', line 3: '0.8' has no sign of percent, others of the column have "
        "one. Write every number of a column with '%', or none."
    )
    rows = "dataset,system,metric,score\n" + "".join(
        f"{d},{s},acc,8{i}%\n{d},{s},MCC,0.{i}\n"
        for i, (d, s) in enumerate([("x", "A"), ("x", "B"), ("y", "A"), ("y", "B")])
    )
    assert read(rows, metric="acc").values.tolist() == [[80, 81], [82, 83]]
