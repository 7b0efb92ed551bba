"""Published tables as papers, programs of statistics and PDFs print them."""

import numpy as np
import pytest

import core
from core.data import read_results
from core.data.p_value_table import PValueTable
from core.data.score_table import ScoreTable
from core.data.sources.pasted import pasted_table
from core.data.tables.headings import heading
from core.data.tables.numbers import read_number
from core.errors import DataError

ROWS = "SST,91.2,92.3,.03\nMNLI,84.1,86.0,.001\nRTE,66.0,70.1,.4\n"


def table(text, **roles):
    read = read_results(text.encode(), name="t.csv", roles=roles or None)
    assert isinstance(read, PValueTable)
    return read


@pytest.mark.parametrize(
    "name",
    [
        "p−value",
        "p–value",
        "p‑value",
        "p‐value",
        "p\u00advalue",
        "p-val.",
        "p val",
        "P",
        "Sig.",
        "Pr(>|t|)",
        "P>|z|",
        "Prob > F",
    ],
)
def test_every_heading_of_p_values_is_known_and_kept_as_written(name):
    read = table(f"dataset,BERT,XLM,{name}\n{ROWS}")
    assert read.p_values.tolist() == [0.03, 0.001, 0.4]
    assert (read.system_a, read.system_b) == ("BERT", "XLM")
    assert read.reading.roles["p_value"] == name
    assert read.alternative == "not-stated"


@pytest.mark.parametrize("name", ["p (two-sided)", "Sig. (2‑tailed)", "two−sided p-value"])
def test_a_heading_that_says_two_sided_is_a_declaration_that_can_be_changed(name):
    text = f"dataset,BERT,XLM,{name}\n{ROWS}"
    assert table(text).alternative == "two-sided"
    assert f"Two-sided, as the heading '{name}' says." in table(text).reading.remarks
    assert table(text, alternative="not-stated").alternative == "not-stated"


def test_a_heading_that_says_one_sided_leaves_open_for_which_system():
    read = table(f"dataset,BERT,XLM,p-value (one-sided)\n{ROWS}")
    assert read.alternative == "not-stated"
    assert any("says one-sided" in remark for remark in read.reading.remarks)


def test_precision_is_no_p_value_and_neither_are_words_under_sig():
    for text in (
        "dataset,Pr,Re\nx,.9,.8\ny,.7,.6\n",
        "dataset,BERT,XLM,Sig.\nx,.9,.8,yes\ny,.7,.6,no\n",
    ):
        read = read_results(text.encode(), name="t.csv")
        assert isinstance(read, ScoreTable)
        assert len(read.systems) == 2


def test_names_keep_their_dashes():
    read = table(f"dataset,RoBERTa–large,XLM‑R,p−value\nSST−2{ROWS[3:]}")
    assert (read.system_a, read.system_b) == ("RoBERTa–large", "XLM‑R")
    assert read.datasets[0] == "SST−2"


@pytest.mark.parametrize("dash", "-‐‑‒–—―−﹘﹣\uff0d", ids=lambda dash: f"{ord(dash):x}")
def test_every_dash_is_a_minus_before_digits(dash):
    assert read_number(f"{dash}0.25").value == -0.25
    assert read_number(f"25e{dash}2").digits == "25e-2"
    assert heading(f"P{dash}Value") == "p value"
    text = f"dataset,A,B,p{dash}value\nx,{dash}1.5,2,1e{dash}3\ny,1,{dash}2.5,0.2\n"
    read = table(text)
    np.testing.assert_array_equal(read.scores_a, [-1.5, 1.0])
    assert read.p_values.tolist() == [0.001, 0.2]


def test_text_of_a_pdf_with_a_minus_in_the_heading_is_the_same_table():
    pdf = "Dataset BERT XLM p−value\nSST 91.2 92.3 3e−2\nMNLI 84.1 86.0 .001\nRTE 66.0 70.1 .4\n"
    read = table(pasted_table(pdf).text)
    plain = table(f"Dataset,BERT,XLM,p-value\n{ROWS}")
    assert read.datasets == plain.datasets
    np.testing.assert_array_equal(read.p_values, plain.p_values)
    np.testing.assert_array_equal(read.differences, plain.differences)


def test_numbers_of_examples_are_known_by_their_signs():
    for name in ("N", "n", "#test", "# Test", "test size", "#examples", "examples"):
        read = table(f"dataset,{name},BERT,XLM,p\nx,872,91,92,.03\ny,100,80,81,.2\n")
        assert read.n_examples.tolist() == [872, 100], name
        scores = read_results(
            f"dataset,{name},BERT,XLM\nx,872,91,92\ny,100,80,81\n".encode(), name="t.csv"
        )
        assert isinstance(scores, ScoreTable)
        assert scores.systems == ("BERT", "XLM"), name


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


def test_a_caption_above_text_of_a_pdf_is_left_aside_and_lines_stay():
    rows = "Dataset BERT XLM p−value\nSST 91.2 92.3 .03\nMNLI 84.1 86.0 {}\n"
    pasted = pasted_table("Table 3: Results on GLUE\n" + rows.format(".2"))
    read = table(pasted.text)
    assert read.reading.remarks[0] == (
        "Line 1 is taken for a title and left aside: 'Table 3: Results on GLUE'."
    )
    assert (read.datasets, read.p_values.tolist()) == (("SST", "MNLI"), [0.03, 0.2])
    with pytest.raises(DataError) as caught:
        table(pasted_table("Table 3: Results on GLUE\n" + rows.format("2.0")).text)
    assert [problem.line for problem in caught.value.problems] == [4]


def test_a_header_that_begins_with_the_word_table_is_no_caption():
    read = table(pasted_table("Table BERT XLM p\nSST 91.2 92.3 .03\nMNLI 84.1 86.0 .2\n").text)
    assert read.datasets == ("SST", "MNLI")


def test_an_arrow_in_latex_is_part_of_a_name():
    latex = "Data & Char$\\rightarrow$Tag & XLM & $p$ \\\\\nx & 91.0 & 92.1 & .03 \\\\\ny & 80 & 81 & $>.05$ \\\\\n"
    read = table(pasted_table(latex).text)
    assert (read.system_a, read.system_b) == ("Char→Tag", "XLM")
    assert read.p_values.tolist() == [0.03, 1.0]
