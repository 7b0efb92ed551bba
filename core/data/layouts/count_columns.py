"""The layout of counts: for each example what a metric is computed from, such as correct and total.

A score over examples is then a function of sums, not a mean of scores: every
token counts the same, not every sentence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from ...errors import Problem, listed, quoted
from ...metrics.registry import CHRF_ORDERS, STATISTIC_METRICS
from ...types import FloatArray, IntArray
from ..result_set import ResultSet
from ..roles import (
    COVARIATES,
    Roles,
    column_of,
    columns_in_use,
    declared_direction,
)
from ..tables.limits import bounded
from ..tables.number_column import numbers_of
from ..tables.raw_table import RawTable
from .columns import Columns, FileKind
from .complete_rows import beside_scores, complete_rows, refuse_single_examples
from .counts import CountedMetric, find_counts, is_length, read_counts
from .doubtful_systems import remark_on_columns
from .pairing import counted, settle_runs
from .per_example import ExampleFindings, check_systems
from .row_units import incomplete_rows, stated_metrics


def are_scores_beside_lengths(raw: RawTable, metrics: Sequence[CountedMetric]) -> bool:
    """Whether what may be counts of correct tokens is right or wrong, beside a sentence's length."""
    for metric in metrics:
        if metric.kind != "ratio":
            return False
        for named in metric.columns.values():
            total = named.get("total")
            if total is None or not is_length(total):
                return False
            correct = numbers_of(raw, named["correct"]).text_values
            if not bool(np.isin(correct[np.isfinite(correct)], (0.0, 1.0)).all()):
                return False
    return True


def metrics_of(raw: RawTable, roles: Roles) -> list[CountedMetric]:
    """The metrics of the counts beside other columns with these roles, the declared one first."""
    in_rows = column_of(roles, "system") is not None
    metrics = find_counts(raw.header, taken=columns_in_use(roles), in_rows=in_rows)
    stated = stated_metrics(raw)
    declared = roles.get("metric") or (stated[0] if len(stated) == 1 else None)
    if len(metrics) == 1 and isinstance(declared, str):
        return [replace(metrics[0], name=declared)]
    return sorted(metrics, key=lambda metric: metric.name != declared)


def check_columns(
    found: ExampleFindings,
    metrics: Sequence[CountedMetric],
    systems: Sequence[str],
    system: str | None,
) -> None:
    """Every count that the metrics need has its column."""
    if not metrics:
        found.refuse(
            "No columns are recognised as counts.",
            "Name them by what they count, with the system's name after it where systems have "
            "columns of their own, as in 'correct_A' and 'total', or in 'tp_A', 'fp_A' and 'fn_A'.",
        )
        return
    declared = found.roles.get("metric")
    if len(metrics) > 1 and declared is not None and metrics[0].name != declared:
        found.refuse(
            f"The counts give the metrics {listed([m.name for m in metrics])}; there is "
            f"no {quoted(str(declared))}.",
            "Choose one of them, or declare none.",
        )
    stated = stated_metrics(found.raw)
    if len(stated) > 1:
        found.refuse(
            f"The rows are of {len(stated)} metrics, {listed(stated[:3])} among them, "
            "which cannot be summed together.",
            "Keep the rows of one metric in a file.",
            column="metric",
        )
    found.need_two(
        systems,
        "has counts",
        "Name each system in its columns, as in 'correct_A', or, with a row for each example and "
        "system, in a column 'system'.",
    )
    problems: dict[tuple[str, ...], Problem] = {}
    for metric in metrics if len(systems) > 1 else ():
        for name in [""] if system is not None else systems:
            named = metric.columns.get(name, {})
            # Metrics of one family lack the same.
            lacking = tuple(
                "_".join(part for part in (metric.label.lower(), statistic, name) if part)
                for statistic in metric.family.statistics
                if statistic not in named
            )
            problems[lacking] = Problem(
                f"There is no column {listed(lacking)}: the metric is computed from "
                f"{listed(metric.family.statistics)}.",
                "Name the columns of these counts so.",
            )
    found.problems.extend(problem for lacking, problem in problems.items() if lacking)


# A part, the whole that holds it, and both in words.
_PARTS = {
    "ratio": (("correct", "total"),),
    "aer": (("in_sure", "in_possible"), ("in_possible", "n_proposed"), ("in_sure", "n_sure")),
    "bleu": tuple((f"match{order}", f"total{order}") for order in range(1, 5)),
    "chrf": tuple(
        (f"chrf_char{order}_match", f"chrf_char{order}_{whole}")
        for order in range(1, CHRF_ORDERS + 1)
        for whole in ("sys", "ref")
    ),
}
# What of the counts is of the gold standard, so that systems have it in common.
_GOLD_COUNTS = {"f1": ((0, 2), "tp + fn"), "aer": ((3,), "n_sure"), "ratio": ((1,), "total")}


def check_relations(
    found: ExampleFindings, metric: CountedMetric, values: Mapping[str, FloatArray]
) -> None:
    """No part is larger than its whole."""
    parts = _PARTS.get(metric.kind, ())
    both = (
        (named[part], named[whole]) for named in metric.columns.values() for part, whole in parts
    )
    for part, whole in dict.fromkeys(both):
        low, high = values[part], values[whole]
        explain = partial(_larger_than, low, high, whole)
        found.cell_problems(np.flatnonzero(low > high), part, explain)


def _larger_than(low: FloatArray, high: FloatArray, whole: str, row: int) -> tuple[str, str]:
    return (
        f"The count is {low[row]:.0f}, more than the {high[row]:.0f} of {quoted(whole)}.",
        "Correct one of them: the first is a part of the second.",
    )


def defined_metrics(
    found: ExampleFindings,
    arrays: Mapping[str, Sequence[FloatArray]],
    kinds: Mapping[str, str],
    systems: Sequence[str],
) -> tuple[str, ...]:
    """The metrics that every system has a score of on all datasets; the first must be one."""
    kept: list[str] = []
    for index, (name, per_dataset) in enumerate(arrays.items()):
        metric = STATISTIC_METRICS[kinds[name]]
        undefined = [
            (dataset, system)
            for dataset, counts in zip(found.groups.datasets, per_dataset, strict=True)
            for system, score in zip(systems, metric.score(counts.sum(axis=0)), strict=True)
            if np.isnan(score)
        ]
        if not undefined:
            kept.append(name)
        elif index == 0:
            problems = [
                Problem(
                    f"{quoted(name)} of {quoted(system)} is not defined: {metric.formula} "
                    "would divide by 0.",
                    "Leave this dataset out, or correct its counts.",
                    dataset=dataset or None,
                )
                for dataset, system in undefined
            ]
            found.problems.extend(
                bounded(problems, n_problems=len(problems), of="datasets and systems")
            )
        else:
            dataset, system = undefined[0]
            found.remarks.append(
                f"{quoted(name)} is left out: that of {quoted(system)} on {quoted(dataset)} is not "
                "defined, as nothing is counted there."
            )
    return tuple(kept)


def remark_on_gold(
    found: ExampleFindings, arrays: Mapping[str, Sequence[FloatArray]], kinds: Mapping[str, str]
) -> None:
    """Remarks where counts of the gold standard differ between systems."""
    said: set[str] = set()
    for name, per_dataset in arrays.items():
        kind = kinds[name]
        if kind not in _GOLD_COUNTS or kind in said:
            continue
        said.add(kind)
        positions, words = _GOLD_COUNTS[kind]
        sizes = [counts[:, :, list(positions)].sum(axis=2) for counts in per_dataset]
        differ = [int((size != size[:, :1]).any(axis=1).sum()) for size in sizes]
        if any(differ):
            where = [dataset for dataset, n in zip(found.groups.datasets, differ, strict=True) if n]
            found.remarks.append(
                f"{quoted(words)} differs between the systems on {counted(sum(differ), 'example')}, of "
                f"{listed(where)}; it usually counts the gold standard and is then the same for "
                "all systems."
            )


NAME = "per-example counts"


def recognise(columns: Columns) -> Roles | None:
    """Every role of counts, those that are given as they are; None for another layout."""
    raw, given, system = columns.raw, columns.given, columns.system
    roles: Roles = {**columns.of_examples(columns.example, (system,)), "system": system}
    metrics = metrics_of(raw, {**roles, "metric": given.get("metric")})
    if not columns.asks_for(NAME) and (not metrics or are_scores_beside_lengths(raw, metrics)):
        return None
    return {
        **roles,
        "metric": given.get("metric") or (metrics[0].name if metrics else None),
        "higher_is_better": given.get(
            "higher_is_better",
            STATISTIC_METRICS[metrics[0].kind].higher_is_better if metrics else True,
        ),
    }


def read(found: ExampleFindings) -> ResultSet:
    """Read counts by their roles."""
    system = found.column("system")
    # A mean of counts would weigh each example by its runs.
    settle_runs(found, averaged=False)
    metrics = metrics_of(found.raw, found.roles)
    named = (
        (name for metric in metrics for name in metric.columns)
        if system is None
        else found.raw.coded(system).texts
    )
    systems = tuple(dict.fromkeys(name for name in named if name))
    check_columns(found, metrics, systems, system)
    found.stop_at_problems()
    check_systems(found, systems, from_header=False)
    columns = columns_of(metrics)

    def check(missing_allowed: bool) -> None:
        values = {c: read_counts(found, c, missing_allowed=missing_allowed) for c in columns}
        for metric in metrics:
            check_relations(found, metric, values)

    examples = complete_rows(
        found,
        missing=lambda raw: incomplete_rows(raw, columns),
        check=check,
    )
    refuse_single_examples(found, examples)
    values = {column: read_counts(found, column) for column in columns}
    rows = examples.rows[:, :, 0, 0]
    arrays = {
        metric.name: examples.split(_stacked(metric, systems, system, values, rows))
        for metric in metrics
    }
    kinds = {metric.name: metric.kind for metric in metrics}
    names = defined_metrics(found, arrays, kinds, systems)
    found.stop_at_problems()
    remark_on_gold(found, arrays, kinds)
    remark_on_columns(found, systems, read=columns, of_examples=True)
    metric, kind = next(iter(kinds.items()))
    higher = STATISTIC_METRICS[kind].higher_is_better
    if declared_direction(found.roles, metric) is not higher:
        found.remarks.append(
            f"{'A higher' if higher else 'A lower'} {metric} is better, whatever is declared: it "
            "follows from the counts."
        )
    return ResultSet(
        datasets=found.groups.datasets,
        systems=systems,
        values={name: arrays[name] for name in names},
        higher_is_better={name: STATISTIC_METRICS[kinds[name]].higher_is_better for name in names},
        score_decimals=0,
        kinds={name: kinds[name] for name in names},
        **beside_scores(found, examples, counts=columns),
    )


def columns_of(metrics: Sequence[CountedMetric]) -> tuple[str, ...]:
    """Every column of counts, each once."""
    named = (own for metric in metrics for own in metric.columns.values())
    return tuple(dict.fromkeys(column for own in named for column in own.values()))


def _stacked(
    metric: CountedMetric,
    systems: Sequence[str],
    system: str | None,
    values: Mapping[str, FloatArray],
    rows: IntArray,
) -> FloatArray:
    """One metric's counts, shape (n, n_systems, s)."""
    statistics = metric.family.statistics
    stacked = np.empty((rows.shape[0], len(systems), len(statistics)), order="F")
    for index, name in enumerate(systems):
        columns = metric.columns["" if system is not None else name]
        own = rows[:, index if system is not None else 0]
        for position, statistic in enumerate(statistics):
            stacked[:, index, position] = values[columns[statistic]][own]
    return stacked


KIND = FileKind(
    name=NAME,
    description="One row for each example, with each system's counts in columns such as "
    "'correct_A' and 'total' or 'tp_A', 'fp_A' and 'fn_A'; or one row for each example and "
    "system, with its name and columns such as 'correct' and 'total'.",
    needs={},
    roles=("dataset", "example", "system", "run", "cluster", COVARIATES, "margin"),
    template="""\
dataset,example,correct_Ours,correct_Baseline,total
English-EWT,1,9,8,10
English-EWT,2,21,21,23
English-EWT,3,4,5,6
Danish-DDT,1,13,11,14
Danish-DDT,2,7,7,7
Danish-DDT,3,17,15,19
""",
    recognise=recognise,
    read=read,
    declares=("runs", "incomplete"),
    shows_by_headings=True,
)
