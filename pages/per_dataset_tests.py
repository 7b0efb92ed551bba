"""One test per dataset: p-values, differences, and how they were made."""

from functools import partial

import streamlit as st

from core.export.record import tried_parts
from core.sections import results
from pages.ui.frame import guards, page, prose
from pages.ui.frame.widgets import details
from pages.ui.results import explanations, inputs, parts

page.enter()
data = guards.require_results(
    "This page tests, on each dataset, whether one system is better than the other, from both "
    "systems' results on every example."
)
if guards.refused_tests():
    inputs.tests_form(data)
    st.stop()
analysis = guards.require_analysis("")
parts.show(parts.kept(results.per_dataset_parts, analysis))
inputs.settle(analysis, analysis.questions[0])
parts.show(parts.kept(results.results_parts, analysis))
prose.paragraph(inputs.tests_reason(data), quiet=True)
with st.expander("Another test, more resamples or another seed", key="box-run"):
    inputs.tests_form(data)
signature = parts.kept(type(analysis).signature, analysis, analysis.questions[0])
details(
    [
        ("About tests on these data", partial(inputs.tests_advice, data)),
        ("How each test works", partial(explanations.how_tested, analysis)),
        bool(analysis.tried) and ("What was tried", parts.shown(tried_parts, analysis)),
        ("Copy", partial(explanations.signature, signature, of="the count from these tests")),
    ],
    key="tests",
)
