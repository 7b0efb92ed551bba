"""Which columns of a file of examples hold datasets, ids, clusters, gold, and results of systems.

What those columns hold is checked in `per_example`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc

from ..overlap.inputs import INPUT_HEADINGS
from ..roles import Roles, column_of, columns_in_use
from ..tables.headings import (
    CLUSTER_HEADINGS,
    COUNTER_HEADINGS,
    DATASET_HEADINGS,
    EXAMPLE_HEADINGS,
    GOLD_HEADINGS,
    SLOT_HEADINGS,
    UNIT_HEADINGS,
    find_column,
    heading,
    is_covariate,
)
from ..tables.number_column import is_textual
from ..tables.raw_table import RawTable
from .per_example import incomplete_rows
from .row_units import (
    columns_of_places,
    combined,
    find_unit,
    is_nameless_text,
    n_combinations,
    without_counters,
)

# Where nothing else tells examples apart, so few rows may stand twice by mistake: one in twenty.
_FEW_IN = 20
# In letters on average: names of documents are shorter, documents themselves are longer.
_A_PASSAGE = 60
_ID_HEADINGS = frozenset({*EXAMPLE_HEADINGS, *UNIT_HEADINGS, *COUNTER_HEADINGS}).difference(
    CLUSTER_HEADINGS
)
_NO_MEASUREMENT = frozenset({*_ID_HEADINGS, *CLUSTER_HEADINGS, *INPUT_HEADINGS, *GOLD_HEADINGS})


def find_cluster(
    raw: RawTable,
    given: Roles,
    *,
    dataset: str | None,
    slots: Sequence[str | None],
    taken: Collection[str | None],
) -> str | None:
    """The column of the clusters: as given, else by its heading and by what it groups.

    Parameters
    ----------
    raw : RawTable
        The file's cells.
    given : Roles
        As the caller gave them.
    dataset : str or None
        The column of the datasets.
    slots : sequence of str or None
        The columns that say of which system, metric and run a row is.
    taken : collection of str or None
        Columns with a role.
    """
    if "cluster" in given:
        return column_of(given, "cluster")
    passed = {*taken, dataset, *slots, *columns_in_use(given)}
    within = [column for column in slots if column is not None]
    for column in _headed_like_clusters(raw):
        if column not in passed and _groups_examples(raw, column, dataset, within):
            return column
    return None


def grouping_columns(raw: RawTable, given: Roles, taken: Collection[str]) -> tuple[str, ...]:
    """Columns headed like ids of documents that group the examples of a dataset.

    A column in which only a few rows stand twice holds ids, and mistakes,
    unless another column tells the rows apart. So does one of which each text
    stands beside each text of another column, such as two ways to score an
    answer: what else would be read as examples are then repeated measurements.

    Parameters
    ----------
    raw : RawTable
        The file's cells.
    given : Roles
        As the caller gave them.
    taken : collection of str
        Columns with a role.
    """
    declared = column_of(given, "cluster")
    if "cluster" in given:
        return () if declared is None else (declared,)
    found = [
        column
        for column in _headed_like_clusters(raw)
        if column not in taken and heading(column) in (*EXAMPLE_HEADINGS, *UNIT_HEADINGS)
    ]
    if not found:
        return ()
    places = columns_of_places(raw, taken, passed=found)
    n_again = {column: _n_again(raw, [*places, column], column) for column in found}
    found = [column for column in found if n_again[column]]
    if not found:
        return ()
    has_slots = any(heading(column) in SLOT_HEADINGS for column in places)
    has_ids = any(
        heading(column) in _ID_HEADINGS
        and column not in taken
        and n_combinations(raw, [*places, column]) == raw.n_rows
        # A number for each row of several systems is no id that they share.
        and not (has_slots and len(raw.coded(column).array) == raw.n_rows)
        for column in raw.header
    )
    most = 0 if has_ids else max(1, raw.n_rows // _FEW_IN)
    return tuple(
        column
        for column in found
        if n_again[column] > most and not _is_crossed(raw, column, places)
    )


def columns_but_passages(raw: RawTable, roles: Roles) -> set[str]:
    """Every column with a role, but for clusters that are themselves texts read by a system."""
    used = columns_in_use(roles)
    column = column_of(roles, "cluster")
    if column is not None and heading(column) in INPUT_HEADINGS:
        lengths = pc.mean(pc.utf8_length(raw.coded(column).array)).as_py()
        if lengths >= _A_PASSAGE:
            used.discard(column)
    return used


def _headed_like_clusters(raw: RawTable) -> list[str]:
    """Columns with a heading of clusters that are not blank, by the order of these headings."""
    found = [column for column in raw.header if heading(column) in CLUSTER_HEADINGS]
    found.sort(key=lambda column: CLUSTER_HEADINGS.index(heading(column)))
    return [column for column in found if not raw.is_blank(column)]


def _groups_examples(
    raw: RawTable, column: str, dataset: str | None, within: Sequence[str]
) -> bool:
    """Whether a text stands in several examples of a dataset, and another beside it.

    A column that says the same all through each dataset groups datasets.
    """
    datasets = [dataset] if dataset is not None else []
    if not _n_again(raw, [*datasets, *within, column], column):
        return False
    return n_combinations(raw, [*datasets, column]) > n_combinations(raw, datasets)


def _is_crossed(raw: RawTable, column: str, places: Sequence[str]) -> bool:
    """Whether ids stand once beside each text of a column that has another few."""
    if heading(column) not in EXAMPLE_HEADINGS:
        return False
    n_ids = n_combinations(raw, [*places, column])
    return any(
        other not in (*places, column)
        and heading(other) not in _NO_MEASUREMENT
        and 1 < len(raw.coded(other).array) == raw.n_rows / n_ids
        and is_textual(raw, other)
        and n_combinations(raw, [*places, column, other]) == raw.n_rows
        for other in raw.header
    )


def _n_again(raw: RawTable, columns: Sequence[str], column: str) -> int:
    """How many rows repeat another in these columns, those aside that hold nothing in one."""
    blank = incomplete_rows(raw, (column,))
    if not blank.any():
        return raw.n_rows - n_combinations(raw, columns)
    keys: npt.NDArray[np.int64] = combined(raw, columns)[~blank]
    return int(keys.size - np.unique(keys).size)


def find_dataset(raw: RawTable, given: Roles, taken: set[str]) -> str | None:
    """The column of the datasets: as given, else by its heading."""
    if "dataset" in given:
        return column_of(given, "dataset")
    return find_column(raw.header, DATASET_HEADINGS, taken=taken)


def find_example(raw: RawTable, given: Roles, taken: set[str]) -> str | None:
    """The column of the examples' ids: as given, else by its heading."""
    if "example" in given:
        return column_of(given, "example")
    declared = column_of(given, "cluster")
    passed = taken if declared is None else taken | {declared}
    found = find_column(raw.header, EXAMPLE_HEADINGS, taken=passed)
    grouping: tuple[str, ...] = ()
    if found is None or heading(found) in CLUSTER_HEADINGS:
        grouping = grouping_columns(raw, given, taken)
        passed = passed.union(grouping)
        found = find_column(raw.header, EXAMPLE_HEADINGS, taken=passed)
    if found is not None:
        return None if raw.is_blank(found) else found
    unit = find_unit(raw, taken, grouping=grouping)
    if unit is not None:
        return unit
    counter = find_column(raw.header, COUNTER_HEADINGS, taken=passed)
    if counter is None or raw.is_blank(counter) or is_nameless_text(raw, counter):
        return None
    return counter


def find_gold(raw: RawTable, given: Roles, taken: set[str]) -> str | None:
    """The column of the gold labels: as given, else by its heading."""
    if "gold" in given:
        return column_of(given, "gold")
    found = find_column(raw.header, GOLD_HEADINGS, taken=taken)
    return found if found is not None and not raw.is_blank(found) else None


def candidates(raw: RawTable, taken: Iterable[str]) -> list[str]:
    """Columns that may hold a system's results."""
    used = set(taken)
    found = [
        column
        for column in raw.header
        if column not in used
        and not is_covariate(column)
        and heading(column) not in GOLD_HEADINGS
        and not raw.is_blank(column)
    ]
    return list(without_counters(raw, found, used))


def stated_metrics(raw: RawTable) -> tuple[str, ...]:
    """Every value of a column headed "metric", each once; () where there is none."""
    for column in raw.header:
        if heading(column) == "metric":
            return tuple(raw.column(column).unique().to_pylist())
    return ()


def base_columns(raw: RawTable, given: Roles) -> tuple[str | None, str | None, str | None]:
    """The columns of datasets, examples and gold labels."""
    taken = columns_in_use(given)
    dataset = find_dataset(raw, given, taken)
    taken |= {dataset} if dataset is not None else set()
    example = find_example(raw, given, taken)
    taken |= {example} if example is not None else set()
    return dataset, example, find_gold(raw, given, taken)


def has_repeats(raw: RawTable, column: str) -> bool:
    """Whether some text stands in several rows."""
    return len(raw.coded(column).array) < raw.n_rows


def counts_rows(column: str | None) -> bool:
    """Whether a column of ids is only a counter by its heading: of examples or of anything else."""
    return column is not None and heading(column) in COUNTER_HEADINGS
