"""What pages are made of: what waits behind a click, tooltips, and fields whose values stay."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeVar

import streamlit as st

from core.words.formatting import display_name
from core.words.glossary import glossary
from pages.ui.frame import limits, state

Value = TypeVar("Value")
Number = TypeVar("Number", int, float)

TOOLTIPS: dict[str, str] = {key: entry.explanation for key, entry in glossary().items()}


def section(label: str, show: Callable[[], None], *, key: str) -> None:
    """An expander whose content is made when it is opened."""
    box = st.expander(label, key=f"section-{key}", on_change="rerun")
    if box.open:
        with box:
            show()


def details(
    parts: Sequence[tuple[str, Callable[[], None]]], *, key: str, label: str = "Details"
) -> None:
    """One expander for all that few ask for, a tab each; only the tab that is seen is made."""

    def show() -> None:
        names = [name for name, _ in parts]
        tabs = st.tabs(names, key=f"details-{key}", on_change="rerun")
        for tab, (_, draw) in zip(tabs, parts, strict=True):
            if tab.open:
                with tab:
                    draw()

    if parts:
        section(label, show, key=key)


def from_the_papers(parts: Sequence[tuple[str, Callable[[], None]]], *, key: str) -> None:
    """One expander for what papers report and few ask for."""
    details(parts, key=f"{key}-papers", label="From the papers")


def clicked(label: str, *, key: str, **how: Any) -> bool:
    """Whether a button was clicked, told where its fields are drawn: one may be sent with the click."""
    clicks = state.session().clicks
    st.button(label, key=key, on_click=clicks.add, args=(key,), **how)
    was = key in clicks
    clicks.discard(key)
    return was


def number(
    label: str,
    *,
    key: str,
    value: Number,
    low: Number | None = None,
    high: Number | None = None,
    step: Number | None = None,
    help: str | None = None,
    width: int = 170,
    number_format: str = "%.4g",
) -> Number:
    """A number of a form, whole where its value is."""
    found: Number = st.number_input(
        label,
        min_value=low,
        max_value=high,
        value=value,
        step=step,
        format=None if isinstance(value, int) else number_format,
        key=key,
        help=help,
        persist_state="session",
        width=width,
    )
    return found


def seed(
    key: str, *, label: str = "Seed", help: str | None = TOOLTIPS["seed"], width: int = 170
) -> int:
    """The seed of a form."""
    return number(
        label,
        key=key,
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
    label: str,
    options: Sequence[Value],
    *,
    key: str,
    words: Callable[[Value], str] = str,
    width: int | Literal["stretch"] = 300,
) -> Value:
    """One of several; what is kept from other data is forgotten."""
    if state.value(key, options[0]) not in options:
        state.widget(key, options[0])
    return st.selectbox(
        label, list(options), format_func=words, key=key, persist_state="session", width=width
    )


def dataset_choice(names: Sequence[str], *, key: str) -> str:
    """One of these datasets."""
    return choice("Dataset", names, key=key, words=display_name)
