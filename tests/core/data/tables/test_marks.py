"""Marks in cells and names, the legend that explains them, and words around a table."""

from typing import Any

import numpy as np
import pytest

from core.data import read_results
from core.data.tables.marks import levels_in
from core.errors import DataError

MARKED = "dataset,BERT,XLM\nSST,91.2,92.3*\nMNLI,86.0**,84.1\nRTE,66.0,65.1\n"


@pytest.mark.parametrize(
    ("legend", "levels"),
    [
        ("* p < .05, ** p ≤ 0.01", {"*": "<.05", "**": "≤.01"}),
        ("*: p-value<0.05; **: p-value<0.01", {"*": "<.05", "**": "<.01"}),
        (r"$^{*}p<0.05$, $^{\dagger}p<0.1$", {"*": "<.05", "†": "<.1"}),
        ("∗ denotes a significant gain with p < 0,05", {"*": "<.05"}),
        ("** significant at the .01 level, * significant at 5%", {"**": "≤.01", "*": "≤.05"}),
        (
            "Signif. codes: 0 ‘***’ 0.001 ‘**’ 0.01 ‘*’ 0.05",
            {"***": "≤.001", "**": "≤.01", "*": "≤.05"},
        ),
        ("* p < 5%, ** p < 1.0 %, *** p < 0,1%", {"*": "<.05", "**": "<.010", "***": "<.001"}),
        (
            "*, **, and *** denote p<.05, p<.01 and p<.001 (paired t-test)",
            {"*": "<.05", "**": "<.01", "***": "<.001"},
        ),
        ("*/**/***: p < 0.1/0.05/0.01", {"*": "<.1", "**": "<.05", "***": "<.01"}),
        (
            "*** , ** and * indicate significance at the 1%, 5% and 10% levels, respectively",
            {"***": "≤.01", "**": "≤.05", "*": "≤.10"},
        ),
        ("* and † mark p < .05, on dev and test", {"*": "<.05", "†": "<.05"}),
        (r"$\dagger$: significantly better than XLM-R large ($p<0.05$).", {"†": "<.05"}),
        ("* marks a statistically significant gain over BERT with p < 0.01", {"*": "<.01"}),
        (
            "* better than LSTM (paired t-test, p < .01), † (bootstrap, p<.05)",
            {"*": "<.01", "†": "<.05"},
        ),
        ("* p < .05 on dev, * p < .01 on test", {}),
        (
            "* significant at the 95% level, ** significant with 99% confidence",
            {"*": "≤.05", "**": "≤.01"},
        ),
        ("*/** significant at the 95% and 99% levels", {"*": "≤.05", "**": "≤.01"}),
        ("* the gain is not significant at p < .05; ** p < .01", {"**": "<.01"}),
        ("† does not differ from BERT at p < .05", {}),
        ("Unless marked * all are significant (p < .05)", {}),
        ("better than every other system: * p < .05", {"*": "<.05"}),
        ("Table 2: accuracy of 5 runs, best in bold", {}),
    ],
)
def test_a_legend_is_read_as_papers_write_it(legend, levels):
    assert levels_in([legend]) == levels


def test_a_long_line_of_marks_or_spaces_is_no_legend_and_takes_no_time():
    repeated = ["* , " * 5_000, "*/" * 5_000, f"*{' , .05' * 5_000}x"]
    spaced = [f"{start}{' ' * 20_000}x" for start in ("*", "* significant at level", "x")]
    for line in (*repeated, *spaced):
        assert levels_in([f"{line}…"]) == {}, line[:30]


def test_stars_bound_p_by_the_tables_own_legend_without_overlap():
    table: Any = read_results(f"{MARKED}* p < .05, ** p < .01\n".encode(), name="t.csv")
    assert table.p_values.tolist() == [0.05, 0.01, 1.0]
    low, high = table.p_value_bounds
    np.testing.assert_allclose([low, high], [[0.01, 0.0, 0.05], [0.05, 0.01, 1.0]])
    # Each is counted once: one star is not also p ≤ .01, and no star is not also p ≤ .05.
    assert (low > [0.01, -1.0, 0.05]).all()


def test_so_many_of_as_many_are_shares_and_a_lone_column_of_them_stays_text() -> None:
    table: Any = read_results(b"dataset,ours,base,p\nx,17/20,15 / 20,.3\ny,5/8,6/8,.5\n")
    assert table.scores_a.tolist() == [0.85, 0.625]
    assert table.scores_b.tolist() == [0.75, 0.75]
    with pytest.raises(DataError, match="Dataset 'z', column 'ours', line 4"):
        read_results(b"dataset,ours,base\nx,17/20,15/20\ny,5/8,6/8\nz,n/a,1/9\n")
    # On another test set, more than all, or alone: dates, or wins and losses.
    for names, cells in (("ours,base", "17/20,15/21"), ("ours,base", "17/20,21/20"), ("w", "3/20")):
        unread: Any = read_results(f"dataset,{names},p\nx,{cells},.3\n".encode())
        assert unread.scores_a is None


@pytest.mark.parametrize(
    "rows",
    [
        "dataset,base,ours\nnews,26.1,27.3 (p=0.03)\nted,30.2,31.0 (p<0.001)\n",
        "| dataset | base | ours |\n|---|---|---|\n| news | 26.1 | **27.3** (p = .03) |\n"
        "| ted | 30.2 | 31.0 [P<0.001] |\n",
    ],
)
def test_p_values_in_brackets_behind_scores_are_p_values(rows: str) -> None:
    table: Any = read_results(rows.encode(), roles={"alternative": "two-sided"})
    assert (table.system_a, table.scores_b.tolist()) == ("base", [27.3, 31.0])
    assert table.p_values.tolist() == [0.03, 0.001]
    assert any("read as a column of their own" in remark for remark in table.reading.remarks)
    # Behind the scores of several systems the one that is counted is chosen.
    with pytest.raises(DataError) as caught:
        read_results(b"dataset,A,B,C\nx,1,2 (p=.1),3 (p=.2)\ny,2,3 (p=.3),4 (p=.1)\n")
    (choice,) = caught.value.choices
    assert [value for value, _ in choice.options] == ["p_value (B)", "p_value (C)"]


def test_with_whom_one_marked_system_is_compared_is_one_question() -> None:
    rows = b"dataset,BERT,XLM,ours\nSST,91.2,92.3,93.1*\nRTE,66.0,65.1,68.2*\n* p < .05\n"
    (choice,) = read_results(rows).reading.choices
    assert choice.question == "Which system do the marks compare it with?"
    assert [told for _, told in choice.options] == ["'ours' against 'BERT'", "'ours' against 'XLM'"]
    table: Any = read_results(rows, roles={choice.role: "XLM"})
    assert (table.system_a, table.system_b) == ("ours", "XLM")


def test_a_dataset_without_a_score_of_the_system_that_marks_compare_with_can_be_left_aside() -> (
    None
):
    rows = (
        "Model,SST,CoLA,MRPC,QQP,MNLI,QNLI,RTE,WNLI\nBERT,92,60,88,89,86,91,66,56\n"
        "RoBERTa,94,63,90,91,90,94,78,–\nELECTRA,95,62,90,91,88,93,75,56\n"
        "Ours,95*,65*,91,91,89,94,80*,57\n* p < .05\n"
    ).encode()
    given = {"turned": True, "system_b": "RoBERTa"}
    with pytest.raises(DataError, match="Dataset 'WNLI', column 'RoBERTa', line 3") as caught:
        read_results(rows, roles=given)
    aside = next(choice for choice in caught.value.choices if choice.role == "unused")
    assert aside.options == ((("WNLI",), "Leave 'WNLI' aside"),)
    table: Any = read_results(rows, roles={**given, "unused": ("WNLI",)})
    assert (table.system_b, "WNLI" in table.datasets) == ("RoBERTa", False)
