"""What is shown only where somebody asks for it: behind a click, or as a tooltip."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from core.words.glossary import glossary

TOOLTIPS: dict[str, str] = {key: entry.explanation for key, entry in glossary().items()}


def section(label: str, show: Callable[[], None], *, key: str) -> None:
    """An expander whose content is made when it is opened."""
    box = st.expander(label, key=f"section-{key}", on_change="rerun")
    if box.open:
        with box:
            show()


def details(
    parts: Sequence[tuple[str, Callable[[], None]]], *, key: str, label: str = "Details"
) -> None:
    """One expander for all that few ask for, a tab each; only the tab that is seen is made."""

    def show() -> None:
        names = [name for name, _ in parts]
        tabs = st.tabs(names, key=f"details-{key}", on_change="rerun")
        for tab, (_, draw) in zip(tabs, parts, strict=True):
            if tab.open:
                with tab:
                    draw()

    if parts:
        section(label, show, key=key)


def from_the_papers(parts: Sequence[tuple[str, Callable[[], None]]], *, key: str) -> None:
    """One expander for what papers report and few ask for."""
    details(parts, key=f"{key}-papers", label="From the papers")
