"""The number fields of the simulation forms that several of them have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import streamlit as st

from core.report.simulation_words import SHARE_HELP
from pages.ui.simulation.numbers import LARGEST_SAMPLE, Difference

# Of a number field: as wide as its label and its numbers need.
WIDTH = 190


class Field(NamedTuple):
    """A number that is asked for; whole where its bounds are."""

    name: str
    label: str
    low: float
    high: float
    step: float = 1
    help: str | None = None

    @property
    def number_format(self) -> str | None:
        """How the field writes its number."""
        return None if isinstance(self.low, int) else "%.4g"

    def read(self, number: float) -> Any:
        """The number as what it is, whole or not."""
        return int(number) if isinstance(self.low, int) else float(number)


_OF_DIFFERENCE = (
    Field("d", "A better by", -1.0, 1.0, 0.005, "Accuracy of A less that of B: .02 is two points."),
    Field("n_examples", "Examples of each", 1, LARGEST_SAMPLE, 100),
    Field("q", "Share that differs", 0.001, 1.0, 0.05, SHARE_HELP),
)


def difference(
    value: Difference, ask: Callable[[Field, float], float], *, without: str = ""
) -> Difference:
    """Ask for a difference in accuracy, but for the number named `without`.

    Parameters
    ----------
    value : Difference
        What the fields show, and what is not asked for.
    ask : callable
        Draws a field with a value and returns what it holds.
    without : str
        Name of the number that is not asked for.
    """
    found = value
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for field in _OF_DIFFERENCE:
            if field.name != without:
                number = ask(field, getattr(value, field.name))
                found = found._replace(**{field.name: field.read(number)})
    return found
