"""The first page's answer: what was read, the verdict, what to know, a preview."""

from __future__ import annotations

import streamlit as st

from core.analysis import Analysis, statements
from core.data import ResultSet
from core.report.verdicts import verdict
from pages.ui.frame import prose, tables
from pages.ui.intake import bundles, role_form
from pages.ui.results import explanations, other_correlation, settling


def introduction() -> None:
    """What this answers, in two sentences."""
    prose.paragraph(
        "Two systems, many datasets: a paper says A beats B on most of them. Counting the "
        "p-values below .05 over-claims; this counts with a guarantee, and names the datasets."
    )


def answer(analysis: Analysis) -> None:
    """The verdict and what stands behind it."""
    prose.paragraph(statements.what_was_read(analysis), quiet=True)
    explanations.cautions(analysis)
    bundles.show(analysis)
    prose.verdict(verdict(analysis.assessment, analysis.subject), so_far=analysis.so_far)
    other_correlation.show(analysis, analysis.questions[0])
    if statements.leaves_direction_open(analysis):
        role_form.direction(analysis.data, higher_is_better=analysis.higher_is_better)
    settling.show(analysis, analysis.questions[0])
    with st.container(horizontal=True):
        if isinstance(analysis.data, ResultSet):
            st.page_link("pages/per_dataset_tests.py", label="Each dataset's test →")
        st.page_link("pages/counting.py", label="How many: counting →")
        st.page_link("pages/identification.py", label="Which ones: identification →")
        st.page_link("pages/report.py", label="For a paper: report →")
    remarks = statements.remarks(analysis)
    if remarks:
        st.subheader("To know about these data", anchor=False)
        prose.bullets(remarks)
    role_form.open_questions(analysis.data)
    with st.expander("The data as read", key="box-data"):
        tables.preview(analysis.data)
