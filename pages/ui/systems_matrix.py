"""The matrix of counts, which opens a pair, and the pair that was chosen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from core.charts.pair_matrix import MOST_WITH_NUMBERS, pair_matrix
from core.report import systems_leaderboard as words
from core.report import systems_tables
from core.report.formatting import display_name
from core.systems import CountMatrix, PairComparisons, Standings
from pages.ui import prose, runs, state, theme
from pages.ui.reliability_data import choice
from pages.ui.sections import section

# Marks in the middles of the cells, not seen, take clicks: the cells themselves take none.
# Of middles on a grid the nearest is that of the cell one points at, however far it is.
_MARK = 6
_ANY_DISTANCE = 10_000
# As many can be read and hit on a narrow screen.
_MOST_DRAWN = 12
_TALL = 25
# Characters that stand beside each other on a narrow screen.
_ROOM_FOR_NAMES = 25
_COUNTING = "pages/counting.py"
_CLICKS, _OPENING = "systems-n-clicks", "systems-opening"


def show(counts: CountMatrix, ranked: Standings) -> None:
    """Row better than column on at least k̂ datasets; of many systems, the best ranked."""
    _open_clicked()
    m, n = len(counts.systems), counts.n_datasets
    st.subheader(
        f"Row better than column on at least … of {n} datasets"
        if n > 1
        else "Row better than column",
        anchor=False,
    )
    most = _how_many(m)
    shown = _best(counts, most) if m > most else counts
    if m > most:
        prose.paragraph(
            f"Drawn are the {most} best of {m} systems; all are in the table below and in "
            "the downloads.",
            quiet=True,
        )
    prose.paragraph(
        "The best rank stands first. Click on a cell to open that pair on the Counting page, the row "
        "as A; or choose it below.",
        quiet=True,
    )
    _chart(shown)
    if m > most:
        section(f"All {m} systems as a table", lambda: _whole(counts), key="systems-matrix")
    section(
        "One system against each other one", lambda: _against(counts, ranked), key="systems-against"
    )


def _how_many(m: int) -> int:
    """How many systems are drawn: few at first, since a screen may be narrow."""
    if m <= _MOST_DRAWN:
        return m
    most = min(m, MOST_WITH_NUMBERS)
    return choice(
        "Drawn",
        [_MOST_DRAWN, most],
        key="systems-drawn",
        words=lambda number: f"{'all' if number == m else 'the best'} {number} systems",
    )


def _best(counts: CountMatrix, most: int) -> CountMatrix:
    own = np.argsort(counts.mean_ranks, kind="stable")[:most]
    return replace(
        counts,
        systems=tuple(counts.systems[k] for k in own.tolist()),
        k_hat=counts.k_hat[np.ix_(own, own)],
        k_hat_both_ways=counts.k_hat_both_ways[np.ix_(own, own)],
        mean_ranks=counts.mean_ranks[own],
    )


def _chart(counts: CountMatrix) -> None:
    figure = pair_matrix(counts, theme=theme.current())
    cells = figure.data[0].customdata
    m = len(cells)
    # The diagonal too, or a click on it would open its neighbour.
    places = [(i, j) for i in range(m) for j in range(m)]
    figure.add_scatter(
        x=[j for _, j in places],
        y=[i for i, _ in places],
        mode="markers",
        marker={"symbol": "square", "size": _MARK, "color": "rgba(0,0,0,0)"},
        customdata=[list(cells[i][j]) for i, j in places],
        hovertemplate="%{customdata[0]}<extra></extra>",
        showlegend=False,
    )
    figure.update_traces(hoverinfo="skip", hovertemplate=None, selector={"type": "heatmap"})
    figure.update_layout(hovermode="closest", hoverdistance=_ANY_DISTANCE)
    # The heading says what rows and columns are; titles would lie on long names.
    figure.update_xaxes(range=[-0.5, m - 0.5], title_text="")
    if sum(map(len, counts.systems)) > _ROOM_FOR_NAMES:
        figure.update_xaxes(tickangle=-90)
    figure.update_yaxes(range=[m - 0.5, -0.5], autorange=False, title_text="")
    # A chart that was clicked on keeps that; when the page is come back to, it is another one.
    key = f"chart-pair-matrix-{state.value(_CLICKS, 0)}"
    st.plotly_chart(
        figure,
        key=key,
        theme=None,
        on_select=lambda: _clicked(key),
        selection_mode="points",
        config={
            "toImageButtonOptions": {
                "format": state.session().figure_format,
                "filename": "pair-matrix",
                "scale": 2,
            },
            "displaylogo": False,
            "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d", "zoom2d", "pan2d"],
        },
        alt=f"Matrix of counts. {words.claims_sentence(counts)}",
    )


def _clicked(key: str) -> None:
    event: Any = state.value(key)
    points = event.selection.points if event else []
    if points:
        _, better, than = points[0]["customdata"]
        if better == than:
            return
        runs.choose_systems(str(better), str(than))
        state.widget(_CLICKS, int(state.value(_CLICKS, 0)) + 1)
        state.widget(_OPENING, True)


def _open_clicked() -> None:
    """After a click on a cell, go to the pair: a callback cannot."""
    if state.value(_OPENING, False):
        state.widget(_OPENING, False)
        st.switch_page(_COUNTING)


def _whole(counts: CountMatrix) -> None:
    order = np.argsort(counts.mean_ranks, kind="stable")
    frame = counts.to_matrix_frame().iloc[order]
    headings = [str(counts.systems[k]) for k in order.tolist()]
    frame = frame.iloc[:, [0, *(order + 1).tolist()]]
    own = "row better than"
    while own in headings:
        own += "\u200b"
    frame.columns = [own, *headings]
    st.dataframe(
        frame,
        hide_index=True,
        height=600,
        column_config={own: st.column_config.TextColumn(pinned=True, width="medium")},
    )


def _against(counts: CountMatrix, ranked: Standings) -> None:
    order = np.argsort(counts.mean_ranks, kind="stable").tolist()
    system = choice(
        "System", [counts.systems[k] for k in order], key="systems-one", words=display_name
    )
    frame = systems_tables.against_frame(ranked, system, counts=counts)
    st.dataframe(
        frame,
        hide_index=True,
        height="content" if len(frame) <= _TALL else 600,
        column_config={
            "other system": st.column_config.TextColumn(pinned=True),
            "mean rank": st.column_config.NumberColumn(format="%.2f"),
        },
    )


def columns(half: int, n_datasets: int) -> dict[str, Any]:
    """How the leaderboard's columns look, and what they mean."""
    where = f"on at least one of {n_datasets} datasets" if n_datasets > 1 else "beyond chance"
    counted = " (on ≥ 1 dataset)" if n_datasets > 1 else ""
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    return {
        "system": text(pinned=True),
        "mean rank": number(format="%.2f", help="Over the datasets; 1 is best."),
        "rank": number(format="%.4g"),
        "score, higher is better": number(format="%.4g"),
        f"better than{counted}": number(help=f"How many other systems it is better than {where}."),
        "… on half": number(help=f"Of these, on at least {half} of {n_datasets} datasets."),
        f"worse than{counted}": number(help=f"How many other systems are better than it {where}."),
        "not told apart": number(help="How many systems are not told apart from it."),
        "best on": number(help="Datasets on which no system scores higher."),
        "wins": number(help="Over all other systems and datasets, as the scores stand."),
    }


def downloads(counts: CountMatrix, pairs: PairComparisons, ranked: Standings) -> None:
    """Everything in full, as CSV."""
    with st.container(horizontal=True):
        _download(
            "the leaderboard",
            "leaderboard",
            lambda: systems_tables.leaderboard_frame(ranked, counts=counts, all_letters=True),
        )
        _download("the matrix", "pair-matrix", counts.to_matrix_frame)
        _download("every pair", "pairs", counts.to_frame)
        _download("every p-value", "pair-p-values", pairs.to_frame)


def _download(what: str, name: str, write: Callable[[], pd.DataFrame]) -> None:
    st.download_button(
        f"Download {what} (CSV)",
        data=lambda: write().to_csv(index=False).encode("utf-8"),
        file_name=f"{name}.csv",
        mime="text/csv",
        on_click="ignore",
        key=f"download-{name}",
    )


def one_pair(counts: CountMatrix, pairs: PairComparisons, ranked: Standings) -> None:
    """Two systems to choose, what is known of them, and a way to open them in Counting."""
    st.subheader("One pair", anchor=False)
    order = np.argsort(counts.mean_ranks, kind="stable").tolist()
    names = [counts.systems[k] for k in order]
    with st.container(horizontal=True):
        a = choice("First", names, key="systems-first", words=display_name)
        others = [name for name in names if name != a]
        b = choice("Second", others, key="systems-second", words=display_name)
    prose.paragraph(words.pair_sentence(counts, ranked, a, b))
    section("Its datasets", lambda: _datasets(pairs, a, b), key="systems-pair")
    if st.button(
        "Open this pair in Counting",
        key="systems-open",
        on_click=runs.choose_systems,
        args=(a, b),
    ):
        st.switch_page(_COUNTING)


def _datasets(pairs: PairComparisons, a: str, b: str) -> None:
    frame = systems_tables.pair_frame(pairs, a, b)
    st.dataframe(frame, hide_index=True, height="content" if len(frame) <= _TALL else 600)
