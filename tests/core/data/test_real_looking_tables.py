"""Tables as papers print them, pasted in every notation, come back equal.

The tables are drawn and written here without a look at the reader: what a paper prints,
how it is copied, and what stands around it.
"""

import csv
import io
import random
from typing import Any

import numpy as np
import pytest

from core.data import read_results, read_sample
from core.data.sources.pasted import pasted_table

SAMPLES = ("parsing-redshift", "parsing-spacy", "pos-tagging", "sentiment", "word-similarity")
NOTATIONS = ("comma", "semicolon", "spreadsheet", "Markdown", "LaTeX", "PDF", "wide spaces")


def is_a(results: object, kind: type) -> bool:
    return isinstance(results, kind)


def in_latex(cell):
    """A cell as an author types it."""
    for sign, command in (
        ("→", r"$\rightarrow$"),
        ("−", "$-$"),
        ("±", r"$\pm$"),
        ("†", r"$^\dagger$"),
    ):
        cell = cell.replace(sign, command)
    if cell.startswith("**") and cell.endswith("**"):
        cell = rf"\textbf{{{cell[2:-2]}}}"
    stars = len(cell) - len(cell.rstrip("*"))
    if stars:
        cell = cell.rstrip("*") + f"$^{{{'*' * stars}}}$"
    if "^" in cell and cell.startswith("10"):
        cell = f"${cell.replace('^', '^{')}}}$"
    mantissa, e, exponent = cell.partition("e-")
    if e and mantissa.isdigit():
        cell = rf"${mantissa} \cdot 10^{{-{exponent}}}$"
    if cell[:1] in ("<", ">"):
        cell = f"${cell}$"
    return cell.replace("%", r"\%").replace("#", r"\#").replace("_", r"\_")


def of_a_pdf(cell):
    """A cell as a PDF gives it away: no bold, powers on the line, real minus signs."""
    cell = cell.strip("*") if cell.startswith("**") else cell
    mantissa, e, exponent = cell.partition("e-")
    if e and mantissa.isdigit():
        return f"{mantissa}·10−{exponent}"
    return cell.replace("10^-", "10−").replace("^-", "−")


def plain(cell):
    return cell.strip("*") if cell.startswith("**") else cell


def written(rows, notation, rng):
    """The text of a table; rows are sequences of cells, the header first."""
    header, *body = rows
    if notation in ("comma", "semicolon"):
        separator = {"comma": ",", "semicolon": ";"}[notation]
        file = io.StringIO()
        csv.writer(file, delimiter=separator, lineterminator="\n").writerows(
            [plain(cell) for cell in row] for row in rows
        )
        return file.getvalue()
    if notation == "spreadsheet":
        return "".join("\t".join(map(plain, row)) + "\n" for row in rows)
    if notation == "Markdown":
        align = rng.choice(["---", ":--", "--:", ":-:"])
        lines = [header, [align] * len(header), *body]
        return "".join(f"| {' | '.join(line)} |\n" for line in lines)
    if notation == "LaTeX":
        lines = [r"\begin{tabular}{l" + "r" * (len(header) - 1) + "}", r"\toprule"]
        for number, row in enumerate(rows):
            lines.append(" & ".join(map(in_latex, row)) + r" \\" + (r" \midrule" * (not number)))
        return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])
    gap = {"PDF": " ", "wide spaces": "   "}[notation]
    return "".join(gap.join(map(of_a_pdf, row)) + "\n" for row in rows)


@pytest.mark.parametrize("notation", NOTATIONS)
@pytest.mark.parametrize("sample", SAMPLES)
def test_a_published_table_pasted_in_any_notation_is_the_sample(sample, notation):
    _, content = read_sample(sample)
    wanted: Any = read_results(content)
    rows = list(csv.reader(io.StringIO(content.decode())))
    pasted = pasted_table(written(rows, notation, random.Random(0)))
    table: Any = read_results(pasted.content)
    assert table.datasets == wanted.datasets
    assert (table.system_a, table.system_b) == (wanted.system_a, wanted.system_b)
    for ours, theirs in zip(
        (*table.p_value_bounds, table.p_values, table.scores_a, table.scores_b),
        (*wanted.p_value_bounds, wanted.p_values, wanted.scores_a, wanted.scores_b),
        strict=True,
    ):
        np.testing.assert_array_equal(ours, theirs)
    assert (table.n_examples is None) == (wanted.n_examples is None)
    if wanted.n_examples is not None:
        assert table.n_examples.tolist() == wanted.n_examples.tolist()


DATASETS = (
    "SST-2", "MNLI", "RTE", "QQP", "CoLA", "WNLI", "BoolQ", "B→D", "WS353-SIM", "en-de", "XNLI",
    "TriviaQA", "SQuAD2.0", "UD_Tamil", "HellaSwag", "C3", "Stanford Sentiment", "PubMed QA (long)", "Winograd",
)  # fmt: skip
SYSTEMS = (
    "BERT",
    "XLM-R",
    "Char→Tag",
    "GPT-4",
    "w2v",
    "GloVe",
    "Ours",
    "mT5",
    "LSTM+CRF",
    "T5-11B",
)
# As printed, and the lowest, used and highest p.
P_VALUES = (
    (".03", 0.025, 0.03, 0.035), ("0.0018", 0.00175, 0.0018, 0.00185), ("<.001", 0, 0.001, 0.001),
    ("< 0.01", 0, 0.01, 0.01), ("3e-4", 0.00025, 0.0003, 0.00035), ("10^-4", 0.00005, 0.0001, 0.00015),
    ("p = .02", 0.015, 0.02, 0.025), ("p<.05", 0, 0.05, 0.05), ("n.s.", 0.05, 1, 1), (">.05", 0.05, 1, 1), (".4", 0.35, 0.4, 0.45), ("0.721", 0.7205, 0.721, 0.7215),
)  # fmt: skip
LEVELS = {"***": "0.001", "**": "0.01", "*": "0.05"}


def around(text, notation, said, rng):
    """The text with what papers print above and below a table."""
    caption = rng.choice(
        ["Table 3: Accuracy on the test sets.", "Table 12. Results, best in bold", "Tab. 2: F1"]
    )
    above = rng.random() < 0.35
    below = not above and rng.random() < 0.35
    lines = ["* p < 0.05, ** p < 0.01, *** p < 0.001"] if said["by_marks"] else []
    if notation == "LaTeX":
        lines = [r"$^{*}p<0.05$, $^{**}p<0.01$, $^{***}p<0.001$"] if lines else []
        title = rf"\caption{{{caption}}}"
        return "\n".join([title] * above + [text] + [title] * below + lines) + "\n"
    return "\n".join([caption, ""] * above + [text.rstrip("\n")] + lines + [caption] * below) + "\n"
