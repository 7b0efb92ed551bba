"""On at least how many datasets A is better."""

from functools import partial

import streamlit as st

from core.analysis import statements
from core.data import ResultSet
from core.sections import answers
from pages.ui.frame import guards, page, prose
from pages.ui.frame.widgets import details
from pages.ui.results import explanations, inputs, parts
from pages.ui.simulation import results

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
with answer_place:
    parts.show(parts.kept(answers.count_parts, analysis))
    inputs.other_correlation(analysis, question)
    inputs.settle(analysis, question)
    parts.show(parts.kept(answers.both_sides_parts, analysis))


def copied() -> None:
    """The sentence and the lines that reproduce it."""
    explanations.copied(statements.lead(analysis, question), also=" ".join(analysis.other_sides))
    explanations.signatures(analysis, question)


if analysis.table.n_datasets == 1:
    prose.paragraph("With one dataset there is nothing to count: its test is the answer.")
    details([("Copy", copied)], key="counting")
    st.stop()
parts.show(parts.kept(answers.staircase_parts, analysis))
results.beside_count(n_datasets=analysis.table.n_datasets, alpha=analysis.settings.alpha)
details(
    [
        ("What it means", parts.shown(answers.about_count_parts, analysis)),
        ("Every claim", parts.shown(answers.claims_parts, analysis)),
        ("Dependence", partial(explanations.dependence, analysis)),
        isinstance(analysis.data, ResultSet)
        and len(analysis.data.metrics) > 1
        and ("All metrics", explanations.metrics),
        ("Groups", partial(explanations.groups, analysis, question)),
        ("Sensitivity", parts.shown(answers.sensitivity_parts, analysis)),
        ("Formula", partial(explanations.how_counted, question)),
        ("Copy", copied),
    ],
    key="counting",
)
