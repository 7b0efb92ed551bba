"""Rows that hold no dataset but an average of the others."""

from __future__ import annotations

from collections.abc import Sequence

from core.data.layouts.per_example import MAX_DATASETS
from core.data.tables.columns import heading
from core.data.tables.cutting import LineArray
from core.data.words import quoted
from core.errors import Problem

_PLAIN = frozenset(
    {"average", "averages", "avg", "mean", "means", "median", "all", "overall", "total",
     "durchschnitt", "mittelwert", "gesamt", "moyenne", "promedio"}
)  # fmt: skip
_BEFORE = ("macro", "micro", "weighted", "arithmetic", "geometric", "overall", "total", "grand")
_AVERAGES = (
    _PLAIN
    | {f"{kind} {name}" for kind in _BEFORE for name in _PLAIN}
    | {
        *("macro", "micro", "macro f1", "micro f1", "macroaverage", "microaverage", "all datasets"),
        *(f"{name} {kind}" for kind in ("macro", "micro") for name in _PLAIN),
    }
)


def average_problems(datasets: Sequence[str], lines: LineArray, column: str) -> list[Problem]:
    """A problem for each row that is named as an average of the others.

    Parameters
    ----------
    datasets : sequence of str
        Names of the datasets, one for each row.
    lines : ndarray of int
        On which line of the file each stands.
    column : str
        The column of the names.
    """
    if not 1 < len(datasets) <= MAX_DATASETS:
        return []
    return [
        Problem(
            what=f"{quoted(name)} seems to be no dataset but an average of the others or all of "
            "them together: it must not be counted with them.",
            remedy="Remove the row; if it is a dataset of its own, give it another name.",
            dataset=name,
            column=column,
            line=int(line),
        )
        for name, line in zip(datasets, lines.tolist(), strict=True)
        if heading(name) in _AVERAGES
    ]
