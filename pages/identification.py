"""On which datasets A is better."""

import streamlit as st

from core import charts
from core.replicability.identification import identify_datasets
from core.report.tables import MarkedTable
from core.report.verdicts import identification_sentences
from pages.ui import downloads, explanations, figures, frame, guards, inputs, prose, tables

frame.enter()
analysis = guards.require_analysis(
    "This page names the datasets on which one system is better, with a bound on wrong names."
)
answer_place = st.container()
question = inputs.question(analysis)
procedure = inputs.procedure(analysis.settings.alpha)
names = identify_datasets(
    question.answer.p_values, alpha=analysis.settings.alpha, procedure=procedure
)
signature = analysis.signature(question, procedure=procedure)
marked = MarkedTable(
    table=analysis.table, identification=names, claim=question.claim, signature=signature
)
with answer_place:
    sentences = identification_sentences(names, question, analysis.subject)
    prose.lead(sentences[0])
    prose.paragraphs(sentences[1:])
    explanations.other_side(analysis, question)
by_p_value = st.toggle("Sort by p-value", key="sort-by-p", persist_state="session")
tables.marked(marked, by_p_value=by_p_value)
figures.show(
    lambda theme: charts.ladder(names, analysis.table.datasets, claim=question.claim, theme=theme),
    name="ladder",
    alt=f"Ladder of sorted p-values against thresholds. {sentences[0]}",
)
with st.expander("Take the table away"):
    downloads.marked_table(marked, name="identification")
explanations.how_named(procedure)
explanations.signature(signature)
