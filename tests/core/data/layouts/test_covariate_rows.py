"""Covariates agree over the rows of an example, and each cell is a number or a kind."""

import pytest

from core.data import ResultSet, read_results
from core.errors import DataError
from tests.core.data.layouts.covariate_files import (
    COUNTED_IN_ROWS,
    EXAMPLES,
    ROWS,
    WIDE,
    N,
    cells_of,
    read,
    refused,
)


@pytest.mark.parametrize("text", [ROWS, COUNTED_IN_ROWS], ids=["scores", "counts"])
def test_rows_of_one_example_that_say_different_things_are_a_problem_with_its_place(text):
    lines = text.splitlines()
    place = next(i for i, line in enumerate(lines) if line.startswith("y,7,B,"))
    head, sep, tail = lines[place].rpartition(",10,")
    assert sep
    lines[place] = f"{head},11,{tail}"
    (problem,) = refused("\n".join(lines)).problems
    assert (problem.dataset, problem.column, problem.line) == ("y", "length", place + 1)
    assert (
        "The rows of the example '7' say different things: '11' here, '10' on line" in problem.what
    )
    assert read("\n".join(lines), covariates=["genre"]).covariates == ("genre",)


def test_equal_numbers_may_be_written_differently_and_a_missing_one_is_another_thing():
    lines = ROWS.splitlines()
    place = next(i for i, line in enumerate(lines) if line.startswith("y,7,B,"))
    assert read("\n".join(lines).replace(lines[place], lines[place].replace(",10,", ",10.0,")))
    (problem,) = refused("\n".join(lines).replace(lines[place], lines[place].replace(",10,", ",,")))\
        .problems  # fmt: skip
    assert "'' here, '10' on line" in problem.what


def test_rows_paired_in_their_order_agree_as_well():
    rows = [f"{d},{s},{(i * 2) % 7},{i // 2 + 3}\n" for d in "xy" for s in "AB" for i in range(N)]
    text = "dataset,system,score,length\n" + "".join(rows)
    assert read(text).covariate("y", "length").tolist() == [i // 2 + 3 for i in range(N)]
    (problem,) = refused(text.replace("y,B,2,3\n", "y,B,2,33\n", 1)).problems
    assert "the one paired with it in their order" in problem.what
    assert problem.dataset == "y"


def test_what_differs_between_systems_describes_no_example_and_says_so():
    text = "dataset,example,system,score,length,output\n" + "".join(
        f"{d},{i},{s},{i % 3},{i + n},{'ab'[(i + n) % 2]}\n"
        for d, i in EXAMPLES
        for n, s in enumerate(("A", "B"))
    )
    results = read(text)
    assert results.covariates == ()
    remarks = " ".join(results.reading.remarks)
    assert "'length' is not read as describing the examples, as it says different things" in remarks
    assert "first on line 3" in remarks
    assert len(refused(text, covariates=["length"]).problems) == len(EXAMPLES)


def test_text_that_differs_in_one_example_only_describes_none_and_is_no_mistake():
    text = "dataset,example,system,score,style\n" + "".join(
        f"{d},{i},{s},{i % 3},{'b' if (d, i, s) == ('y', 7, 'B') else 'ac'[i % 2]}\n"
        for d, i in EXAMPLES
        for s in "AB"
    )
    assert read(text).covariates == ()
    (problem,) = refused(text, covariates=["style"]).problems
    assert (problem.dataset, problem.column) == ("y", "style")


def test_a_cell_that_is_no_number_is_remarked_on_and_a_problem_where_declared():
    text = WIDE.replace("x,7,1,1,10,", "x,7,1,1,ten,")
    results = read(text)
    assert results.covariates == ("genre",)
    remarks = " ".join(results.reading.remarks)
    assert "'length' is not read as describing the examples, as 'ten' on line 9" in remarks
    (problem,) = refused(text, covariates=["length"]).problems
    assert (problem.dataset, problem.column, problem.line) == ("x", "length", 9)
    assert "'ten' is not a number" in problem.what


def test_percent_beside_plain_numbers_are_on_no_common_scale():
    text = WIDE.replace("x,7,1,1,10,", "x,7,1,1,10%,")
    assert "length" not in read(text).covariates
    assert "'10%' is not a number, as the others" in str(refused(text, covariates=["length"]))


def test_texts_of_too_many_kinds_are_refused_as_a_covariate():
    text = "dataset,example,A,B,motto\n" + "".join(
        f"x,{i},{i % 2},{i % 3 % 2},motto {i}\n" for i in range(201)
    )
    assert read(text).covariates == ()
    (problem,) = refused(text, covariates=["motto"]).problems
    assert "holds 201 different texts: at most 200" in problem.what


def test_examples_that_are_left_out_take_their_covariates_with_them():
    lines = [line for line in ROWS.splitlines() if not line.startswith("x,7,B,")]
    results = read("\n".join(lines), incomplete="leave-out")
    lengths = results.covariate("x", "length")
    assert lengths.size == N - 1
    assert 10.0 not in lengths.tolist()
    assert results.covariate("y", "length").tolist().count(10.0) == 1


def test_examples_that_are_left_out_need_no_covariate():
    lines = [line for line in ROWS.splitlines() if not line.startswith("x,7,B,")]
    text = "\n".join(lines).replace("x,7,A,0,10,", "x,7,A,0,ten,")
    assert ",ten," in text
    roles = {"covariates": ["length"]}
    assert read(text, **roles, incomplete="leave-out").covariates == ("length",)
    assert "'ten' is not a number" in str(refused(text, **roles))


def test_decimal_commas_are_read_as_in_scores():
    rows = "".join(f"{d};{i};{i % 2};{i % 3 % 2};{i},5\n" for d, i in EXAMPLES)
    results = read("dataset;example;A;B;difficulty\n" + rows)
    assert results.covariate("x", "difficulty").tolist() == [i + 0.5 for i in range(N)]


def test_files_of_one_system_each_agree_on_covariates(tmp_path):
    for system, step in (("A", 2), ("B", 3)):
        rows = "".join(f"{d},{i},{i * step % 7},{cells_of(i)}\n" for d, i in EXAMPLES)
        (tmp_path / f"{system}.csv").write_text(f"dataset,example,score,length,genre\n{rows}")
    results = read_results([tmp_path / "A.csv", tmp_path / "B.csv"])
    assert isinstance(results, ResultSet)
    assert results.covariates == ("length", "genre")
    (tmp_path / "B.csv").write_text(
        (tmp_path / "B.csv").read_text().replace("y,7,0,10,", "y,7,0,99,")
    )
    with pytest.raises(DataError) as caught:
        read_results([tmp_path / "A.csv", tmp_path / "B.csv"])
    (problem,) = caught.value.problems
    assert problem.file == "B.csv"
    assert "of 'A.csv'" in problem.what
