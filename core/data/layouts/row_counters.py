"""Columns of numbers that count rows under a heading that says nothing of it: they are no scores."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from core.data.tables.columns import DATASET_HEADINGS, heading, is_numeric
from core.data.tables.headings import (
    METRIC_NAME_HEADINGS,
    RUN_HEADINGS,
    SYSTEM_HEADINGS,
    is_covariate,
)
from core.data.tables.number_column import numbers_of
from core.data.tables.raw_table import RawTable
from core.data.words import listed
from core.types import FloatArray, IntArray

# Fewer numbers than this may follow upon each other by chance.
_FEWEST = 3
# So many hardly do in any order; of fewer the count must begin with 0 or 1 and rise.
_MANY = 10
# So many cells are looked at first: most columns of scores show there that they count nothing.
_FIRST = 200


def without_counters(
    raw: RawTable, columns: Sequence[str], taken: Collection[str]
) -> tuple[str, ...]:
    """These columns but for those that count rows; all where no other numbers would stay.

    Parameters
    ----------
    raw : RawTable
        The file's cells.
    columns : sequence of str
        Columns that may hold results.
    taken : collection of str
        Columns with a role: within one of them, such as the datasets, rows may be counted anew.
    """
    counting = {column for column in columns if counts(raw, column, taken)}
    others = [column for column in columns if column not in counting]
    if not counting or not any(is_numeric(raw, column) for column in others):
        return tuple(columns)
    return tuple(others)


def counts(raw: RawTable, column: str, taken: Collection[str]) -> bool:
    """Whether a column's numbers are whole, all different and without a gap.

    They are so in the whole file, or anew from the same number in each dataset,
    and in each dataset of each system where rows name systems.
    """
    numbers = numbers_of(raw, column)
    values = numbers.text_values
    if raw.n_rows < _FEWEST or not are_whole(values[:_FIRST]) or not are_whole(values):
        return False
    span = int(values.max() - values.min()) + 1
    if not _FEWEST <= span <= raw.n_rows:
        return False
    if not np.bincount((values - values.min()).astype(np.intp)).all():
        return False
    if span == raw.n_rows:
        return _is_no_chance(values, span)
    if not _is_no_chance(values, span):
        return False
    each = (numbers.values - values.min()).astype(np.intp)
    grouping = [c for c in raw.header if c != column and _may_group(raw, c, taken)]
    rows_of = np.zeros(raw.n_rows, dtype=np.intp)
    for group in grouping:
        _, rows_of = np.unique(
            rows_of * len(raw.coded(group).array) + raw.coded(group).codes, return_inverse=True
        )
        if _each_is_counted(each, rows_of):
            return True
    return any(
        _each_is_counted(each, raw.coded(group).codes.astype(np.intp)) for group in grouping[1:]
    )


def remark_on_counters(raw: RawTable, unread: Sequence[str], taken: Collection[str]) -> list[str]:
    """A remark on those of the columns left aside that count the rows."""
    counting = [column for column in unread if may_count(raw, column, taken)]
    if not counting:
        return []
    one = len(counting) == 1
    return [
        f"{listed(counting)} {'counts' if one else 'count'} the rows and "
        f"{'is' if one else 'are'} not taken for scores."
    ]


def may_count(raw: RawTable, column: str, taken: Collection[str]) -> bool:
    """As `counts`, for a column that may hold anything under a heading that says nothing."""
    return (
        not is_covariate(column)
        and numbers_of(raw, column).n_numbers > 0
        and counts(raw, column, taken)
    )


def are_whole(values: FloatArray) -> bool:
    """Whether these are whole numbers, and nothing else."""
    return bool(np.isfinite(values).all() and (values == np.floor(values)).all())


def _is_no_chance(values: FloatArray, span: int) -> bool:
    """Whether so many numbers in this order, each text's first place counting, are no scores."""
    _, first = np.unique(values, return_index=True)
    return span >= _MANY or (values.min() in (0.0, 1.0) and bool((np.diff(first) > 0).all()))


def _may_group(raw: RawTable, column: str, taken: Collection[str]) -> bool:
    """Whether rows may be counted anew for each text of a column: datasets, systems and the like."""
    known = (*DATASET_HEADINGS, *SYSTEM_HEADINGS, *METRIC_NAME_HEADINGS, *RUN_HEADINGS)
    return (
        (column in taken or heading(column) in known)
        and raw.is_repetitive(column)
        and _FEWEST * len(raw.coded(column).array) <= raw.n_rows
    )


def _each_is_counted(values: IntArray, groups: IntArray) -> bool:
    """Whether every group holds 0, 1, 2… once each, and some group enough of them."""
    sizes = np.bincount(groups)
    highest = np.zeros(sizes.size, dtype=np.intp)
    np.maximum.at(highest, groups, values)
    if sizes.max() < _FEWEST or (highest + 1 != sizes).any():
        return False
    keys = groups * (int(values.max()) + 1) + values
    return bool(np.unique(keys).size == values.size)
