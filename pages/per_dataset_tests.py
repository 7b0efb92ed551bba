"""One test a dataset: p-values, differences, and how they were made."""

from collections.abc import Callable
from functools import partial

import streamlit as st

from core import charts
from core.words.testing import interval_over_zero_sentence, per_dataset_sentence
from pages.ui.frame import figures, guards, page, prose, state
from pages.ui.frame.sections import details
from pages.ui.results import explanations, inputs, report, run_form

page.enter()
data = guards.require_results(
    "This page tests, on each dataset, whether one system is better than the other, from both "
    "systems' results on every example."
)
if guards.refused_tests():
    run_form.show(data)
    st.stop()
analysis = guards.require_analysis("")
results = analysis.table.results or ()
sentence = per_dataset_sentence(analysis.assessment, analysis.subject)
prose.lead(analysis.so_far + sentence)
explanations.condition(analysis, analysis.questions[0])
inputs.settle(analysis, analysis.questions[0])
report.tests(analysis)
figures.show(
    partial(
        charts.differences,
        results,
        analysis.table.datasets,
        alpha=analysis.settings.alpha,
        swapped=analysis.settings.swapped,
        higher_is_better=analysis.table.higher_is_better,
        better=analysis.subject.in_short,
        margin=analysis.table.margin,
        of_a_alone=analysis.subject.of_a_alone,
    ),
    name="differences",
    alt=f"Difference on each dataset with its interval. {sentence}",
)
over_zero = interval_over_zero_sentence(
    results, analysis.table.datasets, alpha=analysis.settings.alpha
)
prose.paragraphs([over_zero] if over_zero else [], quiet=True)
prose.paragraph(run_form.reason(data), quiet=True)
with st.expander("Another test, more resamples or another seed", key="box-run"):
    run_form.show(data)
signature = analysis.signature(analysis.questions[0])
parts: list[tuple[str, Callable[[], None]]] = [
    ("About tests on these data", partial(run_form.advice, data)),
    ("How each test works", partial(explanations.how_tested, analysis)),
    ("Copy", partial(explanations.signature, signature, of="the count from these tests")),
]
if state.session().tried:
    parts.insert(2, ("What was tried", explanations.tried))
details(parts, key="tests")
