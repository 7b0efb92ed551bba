"""On which datasets A is better."""

from functools import partial

import streamlit as st

from core.analysis import statements
from core.export.paper import paper_table
from core.sections import answers
from core.sections.marked import marked_table
from pages.ui.frame import guards, page, prose, tables
from pages.ui.frame.widgets import Part, details, section
from pages.ui.results import explanations, inputs, parts

page.enter()
analysis = guards.require_analysis(
    "This page names the datasets on which one system is better, with a bound on wrong names."
)
answer_place = st.container()
claim_place, beside = st.columns(2)
# One claim leaves nothing to choose: the procedure stands in its place.
procedure_place = beside if len(analysis.questions) > 1 else claim_place
with claim_place:
    question = inputs.question(analysis)
with procedure_place:
    procedure = inputs.procedure(analysis)
lead, *others = parts.kept(answers.identification_parts, analysis)
with answer_place:
    parts.show([lead])
    inputs.settle(analysis, question)
parts.show(others)
section(
    "Download table",
    lambda: tables.download_marked(marked_table(analysis), latex=paper_table(analysis)),
    key="take-away",
)


def copied() -> None:
    """The sentence and the line that reproduces it."""
    marked = marked_table(analysis)
    explanations.copied(marked.caption, also=" ".join(analysis.other_sides))
    explanations.signature(marked.signature)


tabs: list[Part] = [
    ("All procedures", parts.shown(answers.procedures_parts, analysis)),
    ("Names and count", lambda: prose.paragraphs(statements.names_and_count(analysis, question))),
    ("Sensitivity", parts.shown(answers.sensitivity_parts, analysis)),
    ("Rule", partial(explanations.how_named, procedure)),
    ("Copy", copied),
]
# With one dataset there is nothing to correct.
details(tabs if analysis.table.n_datasets > 1 else tabs[-1:], key="identification")
