"""Scores with marks of significance around them, as papers' tables are pasted."""

from __future__ import annotations

import pytest

from core.data import PValueTable, read_results
from core.data.sources.pasted import Pasted, pasted_table
from core.data.tables.marks import without_markdown, without_raised_marks
from core.errors import DataError

LATEX_CELLS = [
    r"93.12$^{*}$",
    r"93.12$^*$",
    r"$93.12^{*}$",
    r"\textbf{93.12}$^{\ast}$",
    r"93.12$^\dagger$",
    r"93.12$^{\dagger\ddagger}$",
    r"93.12\textsuperscript{*}",
    r"93.12$^{a,b}$",
    r"$93.12_{\pm 0.3}$",
    r"93.12{\scriptsize $\pm$ 0.3}",
    r"$\mathbf{93.12}^{**}$",
]
MARKDOWN_CELLS = [r"**93.12**\*", "**93.12***", "93.12<sup>*</sup>", "__93.12__†", "**93.12**"]


def read(pasted: Pasted) -> PValueTable:
    table = read_results(pasted.content)
    assert isinstance(table, PValueTable)
    return table


@pytest.mark.parametrize("cell", LATEX_CELLS)
def test_a_marked_latex_column_stays_system_a_and_the_marks_are_told(cell: str) -> None:
    pasted = pasted_table(
        rf"""Dataset & Ours & Base & p \\ \hline
        SST-2 & {cell} & 92.10 & .03 \\
        MRPC & {cell} & 89.10 & .04 \\"""
    )
    table = read(pasted)
    assert (table.system_a, table.system_b) == ("Ours", "Base")
    assert table.printed_scores_a == ("93.12", "93.12")
    said = " ".join((*pasted.remarks, *(table.reading.remarks if table.reading else ())))
    assert "Taken off around cells" in said


def test_a_marked_markdown_column_stays_system_a_and_the_marks_are_told() -> None:
    for cell in MARKDOWN_CELLS:
        pasted = pasted_table(
            "| Dataset | Ours | Base | p |\n|---|---|---|---|\n"
            f"| SST-2 | {cell} | 92.10 | .03 |\n| MRPC | {cell} | 89.10 | .04 |\n"
        )
        table = read(pasted)
        assert (table.system_a, table.system_b) == ("Ours", "Base"), cell
        assert table.printed_scores_a == ("93.12", "93.12"), cell
        assert "Taken off around cells" in " ".join(pasted.remarks), cell


def test_powers_of_ten_and_names_stay_as_they_are() -> None:
    for cell in ["2*10^-5", "10^-5", "1.5×10^-5", "SST-2^*", "SST_2", "a_b_c"]:
        assert without_raised_marks(cell) == (cell, ""), cell
        assert without_markdown(cell) == (cell, ()), cell


@pytest.mark.parametrize("mark", ["^1", "^{1}", "_2", "**^b*"])
def test_a_column_of_numbers_with_unreadable_marks_is_refused_and_not_left_out(mark: str) -> None:
    text = f"Dataset\tOurs\tBase\tp\nx\t93.12{mark}\t92.1\t.03\ny\t90.50{mark}\t89.1\t.04\n"
    with pytest.raises(DataError) as caught:
        read_results(text.encode())
    assert {problem.column for problem in caught.value.problems} == {"Ours"}
    assert {problem.dataset for problem in caught.value.problems} == {"x", "y"}


def test_columns_of_intervals_and_of_text_are_still_no_scores() -> None:
    text = (
        "Dataset\tOurs\tBase\tp\tinterval\tcomment\n"
        "x\t93.1\t92.1\t.03\t1.0 (0.2, 1.8)\t1.5-base model\n"
        "y\t90.5\t89.1\t.04\t1.4 (0.3, 1.9)\t2.0 large\n"
    )
    table = read_results(text.encode())
    assert isinstance(table, PValueTable)
    assert (table.system_a, table.system_b) == ("Ours", "Base")
