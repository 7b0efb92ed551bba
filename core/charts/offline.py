"""Figures for a file that is opened without a network: plotly's own script, and figures as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import plotly.graph_objects as go


def plotly_script() -> str:
    """The text of plotly.js, whole."""
    from plotly.offline import get_plotlyjs

    return str(get_plotlyjs())


def figure_json(figure: go.Figure) -> str:
    """A figure's data and layout as JSON, as `Plotly.newPlot` takes them."""
    return str(figure.to_json(validate=False))


def figure_height(figure: go.Figure) -> int:
    """How many pixels high it is drawn."""
    return int(figure.layout.height or 450)
