"""What more resamples may change, and a button that draws them."""

from __future__ import annotations

import streamlit as st

from core.analysis import Analysis
from core.analysis.settling import extensions, unsettled_of_both
from core.report.questions import Question
from pages.ui.frame import limits, prose
from pages.ui.work import runs


def show(analysis: Analysis, question: Question) -> None:
    """The open decisions, of the other direction as well, and the button that settles them."""
    told = unsettled_of_both(analysis, question)
    if not told:
        return
    prose.notice(" ".join(told))
    due = extensions(analysis, question, most=limits.MAX_RESAMPLES)
    if not due:
        prose.paragraph(
            f"Their tests have the {limits.MAX_RESAMPLES:,} resamples that this server takes.",
            quiet=True,
        )
        return
    most = max(n_resamples for _, n_resamples in due)
    tests = "1 test" if len(due) == 1 else f"{len(due)} tests"
    st.button(
        "Settle",
        help=f"Extends {tests} to {most:,} resamples, the first of them those drawn already.",
        on_click=runs.extend,
        args=(due,),
    )
    prose.paragraph(
        "A p-value from resamples is an estimate, and its Monte Carlo interval is where more of "
        f"them would settle it. Settle draws up to {most:,}. Do so before reporting: to stop at a "
        "number of resamples because its answer suits is a choice made after looking.",
        quiet=True,
    )
