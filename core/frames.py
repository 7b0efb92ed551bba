"""Tables of results: pandas, which takes long to import, is imported when one is asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

if TYPE_CHECKING:
    from pandas import DataFrame as DataFrame
else:
    DataFrame = Any


def frame_of(
    data: Mapping[str, Any] | Sequence[Any] | npt.NDArray[Any], columns: list[str] | None = None
) -> DataFrame:
    """Columns by name, or rows, as `pandas.DataFrame` takes them."""
    from pandas import DataFrame

    return DataFrame(data, columns=columns)


def stacked(frames: Sequence[DataFrame]) -> DataFrame:
    """The rows of several tables, one after the other."""
    from pandas import concat

    return concat(frames, ignore_index=True)
