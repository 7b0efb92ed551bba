"""Predictions are compared with gold letter by letter, and what looks odd about it is said."""

import pytest

from core.data import PREDICTIONS, SCORES
from tests.core.data.layouts.texts import problems_of, read

START = "dataset,example,gold,A,B\n"


def test_every_part_of_a_file_is_read():
    results = read(START + "SNLI,1,yes,yes,no\nRTE,1,no,no,no\nSNLI,2,no, no ,yes\n")
    assert results.datasets == ("SNLI", "RTE")
    assert results.systems == ("A", "B")
    assert results.metrics == ("accuracy",)
    assert results.scores("SNLI", "A").tolist() == [1.0, 1.0]
    assert results.scores("SNLI", "B").tolist() == [0.0, 0.0]
    assert results.gold("SNLI").tolist() == ["yes", "no"]
    assert results.predictions("SNLI", "B").tolist() == ["no", "yes"]
    assert results.examples("SNLI") == ("1", "2")
    assert results.is_binary("RTE")
    assert results.reading.layout == PREDICTIONS
    assert results.reading.remarks == ()
    assert results.reading.roles == {
        "layout": PREDICTIONS,
        "dataset": "dataset",
        "example": "example",
        "gold": "gold",
        "systems": ("A", "B"),
        "run": None,
        "cluster": None,
        "covariates": (),
        "metric": "accuracy",
        "higher_is_better": True,
    }


@pytest.mark.parametrize(
    "heading", ["gold", "Gold Label", "label", "target", "y_true", "Answer", "reference", "truth"]
)
def test_gold_is_recognised_by_its_heading(heading):
    text = f"dataset,example,{heading},A,B\nx,1,yes,yes,no\nx,2,no,no,no\n"
    assert read(text).reading.roles["gold"] == heading


def test_the_roles_of_a_reading_give_the_same_set_again():
    text = "task,label,text,A,B\nx,yes,so so,yes,no\nx,no,so,no,no\n"
    first = read(text)
    second = read(text, **first.reading.roles)
    assert second.reading == first.reading
    assert second.fingerprint == first.fingerprint
    assert first.reading.remarks == ("Read only to find examples that datasets share: 'text'.",)


def test_labels_that_look_like_nothing_are_labels():
    results = read(START + "x,1,None,None,NA\nx,2,NA,null,NA\nx,3,nan,nan,nan\n")
    assert results.scores("x", "A").tolist() == [1.0, 0.0, 1.0]
    assert results.gold("x").tolist() == ["None", "NA", "nan"]


def test_classes_in_digits_are_labels_and_not_ratings():
    results = read(START + "x,1,0,0,1\nx,2,1,1,1\nx,3,1,0,0\n")
    assert results.reading.layout == PREDICTIONS
    assert results.scores("x", "B").tolist() == [0.0, 1.0, 0.0]
    three = read(START + "x,1,0,0,0\nx,2,1,1,2\nx,3,2,0,0\n")
    assert three.reading.remarks == (
        "Gold and predictions are numbers and are compared as labels: right or wrong, however "
        "near.",
    )


def test_probabilities_beside_classes_in_digits_are_no_systems():
    results = read("dataset,example,gold,A,B,score_A\nx,1,0,0,1,0.9\nx,2,1,1,1,0.8\nx,3,1,0,0,1\n")
    assert results.systems == ("A", "B")
    assert results.reading.remarks[0] == "Not read: 'score_A'."


@pytest.mark.parametrize("gold", ["1", "2"])
def test_zeros_and_ones_beside_gold_may_be_scores_already(gold):
    text = START + f"x,1,0,0,1\nx,2,1,1,1\nx,3,{gold},0,0\n"
    results = read(text)
    assert results.reading.layout == PREDICTIONS
    assert "'A', 'B' hold only 0 and 1, read as predicted classes" in results.reading.remarks[-1]
    scores = read(text, gold=None)
    assert scores.reading.layout == SCORES
    assert scores.scores("x", "A").tolist() == [0.0, 1.0, 0.0]


def test_labels_written_differently_are_wrong_with_a_remark():
    results = read(START + "x,1,Yes,Yes,Yes\nx,2,Yes,yes,No\nx,3,No,No,No\n")
    assert results.scores("x", "A").tolist() == [1.0, 0.0, 1.0]
    assert results.reading.remarks == (
        "Counted as wrong, as labels are compared letter by letter: 'A' writes 'yes' for 'Yes'.",
    )


@pytest.mark.parametrize(
    ("row", "written"), [("x,1,1,1.0,1", "'1.0' for '1'"), ("x,1,Yes,YES,Yes", "'YES' for 'Yes'")]
)
def test_a_system_that_writes_every_label_differently_is_a_problem(row, written):
    (problem,) = problems_of(START + row + "\nx,2,0,0.0,1\n")
    assert problem.startswith("Column 'A': No prediction agrees with 'gold' letter by letter, but")
    assert written in problem


def test_a_system_that_is_never_right_is_remarked_on():
    text = START + "x,1,yes,no,yes\nx,2,yes,no,no\nx,3,no,yes,no\n"
    assert read(text).reading.remarks == ("'A' agrees with the gold label nowhere.",)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("x,9,,yes,no", "Dataset 'x', column 'gold', line 4: There is no gold label. Give it, or "
         "leave this example out."),
        ("x,9,yes,,no", "Dataset 'x', column 'A', line 4: There is no prediction. Give it; where "
         "the system gave no answer, write a label that says so, such as 'none'."),
        ("x,1,yes,no,no", "Dataset 'x', column 'example', line 4: The example '1' is already on "
         "line 2."),
        (",9,yes,no,no", "Column 'dataset', line 4: The dataset has no name."),
    ],
)  # fmt: skip
def test_each_wrong_cell_is_named_with_its_place(row, expected):
    (problem,) = problems_of(f"{START}x,1,yes,yes,no\nx,2,no,no,no\n{row}\n")
    assert problem.startswith(expected)


def test_all_problems_come_at_once():
    problems = problems_of(START + "x,1,,yes,no\nx,1,no,no,\n,3,yes,yes,no\n")
    assert [problem.split(":")[0] for problem in problems] == [
        "Column 'dataset', line 4",
        "Dataset 'x', column 'example', line 3",
        "Dataset 'x', column 'gold', line 2",
        "Dataset 'x', column 'B', line 3",
    ]


@pytest.mark.parametrize(
    ("text", "roles", "expected"),
    [
        ("dataset,example,gold,A\nx,1,yes,yes\nx,2,no,no\n", {},
         "Only 'A' holds predictions that agree with the gold label anywhere"),
        (START + "x,1,yes,yes,no\nx,2,no,no,no\n", {"higher_is_better": False},
         "Correctness is better where it is higher."),
        ("dataset,example,A,B\nx,1,yes,no\nx,2,no,no\n", {"layout": PREDICTIONS},
         "No column is recognised for the role 'gold'."),
        ("dataset,example,A,B\nx,1,yes,no\nx,2,no,no\n", {},
         "'A', 'B' hold text: predictions need a column of gold labels to be compared with. Add a "
         "column 'gold' or choose the one that holds them."),
    ],
)  # fmt: skip
def test_what_is_missing_is_named(text, roles, expected):
    (problem,) = problems_of(text, **roles)
    assert expected in problem


def test_gold_under_another_name_can_be_chosen():
    results = read("dataset,example,right,A,B\nx,1,yes,yes,no\nx,2,no,no,no\n", gold="right")
    assert results.systems == ("A", "B")
    assert results.scores("x", "B").tolist() == [0.0, 1.0]


def test_numbers_can_be_declared_to_be_labels():
    text = START + "x,1,0.5,0.5,1\nx,2,1,0.5,1\n"
    assert read(text, layout=PREDICTIONS).scores("x", "A").tolist() == [1.0, 0.0]
