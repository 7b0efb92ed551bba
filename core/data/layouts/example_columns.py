"""Which columns of a file of examples hold datasets, ids, gold, and results of systems.

What those columns hold is checked in `per_example`.
"""

from __future__ import annotations

from collections.abc import Iterable

from core.data.layouts.cluster_columns import grouping_columns
from core.data.layouts.row_counters import without_counters
from core.data.layouts.row_units import find_unit, is_nameless_text
from core.data.roles import Roles, column_of, columns_in_use
from core.data.tables.columns import DATASET_HEADINGS, find_column, heading
from core.data.tables.headings import (
    CLUSTER_HEADINGS,
    COUNTER_HEADINGS,
    EXAMPLE_HEADINGS,
    GOLD_HEADINGS,
    is_covariate,
)
from core.data.tables.raw_table import RawTable


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
