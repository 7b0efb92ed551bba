"""A study that a page offers: begun from its form's button, or by itself, and its answer.

What is between them, progress, stopping and what is said meanwhile, is the matter of `background`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

import streamlit as st

from core.significance import Stopped
from core.words.reliability_choices import of_others
from pages.ui.frame import prose
from pages.ui.work import background
from pages.ui.work.background import Task
from pages.ui.work.jobs import Progress

Result = TypeVar("Result")
Value = TypeVar("Value")


def task(
    kind: str,
    settings: Mapping[str, Hashable],
    work: Callable[..., Any],
    *,
    doing: str,
    unit: str,
    tried: tuple[str, str] | None = None,
    before: Any = None,
) -> Task:
    """A task on the user's data, whose bar says "Drawing parts: 3 of 40 parts".

    Parameters
    ----------
    kind, settings, work, tried, before
        Of the task.
    doing, unit : str
        What is done, and of what its steps are.
    """
    return Task(
        kind=kind,
        settings=settings,
        work=work,
        words=background.counted(doing, unit),
        tried=tried,
        before=before,
    )


def offer(
    label: str, asked: Task, of: type[Result], *, key: str, again: bool = False
) -> Result | None:
    """A button that begins a study, and what it came to.

    Parameters
    ----------
    label, key : str
        Of the button.
    asked, of, again
        As for `answer`.
    """
    button(label, asked, key=key)
    return answer(asked, of, again=again)


def button(label: str, asked: Task, *, key: str) -> None:
    """Begins a study."""
    st.button(label, key=key, on_click=background.start, args=(asked,))


def begin_by_itself(asked: Task) -> None:
    """Begin what has not been asked for before; what was stopped stays so until something else is."""
    run = background.latest(asked.kind)
    if run is None or run.task.settings != asked.settings:
        background.start(asked)
        if background.is_at_work(asked.kind):
            # The page's frame, which draws the bar, was drawn before there was anything to watch.
            st.rerun()


def answer(
    asked: Task, of: type[Result], *, again: bool = False, but_for: Sequence[str] = ()
) -> Result | None:
    """What a study came to that was begun from this form; where there is nothing, the page says why.

    Parameters
    ----------
    asked : Task
        As the form says now: where the study was begun with other settings, a remark says so.
    of : type
        Of what it comes to.
    again : bool
        Whether a button of its own begins it anew where it failed or was stopped.
    but_for : sequence of str
        Settings of which another value makes no difference.

    Returns
    -------
    object or None
        None as well where the study is of other systems, or of these swapped: its sentences say A
        and B, and below the names of others they would tell something else.
    """
    settings = {name: value for name, value in asked.settings.items() if name not in but_for}
    result = background.ended(
        asked.kind, settings, again=partial(background.start, asked) if again else None
    )
    run = background.latest(asked.kind)
    if result is None or run is None:
        return None
    of_study, of_now = ((held.get("A"), held.get("B")) for held in (run.task.settings, settings))
    if of_study != of_now:
        prose.paragraph(of_others(*map(str, of_study)))
        return None
    return result if isinstance(result, of) else None


class OfEach(dict[str, Value]):
    """A study for each dataset, and whether every dataset that was asked for is done."""

    complete: bool = True


def of_each(
    names: Sequence[str], one: Callable[..., Value], *, on_progress: Progress
) -> OfEach[Value]:
    """The same work on each dataset, reported as one; what is done when it is stopped is kept.

    Parameters
    ----------
    names : sequence of str
        Of the datasets.
    one : callable
        Called as ``one(name, on_progress=…)``.
    on_progress : Progress
        Of the whole.

    Raises
    ------
    Stopped
        If it was stopped before anything was done.
    """
    found: OfEach[Value] = OfEach()

    def part(place: int, done: int, total: int) -> bool:
        return on_progress(place * total + done, len(names) * total)

    for place, name in enumerate(names):
        try:
            found[name] = one(name, on_progress=partial(part, place))
        except Stopped:
            if not found:
                raise
        if not on_progress.goes_on():
            break
    found.complete = len(found) == len(names)
    return found
