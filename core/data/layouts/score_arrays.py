"""From rows of scores to a result set, whichever layout the rows had."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa

from ...errors import Choice, DataError, Problem
from ...types import FloatArray, IntArray
from ..overlap.inputs import INPUT_HEADINGS, inputs_of_rows
from ..result_set import ResultSet
from ..roles import Roles, column_of, declared_direction
from ..tables.headings import METRIC_NAME_HEADINGS, find_column, heading, lower_is_better
from ..tables.number_column import is_textual
from ..tables.raw_table import RawTable
from ..words import listed, quoted
from .complete_rows import (
    clusters_of_examples,
    complete_rows,
    counts_wrong,
    missing_as_wrong,
    reading_of,
    stop_at_problems,
)
from .covariates import covariates_of_examples
from .example_columns import columns_but_passages
from .pairing import Pairing, Slots, arranged
from .per_example import ExampleFindings
from .runs import by_dataset, kept_runs, mean_of_runs
from .scales import (
    find_scales,
    has_percent,
    notation_remarks,
    remark_on_exceptions,
)
from .score_cells import (
    check_scores,
    is_binary,
    missing_rows,
    missing_texts,
    remark_on_truth_words,
    says_right_or_wrong,
    scores_of,
)

# More different values than this are no names of metrics.
MAX_METRICS = 200


def find_metric_names(raw: RawTable, given: Roles, taken: set[str]) -> str | None:
    """The column that names the metric of each row: as given, else by heading and several names."""
    if "metric_names" in given:
        return column_of(given, "metric_names")
    found = find_column(raw.header, METRIC_NAME_HEADINGS, taken=taken)
    if found is None or not is_textual(raw, found):
        return None
    return found if 2 <= len(raw.coded(found).array) <= MAX_METRICS else None


def metrics_in_order(names: Sequence[str], given: Roles) -> tuple[str, ...]:
    """Several metrics, the one that was asked for first."""
    wanted = given.get("metric")
    first = [name for name in names if name == wanted]
    return (*first, *(name for name in names if name != wanted))


def directions_of(
    given: Roles, metrics: Sequence[str], *, columns: Sequence[str] = ()
) -> bool | dict[str, bool]:
    """Whether higher is better: as declared, else by each metric's name.

    One answer for one metric, a mapping for several. `columns` are headings
    whose words speak for a single metric too. What is declared of metrics that
    the file does not have is kept, to be reported.
    """
    resolved = {}
    for metric in metrics:
        declared = declared_direction(given, metric)
        word = lower_is_better((metric,))
        if word is None and len(metrics) == 1 and columns:
            word = lower_is_better(tuple(columns))
        resolved[metric] = word is None if declared is None else declared
    declared_of = given.get("higher_is_better")
    unknown = (
        {metric: higher for metric, higher in declared_of.items() if metric not in resolved}
        if isinstance(declared_of, Mapping)
        else {}
    )
    if len(metrics) == 1 and not unknown:
        return resolved[metrics[0]]
    return {**resolved, **unknown}


def check_metrics(found: ExampleFindings, roles: Roles, metrics: Sequence[str]) -> None:
    """What is declared of metrics is declared of those that the file has."""
    declared = roles.get("higher_is_better")
    named = tuple(declared) if isinstance(declared, Mapping) else ()
    wanted = roles.get("metric")
    for role, names in (("higher_is_better", named), ("metric", (wanted,))):
        for name in names:
            if isinstance(name, str) and name not in metrics:
                found.problems.append(
                    Problem(
                        what=f"`{role}` names the metric {quoted(name)}, which the file does not "
                        "have.",
                        remedy=f"Its metrics are {listed(metrics)}.",
                    )
                )


def remark_on_directions(
    found: ExampleFindings, roles: Roles, metrics: Sequence[str], columns: Sequence[str] = ()
) -> None:
    """Remarks on metrics whose names say that lower is better, followed or not."""
    for metric in metrics:
        word = lower_is_better((metric,))
        if word is None and len(metrics) == 1 and columns:
            word = lower_is_better(tuple(columns))
        if word is None:
            continue
        higher = bool(declared_direction(roles, metric))
        found.remarks.append(direction_remark(word, higher=higher))


def direction_remark(word: str, *, higher: bool) -> str:
    """On a word that says that lower is better, followed or not."""
    if higher:
        return f"{quoted(word)} usually means that lower is better, but higher is declared to be."
    return f"Lower is taken to be better, as the scores are named {quoted(word)}."


def scores_as_wrong(
    raw: RawTable, roles: Roles, columns: Sequence[str]
) -> tuple[RawTable, tuple[str, ...], tuple[Choice, ...]]:
    """The rows with 0 for each missing score where that was chosen; a remark, and the question.

    Raises
    ------
    DataError
        If it was chosen and the scores are not 0 and 1.
    """
    if not counts_wrong(roles):
        return raw, (), ()
    if not is_binary(raw, columns):
        problem = Problem(
            what="Missing scores count as wrong only where all others are 0 or 1.",
            remedy="Leave the examples out instead.",
        )
        raise DataError([problem], columns=raw.header)
    numbers = [scores_of(raw, column) for column in columns]
    missing = np.column_stack([missing_texts(own)[own.coded.codes] for own in numbers])
    wrong = {c: "false" if says_right_or_wrong(raw, c) else "0" for c in columns}
    return missing_as_wrong(raw, roles, missing, wrong)


def complete_scores(
    found: ExampleFindings, roles: Roles, slots: Slots, columns: Sequence[str], source_name: str
) -> tuple[ExampleFindings, Pairing]:
    """The rows of examples with every score, paired.

    Raises
    ------
    DataError
        With every problem, as `complete_rows`.
    """

    def check(found: ExampleFindings, missing_allowed: bool) -> None:
        for column in columns:
            check_scores(found, column, missing_allowed=missing_allowed, metric_names=slots.metric)

    return complete_rows(
        found,
        roles,
        slots,
        source_name,
        missing=lambda raw: missing_rows(raw, columns),
        check=check,
    )


def result_set_of(
    found: ExampleFindings,
    pairing: Pairing,
    roles: Roles,
    *,
    layout: str,
    source_name: str,
    systems: Sequence[str],
    cells: Mapping[str, Sequence[str]],
) -> ResultSet:
    """The scores of complete examples, with the remarks on their numbers.

    Parameters
    ----------
    cells : mapping of str to sequence of str
        For each metric, in order, the column that holds each system's scores.
        Which rows of it are the system's and metric's own, `pairing` says.

    Raises
    ------
    DataError
        Where systems are on different scales.
    """
    rows, ends = arranged(found, pairing)
    columns = tuple(dict.fromkeys(column for held in cells.values() for column in held))
    numbers = {column: scores_of(found.raw, column) for column in columns}
    found.remarks.extend(notation_remarks(numbers))
    remark_on_truth_words(found, columns)
    decimals = max(int(column.decimals.max()) for column in numbers.values())
    _, metrics, runs = pairing.names
    per_metric, of_runs = {}, {}
    for metric, held in cells.items():
        m = metrics.index(metric) if metric in metrics else 0
        of_metric = [rows[:, s if rows.shape[1] > 1 else 0, m, :] for s in range(len(systems))]
        values = np.empty((rows.shape[0], len(systems)), order="F")
        last, scores = "", values[:, 0]
        own_runs: list[FloatArray] = []
        for s, column in enumerate(held):
            if pairing.n_slots == 1 and found.groups.is_contiguous:
                numbers[column].write_values(values[:, s])
                continue
            # A column that several systems share is made once, others are let go.
            if column != last:
                last, scores = column, numbers[column].values
            own_runs.append(scores[of_metric[s]])
            values[:, s] = mean_of_runs(own_runs[-1], decimals)
        del scores
        of = "Scores" if len(cells) == 1 else f"Scores in {quoted(metric)}"
        if len(runs) == 1:
            places: IntArray = (
                np.broadcast_to(rows[:, 0, m, :], values.shape)
                if rows.shape[1] == 1
                else np.stack([own[:, 0] for own in of_metric], axis=1)
            )
            named = [f"{system} ({metric})" for system in systems] if len(cells) > 1 else systems
            remark_on_exceptions(found, named, values, places)
        percent = np.array(
            [has_percent(numbers[column], own) for column, own in zip(held, of_metric, strict=True)]
        )
        find_scales(
            found,
            roles,
            systems,
            values,
            ends,
            metric=metric,
            percent=percent,
            of=of,
            columns=held if pairing.names[0] == ("",) else (),
        )
        # What nobody can change need not be copied.
        values.flags.writeable = False
        per_metric[metric] = tuple(np.split(values, ends[:-1]))
        if len(runs) > 1:
            of_runs[metric] = by_dataset(own_runs, ends)
    stop_at_problems(found)
    first_rows = rows.reshape(rows.shape[0], -1)[:, 0]
    clusters = clusters_of_examples(found, roles, first_rows, ends)
    covariates = covariates_of_examples(found, roles, first_rows, ends)
    return ResultSet(
        datasets=found.groups.datasets,
        systems=tuple(systems),
        values=per_metric,
        higher_is_better={
            metric: declared_direction(roles, metric) is not False for metric in cells
        },
        example_ids=ids_of(found, pairing, rows, ends),
        score_decimals=decimals if len(runs) == 1 else -1,
        inputs=inputs_of_rows(found.raw, first_rows, ends, _no_inputs(found.raw, roles, columns)),
        clusters=clusters,
        covariate_values=covariates,
        repeated_runs=kept_runs(roles, pairing, len(systems), of_runs),
        reading=reading_of(found, roles, layout=layout, source_name=source_name),
    )


def _no_inputs(raw: RawTable, roles: Roles, columns: Sequence[str]) -> set[str]:
    """Columns that hold no texts that systems were given, as ids that are such texts do."""
    taken = columns_but_passages(raw, roles).union(columns)
    example = column_of(roles, "example")
    if example is not None and heading(example) in INPUT_HEADINGS:
        taken.discard(example)
    return taken


def ids_of(
    found: ExampleFindings, pairing: Pairing, rows: IntArray, ends: IntArray
) -> tuple[pa.Array, ...] | None:
    """For each dataset the ids of its examples, None where there are none."""
    if pairing.example is None:
        return None
    ids = found.raw.column(pairing.example)
    if pairing.n_slots > 1 or not found.groups.is_contiguous:
        ids = ids.take(pa.array(rows.reshape(rows.shape[0], -1)[:, 0]))
    starts = [0, *ends[:-1].tolist()]
    return tuple(
        ids.slice(start_of, end - start_of)
        for start_of, end in zip(starts, ends.tolist(), strict=True)
    )
