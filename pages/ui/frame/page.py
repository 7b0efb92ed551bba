"""The frame of every page: browser title, menu, sidebar, the one heading, what is to be known first,
and errors that nobody foresaw: an id for the user, a place for the log, no one's data in either.

A page opened by its own link on a server just started is run by Streamlit
without app.py. So every page begins with `enter()`, which runs the whole frame
where it has not run and stops there; the frame then runs the page itself.
"""

import logging
import secrets
import sys
import traceback
from contextvars import ContextVar
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from core.comparison import comparison_named
from core.significance.stopping import import_scipy
from pages.ui.frame import prose, sidebar, state
from pages.ui.intake import drop, loading, reading
from pages.ui.work import background, runs

_ROOT = Path(__file__).resolve().parents[3]
_ICON = Path(__file__).with_name("icon.png")
# Tables of results are wider than text; lines of text stay readable. The menu's entries stand a
# little closer than usual, so that all of them are seen beside an open sidebar at 1280 pixels, and
# the heading begins under the menu at once.
_STYLE = (
    "<style>[data-testid='stMainBlockContainer']{max-width:58rem;padding-top:4.25rem}"
    "[data-testid='stMainBlockContainer'] h1{font-size:1.9rem;padding:.1rem 0 .25rem}"
    "[data-testid='stMainBlockContainer'] h2{font-size:1.3rem;padding:.1rem 0}"
    "[data-testid='stMainBlockContainer'] h3{font-size:1.2rem}"
    "[data-testid='stTopNavLink']{padding:0 .25rem;font-size:.8rem}"
    "[data-testid='stTopNav']+div{min-width:7rem}"
    # At 150% zoom, beside the sidebar.
    "@media (max-width:60rem){[data-testid='stTopNavLink'],[data-testid='stTopNavSection']"
    "{padding:0 .1rem;font-size:.75rem}[data-testid='stTopNav']+div{min-width:2rem}}"
    # An open list closes where the page scrolls, and what was typed in it is gone: the browser must
    # not scroll by itself when a choice changes the height of what stands above.
    "[data-testid='stMain']:has([role='combobox'][aria-expanded='true']){overflow-anchor:none}"
    "</style>"
)
# Constant programs of ours: nothing of a file is in them. Each takes itself off the page.
_ASK = (
    "<script>window.onbeforeunload = event => { event.preventDefault(); };"
    "document.currentScript?.remove()</script>"
)
_LET_GO = "<script>window.onbeforeunload = null; document.currentScript?.remove()</script>"
# On narrow screens Streamlit puts the group's entries into a block within the list, which is no list
# to a screen reader: there they are plain links.
_MENU_ROLES = (
    "<script>window.menuRoles ??= (() => {"
    "const items = \"[data-testid='stSidebarNavItems']\";"
    "const watch = new MutationObserver(() => document.querySelectorAll(`${items}, ${items} li`)"
    ".forEach(one => one.hasAttribute('role') || one.setAttribute('role', 'none')));"
    "watch.observe(document.body, {childList: true, subtree: true});return watch;})();"
    "document.currentScript?.remove()</script>"
)
# Where a click takes away or disables what it was made with, the keyboard goes on from the heading.
_FOCUS = (
    "<script>window.keptFocus ??= (() => {"
    "let last = null;"
    "document.addEventListener('focusin', event => { last = event.target; });"
    "let due = 0;"
    "const check = () => {"
    "if (document.activeElement !== document.body || !last || last.isConnected && !last.disabled)"
    " return;"
    "const heading = document.querySelector(\"[data-testid='stMain'] h1\");"
    "if (heading) { last = null; heading.tabIndex = -1; heading.style.outline = 'none';"
    " heading.focus({preventScroll: true}); }"
    "};"
    # A browser takes the focus away a moment after the change.
    "const watch = new MutationObserver(() => { clearTimeout(due); due = setTimeout(check, 60); });"
    "watch.observe(document.body, {childList: true, subtree: true, attributeFilter: ['disabled']});"
    "return watch;})();document.currentScript?.remove()</script>"
)
_LOG = logging.getLogger("dashboard")
# Streamlit's own, of what fails where no page can catch it: in what a click calls.
_STREAMLITS_LOG = logging.getLogger("streamlit.error_util")
_running: ContextVar[bool] = ContextVar("frame_is_running", default=False)
# The others are in the group "More".
N_IN_FRONT = 7


class _PageEntry(NamedTuple):
    path: str
    label: str
    heading: str


PAGES = (
    _PageEntry("pages/upload.py", "Upload", "On how many datasets is A really better?"),
    _PageEntry("pages/per_dataset_tests.py", "Tests", "Results by dataset"),
    _PageEntry("pages/counting.py", "Counting", "On at least how many datasets?"),
    _PageEntry("pages/identification.py", "Identification", "On which datasets?"),
    _PageEntry("pages/report.py", "Report", "From screen to paper"),
    _PageEntry("pages/check_a_claim.py", "Check a paper", "Do the numbers allow the claim?"),
    _PageEntry("pages/guide.py", "Guide", "Why a count needs a guarantee"),
    _PageEntry("pages/effect_size.py", "Effect size", "How much better, and on average?"),
    _PageEntry("pages/systems.py", "Systems", "Which systems differ significantly?"),
    _PageEntry("pages/reliability.py", "Reliability", "How far to trust these p-values?"),
    _PageEntry("pages/simulation.py", "Simulation", "How often does each count over-claim?"),
)
# These ask on how many datasets, or on which.
_COUNTING = ("Upload", "Counting", "Identification")
_TAKE_FILES = ("Upload", "Check a paper")


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
    reading.keep_in_memory()
    # Cells are kept out of what Streamlit logs.
    if not any(isinstance(one, _WithoutContent) for one in _STREAMLITS_LOG.filters):
        _STREAMLITS_LOG.addFilter(_WithoutContent())
    token = _running.set(True)
    try:
        _draw()
    except Exception as error:  # noqa: BLE001 - the last place that can keep a page usable
        st.error(report(error))
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
    chosen = st.navigation({"": pages[:N_IN_FRONT], "More": pages[N_IN_FRONT:]}, position="top")
    state.come_to(chosen.title)
    loading.show_link(with_step=chosen.title == "Guide")
    sidebar.show()
    with st.sidebar:
        _say_what_is_at_stake()
    st.title(_heading(chosen.title), anchor=False)
    _notices(chosen.title)
    # Each user's page is a thread: none may meet a part of SciPy that another is still importing.
    import_scipy()
    background.watch()
    runs.watch()
    try:
        chosen.run()
        background.report_failures()
    finally:
        # Streamlit leaves the page behind as a module, with the user's data under its names.
        sys.modules["__main__"] = ModuleType("__main__")


def _heading(title: str) -> str:
    """The question of a page; the first one asks at a margin of the claim, and none counts one dataset."""
    data = state.data()
    alone = data is not None and len(state.chosen_datasets(data)) == 1
    at_margin = comparison_named(state.session().settings.claim).takes_margin
    if alone and title in _COUNTING:
        return "Does the claim hold?" if at_margin else "Is A really better?"
    if at_margin and title == PAGES[0].label:
        return "On how many datasets does the claim hold?"
    return entry_of(title).heading


def entry_of(label: str) -> _PageEntry:
    """A page by what the menu calls it."""
    return next(entry for entry in PAGES if entry.label == label)


def _notices(title: str) -> None:
    """A file that is awaited; remarks of the last action, then they are gone; a file's problems."""
    link = state.session().awaited
    if link is not None:
        name = f"the file {link.file}" if link.file else "a file"
        prose.notice(
            f"This address was made with {name} ({link.data}…), which is not in memory. Drop the file "
            "again on the Upload page: the settings in this address are taken over, and the same tests "
            "come out the same. Or drop the bundle of its analysis, which has settings of its own. A "
            "session's files are gone after a reload, a restart, or about 100 seconds without a "
            "connection."
        )
        if title != PAGES[0].label:
            st.page_link("pages/upload.py", label="To the Upload page →")
    for remark in state.take_remarks():
        prose.notice(remark)
    # Where something else is loaded, it is no matter of the pages that answer.
    if title in _TAKE_FILES or state.session().loaded is None:
        drop.refused()


def _say_what_is_at_stake() -> None:
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
    st.html(_MENU_ROLES + _FOCUS + (_ASK if at_stake else _LET_GO), unsafe_allow_javascript=True)


def report(error: BaseException) -> str:
    """Log where it happened, without what was in the cells; what to tell the user, with its id."""
    reference, line = _described(error)
    _LOG.error("%s", line)
    return _words(reference)


class _WithoutContent(logging.Filter):
    """What Streamlit logs of an error is its id, its kind and its places, no text of a user's."""

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if error is None:
            return True
        reference, record.msg = _described(error)
        record.args, record.exc_info, record.exc_text = (), None, None
        if get_script_run_ctx() is not None:
            # Streamlit says only that there was an error; its id is said at the next look.
            state.remark(_words(reference))
        return True


def _described(error: BaseException) -> tuple[str, str]:
    """A number for the error, and the kinds and places of it and of what led to it, the latest first."""
    reference, told, seen = secrets.token_hex(4), [], set[int]()
    one: BaseException | None = error
    why = ""
    while one is not None and id(one) not in seen:
        seen.add(id(one))
        places = [
            f"{Path(frame.filename).name}:{frame.lineno} {frame.name}"
            for frame in reversed(traceback.extract_tb(one.__traceback__))
        ]
        # A cause that was made and never raised has been nowhere.
        at = f" at {' < '.join(places)}" if places else ""
        told.append(f"{why}{type(one).__name__}{at}")
        why, earlier = "caused by ", one.__cause__
        if earlier is None and not one.__suppress_context__:
            why, earlier = "while handling ", one.__context__
        one = earlier
    return reference, f"error {reference}: {'; '.join(told)}"


def _words(reference: str) -> str:
    return (
        f"Something went wrong that should not have (error {reference}). Your data are kept: "
        "change a setting or open another page. If it comes back, tell whoever runs this server "
        "the error's number."
    )
