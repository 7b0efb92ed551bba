"""Tables as papers print them, pasted in every notation, come back equal."""

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


def in_latex(cell):
    """A cell as an author types it."""
    commands = {"→": r"$\rightarrow$", "−": "$-$", "±": r"$\pm$", "†": r"$^\dagger$"}
    for sign, command in commands.items():
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
