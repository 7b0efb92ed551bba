"""The frame of every page: browser title, menu, sidebar, the one heading, and unexpected errors.

A page opened by its own link on a server just started is run by Streamlit
without app.py. So every page begins with `enter()`, which runs the whole frame
where it has not run and stops there; the frame then runs the page itself.
"""

from __future__ import annotations

import sys
from contextvars import ContextVar
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import streamlit as st

from pages.ui.frame import leaving, notices, sidebar, unforeseen
from pages.ui.intake import loading, reading, uploads
from pages.ui.work import background, runs

_ROOT = Path(__file__).resolve().parents[3]
_ICON = Path(__file__).with_name("icon.png")
# Tables of results are wider than text; lines of text stay readable. The menu's entries stand a
# little closer than usual, so that all of them are seen beside an open sidebar at 1280 pixels.
_STYLE = (
    "<style>[data-testid='stMainBlockContainer']{max-width:58rem}"
    "[data-testid='stTopNavLink']{padding:0 .25rem;font-size:.8rem}"
    "[data-testid='stTopNav']+div{min-width:7rem}"
    # Only a telephone gives no sign of its own that a table is wider than the screen.
    "[data-testid='stElementContainer']:has(.sideways){display:none}"
    "@media (max-width:40rem){[data-testid='stElementContainer']:has(.sideways){display:block}}"
    ".sideways{margin:-.5rem 0 0;font-size:.85rem;opacity:.8}"
    # An open list closes where the page scrolls, and what was typed in it is gone: the browser must
    # not scroll by itself when a choice changes the height of what stands above.
    "[data-testid='stMain']:has([role='combobox'][aria-expanded='true']){overflow-anchor:none}"
    "</style>"
)
_running: ContextVar[bool] = ContextVar("frame_is_running", default=False)


class _PageEntry(NamedTuple):
    path: str
    label: str
    heading: str


PAGES = (
    _PageEntry("pages/upload.py", "Upload", "On how many datasets is A really better?"),
    _PageEntry("pages/per_dataset_tests.py", "Per-dataset tests", "How sure on each dataset?"),
    _PageEntry("pages/counting.py", "Counting", "On at least how many datasets?"),
    _PageEntry("pages/identification.py", "Identification", "On which datasets?"),
    _PageEntry("pages/report.py", "Report", "From screen to paper"),
    _PageEntry("pages/check_a_claim.py", "Check a claim", "Do the numbers allow the claim?"),
    _PageEntry("pages/simulation.py", "Simulation", "What each count does when the truth is known"),
    _PageEntry("pages/effect_size.py", "Effect size", "How much better, and on average?"),
    _PageEntry("pages/reliability.py", "Reliability", "How far to trust these p-values?"),
    _PageEntry("pages/systems.py", "Systems", "Which systems do the data tell apart?"),
    _PageEntry("pages/guide.py", "Guide", "How to read this"),
)


def enter() -> None:
    """Begin a page: run the frame around it unless the frame is what runs it."""
    if not _running.get():
        run()
        st.stop()


def run() -> None:
    """Draw the frame and the page that the address names."""
    st.set_page_config(
        page_title="Replicability dashboard",
        page_icon=str(_ICON),
        layout="centered",
        initial_sidebar_state="auto",
    )
    uploads.keep_in_memory()
    unforeseen.guard_log()
    token = _running.set(True)
    try:
        _draw()
    except Exception as error:  # noqa: BLE001 - the last place that can keep a page usable
        st.error(unforeseen.report(error))
    finally:
        _running.reset(token)


def _draw() -> None:
    st.html(_STYLE)
    loading.open_link()
    reading.collect()
    runs.collect()
    pages = [
        st.Page(_ROOT / entry.path, title=entry.label, default=position == 0)
        for position, entry in enumerate(PAGES)
    ]
    chosen = st.navigation(pages, position="top")
    loading.show_link()
    sidebar.show()
    with st.sidebar:
        leaving.show()
    st.title(next(entry.heading for entry in PAGES if entry.label == chosen.title), anchor=False)
    notices.show(on_first_page=chosen.title == PAGES[0].label)
    background.watch()
    runs.watch()
    try:
        chosen.run()
        background.report_failures()
    finally:
        # Streamlit leaves the page behind as a module, with the user's data under its names.
        sys.modules["__main__"] = ModuleType("__main__")
