"""Further p-values that a published table prints for its datasets, beside those that are counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import partial

import numpy as np

from core.types import FloatArray
from core.validation import check_p_values


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FurtherPValues:
    """One more p-value for each dataset: of another metric or another test.

    Attributes
    ----------
    name : str
        Heading of its column.
    p_values : ndarray, shape (N,)
        As `PValueTable.p_values`.
    p_value_bounds : (ndarray, ndarray)
        What the printed digits allow: lowest and highest.
    printed : tuple of str
        As the file has them.
    """

    name: str
    p_values: FloatArray
    p_value_bounds: tuple[FloatArray, FloatArray]
    printed: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "p_values", check_p_values(self.p_values))
        low, high = (check_p_values(end, name="p_value_bounds") for end in self.p_value_bounds)
        object.__setattr__(self, "p_value_bounds", (low, high))
        lengths = {self.p_values.size, low.size, high.size, len(self.printed)}
        if len(lengths) > 1:
            raise ValueError("`p_values`, `p_value_bounds` and `printed` must have equal lengths.")

    def __reduce__(self) -> tuple[object, ...]:
        # Through the constructor, so that a copy's arrays are read-only as well.
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return partial(FurtherPValues, **values), ()

    def of(self, rows: Sequence[int]) -> FurtherPValues:
        """The same of some of the datasets."""
        kept = np.array(rows, dtype=np.intp)
        low, high = self.p_value_bounds
        return FurtherPValues(
            name=self.name,
            p_values=self.p_values[kept],
            p_value_bounds=(low[kept], high[kept]),
            printed=tuple(self.printed[i] for i in rows),
        )
