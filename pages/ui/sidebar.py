"""What is loaded and what was chosen once for every page."""

from __future__ import annotations

import html

import streamlit as st

from core.report.formatting import display_name
from core.types import DEPENDENCES, Dependence
from pages.ui import prose, state, theme
from pages.ui.glossary import TOOLTIPS

DEPENDENCE_LABELS: dict[Dependence, str] = {
    "not-known": "Not known, or yes",
    "positive": "Only positively",
    "independent": "No, independent",
}


def show() -> None:
    """Draw the sidebar."""
    with st.sidebar:
        _loaded()
        _alpha()
        _dependence()


def _loaded() -> None:
    current = state.session()
    if current.loaded is None:
        prose.paragraph("Nothing loaded yet.", quiet=True)
        return
    table = current.loaded.table
    source = current.loaded.source
    title = source.sample.title if source.sample else source.name
    left_out = len(current.settings.excluded)
    count = f"{table.n_datasets} dataset{'s' if table.n_datasets != 1 else ''}"
    if left_out:
        count = f"{table.n_datasets - left_out} of {count}, {left_out} left out"
    first, second = (
        (table.system_b, table.system_a)
        if current.settings.swapped
        else (table.system_a, table.system_b)
    )
    colours = theme.current()
    st.html(
        "<div style='overflow-wrap:anywhere;line-height:1.5'>"
        f"<strong>{html.escape(display_name(title))}</strong><br>{count}<br>"
        f"<span style='color:{colours.a};font-weight:700'>A</span> "
        f"{html.escape(display_name(first))}<br>"
        f"<span style='color:{colours.b};font-weight:700'>B</span> "
        f"{html.escape(display_name(second))}</div>"
    )
    with st.container(horizontal=True):
        st.button("Swap A and B", on_click=_swap)
        st.button("Remove my data", on_click=state.remove)


def _swap() -> None:
    state.choose(swapped=not state.session().settings.swapped, question="")


def _alpha() -> None:
    settings = state.session().settings
    st.number_input(
        "Level α",
        min_value=0.0001,
        max_value=0.5,
        step=0.01,
        format="%.4g",
        key=state.widget("alpha", settings.alpha),
        on_change=lambda: state.choose(alpha=state.value("alpha")),
        help=TOOLTIPS["alpha"],
    )


def _dependence() -> None:
    settings = state.session().settings
    st.radio(
        "May the datasets depend on each other?",
        DEPENDENCES,
        format_func=lambda choice: DEPENDENCE_LABELS[choice],
        key=state.widget("dependence", settings.dependence),
        on_change=lambda: state.choose(dependence=state.value("dependence")),
        help=TOOLTIPS["dependence"],
    )
    loaded = state.session().loaded
    if loaded is not None and loaded.source.sample is not None:
        prose.paragraph(loaded.source.sample.dependence_reason, quiet=True)
