"""Each row's p-value against its scores and number of examples: possible, by which tests, or by none."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import get_args

import numpy as np

from ..errors import joined_stretches
from ..significance.known_tests import significance_test_names
from ..types import Alternative
from ..words.formatting import display_name, format_p_value, minus, printed_number, printed_p
from ..words.subject import Subject
from ..words.testing import title_of_test
from .checked import CheckedTable
from .findings import Finding, RowFinding, RowKey
from .in_use import InUse, in_use_of
from .possible import Attainment, Sizes, SpeaksFor, Variant, Verdict, nearest_sizes, possible_of
from .printed_scores import Range, ScoreMetric, ScoreRange, read_rows, unfitting

# The variant that a sentence speaks of, where several would do.
SIDES: tuple[SpeaksFor, ...] = ("either", "a", "b")
_READ_FOR: Mapping[SpeaksFor, Alternative] = {"either": "two-sided", "a": "greater", "b": "less"}
_MOST_LISTED = 4
# Tails beyond any table's digits are written as 0.
TINY = 1e-12
# The tests that are gone through split by split, or correlation by correlation.
_FAMILIES: Mapping[ScoreMetric, str] = {
    "accuracy": "McNemar's tests",
    "correlation": "Williams', Steiger's and Meng's tests",
}
_OTHERS: Mapping[ScoreMetric, str] = {
    "accuracy": "A bootstrap, a randomization test, Wilcoxon's test, or a t or z test could give it.",
    "correlation": "A bootstrap, a randomization test, or Hotelling's or Fisher's test could give it.",
}
# Called with each step that is done; what it raises ends the work.
Step = Callable[[], object]
_METRIC_NAMES: Mapping[str, ScoreMetric] = {
    "accuracy": "accuracy",
    "acc": "accuracy",
    "correlation": "correlation",
    "pearson": "correlation",
    "spearman": "correlation",
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Row:
    """What every variant makes of one row of a table: its scores, n and what the p-value's digits allow.

    `no_multiples` are scores that no number of right examples out of n gives, by any rounding; with
    any, there are no variants. `by_variant` has for each side asked for four tests of accuracies or
    three of correlations, fewer where one is exactly 1 or −1. `in_use` are the p-values that any test
    in use can give.
    """

    dataset: str
    scores: tuple[ScoreRange, ScoreRange]
    n_examples: int
    bounds: Range
    no_multiples: tuple[str, ...]
    by_variant: Mapping[Variant, Attainment]
    in_use: InUse

    @property
    def metric(self) -> ScoreMetric:
        """What the scores are."""
        return self.scores[0].metric

    def with_verdict(self, verdict: Verdict) -> tuple[Variant, ...]:
        """Variants with one verdict."""
        return tuple(v for v, found in self.by_variant.items() if found.verdict == verdict)

    @property
    def possible(self) -> bool:
        """Whether some test in use can give what is printed, for either system or two-sided."""
        if self.no_multiples:
            return False
        return bool(self.with_verdict("attainable")) or self.in_use.allows(*self.bounds)


def judge_row(
    scores: tuple[ScoreRange, ScoreRange],
    n: int,
    bounds: Range,
    *,
    dataset: str = "",
    sides: Sequence[SpeaksFor] = ("a", "either"),
) -> Row:
    """Judge a p-value, which lies within bounds, by every variant of the tests for such scores."""
    return Row(
        dataset=dataset,
        scores=scores,
        n_examples=n,
        bounds=bounds,
        no_multiples=unfitting(scores, n),
        by_variant={
            variant: possible.attains(*bounds)
            for variant, possible in possible_of(*scores, n, sides=sides).items()
        },
        in_use=in_use_of(*scores, n),
    )


def metric_of_name(name: str | None) -> ScoreMetric | None:
    """What scores are, if their metric's name says so."""
    return _METRIC_NAMES.get((name or "").strip().lower())


def judge_rows(
    checked: CheckedTable, metric: ScoreMetric, step: Step = bool
) -> tuple[Row | None, ...]:
    """Judge every row of a table with scores and sizes; None where a score or the p-value is missing.

    Where lower is better, A and B change places: rates of errors are judged as accuracies are. A score
    that is not as `possible_p_values` needs it is a `ValueError`.
    """
    table = checked.table
    columns = [table.printed_scores(name) or () for name in (table.system_a, table.system_b)]
    low, high = table.p_value_bounds
    sizes = () if table.n_examples is None else table.n_examples.tolist()
    read = read_rows(columns if table.higher_is_better else columns[::-1], sizes, metric)
    rows: list[Row | None] = []
    for i, (scores, n) in enumerate(read):
        step()
        if scores is None or table.no_p_values[i]:
            rows.append(None)
            continue
        bounds = float(low[i]), float(high[i])
        sides = _allowed_sides(table.alternative, _lead(checked, i))
        rows.append(judge_row(scores, n, bounds, dataset=table.datasets[i], sides=sides))
    return tuple(rows)


def check_possible(
    checked: CheckedTable, *, metric: ScoreMetric | None, step: Step = bool
) -> list[Finding]:
    """What is to be said of every row that has scores and a size, and which tests explain them all."""
    table = checked.table
    if table.results is not None:
        return []
    found = [
        Finding(
            key="impossible",
            check="no-p-value",
            dataset=table.datasets[i],
            reason=f"{display_name(table.datasets[i])}: {printed_p(table.printed[i])} is no p-value, as p "
            "lies between 0 and 1. The authors could correct it.",
            details={"printed": table.printed[i]},
        )
        for i in np.flatnonzero(table.no_p_values)
        if re.search("[0-9]", table.printed[i])
    ]
    rows: tuple[Row | None, ...] = ()
    unable = ""
    if table.scores_a is None or table.scores_b is None:
        unable = "the table does not have those of both systems."
    elif table.n_examples is None:
        unable = "there are no numbers of examples."
    elif metric is None:
        unable = "that is possible for accuracies and for correlations with gold only."
    else:
        try:
            rows = judge_rows(checked, metric, step)
        except ValueError as error:
            unable = str(error)
    if unable:
        reason = f"The p-values cannot be checked against the scores: {unable}"
        return [*found, Finding(key="undecided", check="possible-p-values", reason=reason)]
    judged: list[tuple[int, Row]] = []
    for i, row in enumerate(rows):
        step()
        if row is None:
            continue
        if row.no_multiples:
            found.append(
                no_share(
                    row.dataset,
                    row.no_multiples,
                    row.n_examples,
                    averaged=checked.table.has_spreads,
                    printed=table.printed[i],
                )
            )
            continue
        found.append(_of_p_value(checked, row, i))
        judged.append((i, row))
    return [*found, *([_explained(checked, judged)] if judged else [])]


def _lead(checked: CheckedTable, i: int) -> float:
    return 0.0 if checked.signs is None else float(checked.signs[i])


def _allowed_sides(alternative: Alternative, lead: float) -> tuple[SpeaksFor, ...]:
    toward: tuple[SpeaksFor, ...] = ("a",) if lead > 0 else ("b",) if lead < 0 else ("a", "b")
    by_alternative: dict[Alternative, tuple[SpeaksFor, ...]] = {
        "greater": ("a",),
        "less": ("b",),
        "two-sided": ("either",),
        "toward-higher-score": toward,
        "not-stated": ("a", "b", "either"),
    }
    return by_alternative[alternative]


def no_share(
    dataset: str, scores: tuple[str, ...], n: int, *, averaged: bool, printed: str = ""
) -> RowFinding:
    """That scores are no shares of their examples, which a mean of several runs need not be."""
    said = " and ".join(dict.fromkeys(map(printed_number, scores)))
    verb = "is no share" if len(set(scores)) == 1 else "are no shares"
    reason = (
        f"{said} {verb} of {n:,} examples to the digits printed. Another n, metric or rounding could "
        "explain it, or averages over runs."
    )
    if averaged:
        reason = (
            f"whether {said} fits {n:,} examples cannot be decided: scores are printed with a spread "
            "(±), as averages over runs are, and those need be no share of the examples."
        )
    return RowFinding(
        key="undecided" if averaged else "impossible",
        check="granularity",
        dataset=dataset,
        reason=f"{display_name(dataset)}: {reason}",
        n_examples=n,
        printed=printed,
    )


def _of_p_value(checked: CheckedTable, row: Row, i: int) -> RowFinding:
    """Judge one row's p-value by what every variant makes of it."""
    printed, subject = checked.table.printed[i], checked.subject
    attainable = row.with_verdict("attainable")
    key: RowKey = "possible"
    near = row.with_verdict("not-attainable") if row.possible else ()
    shown = _in_front(attainable or near or tuple(row.by_variant))
    sizes: Sizes = (None, None)
    if attainable:
        said = f" is possible.{_takes(row, shown, subject)}"
        if n_others := len(attainable) - 1:
            gives = "variant gives" if n_others == 1 else "variants give"
            said += f" {n_others} other {gives} it too."
    elif row.possible:
        said = _not_by(row, subject)
    elif checked.table.has_spreads:
        key = "undecided"
        said = (
            f" is not by a test on {row.n_examples:,} examples. The scores are printed with a spread "
            "(±), as averages over runs are, and a test over runs could give it."
        )
    else:
        key, (nearest, sizes) = "impossible", _nearest_sizes(row, shown)
        said = _impossible(row, subject, nearest, sizes)
    return RowFinding(
        key=key,
        check="possible-p-values",
        dataset=row.dataset,
        reason=f"{display_name(row.dataset)}: {printed_p(printed)}{said}",
        n_examples=row.n_examples,
        printed=printed,
        p_value=float(checked.table.p_values[i]),
        shown=None if key == "undecided" else shown,
        attainment=None if key == "undecided" else row.by_variant[shown],
        ranges=row.in_use.ranges,
        reach=_reach(row, checked.table.alternative),
        attainable=attainable,
        sizes=sizes,
    )


def _takes(row: Row, shown: Variant, subject: Subject) -> str:
    """What a possible p-value says of how far the systems agree; empty where it says nothing."""
    attainment = row.by_variant[shown]
    if attainment.disagreements is not None:
        fewest, most = attainment.disagreements
        span = f"{fewest:,}" if fewest == most else f"{fewest:,} to {most:,}"
        noun = "disagreement" if most == 1 else "disagreements"
        takes = f"{span} {noun} among {row.n_examples:,} examples"
    elif attainment.correlations:
        ends = [[minus(printed_number(f"{r:.4g}")) for r in one] for one in attainment.correlations]
        spans = [" to ".join(dict.fromkeys(both)) for both in ends]
        takes = f"a correlation between the two models of {' or '.join(spans)}"
    else:
        return ""
    side = sidedness(shown.speaks_for, subject)
    return f" It takes {takes}, {side} ({title_of_test(shown.test)})."


def _not_by(row: Row, subject: Subject) -> str:
    """That a possible p-value is not by the tests that were gone through, and what is near."""
    near = [(v, found.nearest) for v, found in row.by_variant.items() if found.nearest]
    below = [(*ends[0], variant) for variant, ends in near]
    above = [(*ends[1], variant) for variant, ends in near]
    nearest = [max(below, key=itemgetter(0)), min(above, key=itemgetter(0))] if near else []
    theirs = [
        f"{format_p_value(p, digits=4)} ({s:,} disagreements; {_variant(variant, subject)})"
        for p, s, variant in nearest
    ]
    lie = f"nearest are {' and '.join(theirs)}" if theirs else f"theirs lie {_spans(row)}"
    speaks = {variant.speaks_for for variant in row.by_variant}
    sides = [sidedness(side, subject) for side in SIDES if side in speaks]
    how = "" if len(sides) == len(get_args(SpeaksFor)) else f" {' or '.join(sides)}"
    return (
        f" is possible, but {_FAMILIES[row.metric]}{how} give no p-value with these digits: {lie}. "
        f"{_OTHERS[row.metric]}"
    )


def _impossible(row: Row, subject: Subject, nearest: Variant, sizes: Sizes) -> str:
    """Which p-values any test in use can give, and at which n the printed one would be."""
    in_use = row.in_use
    ahead, behind = subject.sides("a-better" if in_use.ahead == "a" else "b-better")
    most, least = (format_p_value(end, digits=2) for end in in_use.ends)
    span = (
        f"Theirs are at most {most}, two-sided or one-sided for {ahead}, or at least {least}, "
        f"one-sided for {behind}."
    )
    if row.bounds[0] <= in_use.ends[0]:
        smallest = format_p_value(in_use.smallest, digits=2)
        span = f"None of their formulas gives less than {smallest}."
    others = [f"n = {size:,}" for size in sizes if size is not None]
    would = f": {' or '.join(others)} would ({_variant(nearest, subject)})" if others else ""
    kind = "accuracies" if subject.higher_is_better else "error rates"
    units = "examples"
    if row.metric == "correlation":
        kind, units = "correlations", "pairs"
    scores = [printed_number(score.printed) for score in row.scores]
    given = " and ".join(scores if subject.higher_is_better else scores[::-1])
    return (
        f". With {kind} {given} on {row.n_examples:,} {units} no test in use on these {units} gives it. "
        f"{span} A test over folds, runs or other units than these could, and so could another "
        f"n{would}, or another rounding."
    )


def _in_front(variants: Sequence[Variant]) -> Variant:
    """The variant that a sentence speaks of, where several would do."""
    tests = significance_test_names()
    return min(variants, key=lambda v: (SIDES.index(v.speaks_for), tests.index(v.test)))


def _spans(row: Row) -> str:
    """Where the p-values of all variants lie, as intervals that do not meet."""
    spans = ((one.possible.low, one.possible.high) for one in row.by_variant.values())
    return " or ".join(
        f"from {'0' if low < TINY else format_p_value(low, digits=2)} to {format_p_value(high, digits=2)}"
        for low, high in joined_stretches(spans, room=0.0)
    )


def _nearest_sizes(row: Row, shown: Variant) -> tuple[Variant, Sizes]:
    """The nearest n at which a variant gives the printed p-value, and that variant."""

    def sizes_of(variant: Variant) -> Sizes:
        return nearest_sizes(*row.scores, row.n_examples, row.bounds, variant)

    if (sizes := sizes_of(shown)) != (None, None):
        return shown, sizes
    # What this variant gives at no n, another may.
    every = {variant: sizes_of(variant) for variant in row.by_variant}

    def away(variant: Variant) -> float:
        return min(abs(n - row.n_examples) if n else math.inf for n in every[variant])

    nearest = min(every, key=away)
    return nearest, every[nearest]


def _reach(row: Row, alternative: Alternative) -> Range:
    """From the smallest to the largest p-value of tests in use, as the table says it was tested.

    The smallest is 0 for the system ahead: a bootstrap can give that beside any scores.
    """
    most, least = row.in_use.ends
    toward = {"greater": "a", "less": "b"}.get(alternative, row.in_use.ahead)
    if alternative == "not-stated":
        return 0.0, 1.0
    return (0.0, most) if toward == row.in_use.ahead else (least, 1.0)


def _explained(checked: CheckedTable, judged: Sequence[tuple[int, Row]]) -> Finding:
    """Which tests explain every row, or the most of them, by each way to read the table."""
    declared, n_rows = checked.table.alternative, len(judged)
    readings: tuple[Alternative, ...] = (
        ("two-sided", "greater", "toward-higher-score") if declared == "not-stated" else (declared,)
    )
    tests = {variant.test for _, row in judged for variant in row.by_variant}
    explained = {
        (test, reading): sum(
            any(
                variant.test == test
                and variant.speaks_for in _allowed_sides(reading, _lead(checked, i))
                for variant in row.with_verdict("attainable")
            )
            for i, row in judged
        )
        for test in significance_test_names()
        if test in tests
        for reading in readings
    }
    most = max(explained.values(), default=0)
    best = [
        f"{title_of_test(test)}, {checked.subject.side_read(reading)}"
        for (test, reading), number in explained.items()
        if number == most
    ]
    more = len(best) - _MOST_LISTED
    listed = "; ".join(best[:_MOST_LISTED]) + (f"; and {more} more" if more > 0 else "")
    rows = "the row" if n_rows == 1 else f"all {n_rows} rows"
    none = f"None of {_FAMILIES[judged[0][1].metric]} explains"
    if most == 0:
        reason = f"{none} {'the row' if n_rows == 1 else 'any row'}."
    elif most == n_rows:
        reason = f"What explains {rows} with scores and sizes: {listed}."
    else:
        reason = f"{none} {rows} with scores and sizes; most, {most}: {listed}."
    details = {"n_explained": explained}
    return Finding(key=None, check="possible-p-values", reason=reason, details=details)


def sidedness(speaks_for: SpeaksFor, subject: Subject) -> str:
    """Write "two-sided" or "one-sided for Mate"."""
    return subject.side_read(_READ_FOR[speaks_for])


def _variant(variant: Variant, subject: Subject) -> str:
    """Write "McNemar, exact, two-sided"."""
    return f"{title_of_test(variant.test)}, {sidedness(variant.speaks_for, subject)}"
