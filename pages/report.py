"""The analysis to take away: report, tables, figures, bundle."""

import streamlit as st

from core.analysis import statements
from pages.ui.frame import guards, page, prose
from pages.ui.results import explanations, inputs, report

page.enter()
analysis = guards.require_analysis(
    "This page gathers the answers into a report with a methods paragraph, tables for a paper, and "
    "a bundle that restores the analysis."
)
question = analysis.questions[0]
prose.lead(analysis.so_far + statements.lead(analysis, question))
explanations.condition(analysis, question)
inputs.settle(analysis, question)
chosen = report.choose(analysis)
report.paper(analysis)
report.downloads(analysis, chosen)
report.link()
st.subheader("Preview", anchor=False)
report.preview(analysis, chosen)
report.figure_format()
explanations.signatures(analysis, question)
