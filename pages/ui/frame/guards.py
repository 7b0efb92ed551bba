"""What a page needs before it can answer, and what it shows while that is missing."""

from collections.abc import Callable
from typing import NoReturn

import streamlit as st

from core.analysis import Analysis
from core.data import EffectTable, PValueTable, ResultSet, Sample, ScoreTable
from core.words.verdicts import (
    EFFECT_TABLE_REMEDY,
    SCORE_TABLE_REMEDY,
    effect_table_sentence,
    score_table_sentence,
)
from pages.ui.frame import prose, state, tables
from pages.ui.frame.state import Data, Loaded
from pages.ui.intake import loading, role_form
from pages.ui.results.analysis import cautions, current_analysis
from pages.ui.work import runs
from pages.ui.work.background import Refusal

_OTHER_QUESTIONS = "How much better, and on average? See the Effect size page"
# Samples without a score to average.
P_VALUES_ALONE = frozenset({"six-p-values", "pos-tagging-four-tests"})


def explain_no_p_values(data: ScoreTable | EffectTable) -> None:
    """What the numbers say, and why nothing is counted."""
    if isinstance(data, ScoreTable):
        a, b = state.systems()
        prose.lead(score_table_sentence(data, a=a, b=b))
        prose.paragraph(SCORE_TABLE_REMEDY)
        role_form.direction(data)
    else:
        prose.lead(effect_table_sentence(data))
        prose.paragraph(EFFECT_TABLE_REMEDY)
    st.page_link("pages/effect_size.py", label=_OTHER_QUESTIONS)


def answer_without_p_values(loaded: Loaded) -> None:
    """The first page's answer for such a file."""
    data = loaded.data
    assert isinstance(data, ScoreTable | EffectTable)
    n = len(data.datasets)
    what = (
        f"{len(data.systems)} systems, one score each"
        if isinstance(data, ScoreTable)
        else "an effect and its standard error each"
    )
    prose.paragraph(f"{loaded.title}: {n} dataset{'s' if n != 1 else ''}, {what}.", quiet=True)
    explain_no_p_values(data)
    if data.reading is not None and data.reading.remarks:
        st.header("Notes on your data", anchor=False)
        prose.bullets(data.reading.remarks)
    role_form.open_questions(data)
    with st.expander("The data as read", key="box-data"):
        tables.frame(data.to_frame(), height=tables.LOW)
    role_form.names(data)
    role_form.how_read(data)


def require_analysis(promise: str) -> Analysis:
    """The analysis, whose cautions come before the page's answer.

    Without one an empty state says what the page will show, and the page stops.
    """
    found, data = current_analysis(), state.data()
    if found is None:
        if data is None:
            _stop_with_samples(promise, lambda _: True, link="Load a table on the Upload page →")
        if isinstance(data, ScoreTable | EffectTable):
            explain_no_p_values(data)
        else:
            explain_tests()
        st.stop()
    cautions(found)
    return found


def require_results(promise: str) -> ResultSet:
    """Per-example results, or what this page needs; then the page stops."""
    data = state.data()
    if data is None:
        _stop_with_samples(promise, loading.per_example, link="Load results on the Upload page →")
    if isinstance(data, ScoreTable | EffectTable):
        explain_no_p_values(data)
        _stop_with_samples("Or see tests with a sample:", loading.per_example)
    if not isinstance(data, ResultSet):
        prose.paragraph(
            "Your table already has p-values, so there is nothing to test here. They are on the "
            "Counting and Identification pages."
        )
        _stop_with_samples(
            "To test datasets yourself, load results on every example, or a sample:",
            loading.per_example,
        )
    return data


def require_scores(promise: str) -> Data:
    """Anything with scores or effects, or what this page needs; then the page stops."""

    def has_scores(sample: Sample) -> bool:
        return sample.key not in P_VALUES_ALONE

    data = state.data()
    if data is None:
        _stop_with_samples(promise, has_scores, link="Load scores on the Upload page →")
    if isinstance(data, PValueTable) and (data.scores_a is None or data.scores_b is None):
        prose.paragraph(
            "Your table has p-values without both systems' scores. A p-value does not say how large "
            "a difference is, so there is nothing to average."
        )
        _stop_with_samples("Load a table with scores, or a sample:", has_scores)
    return data


def _stop_with_samples(words: str, suits: Callable[[Sample], bool], *, link: str = "") -> NoReturn:
    prose.paragraph(words)
    if link:
        loading.ask(link, suits)
    else:
        loading.sample_buttons(suits)
    st.stop()


def refused_tests() -> bool:
    """Whether the data do not suit the test that was chosen; if so, every reason is shown."""
    run = runs.current_run()
    refusal = None if run is None else run.result
    if not isinstance(refusal, Refusal):
        return False
    prose.problems("These data do not suit the test that was chosen.", refusal.reasons)
    return True


def explain_tests() -> None:
    """Where results are loaded but nothing is tested: why, and what to do."""
    run = runs.current_run()
    if run is None:
        return
    if refused_tests():
        st.page_link("pages/per_dataset_tests.py", label="Choose another test")
    elif not run.finished:
        prose.paragraph("The first dataset is being tested.")
    else:
        prose.paragraph("Testing was stopped before the first dataset was done.")
