"""How far the tests are, on every page, with a way to stop them."""

from __future__ import annotations

import time

import streamlit as st

from pages.ui.frame import limits, prose, state
from pages.ui.intake import reading
from pages.ui.simulation import panel as simulation_panel
from pages.ui.work import allowed, background, runs, studies, testing


def show() -> None:
    """A bar and a Stop button while tests run; a word where they were stopped."""
    simulation_panel.watch()
    studies.watch()
    if state.session().pending is not None:
        _watch_reading()
    run = runs.current_run()
    if run is None:
        return
    if run.running:
        _watch(run, run.n_finished, time.monotonic())
    elif run.refusal is None and run.n_finished < run.n_datasets:
        n_new = run.n_finished - run.n_done_before
        late = allowed.testing_out_of_time(run.job, n_new=n_new, n_before=run.n_done_before)
        prose.notice(
            f"{late or 'Testing was stopped:'} {run.n_finished} of {run.n_datasets} datasets are "
            "tested. The others count as datasets on which nothing is shown (p = 1)."
        )
        # What is done is not done again.
        label = f"Go on with the other {run.n_left}" if run.n_finished else "Run all tests"
        st.button(label, on_click=runs.run_tests, key="run-all-tests")


@st.fragment(run_every=0.5)
def _watch(run: testing.TestRun, drawn: int, drawn_at: float) -> None:
    """Look twice a second; draw the page anew when more is known, but seldom while it changes."""
    old = time.monotonic() - drawn_at > limits.SECONDS_BETWEEN_DRAWINGS
    if not run.running or (run.n_finished != drawn and (old or not drawn)):
        st.rerun()
    st.progress(_share(run), text=_words(run))
    st.button("Stop", on_click=_stop, args=(run,))


@st.fragment(run_every=0.5)
def _watch_reading() -> None:
    """How far reading is, with a way to give it up."""
    pending = state.session().pending
    if pending is None or pending.job.finished:
        st.rerun()
        return
    name = pending.attempts[-1].source.name
    prose.paragraph(f"Reading {name}, {pending.attempts[-1].source.n_bytes / 1e6:.0f} MB.")
    words = allowed.waiting_words(pending.job) if pending.job.waiting else None
    st.progress(pending.job.progress.done / 100, text=words)
    st.button("Stop reading", on_click=reading.stop)


def _stop(run: testing.TestRun) -> None:
    background.stop(run.job)
    runs.keep_what_was_extended(run)


def _share(run: testing.TestRun) -> float:
    if run.extending:
        return run.job.progress.done / max(1, run.job.progress.total)
    return run.n_finished / run.n_datasets


def _words(run: testing.TestRun) -> str:
    if run.job.waiting:
        return allowed.waiting_words(run.job)
    ending = background.time_left(run.job)
    if run.extending:
        progress = run.job.progress
        return (
            f"Extending test {min(progress.done + 1, progress.total)} of {progress.total}{ending}"
        )
    return f"Testing dataset {run.n_finished + 1} of {run.n_datasets}{ending}"
