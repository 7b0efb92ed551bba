"""Charts on the page, in the theme that the reader sees and with text for those who do not see them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.charts.theme import DARK, LIGHT, ChartTheme, Drawing
from pages.ui.frame import state

if TYPE_CHECKING:
    import plotly.graph_objects as go


def theme() -> ChartTheme:
    """The theme the reader sees."""
    return DARK if st.context.theme.type == "dark" else LIGHT


def show(
    draw: Drawing | partial[go.Figure],
    *,
    name: str,
    alt: str,
    size: int | None = None,
    without: Sequence[str] = (),
    **how: Any,
) -> Any:
    """Draw a chart, and return what is selected in it where `how` lets one select; its toolbar saves it under its name, as SVG unless chosen otherwise.

    A `partial` of everything but the theme is called only where something in it has changed, any
    other callable each time. `size` is of its text, where it is to be read from far away; `without`
    are buttons that its toolbar does not have, `how` goes to Streamlit.
    """
    colours = theme() if size is None else replace(theme(), size=size)
    toolbar = {
        "toImageButtonOptions": {
            "format": state.value("figure-format", "svg"),
            "filename": name,
            "scale": 2,
        },
        "displaylogo": False,
        "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d", *without],
    }
    if isinstance(draw, partial):
        drawn = state.computed(draw.func, *draw.args, **draw.keywords, theme=colours)
    else:
        drawn = draw(theme=colours)
    return st.plotly_chart(
        drawn,
        # The chart's own colours keep their contrast; Streamlit's theme would grey the axes.
        theme=None,
        config=toolbar,
        alt=alt,
        **{"key": f"chart-{name}", **how},
    )


def wide(name: str, least_width: int) -> DeltaGenerator:
    """Where a chart scrolls sideways that has no room for its least width, in pixels."""
    st.html(
        f"<style>.st-key-wide-{name}{{overflow-x:auto}}"
        f".st-key-wide-{name}>*{{min-width:{least_width}px}}</style>"
    )
    return st.container(key=f"wide-{name}")
