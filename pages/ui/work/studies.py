"""A study that a page offers: the fields of its form, its button, and its answer.

What is between them, progress, stopping and what is said meanwhile, is the matter of `background`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

import streamlit as st

from core.significance import Stopped
from core.words.formatting import display_name
from core.words.reliability_choices import of_others
from pages.ui.frame import limits, prose, state
from pages.ui.frame.sections import TOOLTIPS
from pages.ui.work import background
from pages.ui.work.background import Task
from pages.ui.work.jobs import Progress

Result = TypeVar("Result")
Value = TypeVar("Value")


def number(
    label: str,
    *,
    key: str,
    value: int,
    low: int,
    high: int,
    step: int = 1,
    help: str | None = None,
    width: int = 170,
) -> int:
    """A whole number of a form."""
    return int(
        st.number_input(
            label,
            min_value=low,
            max_value=high,
            value=value,
            step=step,
            key=key,
            help=help,
            persist_state="session",
            width=width,
        )
    )


def seed(
    key: str, *, label: str = "Seed", help: str | None = TOOLTIPS["seed"], width: int = 170
) -> int:
    """The seed of a form."""
    return number(
        label,
        key=f"{key}-seed",
        value=0,
        low=0,
        high=limits.LARGEST_SEED,
        help=help,
        width=width,
    )


def resamples(key: str, *, value: int, low: int = 99, high: int = 100_000, step: int = 1000) -> int:
    """How many resamples a test draws."""
    return number(
        "Resamples", key=key, value=value, low=low, high=high, step=step, help=TOOLTIPS["resample"]
    )


def choice(
    label: str, options: Sequence[Value], *, key: str, words: Callable[[Value], str] = str
) -> Value:
    """One of several; what is kept from other data is forgotten."""
    if state.value(key, options[0]) not in options:
        state.widget(key, options[0])
    return st.selectbox(
        label, list(options), format_func=words, key=key, persist_state="session", width=300
    )


def dataset_choice(names: Sequence[str], *, key: str) -> str:
    """One of these datasets."""
    return choice("Dataset", names, key=key, words=display_name)


def study(
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


def button(label: str, task: Task, *, key: str) -> None:
    """Begins a study."""
    st.button(label, key=key, on_click=background.start, args=(task,))


def begin_by_itself(task: Task) -> None:
    """Begin what has not been asked for before; what was stopped stays so until something else is."""
    run = background.latest(task.kind)
    if run is None or run.task.settings != task.settings:
        background.start(task)
        if background.is_at_work(task.kind):
            # The page's frame, which draws the bar, was drawn before there was anything to watch.
            st.rerun()


def answer(
    task: Task, of: type[Result], *, again: bool = False, but_for: Sequence[str] = ()
) -> Result | None:
    """What a study came to that was begun from this form; where there is nothing, the page says why.

    Parameters
    ----------
    task : Task
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
    settings = {name: value for name, value in task.settings.items() if name not in but_for}
    result = background.ended(
        task.kind, settings, again=partial(background.start, task) if again else None
    )
    run = background.latest(task.kind)
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
    for place, name in enumerate(names):
        try:
            found[name] = one(name, on_progress=partial(_part, on_progress, place, len(names)))
        except Stopped:
            if not found:
                raise
        if not on_progress.goes_on():
            break
    found.complete = len(found) == len(names)
    return found


def _part(progress: Progress, place: int, n: int, done: int, total: int) -> bool:
    return progress(place * total + done, n * total)
