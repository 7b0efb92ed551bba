"""How a result shows itself: as a table, and in a notebook.

pandas, which takes long to import, is imported when a table is asked for. For notebooks a result
has `_repr_html_` and `plot` from here. What they give is made by a room above, which no result
knows: `core` itself, which knows every room, says which one by `shown_by`, and it is loaded when a
notebook first asks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy.typing as npt
    from pandas import DataFrame as DataFrame
else:
    DataFrame = Any


def frame_of(
    data: Mapping[str, Any] | Sequence[Any] | npt.NDArray[Any],
    columns: Sequence[str] | None = None,
) -> DataFrame:
    """Columns by name, or rows, as `pandas.DataFrame` takes them."""
    from pandas import DataFrame

    return DataFrame(data, columns=None if columns is None else list(columns))


def stacked(frames: Sequence[DataFrame]) -> DataFrame:
    """The rows of several tables, one after the other."""
    from pandas import concat

    return concat(frames, ignore_index=True)


_LOADERS: list[Callable[[], Any]] = []


def shown_by(load: Callable[[], Any]) -> None:
    """Say what has `html_of` and `plot_of` a result; `load` is called when it is first needed."""
    _LOADERS[:] = [load]


class Shown:
    """A result that shows itself in a notebook: its sentence and its table."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return str(_LOADERS[0]().html_of(self))


class Plotted(Shown):
    """A result that has a chart as well."""

    __slots__ = ()

    def plot(self) -> Any:
        """Draw it as a plotly figure, which a notebook shows.

        Raises
        ------
        ModuleNotFoundError
            If plotly is not installed, an extra of the package.
        """
        return _LOADERS[0]().plot_of(self)
