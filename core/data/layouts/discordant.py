"""Counts of examples that only one of two systems got right: by headings, no scores."""

from __future__ import annotations

import re

import numpy as np

from core.data.tables.columns import heading
from core.data.tables.number_column import numbers_of
from core.data.tables.raw_table import RawTable

_RIGHT, _WRONG = "(right|correct)", "(wrong|incorrect)"
_ONE_ALONE = re.compile(rf".+ {_RIGHT} .+ {_WRONG}|.+ {_WRONG} .+ {_RIGHT}")
_PAIRS = (("n10", "n01"), ("n 10", "n 01"), ("only a", "only b"), ("a only", "b only"))


def discordant_columns(raw: RawTable) -> tuple[str, ...]:
    """The two columns of McNemar's b and c, whatever they are called; () where there are none.

    Plain letters count in lower case and without an 'a' beside them, as 'A', 'B' and 'C'
    are systems.
    """
    named = tuple(c for c in raw.header if _ONE_ALONE.fullmatch(heading(c)))
    if len(named) == 2 and all(_are_counts(raw, column) for column in named):
        return named
    by_heading = {heading(column): column for column in reversed(raw.header)}
    for one, other in _PAIRS:
        pair = by_heading.get(one), by_heading.get(other)
        if pair[0] is not None and pair[1] is not None:
            found = (pair[0], pair[1])
            return found if all(_are_counts(raw, column) for column in found) else ()
    letters = ("b", "c")
    if not set(letters) <= set(raw.header) or {"a", "A", "B", "C", "d"} & set(raw.header):
        return ()
    return letters if all(_are_counts(raw, column) for column in letters) else ()


def _are_counts(raw: RawTable, column: str) -> bool:
    values = numbers_of(raw, column).text_values
    held = values[np.isfinite(values)]
    return bool(held.size and (held >= 0).all() and (held == np.floor(held)).all())
