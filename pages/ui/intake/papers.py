"""A dropped paper on its way to its tables: read in the background, kept until another takes its place."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.claims.documents.reading import Document, read_document
from core.errors import DataError
from pages.ui.frame import state
from pages.ui.frame.session import Paper, Refused, Source
from pages.ui.work import background
from pages.ui.work.background import Manner, Task
from pages.ui.work.jobs import Progress

_KIND = "paper"
_READING = Manner(
    called="Reading the paper",
    failed="The paper could not be read: give its LaTeX, or paste the table.",
    stop="Stop reading",
)


def begin(name: str, content: bytes) -> None:
    """Read a paper; the one before stays until this one is there."""
    current = state.session()
    current.generation += 1
    current.refused = None
    background.start(
        Task(
            kind=_KIND,
            settings={"name": name},
            work=partial(_read, name, content),
            words=background.counted("Reading pages", "pages"),
            manner=_READING,
            of_data=False,
            heading=f"Reading the tables of {name}.",
        )
    )
    collect()


def _read(name: str, content: bytes, *, on_progress: Progress) -> Document | DataError:
    try:
        return read_document(name, content, on_progress=on_progress)
    except DataError as error:
        return error


def collect() -> None:
    """Take over what was read, once it is there."""
    run = background.latest(_KIND)
    if run is None or run.at_work or run.error is not None:
        return
    name, found = str(run.task.settings["name"]), run.result
    background.forget(_KIND)
    current = state.session()
    if isinstance(found, DataError):
        current.refused = Refused(source=Source(name=name, files=()), error=found)
    elif isinstance(found, Document):
        only = 0 if len(found.tables) == 1 else None
        current.paper = Paper(name=name, document=found, chosen=only)
        current.remarks += found.remarks


def say_failure() -> None:
    """Where reading failed in a way that nobody foresaw, say so."""
    run = background.latest(_KIND)
    if run is not None:
        background.say_failure(run)


def lead_on() -> None:
    """From a page that takes files to the one that shows a paper's tables."""
    say_failure()
    paper = state.session().paper
    if paper is not None and not paper.was_shown:
        st.switch_page("pages/check_a_claim.py")
