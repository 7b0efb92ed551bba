"""How often does each count over-claim?."""

import streamlit as st

from pages.ui.frame import page
from pages.ui.frame.sections import section
from pages.ui.simulation import examples, form, planning, questions, results, studies

page.enter()
studies.run_linked()
results.lead()
results.picture()
form.show()
results.show()
st.header("Look closer", anchor=False)
section("One study at a time", results.draws, key="lab-draws")
section("Names: which procedure names a wrong dataset", questions.names, key="lab-names")
section(
    "“At least one win” where there is none, by number of datasets",
    questions.over_claims,
    key="lab-over-claims",
)
st.header("Plan a study", anchor=False)
section("How often would a claim be made?", planning.power, key="lab-power")
section("How many datasets does a claim take?", planning.needed, key="lab-needed")
section(
    "How many examples does a claim at a margin take?", examples.show, key="lab-examples-at-margin"
)
