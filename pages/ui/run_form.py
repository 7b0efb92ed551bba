"""How the datasets are tested, changeable: a change runs the tests anew."""

from __future__ import annotations

import streamlit as st

from core.data import ResultSet
from core.report.testing import TEST_NAMES, reason_sentence, resamples_sentence
from core.significance import suitable_tests
from pages.ui import limits, prose, runs, state


def show(data: ResultSet) -> None:
    """The form; sending it runs the tests unless they were run so before."""
    settings = state.session().settings
    a, b = state.systems()
    metric = state.metric()
    prose.paragraph(reason_sentence(data, a=a, b=b, metric=metric))
    prose.paragraph(
        "Another test, seed or number of resamples runs the tests anew; moving α, exchanging A and "
        "B or the question of dependence does not.",
        quiet=True,
    )
    zero_one = any(data.is_binary(dataset, metric) for dataset in data.datasets)
    offered = ["auto", *suitable_tests(data.kinds[metric], zero_one=zero_one)]
    with st.form("tests", border=False):
        st.selectbox(
            "Test",
            offered,
            format_func=lambda name: TEST_NAMES[name],
            key=state.widget("test", settings.test if settings.test in offered else "auto"),
        )
        st.number_input(
            "Resamples, for tests that are not exact on these scores",
            min_value=99,
            max_value=limits.MAX_RESAMPLES,
            key=state.widget("resamples", settings.n_resamples),
        )
        st.number_input(
            "Seed",
            min_value=0,
            max_value=limits.LARGEST_SEED,
            key=state.widget("seed", settings.seed),
        )
        st.form_submit_button("Run", type="primary", on_click=_run)
    warning = resamples_sentence(settings.n_resamples, data.n_datasets, alpha=settings.alpha)
    if warning:
        prose.notice(warning)


def _run() -> None:
    state.choose(
        test=state.value("test"),
        n_resamples=int(state.value("resamples")),
        seed=int(state.value("seed")),
        question="",
    )
    runs.run_tests()
