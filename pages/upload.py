"""Load a table and read the answer."""

import streamlit as st

from pages.ui.frame import guards, page, state
from pages.ui.intake import drop, no_p_values, overview, role_form
from pages.ui.results import explanations
from pages.ui.results.analysis import current_analysis

page.enter()
answer, below = st.container(), st.container()
with below:
    if state.session().loaded is not None:
        st.subheader("Load something else", anchor=False)
    intake_place = st.container()
analysis = current_analysis()
with answer:
    loaded = state.session().loaded
    if loaded is None:
        overview.introduction()
    elif no_p_values.is_such(loaded):
        no_p_values.answer(loaded)
        overview.files(loaded.data)
    elif analysis is None:
        guards.explain_tests()
        drop.exclusions(state.all_datasets(), state.session().settings.excluded)
        overview.files(loaded.data)
    else:
        overview.answer(analysis)
        overview.shared_examples(analysis)
        drop.exclusions(state.all_datasets(), analysis.settings.excluded)
        overview.files(analysis.data)
        role_form.how_read(analysis.data)
        explanations.signatures(analysis, analysis.questions[0])
with intake_place:
    drop.show(first=state.session().loaded is None)
