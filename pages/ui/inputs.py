"""Choices that pages share."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.report.questions import Question
from core.report.verdicts import PROCEDURE_NAMES, question_label
from core.types import Procedure
from pages.ui import prose, state
from pages.ui.glossary import TOOLTIPS

# What each procedure guarantees, in the order in which they are offered.
PROCEDURE_GUARANTEES: Mapping[Procedure, str] = {
    "holm": "a wrong name in at most {level} of studies, whatever the dependence",
    "bonferroni": "as Holm, but never names more",
    "hochberg": "a wrong name in at most {level} of studies, if the tests are independent or "
    "positively dependent",
    "hommel": "as Hochberg, and never names fewer; the closed test behind the count by Simes",
    "fisher-closed": "a wrong name in at most {level} of studies, if the datasets are "
    "independent; the closed test behind the count by Fisher",
    "benjamini-hochberg": "averaged over studies at most {level} of the names are wrong (no names "
    "count as no error), if the tests are independent or positively dependent; a single list may "
    "hold more",
    "benjamini-yekutieli": "averaged over studies at most {level} of the names are wrong, "
    "whatever the dependence; a single list may hold more",
}


def question(analysis: state.Analysis) -> Question:
    """Which claim the page looks at, where there is more than one."""
    asked = {question.key: question for question in analysis.questions}
    if len(asked) == 1:
        return analysis.question
    st.selectbox(
        "Claim",
        list(asked),
        format_func=lambda key: question_label(asked[key], analysis.subject),
        key=state.widget("question", analysis.question.key),
        on_change=lambda: state.choose(question=state.value("question")),
        help=TOOLTIPS["direction"],
    )
    return analysis.question


def procedure(alpha: float) -> Procedure:
    """How datasets are named; Holm unless chosen otherwise."""
    chosen: Procedure = st.selectbox(
        "Named by",
        list(PROCEDURE_GUARANTEES),
        format_func=lambda name: PROCEDURE_NAMES[name][:1].upper() + PROCEDURE_NAMES[name][1:],
        key="procedure",
        persist_state="session",
        help=TOOLTIPS["procedure"],
    )
    level = f"{100 * alpha:.10g}%"
    prose.paragraph(f"Guarantee: {PROCEDURE_GUARANTEES[chosen].format(level=level)}.", quiet=True)
    return chosen
