"""The layout of McNemar's counts: on how many examples of a dataset both, one or none was right.

The examples are rebuilt from the counts: which example was which is not known,
and no test of right and wrong asks for it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from core.data.layouts.count_cells import are_counts, read_counts
from core.data.layouts.example_columns import find_dataset
from core.data.layouts.mcnemar_columns import (
    BY_CUSTOM,
    CELLS,
    FoundCells,
    are_shown,
    find_cells,
    size_column,
)
from core.data.layouts.per_example import ExampleFindings, check_datasets
from core.data.layouts.reading_frame import reading_of, start, stop_at_problems
from core.data.layouts.unread import remarks_on_unread
from core.data.result_set import ResultSet
from core.data.roles import (
    LAYOUT,
    SCORES,
    SYSTEMS,
    Roles,
    column_of,
    columns_in_use,
    lower_correctness_problems,
)
from core.data.tables.columns import heading
from core.data.tables.limits import MAX_ROWS
from core.data.tables.raw_table import RawTable
from core.data.words import listed, quoted
from core.errors import Problem
from core.types import FloatArray

NAME = "counts of right and wrong"
ROLES = ("dataset",)

# Whether A and whether B was right.
_OUTCOMES = np.array([[1.0, 1.0], [1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])


def recognise(raw: RawTable, given: Roles) -> Roles | None:
    """Every role of McNemar's counts, those in `given` as they are; None for another layout."""
    dataset = find_dataset(raw, given, columns_in_use(given))
    cells = find_cells(raw, dataset)
    asked_for = given.get(LAYOUT) == NAME
    if not asked_for and (
        any(given.get(role) for role in (SYSTEMS, SCORES))
        or column_of(given, "gold") is not None
        or not are_shown(raw, dataset, cells)
    ):
        return None
    return {
        LAYOUT: NAME,
        "dataset": dataset,
        "metric": given.get("metric") or "accuracy",
        "higher_is_better": given.get("higher_is_better", True),
    }


def read(raw: RawTable, roles: Roles, source_name: str) -> ResultSet:
    """Read McNemar's counts and rebuild the examples.

    Raises
    ------
    DataError
        With every problem of every row.
    """
    dataset = column_of(roles, "dataset")
    found = start(raw, roles, source_name)
    cells = find_cells(raw, dataset)
    found.problems.extend(_column_problems(raw, roles, dataset, cells))
    stop_at_problems(found)
    check_datasets(found, dataset)
    _check_repeats(found, dataset)
    remedy = "Give the count, or leave the dataset out."
    counts = np.column_stack(
        [read_counts(found, cells.columns[name], remedy=remedy) for name in CELLS]
    )
    _check_sums(found, counts, cells, dataset)
    stop_at_problems(found)

    found.remarks.append(
        "The examples are rebuilt from the counts and have no ids: which example is which is not "
        "known."
    )
    _remark(found, roles, cells)
    metric = str(roles["metric"])
    return ResultSet(
        datasets=found.groups.datasets,
        systems=cells.systems,
        values={metric: tuple(np.repeat(_OUTCOMES, row.astype(np.intp), axis=0) for row in counts)},
        higher_is_better={metric: True},
        score_decimals=0,
        reading=reading_of(
            found,
            roles,
            layout=NAME,
            source_name=source_name,
            counts=tuple(cells.columns.values()),
        ),
    )


def _column_problems(
    raw: RawTable, roles: Roles, dataset: str | None, cells: FoundCells
) -> Iterator[Problem]:
    lacking = [name for name in CELLS if name not in cells.columns]
    if lacking and not {"both_right", "both_wrong"} & set(cells.columns):
        yield Problem(
            what="The file does not say on how many examples both systems were right, so their "
            "scores are not known.",
            remedy="Add the columns 'both_right' and 'both_wrong' to those of the examples that "
            "only one of them got right, 'a_right_b_wrong' and 'a_wrong_b_right'."
            + _other_reading(cells),
        )
    elif lacking:
        yield Problem(
            what=f"There is no column of {listed(lacking)}.",
            remedy=f"McNemar's counts are {listed(CELLS)}, or 'n11', 'n10', 'n01', 'n00'.",
        )
    if dataset is None and raw.n_rows > 1:
        yield Problem(
            what="No column names the datasets.",
            remedy="Name a column 'dataset' or choose one.",
        )
    yield from lower_correctness_problems(roles)


def _other_reading(cells: FoundCells) -> str:
    """What else the letters may stand for."""
    letters = [c for c in cells.columns.values() if heading(c) in ("b", "c")]
    if len(letters) < 2:
        return ""
    return (
        f" If {quoted(letters[0])} and {quoted(letters[1])} are systems, choose the layout "
        "'one score for each dataset and system'."
    )


def _check_repeats(found: ExampleFindings, dataset: str | None) -> None:
    if dataset is None:
        return
    _, first = np.unique(found.groups.codes, return_index=True)
    again = np.setdiff1d(np.arange(found.raw.n_rows), first)
    first_lines = found.raw.lines[first]

    def explain(row: int) -> tuple[str, str]:
        return (
            f"The dataset is already on line {int(first_lines[found.groups.codes[row]])}.",
            "Keep one row for each dataset, or choose another column for their names.",
        )

    found.cell_problems(again, dataset, explain)


def _check_sums(
    found: ExampleFindings, counts: FloatArray, cells: FoundCells, dataset: str | None
) -> None:
    """Each dataset has an example, all together are not too many, and a stated number holds."""
    sizes = counts.sum(axis=1)
    column = dataset or cells.columns["both_right"]
    found.cell_problems(
        np.flatnonzero(sizes == 0),
        column,
        lambda row: ("All four counts are 0.", "Leave the dataset out."),
    )
    if sizes.sum() > MAX_ROWS:
        found.problems.append(
            Problem(
                what=f"The counts add up to {sizes.sum():,.0f} examples; at most {MAX_ROWS:,} are "
                "read.",
                remedy="Read fewer datasets at a time.",
            )
        )
    size = size_column(found.raw)
    if size is None or size in cells.columns.values() or not are_counts(found.raw, size):
        return
    stated = read_counts(found, size)
    found.cell_problems(
        np.flatnonzero(np.isfinite(stated) & (stated != sizes)),
        size,
        lambda row: (
            f"The four counts add up to {sizes[row]:,.0f}, not to {stated[row]:,.0f}.",
            "Correct one of them.",
        ),
    )


def _remark(found: ExampleFindings, roles: Roles, cells: FoundCells) -> None:
    one, other = cells.columns["a_right_b_wrong"], cells.columns["a_wrong_b_right"]
    if heading(one) in BY_CUSTOM:
        found.remarks.append(
            f"{quoted(one)} is read as the number of examples that only A got right, "
            f"{quoted(other)} as that of B."
        )
    used = columns_in_use(roles).union(cells.columns.values())
    size = size_column(found.raw)
    unread = [c for c in found.raw.header if c not in used and c != size]
    found.remarks.extend(remarks_on_unread(found.raw, unread))
