"""The layout of counts: for each example what a metric is computed from, such as correct and total.

A score over examples is then a function of sums, not a mean of scores: every
token counts the same, not every sentence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np

from core.data.layouts.chosen_runs import settle_runs
from core.data.layouts.cluster_columns import columns_but_passages, find_cluster
from core.data.layouts.clusters import check_clusters, clusters_of_examples
from core.data.layouts.count_cells import read_counts
from core.data.layouts.count_checks import check_relations, defined_metrics, remark_on_gold
from core.data.layouts.counted_metrics import (
    CountedMetric,
    are_scores_beside_lengths,
    check_columns,
    columns_of,
    find_system,
    found_counts,
    metrics_of,
    systems_of_counts,
)
from core.data.layouts.covariates import check_covariates, covariates_of_examples
from core.data.layouts.example_columns import base_columns
from core.data.layouts.incomplete import (
    incomplete_units,
    left_out,
    report_incomplete,
)
from core.data.layouts.nothing import incomplete_rows
from core.data.layouts.pairing import Pairing, Slots, arranged, pair
from core.data.layouts.per_example import ExampleFindings, check_datasets, check_systems
from core.data.layouts.reading_frame import reading_of, start, stop_at_problems
from core.data.layouts.runs import ids_and_runs
from core.data.layouts.score_arrays import ids_of
from core.data.layouts.statistic_headings import FoundCounts, Side
from core.data.layouts.unmatched import uneven_counts
from core.data.layouts.unread import remarks_on_unread
from core.data.overlap.inputs import input_columns, inputs_of
from core.data.result_set import ResultSet
from core.data.roles import (
    COVARIATES,
    LAYOUT,
    SCORES,
    SYSTEMS,
    Roles,
    column_of,
    columns_in_use,
    declared_direction,
    several_of,
)
from core.data.tables.columns import heading
from core.data.tables.raw_table import RawTable
from core.data.words import listed, quoted
from core.errors import Problem
from core.metrics.registry import STATISTIC_METRICS
from core.types import FloatArray, IntArray

NAME = "per-example counts"
ROLES = ("dataset", "example", "system", "run", "cluster", COVARIATES)


def recognise(raw: RawTable, given: Roles) -> Roles | None:
    """Every role of counts, those in `given` as they are; None for another layout."""
    asked_for = given.get(LAYOUT) == NAME
    if not asked_for and (
        any(given.get(role) for role in (SYSTEMS, SCORES)) or column_of(given, "gold") is not None
    ):
        return None
    dataset, example, _ = base_columns(raw, given)
    known = (dataset, example, column_of(given, "cluster"))
    taken = {column for column in known if column is not None}
    system = find_system(raw, given, taken)
    example, run = ids_and_runs(raw, given, example=example, others=(dataset, system))
    cluster = find_cluster(raw, given, dataset=dataset, slots=(system, run), taken=(example,))
    counts = found_counts(raw, (dataset, example, run, cluster, system))
    if not asked_for and (not counts or are_scores_beside_lengths(raw, counts)):
        return None
    metrics = metrics_of(raw, given, counts)
    return {
        LAYOUT: NAME,
        "dataset": dataset,
        "example": example,
        "system": system,
        "run": run,
        "cluster": cluster,
        "metric": given.get("metric") or (metrics[0].name if metrics else None),
        "higher_is_better": given.get(
            "higher_is_better",
            STATISTIC_METRICS[metrics[0].kind].higher_is_better if metrics else True,
        ),
    } | {role: given[role] for role in ("runs", "incomplete") if role in given}


def read(raw: RawTable, roles: Roles, source_name: str) -> ResultSet:
    """Read counts by their roles.

    Raises
    ------
    DataError
        With every problem of every column.
    """
    dataset, example = column_of(roles, "dataset"), column_of(roles, "example")
    system = column_of(roles, "system")
    counts = counts_read(raw, roles)
    # A mean of counts would weigh each example by its runs.
    raw, _, choices, remarks = settle_runs(raw, roles, averaged=False)
    metrics = metrics_of(raw, roles, counts)
    systems = systems_of_counts(raw, system, counts)
    found = start(raw, roles, source_name, choices, remarks)
    check_columns(found, roles, counts, metrics, systems, system)
    stop_at_problems(found)
    pairing = _paired(found, roles, systems)
    columns = tuple(dict.fromkeys(columns_of(counts)))
    incomplete, leaves = incomplete_units(pairing, incomplete_rows(raw, columns), roles)
    uneven = uneven_counts(found, pairing) if leaves else []
    # Examples that are left out need no cluster.
    dropped = incomplete if leaves else None
    check_clusters(found, roles, pairing, left_out=dropped, paired=True)
    check_covariates(found, roles, pairing, left_out=dropped, paired=True)
    if leaves:
        unclear = found.problems
        kept, said, answered = left_out(found, pairing, incomplete)
        found = start(kept, roles, source_name)
        pairing = _paired(found, roles, systems, order=pairing)
        found.problems.extend(unclear)
        found.remarks.extend((*remarks, *said))
        found.choices.extend((*choices, *answered))
    values = {column: read_counts(found, column) for column in columns}
    if not leaves:
        report_incomplete(found, pairing, incomplete)
    else:
        found.problems.extend(uneven)
    for entry in counts:
        check_relations(found, entry, values)
    _check_more_than_one_example(found, pairing, dataset, example)
    stop_at_problems(found)

    rows, ends = arranged(found, pairing)
    order = [pairing.names[0].index(name) for name in systems] if system is not None else None
    rows = rows[:, :, 0, 0] if order is None else rows[:, order, 0, 0]
    arrays = {
        metric.name: tuple(np.split(_stacked(metric, systems, system, values, rows), ends[:-1]))
        for metric in metrics
    }
    kinds = {metric.name: metric.kind for metric in metrics}
    names = defined_metrics(found, arrays, kinds, systems)
    stop_at_problems(found)
    remark_on_gold(found, arrays, kinds)
    _remark(found, roles, columns, systems, kinds)
    first = rows[:, 0]
    clusters = clusters_of_examples(found, roles, first, ends)
    covariates = covariates_of_examples(found, roles, first, ends, passed=columns)
    return ResultSet(
        datasets=found.groups.datasets,
        systems=systems,
        values={name: arrays[name] for name in names},
        higher_is_better={name: STATISTIC_METRICS[kinds[name]].higher_is_better for name in names},
        example_ids=ids_of(found, pairing, rows, ends),
        score_decimals=0,
        kinds={name: kinds[name] for name in names},
        inputs=inputs_of(
            found.raw,
            input_columns(found.raw, columns_but_passages(found.raw, roles).union(columns)),
            lambda cells: np.split(cells[first], ends[:-1]),
        ),
        clusters=clusters,
        covariate_values=covariates,
        reading=reading_of(found, roles, layout=NAME, source_name=source_name, counts=columns),
    )


def counts_read(raw: RawTable, roles: Roles) -> tuple[FoundCounts, ...]:
    """The counts of a file whose other columns have these roles."""
    named = [column_of(roles, role) for role in ("dataset", "example", "run", "cluster")]
    described = several_of(roles, COVARIATES) or ()
    return found_counts(raw, (*named, *described, column_of(roles, "system")))


def columns_read(raw: RawTable, roles: Roles) -> tuple[str, ...]:
    """The columns of these counts."""
    return tuple(dict.fromkeys(columns_of(counts_read(raw, roles))))


def _paired(
    found: ExampleFindings, roles: Roles, systems: Sequence[str], *, order: Pairing | None = None
) -> Pairing:
    """Every row's example and system."""
    # A heading such as "correct_1" is a name, even of a system "1".
    check_systems(found, systems, from_header=False)
    check_datasets(found, column_of(roles, "dataset"))
    slots = Slots(system=column_of(roles, "system"))
    pairing = pair(found, column_of(roles, "example"), slots, order=order)
    stop_at_problems(found)
    # Without a pairing there is a problem.
    return cast(Pairing, pairing)


def _stacked(
    metric: CountedMetric,
    systems: Sequence[str],
    system: str | None,
    values: Mapping[str, FloatArray],
    rows: IntArray,
) -> FloatArray:
    """One metric's counts, shape (n, n_systems, s)."""
    statistics = metric.counts.family.statistics
    stacked = np.empty((rows.shape[0], len(systems), len(statistics)), order="F")
    for index, name in enumerate(systems):
        side: Side = (metric.label, "" if system is not None else name)
        own = rows[:, index if system is not None else 0]
        for position, statistic in enumerate(statistics):
            stacked[:, index, position] = values[metric.counts.columns[side][statistic]][own]
    return stacked


def _check_more_than_one_example(
    found: ExampleFindings, pairing: Pairing, dataset: str | None, example: str | None
) -> None:
    if example is not None or dataset is None or pairing.n_units > len(found.groups.datasets):
        return
    found.problems.append(
        Problem(
            what=f"Each dataset of {quoted(dataset)} has one row of counts: without the examples "
            "nothing can be tested within a dataset.",
            remedy="Give the counts of each example, or a p-value for each dataset in a column "
            "'p_value'. If the rows are examples, choose their column for the ids, and another or "
            "none for the datasets.",
            column=dataset,
        )
    )


def _remark(
    found: ExampleFindings,
    roles: Roles,
    columns: Sequence[str],
    systems: Sequence[str],
    kinds: Mapping[str, str],
) -> None:
    used = columns_in_use(roles).union(columns)
    unread = [
        column for column in found.raw.header if column not in used and heading(column) != "metric"
    ]
    found.remarks.extend(remarks_on_unread(found.raw, unread, of_examples=roles))
    if len(systems) > 2:
        found.remarks.append(f"{len(systems)} systems are read: {listed(systems)}.")
    metric, kind = next(iter(kinds.items()))
    higher = STATISTIC_METRICS[kind].higher_is_better
    if declared_direction(roles, metric) is not higher:
        found.remarks.append(
            f"{'A higher' if higher else 'A lower'} {metric} is better, whatever is declared: it "
            "follows from the counts."
        )
