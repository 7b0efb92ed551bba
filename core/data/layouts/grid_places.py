"""Where in a file each dataset's score of each system stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.data.layouts.per_example import ExampleFindings
from core.data.tables.columns import heading
from core.data.words import quoted
from core.types import IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Grid:
    """The place of each score.

    Attributes
    ----------
    datasets, systems : tuple of str
        In the order of the file.
    columns : tuple of str
        For each system the column that holds its scores.
    rows : ndarray of int, shape (n_datasets, n_systems)
        The row of each score, -1 where there is none.
    """

    datasets: tuple[str, ...]
    systems: tuple[str, ...]
    columns: tuple[str, ...]
    rows: IntArray


def in_columns(found: ExampleFindings, dataset: str, systems: Sequence[str]) -> Grid:
    """A row for each dataset and a column for each system."""
    datasets = found.groups.datasets
    n_rows = found.raw.n_rows
    # Every dataset has a row, so the first ones stand in the order of the codes.
    _, rows = np.unique(found.groups.codes, return_index=True)
    first = rows[found.groups.codes]

    def explain(row: int) -> tuple[str, str]:
        return (
            f"The dataset is already on line {int(found.raw.lines[first[row]])}.",
            "Keep one row for each dataset, or choose another column for their names.",
        )

    found.cell_problems(np.flatnonzero(first != np.arange(n_rows)), dataset, explain)
    return Grid(
        datasets=datasets,
        systems=tuple(systems),
        columns=tuple(systems),
        rows=np.repeat(rows[:, np.newaxis], len(systems), axis=1),
    )


def in_rows(
    found: ExampleFindings, dataset: str, system: str, column: str, *, metric: str | None
) -> Grid:
    """A row for each dataset and system, of those rows alone that are of one metric."""
    raw, datasets = found.raw, found.groups.datasets
    names = raw.coded(system)
    chosen = np.arange(raw.n_rows)
    if metric is not None:
        of_metric = next(name for name in raw.header if heading(name) == "metric")
        coded = raw.coded(of_metric)
        chosen = np.flatnonzero(coded.codes == coded.texts.index(metric))
    blank = np.flatnonzero(np.array([not text for text in names.texts])[names.codes])
    found.cell_problems(
        blank, system, lambda row: ("The row names no system.", "Name the system in every row.")
    )
    keys = found.groups.codes[chosen] * len(names.array) + names.codes[chosen]
    held, first_held = np.unique(keys, return_index=True)
    rows = np.full((len(datasets), len(names.array)), -1, dtype=np.intp)
    rows.flat[held] = chosen[first_held]
    first = rows.flat[keys]
    texts = names.texts

    def explain(row: int) -> tuple[str, str]:
        before = int(rows[found.groups.codes[row], names.codes[row]])
        return (
            f"A score of {quoted(texts[names.codes[row]])} on this dataset is already on line "
            f"{int(raw.lines[before])}.",
            "Keep one row for each dataset and system; if the rows are examples, choose another "
            "layout.",
        )

    found.cell_problems(chosen[first != chosen], dataset, explain)
    return Grid(datasets=datasets, systems=tuple(texts), columns=(column,) * len(texts), rows=rows)
