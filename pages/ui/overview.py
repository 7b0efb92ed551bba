"""The first page's answer: what was read, the verdict, what to know, a preview."""

from __future__ import annotations

import streamlit as st

from core.data import ResultSet
from core.report.formatting import metric_label
from core.report.sentences import common_practice_sentence
from core.report.testing import alike_sentence
from core.report.verdicts import verdict
from pages.ui import explanations, prose, role_form, state, tables
from pages.ui.analysis import Analysis


def introduction() -> None:
    """What this answers, in two sentences."""
    prose.paragraph(
        "Two systems, many datasets: a paper says A beats B on most of them. Counting the "
        "p-values below .05 over-claims; this counts with a guarantee, and names the datasets."
    )


def answer(analysis: Analysis) -> None:
    """The verdict and what stands behind it."""
    prose.paragraph(_what_was_read(analysis), quiet=True)
    for caution in analysis.cautions:
        prose.notice(caution)
    prose.verdict(verdict(analysis.assessment, analysis.subject), so_far=analysis.so_far)
    with st.container(horizontal=True):
        if isinstance(analysis.data, ResultSet):
            st.page_link("pages/per_dataset_tests.py", label="Each dataset's test →")
        st.page_link("pages/counting.py", label="How many: counting →")
        st.page_link("pages/identification.py", label="Which ones: identification →")
    remarks = _remarks(analysis)
    if remarks:
        st.subheader("To know about these data", anchor=False)
        prose.bullets(remarks)
    role_form.open_questions(analysis.data)
    with st.expander("The data as read"):
        tables.preview(analysis.data)


def _what_was_read(analysis: Analysis) -> str:
    table, data = analysis.table, analysis.data
    name = analysis.source.sample.title if analysis.source.sample else analysis.source.name
    n = len(data.datasets)
    count = "1 dataset" if n == 1 else f"{n} datasets"
    if table.n_datasets < n:
        count = f"{table.n_datasets} of {count}"
    if isinstance(data, ResultSet):
        examples = sum(data.n_examples(dataset) for dataset in data.datasets)
        what = f"{len(data.systems)} systems, {examples:,} examples, {_metric(data)}"
    else:
        scores = ["no scores", "scores of one system", "scores of both systems"][
            (table.scores_a is not None) + (table.scores_b is not None)
        ]
        what = f"{scores}, printed p-values"
    if isinstance(data, ResultSet) or table.differences is not None:
        what += f"; a {'higher' if _higher(analysis) else 'lower'} score is read as better"
    return f"{name}: {count}, {what}."


def _metric(data: ResultSet) -> str:
    metric = state.metric()
    return metric_label(metric, data.kinds[metric])


def _higher(analysis: Analysis) -> bool:
    data = analysis.data
    if isinstance(data, ResultSet):
        return data.higher_is_better[state.metric()]
    return data.higher_is_better


def _remarks(analysis: Analysis) -> list[str]:
    results = analysis.table.results or ()
    found = [
        alike_sentence(results, analysis.subject),
        explanations.zeros(analysis),
        _naive(analysis),
    ]
    sample = analysis.source.sample
    if sample is not None:
        found.append(sample.note)
        found.append(f"Source: {sample.source}")
    if analysis.data.reading is not None:
        found.extend(analysis.data.reading.remarks)
    return [remark for remark in found if remark]


def _naive(analysis: Analysis) -> str:
    """What counting p-values would say, unless the verdict says it of both sides already."""
    if analysis.assessment.shows_both_sides:
        return ""
    n_printed = analysis.assessment.n_printed if analysis.printed else None
    return common_practice_sentence(analysis.questions[0].answer, n_printed=n_printed)
