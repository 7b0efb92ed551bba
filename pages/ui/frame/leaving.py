"""What is lost when the page is left, said beside the data and asked by the browser."""

from __future__ import annotations

import streamlit as st

from pages.ui.frame import prose, state
from pages.ui.intake import reading

# Constant programs of ours: nothing of a file is in them. Each takes itself off the page.
_ASK = (
    "<script>window.onbeforeunload = event => { event.preventDefault(); };"
    "document.currentScript?.remove()</script>"
)
_LET_GO = "<script>window.onbeforeunload = null; document.currentScript?.remove()</script>"


def show() -> None:
    """Where the user's own file is in memory alone, say so; the browser asks before it is lost."""
    current = state.session()
    loaded = current.loaded
    own = loaded is not None and loaded.source.sample is None and not loaded.source.in_link
    at_stake = own or reading.is_at_work()
    if own:
        prose.paragraph(
            "Kept in memory only: reloading this page, or about 100 seconds without a connection, "
            "forgets it. The bundle on the Report page brings all of it back.",
            quiet=True,
        )
    st.html(_ASK if at_stake else _LET_GO, unsafe_allow_javascript=True)
