"""How much better on average, and how far datasets differ."""

import streamlit as st

from pages.ui import (
    effects_across,
    effects_data,
    effects_show,
    explanations,
    frame,
    guards,
    studies,
)

frame.enter()
data = guards.require_scores(
    "This page says how much better one system is: the effect on each dataset with its interval, "
    "what the effects come to together, how far they differ between datasets, and what the "
    "classic tests over datasets say."
)
asked = effects_data.asked(data)
effects = effects_data.current(data, asked)
if effects is not None and effects.n_datasets:
    combined = effects_data.combined(effects)
    effects_show.lead(combined)
    effects_show.plot(combined)
    effects_show.details(combined)
elif effects is not None:
    effects_data.explain_none(effects)
with st.expander("Another effect, or another variance", expanded=effects is None):
    effects_data.form(data)
effects_across.show(data)
if effects is not None:
    explanations.signature(effects.signature)
studies.report_failures("effects", "prediction")
