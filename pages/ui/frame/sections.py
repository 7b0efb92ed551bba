"""What waits behind a click and is computed only then."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st


def section(label: str, show: Callable[[], None], *, key: str) -> None:
    """An expander whose content is made when it is opened."""
    box = st.expander(label, key=f"section-{key}", on_change="rerun")
    if box.open:
        with box:
            show()
