"""A p-value of a paired t-test beside two means with standard deviations: a form of its own."""

from __future__ import annotations

from typing import get_args

import streamlit as st

from core.claims.means import CheckedSide, check_means
from core.claims.printed_scores import MOST_EXAMPLES
from pages.ui.frame import prose, state

_FIELDS = {
    "mean-a": "Mean of A",
    "mean-b": "Mean of B",
    "sd-a": "Standard deviation of A",
    "sd-b": "Standard deviation of B",
    "sd-difference": "… or of the differences",
    "p": "Printed p-value",
}
_EXAMPLES = {
    "mean-a": "4.21",
    "mean-b": "4.05",
    "sd-a": "0.92",
    "sd-b": "0.98",
    "sd-difference": "",
    "p": "0.012",
}
_SIDES = {"either": "two-sided", "a": "one-sided, A better", "b": "one-sided, B better"}


def show() -> None:
    """The form and its answer."""
    prose.paragraph(
        "Scores that are means over the examples, printed with the standard deviations of the "
        "examples' scores, limit what a paired t-test can give. All numbers as printed.",
        quiet=True,
    )
    for names in (("mean-a", "sd-a"), ("mean-b", "sd-b"), ("sd-difference", "p")):
        with st.container(horizontal=True):
            for name in names:
                st.text_input(
                    _FIELDS[name],
                    key=_key(name),
                    placeholder=_EXAMPLES[name],
                    persist_state="session",
                )
    sides: list[CheckedSide] = list(get_args(CheckedSide))
    with st.container(horizontal=True):
        n = st.number_input(
            "Number of examples",
            2,
            MOST_EXAMPLES,
            value=100,
            key=_key("n"),
            persist_state="session",
        )
        side: CheckedSide = st.selectbox(
            "The p-value is",
            sides[::-1],
            format_func=lambda side: _SIDES[side],
            key=_key("side"),
            persist_state="session",
        )
    typed = {name: _typed(name) for name in _FIELDS}
    if not (typed["mean-a"] and typed["mean-b"] and typed["p"]):
        return
    if not (typed["sd-difference"] or (typed["sd-a"] and typed["sd-b"])):
        return
    given = typed["sd-difference"]
    try:
        found = check_means(
            typed["mean-a"],
            typed["mean-b"],
            int(n),
            typed["p"],
            sd_a=None if given else typed["sd-a"],
            sd_b=None if given else typed["sd-b"],
            sd_difference=given or None,
            speaks_for=side,
        )
    except ValueError as error:
        prose.notice(_in_words(str(error)))
        return
    prose.paragraph(found.sentence, strong=True)


def _key(name: str) -> str:
    return f"claim-means-{name}"


def _typed(name: str) -> str:
    return str(state.value(_key(name), "") or "").strip().replace("−", "-").replace(",", ".")


def _in_words(message: str) -> str:
    for name, label in _FIELDS.items():
        message = message.replace(f"`{name.replace('-', '_')}`", f"“{label}”")
    return message.replace("`p_value`", f"“{_FIELDS['p']}”")
