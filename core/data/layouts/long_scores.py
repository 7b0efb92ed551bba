"""The layout of scores in rows: a row for each example and system, a column for each metric."""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import DataError, Problem
from ..result_set import ResultSet
from ..roles import (
    COVARIATES,
    LAYOUT,
    SCORES,
    Roles,
    column_of,
    columns_in_use,
    several_of,
    systems_of,
)
from ..tables.headings import (
    COUNTER_HEADINGS,
    EXAMPLE_HEADINGS,
    PLAIN_SCORE_HEADINGS,
    PREDICTION_HEADINGS,
    RUN_HEADINGS,
    SYSTEM_HEADINGS,
    UNIT_HEADINGS,
    heading,
    names_metric,
)
from ..tables.number_column import is_textual
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
from .pairing import Slots, n_distinct
from .per_example import (
    ExampleFindings,
    check_datasets,
    check_systems,
    remark_on_single_row_runs,
    remarks_on_unread,
)
from .row_units import find_matching, order_problem, remark_on_counters
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
from .score_cells import is_binary, numeric_columns

NAME = "scores in rows"
ROLES = ("dataset", "example", "system", SCORES, "metric_names", "run", "cluster", COVARIATES)


def recognise(raw: RawTable, given: Roles) -> Roles | None:
    """Every role of scores in rows, those in `given` as they are; None for another layout."""
    asked_for = given.get(LAYOUT) == NAME or bool(several_of(given, SCORES))
    if not asked_for and (systems_of(given) is not None or column_of(given, "gold") is not None):
        return None
    dataset, example, gold = base_columns(raw, given)
    system = find_system(raw, given, dataset, example)
    if system is None and not asked_for:
        return None
    known = (dataset, example, gold, system, column_of(given, "cluster"))
    taken = [column for column in known if column is not None]
    metric_names = find_metric_names(raw, given, set(taken))
    taken += [metric_names] if metric_names is not None else []
    example = _paired_by(raw, given, example)
    slots = [column for column in (system, metric_names) if column is not None]
    if example is None and "example" not in given and system is not None:
        free = {*taken, *(several_of(given, SCORES) or ())}
        example = find_matching(raw, dataset, slots, free)
        taken += [example] if example is not None else []
    scores = several_of(given, SCORES) or _score_columns(raw, taken)
    others = (dataset, system, metric_names)
    example, run = ids_and_runs(raw, given, example=example, others=others, single_rows=True)
    if not asked_for and (not scores or _one_row_each(raw, example, others)):
        return None
    cluster = find_cluster(
        raw, given, dataset=dataset, slots=(system, metric_names, run), taken=(*taken, example)
    )
    if example is None and "example" not in given and slots:
        slots += [run] if run is not None else []
        held = {*taken, *scores, *([cluster] if cluster is not None else [])}
        _check_order(raw, dataset, slots, held)
    roles: dict[str, object] = {
        LAYOUT: NAME,
        "dataset": dataset,
        "example": example,
        "system": system,
        SCORES: scores,
        "metric_names": metric_names,
        "run": run,
        "cluster": cluster,
    }
    roles |= {role: given[role] for role in ("runs", "incomplete", "scales") if role in given}
    metrics = _metrics(raw, {**roles, "metric": given.get("metric")})
    declared = given.get("metric")
    roles["metric"] = declared if declared and len(metrics) > 1 else metrics[0]
    roles["higher_is_better"] = directions_of(given, metrics)
    return roles


def read(raw: RawTable, roles: Roles, source_name: str) -> ResultSet:
    """Read scores in rows by their roles, paired by example.

    Raises
    ------
    DataError
        With every problem of every row, and every system that lacks examples.
    """
    system, scores = column_of(roles, "system"), several_of(roles, SCORES) or ()
    raw, run, choices, remarks = settle_runs(raw, roles)
    raw, wrong, asked = scores_as_wrong(raw, roles, scores)
    found = start(raw, roles, source_name, (*choices, *asked), (*remarks, *wrong))
    metrics = _metrics(raw, roles)
    _check_roles(found, roles)
    check_metrics(found, roles, metrics)
    if system is not None:
        names = [name for name in raw.coded(system).texts if name]
        check_systems(found, names, from_header=False)
    stop_at_problems(found)

    check_datasets(found, column_of(roles, "dataset"))
    metric_names = column_of(roles, "metric_names")
    slots = Slots(system=system, metric=metric_names, run=run)
    found.may_be_wrong = is_binary(raw, scores)
    found, pairing = complete_scores(found, roles, slots, scores, source_name)

    systems = pairing.names[0]
    _remark_on_rows(found, roles, systems, metrics)
    remark_on_directions(found, roles, metrics)
    # The metrics are columns where several hold scores, else all stand in one.
    cells = {
        metric: [metric if len(scores) > 1 else scores[0]] * len(systems) for metric in metrics
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


def find_system(
    raw: RawTable, given: Roles, dataset: str | None, example: str | None
) -> str | None:
    """The column that names the system of each row: as given, else by heading and repeated names."""
    if "system" in given:
        return column_of(given, "system")
    taken = columns_in_use(given) | {dataset, example}
    for column in raw.header:
        if (
            heading(column) in SYSTEM_HEADINGS
            and column not in taken
            and len(raw.coded(column).array) > 1
            and (has_repeats(raw, column) or _examples_repeat(raw, dataset, example))
        ):
            if is_textual(raw, column):
                return column
            rest = _score_columns(raw, [c for c in (dataset, example, column) if c is not None])
            if rest and (len(rest) == 1 or all(map(names_metric, rest))):
                return column
    return None


def _examples_repeat(raw: RawTable, dataset: str | None, example: str | None) -> bool:
    """Whether some example of a dataset stands in several rows."""
    if example is None:
        return False
    keys = [raw.coded(column).codes for column in (dataset, example) if column is not None]
    return n_distinct(*keys) < raw.n_rows


def _score_columns(raw: RawTable, taken: Sequence[str]) -> tuple[str, ...]:
    """Columns of numbers that are no answers of a system."""
    return tuple(
        column
        for column in numeric_columns(raw, taken)
        if heading(column) not in PREDICTION_HEADINGS
    )


def _paired_by(raw: RawTable, given: Roles, example: str | None) -> str | None:
    """The column of ids; a counter that numbers every row of the file pairs nothing."""
    if example is None or "example" in given or not counts_rows(example):
        return example
    return example if has_repeats(raw, example) else None


def _check_order(raw: RawTable, dataset: str | None, slots: Sequence[str], taken: set[str]) -> None:
    """Rows that would be paired in their order are of the same examples, as far as can be seen."""
    found = order_problem(raw, dataset, slots, taken)
    if found is not None:
        problem, choices = found
        raise DataError([problem], columns=raw.header, choices=choices)


def _one_row_each(raw: RawTable, example: str | None, others: Sequence[str | None]) -> bool:
    """Whether each dataset and system has a single row: a score each, not one an example."""
    if example is not None:
        return False
    keys = [raw.coded(name).codes for name in others if name is not None]
    return bool(keys) and n_distinct(*keys) == raw.n_rows


def _metrics(raw: RawTable, roles: Roles) -> tuple[str, ...]:
    """Names of the metrics, the default first."""
    column, scores = column_of(roles, "metric_names"), several_of(roles, SCORES) or ()
    if column is not None:
        names = [name for name in raw.coded(column).texts if name]
        return metrics_in_order(names, roles) or ("score",)
    if len(scores) > 1:
        return metrics_in_order(scores, roles)
    metric, stated = roles.get("metric"), stated_metrics(raw)
    if isinstance(metric, str) and metric:
        return (metric,)
    if len(stated) == 1 and stated[0]:
        return stated
    if scores and heading(scores[0]) not in PLAIN_SCORE_HEADINGS:
        return (scores[0],)
    return ("accuracy" if is_binary(raw, scores) else "score",)


def _check_roles(found: ExampleFindings, roles: Roles) -> None:
    """There is a column of systems, two of them, and as many columns of scores as can be read."""
    system, scores = column_of(roles, "system"), several_of(roles, SCORES) or ()
    found.problems.extend(KIND.lacking(roles))
    if system is not None:
        names = [name for name in found.raw.coded(system).texts if name]
        if len(names) < 2:
            some = f"only {quoted(names[0])}" if names else "no system"
            found.problems.append(
                Problem(
                    what=f"The column names {some}; a comparison needs two systems.",
                    remedy="Add the rows of another system, or choose another column.",
                    column=system,
                )
            )
    if not scores:
        found.problems.append(
            Problem(
                what="No column holds scores.",
                remedy="Give the score of each row in a column 'score', or choose the column.",
            )
        )
    metric_names = column_of(roles, "metric_names")
    if metric_names is not None and len(scores) > 1:
        found.problems.append(
            Problem(
                what=f"{quoted(metric_names)} names the metric of each row, but {listed(scores)} "
                "all hold numbers.",
                remedy="Choose the one column that holds the scores.",
            )
        )


def _remark_on_rows(
    found: ExampleFindings, roles: Roles, systems: Sequence[str], metrics: Sequence[str]
) -> None:
    used = columns_in_use(roles)
    unread = [column for column in found.raw.header if column not in used]
    found.remarks.extend(remarks_on_unread(found.raw, unread, of_examples=roles))
    found.remarks.extend(remark_on_counters(found.raw, unread, used))
    example = column_of(roles, "example")
    known = (*EXAMPLE_HEADINGS, *UNIT_HEADINGS, *COUNTER_HEADINGS, *RUN_HEADINGS)
    if example is not None and heading(example) not in known:
        found.remarks.append(f"Examples are matched by {quoted(example)}.")
    if len(systems) > 2:
        found.remarks.append(f"{len(systems)} systems are read: {listed(systems)}.")
    by_column = column_of(roles, "metric_names") is None and len(metrics) > 1
    if by_column and not all(map(names_metric, metrics)):
        found.remarks.append(
            f"{len(metrics)} metrics are read: {listed(metrics)}. Choose others if one of these "
            "columns is no metric."
        )
    remark_on_single_row_runs(found, roles)


KIND = FileKind(
    name=NAME,
    description="One row for each example and system: its dataset, the example's id where "
    "there is one, the system's name, and one column for each metric or one that names it. "
    + COVARIATES_TOO,
    needs={"system": "the systems' names"},
    roles=ROLES,
    template="""\
dataset,example,system,accuracy,f1
SST-2,1,Our system,1,0.91
SST-2,2,Our system,1,0.84
SST-2,3,Our system,0,0.35
SST-2,1,Baseline,1,0.88
SST-2,2,Baseline,0,0.42
SST-2,3,Baseline,0,0.31
RTE,1,Our system,1,0.77
RTE,2,Our system,0,0.46
RTE,1,Baseline,1,0.69
RTE,2,Baseline,1,0.58
""",
    recognise=recognise,
    read=read,
)
