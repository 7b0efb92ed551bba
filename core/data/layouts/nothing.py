"""Cells that hold nothing, or a word that says so."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.data.tables.raw_table import RawTable
from core.types import BoolArray

# With these a file says that there is no value.
NOTHING_WORDS = frozenset(
    {"nan", "null", "na", "n/a", "none", "nil", "missing", "?", "-", "–", "—", "−", "."}
)


def incomplete_rows(raw: RawTable, columns: Sequence[str]) -> BoolArray:
    """For each row whether one of these columns is empty or says that there is no value."""
    incomplete: BoolArray = np.zeros(raw.n_rows, dtype=np.bool_)
    for column in columns:
        coded = raw.coded(column)
        # A word for a missing value is short; longer texts are not made into strings.
        nothing = np.array(
            [text == "" or text.casefold() in NOTHING_WORDS for text in coded.texts],
            dtype=np.bool_,
        )
        incomplete |= nothing[coded.codes]
    return incomplete
