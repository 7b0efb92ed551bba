"""The clusters of examples: every example has one, the same in all its rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from core.data.labels import ExampleClusters, numbered_by_first
from core.data.layouts.nothing import incomplete_rows
from core.data.layouts.pairing import Pairing
from core.data.layouts.per_example import ExampleFindings
from core.data.layouts.unmatched import counted, report_rows_apart, rows_read, uneven_counts
from core.data.overlap.inputs import INPUT_HEADINGS
from core.data.roles import Roles, column_of, columns_in_use
from core.data.tables.columns import heading
from core.data.tables.headings import CLUSTER_HEADINGS
from core.data.words import MOST, quoted
from core.types import BoolArray, IntArray


def check_clusters(
    found: ExampleFindings,
    roles: Roles,
    pairing: Pairing,
    *,
    left_out: BoolArray | None,
    paired: bool,
) -> None:
    """Every example names its cluster, and all rows of an example name the same one.

    Parameters
    ----------
    found : ExampleFindings
        Gets the problems.
    roles : Roles
        Resolved.
    pairing : Pairing
        Which rows are of one example.
    left_out : ndarray of bool, shape (n_units,), or None
        Examples that are not read, and so need no cluster.
    paired : bool
        Whether the pairing is without problems of its own.
    """
    column = column_of(roles, "cluster")
    if column is None:
        return
    read = rows_read(pairing, left_out)
    blank = incomplete_rows(found.raw, (column,))
    found.cell_problems(
        np.flatnonzero(blank & read),
        column,
        lambda row: (
            "The row does not say which cluster its example is in.",
            f"Give it a name in {quoted(column)}, one of its own where the example belongs to no "
            "other, or declare that no column holds clusters.",
        ),
    )
    if paired and pairing.n_slots > 1 and not uneven_counts(found, pairing):
        _check_agreement(found, pairing, column, read & ~blank)


def clusters_of_examples(
    found: ExampleFindings, roles: Roles, first_rows: IntArray, ends: IntArray
) -> ExampleClusters | None:
    """The clusters of the examples that are read, with a remark on them.

    Parameters
    ----------
    found : ExampleFindings
        Gets the remark.
    roles : Roles
        Resolved.
    first_rows : ndarray of int, shape (n_examples,)
        A row of each example, datasets one after the other.
    ends : ndarray of int, shape (n_datasets,)
        Where in `first_rows` each dataset ends.

    Returns
    -------
    ExampleClusters or None
        None where the file has no such column, or where it groups nothing.
    """
    column = column_of(roles, "cluster")
    if column is None:
        found.remarks.extend(_remarks_on_unused(found, roles, first_rows, ends))
        return None
    texts = found.raw.coded(column).codes[first_rows]
    codes = tuple(numbered_by_first(own) for own in np.split(texts, ends[:-1]))
    counts = [int(own.max()) + 1 for own in codes]
    if sum(counts) == first_rows.size:
        found.remarks.append(_groups_none(column))
        return None
    found.remarks.append(_remark(column, found.groups.datasets, counts))
    return ExampleClusters(column=column, codes=codes)


def _check_agreement(
    found: ExampleFindings, pairing: Pairing, column: str, read: BoolArray
) -> None:
    """A problem for each example whose rows name different clusters."""
    codes = found.raw.coded(column).codes
    first = pairing.first_rows[pairing.units]
    apart = read & read[first] & (codes != codes[first])
    remedy = (
        "Add a column 'example' with an id for each example, bring each system's rows into the "
        "same order,"
        if pairing.example is None
        else "Name the same one in every row of an example,"
    ) + " or declare that no column holds clusters."
    report_rows_apart(found, pairing, column, apart, "name different clusters", remedy)


def _remark(column: str, datasets: Sequence[str], counts: Sequence[int]) -> str:
    unit = "document" if heading(column).startswith("doc") else "cluster"
    named = [
        f"{n:,} in {quoted(name)}" for name, n in zip(datasets[1:MOST], counts[1:MOST], strict=True)
    ]
    listed = ", ".join([f"{counted(counts[0], unit)} in {quoted(datasets[0])}", *named])
    if len(counts) > MOST:
        listed += f" and more in {counted(len(counts) - MOST, 'dataset')}"
    return (
        f"Column {quoted(column)} groups the examples: {listed}; tests take whole {unit}s unless "
        "told to take them apart. If the examples do not depend on each other, declare that no "
        "column holds clusters (role cluster)."
    )


def _remarks_on_unused(
    found: ExampleFindings, roles: Roles, first_rows: IntArray, ends: IntArray
) -> Iterator[str]:
    """A remark on each column that is headed like clusters and is left aside, as it groups none."""
    used = columns_in_use(roles)
    for column in found.raw.header:
        known = heading(column)
        if known not in CLUSTER_HEADINGS or known in INPUT_HEADINGS or column in used:
            continue
        codes = found.raw.coded(column).codes[first_rows]
        if all(np.unique(own).size == own.size for own in np.split(codes, ends[:-1])):
            yield _groups_none(column)


def _groups_none(column: str) -> str:
    return (
        f"No text of {quoted(column)} stands in two examples of a dataset, so it groups none: each "
        "example counts for itself."
    )
