"""Tables from columns that are put together, not cut from one text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from ...errors import Choice, DataError, Problem
from ...types import IntArray
from ..provenance import FileUse, Matched
from ..tables.limits import MAX_CHARACTERS, MAX_COLUMNS, MAX_ROWS
from ..tables.raw_table import Origin, RawTable


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PutTogether:
    """A table that somebody wrote as something else than one table.

    Attributes
    ----------
    raw : RawTable
        The table.
    roles : dict of str to object
        Declarations that were settled on the way, such as "name_order".
    choices : tuple of Choice
        Questions left open.
    declared : dict of str to object
        Roles that the files themselves settle; given ones come before them.
    files : tuple of FileUse
        What was made of each file.
    matched : tuple of Matched
        How the examples of the systems were matched.
    dataset_labels : dict of str to mapping of str to str
        What is known of each dataset as a whole and stands in no column.
    """

    raw: RawTable
    roles: dict[str, object]
    choices: tuple[Choice, ...] = ()
    declared: dict[str, object] = field(default_factory=dict)
    files: tuple[FileUse, ...] = ()
    matched: tuple[Matched, ...] = ()
    dataset_labels: dict[str, Mapping[str, str]] = field(default_factory=dict)


def table_of_columns(
    header: Sequence[str],
    columns: Sequence[Any],
    lines: Sequence[int] | IntArray,
    *,
    separator: str = ",",
    encoding: str = "UTF-8",
    remarks: tuple[str, ...] = (),
    origin: Origin | None = None,
) -> RawTable:
    """A table of columns of equal length, each a list of strings or a pyarrow array.

    Raises
    ------
    DataError
        If names are missing or repeated, or the table is too large.
    """
    check_size(n_rows=len(lines), n_columns=len(header))
    names = tuple(name.strip() for name in header)
    problems = [
        Problem(what=f"Column {position} has no name.", remedy="Give it one, or leave it out.")
        for position, name in enumerate(names, start=1)
        if not name
    ]
    problems += [
        Problem(
            what=f"The name stands over {count} columns.",
            remedy="Give each column a name of its own.",
            column=name,
        )
        for name, count in Counter(names).items()
        if name and count > 1
    ]
    if not problems and not len(lines):
        problems.append(
            Problem(
                what="There is a header and no rows.",
                remedy="Add one row for each dataset, or for each example.",
            )
        )
    arrays = tuple(
        column if isinstance(column, pa.Array) else pa.array(column, type=pa.string())
        for column in columns
    )
    if sum(array.nbytes for array in arrays) > 2 * MAX_CHARACTERS:
        problems.append(
            Problem(
                what=f"The table has more than {MAX_CHARACTERS:,} characters, the most that is "
                "read.",
                remedy="Split it, or keep only the columns that are compared.",
            )
        )
    if problems:
        raise DataError(problems)
    return RawTable(
        header=names,
        columns=arrays,
        lines=np.asarray(lines, dtype=np.intp),
        separator=separator,
        encoding=encoding,
        remarks=remarks,
        origin=origin,
    )


def check_size(*, n_rows: int, n_columns: int) -> None:
    """Raise a `DataError` where a table is larger than any that is compared."""
    problems = []
    if n_rows > MAX_ROWS:
        problems.append(
            Problem(
                what=f"There are more than {MAX_ROWS:,} rows, the most that is read.",
                remedy="Keep only the rows that are compared.",
            )
        )
    if n_columns > MAX_COLUMNS:
        problems.append(
            Problem(
                what=f"There are {n_columns:,} columns; at most {MAX_COLUMNS:,} are read.",
                remedy="Keep the columns of one table.",
            )
        )
    if problems:
        raise DataError(problems)
