"""Covariates: which columns describe the examples, and what they say."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import cache, partial

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from ...errors import listed, quoted
from ...types import BoolArray, FloatArray, IntArray
from ..overlap.known_by import input_columns
from ..roles import COVARIATES, Roles, column_of, columns_in_use, several_of
from ..side_data import MOST_LEVELS, CodeArray, CovariateKind, Covariates, sorted_distinct
from ..tables.headings import ANSWER_WORDS, is_covariate, is_named
from ..tables.number_column import NumberColumn, is_textual, numbers_of
from ..tables.numbers import NOTHING_WORDS
from ..tables.raw_table import RawTable
from .columns import held
from .pairing import Arranged, counted, rows_apart
from .per_example import ExampleFindings
from .row_units import FEW_IN, first_rows_of, nothing_texts, rows_of_examples

# Under a heading that says nothing a text is a category where few texts stand in many rows each.
_FEW_LEVELS = 20
_ROWS_A_LEVEL = 5
_NO_CATEGORY = ("prediction", "gold", "metric_names", "score", "system")
_SLOT_ROLES = ("system", "metric_names", "run")


def find_covariates(
    raw: RawTable, roles: Roles, *, passed: Collection[str] = (), known_only: bool
) -> tuple[str, ...]:
    """The columns that describe the examples, where nobody said which do.

    A column of numbers does so by its heading alone, as any other may be a
    system. None is found that says the same all through each dataset.

    Columns that are `passed` over are read for something else. With `known_only` a text counts only
    under a known heading, as it may be what a system gave out.
    """
    used = columns_in_use(roles).union(passed)
    # Only where a column may be one.
    units = cache(partial(_units_of_rows, raw, roles))
    found = [
        column
        for column, fault in _headed_like_covariates(raw, used, units)
        if not fault and _has_levels(raw, column, MOST_LEVELS)
    ]
    if not known_only:
        passed = used.union(input_columns(raw, used))
        found += [
            column
            for column in raw.header
            if column not in passed
            and _is_category(raw, column)
            and not rows_apart(values_of_rows(raw, column), units()).any()
        ]
    dataset = column_of(roles, "dataset")
    return tuple(c for c in raw.header if c in found and _varies(raw, c, dataset))


# By it the page finds these remarks among all others.
PASSED_OVER = "is not read as describing the examples, as"


def _headed_like_covariates(
    raw: RawTable, used: Collection[str], units: Callable[[], IntArray]
) -> Iterator[tuple[str, str]]:
    """Columns headed like covariates, and why each describes no examples, '' where it does."""
    texts = input_columns(raw, used)
    for column in raw.header:
        if column in used or raw.is_blank(column):
            continue
        if not is_named(column, "measure") and not (
            is_named(column, "category")
            and (column not in texts or _has_levels(raw, column, raw.n_rows // FEW_IN))
        ):
            continue
        odd = np.flatnonzero(_odd_rows(raw, column))
        apart = np.flatnonzero(rows_apart(values_of_rows(raw, column), units()))
        few = (int(units().max(initial=-1)) + 1) // FEW_IN
        if odd.size:
            text = quoted(raw.column(column)[int(odd[0])].as_py())
            yield column, f"{text} on line {int(raw.lines[odd[0]])} is no number"
        elif sorted_distinct(units()[apart]).size > few:
            line = int(raw.lines[int(apart[0])])
            yield column, f"it says different things about one example, first on line {line}"
        else:
            yield column, ""


def kind_of(raw: RawTable, column: str) -> CovariateKind:
    """Whether a covariate holds numbers or categories."""
    if is_named(column, "category"):
        return "categorical"
    numbers = numbers_of(raw, column)
    n_odd = numbers.n_rows(odd_texts(raw, numbers))
    # As of every column, one cell may be a mistake.
    few = max(1, (numbers.n_numbers + n_odd) // 5)
    return "numeric" if numbers.n_numbers and n_odd <= few else "categorical"


def odd_texts(raw: RawTable, numbers: NumberColumn) -> BoolArray:
    """For each different text of a numeric covariate whether it is neither number nor nothing."""
    odd: BoolArray = ~np.isfinite(numbers.text_values)
    if not raw.decimal_comma:
        odd |= numbers.is_comma
    if (
        numbers.is_percent.any()
        and (~numbers.is_percent & (numbers.text_values != 0.0) & ~odd).any()
    ):
        # Percent beside fractions are not on one scale.
        odd |= numbers.is_percent
    return odd & ~nothing_texts(numbers.coded) if odd.any() else odd


def values_of_rows(raw: RawTable, column: str) -> npt.NDArray[np.float64] | npt.NDArray[np.int32]:
    """For each row a number that is equal where a covariate is; nan or −1 where it is missing."""
    if kind_of(raw, column) == "numeric":
        return numbers_of(raw, column).values
    coded = raw.coded(column)
    missing = np.int32(-1)
    codes: npt.NDArray[np.int32] = np.where(nothing_texts(coded)[coded.codes], missing, coded.codes)
    return codes


def _units_of_rows(raw: RawTable, roles: Roles) -> IntArray:
    """For each row a number of its example."""
    slots = held(*(column_of(roles, role) for role in _SLOT_ROLES))
    within = held(column_of(roles, "dataset"))
    return rows_of_examples(raw, within, column_of(roles, "example"), slots)


def _odd_rows(raw: RawTable, column: str) -> BoolArray:
    """For each row whether a column of numbers holds something that is none."""
    if kind_of(raw, column) == "categorical":
        return np.zeros(raw.n_rows, dtype=np.bool_)
    numbers = numbers_of(raw, column)
    odd: BoolArray = odd_texts(raw, numbers)[numbers.coded.codes]
    return odd


def _has_levels(raw: RawTable, column: str, most: int) -> bool:
    """Whether a column holds numbers, or from two to so many categories."""
    if kind_of(raw, column) == "numeric":
        return True
    if not raw.is_repetitive(column):
        return False
    n_levels = int(np.count_nonzero(~nothing_texts(raw.coded(column))))
    return 2 <= n_levels <= min(most, raw.n_rows - 1)


def _is_category(raw: RawTable, column: str) -> bool:
    """Whether a column under a heading that says nothing holds a few kinds of text."""
    if is_named(column, *_NO_CATEGORY) or is_covariate(column, raw.header):
        return False
    if raw.is_blank(column) or not raw.is_repetitive(column) or not is_textual(raw, column):
        return False
    coded = raw.coded(column)
    if len(coded.array) > _FEW_LEVELS + len(NOTHING_WORDS):
        return False
    levels = {t.casefold() for t in coded.texts if t} - NOTHING_WORDS
    return (
        2 <= len(levels) <= min(_FEW_LEVELS, raw.n_rows // _ROWS_A_LEVEL)
        and not levels <= ANSWER_WORDS
    )


def _varies(raw: RawTable, column: str, dataset: str | None) -> bool:
    """Whether a covariate differs between examples of some dataset."""
    values = values_of_rows(raw, column)
    held = np.flatnonzero(~np.isnan(values) & (values != -1 if values.dtype.kind == "i" else True))
    if dataset is None:
        return bool((values[held] != values[held[:1]]).any())
    coded = raw.coded(dataset)
    codes = coded.codes[held]
    first = held[first_rows_of(codes, len(coded.array))[codes]]
    return bool((values[held] != values[first]).any())


NO_COVARIATE = "or take the column out of the covariates (role covariates)."


def check_covariates(found: ExampleFindings, read: BoolArray) -> None:
    """On the rows that are read covariates are numbers, or few enough categories."""
    for column in several_of(found.roles, COVARIATES) or ():
        n_levels = int(np.count_nonzero(~nothing_texts(found.raw.coded(column))))
        if kind_of(found.raw, column) == "numeric":
            odd = np.flatnonzero(_odd_rows(found.raw, column) & read)
            found.cell_problems(odd, column, partial(_no_number, found.raw.column(column)))
        elif n_levels > MOST_LEVELS:
            found.refuse(
                f"The column holds {n_levels:,} different texts: at most {MOST_LEVELS} are "
                "categories of examples.",
                f"Put examples together under fewer names, {NO_COVARIATE}",
                column=column,
            )


def _no_number(cells: pa.Array, row: int) -> tuple[str, str]:
    return (
        f"{quoted(cells[row].as_py())} is not a number, as the others of this column are.",
        f"Give a number, leave the cell empty where it is not known, {NO_COVARIATE}",
    )


def covariates_of_examples(
    found: ExampleFindings, examples: Arranged, *, passed: Collection[str] = ()
) -> Covariates | None:
    """The covariates of the examples that are read, with remarks; None where there are none."""
    columns = several_of(found.roles, COVARIATES) or ()
    used = columns_in_use(found.roles).union(passed)
    units = cache(partial(_units_of_rows, found.raw, found.roles))
    found.remarks.extend(
        f"{quoted(column)} {PASSED_OVER} {fault}."
        for column, fault in _headed_like_covariates(found.raw, used, units)
        if fault
    )
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
            numbers[column] = examples.split(given.values[examples.first])
            continue
        coded = found.raw.coded(column)
        is_level = ~nothing_texts(coded)
        positions = np.where(is_level, np.cumsum(is_level) - 1, -1).astype(np.int32)
        held = np.flatnonzero(is_level).tolist()
        levels[column] = tuple(coded.array.take(held).to_pylist())
        codes[column] = examples.split(positions[coded.codes[examples.first]])
    covariates = Covariates(names=columns, numbers=numbers, levels=levels, codes=codes)
    found.remarks.extend(_remarks(found, covariates))
    return covariates


def _remarks(found: ExampleFindings, covariates: Covariates) -> Iterator[str]:
    described = [
        f"{quoted(name)} (numbers)"
        if name in covariates.numbers
        else f"{quoted(name)} ({counted(len(covariates.levels[name]), 'kind')})"
        for name in covariates.names
    ]
    yield f"Columns that describe examples, not systems: {', '.join(described)}."
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
