"""The layout of per-example scores: a row for each example, a column for each system."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from core.data.headings import lower_is_better
from core.data.number_column import NumberColumn, numbers_of
from core.data.numbers import UnreadableNumber, read_number
from core.data.per_example import (
    ExampleFindings,
    base_columns,
    candidates,
    check_datasets,
    check_examples,
    check_number_of_datasets,
    check_systems,
    counts_rows,
    group_rows,
    has_repeats,
    remark_on_columns,
    stated_metrics,
)
from core.data.provenance import Reading
from core.data.raw_table import RawTable
from core.data.result_set import ResultSet
from core.data.roles import (
    LAYOUT,
    SYSTEMS,
    Roles,
    column_of,
    shared_column_problems,
    systems_of,
)
from core.data.words import listed, quoted
from core.errors import DataError, Problem
from core.types import FloatArray

NAME = "per-example scores"
ROLES = ("dataset", "example", SYSTEMS)

# With these a file says that there is no number.
_NOTHING = frozenset(
    {"nan", "null", "na", "n/a", "none", "nil", "missing", "?", "-", "–", "—", "−", "."}
)
_INFINITE = frozenset({"inf", "infinity"})
# At most one value in twenty is taken for an exception.
_EXCEPTIONS = 20

_GIVE_SCORE = "Give the score, or leave this example out for every system."


def recognise(raw: RawTable, given: Roles) -> Roles | None:
    """Every role of per-example scores, those in `given` as they are; None for another layout."""
    dataset, example, _ = base_columns(raw, given)
    taken = [column for column in (dataset, example) if column is not None]
    systems = systems_of(given)
    if systems is None:
        systems = numeric_columns(raw, taken)
    asked_for = given.get(LAYOUT) == NAME or systems_of(given) is not None
    if not asked_for and not (len(systems) >= 2 and _has_examples(raw, given, dataset, example)):
        return None
    stated = stated_metrics(raw)
    named = stated[0] if len(stated) == 1 else ""
    word = lower_is_better((str(given.get("metric") or named),)) or lower_is_better(systems)
    metric = given.get("metric") or named or word
    if not metric:
        metric = "accuracy" if _is_binary(raw, systems) else "score"
    return {
        LAYOUT: NAME,
        "dataset": dataset,
        "example": example,
        SYSTEMS: systems,
        "metric": metric,
        "higher_is_better": given.get("higher_is_better", word is None),
    }


def read(raw: RawTable, roles: Roles, source_name: str) -> ResultSet:
    """Read per-example scores by their roles.

    Raises
    ------
    DataError
        With every problem of every column.
    """
    dataset, example = column_of(roles, "dataset"), column_of(roles, "example")
    systems = systems_of(roles) or ()
    problems = shared_column_problems(roles) + check_number_of_datasets(raw, dataset)
    stated = stated_metrics(raw)
    if len(stated) > 1:
        problems.append(
            Problem(
                what=f"The rows are of {len(stated)} metrics, {listed(stated[:3])} among them, "
                "which cannot be averaged together.",
                remedy="Keep the rows of one metric in a file.",
                column="metric",
            )
        )
    if problems:
        raise DataError(problems, columns=raw.header)
    found = ExampleFindings(raw=raw, groups=group_rows(raw, dataset, source_name))
    found.remarks.extend(raw.remarks)
    _check_number_of_systems(found, systems)
    check_systems(found, systems)
    if found.problems:
        raise DataError(found.problems, columns=raw.header)

    check_datasets(found, dataset)
    check_examples(found, example)
    columns = {system: numbers_of(raw, system) for system in systems}
    for system, numbers in columns.items():
        _check_scores(found, system, numbers)
    if found.problems:
        raise DataError(found.problems, columns=raw.header)

    remark_on_columns(found, roles, systems)
    _remark_on_direction(found, roles, systems)
    _remark_on_notation(found, columns)
    values = np.empty((raw.n_rows, len(systems)), order="F")
    for index, numbers in enumerate(columns.values()):
        values[:, index] = numbers.values
    _remark_on_exceptions(found, systems, values)
    per_dataset = found.groups.split(values)
    _remark_on_scales(found, systems, per_dataset)
    metric = cast(str, roles["metric"])
    return ResultSet(
        datasets=found.groups.datasets,
        systems=systems,
        values={metric: tuple(per_dataset)},
        higher_is_better={metric: cast(bool, roles["higher_is_better"])},
        example_ids=None if example is None else found.groups.split_text(raw.column(example)),
        score_decimals=max(int(numbers.decimals.max()) for numbers in columns.values()),
        reading=Reading(
            source_name=source_name,
            layout=NAME,
            roles=roles,
            columns=raw.header,
            remarks=tuple(found.remarks),
            separator=raw.separator,
            encoding=raw.encoding,
        ),
    )


def numeric_columns(raw: RawTable, taken: Sequence[str]) -> tuple[str, ...]:
    """Columns that may hold scores: at least half of what they hold are numbers.

    A word for a missing value counts as nothing held.
    """
    return tuple(
        column
        for column in candidates(raw, taken)
        if (numbers := numbers_of(raw, column)).n_numbers > 0
        and numbers.n_numbers >= numbers.n_others - _n_nothing(numbers)
    )


def _has_examples(raw: RawTable, given: Roles, dataset: str | None, example: str | None) -> bool:
    """Whether the rows are examples, and not one dataset each."""
    if dataset is None:
        return True
    if has_repeats(raw, dataset):
        return True
    return "example" in given if counts_rows(example) else example is not None


def _is_binary(raw: RawTable, systems: Sequence[str]) -> bool:
    return all(
        bool(np.isin(numbers_of(raw, system).text_values, (0.0, 1.0)).all()) for system in systems
    )


def _n_nothing(numbers: NumberColumn) -> int:
    """Number of rows that hold a word for a missing or infinite value."""
    odd = np.flatnonzero(np.isnan(numbers.text_values) & ~numbers.is_blank)
    words_held = numbers.coded.array.take(odd).to_pylist()
    counts = numbers.coded.counts
    return sum(
        int(counts[index])
        for index, word in zip(odd.tolist(), words_held, strict=True)
        if word.casefold() in _NOTHING or word.casefold().lstrip("+-−") in _INFINITE
    )


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


def _check_scores(found: ExampleFindings, column: str, numbers: NumberColumn) -> None:
    """Every row holds a number of the notation that the file's separator allows."""
    decimal_comma = found.raw.decimal_comma
    wrong = ~np.isfinite(numbers.text_values)
    if not decimal_comma:
        wrong |= numbers.is_comma
    if not wrong.any():
        return
    cells = found.raw.column(column)

    def explain(row: int) -> tuple[str, str]:
        text = cells[row].as_py()
        if not text:
            return "There is no score.", _GIVE_SCORE
        if text.casefold() in _NOTHING:
            return f"{quoted(text)} stands where a score should.", _GIVE_SCORE
        if text.casefold().lstrip("+-−") in _INFINITE:
            return f"{quoted(text)} is not a finite number.", _GIVE_SCORE
        try:
            read_number(text, decimal_comma=decimal_comma)
        except UnreadableNumber as error:
            return error.what, error.remedy
        raise AssertionError(text)

    found.cell_problems(np.flatnonzero(wrong[numbers.coded.codes]), column, explain)


def _remark_on_direction(found: ExampleFindings, roles: Roles, systems: tuple[str, ...]) -> None:
    metric = cast(str, roles["metric"])
    word = lower_is_better((metric,)) or lower_is_better(systems)
    if word is None:
        return
    if roles["higher_is_better"]:
        found.remarks.append(
            f"{quoted(word)} usually means that lower is better, but higher is declared to be."
        )
    else:
        found.remarks.append(
            f"Lower is taken to be better, as the scores are named {quoted(word)}."
        )


def _remark_on_notation(found: ExampleFindings, columns: dict[str, NumberColumn]) -> None:
    percent = [bool(numbers.is_percent.any()) for numbers in columns.values()]
    if any(percent):
        mixed = not all(bool(numbers.is_percent.all()) for numbers in columns.values())
        found.remarks.append(
            "Scores with '%' keep the number as printed"
            + ("; others have no '%' and are taken to be on the same scale." if mixed else ".")
        )
    if any(bool(numbers.is_comma.any()) for numbers in columns.values()):
        points = any(
            bool(((numbers.decimals > 0) & ~numbers.is_comma).any()) for numbers in columns.values()
        )
        found.remarks.append(
            "Commas in numbers are read as decimal marks"
            + (", and so are points; none is read as a separator of thousands." if points else ".")
        )


def _remark_on_exceptions(
    found: ExampleFindings, systems: Sequence[str], values: FloatArray
) -> None:
    """A remark on a few values that are neither 0 nor 1 in a column that holds nothing else."""
    for index, system in enumerate(systems):
        column = values[:, index]
        others = np.flatnonzero((column != 0.0) & (column != 1.0))
        if not 0 < others.size <= column.size // _EXCEPTIONS:
            continue
        count = "one value" if others.size == 1 else f"{others.size:,} values"
        row = int(others[0])
        found.remarks.append(
            f"{quoted(system)} holds 0 and 1 but for {count}, the first {column[row]:.10g} on "
            f"{found.place(row)}: it is not read as right or wrong there."
        )


def _remark_on_scales(
    found: ExampleFindings, systems: Sequence[str], per_dataset: Sequence[Any]
) -> None:
    """A remark where some scores lie on 0 to 100 beside others on 0 to 1."""
    highest = np.array([values.max(axis=0) for values in per_dataset])
    lowest = np.array([values.min(axis=0) for values in per_dataset])
    if (lowest < 0).any() or (highest > 100).any():
        return
    by_system = highest.max(axis=0)
    small = by_system <= 1
    if small.any() and (by_system > 10).any():
        large = [name for name, high in zip(systems, by_system, strict=True) if high > 10]
        found.remarks.append(
            f"Scores of {listed(large)} go up to {by_system.max():.10g}, others only to 1: percent "
            "beside fractions cannot be compared."
        )
        return
    by_dataset = highest.max(axis=1)
    if 0 < (by_dataset > 10).sum() <= (by_dataset <= 1).sum():
        large = [
            name for name, high in zip(found.groups.datasets, by_dataset, strict=True) if high > 10
        ]
        found.remarks.append(
            f"Scores on {listed(large)} go up to {by_dataset.max():.10g}, on most others only to "
            "1: they seem to be percent. Tests within a dataset are not touched by this, means "
            "over datasets are."
        )
