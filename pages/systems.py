"""Many systems: which of them the data tell apart, and how large a gain is usually enough."""

from functools import partial

import streamlit as st

from core.data import ScoreTable
from pages.ui.frame import page
from pages.ui.frame.widgets import details
from pages.ui.systems import board, gains
from pages.ui.systems import data as systems_data

page.enter()
data = systems_data.require_many()
if isinstance(data, ScoreTable):
    board.of_scores(data)
else:
    pairs = systems_data.current(data)
    if pairs is None:
        board.promise(data)
    else:
        counts, ranked = board.counted(data, pairs), systems_data.ranked(pairs)
        board.leaderboard(counts, pairs, ranked)
        board.show_pair(data, counts, pairs, ranked)
        board.at_margin(data, counts.family)
        board.mean_ranks(pairs)
        st.header("How large a gain is enough?", anchor=False)
        grouping = gains.choose_groups(pairs.systems)
        details(
            [
                ("Gain against confidence", partial(gains.against_confidence, pairs, grouping)),
                ("Size of the test set", partial(gains.by_size, data, pairs, grouping)),
                ("Does p < .05 keep its promise?", partial(gains.calibration, data, pairs)),
                ("Make more systems", systems_data.explain_synthetic),
            ],
            key="systems-gains",
            label="Gain against confidence; how large a test set must be",
        )
        details(
            [
                *board.pair_details(counts, pairs, ranked),
                ("The columns", partial(board.meanings, counts)),
                board.ranks_details(pairs),
                ("How computed", partial(board.how, pairs)),
            ],
            key="systems",
        )
