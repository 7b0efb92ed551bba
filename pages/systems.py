"""Many systems: which of them the data tell apart, and how large a gain is usually enough."""

from functools import partial

import streamlit as st

from core.data import ScoreTable
from pages.ui.frame import page
from pages.ui.frame.sections import details, from_the_papers
from pages.ui.systems import at_margin, board, calibration, gains, groups, lead, matrix, pair, ranks
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
        details(
            [
                ("Gain against confidence", partial(gains.show, pairs, grouping)),
                ("Size of the test set", partial(gains.by_size, data, pairs, grouping)),
            ],
            key="systems-gains",
            label="Gain against confidence; how large a test set must be",
        )
        details(
            [
                *matrix.tables(counts, ranked),
                ("The columns", partial(board.meanings, counts)),
                ("How computed", partial(lead.how, pairs)),
            ],
            key="systems",
        )
        from_the_papers(
            [
                ("Does p < .05 keep its promise?", partial(calibration.show, data, pairs)),
                ("Make more systems", systems_data.explain_synthetic),
            ],
            key="systems",
        )
