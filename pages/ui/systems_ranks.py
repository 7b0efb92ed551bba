"""Mean ranks over datasets: a leaderboard of scores, and the critical-difference diagram."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import TypeVar

import streamlit as st

from core.charts.critical_difference import MOST_DRAWN, critical_difference_diagram
from core.data import ScoreTable
from core.effects.critical_difference import letters
from core.effects.friedman import Friedman, friedman
from core.effects.post_hoc import PostHoc, nemenyi
from core.effects.score_columns import too_few_datasets
from core.report import across, systems_tables
from core.report import systems_leaderboard as words
from core.report.formatting import display_name
from core.systems import PairComparisons, Standings, standings
from pages.ui import explanations, figures, prose, state, systems_data, systems_matrix
from pages.ui.reliability_data import choice
from pages.ui.sections import section

Result = TypeVar("Result")
_TALL = 25


def show_scores(data: ScoreTable) -> None:
    """One score a dataset and system: ranks, wins, and tiers of mean ranks."""
    left_out = [name for name in state.session().settings.excluded if name in data.datasets]
    table = data.without(left_out) if left_out else data
    key = ("systems-scores", table.datasets)
    ranked = _kept(key, lambda: standings(table))
    found = _compared(key, ranked)
    prose.lead(words.scores_lead(ranked, None if found is None else found[1]))
    prose.paragraph(words.NEEDS_EXAMPLES)
    prose.paragraphs(systems_data.not_read(data), quiet=True)
    if found is not None:
        prose.paragraph(across.friedman_sentence(*found))
        _diagram(*found)
    else:
        prose.paragraph(too_few_datasets(len(ranked.datasets)))
    st.subheader("Leaderboard", anchor=False)
    _table(ranked, found)
    if found is not None:
        prose.paragraph(across.letters_note(found[1]), quiet=True)
    prose.paragraph(words.RANKS_SAY_NOTHING_OF_CHANCE, quiet=True)
    section("One system against each other one", lambda: _against(ranked), key="systems-against")
    if found is not None:
        prose.paragraph(across.WHAT_THEY_ASK, quiet=True)
        prose.paragraph(across.friedman_details(found[0]), quiet=True)
    explanations.signature((ranked if found is None else found[1]).signature)


def show_results(pairs: PairComparisons) -> None:
    """Beside the counts: what mean ranks say, which is another question."""
    if len(pairs.datasets) == 1:
        return
    st.subheader("Mean ranks", anchor=False)
    reason = too_few_datasets(len(pairs.datasets))
    if reason:
        prose.paragraph(reason)
        return
    found = _compared(
        ("systems-pairs", pairs.signature, pairs.datasets), systems_data.ranked(pairs)
    )
    assert found is not None
    prose.paragraph(across.friedman_sentence(*found))
    prose.paragraph(across.names_of_best(*found))
    _diagram(*found)
    prose.paragraph(across.WHAT_THEY_ASK, quiet=True)
    explanations.signature(found[1].signature)


def _compared(key: tuple[Hashable, ...], ranked: Standings) -> tuple[Friedman, PostHoc] | None:
    if too_few_datasets(len(ranked.datasets)):
        return None
    alpha = state.session().settings.alpha

    def compute() -> tuple[Friedman, PostHoc]:
        ranks = friedman(ranked.scores, datasets=ranked.datasets, systems=ranked.systems)
        return ranks, nemenyi(ranks, alpha)

    return _kept((*key, "nemenyi", alpha), compute)


def _kept(key: tuple[Hashable, ...], compute: Callable[[], Result]) -> Result:
    return state.session().results.remember((state.session().n_loaded, *key), compute)


def _diagram(ranks: Friedman, found: PostHoc) -> None:
    if ranks.n_systems > MOST_DRAWN:
        prose.paragraph(
            f"A diagram of {ranks.n_systems} systems could not be read: the table has them all.",
            quiet=True,
        )
        return
    figures.show(
        lambda theme: critical_difference_diagram(found, theme=theme),
        name="systems-critical-difference",
        alt=f"Mean ranks. {across.friedman_sentence(ranks, found)}",
    )


def _table(ranked: Standings, found: tuple[Friedman, PostHoc] | None) -> None:
    marks = None if found is None else _marks(found[1])
    frame = systems_tables.leaderboard_frame(ranked, rank_marks=marks)
    st.dataframe(
        frame,
        hide_index=True,
        height="content" if len(frame) <= _TALL else 600,
        column_config=systems_matrix.columns(0, len(ranked.datasets)),
    )
    st.download_button(
        "Download the leaderboard (CSV)",
        data=lambda: frame.to_csv(index=False).encode("utf-8"),
        file_name="leaderboard.csv",
        mime="text/csv",
        on_click="ignore",
        key="download-leaderboard",
    )


def _marks(found: PostHoc) -> tuple[str, dict[str, str]]:
    """Letters of systems that mean ranks do not tell apart; of too many, how many they are."""
    groups = found.lettered
    if groups is None:
        numbers = [str(number) for number in found.n_not_separated]
        return "not told apart", dict(zip(found.systems, numbers, strict=True))
    marks = letters(groups, len(found.systems))
    return "letters", dict(zip(found.systems, marks, strict=True))


def _against(ranked: Standings) -> None:
    order = sorted(range(len(ranked.systems)), key=lambda k: float(ranked.mean_ranks[k]))
    system = choice(
        "System", [ranked.systems[k] for k in order], key="systems-one", words=display_name
    )
    frame = systems_tables.against_frame(ranked, system)
    st.dataframe(
        frame,
        hide_index=True,
        height="content" if len(frame) <= _TALL else 600,
        column_config={
            "other system": st.column_config.TextColumn(pinned=True),
            "mean rank": st.column_config.NumberColumn(format="%.2f"),
        },
    )
