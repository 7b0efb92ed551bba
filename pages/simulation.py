"""What each count does when the truth is known."""

import streamlit as st

from pages.ui import (
    frame,
    simulation_draws,
    simulation_form,
    simulation_planning,
    simulation_questions,
    simulation_results,
    simulation_runs,
    simulation_studies,
)
from pages.ui.sections import section

frame.enter()
simulation_studies.run_linked()
simulation_results.lead()
simulation_results.picture()
simulation_form.show()
simulation_results.show()
st.header("Look closer", anchor=False)
section("One study at a time", simulation_draws.show, key="lab-draws")
section("Names: which procedure names a wrong dataset", simulation_questions.names, key="lab-names")
section(
    "“At least one win” where there is none, by number of datasets",
    simulation_questions.over_claims,
    key="lab-over-claims",
)
st.header("Plan a study", anchor=False)
section("How often would a claim be made?", simulation_planning.power, key="lab-power")
section("How many datasets does a claim take?", simulation_planning.needed, key="lab-needed")
simulation_runs.report_failures("studies", "names", "over-claims", "power", "needed")
