"""Tables of many systems, with a search and a first column that stays; the leaderboard first of all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from core.systems.comparisons import PairComparisons
from core.systems.counting import CountMatrix
from core.systems.standings import Standings
from core.words import systems_board as words
from pages.ui.frame import prose, state, tables
from pages.ui.frame.sections import TOOLTIPS
from pages.ui.systems import data
from pages.ui.work.studies import choice

# Longer ones are scrolled, and have a search.
TALL = 25
# On the first page as many rows as leave the pair in sight, and of the columns the first.
_SHORT, _LATER = 8, ("… on half", "not told apart", "best on", "wins")
_CHARACTER, _MARGIN, _WIDTHS = 7, 28, (70, 220)


def table(
    frame: pd.DataFrame,
    *,
    key: str,
    of: str = "system",
    columns: Mapping[str, Any] | None = None,
) -> None:
    """A table whose first column stays in sight; a long one is searched by it.

    Parameters
    ----------
    frame : DataFrame
        A row for each.
    key : str
        Of the search.
    of : str
        What the first column names: "system".
    columns : mapping of str to column configuration, optional
        Of some columns.
    """
    first = str(frame.columns[0])
    shown = _found(frame, first, key=key, of=of) if len(frame) > TALL else frame
    if shown.empty:
        prose.paragraph(f"No {of} has these words in its name.")
        return
    longest = max(len(str(name)) for name in frame[first])
    # Wide enough for its names, narrow enough to leave room for another column beside it.
    width = int(np.clip(_CHARACTER * longest + _MARGIN, *_WIDTHS))
    st.dataframe(
        shown,
        hide_index=True,
        placeholder="–",
        height="content" if len(shown) <= TALL else 600,
        column_config={
            first: st.column_config.TextColumn(pinned=True, width=width),
            **(columns or {}),
        },
    )
    tables.sideways(shown)


def _found(frame: pd.DataFrame, first: str, *, key: str, of: str) -> pd.DataFrame:
    """Rows whose first column has every word asked for."""
    st.text_input(
        f"Find a {of}",
        key=f"{key}-find",
        type="search",
        placeholder="words of its name",
        persist_state="session",
        width=300,
    )
    words = str(state.value(f"{key}-find", "") or "").casefold().split()
    names = [str(name).casefold() for name in frame[first]]
    shown = frame[[all(word in name for word in words) for name in names]]
    number = f"{len(shown):,} of {len(frame):,}" if words else f"{len(frame):,}"
    prose.paragraph(f"{number} {of}s. A click on a heading sorts by it.", quiet=True)
    return shown


def show(counts: CountMatrix, pairs: PairComparisons, ranked: Standings) -> None:
    """The table, and on how many datasets one must be better for two to be told apart."""
    st.header("Leaderboard", anchor=False)
    at_least = _at_least(counts.n_datasets)
    frame: pd.DataFrame = state.session().results.remember(
        data.key_of(
            "leaderboard", pairs, counts.alpha, counts.combination, counts.family, at_least
        ),
        lambda: words.leaderboard_frame(ranked, counts=counts, at_least=at_least),
    )
    table(
        frame,
        key="systems-leaderboard",
        columns=columns(words.half_of(counts.n_datasets), counts.n_datasets, at_least),
    )
    prose.paragraph(words.counts_note(counts, at_least=at_least), quiet=True)
    with st.container(horizontal=True):
        tables.download(
            lambda: words.leaderboard_frame(
                ranked, counts=counts, all_letters=True, at_least=at_least
            ),
            name="leaderboard",
            what="the leaderboard",
        )
        tables.download(counts.to_matrix_frame, name="pair-matrix", what="the matrix")
        tables.download(counts.to_frame, name="pairs", what="every pair")
        tables.download(pairs.to_frame, name="pair-p-values", what="every p-value")


def short(counts: CountMatrix, pairs: PairComparisons, ranked: Standings) -> None:
    """The leaderboard's first columns, the best system first."""
    frame: pd.DataFrame = state.session().results.remember(
        data.key_of("leaderboard", pairs, counts.alpha, counts.combination, counts.family, 1),
        lambda: words.leaderboard_frame(ranked, counts=counts, at_least=1),
    )
    known = columns(words.half_of(counts.n_datasets), counts.n_datasets)
    shown = [name for name in frame.columns if name not in _LATER]
    st.dataframe(
        frame[shown],
        hide_index=True,
        placeholder="–",
        height="content" if len(frame) <= _SHORT else 300,
        column_config={name: known[name] for name in shown if name in known},
    )
    tables.sideways(frame[shown])


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


def columns(half: int, n_datasets: int, at_least: int = 1) -> dict[str, Any]:
    """How the leaderboard's columns look, and what they mean."""
    where = f"on at least one of {n_datasets} datasets" if n_datasets > 1 else "beyond chance"
    counted = " (on ≥ 1 dataset)" if n_datasets > 1 else ""
    apart = f" on at least {at_least} of {n_datasets} datasets" if at_least > 1 else ""
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    return {
        "letters": text(help=TOOLTIPS["tier"]),
        "mean rank": number(format="%.2f", help="Over the datasets; 1 is best."),
        "rank": number(format="%.4g"),
        "score, higher is better": number(format="%.4g"),
        f"better than{counted}": number(help=f"How many other systems it is better than {where}."),
        "… on half": number(help=f"Of these, on at least {half} of {n_datasets} datasets."),
        f"worse than{counted}": number(help=f"How many other systems are better than it {where}."),
        "not told apart": number(
            help=f"How many systems are not told apart from it{apart}. {TOOLTIPS['told_apart']}"
        ),
        "best on": number(help="Datasets on which no system scores higher."),
        "wins": number(help="Over all other systems and datasets, as the scores stand."),
    }
