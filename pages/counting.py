"""On at least how many datasets A is better."""

from functools import partial

import streamlit as st

from core.analysis import statements
from pages.ui.frame import guards, page, prose, tables
from pages.ui.frame.sections import section
from pages.ui.results import depth, explanations, inputs
from pages.ui.simulation import panel as simulation_panel

page.enter()
analysis = guards.require_analysis(
    "This page counts, with a guarantee, the datasets on which one system is better, beside what "
    "counting the p-values below .05 would have claimed."
)
answer_place = st.container()
question = inputs.question(analysis)
inputs.combination(analysis)
sentence = statements.lead(analysis, question)
with answer_place:
    prose.verdict(
        statements.lead_statement(analysis, question),
        statements.stated_tiles(analysis, question),
        notes=statements.conditions(analysis, question),
        so_far=analysis.so_far,
    )
    inputs.other_correlation(analysis, question)
    inputs.settle(analysis, question)
    depth.both_sides(analysis, question)
depth.staircase(analysis, question)
explanations.counting(analysis, question)
depth.quotation(analysis, sentence)
depth.dependence(analysis, question)
depth.groups(analysis, question)
depth.metrics(analysis, question)
depth.sensitivity(analysis, question)
section(
    "Every claim with its p-value",
    partial(tables.claims, question, analysis.subject),
    key="claims",
)
simulation_panel.show(n_datasets=analysis.table.n_datasets, alpha=analysis.settings.alpha)
explanations.how_counted(question)
explanations.signatures(analysis, question)
