"""On which datasets A is better."""

from functools import partial

import streamlit as st

from core import charts
from core.sections.marked import marked_table
from core.words.verdicts import identification_sentence
from pages.ui.frame import figures, guards, page, prose, tables
from pages.ui.frame.sections import details, section
from pages.ui.results import depth, explanations, inputs, result_table

page.enter()
analysis = guards.require_analysis(
    "This page names the datasets on which one system is better, with a bound on wrong names."
)
answer_place = st.container()
claim_place, procedure_place = st.columns(2)
with claim_place:
    question = inputs.question(analysis)
with procedure_place:
    procedure = inputs.procedure(analysis)
names = analysis.identification(question, procedure)
sentence = identification_sentence(names, question, analysis.subject)
marked = marked_table(analysis, question, procedure)
with answer_place:
    prose.lead(analysis.so_far + sentence)
    explanations.condition(analysis, question)
    inputs.settle(analysis, question)
    explanations.other_names(analysis, question, procedure)
result_table.show(analysis, [marked], in_detail=True)
figures.show(
    partial(charts.ladder, names, analysis.table.datasets, claim=question.claim),
    name="ladder",
    alt=f"Ladder of sorted p-values against thresholds. {sentence}",
)
section(
    "Download table",
    lambda: tables.download_marked(marked, name="identification"),
    key="take-away",
)


def copied() -> None:
    """The sentence and the line that reproduces it."""
    explanations.copied(marked.caption, also=" ".join(analysis.other_sides))
    explanations.signature(marked.signature)


details(
    [
        ("All procedures", partial(depth.procedures, analysis, question)),
        ("Names and count", partial(explanations.names_and_count, analysis, question)),
        ("Sensitivity", partial(depth.sensitivity, analysis, question)),
        ("Rule", partial(explanations.how_named, procedure)),
        ("Copy", copied),
    ],
    key="identification",
)
