"""What pages are made of: what waits behind a click, tooltips, and fields whose values stay."""

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Literal, NamedTuple, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.words.formatting import display_name
from core.words.glossary import glossary
from pages.ui.frame import limits, state

# A tab's name, and what draws it.
Part = tuple[str, Callable[[], None]]
Value = TypeVar("Value")

GLOSSARY = glossary()


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


class Field(NamedTuple):
    """A number that is asked for by the `name` of an argument; whole where its lowest value is.

    An address calls it `key`, and leaves it out where it is `usual`.
    """

    name: str
    label: str
    low: float
    high: float | None = None
    step: float | None = None
    help: str | None = None
    usual: Any = None
    key: str = ""

    def read(self, number: object) -> Any:
        """A number as what it is, whole or not; ValueError where the field cannot hold it."""
        kinds = int if isinstance(self.low, int) else int | float
        if not isinstance(number, kinds) or isinstance(number, bool):
            raise ValueError(f"{self.label} cannot be {number!r}.")
        highest = math.inf if self.high is None else self.high
        if not self.low <= number <= highest:
            raise ValueError(f"{self.label} must be from {self.low} to {highest}; got {number}.")
        return type(self.low)(number)


SEED = Field("rng", "Seed", 0, limits.LARGEST_SEED, 1, GLOSSARY["seed"], 0)
RESAMPLES = Field("n_resamples", "Resamples", 99, 100_000, 1000, GLOSSARY["resample"], 9999)


def number(field: Field, *, label: str = "", **how: Any) -> Any:
    """A field of a form; `how` is its key, and whatever else goes to Streamlit."""
    label = label or field.label
    return st.number_input(
        label,
        min_value=field.low,
        max_value=field.high,
        step=field.step,
        format=None if isinstance(field.low, int) else "%.6g",
        help=field.help,
        **{"width": _width(label), **how},
    )


def ask(key: str, *fields: Field) -> dict[str, Any]:
    """Draw these, whose widgets' keys begin with `key`: the number of each argument."""
    return {
        one.name: number(one, key=f"{key}-{one.name}", value=one.usual, persist_state="session")
        for one in fields
    }


def asked(key: str, *fields: Field) -> dict[str, Any]:
    """The same of fields that need not be on the page."""
    held = {one: state.value(f"{key}-{one.name}", one.usual) for one in fields}
    return {one.name: type(one.low)(value) for one, value in held.items()}


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
