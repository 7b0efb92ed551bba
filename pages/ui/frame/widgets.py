"""What pages are made of: what waits behind a click, tooltips, and fields whose values stay."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.words.formatting import display_name
from core.words.glossary import glossary
from pages.ui.frame import limits, state

# A tab's name, and what draws it.
Part = tuple[str, Callable[[], None]]
Value = TypeVar("Value")
Number = TypeVar("Number", int, float)

TOOLTIPS: dict[str, str] = {key: entry.explanation for key, entry in glossary().items()}


def section(label: str, show: Callable[[], None], *, key: str) -> None:
    """An expander whose content is made when it is opened."""
    box = st.expander(label, key=f"section-{key}", on_change="rerun")
    if box.open:
        with box:
            show()


def details(parts: Sequence[Part | Literal[False]], *, key: str, label: str = "Details") -> None:
    """One expander for all that few ask for, a tab each; only the tab that is seen is made."""
    there = dict(part for part in parts if part)

    def show() -> None:
        tabs = st.tabs(list(there), key=f"details-{key}", on_change="rerun")
        for tab, draw in zip(tabs, there.values(), strict=True):
            if tab.open:
                with tab:
                    draw()

    if there:
        section(label, show, key=key)


# One expander for what papers report and few ask for.
from_the_papers = partial(details, label="From the papers")


def clicked(label: str, *, key: str, draw: Callable[..., object] = st.button, **how: Any) -> bool:
    """Whether a button was clicked, told where its fields are drawn: one may be sent with the click."""
    clicks = state.session().clicks
    draw(label, key=key, on_click=clicks.add, args=(key,), **how)
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
) -> Number:
    """A number of a form, whole where its value is."""
    found: Number = st.number_input(
        label,
        min_value=low,
        max_value=high,
        value=value,
        step=step,
        format=None if isinstance(value, int) else "%.6g",
        key=key,
        help=help,
        persist_state="session",
        width=_width(label),
    )
    return found


@dataclass(frozen=True, slots=True)
class Field:
    """A number of a form: the argument it is asked for, what it holds at first, and how it is drawn."""

    name: str
    key: str
    usual: float
    ask: Callable[[], Any]

    @property
    def asked(self) -> Any:
        """What it holds, also where it is not drawn."""
        return type(self.usual)(state.value(self.key, self.usual))


def field(name: str, label: str, *, key: str, value: float, **how: Any) -> Field:
    """A field; `how` as `number` has it."""
    return Field(name, key, value, partial(number, label, key=key, value=value, **how))


def of_seed(key: str, **how: Any) -> Field:
    """The seed of a form."""
    how = {"low": 0, "high": limits.LARGEST_SEED, "help": TOOLTIPS["seed"], **how}
    return field("rng", how.pop("label", "Seed"), key=key, value=0, **how)


def of_resamples(key: str, *, value: int, **how: Any) -> Field:
    """How many resamples a test draws."""
    usual = {"low": 99, "high": 100_000, "step": 1000, "help": TOOLTIPS["resample"]}
    return field("n_resamples", "Resamples", key=key, value=value, **{**usual, **how})


def seed(key: str, **how: Any) -> int:
    """A seed by itself."""
    return int(of_seed(key, **how).ask())


def ask(*fields: Field) -> dict[str, Any]:
    """Draw these: the number of each argument."""
    return {one.name: one.ask() for one in fields}


def asked(*fields: Field) -> dict[str, Any]:
    """The same of fields that need not be on the page."""
    return {one.name: one.asked for one in fields}


def row() -> DeltaGenerator:
    """Where the fields of a form stand side by side."""
    return st.container(horizontal=True, vertical_alignment="bottom")


def choice(
    label: str,
    options: Sequence[Value],
    *,
    key: str,
    words: Callable[[Value], str] = str,
) -> Value:
    """One of several; what is kept from other data is forgotten."""
    if state.value(key, options[0]) not in options:
        state.widget(key, options[0])
    return st.selectbox(
        label,
        list(options),
        format_func=words,
        key=key,
        persist_state="session",
        width=_width(label, *map(words, options)),
    )


def _width(*texts: str) -> int:
    """As wide as a label and what can be chosen under it need, in pixels."""
    return max(170, 50 + 8 * max(map(len, texts)))


def dataset_choice(names: Sequence[str], *, key: str) -> str:
    """One of these datasets."""
    return choice("Dataset", names, key=key, words=display_name)
