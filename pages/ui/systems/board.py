"""The leaderboard, and on how many datasets one system must be better for two to be told apart."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.sections.parts import Part, Table
from core.sections.systems import leaderboard_parts
from core.systems.comparisons import PairComparisons
from core.systems.counting import CountMatrix
from core.systems.standings import Standings
from core.words import systems_board as words
from pages.ui.frame import prose, state, tables
from pages.ui.frame.sections import TOOLTIPS
from pages.ui.results import parts
from pages.ui.systems import data
from pages.ui.work.studies import choice

# On the first page as many rows as leave the pair in sight, and of the columns the first.
_LOW, _LATER = 300, ("… on half", "not told apart", "best on", "wins", "ties", "losses")


def show(counts: CountMatrix, pairs: PairComparisons, ranked: Standings) -> None:
    """The table, and on how many datasets one must be better for two to be told apart."""
    st.header("Leaderboard", anchor=False)
    board, note, *downloads = _parts(counts, pairs, ranked, _at_least(counts.n_datasets))
    parts.show([board, note])
    with st.container(horizontal=True):
        parts.show(downloads)


def short(counts: CountMatrix, pairs: PairComparisons, ranked: Standings) -> None:
    """The leaderboard's first columns, the best system first."""
    board = _parts(counts, pairs, ranked, 1)[0]
    assert isinstance(board, Table)
    frame = board.frame.drop(columns=[name for name in _LATER if name in board.frame])
    tables.searched(replace(board, frame=frame), key="systems-short", height=_LOW)


def _parts(
    counts: CountMatrix, pairs: PairComparisons, ranked: Standings, at_least: int
) -> tuple[Part, ...]:
    key = data.key_of(
        "leaderboard", pairs, counts.alpha, counts.combination, counts.family, at_least
    )
    return state.session().results.remember(
        key, lambda: leaderboard_parts(pairs, counts, ranked, at_least=at_least)
    )


def _at_least(n: int) -> int:
    """On how many datasets; 1 where there is one."""
    if n == 1:
        return 1
    return choice(
        "Told apart are two systems where one is better",
        list(range(1, n + 1)),
        key="systems-at-least",
        words=lambda k: f"on at least {k} of {n} datasets" if k < n else f"on all {n} datasets",
    )


def meanings(counts: CountMatrix) -> None:
    """What the columns of the leaderboard say."""
    prose.paragraph(TOOLTIPS["told_apart"])
    if not counts.is_joint:
        prose.paragraph(words.EACH_WAY)
    prose.paragraph(words.RANKS_SAY_NOTHING_OF_CHANCE)
