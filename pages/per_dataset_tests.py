"""One test a dataset: p-values, differences, and how they were made."""

from functools import partial

import streamlit as st

from core import charts
from core.report.testing import interval_over_zero_sentence, per_dataset_sentence
from pages.ui.frame import figures, guards, page, prose
from pages.ui.frame.sections import section
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
    ),
    name="differences",
    alt=f"Difference on each dataset with its interval. {sentence}",
)
over_zero = interval_over_zero_sentence(
    results, analysis.table.datasets, alpha=analysis.settings.alpha
)
prose.paragraphs([over_zero] if over_zero else [], quiet=True)
prose.paragraph(run_form.reason(data), quiet=True)
section("What to know about tests on these data", lambda: run_form.advice(data), key="advice")
with st.expander("Another test, more resamples or another seed", key="box-run"):
    run_form.show(data)
explanations.how_tested(analysis)
explanations.tried()
explanations.signature(analysis.signature(analysis.questions[0]), of="the count from these tests")
