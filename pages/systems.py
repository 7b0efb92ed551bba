"""Many systems: which of them the data tell apart, and how large a gain is usually enough."""

from functools import partial

import streamlit as st

from core.data import ScoreTable
from pages.ui import (
    frame,
    studies,
    systems_board,
    systems_calibration,
    systems_data,
    systems_gains,
    systems_groups,
    systems_lead,
    systems_pair,
    systems_ranks,
    systems_sizes,
)
from pages.ui.sections import section

frame.enter()
data = systems_data.require_many()
if isinstance(data, ScoreTable):
    systems_ranks.show_scores(data)
else:
    pairs = systems_data.current(data)
    if pairs is None:
        systems_lead.promise(data)
    else:
        counts, ranked = systems_lead.show(data, pairs), systems_data.ranked(pairs)
        systems_board.show(counts, pairs, ranked)
        systems_pair.show(data, counts, pairs, ranked)
        systems_ranks.show_results(pairs)
        st.subheader("How large a gain is enough?", anchor=False)
        grouping = systems_groups.choose(pairs.systems)
        section(
            "Gain against confidence: how large a gain is usually enough?",
            partial(systems_gains.show, pairs, grouping),
            key="systems-gains",
        )
        section(
            "How large must a test set be?",
            partial(systems_sizes.show, data, pairs, grouping),
            key="systems-sizes",
        )
        section(
            "Does p < .05 keep its promise?",
            partial(systems_calibration.show, data, pairs),
            key="systems-calibration",
        )
        section("Make more systems", systems_data.explain_synthetic, key="systems-synthetic")
        section("How this was computed", partial(systems_lead.how, pairs), key="systems-how")
studies.report_failures(*systems_data.KINDS)
