"""Many systems: which of them the data tell apart, and how large a gain is usually enough."""

from functools import partial

import streamlit as st

from core.data import ScoreTable
from pages.ui.frame import page
from pages.ui.frame.sections import from_the_papers, section
from pages.ui.systems import at_margin, board, calibration, gains, groups, lead, pair, ranks
from pages.ui.systems import data as systems_data

page.enter()
data = systems_data.require_many()
if isinstance(data, ScoreTable):
    ranks.show_scores(data)
else:
    pairs = systems_data.current(data)
    if pairs is None:
        lead.promise(data)
    else:
        counts, ranked = lead.show(data, pairs), systems_data.ranked(pairs)
        board.show(counts, pairs, ranked)
        pair.show(data, counts, pairs, ranked)
        at_margin.show(data, counts.family)
        ranks.show_results(pairs)
        st.header("How large a gain is enough?", anchor=False)
        grouping = groups.choose(pairs.systems)
        section(
            "Gain against confidence: how large a gain is usually enough?",
            partial(gains.show, pairs, grouping),
            key="systems-gains",
        )
        section(
            "How large must a test set be?",
            partial(gains.by_size, data, pairs, grouping),
            key="systems-sizes",
        )
        section("How this was computed", partial(lead.how, pairs), key="systems-how")
        from_the_papers(
            [
                (
                    "Does p < .05 keep its promise?",
                    partial(calibration.show, data, pairs),
                    "systems-calibration",
                ),
                ("Make more systems", systems_data.explain_synthetic, "systems-synthetic"),
            ],
            key="systems",
        )
