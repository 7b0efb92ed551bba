"""The analysis to take away: report, tables, figures, bundle."""

import streamlit as st

from core.analysis import statements
from pages.ui.frame import guards, page, prose
from pages.ui.results import explanations, settling, take_away

page.enter()
analysis = guards.require_analysis(
    "This page gathers the answers into a report with a methods paragraph, tables for a paper, and "
    "a bundle that restores the analysis."
)
question = analysis.questions[0]
prose.lead(analysis.so_far + statements.lead(analysis, question))
explanations.condition(analysis, question)
settling.show(analysis, question)
chosen = take_away.choose(analysis)
take_away.downloads(analysis, chosen)
take_away.link()
st.subheader("Preview", anchor=False)
take_away.preview(analysis, chosen)
take_away.figure_format()
explanations.signatures(analysis, question)
