"""Work in the background as pages show it: a bar with a way to stop it, and an error, told once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from pages.ui.frame import limits
from pages.ui.work import allowed
from pages.ui.work.jobs import Job

RUNNING = "This is running; its bar is at the top of the page."
NOTHING_DONE = "This was stopped before anything was done."


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Work:
    """A job that a page started, and what was told of it."""

    job: Job[Any]
    # Errors that the page's frame was told of.
    reported: list[Exception] = field(default_factory=list)

    @property
    def error(self) -> Exception | None:
        """Why it failed; None where it did not."""
        if self.job.finished:
            try:
                _ = self.job.result
            except Exception as error:  # noqa: BLE001 - kept for `report_failure`
                return error
        return None

    def report_failure(self) -> None:
        """Raise what made it fail, once, for the page's frame to report."""
        error = self.error
        if error is not None and not self.reported:
            self.reported.append(error)
            raise error


def changed(what: str) -> str:
    """Say that what is shown is not what is chosen."""
    return f"Settings have changed since this run ({what}): run it again."


@st.fragment(run_every=0.5)
def bar(
    job: Job[Any], words: Callable[[], str], *, stop_words: str, key: str | None = None
) -> None:
    """How far a job is, until it ends; where it waits for its turn, that."""
    if job.finished:
        st.rerun()
    progress = job.progress
    share = progress.done / progress.total if progress.total else 0.0
    st.progress(min(share, 1.0), text=allowed.waiting_words(job) if job.waiting else words())
    st.button(stop_words, on_click=stop, args=(job,), key=key)


def stop(job: Job[Any]) -> None:
    """Stop a job, at the press of a button."""
    job.stop()
    # Work ends at its next step: waiting for that answers at once instead of at the next look.
    job.wait(limits.SECONDS_TO_WAIT_FOR_TESTS)


def time_left(job: Job[Any]) -> str:
    """How a bar's words end: about how long it will take, once that can be told."""
    left = job.seconds_left
    return "" if left is None else f", about {max(1, round(left))} s left"
