"""Per-example scores, with a column for each system or a row for each: two kinds, read by one function.

Several metrics stand below one another, with a column that names the metric of each row, or side
by side: 'acc_a', 'acc_b', 'f1_a', 'f1_b' of systems in columns, 'acc', 'f1' of systems in rows.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from ...errors import LEFT_OUT, DataError, Problem, answers, listed, quoted
from ...types import FloatArray, IntArray
from ..result_set import ResultSet
from ..roles import (
    COUNT_WRONG,
    COVARIATES,
    LAYOUT,
    SCORES,
    SYSTEMS,
    Roles,
    column_of,
    declared_direction,
    several_of,
    systems_of,
)
from ..tables.directions import (
    HeadingGrid,
    lower_datasets,
    lower_is_better,
    lower_metric,
    metric_grid,
    names_metric,
    names_score,
)
from ..tables.headings import is_named
from ..tables.raw_table import RawTable
from .cells import direction_remarks
from .columns import Columns, FileKind, held, scores_of_rows
from .complete_rows import beside_scores, complete_scores, count_missing_as_wrong
from .doubtful_systems import ask_about_systems, no_score_columns, remark_on_columns
from .mending import ask_for_order
from .pairing import Arranged, kept_runs, mean_of_runs, settle_runs
from .per_example import (
    NEEDS_TWO_SYSTEMS,
    ExampleFindings,
    check_systems,
    remark_on_single_row_runs,
)
from .predictions import PER_EXAMPLE_SCORES, scores_or_correlated
from .row_units import (
    check_order,
    check_settings,
    check_steps,
    counts_rows,
    find_matching,
    has_repeats,
    incomplete_rows,
    lines_without,
    n_combinations,
    stated_metrics,
)
from .score_cells import (
    Extents,
    check_scales,
    has_percent,
    is_binary,
    notation_remarks,
    numeric_columns,
    remark_on_exceptions,
    remark_on_truth_words,
    says_right_or_wrong,
    scores_of,
)

IN_COLUMNS, IN_ROWS = PER_EXAMPLE_SCORES, "scores in rows"


def recognise_columns(columns: Columns) -> Roles | None:
    """Every role of scores in columns, those given as they are; None for another layout."""
    raw, given, dataset = columns.raw, columns.given, columns.dataset
    taken = held(dataset, columns.example)
    metric_names = columns.metric_names(taken)
    of_examples = columns.of_examples(columns.example, (metric_names,), taken)
    example, run = of_examples["example"], of_examples["run"]
    systems, chosen = systems_of(given), systems_of(given) is not None
    if systems is None:
        found = numeric_columns(raw, [*taken, *held(metric_names, *of_examples.values())])
        beside = no_score_columns(found)
        systems = tuple(column for column in found if column not in beside)
    # Whether rows are examples, and not one dataset each.
    ids = "example" in given if counts_rows(example) else example is not None
    of_rows = dataset is None or has_repeats(raw, dataset) or ids
    if not (columns.asks_for(IN_COLUMNS) or chosen or (len(systems) >= 2 and of_rows)):
        return None
    if "example" not in given:
        check_steps(raw, columns.within, example)
    is_open = not (chosen or "example" in given or example or run)
    if is_open and dataset is not None and not is_binary(raw, systems):
        check_settings(
            raw, columns.within, held(metric_names), systems, held(of_examples["cluster"]), ()
        )
    roles: dict[str, object] = {**of_examples, SYSTEMS: systems, "metric_names": metric_names}
    _settle_metrics(raw, given, roles)
    if not chosen:
        if metric_names is None and dataset is None:
            ask_for_order(columns, systems)
        # Examples that stand twice are a mistake to be mended first.
        keys = held(dataset, example)
        unique = example is None or run is not None or n_combinations(raw, keys) == raw.n_rows
        if unique:
            ask_about_systems(raw, systems, given, roles)
    return roles


def recognise_rows(columns: Columns) -> Roles | None:
    """Every role of scores in rows, those given as they are; None for another layout."""
    raw, given = columns.raw, columns.given
    scores = given_scores = several_of(given, SCORES) or ()
    asked_for = columns.asks_for(IN_ROWS) or bool(given_scores)
    dataset, system, example = columns.dataset, columns.system, columns.example
    if system is None and not asked_for:
        return None
    taken = [*columns.base, *held(system, column_of(given, "cluster"))]
    metric_names = columns.metric_names(taken)
    taken += held(metric_names)
    free_to_find = "example" not in given
    if free_to_find and example is not None and counts_rows(example):
        # A counter that numbers every row of the file pairs nothing.
        example = example if has_repeats(raw, example) else None
    slots = held(system, metric_names)
    unheaded = example is None and free_to_find and system is not None
    if unheaded:
        example = find_matching(raw, columns.within, slots, {*taken, *given_scores})
        taken += held(example)
    if not given_scores:
        offered = scores_of_rows(raw, taken)
        costs = no_score_columns(offered, least=1)
        scores = tuple(column for column in offered if column not in costs)
    of_examples = columns.of_examples(example, slots, taken)
    example, run, cluster = (of_examples[role] for role in ("example", "run", "cluster"))
    if not given_scores and system is not None and example is not None:
        # What is the same for every system describes the example, unless it is named as a score.
        units = held(dataset, example)
        n_units = n_combinations(raw, units)
        apart = tuple(
            c for c in scores if names_score(c) or n_combinations(raw, [*units, c]) > n_units
        )
        scores = apart or scores
    if not asked_for:
        # A single row of each dataset and system is a score of it, not one an example.
        keys = held(dataset, *slots)
        one_each = example is None and bool(keys) and n_combinations(raw, keys) == raw.n_rows
        if one_each and dataset is None and metric_names is not None and len(scores) > 1:
            raise _systems_by_metric(raw, str(system), metric_names)
        if not scores or one_each:
            return None
    if free_to_find:
        check_steps(raw, columns.within, example, slots)
    if unheaded and not is_binary(raw, scores):
        check_settings(raw, columns.within, slots, scores, held(cluster), held(example))
    if example is None and free_to_find and slots:
        passed = {*taken, *scores, *held(cluster)}
        check_order(raw, columns.within, [*slots, *held(run)], passed)
    roles: dict[str, object] = {
        **of_examples,
        "system": system,
        SCORES: scores,
        "metric_names": metric_names,
    }
    _settle_metrics(raw, given, roles)
    return roles


def _systems_by_metric(raw: RawTable, system: str, metric_names: str) -> DataError:
    """The question which metric is read where each row is one of a system, and columns are datasets."""
    metrics = raw.coded(metric_names).texts
    return DataError.of(
        f"Each row of {quoted(system)} is a system by one metric of {quoted(metric_names)}, with its "
        "scores in the other columns.",
        "Keep the rows of one metric.",
        column=metric_names,
        choices=answers(
            "Which metric is compared?",
            *((LEFT_OUT, lines_without(raw, metric_names, name), name) for name in metrics),
        ),
    )


def _settle_metrics(raw: RawTable, given: Roles, roles: dict[str, object]) -> None:
    """Add the declarations that are given, the metric that comes first, and each one's direction."""
    metrics = tuple(_cells(raw, {**roles, "metric": given.get("metric")}))
    declared = given.get("metric")
    roles["metric"] = declared if declared and len(metrics) > 1 else metrics[0]
    # Whether higher is better: as declared, else by each metric's name, or a single one's columns.
    columns = systems_of(roles) if len(metrics) == 1 else None
    directions: dict[str, object] = {}
    for metric in metrics:
        own = declared_direction(given, metric)
        word = lower_is_better([metric], columns or ())
        directions[metric] = word is None if own is None else own
    # What is declared of metrics that the file does not have is kept, to be reported.
    of_metrics = given.get("higher_is_better")
    unknown = of_metrics if isinstance(of_metrics, Mapping) else {}
    directions = {**directions, **unknown, **directions}
    roles["higher_is_better"] = directions if len(directions) > 1 else directions[metrics[0]]


def read(found: ExampleFindings) -> ResultSet:
    """Read scores by their roles, paired by example."""
    roles, in_rows = found.roles, found.roles[LAYOUT] == IN_ROWS
    columns = several_of(roles, SCORES if in_rows else SYSTEMS) or ()
    system = found.column("system")
    settle_runs(found)
    if found.incomplete == COUNT_WRONG:
        if not is_binary(found.raw, columns):
            raise DataError.of(
                "Missing scores count as wrong only where all others are 0 or 1.",
                "Leave the examples out instead.",
            )
        wrong = {c: "false" if says_right_or_wrong(found.raw, c) else "0" for c in columns}
        count_missing_as_wrong(found, wrong, incomplete_rows)
    grid, cells = _grid(roles), _cells(found.raw, roles)
    systems: Sequence[str] = columns if grid is None else grid.seconds
    metrics = tuple(cells)
    if in_rows:
        systems = [] if system is None else [t for t in found.raw.coded(system).texts if t]
        _check_rows(found, system, systems, columns)
    else:
        found.need_two(systems, "holds scores", NEEDS_TWO_SYSTEMS)
        beside = Columns(found.raw, {role: roles[role] for role in roles if role != "gold"})
        found.choices += scores_or_correlated(beside)
    check_systems(found, systems, from_header=not in_rows)
    _check_metrics(found, metrics)
    found.stop_at_problems()

    found.may_be_wrong = is_binary(found.raw, columns)
    examples = complete_scores(found, columns)
    if in_rows:
        systems = examples.pairing.names[0]
    remark_on_columns(found, systems, of_examples=True)
    if in_rows:
        _remark_on_rows(found, metrics)
        cells = {metric: own * len(systems) for metric, own in cells.items()}
    elif grid is not None:
        found.remarks.append(
            f"The columns are read as the metrics {listed(metrics)} of the systems "
            f"{listed(grid.seconds)}. If each column is a system, declare one name for their "
            "metric."
        )
    remark_on_single_row_runs(found)
    # Each dataset may be named by a score of which lower is better: 'TED (WER)'.
    dataset, named = found.column("dataset"), () if in_rows else columns
    names = () if dataset is None else found.raw.coded(dataset).texts
    lower = lower_datasets(names)
    for metric in metrics:
        columns_of_one = named if len(metrics) == 1 else ()
        told = direction_remarks(
            found,
            lower_is_better([metric], columns_of_one),
            higher=bool(declared_direction(roles, metric)),
            metric=metric,
            systems=columns_of_one,
            lower=lower if len(lower) == len(names) else (),
        )
        found.remarks.extend(told)
    return _result_set(found, examples, systems, cells)


def _cells(raw: RawTable, roles: Roles) -> dict[str, tuple[str, ...]]:
    """For each metric, the default first, the columns of its scores: one a system, or one of all."""
    column, grid = column_of(roles, "metric_names"), _grid(roles)
    scores, metric = several_of(roles, SCORES) or (), roles.get("metric")
    columns = systems_of(roles) or scores
    cells: dict[str, tuple[str, ...]] = {}
    if column is not None:
        cells = dict.fromkeys((name for name in raw.coded(column).texts if name), columns)
    elif grid is not None:
        for first in grid.firsts:
            cells[first] = tuple(grid.columns[first, name] for name in grid.seconds)
    elif len(scores) > 1:
        cells = {name: (name,) for name in scores}
    if cells:
        return dict(sorted(cells.items(), key=lambda own: own[0] != metric))
    stated = stated_metrics(raw)
    if column is not None:
        named: str | None = "score"
    elif isinstance(metric, str) and metric:
        named = metric
    elif len(stated) == 1:
        named = stated[0]
    elif scores:
        named = None if is_named(scores[0], "score") else scores[0]
    else:
        named = lower_metric(columns)
    return {named or ("accuracy" if is_binary(raw, columns) else "score"): columns}


def _grid(roles: Roles) -> HeadingGrid | None:
    """The columns as metrics × systems; another name declared for the metric says they are not."""
    if column_of(roles, "metric_names") is not None:
        return None
    grid = metric_grid(systems_of(roles) or ())
    metric = roles.get("metric")
    return grid if grid is None or not metric or metric in grid.firsts else None


def _check_rows(
    found: ExampleFindings, system: str | None, names: Sequence[str], scores: Sequence[str]
) -> None:
    """There is a column of systems, two of them, and as many columns of scores as can be read."""
    if system is not None and len(names) < 2:
        some = f"only {quoted(names[0])}" if names else "no system"
        found.refuse(
            f"The column names {some}; a comparison needs two systems.",
            "Add the rows of another system, or choose another column.",
            column=system,
        )
    if not scores:
        found.refuse(
            "No column holds scores.",
            "Give the score of each row in a column 'score', or choose the column.",
        )
    metric_names = found.column("metric_names")
    if metric_names is not None and len(scores) > 1:
        found.refuse(
            f"{quoted(metric_names)} names the metric of each row, but {listed(scores)} "
            "all hold numbers.",
            "Choose the one column that holds the scores.",
        )


def _remark_on_rows(found: ExampleFindings, metrics: Sequence[str]) -> None:
    example = found.column("example")
    if example is not None and not is_named(example, "example", "unit", "counter", "run", "fold"):
        found.remarks.append(f"Examples are matched by {quoted(example)}.")
    by_column = found.column("metric_names") is None and len(metrics) > 1
    if by_column and not all(map(names_metric, metrics)):
        found.remarks.append(
            f"{len(metrics)} metrics are read: {listed(metrics)}. Choose others if one of these "
            "columns is no metric."
        )


def _check_metrics(found: ExampleFindings, metrics: Sequence[str]) -> None:
    """What is declared of metrics is declared of those that the file has."""
    declared = found.roles.get("higher_is_better")
    named = tuple(declared) if isinstance(declared, Mapping) else ()
    found.problems.extend(
        Problem(
            f"`{role}` names the metric {quoted(name)}, which the file does not have.",
            f"Its metrics are {listed(metrics)}.",
        )
        for role, names in (("higher_is_better", named), ("metric", (found.roles.get("metric"),)))
        for name in names
        if isinstance(name, str) and name not in metrics
    )


def _result_set(
    found: ExampleFindings,
    examples: Arranged,
    systems: Sequence[str],
    cells: Mapping[str, Sequence[str]],
) -> ResultSet:
    """The scores of complete examples, with the remarks on their numbers.

    `cells` is for each metric the column of each system's scores; `examples` says which rows of it.
    """
    pairing, rows, starts = examples.pairing, examples.rows, np.r_[0, examples.ends[:-1]]
    columns = tuple(dict.fromkeys(column for own in cells.values() for column in own))
    numbers = {column: scores_of(found.raw, column) for column in columns}
    found.remarks.extend(notation_remarks(numbers))
    remark_on_truth_words(found, columns)
    decimals = max(int(column.decimals.max()) for column in numbers.values())
    _, metrics, runs = pairing.names
    per_metric, of_runs = {}, {}
    for metric, of_systems in cells.items():
        m = metrics.index(metric) if metric in metrics else 0
        of_metric = [rows[:, s if rows.shape[1] > 1 else 0, m, :] for s in range(len(systems))]
        percent = np.array(
            [
                has_percent(numbers[column], own)
                for column, own in zip(of_systems, of_metric, strict=True)
            ]
        )
        values = np.empty((rows.shape[0], len(systems)), order="F")
        last, scores = "", values[:, 0]
        own_runs: list[FloatArray] = []
        for s, column in enumerate(of_systems):
            if pairing.n_slots == 1 and found.groups.is_contiguous:
                numbers.pop(column).write(values[:, s])
                # Each column is of one system, so that its numbers need not be held twice.
                found.raw.forget_numbers([column])
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
        extents = Extents(
            datasets=found.groups.datasets,
            systems=tuple(systems),
            lowest=np.minimum.reduceat(values, starts, axis=0),
            highest=np.maximum.reduceat(values, starts, axis=0),
            percent=percent,
            columns=tuple(of_systems) if pairing.names[0] == ("",) else (),
        )
        check_scales(found, extents, metric=metric, of=of)
        # What nobody can change need not be copied.
        values.flags.writeable = False
        per_metric[metric] = examples.split(values)
        if len(runs) > 1:
            of_runs[metric] = own_runs
    found.stop_at_problems()
    return ResultSet(
        datasets=found.groups.datasets,
        systems=tuple(systems),
        values=per_metric,
        higher_is_better={
            metric: declared_direction(found.roles, metric) is not False for metric in cells
        },
        score_decimals=decimals if len(runs) == 1 else -1,
        repeated_runs=kept_runs(found, examples, of_runs) if of_runs else None,
        **beside_scores(found, examples),
    )


COLUMNS = FileKind(
    name=IN_COLUMNS,
    description="One row for each example: its dataset, its id where there is one, and the "
    "score of each system, 0 or 1 or any number.",
    needs={},
    roles=(
        *("dataset", "example", SYSTEMS, "metric_names", "run", "cluster", COVARIATES, "margin"),
    ),
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
    recognise=recognise_columns,
    read=read,
    declares=("runs", "incomplete", "scales"),
)
ROWS = FileKind(
    name=IN_ROWS,
    description="One row for each example and system: its dataset, the example's id where "
    "there is one, the system's name, and one column for each metric or one that names it.",
    needs={"system": "the systems' names"},
    roles=(
        *("dataset", "example", "system", SCORES, "metric_names", "run", "cluster", COVARIATES),
        "margin",
    ),
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
    recognise=recognise_rows,
    read=read,
    declares=("runs", "incomplete", "scales"),
)
