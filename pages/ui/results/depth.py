"""What a careful reader of a count or a list asks next; each made when it is opened."""

from __future__ import annotations

import streamlit as st

from core.analysis import Analysis
from core.analysis.groupings import group_sentences, groupings
from core.data import ResultSet
from core.sections import answers
from core.words.sensitivity import (
    WHY_ALLOWED,
    count_metric_family,
    family_sentences,
    groups_frame,
)
from core.words.subject import Question
from pages.ui.frame import prose, tables
from pages.ui.results import joint, parts
from pages.ui.work import runs


def dependence(analysis: Analysis, question: Question) -> None:
    """The three answers about dependence, each with an example and what it would change."""
    parts.show(answers.dependence_parts(analysis))
    if analysis.settings.joint:
        joint.details(analysis, question)


def has_metrics(analysis: Analysis, question: Question) -> bool:
    """Whether there are several metrics that can be counted as one family."""
    data = analysis.data
    several = isinstance(data, ResultSet) and len(data.metrics) > 1
    # A margin is in the units of one metric.
    return several and question.claim != "differ" and not analysis.settings.margin


def metrics(analysis: Analysis, question: Question) -> None:
    """All metrics as one family."""
    found = runs.runs_of_metrics()
    unfinished = [m for m, run in found.items() if run is None or run.n_finished < run.n_datasets]
    if unfinished:
        prose.paragraph(
            f"Tested so far: {len(found) - len(unfinished)} of {len(found)} metrics. The others' "
            "recommended tests run on demand."
        )
        st.button("Test every metric", on_click=runs.run_every_metric)
        if any(run is not None and run.running for run in found.values()):
            _watch_metrics()
        return
    p_values = {}
    for metric, run in found.items():
        table = None if run is None else run.table
        if table is None or table.p_values_b is None:
            prose.paragraph(f"The tests by {metric} did not end with a result.")
            return
        table = table.without(analysis.settings.excluded)
        for_a = (question.claim == "a-better") != analysis.settings.swapped
        assert table.p_values_b is not None
        p_values[metric] = table.p_values if for_a else table.p_values_b
    family = count_metric_family(analysis.table.datasets, p_values, alpha=analysis.settings.alpha)
    prose.paragraphs(family_sentences(family, analysis.subject, claim=question.claim))


@st.fragment(run_every=0.5)
def _watch_metrics() -> None:
    """Look until all are done; then the page is drawn anew."""
    if not any(run is not None and run.running for run in runs.runs_of_metrics().values()):
        st.rerun()
    prose.paragraph("Testing the other metrics.", quiet=True)


def groups(analysis: Analysis, question: Question) -> None:
    """Bounds for groups, chosen by hand or by a column, all valid at once."""
    datasets = analysis.table.datasets
    subject = analysis.subject
    chosen = st.multiselect(
        "Datasets of a group",
        list(datasets),
        key="group-by-hand",
        placeholder="choose any, also after looking",
        persist_state="session",
    )
    named = {"": [datasets.index(name) for name in chosen if name in datasets]}
    if named[""]:
        prose.paragraph(group_sentences(analysis, question, named)[0], strong=True)
    by_column = groupings(analysis)
    if by_column:
        column = st.selectbox(
            "Or groups by", list(by_column), key="group-by-column", persist_state="session"
        )
        tables.frame(groups_frame(analysis.groups(question, by_column[column]), subject))
    prose.paragraph(WHY_ALLOWED, quiet=True)
