"""Pasted text reads as the table that was copied, cell for cell."""

from typing import Any

import pytest

from core.data import ScoreTable, read_results
from core.data.sources.pasted import pasted_table
from core.data.tables.splitting import split_table
from core.data.tables.text import decode_text
from core.errors import DataError

HEADER = ("dataset", "ours", "base", "p_value")
ROWS = (HEADER, ("SST 2", "85.3", "80.1", "<0.001"), ("R&D_x", "12.3%", "11%", "0.04"))

MARKDOWN = """
| dataset | ours | base | p_value |
|:--------|-----:|:----:|---------|
| SST 2 | 85.3 | 80.1 | <0.001 |
| R&D_x | 12.3% | 11% | 0.04 |
"""
BARE_MARKDOWN = """dataset | ours | base | p_value
---|---|---|---
SST 2 | 85.3 | 80.1 | <0.001
R&D_x | 12.3% | 11% | 0.04"""
LATEX = r"""
\begin{table}[t] \centering % a comment & more
\begin{tabular}{l|r@{}rr}
\toprule
dataset & \textbf{ours} & base & $p\_value$ \\
\midrule
SST 2 & \textbf{85.3} & 80.1
   & $<0.001$ \\ \hline
R\&D\_x & $\mathbf{12.3}$\% & 11\% & {\bf 0.04} \\[2pt]
\bottomrule
\end{tabular}
\caption{All & sundry \\ results}
\end{table}
"""
WIDE = """dataset   ours   base   p_value
SST 2     85.3   80.1   <0.001
R&D_x     12.3%  11%    0.04"""
NARROW = """dataset ours base p_value
SST 2 85.3 80.1 <0.001
R&D_x 12.3% 11% 0.04"""
TABS = "\n".join(map("\t".join, ROWS))
COMMAS = "\n".join(map(",".join, ROWS))


def rows_of(pasted):
    raw = split_table(decode_text(pasted.content))
    return (raw.header, *zip(*map(raw.cells, raw.header), strict=True))


def refusal(text):
    with pytest.raises(DataError) as caught:
        rows_of(pasted_table(text))
    return caught.value


def test_every_kind_of_text_gives_the_same_cells_and_says_how_it_was_cut():
    for remark, texts in {
        "Markdown": [MARKDOWN, BARE_MARKDOWN],
        "LaTeX": [LATEX],
        "two or more spaces": [WIDE],
        "single spaces: the last 3 words": [NARROW, NARROW.replace("\n", "\n\n")],
        "at tabs": [TABS, TABS.replace("\n", "\r\n")],
        "at commas": [COMMAS],
    }.items():
        for text in texts:
            pasted = pasted_table(text)
            assert rows_of(pasted) == ROWS, text
            assert remark in " ".join(pasted.remarks), text


def test_empty_columns_copied_with_a_table_are_no_part_of_it():
    def latex(row):
        return " & ".join(cell.replace("&", "\\&").replace("%", "\\%") for cell in row)

    rules = "|" + "---|" * (len(HEADER) + 2)
    framed = [f"| {' | '.join(row)} | | |" for row in ROWS]
    texts = {
        "tabs": "\n".join(["\t".join(row) + "\t\t" for row in ROWS] + ["\t" * 5] * 2),
        "tabs in some rows": "\n".join("\t".join(row) + "\t" * i for i, row in enumerate(ROWS)),
        "commas": "\n".join(",".join(row) + ",," for row in ROWS),
        "Markdown": "\n".join([framed[0], rules, *framed[1:]]),
        "LaTeX": "\n".join(latex(row) + " & & \\\\" for row in ROWS),
    }
    for kind, text in texts.items():
        assert [row[0] for row in rows_of(pasted_table(text))] == [row[0] for row in ROWS], kind
        assert {len(row) for row in rows_of(pasted_table(text))} == {len(HEADER)}, kind


def test_markup_that_is_taken_off_is_named():
    remarks = " ".join(pasted_table(LATEX).remarks)
    for markup in ("\\textbf", "\\mathbf", "\\bf", "$", "backslashes"):
        assert markup in remarks
    escaped = pasted_table("|task|A|B|\n|-|-|-|\n|sst\\_2|91.2\\*|90|\n|y|80|81|")
    assert rows_of(escaped)[1] == ("sst_2", "91.2*", "90")


def test_rows_that_do_not_fit_are_named_by_their_lines():
    for text in [MARKDOWN, LATEX]:
        separator = "&" if text is LATEX else "|"
        short = text.replace(f"12.3% {separator} ", "").replace(
            rf"$\mathbf{{12.3}}$\% {separator} ", ""
        )
        assert short != text, text
        (problem,) = refusal(short).problems
        line = next(n for n, row in enumerate(short.split("\n"), start=1) if "0.04" in row)
        assert problem.line == line, text
        assert "3 cells, the " in problem.what, text


def test_a_row_of_words_between_rows_of_numbers_is_named():
    problems = refusal(NARROW + "\nall of these\nMR 1 x 0.5\nu 9 8 3 × 10−5\nv 7 * 8 .2").problems
    assert [problem.line for problem in problems] == [4, 5, 6, 7]


def spaced(*rows):
    return "\n".join(["dataset ours base p_value", *rows])


def test_a_row_that_may_lack_a_number_is_named():
    for lacking in ("WSJ 23 91.2 .03", "Penn T 23 91.2 .03", "WSJ 22 23 .03", "Brown 9 91.2 89.2"):
        rows = ["WSJ 22 90.1 89.2 .01", lacking, "Brown 88.0 87.0 .2"]
        (problem,) = refusal(spaced(*rows)).problems
        assert problem.line == 3, lacking
        assert "may be the end of the name" in problem.what, lacking
        assert "two spaces" in problem.remedy, lacking
    # The name before it may be longer.
    assert refusal(spaced("GPT 3 5 90.1 89.2 .01", "GPT 3 4 91.2 .03")).problems[0].line == 3


def test_thousands_that_single_spaces_may_separate_are_no_two_numbers():
    problems = refusal(spaced("SST 1 234 1 200 .01", "MRPC 2 000 3 000 .2")).problems
    assert [problem.line for problem in problems] == [2, 3]
    assert "'1 234' may be one number or two" in problems[0].what
    assert pasted_table(spaced("SST 912 887 .01", "WSJ-22 900 120 .2")).text.count("\t") == 9


def test_rows_whose_names_end_for_sure_are_cut():
    for rows in [
        ("WMT 2014 28.4 27.3 .01", "IWSLT 30.1 29.9 .02", "Multi News 12.5 11.9 .5"),
        ("SST 2 85 80 .01", "SST 5 51 50 .2"),
        ("MR 91 90 .01", "Movie Reviews 51 50 .2"),
        ("GPT 3.5 85 80 .01", "Llama 51 50 .2"),
    ]:
        cut = rows_of(pasted_table(spaced(*rows)))
        assert [len(row) for row in cut] == [4] * (1 + len(rows)), rows
        assert [" ".join(row) for row in cut[1:]] == list(rows), rows


def test_cells_of_latex_lose_their_markup_and_nothing_else():
    plain = {r"$2 \times 10^{-4}$": "2×10^-4", r"$\le .05$": "≤ .05", "-": "-", r"\$5": "$5"}
    plain |= {r"\underline{\textbf{1.5}}": "1.5", r"a\_b \& c\%": "a_b & c%"}
    for cell, text in plain.items():
        pasted = pasted_table("a & b \\\\\n" + cell + " & 1 \\\\\n")
        assert rows_of(pasted)[1] == (text, "1"), cell


def test_latex_is_pasted_as_papers_set_it() -> None:
    head, end = r"\begin{tabular}{lrr} \toprule ", r" \\ \bottomrule \end{tabular}"
    for body, rows in [
        # What the commands span, colour and set apart.
        (r"d & a & \multicolumn{1}{c}{b} \\ \midrule x & 1 & \cellcolor{gray!20}\textbf{2.5}",
         "d,a,b/x,1,2.5"),
        (r"& \multicolumn{2}{c}{F1} \\ \cmidrule{2-3} d & a & b \\ \midrule x & 1.5 & 2.5",
         "d,a,b/x,1.5,2.5"),
        (r"\multirow{2}{*}{d} & a & \multicolumn{2}{c}{b} \\ & F1 & P & R \\ \midrule x & 1.5 & 2.5 & 3.5",
         "d,a | F1,b | P,b | R/x,1.5,2.5,3.5"),
        # siunitx puts words in braces, which are no arguments of the rule.
        (r"{d} & {a} & {b} \\ \midrule x & \num{1.5} & \SI{2.5}{\percent}", "d,a,b/x,1.5,2.5%"),
        (r"d & a & b \\ \midrule \multicolumn{3}{c}{\textit{In}} \\ \midrule x & 1.5 & 2.5 \\ "
         r"\multicolumn{3}{c}{\textit{Out}} \\ x & 3.5 & 4.5", "d,a,b/In: x,1.5,2.5/Out: x,3.5,4.5"),
        (r"d & a & b \\ \midrule x & 1.5 & $2.5_{\pm 0.4}^{*}$ \\ \multicolumn{3}{l}{$^*$ $p<.05$}",
         "d,a,b/x,1.5,2.5 ± 0.4*"),
        (r"\caption{C \textbf{c}}\\ d$^1$ & a & b \\ \midrule x & 1.5 & 2.5", "d,a,b/x,1.5,2.5"),
    ]:  # fmt: skip
        pasted = pasted_table(head + body + end)
        assert "/".join(",".join(row) for row in rows_of(pasted)) == rows, body
    assert "Rows that head others are left aside" not in " ".join(pasted.remarks)
    for body, why in [
        (r"d & a & b \\ \midrule x & 1.5 & \odd{2.5}", "The command \\odd is not known"),
        (r"d & a & b \\ \midrule x & 1.5 & 2.5$^1$", "A raised 1 stands behind it"),
    ]:
        assert why in str(refusal(head + body + end))
    # What stands behind a star of the columns may be lacking.
    for columns in ("l*", "l*3", "l*{2}"):
        cut = rf"\begin{{tabular}}{{{columns}}} a & b \\ x & 1.5 \\ \end{{tabular}}"
        assert rows_of(pasted_table(cut)) == (("a", "b"), ("x", "1.5")), columns
    assert "2 tables" in str(refusal(2 * (head + r"d & a & b \\ x & 1.5 & 2.5" + end)))


def test_intervals_behind_scores_are_no_part_of_them_and_no_spread() -> None:
    for cells in (
        "81.2 (80.0, 82.0),80.1 (79, 81)",
        "81.2 [80.0, 82.0],80.1 [79; 81]",
        "81.2 (80–82),80.1 (79 to 81)",
    ):
        both = cells.replace("),", ")\t").replace("],", "]\t")
        table: Any = read_results(f"Task\tBase\tOurs\tp\nx\t{both}\t.03\n".encode())
        assert (table.scores_a.tolist(), table.scores_b.tolist()) == ([81.2], [80.1]), cells
        assert not table.has_spreads, cells


def test_a_row_of_p_values_without_a_heading_says_that_rows_are_systems() -> None:
    text = "\tMNLI\tRTE\tQQP\nBERT\t84.0\t66.4\t71.0\nOurs\t84.9\t65.9\t71.5\nLAST\t.02\t.41\t.03\n"
    for last in ("p", "p-value", "P-values"):
        table: Any = read_results(pasted_table(text.replace("LAST", last)).content)
        assert (table.system_a, table.system_b) == ("BERT", "Ours")
        assert table.printed == (".02", ".41", ".03")
    # Precision beside recall, and the turned table's datasets.
    with pytest.raises(DataError, match="no heading says"):
        read_results(pasted_table(text.replace("LAST", "P")).content)


def test_bars_that_are_escaped_stay_in_their_cell():
    assert rows_of(pasted_table("| a | b |\n|---|---|\n| x\\|y | 2 |"))[1] == ("x|y", "2")


def test_what_is_no_table_is_refused():
    for text in ["", " \n\t\n", "hello", "one two\nthree four five"]:
        assert refusal(text).problems, text


def test_single_spaces_within_a_number_do_not_cut_it():
    for row, cells in [
        ("SST-2 94.9 ± 0.2 95.3 ± 0.1 0.031", ["SST-2", "94.9±0.2", "95.3±0.1", "0.031"]),
        ("SST-2 94.9 ±0.2 95.3± 0.1* < .001", ["SST-2", "94.9±0.2", "95.3±0.1*", "<.001"]),
        ("my task 94.9 +/- 0.2 95.3 ≤ 0.05", ["my task", "94.9±0.2", "95.3", "≤0.05"]),
    ]:
        pasted = pasted_table(f"Task Base Ours p\nMRPC 88.1 89.0 0.2\n{row}\n")
        assert pasted.text.split("\n")[2].split("\t") == cells, (row, cells)


PSQL = """ dataset | ours | base | p_value
---------+------+------+---------
 x       | 90.1 | 88.0 |    0.01
 y       | 80.1 | 79.0 |    0.20
"""
MYSQL = """+---------+------+------+---------+
| dataset | ours | base | p_value |
+---------+------+------+---------+
| x       | 90.1 | 88.0 |    0.01 |
| y       | 80.1 | 79.0 |    0.20 |
+---------+------+------+---------+
"""


@pytest.mark.parametrize(
    "text", [PSQL, PSQL + "(2 rows)\n", MYSQL, MYSQL + "2 rows in set (0.00 sec)\n"]
)
def test_a_file_may_hold_what_a_database_prints_with_its_number_of_rows(text):
    table: Any = read_results(text.encode(), name="t.txt")
    assert (table.datasets, table.p_values.tolist()) == (("x", "y"), [0.01, 0.2])


def test_a_file_of_latex_is_refused_for_its_command_and_not_for_want_of_commas():
    table = "\\begin{tabular}{lcc}\nDataset & A & B \\\\\nx & %s 91 & 90 \\\\\ny & 81 & 82 \\\\\n\\end{tabular}\n"
    with pytest.raises(DataError, match=r"The command .best is not known"):
        read_results((table % "\\best").encode())
    underlined = read_results((table % "\\ul").encode())
    assert isinstance(underlined, ScoreTable)
    assert underlined.values.tolist() == [[91, 90], [81, 82]]
