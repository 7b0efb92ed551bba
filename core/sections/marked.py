"""The table of datasets with their marks: for the screen, for CSV, Excel, Markdown, HTML and LaTeX."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..analysis import Analysis
from ..comparison import COLUMN, margin_of_all
from ..data import PValueTable
from ..replicability.combinations import counting_method_named
from ..replicability.identification import Identification
from ..types import BoolArray
from ..words.counting import guarantee_sentence
from ..words.formatting import (
    display_name,
    format_p_value,
    format_thresholds,
    minus,
    printed_p_value,
    whole_name,
)
from ..words.subject import Claim, Question
from ..words.verdicts import identification_sentence
from .parts import Grid, Records, Shown, Value

if TYPE_CHECKING:
    import pandas as pd

NAMED = "★ named"
NOT_NAMED = "not named"
_FIXED = frozenset(
    {
        "dataset",
        "n_examples",
        "difference",
        "margin",
        "p_value_printed",
        "p_value",
        "adjusted_p_value",
        "threshold",
        "named",
        "named_under_assumption",
        "procedure",
        "signature",
    }
)


_HEADINGS = ("dataset", "n", "p printed", "threshold", "adjusted p", "mark")


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
    also_named : ndarray of bool, shape (N,), or None
        Named by the closed test of the count, which assumes more.
    combination : str
        Of that count.
    better : str
        What the tests claim of a system, as `Subject.in_short` has it.
    """

    table: PValueTable
    identification: Identification
    claim: Claim
    caption: str
    signature: str
    also_named: BoolArray | None = None
    combination: str = "bonferroni"
    better: str = "better"

    @property
    def marks(self) -> tuple[str, ...]:
        """For each dataset its sign and word: named, named under the count's assumption, or not."""
        only = also_named_mark(self.combination)
        also = self.also_named
        return tuple(
            NAMED if named else only if only and also is not None and also[i] else NOT_NAMED
            for i, named in enumerate(self.identification.rejected.tolist())
        )

    def records(self) -> Records:
        """Full precision, one row a dataset in file order, for programs."""
        table, found = self.table, self.identification
        columns: dict[str, Sequence[Value]] = {"dataset": table.datasets}
        if table.n_examples is not None:
            columns["n_examples"] = table.n_examples.tolist()
        for label, printed, scores in _scores(table):
            columns[_free(label, columns, _FIXED)] = scores if printed is None else printed
        if table.differences is not None:
            columns["difference"] = table.differences.tolist()
        margins = table.margins.tolist()
        if margin_of_all(margins) == COLUMN:
            columns["margin"] = margins
        if table.results is None:
            columns["p_value_printed"] = table.printed
        columns["p_value"] = found.p_values.tolist()
        columns["adjusted_p_value"] = found.adjusted_p_values.tolist()
        columns["threshold"] = found.thresholds.tolist()
        columns["named"] = _yes_or_no(found.rejected)
        if self.also_named is not None and also_named_mark(self.combination):
            columns["named_under_assumption"] = _yes_or_no(self.also_named)
        columns["procedure"] = [found.procedure] * table.n_datasets
        columns["signature"] = [self.signature] * table.n_datasets
        return Records(header=tuple(columns), rows=tuple(zip(*columns.values(), strict=True)))

    def to_frame(self) -> pd.DataFrame:
        """Full precision, one row a dataset in file order, for downloads."""
        import pandas as pd

        records = self.records()
        return pd.DataFrame(list(records.rows), columns=list(records.header))

    def grid(self, *, with_thresholds: bool = False) -> Grid:
        """Rounded numbers and marks, in file order.

        Parameters
        ----------
        with_thresholds : bool
            With what the procedure compares each p-value with.
        """
        table, found, alpha = self.table, self.identification, self.identification.alpha
        columns: dict[str, tuple[bool, Sequence[str]]] = {
            "dataset": (False, [whole_name(name) for name in table.datasets])
        }

        def add(heading: str, cells: Sequence[str], *, numeric: bool = True) -> None:
            columns[heading] = (numeric, cells)

        kept = {*_HEADINGS, self._p_heading()}
        if table.n_examples is not None:
            add("n", [str(n) for n in table.n_examples.tolist()])
        for label, printed, scores in _scores(table):
            rounded = [_rounded(score) for score in scores]
            add(_free(display_name(label), columns, kept), rounded if printed is None else printed)
        if table.results is None:
            add("p printed", [printed_p_value(text) for text in table.printed])
        add(self._p_heading(), [format_p_value(p, alpha=alpha) for p in found.p_values.tolist()])
        if with_thresholds and found.compares_p_values:
            add("threshold", format_thresholds(found.thresholds.tolist()))
        add(
            "adjusted p",
            [format_p_value(p, alpha=alpha) for p in found.adjusted_p_values.tolist()],
        )
        add("mark", self.marks, numeric=False)
        return Grid(
            header=tuple(columns),
            rows=tuple(zip(*(cells for _, cells in columns.values()), strict=True)),
            numeric=tuple(numeric for numeric, _ in columns.values()),
            caption=self.caption,
            marked=tuple(found.rejected.tolist()),
            name="identification",
            records=self.records(),
        )

    def _p_heading(self) -> str:
        if self.claim == "differ":
            return "p (differ)"
        system = self.table.system_a if self.claim == "a-better" else self.table.system_b
        return f"p ({display_name(system)} {self.better})"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Marks(Shown):
    """Every dataset with scores, p-values and marks, of one claim or of both directions.

    Attributes
    ----------
    analysis : Analysis
        What the tables are of.
    tables : tuple of MarkedTable
        One a claim.
    in_detail : bool
        With thresholds, adjusted p-values and sizes.
    """

    analysis: Analysis
    tables: tuple[MarkedTable, ...]
    in_detail: bool = False

    def printed(self) -> tuple[Grid, ...]:
        """A table a claim; none of a single dataset, whose result says it."""
        if len(self.tables[0].table.datasets) == 1 and not self.in_detail:
            return ()
        grids = (one.grid(with_thresholds=self.in_detail) for one in self.tables)
        if self.in_detail:
            return tuple(grids)
        names = ("datasets", "datasets-of-b")
        return tuple(replace(grid, name=name) for name, grid in zip(names, grids, strict=False))


def marked_table(
    analysis: Analysis, question: Question | None = None, procedure: str | None = None
) -> MarkedTable:
    """The table of names for a question, by default as the settings have them."""
    asked = question or analysis.question
    by = procedure or analysis.procedure
    names = analysis.identification(asked, by)
    answer = asked.answer
    return MarkedTable(
        table=analysis.table,
        identification=names,
        claim=asked.claim,
        caption=(
            f"{identification_sentence(names, asked, analysis.subject.in_full)} "
            f"{guarantee_sentence(by, alpha=names.alpha)}"
        ),
        signature=analysis.signature(asked, procedure=by),
        also_named=None if answer.combination == "bonferroni" else answer.named,
        combination=answer.combination,
        better=analysis.subject.in_short,
    )


def _scores(
    table: PValueTable,
) -> list[tuple[str, tuple[str, ...] | None, list[float]]]:
    """For each system its name, scores in the digits given if any, and as numbers."""
    return [
        (name, printed, [] if scores is None else scores.tolist())
        for name, printed, scores in (
            (table.system_a, table.printed_scores_a, table.scores_a),
            (table.system_b, table.printed_scores_b, table.scores_b),
        )
        if printed is not None or scores is not None
    ]


def _rounded(score: float) -> str:
    return minus(f"{score:.4f}") if score == score else ""


def _yes_or_no(chosen: BoolArray) -> list[str]:
    return ["yes" if one else "no" for one in chosen.tolist()]


def _free(label: str, taken: Collection[str], kept: Collection[str]) -> str:
    """A heading for a system's scores: neither one that is there nor one kept for a column to come."""
    while label in taken or label in kept:
        label = f"{label} (score)"
    return label


def also_named_mark(combination: str) -> str:
    """Sign and words for what the closed test names beyond the procedure, under its assumption."""
    return {
        "not-known": "",
        "positive": "† only if positively dependent",
        "independent": "† only if independent",
    }[counting_method_named(combination).dependence]
