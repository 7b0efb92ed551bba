"""Work that a page starts on demand, in the background: the last of each kind, with its settings.

A study belongs to the data that it was started on and is forgotten with them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st

from core.errors import DataError, told
from core.significance import Stopped
from pages.ui.frame import prose, state
from pages.ui.work import allowed, background
from pages.ui.work.background import Work
from pages.ui.work.job_progress import Progress
from pages.ui.work.jobs import Job

# What is quick is shown at once rather than by way of a bar.
_SECONDS_TO_WAIT = 0.5


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why the data do not allow a study: each problem with its remedy."""

    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Study(Work):
    """One piece of work and what it depends on.

    Attributes
    ----------
    kind : str
        One study of each kind is kept.
    settings : mapping of str to hashable
        Everything the result depends on, by the words that the form calls it.
    doing, unit : str
        For the bar: "Drawing subsamples", of so many "datasets".
    n_loaded : int
        Which data it was started on.
    """

    kind: str
    settings: dict[str, Hashable]
    doing: str
    unit: str
    n_loaded: int


def start(
    kind: str,
    settings: dict[str, Hashable],
    work: Callable[[Progress], Any],
    *,
    doing: str,
    unit: str,
) -> None:
    """Begin; a study of the same kind that is at work is stopped."""
    kept = _kept()
    earlier = kept.get(kind)
    if earlier is not None:
        earlier.job.stop()

    def guarded(progress: Progress) -> Any:
        try:
            return work(progress)
        except Stopped:
            return None
        except DataError as error:
            return Refusal(tuple(told(error.problems)))

    job: Job[Any] = Job(guarded, is_wanted=state.wanted())
    kept[kind] = Study(
        kind=kind,
        settings=dict(settings),
        job=job,
        doing=doing,
        unit=unit,
        n_loaded=state.session().n_loaded,
    )
    job.start().wait(_SECONDS_TO_WAIT)


def latest(kind: str) -> Study | None:
    """The last study of a kind, at work or ended."""
    return _kept().get(kind)


def ended(
    kind: str, settings: dict[str, Hashable], *, again: Callable[[], None] | None = None
) -> Any:
    """What the last study of a kind came to; where there is nothing, the page says why.

    Parameters
    ----------
    kind : str
        Of the study.
    settings : mapping of str to hashable
        As they are now: where they differ from the study's, a remark says in what.
    again : callable, optional
        Starts it anew, from a button where it failed or was stopped before anything was done.
    """
    study = latest(kind)
    if study is None:
        return None
    if not study.job.finished:
        prose.paragraph(background.RUNNING)
        return None
    if study.error is not None:
        prose.notice("This failed: run it again, or change what is asked.")
        _offer(kind, again)
        return None
    result = study.job.result
    if isinstance(result, Refusal):
        prose.problems("These data do not allow it.", result.reasons)
        return None
    late = allowed.out_of_time(study.job, "This")
    if late:
        prose.notice(late)
    if result is None:
        if not late:
            prose.paragraph(background.NOTHING_DONE)
        _offer(kind, again)
        return None
    changed = [name for name, value in settings.items() if study.settings.get(name) != value]
    if changed:
        prose.notice(background.changed(", ".join(changed)))
    return result


def _offer(kind: str, again: Callable[[], None] | None) -> None:
    if again is not None:
        st.button("Run again", on_click=again, key=f"again-{kind}")


def report_failures(*kinds: str) -> None:
    """Raise what made a study fail, once, for the page's frame to report: after all is shown."""
    for kind in kinds:
        study = latest(kind)
        if study is not None:
            study.report_failure()


def forget() -> None:
    """Stop and forget every study: what they were made of goes."""
    kept = _kept()
    for study in kept.values():
        study.job.stop()
    kept.clear()


def watch() -> None:
    """A bar for each study at work."""
    for study in _kept().values():
        if not study.job.finished:
            background.bar(
                study.job, partial(_words, study), stop_words="Stop", key=f"stop-{study.kind}"
            )


def _words(study: Study) -> str:
    progress = study.job.progress
    if not progress.total:
        return study.doing
    ending = background.time_left(study.job)
    return f"{study.doing}: {progress.done:,} of {progress.total:,} {study.unit}{ending}"


def _kept() -> dict[str, Study]:
    found: dict[str, Study] = state.session().studies
    return found
