"""Many systems: which of them differ significantly, and how large a gain is usually enough."""

from functools import partial

import streamlit as st

from core.data import ScoreTable
from pages.ui.frame import page
from pages.ui.frame.widgets import details
from pages.ui.systems import board, comparison

page.enter()
data = comparison.require_many()
if isinstance(data, ScoreTable):
    board.of_scores(data)
else:
    pairs = comparison.current(data)
    if pairs is None:
        board.promise(data)
    else:
        counts, ranked = board.counted(data, pairs), comparison.ranked(pairs)
        board.leaderboard(counts, pairs, ranked)
        board.show_pair(data, counts, pairs, ranked)
        board.at_margin(data, counts.family)
        board.mean_ranks(pairs)
        st.header("How large a gain is enough?", anchor=False)
        grouping = comparison.choose_groups(pairs.systems)
        details(
            [
                (
                    "Gain against confidence",
                    partial(comparison.against_confidence, pairs, grouping),
                ),
                ("Size of the test set", partial(comparison.by_size, data, pairs, grouping)),
                ("Does p < .05 keep its promise?", partial(comparison.calibration, data, pairs)),
                ("Make more systems", comparison.explain_synthetic),
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
