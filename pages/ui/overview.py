"""The first page's answer: what was read, the verdict, what to know, a preview."""

from __future__ import annotations

import streamlit as st

from core.report.verdicts import common_practice_sentence, verdict
from pages.ui import explanations, prose, state, tables


def introduction() -> None:
    """What this answers, in two sentences."""
    prose.paragraph(
        "Two systems, many datasets: a paper says A beats B on most of them. Counting the "
        "p-values below .05 over-claims; this counts with a guarantee, and names the datasets."
    )


def answer(analysis: state.Analysis) -> None:
    """The verdict and what stands behind it."""
    prose.paragraph(_what_was_read(analysis), quiet=True)
    prose.verdict(verdict(analysis.assessment, analysis.subject))
    with st.container(horizontal=True):
        st.page_link("pages/counting.py", label="How many: counting")
        st.page_link("pages/identification.py", label="Which ones: identification")
    remarks = _remarks(analysis)
    if remarks:
        st.subheader("To know about these data", anchor=False)
        prose.bullets(remarks)
    with st.expander("The table as read"):
        tables.preview(analysis.table.to_frame())
    explanations.signature(analysis.signature(analysis.questions[0]))


def _what_was_read(analysis: state.Analysis) -> str:
    table = analysis.table
    name = analysis.source.sample.title if analysis.source.sample else analysis.source.name
    count = "1 dataset" if table.n_datasets == 1 else f"{table.n_datasets} datasets"
    scores = ["no scores", "scores of one system", "scores of both systems"][
        (table.scores_a is not None) + (table.scores_b is not None)
    ]
    return f"{name}: {count}, {scores}, printed p-values."


def _remarks(analysis: state.Analysis) -> list[str]:
    table, settings = analysis.table, analysis.settings
    found = [explanations.zeros(table), _naive(analysis)]
    if settings.excluded:
        found.append(explanations.left_out(settings.excluded))
    sample = analysis.source.sample
    if sample is not None:
        found.append(sample.note)
        found.append(f"Source: {sample.source}")
    if table.reading is not None:
        found.extend(table.reading.remarks)
    return [remark for remark in found if remark]


def _naive(analysis: state.Analysis) -> str:
    """What counting p-values would say, unless the verdict says it of both sides already."""
    if analysis.assessment.shows_both_sides:
        return ""
    return common_practice_sentence(analysis.questions[0].answer)
