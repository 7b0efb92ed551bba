"""Published tables as papers, programs of statistics and PDFs print them."""

import numpy as np
import pytest

import core
from core.data import read_results
from core.data.p_value_table import PValueTable


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


def test_p_values_in_percent_are_divided_with_their_bounds_where_this_is_said():
    text = "dataset,ours,base,p (%)\na,91.2,90.1,3\nb,81,80,20\nc,71,72,<0.1\n"
    low, high = table(text, divided=("p (%)",)).p_value_bounds
    assert low.tolist() == pytest.approx([0.025, 0.195, 0.0])
    assert high.tolist() == pytest.approx([0.035, 0.205, 0.001])
