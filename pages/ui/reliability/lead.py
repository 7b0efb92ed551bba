"""The head of the reliability page: what depends on a choice, of all that was looked at."""

from __future__ import annotations

import numpy as np
import streamlit as st

from core.comparison import BETTER
from core.data import ResultSet
from core.replicability.decision import at_most
from core.words import reliability_choices as words
from core.words.subject import claim_of_tests
from pages.ui.frame import guards, prose, state
from pages.ui.reliability import data as common
from pages.ui.reliability import sections
from pages.ui.results import explanations
from pages.ui.results.analysis import current_analysis

_NEEDS = (
    "Five of its questions are about single examples: how a verdict changes with their number, "
    "with metric and test, along their length, from run to run, from dataset to dataset. They need "
    "results on every example. What p ≤ α is worth and the toy examples below need no data."
)


def show(data: ResultSet | None) -> None:
    """The answer, or what the page will answer."""
    if data is None:
        _without_results()
        return
    analysis = current_analysis()
    if analysis is not None:
        explanations.other_sides(analysis)
    looked_at = common.found(data)
    sentence = words.summary_sentence(looked_at, state.chosen_datasets(data), alpha=common.alpha())
    if sentence:
        _lead(sentence)
        not_yet = words.not_yet_line(
            looked_at, covariates=bool(data.covariates), runs=bool(data.runs)
        )
        lines = (not_yet, _direction(looked_at), words.LIMITS)
        prose.paragraphs([line for line in lines if line], quiet=True)
        return
    opening = _opening(data)
    _lead(opening or words.PROMISE)
    prose.paragraph(words.NO_RUN_YET)
    st.button(
        "Look at every metric and test",
        type="primary",
        key="reliability-begin",
        on_click=sections.look_at_choices,
        args=(data,),
    )
    direction = _direction(looked_at)
    prose.paragraphs([words.PROMISE, direction] if opening else [direction], quiet=True)


def _opening(data: ResultSet) -> str:
    """What the tests of now say; "" while there are none, and where they ask of a margin."""
    analysis = current_analysis()
    names, alpha = state.chosen_datasets(data), common.alpha()
    # Where one is missing a count would be of fewer datasets than are compared.
    if analysis is None or _at_margin() or analysis.table.datasets != tuple(names):
        return ""
    p_values = analysis.table.p_values
    if np.isnan(p_values).any():
        return ""
    n_small = int(np.count_nonzero(at_most(p_values, alpha)))
    return words.opening_sentence(
        analysis.subject, n_small, len(names), metric=state.metric(), alpha=alpha
    )


def _direction(looked_at: words.LookedAt) -> str:
    """What the p-values of the page are of: of its studies, and of tests of now that ask the same."""
    a, b = state.systems()
    analysis = current_analysis()
    results = () if analysis is None or _at_margin() else analysis.table.results or ()
    tests = looked_at.tests | {result.test for result in results if result is not None}
    return words.direction_line(a, b, claimed=claim_of_tests(tests))


def _lead(sentence: str) -> None:
    prose.lead(sentence)
    if _at_margin():
        prose.paragraph(words.NOT_AT_A_MARGIN)


def _at_margin() -> bool:
    return state.session().settings.claim != BETTER


def _without_results() -> None:
    loaded = state.session().loaded
    prose.lead(words.PROMISE)
    if loaded is not None:
        prose.paragraph("What is loaded has no results on single examples.")
    prose.paragraph(_NEEDS)
    st.page_link("pages/upload.py", label="Load results on the Upload page")
    prose.paragraph("Or see it with a sample:")
    guards.sample_buttons(per_example=True)
