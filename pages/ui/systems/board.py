"""The leaderboard: a row for each system, the letters of those not told apart, and downloads."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from core.report import systems_leaderboard as words
from core.report import systems_tables, systems_tiers
from core.systems import CountMatrix, PairComparisons, Standings
from pages.ui.frame import downloads, prose, state
from pages.ui.frame.glossary import TOOLTIPS
from pages.ui.frame.sections import section
from pages.ui.systems import data, table
from pages.ui.work.studies import choice


def show(counts: CountMatrix, pairs: PairComparisons, ranked: Standings) -> None:
    """The table, and on how many datasets one must be better for two to be told apart."""
    st.subheader("Leaderboard", anchor=False)
    at_least = _at_least(counts.n_datasets)
    frame: pd.DataFrame = state.session().results.remember(
        data.key_of(
            "leaderboard", pairs, counts.alpha, counts.combination, counts.family, at_least
        ),
        lambda: systems_tables.leaderboard_frame(ranked, counts=counts, at_least=at_least),
    )
    table.show(
        frame,
        key="systems-leaderboard",
        columns=columns(words.half_of(counts.n_datasets), counts.n_datasets, at_least),
    )
    prose.paragraph(systems_tiers.counts_note(counts, at_least=at_least), quiet=True)
    with st.container(horizontal=True):
        downloads.table(
            lambda: systems_tables.leaderboard_frame(
                ranked, counts=counts, all_letters=True, at_least=at_least
            ),
            name="leaderboard",
            what="the leaderboard",
        )
        downloads.table(counts.to_matrix_frame, name="pair-matrix", what="the matrix")
        downloads.table(counts.to_frame, name="pairs", what="every pair")
        downloads.table(pairs.to_frame, name="pair-p-values", what="every p-value")
    section("What the columns say", lambda: _meanings(counts), key="systems-columns")


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


def _meanings(counts: CountMatrix) -> None:
    prose.paragraph(TOOLTIPS["told_apart"])
    if counts.family == "pair":
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
