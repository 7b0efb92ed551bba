"""The layouts that a file may have, in the order in which they are tried."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.data import published_table
from core.data.columns import DATASET_HEADINGS, find_column
from core.data.p_value_table import PValueTable
from core.data.raw_table import RawTable
from core.data.roles import Roles
from core.data.words import listed
from core.errors import Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """One kind of file.

    Attributes
    ----------
    name : str
        As a person calls it.
    description : str
        Which columns it has, in one sentence.
    recognise : callable (raw, given) -> roles or None
        Every role resolved, those in `given` kept as they are; None if the
        file has another layout.
    read : callable (raw, roles, source_name) -> table
        Raises `DataError` with every problem.
    """

    name: str
    description: str
    recognise: Callable[[RawTable, Roles], Roles | None]
    read: Callable[[RawTable, Roles, str], PValueTable]


LAYOUTS: tuple[Layout, ...] = (
    Layout(
        name=published_table.NAME,
        description="One row for each dataset: its name, the scores of both systems and the "
        "p-value, with the number of examples where it is known.",
        recognise=published_table.recognise,
        read=published_table.read,
    ),
)


def unrecognised_problem(raw: RawTable) -> Problem:
    """Why no layout fits, and what a file that fits one has."""
    needed = (
        "A published table has one row for each dataset, with its name, the scores of both "
        "systems and a column 'p_value'."
    )
    dataset = find_column(raw.header, DATASET_HEADINGS)
    if dataset is not None:
        first_line: dict[str, int] = {}
        for name, line in zip(raw.cells(dataset), raw.lines, strict=True):
            if name in first_line:
                return Problem(
                    what=f"The dataset is on line {first_line[name]} already and no column holds "
                    "p-values: the file looks like per-example results.",
                    remedy=needed,
                    dataset=name or None,
                    column=dataset,
                    line=line,
                )
            first_line[name] = line
    return Problem(
        what=f"No column is recognised as p-values among {listed(raw.header)}.",
        remedy=f"{needed} If the file has one under another name, choose it.",
    )
