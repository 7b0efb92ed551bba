"""Repeated runs are never taken for examples: they are averaged or one is read, as chosen."""

import pytest

from tests.core.data.layouts.texts import read

# Two examples in three runs each, in columns and in rows.
WIDE = (
    "dataset,example,seed,A,B\nx,1,7,1,0\nx,1,8,0,0\nx,1,9,1,0\nx,2,9,0,1\nx,2,8,0,1\nx,2,7,1,1\n"
)
LONG = (
    "dataset,example,seed,system,score\n"
    "x,1,7,A,1\nx,1,8,A,0\nx,1,9,A,1\nx,2,9,A,0\nx,2,8,A,0\nx,2,7,A,1\n"
    "x,1,7,B,0\nx,1,8,B,0\nx,1,9,B,0\nx,2,9,B,1\nx,2,8,B,1\nx,2,7,B,1\n"
)
PREDICTED = (
    "dataset,example,seed,gold,A,B\n"
    "x,1,7,yes,yes,no\nx,1,8,yes,no,no\nx,1,9,yes,yes,no\n"
    "x,2,9,no,yes,no\nx,2,8,no,yes,no\nx,2,7,no,no,no\n"
)
LAYOUTS = pytest.mark.parametrize("text", [WIDE, LONG, PREDICTED], ids=["wide", "rows", "labels"])


def test_means_of_the_same_scores_are_equal_in_whatever_order_they_come():
    runs = ["0.1", "0.2", "0.3", "0.7", "1.1"]
    rows = [f"x,1,{i},{a},{b}" for i, (a, b) in enumerate(zip(runs, runs[::-1], strict=True))]
    rows += [f"x,2,{i},1,0" for i in range(5)]
    results = read("\n".join(["dataset,example,seed,A,B", *rows]), runs="average")
    assert results.scores("x", "A")[0] == results.scores("x", "B")[0] == 0.48


@LAYOUTS
def test_the_scores_of_each_run_are_kept_beside_their_mean(text):
    results = read(text, runs="average")
    assert results.runs == ("7", "8", "9")
    assert results.runs_of("A") == results.runs_of("B") == results.runs
    assert results.run_scores("x", "A").tolist() == [[1.0, 0.0, 1.0], [1.0, 0.0, 0.0]]
    assert results.run_scores("x", "B").tolist() == [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]
    for system in results.systems:
        means = results.run_scores("x", system).mean(axis=1)
        assert means == pytest.approx(results.scores("x", system))


@pytest.mark.parametrize("heading", ["seed", "fold"])
def test_runs_and_folds_of_a_single_row_are_said_to_be_no_examples(heading):
    results = read(f"dataset,{heading},A,B\nx,1,.9,.8\nx,2,.8,.8\ny,1,.7,.8\ny,2,.6,.8\n")
    assert results.examples("x") == ("1", "2")
    assert f"so that {'run' if heading == 'seed' else heading}s are compared" in " ".join(
        results.reading.remarks
    )
