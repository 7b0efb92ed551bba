"""Charts on the page, in its theme and with text for those who do not see them."""

from __future__ import annotations

import streamlit as st

from core.charts.theme import Drawing
from pages.ui import state, theme


def show(draw: Drawing, *, name: str, alt: str) -> None:
    """Draw a chart; its toolbar saves it, as SVG unless chosen otherwise."""
    st.plotly_chart(
        draw(theme.current()),
        key=f"chart-{name}",
        # The chart's own colours keep their contrast; Streamlit's theme would grey the axes.
        theme=None,
        config={
            "toImageButtonOptions": {
                "format": state.session().figure_format,
                "filename": name,
                "scale": 2,
            },
            "displaylogo": False,
            "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"],
        },
        alt=alt,
    )
