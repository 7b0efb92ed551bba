"""Cells of LaTeX as authors write them: what they read as, and which of them are asked."""

import re

import pytest

from core.claims.documents.reading import Answered
from core.data import PValueTable, read_results
from core.document import VALUE
from core.errors import DataError
from tests.core.claims.documents.scoring import read_latex
from tests.read_as import read_as

# What stands in the source, and what it reads as; "?" behind it where it is asked.
CELLS = {
    r"\phantom{0}9.1": "9.1",
    r"\multicolumn{1}{c}{\bf 91.2}": "91.2",
    r"{\color{gray}91.2}": "91.2",
    r"$91.2_{\text{\tiny ±0.3}}$": "91.2 ±0.3",
    r"91.2 {\tiny 0.3}": "91.2 0.3?",
    r"91.2\footnote{We reran 3 times.}": "91.2",
    r"91.2\footnotemark[1]": "91.2?",
    r"\textbf{91.2}\textsuperscript{1}": "91.2?",
    r"91.2\tnote{1}": "91.2?",
    r"$\mathbf{91.2}^{\dagger\ddagger}$": "91.2†‡",
    r"91{.}2": "91.2",
    r"$<$0.001": "<0.001",
    r"$2\times10^{-5}$": "2×10^-5",
    r"1{,}234.5": "1,234.5",
    r"$-$.5": "-.5",
    r"\textminus0.5": "−0.5",
    "91.%\n  2": "91.2",
    "91.2%comment 99\n": "91.2",
    r"\sout{90.1} 91.2": "90.1 91.2?",
    r"\unknowncmd{91.2}": "91.2?",
    r"\mine{91.2}": "91.2",
    r"$91.2^{+0.3}_{-0.2}$": "91.2^+0.3_-0.2?",
    r"\ifdefined\x 5.5\else 91.2\fi": "5.5 91.2?",
    r"\cellcolor[HTML]{FF0000}91.2": "91.2",
    r"\makecell{91.2\\(0.3)}": "91.2 (0.3)",
    r"91.2\rlap{$^{*}$}": "91.2*",
    r"91.2 \hspace{2pt} 3": "91.2 3?",
    r"$\uparrow$1.2": "↑1.2?",
    r"91.2$_{+0.9}$": "91.2 (+0.9)",
    r"91.2$_{\textcolor{red}{-1.1}}$": "91.2 (-1.1)",
    r"91.2$_{\uparrow 0.9}$": "91.2 (↑0.9)",
    r"91.2$_{(.3)}$": "91.2 (.3)",
    r"91.2$^{\pm 0.3}$": "91.2 ± 0.3",
    "": "",
}


def test_a_cell_reads_as_it_is_printed_or_is_asked_and_shifts_no_other() -> None:
    rows = "".join(f"r{i} & {cell} & 50.5 \\\\\n" for i, cell in enumerate(CELLS))
    source = rf"\newcommand{{\mine}}[1]{{\textbf{{#1}}}}\begin{{tabular}}{{lrr}} a & b & c \\ \hline {rows}\end{{tabular}}"
    (table,) = read_latex({"a.tex": source})
    assert not table.unsure
    read = [row[1].text + ("?" if row[1].unsure else "") for row in table.rows[1:]]
    assert read == list(CELLS.values())
    assert {row[2].text for row in table.rows[1:]} == {"50.5"}


def test_columns_that_print_something_or_nothing_between_them_are_one() -> None:
    source = r"\begin{tabular}{l r@{.}l r@{ $\pm$ }l} d & \multicolumn{2}{c}{a} & \multicolumn{2}{c}{b} \\ \hline x & 91&2 & 88.1&0.3 \\ y & 7&25 & 60.5&1.1 \\ z & 8&05 & &\\ \end{tabular}"
    glued = re.sub(r"(?<=[0-9])&(?=[0-9]+ &)", "&.", source.replace("@{.}", "@{}"))
    for written in (source, glued):
        (table,) = read_latex({"a.tex": written})
        assert [[cell.text.replace(" ", "") for cell in row] for row in table.rows] == [
            ["d", "a", "b"],
            ["x", "91.2", "88.1±0.3"],
            ["y", "7.25", "60.5±1.1"],
            ["z", "8.05", ""],
        ]
    for spec in ("l@{}rr@{}r", r"lr@{\extracolsep{\fill}}l"):
        (table,) = read_latex({"a.tex": source.replace("l r@{.}l", spec)})
        assert len(table.rows[0]) > 3, spec


def test_rows_of_different_lengths_and_numbers_over_several_cells_are_asked() -> None:
    head = r"\begin{tabular}{lrr} d & a & b \\ \hline x & 1.5 & 2.5 \\ "
    for row in (r"y & 3.5 \\", r"y & \multicolumn{2}{c}{3.5} \\", r"\multirow{2}{*}{y} & \multirow{2}{*}{3.5} & 1.5 \\ & & 2.5 \\"):  # fmt: skip
        (table,) = read_latex({"a.tex": head + row + r"\end{tabular}"})
        assert table.unsure or table.doubts, row


def test_notes_below_a_table_are_those_of_its_legend() -> None:
    rows = r"\begin{tabular}{lrr} Data & A & B \\ \midrule x & 1.5 & 2.5\tnote{*} \\ y & 3.5 & 2.5\tnote{**} \\ \end{tabular}"
    for below in (
        r"\begin{tablenotes}\item[*] $p<.05$ \item[**] $p<.01$\end{tablenotes}",
        r"\par\smallskip\footnotesize * $p<.05$ \\ ** $p<.01$",
    ):
        (table,) = read_latex({"a.tex": rf"\begin{{table}}{rows}{below}\caption{{C}}\end{{table}}"})
        assert [" ".join(note.split()) for note in table.notes] == ["* p<.05", "** p<.01"]


def test_functions_and_greek_letters_of_a_heading_stay() -> None:
    heads = {
        r"$\log_{10} p$": "log_10 p",
        r"$\ln p$": "ln p",
        r"$\chi^2$": "χ",
        r"Kendall's $\tau$": "Kendall's τ",
    }
    for head, text in heads.items():
        rows = rf"d & {head} \\ \hline x & 1.5 \\ y & 2.5 \\"
        (table,) = read_latex({"a.tex": rf"\begin{{tabular}}{{lr}} {rows} \end{{tabular}}"})
        assert (table.rows[0][1].text, table.doubts) == (text, {})


@pytest.mark.parametrize("text", ["F1", "x1.2", "↑1.2", "91.2 90.1", "2.0 model", "10^x", "1:2"])
def test_words_with_digits_are_no_numbers(text: str) -> None:
    assert not VALUE.fullmatch(text)


@pytest.mark.parametrize(
    ("rows", "n_doubts"),
    [
        (r"A & 84.0 \\ B & 84.9 \\ C & 84.1 \\ $p$-value & 0.02 \\", 0),
        (r"A & 84.0 \\ B & 84.9 \\ C & 84.1 \\ D & 0.02 \\", 1),
        (r"A & $<$0.001 \\ B & 0.31 \\ C & 0.04 \\ D & 0.004 \\", 0),
        (r"A & 0.31 \\ B & 0.31 \\ C & 0.04 \\ D & 0.004 \\", 1),
        (r"A & $<$0.01 \\ B & 0.31 \\ C & 0.04 \\ D & 0.004 \\", 1),
    ],
)
def test_p_values_may_be_finer_than_scores_and_as_fine_as_a_bound(rows: str, n_doubts: int) -> None:
    (table,) = read_latex(
        {"a.tex": rf"\begin{{tabular}}{{lr}} d & p \\ \hline {rows} \end{{tabular}}"}
    )
    assert len(table.doubts) == n_doubts


def test_a_heading_over_all_but_the_average_is_no_part_of_names() -> None:
    source = r"""\begin{tabular}{lrrr}
     & \multicolumn{2}{c}{Language} & \\ Model & Thai & Urdu & Avg. \\ \midrule
    Ours & 91.2 & 90.1 & 90.7 \\ BERT & 90.5 & 89.5 & 90.0 \\\end{tabular}"""
    (table,) = read_latex({"a.tex": source})
    assert table.headings == ("Model", "Thai", "Urdu", "Avg.")


def test_a_table_in_a_file_of_its_own_has_the_caption_of_the_float_that_takes_it_in() -> None:
    rows = r"\begin{tabular}{lr} d & a \\ \hline x & 1.5 \\ y & 2.5 \\ \end{tabular}"
    floats = r"\begin{table}\input{t/data}\caption{D}\end{table}" + (
        r"\begin{table}\input{t/a.tex}\caption{A}\end{table}"
    )
    found = read_latex({"main.tex": floats, "t/a.tex": rows, "t/data.tex": rows})
    assert [table.caption for table in found] == ["A", "D"]


def test_a_caption_says_how_many_sides_p_values_have() -> None:
    source = r"""\begin{table}\begin{tabular}{lrrr} Data & A & B & $p$ \\ \midrule
    x & 91.2 & 90.1 & .04 \\ y & 90.5 & 89.5 & .2 \\\end{tabular}\caption{SAID}\end{table}"""
    for said, heading, alternative, remark in [
        ("Accuracy, two-sided $p$-values.", "p (two-sided)", "two-sided", "Two-sided, as"),
        ("One-sided $p$-values.", "p (one-sided)", "not-stated", "leaves open for which system"),
        ("One-tailed $p$, two-tailed $q$.", "p", "not-stated", ""),
        ("Accuracy.", "p", "not-stated", ""),
    ]:
        (table,) = read_latex({"a.tex": source.replace("SAID", said)})
        text = Answered.of(table).text()
        assert text.startswith(f"Data\tA\tB\t{heading}\n"), said
        found = read_as(PValueTable, text.encode())
        assert found.alternative == alternative, said
        assert remark in " ".join(found.reading.remarks), said
    # Stars alone are p-values as well, and the caption is no note of the table's own.
    stars = source.replace("& $p$", "").replace("91.2 & 90.1 & .04", "91.2$^*$ & 90.1")
    stars = stars.replace("& .2", "").replace("SAID", "Two-sided tests. $^*$ $p < .05$")
    (table,) = read_latex({"a.tex": stars.replace("lrrr", "lrr")})
    assert table.notes == ()
    found = read_as(PValueTable, Answered.of(table).text().encode())
    assert (found.alternative, found.printed) == ("two-sided", ("<.05", ">.05"))


def test_a_problem_of_a_table_has_the_line_of_its_latex_file_where_each_row_has_its_own() -> None:
    head = (
        "\\documentclass{article}\n\n\\begin{table}\n\\begin{tabular}{lrrr}\n d & A & B & $p$ \\\\"
    )
    rows = [
        r"x & 91.2 & 90.1 & .04 \\",
        "",
        r"y & 90.5 & 89.5 & 1.20 \\",
        r"z & 9.5 & 8.5 & .25 \\",
    ]
    for between, line in (("\n", 8), (" ", 3)):
        (table,) = read_latex({"a.tex": head + between + between.join(rows) + r"\end{tabular}"})
        answered = Answered.of(table)
        with pytest.raises(DataError) as caught:
            read_results(answered.text().encode())
        (problem,) = caught.value.problems
        assert (problem.dataset, problem.line) == ("y", line)
        assert answered.lines[2] == line


def test_a_command_of_the_source_may_span_columns_and_rows() -> None:
    source = (
        r"\newcommand{\mc}[2]{\multicolumn{#1}{c}{#2}}\newcommand{\mr}[1]{\multirow{2}{*}{#1}}"
        r"\begin{tabular}{lcccc} \mr{Model} & \mc{2}{\textbf{u}} & \mc{2}{v} \\ & F & G & F & G \\ \hline "
        r"Ours & 1 & 2 & 3 & 4 \\ Base & 5 & 6 & 7 & 8 \\ \end{tabular}"
    )
    (table,) = read_latex({"paper.tex": source})
    assert [cell.text for cell in table.rows[0]] == ["Model", "u", "u", "v", "v"]
    assert [cell.text for cell in table.rows[1]] == ["Model", "F", "G", "F", "G"]
    assert not table.doubts
