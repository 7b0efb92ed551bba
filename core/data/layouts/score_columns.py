"""The layout of per-example scores: a row for each example, a column for each system.

Several metrics stand below one another, with a column that names the metric of
each row, or side by side, as in 'acc_a', 'acc_b', 'f1_a', 'f1_b'.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import DataError, Problem
from ..result_set import ResultSet
from ..roles import COVARIATES, LAYOUT, SYSTEMS, Roles, column_of, systems_of
from ..tables.headings import lower_is_better
from ..tables.raw_table import RawTable
from ..words import listed, quoted
from .complete_rows import start, stop_at_problems
from .example_columns import (
    base_columns,
    counts_rows,
    find_cluster,
    has_repeats,
    stated_metrics,
)
from .file_kind import COVARIATES_TOO, FileKind
from .gold_numbers import SCORES as BESIDE_GOLD
from .gold_numbers import scores_or_correlated
from .heading_grid import MetricGrid, ask_for_order, metric_grid
from .pairing import Slots
from .per_example import (
    ExampleFindings,
    check_datasets,
    check_systems,
    remark_on_columns,
    remark_on_single_row_runs,
)
from .row_units import examples_repeat
from .runs import ids_and_runs, settle_runs
from .score_arrays import (
    check_metrics,
    complete_scores,
    directions_of,
    find_metric_names,
    metrics_in_order,
    remark_on_directions,
    result_set_of,
    scores_as_wrong,
)
from .score_cells import (
    certainty_columns,
    certainty_remarks,
    doubt_choices,
    doubt_problems,
    is_binary,
    numeric_columns,
)

__all__ = ["NAME", "ROLES", "numeric_columns", "read", "recognise"]

NAME = BESIDE_GOLD
ROLES = ("dataset", "example", SYSTEMS, "metric_names", "run", "cluster", COVARIATES)


def recognise(raw: RawTable, given: Roles) -> Roles | None:
    """Every role of per-example scores, those in `given` as they are; None for another layout."""
    dataset, example, _ = base_columns(raw, given)
    taken = [column for column in (dataset, example) if column is not None]
    metric_names = find_metric_names(raw, given, set(taken))
    others = (dataset, metric_names)
    example, run = ids_and_runs(raw, given, example=example, others=others, single_rows=True)
    cluster = find_cluster(
        raw, given, dataset=dataset, slots=(metric_names, run), taken=(*taken, example)
    )
    taken += [column for column in (metric_names, example, run, cluster) if column is not None]
    systems, chosen = systems_of(given), systems_of(given) is not None
    if systems is None:
        found = numeric_columns(raw, taken)
        beside = certainty_columns(found)
        systems = tuple(column for column in found if column not in beside)
    asked_for = given.get(LAYOUT) == NAME or systems_of(given) is not None
    if not asked_for and not (len(systems) >= 2 and _has_examples(raw, given, dataset, example)):
        return None
    roles: dict[str, object] = {
        LAYOUT: NAME,
        "dataset": dataset,
        "example": example,
        SYSTEMS: systems,
        "metric_names": metric_names,
        "run": run,
        "cluster": cluster,
    }
    roles |= {role: given[role] for role in ("runs", "incomplete", "scales") if role in given}
    metrics = _metrics(raw, {**roles, "metric": given.get("metric")})
    declared = given.get("metric")
    roles["metric"] = declared if declared and len(metrics) > 1 else metrics[0]
    roles["higher_is_better"] = directions_of(given, metrics, columns=systems)
    if not chosen and metric_names is None:
        ask_for_order(raw, given, systems)
    # Examples that stand twice are a mistake to be mended first.
    unique = example is None or run is not None or not examples_repeat(raw, dataset, example)
    doubts = doubt_problems(raw, systems, given) if unique and not chosen else []
    if doubts:
        raise DataError(
            doubts, columns=raw.header, choices=doubt_choices(raw, systems, doubts), roles=roles
        )
    return roles


def read(raw: RawTable, roles: Roles, source_name: str) -> ResultSet:
    """Read per-example scores by their roles.

    Raises
    ------
    DataError
        With every problem of every column.
    """
    raw, run, choices, remarks = settle_runs(raw, roles)
    columns = systems_of(roles) or ()
    raw, wrong, asked_wrong = scores_as_wrong(raw, roles, columns)
    found = start(raw, roles, source_name, (*choices, *asked_wrong), (*remarks, *wrong))
    grid = _grid(roles)
    systems = columns if grid is None else grid.systems
    metrics = _metrics(raw, roles)
    _check_number_of_systems(found, systems)
    check_systems(found, systems)
    check_metrics(found, roles, metrics)
    asked = scores_or_correlated(raw, {role: roles[role] for role in roles if role != "gold"})
    found.choices.extend([] if asked is None else [asked])
    stop_at_problems(found)

    check_datasets(found, column_of(roles, "dataset"))
    slots = Slots(metric=column_of(roles, "metric_names"), run=run)
    found.may_be_wrong = is_binary(raw, columns)
    found, pairing = complete_scores(found, roles, slots, columns, source_name)

    remark_on_columns(found, roles, systems)
    found.remarks.extend(certainty_remarks(raw.header, columns))
    remark_on_single_row_runs(found, roles)
    _remark_on_metrics(found, metrics, grid)
    remark_on_directions(found, roles, metrics, columns)
    cells = {
        metric: columns
        if grid is None
        else tuple(grid.columns[metric, system] for system in systems)
        for metric in metrics
    }
    return result_set_of(
        found,
        pairing,
        roles,
        layout=NAME,
        source_name=source_name,
        systems=systems,
        cells=cells,
    )


def _metrics(raw: RawTable, roles: Roles) -> tuple[str, ...]:
    """Names of the metrics, the default first."""
    column, systems = column_of(roles, "metric_names"), systems_of(roles) or ()
    if column is not None:
        names = [name for name in raw.coded(column).texts if name]
        return metrics_in_order(names, roles) or ("score",)
    grid = _grid(roles)
    if grid is not None:
        return metrics_in_order(grid.metrics, roles)
    stated = stated_metrics(raw)
    named = stated[0] if len(stated) == 1 else ""
    metric = roles.get("metric")
    if isinstance(metric, str) and metric:
        return (metric,)
    word = lower_is_better((named,)) or lower_is_better(systems)
    return (named or word or ("accuracy" if is_binary(raw, systems) else "score"),)


def _grid(roles: Roles) -> MetricGrid | None:
    """The columns as metrics × systems; another name declared for the metric says they are not."""
    if column_of(roles, "metric_names") is not None:
        return None
    grid = metric_grid(systems_of(roles) or ())
    metric = roles.get("metric")
    return grid if grid is None or not metric or metric in grid.metrics else None


def _has_examples(raw: RawTable, given: Roles, dataset: str | None, example: str | None) -> bool:
    """Whether the rows are examples, and not one dataset each."""
    if dataset is None:
        return True
    if has_repeats(raw, dataset):
        return True
    return "example" in given if counts_rows(example) else example is not None


def _check_number_of_systems(found: ExampleFindings, systems: Sequence[str]) -> None:
    if len(systems) >= 2:
        return
    some = f"Only {quoted(systems[0])} holds scores" if systems else "No column holds scores"
    found.problems.append(
        Problem(
            what=f"{some}; a comparison needs two systems.",
            remedy="Give each system a column of scores, one a row, or choose the columns.",
        )
    )


def _remark_on_metrics(
    found: ExampleFindings, metrics: Sequence[str], grid: MetricGrid | None
) -> None:
    if grid is not None:
        found.remarks.append(
            f"The columns are read as the metrics {listed(metrics)} of the systems "
            f"{listed(grid.systems)}. If each column is a system, declare one name for their "
            "metric."
        )


KIND = FileKind(
    name=NAME,
    description="One row for each example: its dataset, its id where there is one, and the "
    "score of each system, 0 or 1 or any number. " + COVARIATES_TOO,
    needs={},
    roles=ROLES,
    template="""\
dataset,example,Our system,Baseline
SST-2,1,1,1
SST-2,2,1,0
SST-2,3,0,0
SST-2,4,1,1
MRPC,1,1,0
MRPC,2,0,1
MRPC,3,1,1
RTE,1,1,1
RTE,2,1,0
RTE,3,0,0
""",
    recognise=recognise,
    read=read,
)
