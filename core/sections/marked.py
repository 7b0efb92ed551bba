"""Tables of the datasets for every output: with their marks, and each one's result in full precision."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from ..analysis import Analysis, statements
from ..comparison import COLUMN, margin_of_all
from ..data import PValueTable
from ..replicability.combinations import counting_method_named
from ..replicability.identification import OF_JOINT_FLIPS, Identification
from ..significance.single import SignificanceResult
from ..types import BoolArray, FloatArray
from ..validation import names_of
from ..words.counting import guarantee_sentence
from ..words.formatting import (
    display_name,
    format_p_value,
    format_thresholds,
    minus,
    printed_number,
    whole_name,
)
from ..words.subject import Claim, Question
from .parts import Grid, Records, Shown, Value, grid_of

NAMED = "★ significant"
_Cell = TypeVar("_Cell", bound=Value)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MarkedTable:
    """Datasets with scores, p-values and marks.

    The `caption` is the sentence that the marks stand for with its guarantee, the `signature` names all
    they depend on. `also_named` are those that the closed test of the count by `combination` names,
    which assumes more; `better` is as `Subject.in_short` has it. The `guarantee` is of the marks
    alone, '' where p-values are 1 − p of the other system's tests, which is approximate.
    """

    table: PValueTable
    identification: Identification
    claim: Claim
    caption: str
    signature: str
    also_named: BoolArray | None = None
    combination: str = "bonferroni"
    better: str = "better"
    guarantee: str = ""

    @property
    def marks(self) -> tuple[str, ...]:
        """For each dataset its sign and word: named, named under the count's assumption, or none."""
        only = also_named_mark(self.combination)
        also = self.also_named
        return tuple(
            NAMED if named else only if only and also is not None and also[i] else ""
            for i, named in enumerate(self.identification.rejected.tolist())
        )

    def records(self) -> Records:
        """Full precision, one row a dataset in file order, for programs."""
        table, found = self.table, self.identification
        before: dict[str, Sequence[Value]] = {"dataset": table.datasets}
        columns: dict[str, Sequence[Value]] = {}
        if table.n_examples is not None:
            before["n_examples"] = table.n_examples.tolist()
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
        scores = [(name, printed or own) for _, name, printed, own in scores_of(table)]
        return Records.of(_with_scores(before, scores, columns))

    def grid(self, *, with_thresholds: bool = False) -> Grid:
        """Rounded numbers and marks, in file order."""
        table, found = self.table, self.identification
        before: dict[str, Sequence[str]] = {
            "dataset": [whole_name(name) for name in table.datasets]
        }
        columns: dict[str, Sequence[str]] = {}
        if table.n_examples is not None:
            before["n"] = [str(n) for n in table.n_examples.tolist()]
        if table.results is None:
            columns["p printed"] = [printed_number(text) for text in table.printed]
        what = "differ"
        if self.claim != "differ":
            system = table.system_a if self.claim == "a-better" else table.system_b
            what = f"{display_name(system)} {self.better}"
        columns |= names_columns(
            found, f"{self.p_called} ({what})", self.marks, with_thresholds=with_thresholds
        )
        scores = [
            (display_name(name), printed or list(map(_rounded, own)))
            for _, name, printed, own in scores_of(table)
        ]
        return grid_of(
            _with_scores(before, scores, columns),
            caption=self.caption,
            marked=tuple(found.rejected.tolist()),
            name="identification",
        )

    @property
    def p_called(self) -> str:
        """What the p-values are called: those of joint flips are not of each dataset's own test."""
        of_flips = names_of(OF_JOINT_FLIPS)
        return "p, joint flips" if self.identification.procedure in of_flips else "p"


def names_columns(
    found: Identification, heading: str, marks: Sequence[str], *, with_thresholds: bool = True
) -> dict[str, Sequence[str]]:
    """The columns of a list of names: p-values under a heading, what corrects them, and the marks."""

    def written(p_values: FloatArray) -> list[str]:
        return [format_p_value(p, alpha=found.alpha) for p in p_values.tolist()]

    columns: dict[str, Sequence[str]] = {heading: written(found.p_values)}
    # With one dataset there is nothing to correct.
    is_corrected = found.p_values.size > 1
    if with_thresholds and is_corrected and found.compares_p_values:
        columns["threshold"] = format_thresholds(found.thresholds.tolist())
    if is_corrected:
        columns["adjusted p"] = written(found.adjusted_p_values)
    return {**columns, "mark": marks}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Marks(Shown):
    """Every dataset with scores, p-values and marks, of one claim or of both directions."""

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


def marked_table(analysis: Analysis, question: Question | None = None) -> MarkedTable:
    """The table of names for a question, by default the one in front."""
    asked, by = question or analysis.question, analysis.procedure
    names = analysis.identification(asked, by)
    answer = asked.answer
    said = guarantee_sentence(by, alpha=names.alpha, n=names.p_values.size)
    guarantee = said if names.n_rejected and not answer.complement else ""
    return MarkedTable(
        table=analysis.table,
        identification=names,
        claim=asked.claim,
        caption=f"{statements.significant(analysis, asked, by, in_full=True)} {guarantee}".rstrip(),
        guarantee=guarantee,
        signature=analysis.signature(asked, procedure=by),
        also_named=None if answer.combination == "bonferroni" else answer.named,
        combination=answer.combination,
        better=analysis.subject.in_short,
    )


def scores_of(
    table: PValueTable,
) -> list[tuple[Claim, str, tuple[str, ...] | None, list[float]]]:
    """For each system with scores: the claim for it, its name, scores as printed if any, and numbers."""
    sides: tuple[tuple[Claim, str, tuple[str, ...] | None, FloatArray | None], ...] = (
        ("a-better", table.system_a, table.printed_scores_a, table.scores_a),
        ("b-better", table.system_b, table.printed_scores_b, table.scores_b),
    )
    return [
        (claim, name, printed, [] if scores is None else scores.tolist())
        for claim, name, printed, scores in sides
        if printed is not None or scores is not None
    ]


def _rounded(score: float) -> str:
    return minus(f"{score:.4f}") if score == score else ""


def _yes_or_no(chosen: BoolArray) -> list[str]:
    return ["yes" if one else "no" for one in chosen.tolist()]


def _with_scores(
    before: Mapping[str, Sequence[_Cell]],
    scores: Iterable[tuple[str, Sequence[_Cell]]],
    after: Mapping[str, Sequence[_Cell]],
) -> dict[str, Sequence[_Cell]]:
    """Columns with the systems' scores among them, under names that no other column has."""
    columns = dict(before)
    for name, cells in scores:
        heading = name
        while heading in columns or heading in after:
            heading = f"{heading} (score)"
        columns[heading] = cells
    return {**columns, **after}


def also_named_mark(combination: str) -> str:
    """Sign and words for what the closed test names beyond the procedure, under its assumption."""
    return {
        "not-known": "",
        "positive": "† only if positively dependent",
        "independent": "† only if independent",
    }[counting_method_named(combination).dependence]


# What is recorded of a dataset's own result, by the names of the columns.
_RECORDED: Mapping[str, Callable[[SignificanceResult], Value]] = {
    "n_examples": lambda one: one.n_examples,
    "score_a": lambda one: one.score_a,
    "score_b": lambda one: one.score_b,
    "difference": lambda one: one.difference,
    "interval_low": lambda one: (
        None if one.confidence_interval is None else one.confidence_interval[0]
    ),
    "interval_high": lambda one: (
        None if one.confidence_interval is None else one.confidence_interval[1]
    ),
    "interval": lambda one: one.interval,
    "confidence_level": lambda one: one.confidence_level,
    "wins": lambda one: one.wins,
    "ties": lambda one: one.ties,
    "losses": lambda one: one.losses,
    "p_value_a_better": lambda one: one.p_value_greater,
    "p_value_b_better": lambda one: one.p_value_less,
    "p_value_two_sided": lambda one: one.p_value_two_sided,
    "test": lambda one: one.test,
    "method": lambda one: one.method,
    "n_resamples": lambda one: one.n_resamples,
    "n_extreme_a_better": lambda one: one.n_extreme_of("greater"),
    "p_value_a_better_settles_from": lambda one: one.ends_of("greater")[0],
    "p_value_a_better_settles_to": lambda one: one.ends_of("greater")[1],
    "n_clusters": lambda one: one.n_clusters,
    "seed": lambda one: one.seed,
    "effect_size_name": lambda one: None if one.effect_size is None else one.effect_size.name,
    "effect_size": lambda one: None if one.effect_size is None else one.effect_size.value,
}


def results_records(analysis: Analysis) -> Records:
    """Each dataset's test in full precision; of one not tested only its name."""
    table, n = analysis.table, analysis.table.n_datasets
    found = analysis.compared
    # Of a test, and so of its signature, A is the system that comes first in the file.
    first = analysis.whole.system_a
    columns: dict[str, Sequence[Value]] = {
        "dataset": table.datasets,
        "system_a": [table.system_a] * n,
        "system_b": [table.system_b] * n,
    }
    for name, of in _RECORDED.items():
        columns[name] = [None if one is None else of(one) for one in found]
    columns["note"] = table.notes
    columns["signature_system_a"] = [None if one is None else first for one in found]
    columns["signature"] = [None if one is None else one.signature for one in found]
    return Records.of(columns)


def printed_records(table: PValueTable) -> Records:
    """A published table with everything known about it, in full precision."""
    low, high = table.p_value_bounds
    differences = table.differences
    columns: dict[str, Sequence[Value]] = {"dataset": table.datasets}
    if table.n_examples is not None:
        columns["n_examples"] = table.n_examples.tolist()
    for claim, _, printed, _ in scores_of(table):
        if printed is not None:
            columns["score_a" if claim == "a-better" else "score_b"] = printed
    if differences is not None:
        columns["difference"] = differences.tolist()
    columns["p_value_printed"] = table.printed
    columns["p_value_low"] = low.tolist()
    columns["p_value_high"] = high.tolist()
    columns["p_value"] = table.p_values.tolist()
    columns["note"] = table.notes
    return Records.of(columns)


def intervals_of(analysis: Analysis) -> list[tuple[float, float] | None]:
    """For each dataset the interval of its difference as A and B are chosen; None where unknown."""
    return [None if one is None else one.confidence_interval for one in analysis.compared]


def interval_left(analysis: Analysis) -> float | None:
    """What the level of the datasets' intervals leaves to 1; None without them or one level."""
    results = analysis.table.results or ()
    levels = {result.confidence_level for result in results if result is not None}
    return 1.0 - levels.pop() if len(levels) == 1 and any(intervals_of(analysis)) else None
