"""Load a table and read the answer."""

from functools import partial

import streamlit as st

from core.data import EffectTable, ResultSet, ScoreTable
from pages.ui.frame import guards, page, prose, state
from pages.ui.intake import drop, overview
from pages.ui.results.analysis import current_analysis
from pages.ui.systems import board

page.enter()
# What is opened or typed below keeps its place however long the answer is.
answer, read, below = st.container(), st.container(), st.container()
with below:
    if state.session().loaded is None:
        intake_place = st.container()
    else:
        intake_place = st.expander("Load something else", key="box-load")
analysis = current_analysis()
with answer:
    loaded = state.session().loaded
    if loaded is None:
        prose.paragraph(
            "Two systems, many datasets: a paper says A beats B on most of them. Counting the "
            "p-values below .05 over-claims; this counts with a guarantee, and names the datasets."
        )
    elif isinstance(loaded.data, ScoreTable | EffectTable):
        if isinstance(loaded.data, ScoreTable) and len(loaded.data.systems) > 2:
            board.ranked_on_first_page(loaded.data)
        guards.answer_without_p_values(loaded)
        overview.files(loaded.data)
    elif analysis is None:
        guards.explain_tests()
        drop.exclusions()
        overview.files(loaded.data)
    else:
        if isinstance(loaded.data, ResultSet) and len(loaded.data.systems) > 2:
            board.counted_on_first_page(loaded.data, partial(overview.answer, analysis))
        else:
            overview.answer(analysis)
        with read:
            overview.what_was_read(analysis)
with intake_place:
    drop.show(first=state.session().loaded is None)
