"""Mean ranks over datasets: a leaderboard of scores, and the critical-difference diagram."""

from __future__ import annotations

from collections.abc import Hashable

import streamlit as st

from core.data import ScoreTable
from core.effects.friedman import Friedman
from core.effects.post_hoc import PostHoc
from core.sections.parts import Signature, Table
from core.sections.systems import compared_ranks, how_ranked_parts, ranks_parts
from core.systems.comparisons import PairComparisons
from core.systems.standings import Standings, standings
from core.words import systems_board as words
from core.words.formatting import display_name
from pages.ui.frame import prose, state, tables
from pages.ui.frame.sections import section
from pages.ui.results import parts
from pages.ui.systems import data as systems_data
from pages.ui.work.studies import choice


def show_scores(data: ScoreTable) -> None:
    """One score per dataset and system: ranks, wins, and tiers of mean ranks."""
    key, ranked, found = _of_scores(data)
    prose.lead(words.scores_lead(ranked, None if found is None else found[1]))
    _ranks(key, ranked)
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
    _, ranked, found = _of_scores(data)
    prose.lead(words.scores_lead(ranked, None if found is None else found[1]))
    _table(ranked, found)
    st.page_link(
        "pages/systems.py", label=f"All {len(data.systems)} systems, and what tells them apart →"
    )


def show_results(pairs: PairComparisons) -> None:
    """Beside the counts: what mean ranks say, which is another question."""
    if len(pairs.datasets) == 1:
        return
    st.header("Mean ranks", anchor=False)
    key, ranked = ("systems-pairs", pairs.signature, pairs.datasets), systems_data.ranked(pairs)
    _ranks(key, ranked)
    found = _compared(key, ranked)
    if found is not None:
        section("How ranks are compared", lambda: _how(ranked, found), key="systems-ranks-how")


def _of_scores(
    data: ScoreTable,
) -> tuple[tuple[Hashable, ...], Standings, tuple[Friedman, PostHoc] | None]:
    left_out = [name for name in state.session().settings.excluded if name in data.datasets]
    table = data.without(left_out) if left_out else data
    key = ("systems-scores", table.datasets)
    ranked = state.kept(key, lambda: standings(table))
    return key, ranked, _compared(key, ranked)


def _compared(key: tuple[Hashable, ...], ranked: Standings) -> tuple[Friedman, PostHoc] | None:
    alpha = state.session().settings.alpha
    return state.kept((*key, "nemenyi", alpha), lambda: compared_ranks(ranked, alpha))


def _ranks(key: tuple[Hashable, ...], ranked: Standings) -> None:
    alpha = state.session().settings.alpha
    parts.show(state.kept((*key, "ranks", alpha), lambda: ranks_parts(ranked, alpha)))


def _how(ranked: Standings, found: tuple[Friedman, PostHoc] | None) -> None:
    if found is None:
        parts.show([Signature(line=ranked.signature)])
    else:
        parts.show(how_ranked_parts(found))


def _table(ranked: Standings, found: tuple[Friedman, PostHoc] | None) -> None:
    marks = None if found is None else words.marks_of_ranks(found[1])
    board = Table(
        frame=words.leaderboard_frame(ranked, rank_marks=marks),
        name="leaderboard",
        of="system",
        meanings=words.column_meanings(len(ranked.datasets)),
    )
    tables.searched(board, key="systems-leaderboard")


def _against(ranked: Standings) -> None:
    order = sorted(range(len(ranked.systems)), key=lambda k: float(ranked.mean_ranks[k]))
    system = choice(
        "System", [ranked.systems[k] for k in order], key="systems-one", words=display_name
    )
    frame = words.against_frame(ranked, system)
    tables.searched(Table(frame=frame, name="systems-against", of="system"), key="systems-against")
