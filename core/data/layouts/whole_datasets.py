"""Tables of whole datasets: one score of each system, or an effect with its standard error.

A single score says nothing of how far it would vary, so there is nothing to
test within a dataset.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import cast

import numpy as np
import pyarrow as pa

from ...errors import DataError, answers, bounded, listed, quoted
from ...types import FloatArray
from ..roles import (
    LAYOUT,
    SYSTEMS,
    Roles,
    column_of,
    columns_in_use,
    declared_direction,
    systems_of,
)
from ..score_table import EffectTable, ScoreTable
from ..tables.directions import lower_metric, lower_word, metric_grid, tells_p_values
from ..tables.headings import VOCABULARY, find_column, is_named
from ..tables.number_column import is_textual, numbers_of
from ..tables.raw_table import RawTable
from .cells import (
    direction_remarks,
    read_rows_of_one,
    read_rows_of_one_metric,
    read_sizes,
    set_summaries_apart,
    word_for_lower,
)
from .columns import Columns, FileKind, are_probabilities, held
from .complete_rows import complete_scores, reading_of
from .count_columns import discordant_columns
from .doubtful_systems import ask_about_systems, no_score_columns, remark_on_columns
from .per_example import MEANS_ELSEWHERE, ExampleFindings, check_once, check_systems, which_of
from .row_units import metric_column, n_combinations, stated_metrics
from .score_cells import (
    Extents,
    as_printed,
    check_numbers,
    check_scales,
    notation_remarks,
    numeric_columns,
    says_right_or_wrong,
    scores_of,
)

SCORE_GRID = "one score for each dataset and system"
EFFECTS = "effects and standard errors"
_MARK = re.compile("[*∗⋆★†‡]")


def recognise_scores(columns: Columns) -> Roles | None:
    """Every role of a grid, those that are given as they are; None for another layout."""
    raw, given, dataset = columns.raw, columns.given, columns.dataset
    asked_for = columns.asks_for(SCORE_GRID)
    if not asked_for and (dataset is None or columns.ids or columns.gold):
        return None
    system = columns.system_beside(None) if systems_of(given) is None else None
    scores = _offered(raw, given, dataset, system)
    if not asked_for and not _is_grid(columns, system, scores):
        return None
    grid = metric_grid(scores) if system is None and systems_of(given) is None else None
    if grid is not None and not given.get("metric"):
        raise _which_metric(grid.firsts)
    if grid is not None and given.get("metric") in grid.firsts:
        scores = tuple(grid.columns[str(given["metric"]), name] for name in grid.seconds)
    metrics = _metrics(raw, system, scores)
    metric = given.get("metric") or (metrics[0] if len(metrics) == 1 else None)
    if metric and not given.get("metric") and is_named(str(metric), "score"):
        metric = None
    if not metric and system is None:
        metric = lower_metric(scores)
    of_systems = scores if system is None else ()
    word = word_for_lower(raw, dataset, given, [str(metric or "")], metrics, of_systems)
    roles: Roles = {
        "dataset": dataset,
        SYSTEMS: None if system is not None else scores,
        "system": system,
        "metric": metric,
        "higher_is_better": given.get("higher_is_better", word is None),
    }
    if not asked_for:
        _refuse_p_values(raw, scores, roles)
    chosen = asked_for or system is not None or systems_of(given) is not None or len(metrics) > 1
    if not chosen:
        ask_about_systems(raw, scores, given, roles)
    return roles


def read_scores(found: ExampleFindings) -> ScoreTable:
    """Read a grid by its roles."""
    dataset, system = str(found.column("dataset")), found.column("system")
    metric = cast("str | None", found.roles["metric"])
    scores = _offered(found.raw, found.roles, dataset, system)
    read_rows_of_one_metric(found)
    set_summaries_apart(found, dataset)
    if system is None or not scores:
        found.need_two(
            scores,
            "holds scores",
            "Give each system a column of scores, or each score a row with the system's name in a "
            "column 'system'.",
        )
    elif len(scores) > 1 and not stated_metrics(found.raw) and metric not in scores:
        raise _which_metric(scores)
    found.stop_at_problems()
    systems = scores if system is None else tuple(found.raw.coded(system).texts)
    columns = scores
    if system is not None:
        columns = (metric if metric in scores else scores[0],) * len(systems)
    check_systems(found, systems, from_header=system is None)
    found.unit = "dataset"
    examples = complete_scores(found, tuple(dict.fromkeys(columns)))
    raw, datasets = found.raw, found.groups.datasets
    numbers = {column: scores_of(raw, column) for column in columns}
    found.remarks.extend(notation_remarks(numbers))
    used = columns_in_use(found.roles).union(columns)
    sizes = None if system else find_column(raw.header, "n_examples", taken=used)
    scratch = ExampleFindings(raw=raw)
    n_examples = read_sizes(scratch, sizes)
    if scratch.problems:
        # Sizes count where every dataset states one.
        sizes = n_examples = None
    else:
        found.remarks += scratch.remarks
    _remark(found, scores, systems, columns, read=held(sizes))
    # In a column of its own each system has the same row.
    rows = np.broadcast_to(examples.rows[:, :, 0, 0], (len(datasets), len(systems)))
    own = list(zip(columns, rows.T, strict=True))
    values = np.column_stack([numbers[column].values[rows] for column, rows in own])
    read = [as_printed(raw, column, rows) for column, rows in own]
    printed, spreads = (list(zip(*parts, strict=True)) for parts in zip(*read, strict=True))
    texts = [raw.column(column).take(pa.array(rows)).to_pylist() for column, rows in own]
    marks = [
        tuple("".join(_MARK.findall(text)) for text in row) for row in zip(*texts, strict=True)
    ]
    extents = Extents(
        datasets=datasets,
        systems=systems,
        lowest=values,
        highest=values,
        percent=np.array([numbers[column].is_percent.any() for column in columns]),
        columns=columns if system is None else (),
    )
    check_scales(found, extents, metric=metric)
    found.stop_at_problems()
    return ScoreTable(
        datasets=datasets,
        systems=systems,
        values=values,
        printed=tuple(printed),
        marks=tuple(marks) if any(map(any, marks)) else (),
        spreads=tuple(spreads) if any(map(any, spreads)) else (),
        n_examples=None if n_examples is None else tuple(n_examples),
        metric=metric,
        higher_is_better=declared_direction(found.roles, metric) is not False,
        reading=reading_of(found),
    )


def _refuse_p_values(raw: RawTable, scores: Sequence[str], roles: Roles) -> None:
    """Refuse, by a `DataError`, to take p-values for scores where the table's title says what they are."""
    title = next(filter(tells_p_values, raw.notes), None)
    if title is None or not all(are_probabilities(raw, column) for column in scores):
        return
    raise DataError.of(
        f"The title says that the numbers are p-values: {quoted(title)}. They are no scores.",
        "Give a row for each dataset with the p-value of one comparison in a column 'p_value', and "
        "the scores of its two systems beside it.",
        choices=answers(
            "What do the numbers hold?", (LAYOUT, SCORE_GRID, "Scores, whatever the title says")
        ),
        roles=roles,
    )


def _offered(
    raw: RawTable, given: Roles, dataset: str | None, system: str | None
) -> tuple[str, ...]:
    """The columns of scores that a file offers, in rows where a column names the system."""
    scores = systems_of(given) if system is None else None
    if scores is None:
        taken = held(dataset, system)
        scores = tuple(
            column for column in numeric_columns(raw, taken) if not says_right_or_wrong(raw, column)
        )
        beside = tuple(no_score_columns(scores)) if system is None else ()
        counts = discordant_columns(raw) if system is None else ()
        if len(set(scores).difference(beside, counts)) >= 2:
            beside = (*beside, *counts)
        scores = tuple(column for column in scores if column not in beside)
    return scores


def _is_grid(columns: Columns, system: str | None, scores: Sequence[str]) -> bool:
    """Whether no dataset stands twice, or none with the same metric or system."""
    raw, dataset = columns.raw, columns.dataset
    beside = held(system, metric_column(raw, columns.given))
    fewest = 2 if system is None else 1
    if dataset is None or len(scores) < fewest:
        return False
    return n_combinations(raw, [dataset, *beside]) == raw.n_rows


def _metrics(raw: RawTable, system: str | None, scores: tuple[str, ...]) -> tuple[str, ...]:
    """The metrics between which a file in rows leaves the choice, or that rows are of."""
    stated = stated_metrics(raw)
    return stated if stated or system is None else scores


def _which_metric(metrics: Sequence[str]) -> DataError:
    """The question which of several metrics is compared."""
    return DataError.of(
        f"The file holds scores of {len(metrics)} metrics, {listed(metrics)}; one at a time is "
        "compared.",
        "Choose the metric.",
        answered_by="metric",
        choices=[which_of("metric", "Which metric is compared?", metrics)],
    )


def _remark(
    found: ExampleFindings,
    scores: tuple[str, ...],
    systems: Sequence[str],
    columns: Sequence[str],
    *,
    read: Collection[str],
) -> None:
    roles, system = found.roles, found.column("system")
    found.remarks.append(
        "One score for each dataset and system: tests over datasets can be made of them, none "
        "within a dataset."
    )
    if any("±" in text for column in columns for text in found.raw.coded(column).texts):
        found.remarks.append(MEANS_ELSEWHERE)
    remark_on_columns(found, columns, read={*columns, *read})
    metrics, metric = _metrics(found.raw, system, scores), cast("str | None", roles["metric"])
    if system is None and len(metrics) > 1:
        found.remarks.append(
            f"The scores are of {len(metrics)} metrics, so only their order on a dataset compares "
            "systems, not their differences."
        )
    higher = declared_direction(roles, metric) is not False
    of_systems = scores if system is None else ()
    dataset = found.column("dataset")
    word = word_for_lower(found.raw, dataset, roles, [metric or ""], metrics, of_systems)
    told = direction_remarks(found, word, higher=higher, metric=metric, systems=systems)
    found.remarks.extend(told)


OF_SCORES = FileKind(
    name=SCORE_GRID,
    description="One row for each dataset with one score of each system, or one row for each "
    "dataset and system: enough for tests over datasets, not within one.",
    needs={"dataset": "the datasets"},
    roles=("dataset", SYSTEMS, "system"),
    template="""\
dataset,Our system,Baseline,Older system
SST-2,93.46,92.89,90.71
MRPC,87.25,86.03,84.31
RTE,68.95,66.43,61.01
QNLI,91.20,90.98,89.47
MultiNLI,84.57,83.80,81.15
""",
    recognise=recognise_scores,
    read=read_scores,
    declares=("incomplete", "scales", "averages"),
)


def recognise_effects(table: Columns) -> Roles | None:
    """Every role of effects, those that are given as they are; None for another layout."""
    given = table.given
    taken = columns_in_use(given)
    columns: dict[str, str | None] = {}
    for role in ("effect", "standard_error", "dataset", "n_examples"):
        headings = (*VOCABULARY[role], *(VOCABULARY["study"] if role == "dataset" else ()))
        found = find_column(table.raw.header, headings, taken=taken)
        columns[role] = column_of(given, role) if role in given else found
        taken.update(held(columns[role]))
    shown = columns["effect"] is not None and columns["standard_error"] is not None
    if not table.asks_for(EFFECTS) and not shown:
        return None
    return {
        **{role: columns[role] for role in OF_EFFECTS.roles},
        "metric": given.get("metric"),
        "higher_is_better": given.get("higher_is_better", True),
    }


def read_effects(found: ExampleFindings) -> EffectTable:
    """Read effects by their roles."""
    roles = found.roles
    effect, error = str(found.column("effect")), str(found.column("standard_error"))
    analysis = find_column(found.raw.header, "analysis", taken=columns_in_use(roles))
    if analysis is not None and not is_textual(found.raw, analysis):
        analysis = None
    if analysis is not None and len(found.raw.coded(analysis).array) > 1:
        read_rows_of_one(found, analysis, unit="analyses", why="they cannot be pooled together")
    raw = found.raw
    check_once(found)
    effects = _read_numbers(found, effect)
    errors = _read_numbers(found, error)
    is_variance = is_named(error, "variance")
    name, cells = "variance" if is_variance else "standard error", raw.cells(error)
    for row in np.flatnonzero(errors <= 0.0).tolist():
        what = f"The {name} is {cells[row]}; it must be above 0."
        remedy = f"Give the {name} with its digits, or leave the dataset out."
        found.problem(row, error, what, remedy)
    sizes = read_sizes(found, found.column("n_examples"))
    found.problems = bounded(found.problems, n_problems=len(found.problems), of="cells")
    found.stop_at_problems()

    if is_variance:
        found.remarks.append(
            f"{quoted(error)} is read as variances; their square roots are the standard errors."
        )
    metric = cast("str | None", roles["metric"])
    if declared_direction(roles, metric) is False:
        effects = 0.0 - effects
        found.remarks.append(
            "Lower is declared to be better, so the signs of the effects are turned: positive is "
            "for A better."
        )
    else:
        stated = () if analysis is None else tuple(raw.coded(analysis).texts)
        words = (lower_word(name) for name in (metric or "", effect, *stated))
        word = next((word for word in words if word is not None), None)
        if word is not None:
            found.remarks.append(
                f"{quoted(word)} usually means that lower is better. Effects are taken as given: "
                "positive where A is better."
            )
    remark_on_columns(found, read=held(analysis), grouped=False)
    return EffectTable(
        datasets=found.groups.datasets,
        effects=effects,
        standard_errors=np.sqrt(errors) if is_variance else errors,
        n_examples=None if sizes is None else np.array(sizes, dtype=np.intp),
        # Nothing groups the datasets of a meta-analysis.
        reading=replace(reading_of(found), dataset_labels={}, other_columns={}),
    )


def _read_numbers(found: ExampleFindings, column: str) -> FloatArray:
    """One column's numbers, nan where a cell holds none; each such cell is a problem."""
    numbers, cells = numbers_of(found.raw, column), found.raw.cells(column)
    give = "Give it, or leave the dataset out."
    check_numbers(found, column, numbers, of="number", give=give)
    found.cell_problems(
        np.flatnonzero(numbers.is_percent[numbers.coded.codes]),
        column,
        lambda row: (
            f"{quoted(cells[row])} has a sign of percent.",
            "Give effects and standard errors as plain numbers on one scale.",
        ),
    )
    return numbers.values


OF_EFFECTS = FileKind(
    name=EFFECTS,
    description="One row for each dataset: its name, by how much A is ahead of B, and the "
    "standard error or the variance of that, with the number of examples where it is known.",
    needs={
        "dataset": "the datasets",
        "effect": "the effects",
        "standard_error": "the standard errors",
    },
    roles=("dataset", "effect", "standard_error", "n_examples"),
    template="""\
dataset,effect,standard_error,n_examples
SST-2,0.0057,0.0081,872
MRPC,0.0196,0.0155,408
RTE,0.0758,0.0353,277
QNLI,0.0022,0.0031,5463
""",
    recognise=recognise_effects,
    read=read_effects,
    shows_by_headings=True,
)
