"""Mean ranks over datasets: a leaderboard of scores, and the critical-difference diagram."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial

import streamlit as st

from core.charts.critical_difference import MOST_DRAWN, critical_difference_diagram
from core.data import ScoreTable
from core.effects.friedman import Friedman, friedman
from core.effects.post_hoc import PostHoc, nemenyi
from core.effects.score_columns import too_few_datasets
from core.systems.comparisons import PairComparisons
from core.systems.standings import Standings, standings
from core.words import effects_tables as across
from core.words import systems_board as words
from core.words.formatting import display_name
from pages.ui.frame import figures, prose, state, tables
from pages.ui.frame.sections import TOOLTIPS, section
from pages.ui.results import explanations
from pages.ui.systems import board
from pages.ui.systems import data as systems_data
from pages.ui.work.studies import choice


def show_scores(data: ScoreTable) -> None:
    """One score per dataset and system: ranks, wins, and tiers of mean ranks."""
    ranked, found = _of_scores(data)
    prose.lead(words.scores_lead(ranked, None if found is None else found[1]))
    if found is None:
        prose.paragraph(too_few_datasets(len(ranked.datasets)))
    else:
        drawn = found[0].n_systems <= MOST_DRAWN
        if drawn:
            _diagram(*found)
        prose.paragraph(across.friedman_sentence(*found))
        if not drawn:
            _diagram(*found)
    prose.paragraph(words.NEEDS_EXAMPLES, quiet=True)
    prose.paragraphs(systems_data.not_read(data), quiet=True)
    st.header("Leaderboard", anchor=False)
    _table(ranked, found)
    if found is not None:
        prose.paragraph(words.ranks_note(found[1]), quiet=True)
    prose.paragraph(words.RANKS_SAY_NOTHING_OF_CHANCE, quiet=True)
    with st.container(horizontal=True):
        tables.download(
            lambda: words.leaderboard_frame(
                ranked, rank_marks=None if found is None else words.marks_of_ranks(found[1])
            ),
            name="leaderboard",
            what="the leaderboard",
        )
        if found is not None:
            tables.download(found[1].to_frame, name="pairs-of-mean-ranks", what="every pair")
    section("One system against each other one", lambda: _against(ranked), key="systems-against")
    section("How this was computed", lambda: _how(ranked, found), key="systems-how")


def on_first_page(data: ScoreTable) -> None:
    """Who ranks best, and the leaderboard, before any two of the systems."""
    ranked, found = _of_scores(data)
    prose.lead(words.scores_lead(ranked, None if found is None else found[1]))
    _table(ranked, found)
    st.page_link(
        "pages/systems.py", label=f"All {len(data.systems)} systems, and what tells them apart →"
    )


def _of_scores(data: ScoreTable) -> tuple[Standings, tuple[Friedman, PostHoc] | None]:
    left_out = [name for name in state.session().settings.excluded if name in data.datasets]
    table = data.without(left_out) if left_out else data
    key = ("systems-scores", table.datasets)
    ranked = state.kept(key, lambda: standings(table))
    return ranked, _compared(key, ranked)


def _how(ranked: Standings, found: tuple[Friedman, PostHoc] | None) -> None:
    if found is None:
        explanations.signature(ranked.signature)
        return
    prose.paragraph(across.WHAT_THEY_ASK)
    prose.paragraph(across.friedman_details(found[0]))
    explanations.signature(found[1].signature)


def show_results(pairs: PairComparisons) -> None:
    """Beside the counts: what mean ranks say, which is another question."""
    if len(pairs.datasets) == 1:
        return
    st.header("Mean ranks", anchor=False)
    reason = too_few_datasets(len(pairs.datasets))
    if reason:
        prose.paragraph(reason)
        return
    ranked = systems_data.ranked(pairs)
    found = _compared(("systems-pairs", pairs.signature, pairs.datasets), ranked)
    assert found is not None
    prose.paragraph(across.friedman_sentence(*found))
    _diagram(*found)
    prose.paragraph(across.names_of_best(*found))
    section("How ranks are compared", partial(_how, ranked, found), key="systems-ranks-how")


def _compared(key: tuple[Hashable, ...], ranked: Standings) -> tuple[Friedman, PostHoc] | None:
    if too_few_datasets(len(ranked.datasets)):
        return None
    alpha = state.session().settings.alpha

    def compute() -> tuple[Friedman, PostHoc]:
        ranks = friedman(ranked.scores, datasets=ranked.datasets, systems=ranked.systems)
        return ranks, nemenyi(ranks, alpha)

    return state.kept((*key, "nemenyi", alpha), compute)


def _diagram(ranks: Friedman, found: PostHoc) -> None:
    if ranks.n_systems > MOST_DRAWN:
        prose.paragraph(
            f"A diagram of {ranks.n_systems} systems could not be read: the table has them all.",
            quiet=True,
        )
        return
    figures.show(
        partial(critical_difference_diagram, found),
        name="systems-critical-difference",
        alt=f"Mean ranks. {across.friedman_sentence(ranks, found)}",
    )


def _table(ranked: Standings, found: tuple[Friedman, PostHoc] | None) -> None:
    marks = None if found is None else words.marks_of_ranks(found[1])
    frame = words.leaderboard_frame(ranked, rank_marks=marks)
    shown = board.columns(0, len(ranked.datasets))
    shown["not told apart"] = st.column_config.TextColumn(help=TOOLTIPS["told_apart"])
    board.table(frame, key="systems-leaderboard", columns=shown)


def _against(ranked: Standings) -> None:
    order = sorted(range(len(ranked.systems)), key=lambda k: float(ranked.mean_ranks[k]))
    system = choice(
        "System", [ranked.systems[k] for k in order], key="systems-one", words=display_name
    )
    board.table(
        words.against_frame(ranked, system),
        key="systems-against",
        columns={"mean rank": st.column_config.NumberColumn(format="%.2f")},
    )
