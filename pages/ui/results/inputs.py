"""Choices that pages share."""

from __future__ import annotations

import streamlit as st

from core.analysis import Analysis
from core.replicability.procedures import procedure_named, procedure_names
from core.report.guarantees import guarantee_sentence
from core.report.questions import Question
from core.report.sentences import question_label
from pages.ui.frame import prose, state
from pages.ui.frame.glossary import TOOLTIPS


def question(analysis: Analysis) -> Question:
    """Which claim the page looks at, where there is more than one."""
    asked = {question.key: question for question in analysis.questions}
    if len(asked) == 1:
        return analysis.question
    st.selectbox(
        "Claim",
        list(asked),
        format_func=lambda key: question_label(
            asked[key], analysis.subject, printed=analysis.printed
        ),
        **state.choice(
            "question", analysis.question.key, lambda chosen: state.choose(question=chosen)
        ),
        help=TOOLTIPS["direction"],
    )
    return analysis.question


def procedure(analysis: Analysis) -> str:
    """How datasets are named; Holm unless chosen otherwise."""
    st.selectbox(
        "Named by",
        list(procedure_names()),
        format_func=lambda name: (
            procedure_named(name).title[:1].upper() + procedure_named(name).title[1:]
        ),
        **state.choice(
            "procedure",
            analysis.settings.procedure,
            lambda chosen: state.choose(procedure=chosen),
        ),
        help=TOOLTIPS["procedure"],
    )
    chosen = analysis.settings.procedure
    prose.paragraph(guarantee_sentence(chosen, alpha=analysis.settings.alpha), quiet=True)
    return chosen
