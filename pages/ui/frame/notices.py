"""What was lost, not understood or not done, said at the top of the page."""

from __future__ import annotations

import streamlit as st

from pages.ui.frame import prose, state
from pages.ui.intake import drop


def show(*, on_first_page: bool) -> None:
    """A file that is awaited; remarks of the last action, then they are gone; a file's problems."""
    _awaited(on_first_page)
    for remark in state.take_remarks():
        prose.notice(remark)
    drop.refused()


def _awaited(on_first_page: bool) -> None:
    """Which file the address was made with, while it is not loaded, and how to go on."""
    link = state.session().awaited
    if link is None:
        return
    name = f"the file {link.file} ({link.data}…)" if link.file else f"a file ({link.data}…)"
    prose.notice(
        f"This address was made with {name}, which is not in memory: a server keeps no files, and "
        "what one session holds is gone after a reload, a restart, or about 100 seconds without a "
        "connection, as when a laptop sleeps; its tests end then, too. Drop the file again on the "
        "Upload page and the settings in this address are taken over; the same tests then come "
        "out the same. Or drop the bundle of its analysis, which has settings of its own."
    )
    if not on_first_page:
        st.page_link("pages/upload.py", label="To the Upload page")
