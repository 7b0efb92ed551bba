"""Columns of p-values beside the one that is counted: kept for claims about several of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.data.further_p_values import FurtherPValues
from core.data.layouts.cells import Findings, read_p_values, read_zeros
from core.data.layouts.p_value_columns import p_value_columns
from core.data.tables.columns import ADJUSTED_P_HEADINGS, heading, stated_sidedness
from core.data.tables.raw_table import RawTable

KEPT_FOR = "further p-values, for claims about several"


def further_p_values(
    raw: RawTable, p_column: str, used: Sequence[str] = ()
) -> tuple[FurtherPValues, ...]:
    """The p-values of every other column that holds them; none of a column with one unreadable.

    A column that says how many sides it has is the same test again, and an
    adjusted one the same p-values.
    """
    if p_column not in (columns := p_value_columns(raw)) or stated_sidedness(p_column) is not None:
        return ()
    kept = []
    for column in columns:
        if (
            column == p_column
            or column in used
            or stated_sidedness(column) is not None
            or heading(column) in ADJUSTED_P_HEADINGS
        ):
            continue
        scratch = Findings(raw=raw, datasets=(), problems=[])
        p_values = read_p_values(scratch, column)
        if scratch.problems:
            continue
        printed = raw.cells(column)
        p_values, _ = read_zeros(p_values, printed, declared=None)
        kept.append(
            FurtherPValues(
                name=column,
                p_values=np.array([p.value for p in p_values]),
                p_value_bounds=(
                    np.array([p.low for p in p_values]),
                    np.array([p.high for p in p_values]),
                ),
                printed=tuple(printed),
            )
        )
    return tuple(kept)
