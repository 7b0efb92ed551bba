"""What the owner of per-example scores should know about their numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.data.layouts.per_example import ExampleFindings
from core.data.layouts.scales import Extents, check_scales
from core.data.roles import Roles
from core.data.words import quoted
from core.types import BoolArray, FloatArray, IntArray

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


def find_scales(
    found: ExampleFindings,
    roles: Roles,
    systems: Sequence[str],
    values: FloatArray,
    ends: IntArray,
    *,
    metric: str,
    percent: BoolArray,
    of: str,
) -> None:
    """A problem where some systems' scores seem to be percent beside others' fractions of 1.

    `values` has a column for each system, and `percent` says of which scores
    are written with its sign.
    """
    starts = np.r_[0, ends[:-1]]
    extents = Extents(
        datasets=found.groups.datasets,
        systems=tuple(systems),
        lowest=np.minimum.reduceat(values, starts, axis=0),
        highest=np.maximum.reduceat(values, starts, axis=0),
        percent=percent,
    )
    scales = check_scales(extents, roles, metric=metric, of=of)
    found.problems.extend(scales.problems)
    found.remarks.extend(scales.remarks)
    found.choices.extend(choice for choice in scales.choices if choice not in found.choices)
