"""A few questions about the datasets, and the answer about dependence that follows."""

from __future__ import annotations

import streamlit as st

from core.replicability.combinations import combination_named, usual_combination
from core.report.guide_dependence import (
    POSITIVE_QUESTION,
    REPLIES,
    REPLY_LABELS,
    SHARING_QUESTIONS,
    DependenceQuestion,
    Reply,
    implied_dependence,
)
from core.report.procedures import DEPENDENCE_ANSWERS, DEPENDENCE_EXAMPLES
from pages.ui.frame import prose, state


def show() -> None:
    """The questions, the answer that follows, and a button that takes it."""
    replies = {question.key: _reply(question) for question in SHARING_QUESTIONS}
    if implied_dependence(replies).dependence != "independent":
        replies[POSITIVE_QUESTION.key] = _reply(POSITIVE_QUESTION)
    implied = implied_dependence(replies)
    label = DEPENDENCE_ANSWERS[implied.dependence]
    combination = combination_named(usual_combination(implied.dependence)).title
    prose.paragraph(f"Answer: “{label}” ({combination}).", strong=True)
    prose.paragraph(implied.reason)
    prose.paragraph(DEPENDENCE_EXAMPLES[implied.dependence], quiet=True)
    if state.session().settings.dependence == implied.dependence:
        prose.paragraph("This is what the sidebar says.", quiet=True)
    else:
        st.button(
            "Take this answer for every page",
            on_click=lambda: state.choose(dependence=implied.dependence),
        )


def _reply(question: DependenceQuestion) -> Reply:
    return st.radio(
        question.text,
        REPLIES,
        format_func=lambda reply: REPLY_LABELS[reply],
        horizontal=True,
        key=f"guide-dependence-{question.key}",
        persist_state="session",
    )
