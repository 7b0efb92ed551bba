"""How the datasets are tested, changeable: a change runs the tests anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from core.analysis.settings import CHOICES, TEST_CHOICES, margins_of
from core.data import ResultSet
from core.significance import suitable_tests
from core.significance.known_tests import significance_test_named
from core.words.testing import (
    ESTIMATOR_RULES,
    INTERVAL_NAMES,
    ZERO_RULES,
    advice_lines,
    reason_sentence,
    resamples_sentence,
    title_of_test,
)
from pages.ui.frame import limits, prose, state
from pages.ui.work import runs


def show(data: ResultSet) -> None:
    """The form; sending it runs the tests unless they were run so before."""
    settings = state.session().settings
    metric = state.metric()
    prose.paragraph(
        "Another test, seed or number of resamples runs the tests anew; moving α, exchanging A and "
        "B or the question of dependence does not.",
        quiet=True,
    )
    clustered = data.clusters is not None and settings.whole_clusters
    zero_one = any(data.is_binary(dataset, metric) for dataset in data.datasets)
    if settings.margin:
        # Shifted tests are of other scores than outcomes.
        zero_one = data.has_outcomes(metric)
    offered = [
        "auto",
        *suitable_tests(
            data.kind_of(metric),
            zero_one=zero_one,
            clustered=clustered,
            margin=bool(settings.margin),
        ),
    ]
    with st.form("tests", border=False):
        st.selectbox(
            "Test",
            offered,
            format_func=title_of_test,
            key=state.form_widget("test", settings.test if settings.test in offered else "auto"),
        )
        st.number_input(
            "Resamples, for tests that are not exact on these scores",
            min_value=99,
            max_value=limits.MAX_RESAMPLES,
            key=state.form_widget("resamples", settings.n_resamples),
        )
        st.number_input(
            "Seed",
            min_value=0,
            max_value=limits.LARGEST_SEED,
            key=state.form_widget("seed", settings.seed),
        )
        _further(data, offered)
        st.form_submit_button("Run", type="primary", on_click=_run)
    warning = resamples_sentence(settings.n_resamples, data.n_datasets, alpha=settings.alpha)
    if warning:
        prose.notice(warning)


def advice(data: ResultSet) -> None:
    """What the data say about tests on them."""
    a, b = state.systems()
    metric = state.metric()
    whole = state.session().settings.whole_clusters
    lines = advice_lines(data, a=a, b=b, metric=metric, whole_clusters=whole)
    prose.bullets(lines)
    if not lines:
        prose.paragraph("Nothing in these data speaks against any test on offer.", quiet=True)


def reason(data: ResultSet) -> str:
    """Which test is recommended on these data, and why, or that another was chosen."""
    a, b = state.systems()
    settings = state.session().settings
    whole, chosen = settings.whole_clusters, settings.test
    metric = state.metric()
    return state.session().latest.result(
        "reason",
        made_of=(data, a, b, metric, whole, chosen, settings.margin),
        compute=lambda: reason_sentence(
            data,
            a=a,
            b=b,
            metric=metric,
            whole_clusters=whole,
            chosen=chosen,
            margins=margins_of(data, settings),
        ),
    )


def _further(data: ResultSet, offered: Sequence[str]) -> None:
    """Settings that are seldom changed, each where a test on offer has it."""
    settings = state.session().settings
    tests = [significance_test_named(name) for name in offered if name != "auto"]
    further: tuple[tuple[str, str, Mapping[Any, str]], ...] = (
        ("interval", "Interval of the difference", INTERVAL_NAMES),
        ("zeros", "Only for Wilcoxon: differences of zero", ZERO_RULES),
        (
            "estimator",
            "Only for the bootstrap: p-value formula",
            ESTIMATOR_RULES,
        ),
    )
    for name, label, words in further:
        if name == "interval" or any(name in test.settings for test in tests):
            st.selectbox(
                label,
                CHOICES[name].values,
                format_func=words.__getitem__,
                key=state.form_widget(name, getattr(settings, name)),
            )
    if data.clusters is not None:
        st.checkbox(
            "Examples that belong together are resampled together",
            key=state.form_widget("clusters", settings.whole_clusters),
        )


def _run() -> None:
    settings = state.session().settings
    # Widgets are called as in links; what is not on the page stays as it is.
    chosen = {c.name: state.value(c.link, getattr(settings, c.name)) for c in TEST_CHOICES}
    # What was extended had other settings.
    state.choose(**{**chosen, "extended": (), "question": ""})
    runs.run_tests()
