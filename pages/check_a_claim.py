"""A paper's claims against its own printed numbers."""

import streamlit as st

from core.export.claims import lead_sentence
from pages.ui import (
    claims_away,
    claims_check,
    claims_checks,
    claims_form,
    claims_means,
    claims_samples,
    claims_table,
    claims_verdicts,
    explanations,
    frame,
    prose,
)

frame.enter()
checked = claims_table.require_table(
    "This page holds a paper's claims against its own printed numbers: whether counts and names "
    "follow from the p-values, for which system they can speak, and whether the scores allow them."
)
inputs = claims_check.read_inputs(checked)
needed = claims_check.missing(checked, inputs)
found = needed or claims_check.report(checked, inputs)
if isinstance(found, str):
    prose.lead("These claims cannot be checked yet.")
    prose.notice(found)
elif found is not None:
    prose.lead(checked.so_far + lead_sentence(found))
claims_table.what_is_checked(checked)
claims_check.show_problems(inputs)
report = None if found is None or isinstance(found, str) else found
if report is not None:
    claims_verdicts.claims(report)
    claims_verdicts.doubtful_rows(report)
    claims_checks.possible_chart(inputs, report)
claims_form.offer(checked)
claims_form.show(checked)
claims_means.show()
if report is not None:
    st.subheader("What else the numbers say", anchor=False)
    claims_checks.show(inputs, report)
    claims_verdicts.what_verdicts_mean()
    claims_away.show(report)
    claims_samples.show_others(checked.lines)
    explanations.signature(report.signature)
