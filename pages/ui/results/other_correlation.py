"""Spearman's or Pearson's correlation: which one is compared, and the count by the other."""

from __future__ import annotations

import streamlit as st

from core.analysis import Analysis, compared, statements
from core.data import ResultSet
from core.report.formatting import metric_label
from core.report.questions import Question
from pages.ui.frame import prose
from pages.ui.work import runs


def show(analysis: Analysis, question: Question) -> None:
    """Beside a verdict on correlations with gold; nothing beside others."""
    data = analysis.data
    found = runs.other_correlation()
    if found is None or not isinstance(data, ResultSet):
        return
    metric, run = found
    own = compared.metric_of(data, analysis.settings)
    told = f"Compared by {metric_label(own, data.kind_of(own))}."
    other = metric_label(metric, data.kind_of(metric))
    if run is not None and not run.running:
        table = run.table
        by_other = (
            f"The tests by {other} did not end with a result."
            if table is None
            else statements.by_the_other_correlation(analysis, question, table)
        )
        told = f"{told} {by_other}"
    with st.container(horizontal=True, vertical_alignment="center"):
        prose.paragraph(told)
        st.button(
            f"Compare by {other}",
            on_click=runs.choose_metric,
            args=(metric,),
            key="other-correlation",
        )
    if run is not None and run.running:
        _watch(other)


@st.fragment(run_every=0.5)
def _watch(other: str) -> None:
    """Look until its tests are done; then the page is drawn anew."""
    found = runs.other_correlation()
    if found is None or found[1] is None or not found[1].running:
        st.rerun()
    prose.paragraph(f"Testing by {other}.", quiet=True)
