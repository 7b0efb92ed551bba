"""What a page needs before it can answer, and what it shows while that is missing."""

from __future__ import annotations

import streamlit as st

from core.data import samples
from pages.ui import prose, state


def require_analysis(promise: str) -> state.Analysis:
    """The analysis, or an empty state that says what the page will show; then the page stops."""
    found = state.analysis()
    if found is None:
        awaited_link()
        prose.paragraph(promise)
        st.page_link("pages/upload.py", label="Load a table on the Upload page")
        prose.paragraph("Or see it with a sample:")
        sample_buttons()
        st.stop()
    return found


def sample_buttons() -> None:
    """One button a sample."""
    with st.container(horizontal=True):
        for sample in samples():
            st.button(
                sample.title,
                key=f"sample-{sample.key}",
                help=sample.description,
                on_click=state.load_sample,
                args=(sample.key,),
            )


def awaited_link() -> None:
    """Say which file the user's link was made for, while it is not loaded."""
    link = state.session().awaited
    if link is not None:
        name = f"{link.file} ({link.data}…)" if link.file else f"a file ({link.data}…)"
        prose.notice(
            f"This link was made for {name}: drop that file on the Upload page to see it. Files "
            "are never kept on the server."
        )
