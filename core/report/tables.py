"""The table of datasets with their marks: for the screen, for CSV, Markdown and LaTeX."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.data import PValueTable
from core.replicability.identification import Identification
from core.report.formatting import format_p_value, whole_name
from core.report.questions import Claim

if TYPE_CHECKING:
    import pandas as pd

NAMED = "★ named"
NOT_NAMED = "not named"

# A spreadsheet takes a cell that begins so for a formula.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
_LATEX_ESCAPES = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "→": r"$\rightarrow$",
    "≤": r"$\leq$",
    "−": r"$-$",
    "★": r"$\star$",
    "\u2068": "",
    "\u2069": "",
}
_MARKDOWN_SPECIAL = set("\\`*_{}[]()#+!|<>~$:@=&")
_FIGURE = re.compile(r"[<>]? ?-?[0-9]*[.]?[0-9]+")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MarkedTable:
    """Datasets with scores, p-values and marks.

    Attributes
    ----------
    table : PValueTable
        Datasets, scores and what was printed.
    identification : Identification
        P-values of the claim, thresholds, marks; same order.
    claim : {"a-better", "b-better", "differ"}
        What a mark says.
    caption : str
        The sentence that the marks stand for, and its guarantee.
    signature : str
        The line that names everything the marks depend on.
    """

    table: PValueTable
    identification: Identification
    claim: Claim
    caption: str
    signature: str

    @property
    def order_by_p_value(self) -> list[int]:
        """Positions of the datasets by their p-value, smallest first."""
        return [int(i) for i in np.argsort(self.identification.p_values, kind="stable")]

    def to_frame(self) -> pd.DataFrame:
        """Full precision, one row a dataset in file order, for downloads."""
        import pandas as pd

        table, found = self.table, self.identification
        columns: dict[str, Sequence[object]] = {"dataset": table.datasets}
        if table.n_examples is not None:
            columns["n_examples"] = table.n_examples.tolist()
        for label, scores in _scores(table):
            columns[_free(label, columns)] = scores
        differences = table.differences
        if differences is not None:
            columns["difference"] = differences.tolist()
        columns["p_value_printed"] = table.printed
        columns["p_value"] = found.p_values.tolist()
        columns["adjusted_p_value"] = found.adjusted_p_values.tolist()
        columns["threshold"] = found.thresholds.tolist()
        columns["named"] = ["yes" if named else "no" for named in found.rejected]
        columns["procedure"] = [found.procedure] * table.n_datasets
        columns["signature"] = [self.signature] * table.n_datasets
        return pd.DataFrame(columns)

    def to_csv(self) -> str:
        """CSV with full precision, its text guarded against being read as formulas."""
        frame = self.to_frame()
        written = io.StringIO()
        writer = csv.writer(written, lineterminator="\n")
        writer.writerow([guarded(str(name)) for name in frame.columns])
        for row in frame.itertuples(index=False):
            writer.writerow([guarded(cell) if isinstance(cell, str) else cell for cell in row])
        return written.getvalue()

    def to_markdown(self) -> str:
        """A Markdown table with rounded numbers, then the signature."""
        header, rows = self._cells()
        lines = [
            _markdown(self.caption),
            "",
            "| " + " | ".join(_markdown(cell) for cell in header) + " |",
            "|---|" + "---:|" * (len(header) - 2) + "---|",
            *("| " + " | ".join(_markdown(cell) for cell in row) + " |" for row in rows),
            "",
            _markdown(self.signature),
        ]
        return "\n".join(lines) + "\n"

    def to_latex(self) -> str:
        """A booktabs table with rounded numbers, the signature as a comment."""
        header, rows = self._cells()
        columns = "l" + "r" * (len(header) - 2) + "l"
        body = [" & ".join(_latex(cell) for cell in row) + r" \\" for row in rows]
        return "\n".join(
            [
                "% needs \\usepackage{booktabs}",
                "% " + " ".join(self.caption.split()),
                "% " + self.signature.replace("\n", " "),
                rf"\begin{{tabular}}{{{columns}}}",
                r"\toprule",
                " & ".join(_latex(cell) for cell in header) + r" \\",
                r"\midrule",
                *body,
                r"\bottomrule",
                r"\end{tabular}",
                "",
            ]
        )

    def _p_heading(self) -> str:
        if self.claim == "differ":
            return "p (differ)"
        better = self.table.system_a if self.claim == "a-better" else self.table.system_b
        return f"p ({whole_name(better)} better)"

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        table, found = self.table, self.identification
        header = ["dataset"]
        columns: list[Sequence[str]] = [[whole_name(name) for name in table.datasets]]
        if table.n_examples is not None:
            header.append("n")
            columns.append([str(n) for n in table.n_examples.tolist()])
        for label, scores in _scores(table):
            header.append(whole_name(label))
            columns.append(scores)
        if table.results is None:
            header.append("p printed")
            columns.append(table.printed)
        header += [self._p_heading(), "adjusted p", "mark"]
        alpha = found.alpha
        columns.append([format_p_value(float(p), alpha=alpha) for p in found.p_values])
        columns.append([format_p_value(float(p), alpha=alpha) for p in found.adjusted_p_values])
        columns.append([NAMED if named else NOT_NAMED for named in found.rejected])
        return header, [list(row) for row in zip(*columns, strict=True)]


def guarded(cell: str) -> str:
    """A text cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if cell.startswith(_FORMULA_STARTS) else cell


def _scores(table: PValueTable) -> list[tuple[str, tuple[str, ...]]]:
    """Each system's scores as text: in the digits given, or means of our own rounded."""
    found = []
    for name, printed, scores in (
        (table.system_a, table.printed_scores_a, table.scores_a),
        (table.system_b, table.printed_scores_b, table.scores_b),
    ):
        if printed is not None:
            found.append((name, printed))
        elif scores is not None:
            found.append((name, tuple(f"{score:.6g}" for score in scores)))
    return found


def _free(label: str, taken: dict[str, Sequence[object]]) -> str:
    while label in taken or label in _FIXED:
        label = f"{label} (score)"
    return label


_FIXED = {
    "dataset",
    "n_examples",
    "difference",
    "p_value_printed",
    "p_value",
    "adjusted_p_value",
    "threshold",
    "named",
    "procedure",
    "signature",
}


def _latex(text: str) -> str:
    return "".join(_LATEX_ESCAPES.get(character, character) for character in text)


def _markdown(text: str) -> str:
    """Escape all that Markdown may read as markup; figures stay as they are."""
    if _FIGURE.fullmatch(text):
        return text
    return "".join(f"\\{c}" if c in _MARKDOWN_SPECIAL else c for c in text)
