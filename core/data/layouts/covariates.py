"""The covariates of examples: what they say, the same in all rows of an example, and remarks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from core.data.covariates import MOST_LEVELS, Covariates
from core.data.labels import CodeArray
from core.data.layouts.covariate_columns import (
    kind_of,
    nothing_texts,
    odd_texts,
    remarks_on_passed_over,
    rows_apart,
)
from core.data.layouts.pairing import Pairing
from core.data.layouts.per_example import ExampleFindings
from core.data.layouts.unmatched import counted, report_rows_apart, rows_read, uneven_counts
from core.data.roles import COVARIATES, Roles, several_of
from core.data.tables.number_column import numbers_of
from core.data.words import listed, quoted
from core.errors import Problem
from core.types import BoolArray, FloatArray, IntArray

_NO_COVARIATE = "or take the column out of the covariates (role covariates)."


def check_covariates(
    found: ExampleFindings,
    roles: Roles,
    pairing: Pairing,
    *,
    left_out: BoolArray | None,
    paired: bool,
) -> None:
    """Covariates are numbers or categories, and all rows of an example say the same.

    Parameters
    ----------
    found : ExampleFindings
        Gets the problems.
    roles : Roles
        Resolved.
    pairing : Pairing
        Which rows are of one example.
    left_out : ndarray of bool, shape (n_units,), or None
        Examples that are not read.
    paired : bool
        Whether the pairing is without problems of its own.
    """
    read = rows_read(pairing, left_out)
    for column in several_of(roles, COVARIATES) or ():
        if kind_of(found.raw, column) == "numeric":
            _check_numbers(found, column, read)
        else:
            _check_levels(found, column)
        if paired and pairing.n_slots > 1 and not uneven_counts(found, pairing):
            apart = rows_apart(found.raw, column, pairing.units) & read
            remedy = f"Give the same value in every row of an example, {_NO_COVARIATE}"
            report_rows_apart(found, pairing, column, apart, "say different things", remedy)


def covariates_of_examples(
    found: ExampleFindings,
    roles: Roles,
    first_rows: IntArray,
    ends: IntArray,
    *,
    passed: Sequence[str] = (),
) -> Covariates | None:
    """The covariates of the examples that are read, with remarks.

    Parameters
    ----------
    found : ExampleFindings
        Gets the remarks.
    roles : Roles
        Resolved.
    first_rows : ndarray of int, shape (n_examples,)
        A row of each example, datasets one after the other.
    ends : ndarray of int, shape (n_datasets,)
        Where in `first_rows` each dataset ends.
    passed : sequence of str
        Columns that are read for something else.

    Returns
    -------
    Covariates or None
        None where no column is a covariate.
    """
    columns = several_of(roles, COVARIATES) or ()
    found.remarks.extend(remarks_on_passed_over(found.raw, roles, passed))
    if not columns:
        return None
    numbers: dict[str, tuple[FloatArray, ...]] = {}
    levels: dict[str, tuple[str, ...]] = {}
    codes: dict[str, tuple[CodeArray, ...]] = {}
    for column in columns:
        if kind_of(found.raw, column) == "numeric":
            given = numbers_of(found.raw, column)
            grouping = given.grouping_remark(column)
            found.remarks.extend([] if grouping is None else [grouping])
            numbers[column] = tuple(np.split(given.values[first_rows], ends[:-1]))
            continue
        coded = found.raw.coded(column)
        is_level = ~nothing_texts(coded)
        positions = np.where(is_level, np.cumsum(is_level) - 1, -1).astype(np.int32)
        own = positions[coded.codes[first_rows]]
        held = np.flatnonzero(is_level).tolist()
        levels[column] = tuple(coded.array.take(held).to_pylist())
        codes[column] = tuple(np.split(own, ends[:-1]))
    covariates = Covariates(names=columns, numbers=numbers, levels=levels, codes=codes)
    found.remarks.extend(_remarks(found, covariates))
    return covariates


def _check_numbers(found: ExampleFindings, column: str, read: BoolArray) -> None:
    """A problem for each cell that is neither a number nor empty."""
    numbers = numbers_of(found.raw, column)
    odd = odd_texts(found.raw, numbers)
    if not odd.any():
        return
    cells = found.raw.column(column)
    found.cell_problems(
        np.flatnonzero(odd[numbers.coded.codes] & read),
        column,
        lambda row: (
            f"{quoted(cells[row].as_py())} is not a number, as the others of this column are.",
            f"Give a number, leave the cell empty where it is not known, {_NO_COVARIATE}",
        ),
    )


def _check_levels(found: ExampleFindings, column: str) -> None:
    """One problem where a column holds more different texts than categories can be."""
    n_levels = int(np.count_nonzero(~nothing_texts(found.raw.coded(column))))
    if n_levels > MOST_LEVELS:
        found.problems.append(
            Problem(
                what=f"The column holds {n_levels:,} different texts: at most {MOST_LEVELS} are "
                "categories of examples.",
                remedy=f"Put examples together under fewer names, {_NO_COVARIATE}",
                column=column,
            )
        )


def _remarks(found: ExampleFindings, covariates: Covariates) -> Iterator[str]:
    described = [
        f"{quoted(name)} (numbers)"
        if name in covariates.numbers
        else f"{quoted(name)} ({counted(len(covariates.levels[name]), 'kind')})"
        for name in covariates.names
    ]
    yield f"Read as describing the examples, not as systems: {', '.join(described)}."
    for name in covariates.names:
        missing = [np.isnan(own) for own in covariates.numbers.get(name, ())]
        missing += [own < 0 for own in covariates.codes.get(name, ())]
        counts = [int(own.sum()) for own in missing]
        if sum(counts):
            some = [d for d, n in zip(found.groups.datasets, counts, strict=True) if n]
            yield (
                f"{counted(sum(counts), 'example')} of {listed(some)} "
                f"{'has' if sum(counts) == 1 else 'have'} no {quoted(name)}: the scores are read, "
                "and what is missing is not filled in."
            )
