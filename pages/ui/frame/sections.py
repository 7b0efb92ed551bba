"""What is shown only where somebody asks for it: behind a click, or as a tooltip."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.report.glossary import glossary

TOOLTIPS: dict[str, str] = {key: entry.explanation for key, entry in glossary().items()}


def section(label: str, show: Callable[[], None], *, key: str) -> None:
    """An expander whose content is made when it is opened."""
    box = st.expander(label, key=f"section-{key}", on_change="rerun")
    if box.open:
        with box:
            show()
