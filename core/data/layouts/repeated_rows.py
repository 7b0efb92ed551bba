"""Rows that stand again under the same id, and the columns that would tell them apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from core.data.tables.columns import heading
from core.data.tables.headings import CLUSTER_HEADINGS
from core.data.tables.limits import bounded
from core.data.tables.number_column import numbers_of
from core.data.tables.raw_table import RawTable
from core.data.words import listed
from core.errors import Problem
from core.types import BoolArray, IntArray

# So many columns are named.
_MOST_NAMED = 3
# So many copies in a dataset are told together, fewer one by one.
FEWEST_COPIES = 5


def repeated_rows(keys: IntArray) -> tuple[BoolArray, IntArray]:
    """For each row whether its key stands before, and the row on which it stands first."""
    order = np.argsort(keys, kind="stable")
    again: BoolArray = np.zeros(keys.size, dtype=np.bool_)
    again[order[1:]] = keys[order[1:]] == keys[order[:-1]]
    # The last row in `order` that does not repeat is the first with its key.
    starts = np.maximum.accumulate(np.where(again[order], 0, np.arange(keys.size)))
    first = np.empty(keys.size, dtype=np.intp)
    first[order] = order[starts]
    return again, first


def copy_problems(
    raw: RawTable,
    again: BoolArray,
    first: IntArray,
    *,
    datasets: Sequence[str],
    codes: IntArray,
    column: str,
) -> tuple[BoolArray, list[Problem]]:
    """Rows that stand `again` and are the same as the `first` in every column, told together.

    One problem for each dataset with five or more of them; fewer are left to be told
    one by one. `codes` are each row's position in `datasets`.
    """
    copies = _exact_copies(raw, again, first)
    n_copies = np.bincount(codes[copies], minlength=len(datasets))
    copies &= (n_copies >= FEWEST_COPIES)[codes]
    n_rows = np.bincount(codes, minlength=len(datasets))
    rows = np.flatnonzero(copies)
    _, places = np.unique(codes[rows], return_index=True)

    def problems() -> Iterator[Problem]:
        for row in rows[np.sort(places)].tolist():
            dataset = int(codes[row])
            n, n_all = int(n_copies[dataset]), int(n_rows[dataset])
            one = f"line {int(raw.lines[row])} holds the same as line {int(raw.lines[first[row]])}"
            yield Problem(
                what=f"All {n:,} rows stand twice, the same in every column: {one}, and so on."
                if 2 * n == n_all and np.bincount(first[codes == dataset]).max() == 2
                else f"{n:,} of {n_all:,} rows repeat an earlier one, the same in every column: "
                f"{one}, and so on.",
                remedy="Remove the copies.",
                dataset=datasets[dataset] or None,
                column=column,
                file=raw.file_of(row, column),
            )

    return copies, bounded(problems(), n_problems=places.size, of="datasets")


def _exact_copies(raw: RawTable, again: BoolArray, first: IntArray) -> BoolArray:
    copies = again.copy()
    for column in raw.header:
        rows = np.flatnonzero(copies)
        if not rows.size:
            break
        codes = raw.coded(column).codes
        copies[rows] = codes[rows] == codes[first[rows]]
    return copies


def remedy_for_repeats(
    raw: RawTable, first: IntArray, again: BoolArray, *, otherwise: str, told_by: Sequence[str] = ()
) -> str:
    """What to do about rows that repeat: choose a column that tells them apart, if there is one.

    `otherwise` is the remedy where none does, `told_by` are columns that have
    told rows apart already.
    """
    rows = np.flatnonzero(np.isin(first, first[again]))
    found = [
        column
        for column in raw.header
        if column not in told_by and _tells_apart(raw, column, rows, first[rows])
    ][:_MOST_NAMED]
    groups = [column for column in found if heading(column) in CLUSTER_HEADINGS]
    found = [column for column in found if column not in groups]
    said = ""
    if groups:
        said += (
            f"If the ids begin anew within {listed(groups)}, write the two together as one id, or "
            "declare that no column holds ids. "
        )
    if found:
        one = len(found) == 1
        said += (
            f"{listed(found)} {'tells' if one else 'tell'} these rows apart: if "
            f"{'it names' if one else 'one of them names'} examples, runs, metrics or systems, "
            "choose it for that. "
        )
    return said + otherwise


def _tells_apart(raw: RawTable, column: str, rows: IntArray, groups: IntArray) -> bool:
    """Whether no two rows of a group hold the same text of a column that may hold names."""
    coded = raw.coded(column)
    keys = groups * np.int64(len(coded.array)) + coded.codes[rows]
    if np.unique(keys).size < rows.size:
        return False
    values = numbers_of(raw, column).values
    values = values[np.isfinite(values)]
    # Scores may differ by chance; names in digits are whole numbers, and not 0 and 1 alone.
    return bool(
        (values == np.floor(values)).all() and not (values.size and np.isin(values, (0, 1)).all())
    )
