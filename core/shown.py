"""How a result shows itself in a notebook.

A result has `_repr_html_` and `plot` from here. What they give is made by a room above, which no
result knows: `core` itself, which knows every room, says which one by `shown_by`, and it is loaded
when a notebook first asks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol


class Showing(Protocol):
    """What draws results."""

    def html_of(self, result: object) -> str:
        """HTML of a result."""

    def plot_of(self, result: object) -> Any:
        """Its chart, a plotly figure."""


_LOADERS: list[Callable[[], Showing]] = []


def shown_by(load: Callable[[], Showing]) -> None:
    """Say what draws results; `load` is called when it is first needed."""
    _LOADERS[:] = [load]


class Shown:
    """A result that shows itself in a notebook: its sentence and its table."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return _LOADERS[0]().html_of(self)


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
