"""What the owner of per-example scores should know about their numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.data.layouts.per_example import ExampleFindings
from core.data.words import listed, quoted
from core.types import FloatArray, IntArray

# At most one value in twenty is taken for an exception.
_EXCEPTIONS = 20


def remark_on_exceptions(
    found: ExampleFindings, systems: Sequence[str], values: FloatArray, rows: IntArray
) -> None:
    """A remark on a few values that are neither 0 nor 1 in a column that holds nothing else.

    `values` has a column for each system, and `rows` says where in the file each value stands.
    """
    for index, system in enumerate(systems):
        column = values[:, index]
        others = np.flatnonzero((column != 0.0) & (column != 1.0))
        if not 0 < others.size <= column.size // _EXCEPTIONS:
            continue
        count = "one value" if others.size == 1 else f"{others.size:,} values"
        places = rows[others, index]
        first = int(places.argmin())
        found.remarks.append(
            f"{quoted(system)} holds 0 and 1 but for {count}, the first "
            f"{column[others[first]]:.10g} on {found.place(int(places[first]))}: it is not read as right or wrong there."
        )


def remark_on_scales(
    found: ExampleFindings,
    systems: Sequence[str],
    values: FloatArray,
    ends: IntArray,
    *,
    of: str = "Scores",
) -> None:
    """A remark where some scores lie on 0 to 100 beside others on 0 to 1."""
    starts = np.r_[0, ends[:-1]]
    highest = np.maximum.reduceat(values, starts, axis=0)
    lowest = np.minimum.reduceat(values, starts, axis=0)
    if (lowest < 0).any() or (highest > 100).any():
        return
    by_system = highest.max(axis=0)
    small = by_system <= 1
    if small.any() and (by_system > 10).any():
        large = [name for name, high in zip(systems, by_system, strict=True) if high > 10]
        found.remarks.append(
            f"{of} of {listed(large)} go up to {by_system.max():.10g}, others only to 1: percent "
            "beside fractions cannot be compared."
        )
        return
    by_dataset = highest.max(axis=1)
    if 0 < (by_dataset > 10).sum() <= (by_dataset <= 1).sum():
        large = [
            name for name, high in zip(found.groups.datasets, by_dataset, strict=True) if high > 10
        ]
        found.remarks.append(
            f"{of} on {listed(large)} go up to {by_dataset.max():.10g}, on most others only to "
            "1: they seem to be percent. Tests within a dataset are not touched by this, means "
            "over datasets are."
        )
