"""Published tables as papers, programs of statistics and PDFs print them."""

import numpy as np
import pytest

import core
from core.data import read_results
from core.data.p_value_table import PValueTable
from core.data.score_table import ScoreTable
from core.errors import DataError


def table(text, **roles):
    read = read_results(text.encode(), name="t.csv", roles=roles or None)
    assert isinstance(read, PValueTable)
    return read


def test_lower_ends_count_as_1_for_either_system_and_are_said():
    text = "dataset,BERT,XLM,Sig.\nx,91,92,n.s.\ny,80,81,<.001\nz,70,69,p > .05\nv,60,61,≥ .1\n"
    read = table(text)
    assert read.p_values.tolist() == [1.0, 0.001, 1.0, 1.0]
    low, high = read.p_value_bounds
    assert low.tolist() == pytest.approx([0.05, 0.0, 0.05, 0.1], rel=1e-9)
    assert high.tolist() == [1.0, 0.001, 1.0, 1.0]
    assert read.printed == ("n.s.", "<.001", "p > .05", "≥ .1")
    assert read.printed_lower_ends.tolist() == [True, False, True, True]
    assert read.notes[0] == "printed as n.s., read as above .05: counted as 1"
    said = " ".join(read.reading.remarks)
    assert "counts as p = 1 for either system: 'n.s.', 'p > .05', '≥ .1'" in said
    assert "'n.s.' is taken for p above .05" in said
    # As if a p-value of 1 spoke toward nobody: neither system gains a dataset by it.
    for answer in (core.analyse(read).assessment.answer_a, core.analyse(read).assessment.answer_b):
        assert answer is None or not set(np.flatnonzero(answer.p_values < 1.0)) - {1}


def test_swapping_and_leaving_out_keep_which_p_values_are_lower_ends():
    read = table("dataset,A,B,p\nx,1,2,n.s.\ny,2,1,.04\nz,3,1,>.05\n")
    assert read.swapped().printed_lower_ends.tolist() == [True, False, True]
    assert read.without("x").printed_lower_ends.tolist() == [False, True]


HEAD = "dataset,ours,base,"
ROWS = ("a,91.2,90.1,", "b,81,80,", "c,71,72,")


def with_column(name, cells):
    rows = [row + cell for row, cell in zip(ROWS, cells, strict=True)]
    return "\n".join([HEAD + name, *rows])


@pytest.mark.parametrize(
    ("name", "cells", "roles"),
    [
        ("p (%)", (".03", ".2", ".9"), {"divided", "p_value"}),
        ("p (%)", ("3", "20", "<0.1"), {"divided"}),
        ("p-value in %", ("3", "20", "0.9"), {"divided"}),
        ("p", ("3%", "20%", "0.9%"), {"divided"}),
    ],
)
def test_p_values_that_may_be_percentages_are_never_counted_as_they_stand(name, cells, roles):
    with pytest.raises(DataError) as caught:
        table(with_column(name, cells))
    assert {choice.role for choice in caught.value.choices} == roles
    assert caught.value.problems[0].column == name


def test_p_values_in_percent_are_divided_with_their_bounds_where_this_is_said():
    read = table(with_column("p (%)", ("3", "20", "<0.1")), divided=("p (%)",))
    assert read.p_values.tolist() == pytest.approx([0.03, 0.2, 0.001])
    assert read.p_value_bounds[0].tolist() == pytest.approx([0.025, 0.195, 0.0])
    stand = table(with_column("p (%)", (".03", ".2", ".9")), p_value="p (%)")
    assert stand.p_values.tolist() == [0.03, 0.2, 0.9]


@pytest.mark.parametrize("name", ["significance (p)", "Statistical significance (p-value)"])
def test_significance_that_says_p_is_read_as_p_values(name):
    assert table(with_column(name, (".03", ".2", ".6"))).p_values.tolist() == [0.03, 0.2, 0.6]


@pytest.mark.parametrize("name", ["1-p", "1 − p", "confidence", "confidence (%)"])
@pytest.mark.parametrize("cells", [(".97", ".8", ".4"), ("97", "80", "40")])
def test_what_is_large_where_p_is_small_is_neither_a_p_value_nor_a_system(name, cells):
    text = with_column(name, cells)
    read = read_results(text.encode())
    assert isinstance(read, ScoreTable)
    assert read.reading is not None
    assert read.systems == ("ours", "base")
    assert f"By the heading '{name}' may hold 1 − p" in " ".join(read.reading.remarks)
    lines = zip(text.split("\n"), ("p", ".03", ".2", ".6"), strict=True)
    beside = table("\n".join(f"{line},{end}" for line, end in lines))
    assert beside.system_b == "base"
    assert beside.p_values.tolist() == [0.03, 0.2, 0.6]
    assert "1 − p, which" not in " ".join(beside.reading.remarks)


@pytest.mark.parametrize(
    "text",
    [
        "dataset,system,accuracy\na,ours,912\na,base,90.1\nb,ours,81\nb,base,80\n",
        "dataset,accuracy,p\na,912,.03\nb,81,.2\n",
        "dataset,example,system,accuracy\na,1,ours,912\na,1,base,90\na,2,ours,81\na,2,base,80\n",
    ],
)
def test_an_accuracy_beyond_100_is_refused_wherever_its_heading_is_no_system(text):
    with pytest.raises(DataError, match="'912' lies outside 0 to 100"):
        read_results(text.encode())
