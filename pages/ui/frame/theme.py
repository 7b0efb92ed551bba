"""The page's colours, light or dark, as the charts take them."""

from __future__ import annotations

import streamlit as st

from core.charts import DARK, LIGHT, ChartTheme


def current() -> ChartTheme:
    """The theme the reader sees."""
    return DARK if st.context.theme.type == "dark" else LIGHT
