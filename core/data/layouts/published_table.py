"""The layout of a published table: a row for each dataset, two scores and a p-value.

Scores may be missing; the p-value may not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import cast

import numpy as np

from ...errors import Choice, DataError, Problem
from ...types import Alternative, FloatArray
from ..p_value_table import PValueTable
from ..roles import (
    DECLARATIONS,
    LAYOUT,
    SCORES,
    SYSTEMS,
    Roles,
    column_of,
    columns_in_use,
    declared_direction,
    shared_column_problems,
)
from ..tables.headings import (
    ADJUSTED_P_HEADINGS,
    DATASET_HEADINGS,
    EXAMPLE_HEADINGS,
    find_column,
    folded,
    heading,
    stated_sidedness,
)
from ..tables.number_column import is_numeric, is_textual
from ..tables.numbers import PrintedNumber
from ..tables.raw_table import RawTable
from ..words import listed, quoted
from .cells import (
    check_names,
    read_p_values,
    read_sizes,
    read_zeros,
    remark_on_notation,
    without_averages,
)
from .columns import Columns, FileKind, p_value_columns, score_columns
from .complete_rows import incomplete_choice, reading_of, without_incomplete
from .per_example import ExampleFindings, group_rows, label_columns
from .published_columns import (
    KEPT_FOR,
    adjusted_columns,
    alike_p_value_columns,
    both_scores,
    compared_systems,
    further_p_values,
    is_named_as_p_value,
    lower_word,
    p_value_choice,
    published_scales,
    remark_on_published_columns,
    remark_on_published_scores,
    rows_of_one_metric,
)
from .row_units import has_repeats, incomplete_rows, without_counters
from .score_cells import doubt_problems


def systems_compared(
    raw: RawTable, given: Roles, p_column: str, scores: Sequence[str]
) -> tuple[str, ...]:
    """The columns of scores in the order in which they take the systems' roles.

    Parameters
    ----------
    raw : RawTable
        The file's cells.
    given : mapping
        Roles that are known.
    p_column : str
        The column of p-values, whose heading may name the two systems.
    scores : sequence of str
        Columns of scores without a role.

    Raises
    ------
    DataError
        If more columns hold scores than are compared, and there are several comparisons or
        columns that may be no scores, and nothing says which are meant.
    """
    n_open = sum(role not in given for role in ("system_a", "system_b"))
    held = [c for role in ("system_a", "system_b") if (c := column_of(given, role)) is not None]
    named = [c for c in compared_systems(p_column, [*held, *scores]) if c not in held]
    if len(named) == n_open:
        return tuple(named)
    if n_open == 0 or len(scores) <= n_open:
        return tuple(scores)
    says_more = bool(named) or len(p_value_columns(raw)) > 1
    if not says_more and not doubt_problems(raw, scores, given):
        # The first ones, with a remark that names the others.
        return tuple(scores)
    others = f" with {quoted(held[0])}" if held else ""
    raise DataError.of(
        f"{listed(scores)} may all be scores, and the heading {quoted(p_column)} does "
        f"not say which {'system is compared' if held else 'two systems are compared'}"
        f"{others}.",
        "Choose the columns of the two systems.",
        columns=raw.header,
        choices=[
            Choice(
                role=role,
                question=f"Which column holds the scores of system {name}?",
                options=tuple((column, column) for column in scores),
            )
            for role, name in (("system_a", "A"), ("system_b", "B"))
            if role not in given
        ],
        roles={"layout": "published table", "p_value": p_column},
    )


def refuse_adjusted(columns: Columns) -> None:
    """Refuse a table whose only p-values were adjusted for their number already.

    Raises
    ------
    DataError
        With the reason.
    """
    raw, dataset = columns.raw, columns.dataset
    adjusted = adjusted_columns(raw)
    if not adjusted or columns.example is not None or columns.gold is not None:
        return
    if dataset is None or has_repeats(raw, dataset) or columns.has_given(SYSTEMS, SCORES):
        return
    raise DataError.of(
        f"{listed(adjusted)} {'holds' if len(adjusted) == 1 else 'hold'} p-values "
        "that were adjusted for their number, by the heading: counted again, they would "
        "be adjusted twice.",
        "Give the p-values as they were before; if these were not adjusted, choose "
        "the column by hand.",
        column=adjusted[0],
        columns=raw.header,
        roles={"layout": "published table", "dataset": dataset},
    )


def remarks_on_adjusted(p_column: str) -> tuple[str, ...]:
    """A remark where adjusted p-values are read because they were chosen."""
    if heading(p_column) not in ADJUSTED_P_HEADINGS:
        return ()
    return (
        f"{quoted(p_column)} is read, as chosen, as if its p-values were not adjusted for their "
        "number.",
    )


def with_p_values(
    raw: RawTable, roles: Roles, p_column: str
) -> tuple[RawTable, tuple[str, ...], tuple[Choice, ...]]:
    """The datasets that have a p-value where others were chosen to be left out.

    Returns
    -------
    raw : RawTable
        The rows that are read.
    remarks : tuple of str
        What was left out.
    choices : tuple of Choice
        The question whether datasets without a p-value are left out, if there are any.
    """
    n_missing = int(incomplete_rows(raw, (p_column,)).sum())
    if not 0 < n_missing < raw.n_rows:
        return raw, (), ()
    kept, remarks = without_incomplete(raw, roles, (p_column,), unit="dataset")
    return kept, remarks, (incomplete_choice(n_missing, unit="dataset"),)


NAME = "published table"
ROLES = ("dataset", "system_a", "system_b", "p_value", "n_examples")
_DECLARED = ("alternative", "higher_is_better", "zero_reads_below", "metric")
# Without ids so many rows a dataset are examples, and no repeated mistake.
_ROWS_OF_EXAMPLES = 5
# More than any table of datasets has; a file beyond it is something else.
MAX_DATASETS = 100_000


def recognise(table: Columns) -> Roles | None:
    """Every role of a published table, those that are given as they are; None without p-values."""
    raw, given = table.raw, table.given
    taken = columns_in_use(given)

    def role(name: str, guess: Callable[[], str | None]) -> str | None:
        column = column_of(given, name) if name in given else guess()
        if column is not None:
            taken.add(column)
        return column

    asked_for = table.asks_for(NAME) or column_of(given, "p_value") is not None
    if not asked_for and (table.has_given(SYSTEMS, SCORES) or _has_examples(raw, given)):
        return None
    p_columns = table.p_values
    asked = alike_p_value_columns(p_columns)
    if "p_value" not in given and len(asked) > 1:
        problem = Problem(
            f"{listed(asked)} may all be p-values; one for each dataset is read.",
            "Choose one of them.",
        )
        scores = score_columns(raw, {*taken, *p_columns})
        raise DataError([problem], columns=raw.header, choices=[p_value_choice(asked, scores)])
    p_value = role("p_value", lambda: _first([c for c in p_columns if c not in taken]))
    if p_value is None:
        if "p_value" not in given and given.get(LAYOUT) in (None, NAME):
            refuse_adjusted(table)
        return None
    # Other p-values are no scores, unless there would be no others.
    others = {column for column in p_columns if column not in taken}
    taken |= {column for column in others if is_named_as_p_value(column)}
    if len(score_columns(raw, taken | others)) >= 2:
        taken |= others
    dataset = role("dataset", lambda: _datasets(table, taken))
    n_examples = role("n_examples", lambda: _sizes(table, taken))
    # Columns of scores that count the rows are none.
    compared = systems_compared(
        raw, given, p_value, without_counters(raw, score_columns(raw, taken), taken)
    )
    system_a = role("system_a", lambda: _first(compared))
    system_b = role("system_b", lambda: _first([c for c in compared if c not in taken]))
    columns: dict[str, object] = {
        LAYOUT: NAME,
        "dataset": dataset,
        "system_a": system_a,
        "system_b": system_b,
        "p_value": p_value,
        "n_examples": n_examples,
    }
    declared = {name: given.get(name, DECLARATIONS[name]) for name in _DECLARED}
    if "alternative" not in given and stated_sidedness(p_value) == "two-sided":
        declared["alternative"] = "two-sided"
    direction = declared_direction(given, cast("str | None", declared["metric"]))
    declared["higher_is_better"] = (
        lower_word(raw, {**columns, **declared}) is None if direction is None else direction
    )
    return (
        columns
        | declared
        | {role: given[role] for role in ("incomplete", "scales", "averages") if role in given}
    )


def _has_examples(raw: RawTable, given: Roles) -> bool:
    """Whether rows are examples, so that a number 'p' beside their scores is no p-value.

    A dataset that stands twice by mistake is still one of a table.
    """
    dataset = column_of(given, "dataset") or find_column(raw.header, DATASET_HEADINGS)
    if dataset is None or not has_repeats(raw, dataset):
        return False
    scores = score_columns(raw, {dataset})
    if len(scores) < 2:
        return False
    if find_column(raw.header, EXAMPLE_HEADINGS, taken=(dataset,)) is not None:
        return True
    others = [c for c in raw.header if c != dataset and is_textual(raw, c)]
    return not others and raw.n_rows >= _ROWS_OF_EXAMPLES * len(raw.coded(dataset).array)


def read(raw: RawTable, roles: Roles, source_name: str) -> PValueTable:
    """Read a published table by its roles.

    Raises
    ------
    DataError
        With every problem of every row.
    """
    dataset_column, p_column = _needed_columns(raw, roles)
    raw, of_metric, choices = rows_of_one_metric(raw, roles)
    raw, averages, apart = without_averages(raw, dataset_column, roles)
    raw, left_out, asked = with_p_values(raw, roles, p_column)
    choices = (*choices, *apart, *asked)
    found = ExampleFindings(raw=raw, groups=group_rows(raw, dataset_column, source_name))
    found.remarks.extend(
        (*raw.remarks, *of_metric, *averages, *left_out, *remarks_on_adjusted(p_column))
    )
    labels = label_columns(raw, found.groups.datasets, found.groups.codes, columns_in_use(roles))
    further = further_p_values(raw, p_column, tuple(columns_in_use(roles)))
    other_columns = {other.name: KEPT_FOR for other in further}
    remark_on_published_columns(found, roles, p_column, labels, kept=other_columns)
    remark_on_published_scores(found, roles, source_name)
    check_names(found, dataset_column)
    alternative = cast(Alternative, roles["alternative"])
    score_a, score_b = column_of(roles, "system_a"), column_of(roles, "system_b")
    numbers_a, numbers_b = both_scores(found, roles, alternative)
    _check_direction(found, alternative, has_scores=score_a is not None and score_b is not None)
    published_scales(found, roles, numbers_a, numbers_b)
    choices = (*choices, *found.choices)
    p_values = read_p_values(found, p_column)
    sizes = read_sizes(found, column_of(roles, "n_examples"))
    if found.problems:
        raise DataError(found.problems, columns=raw.header, choices=choices)

    printed = raw.cells(p_column)
    remark_on_notation(found, p_column, p_values, [*(numbers_a or ()), *(numbers_b or ())])
    p_values, notes = read_zeros(
        p_values, printed, declared=cast("float | None", roles["zero_reads_below"])
    )
    system_a, system_b = _system_names(score_a, score_b)
    _remark_on_like_names(found, system_a, system_b)
    return PValueTable(
        datasets=found.groups.datasets,
        p_values=np.array([p.value for p in p_values]),
        p_value_bounds=(
            np.array([p.low for p in p_values]),
            np.array([p.high for p in p_values]),
        ),
        alternative=alternative,
        printed=printed,
        system_a=system_a,
        system_b=system_b,
        metric=cast("str | None", roles["metric"]),
        scores_a=_values(numbers_a),
        scores_b=_values(numbers_b),
        printed_scores_a=_digits(numbers_a),
        printed_scores_b=_digits(numbers_b),
        spreads_a=_spreads(numbers_a),
        spreads_b=_spreads(numbers_b),
        higher_is_better=cast(bool, roles["higher_is_better"]),
        n_examples=None if sizes is None else np.array(sizes, dtype=np.intp),
        notes=notes,
        reading=replace(
            reading_of(found, roles, layout=NAME, source_name=source_name),
            choices=(*choices, *_other_p_values(raw, p_column)),
            other_columns=other_columns,
        ),
        further=further,
    )


def _needed_columns(raw: RawTable, roles: Roles) -> tuple[str, str]:
    """The columns of datasets and p-values, of a table that is short enough."""
    dataset_column, p_column = column_of(roles, "dataset"), column_of(roles, "p_value")
    problems = shared_column_problems(roles)
    if raw.n_rows > MAX_DATASETS:
        problems.append(
            Problem(
                f"The file has {raw.n_rows:,} rows and p-values in {quoted(p_column or '')}; a "
                f"published table has at most {MAX_DATASETS:,}.",
                "Keep one row for each dataset, or choose another layout.",
            )
        )
    problems += KIND.lacking(roles)
    if dataset_column is None or p_column is None or problems:
        raise DataError(problems, columns=raw.header)
    return dataset_column, p_column


def _datasets(table: Columns, taken: set[str]) -> str | None:
    free = [c for c in table.raw.header if c not in taken and is_textual(table.raw, c)]
    return table.by_heading("dataset", taken=taken) or _first(free)


def _sizes(table: Columns, taken: set[str]) -> str | None:
    found = table.by_heading("n_examples", taken=taken)
    return found if found is not None and is_numeric(table.raw, found) else None


def _first(columns: Sequence[str]) -> str | None:
    return columns[0] if columns else None


def _check_direction(found: ExampleFindings, alternative: Alternative, *, has_scores: bool) -> None:
    if alternative == "toward-higher-score" and not has_scores:
        found.refuse(
            "P-values toward the higher score need the scores of both systems.",
            "Choose the two columns of scores, or declare another alternative.",
        )


def _other_p_values(raw: RawTable, p_column: str) -> tuple[Choice, ...]:
    """The question which p-values are counted, where there are several."""
    p_columns = p_value_columns(raw)
    if len(p_columns) < 2 or p_column not in p_columns:
        return ()
    return (p_value_choice(p_columns, score_columns(raw, set(p_columns))),)


def _remark_on_like_names(found: ExampleFindings, system_a: str, system_b: str) -> None:
    if folded(system_a) == folded(system_b):
        found.remarks.append(
            f"The systems' names {quoted(system_a)} and {quoted(system_b)} differ only in letter case or "
            "Unicode form."
        )


def _system_names(column_a: str | None, column_b: str | None) -> tuple[str, str]:
    system_a = column_a or ("A" if column_b != "A" else "B")
    system_b = column_b or ("B" if system_a != "B" else "A")
    return system_a, system_b


def _values(numbers: Sequence[PrintedNumber | None] | None) -> FloatArray | None:
    if numbers is None:
        return None
    return np.array([np.nan if number is None else number.value for number in numbers])


def _spreads(numbers: Sequence[PrintedNumber | None] | None) -> tuple[str, ...] | None:
    """The spreads behind one system's scores; None where no score has any."""
    spreads = tuple("" if number is None else number.spread for number in numbers or ())
    return spreads if any(spreads) else None


def _digits(numbers: Sequence[PrintedNumber | None] | None) -> tuple[str, ...] | None:
    if numbers is None:
        return None
    return tuple("" if number is None else number.digits for number in numbers)


KIND = FileKind(
    name=NAME,
    description="One row for each dataset: its name, the scores of both systems and the "
    "p-value, with the number of examples where it is known.",
    needs={"dataset": "the datasets", "p_value": "the p-values"},
    roles=ROLES,
    template="""\
dataset,Our system,Baseline,p_value,n_examples
SST-2,93.46,92.89,0.0412,872
MRPC,87.25,86.03,0.1687,408
RTE,68.95,66.43,0.0093,277
QNLI,91.20,90.98,0.2460,5463
MultiNLI,84.57,83.80,1.8e-5,9815
""",
    recognise=recognise,
    read=read,
    signs=("p_value",),
    shows_by_headings=True,
)
