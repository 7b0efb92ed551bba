"""Files without p-values and nothing to make them of: what they say, and what is missing."""

from __future__ import annotations

import streamlit as st

from core.data import EffectTable, ScoreTable
from core.words.verdicts import (
    effect_table_remedy,
    effect_table_sentence,
    score_table_remedy,
    score_table_sentence,
)
from pages.ui.frame import prose, state, tables
from pages.ui.frame.session import Loaded
from pages.ui.intake import role_form

_OTHER_QUESTIONS = "How much better, and on average? See the Effect size page"


def is_such(loaded: Loaded | None) -> bool:
    """Whether what is loaded is of this kind."""
    return loaded is not None and isinstance(loaded.data, ScoreTable | EffectTable)


def explain(data: ScoreTable | EffectTable) -> None:
    """What the numbers say, and why nothing is counted."""
    if isinstance(data, ScoreTable):
        a, b = state.systems()
        prose.lead(score_table_sentence(data, a=a, b=b))
        prose.paragraph(score_table_remedy())
    else:
        prose.lead(effect_table_sentence(data))
        prose.paragraph(effect_table_remedy())
    st.page_link("pages/effect_size.py", label=_OTHER_QUESTIONS)


def answer(loaded: Loaded) -> None:
    """The first page's answer for such a file."""
    data = loaded.data
    assert isinstance(data, ScoreTable | EffectTable)
    n = len(data.datasets)
    what = (
        f"{len(data.systems)} systems, one score each"
        if isinstance(data, ScoreTable)
        else "an effect and its standard error each"
    )
    prose.paragraph(f"{loaded.title}: {n} dataset{'s' if n != 1 else ''}, {what}.", quiet=True)
    explain(data)
    if data.reading is not None and data.reading.remarks:
        st.header("Notes on your data", anchor=False)
        prose.bullets(data.reading.remarks)
    role_form.open_questions(data)
    with st.expander("The data as read", key="box-data"):
        tables.frame(data.to_frame(), aside=True)
    role_form.names(data)
    role_form.how_read(data)
