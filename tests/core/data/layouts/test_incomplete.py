"""Examples that lack a value are refused with their number, and left out where that is chosen."""

import numpy as np
import pytest

from core.data.layouts.incomplete import without_incomplete
from core.data.tables.splitting import split_table
from core.data.tables.text import decode_text
from tests.core.data.layouts.texts import read, refused

SCORES = "dataset,example,A,B\nx,1,1,0\nx,2,,0\ny,1,1,NA\ny,2,–,\ny,3,0,1\n"
LABELS = "dataset,example,gold,A,B\nx,1,p,p,n\nx,2,n,,n\ny,1,,p,p\ny,2,n,n,n\n"


@pytest.mark.parametrize(("text", "n_cells", "n_examples"), [(SCORES, 4, 3), (LABELS, 2, 2)])
def test_missing_values_are_refused_cell_by_cell_with_the_question(text, n_cells, n_examples):
    error = refused(text)
    assert len(error.problems) == n_cells
    assert all(problem.line is not None for problem in error.problems)
    (choice,) = error.choices
    assert choice.role == "incomplete"
    assert choice.question == f"A value is missing in {n_examples} examples."
    assert choice.options == (("leave-out", f"Leave out {n_examples} examples"),)


def test_incomplete_examples_are_left_out_for_every_system():
    results = read(SCORES, incomplete="leave-out")
    assert [results.examples(d) for d in results.datasets] == [("1",), ("3",)]
    assert results.scores("y", "A").tolist() == [0.0]
    assert results.metrics == ("accuracy",)
    assert results.reading.remarks == (
        "Left out, as chosen: 3 examples without a score of every system, 1 of 'x', 2 of 'y'; 2 "
        "examples stay.",
    )
    assert results.reading.choices == refused(SCORES).choices
    assert results.reading.roles["incomplete"] == "leave-out"


def test_incomplete_predictions_are_left_out_and_words_stay_labels():
    results = read(LABELS + "y,3,none,NA,none\n", incomplete="leave-out")
    assert [results.examples(d) for d in results.datasets] == [("1",), ("2", "3")]
    assert results.scores("y", "B").tolist() == [1.0, 1.0]
    assert "" not in results.labels.names


def test_a_dataset_of_which_nothing_stays_is_named():
    text = SCORES.replace("x,1,1", "x,1,")
    assert refused(text).choices[0].options == (
        ("leave-out", "Leave out 4 examples, and so all of 'x'"),
    )
    results = read(text, incomplete="leave-out")
    assert results.datasets == ("y",)
    assert results.reading.remarks[-1].endswith("has a score of every system: 'x'.")


def test_the_question_comes_beside_other_problems_and_does_not_mend_them():
    text = SCORES + "y,4,oops,1\n"
    assert refused(text).choices[0].role == "incomplete"
    (problem,) = refused(text, incomplete="leave-out").problems
    assert "'oops' is not a number." in problem.what


def test_where_nothing_is_missing_nothing_is_asked():
    text = "dataset,example,A,B\nx,1,1,0\nx,2,0,1\n"
    assert read(text).reading.choices == ()
    assert read(text, incomplete="leave-out").reading.remarks == ()
    assert refused(text + "x,3,oops,1\n").choices == ()


def test_an_example_that_lacks_a_run_goes_with_all_its_runs():
    text = "dataset,example,seed,A,B\nx,1,1,1,0\nx,1,2,0,\nx,2,1,1,1\nx,2,2,0,1\n"
    results = read(text, runs="average", incomplete="leave-out")
    assert results.examples("x") == ("2",)
    assert results.scores("x", "A").tolist() == [0.5]


def test_the_same_examples_are_kept_for_each_metric():
    text = (
        "dataset,example,metric,A,B\nx,1,acc,1,0\nx,2,acc,0,1\nx,1,f1,.5,.4\nx,2,f1,,.3\n"
        "x,3,acc,1,1\n"
    )
    error = refused(text)
    assert [str(problem).split(". ")[0] for problem in error.problems] == [
        "Dataset 'x', column 'A', line 5: There is no score",
        "Dataset 'x': Every system lacks 1 of 3 examples, in the metric 'f1': '3'",
    ]
    results = read(text, incomplete="leave-out")
    assert results.examples("x") == ("1",)
    assert results.scores("x", "B", "f1").tolist() == [0.4]


def test_a_table_without_its_incomplete_rows_counts_them_by_dataset():
    raw = split_table(decode_text(SCORES.encode()))
    kept, remarks = without_incomplete(
        raw, {"incomplete": "leave-out", "dataset": "dataset"}, ("A", "B")
    )
    np.testing.assert_array_equal(kept.lines, [2, 6])
    assert remarks == (
        "Left out, as chosen: 3 examples in which a value of 'A', 'B' is missing (lines 3, 4, 5), "
        "1 of 'x', 2 of 'y'; 2 examples stay.",
    )
    same, nothing = without_incomplete(raw, {"dataset": "dataset"}, ("A", "B"))
    assert same is raw
    assert nothing == ()
