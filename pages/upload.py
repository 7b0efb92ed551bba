"""Load a table and read the answer."""

import streamlit as st

from pages.ui import frame, guards, intake, overview, prose, state

frame.enter()
answer, below = st.container(), st.container()
with below:
    if state.session().loaded is not None:
        st.subheader("Load something else", anchor=False)
    intake_place = st.container()
analysis = state.analysis()
with answer:
    guards.awaited_link()
    if analysis is None:
        overview.introduction()
    else:
        overview.answer(analysis)
        intake.exclusions(state.all_datasets(), analysis.settings.excluded)
        intake.how_read(analysis.table)
    prose.paragraphs(state.session().remarks)
with intake_place:
    intake.show(first=analysis is None)
