"""On at least how many datasets A is better."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from core.analysis import statements
from pages.ui.frame import guards, page, prose, tables
from pages.ui.frame.sections import details
from pages.ui.results import depth, explanations, inputs, joint
from pages.ui.simulation import panel as simulation_panel

page.enter()
analysis = guards.require_analysis(
    "This page counts, with a guarantee, the datasets on which one system is better, beside what "
    "counting the p-values below .05 would have claimed."
)
answer_place = st.container()
claim_place, combination_place = st.columns(2)
with claim_place:
    question = inputs.question(analysis)
with combination_place:
    inputs.combination(analysis)
sentence = statements.lead(analysis, question)
with answer_place:
    joint.answer(analysis, question)
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
simulation_panel.show(n_datasets=analysis.table.n_datasets, alpha=analysis.settings.alpha)


def copied() -> None:
    """The sentence and the lines that reproduce it."""
    explanations.copied(sentence, also=" ".join(analysis.other_sides))
    explanations.signatures(analysis, question)


parts: list[tuple[str, Callable[[], None]]] = [
    ("What it means", partial(explanations.counting, analysis, question)),
    ("Every claim", partial(tables.claims, question, analysis.subject)),
    ("Dependence", partial(depth.dependence, analysis, question)),
    ("Sensitivity", partial(depth.sensitivity, analysis, question)),
    ("Formula", partial(explanations.how_counted, question)),
    ("Copy", copied),
]
if analysis.table.n_datasets > 1:
    parts.insert(3, ("Groups", partial(depth.groups, analysis, question)))
if depth.has_metrics(analysis, question):
    parts.insert(3, ("All metrics", partial(depth.metrics, analysis, question)))
details(parts, key="counting")
