"""The matrix of counts as a picture, a click on which opens a pair, and as tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st

from core.charts.matrices import MOST_NAMED, MOST_WITH_NUMBERS, pair_matrix
from core.charts.theme import ChartTheme
from core.data import ResultSet
from core.sections.parts import Table
from core.systems.comparisons import PairComparisons
from core.systems.counting import CountMatrix
from core.systems.standings import Standings
from core.words import systems_board as words
from core.words.formatting import display_name
from pages.ui.frame import figures, prose, state
from pages.ui.frame import tables as frames
from pages.ui.systems import pair
from pages.ui.work.studies import choice

if TYPE_CHECKING:
    import plotly.graph_objects as go

# Marks in the middles of the cells, not seen, take clicks: the cells themselves take none.
# Of middles on a grid the nearest is that of the cell one points at, however far it is.
_MARK = 6
_ANY_DISTANCE = 10_000
_FEW = 12
# Where cells do not fit beside each other the picture is scrolled.
_NARROWEST_NUMBER, _NARROWEST_COLOUR, _ROOM_FOR_ROWS = 22, 4, 110
# Characters that stand beside each other on a narrow screen.
_ROOM_FOR_NAMES = 25
_CLICKS, _OPENING = "systems-n-clicks", "systems-opening"


def how_many(m: int) -> int:
    """How many systems are drawn, the best first; asks where they are many."""
    offered = sorted({number for number in (_FEW, MOST_WITH_NUMBERS, MOST_NAMED) if number < m})
    if m <= MOST_NAMED:
        offered.append(m)
    if len(offered) == 1:
        return offered[0]
    return choice(
        "Drawn",
        offered[::-1],
        key="systems-drawn",
        words=lambda number: f"{'all' if number == m else 'the best'} {number} systems",
    )


def show(data: ResultSet, counts: CountMatrix, pairs: PairComparisons, most: int) -> None:
    """Row better than column on at least k̂ datasets; of many systems, the best ranked."""
    m = len(counts.systems)
    shown = _best(counts, most) if m > most else counts
    cell = _NARROWEST_NUMBER if most <= MOST_WITH_NUMBERS else _NARROWEST_COLOUR
    st.html(
        "<style>.st-key-wide-pair-matrix{overflow-x:auto}"
        f".st-key-wide-pair-matrix>*{{min-width:{_ROOM_FOR_ROWS + cell * most}px}}</style>"
    )
    with st.container(key="wide-pair-matrix"):
        _chart(data, shown, pairs)
    drawn = "" if m <= most else f"Drawn are the {most} best of {m} systems. "
    order = " Columns stand in the order of the rows." if most > MOST_WITH_NUMBERS else ""
    colour = " In a coloured cell the row is better." if counts.n_datasets == 1 else ""
    prose.paragraph(
        f"{drawn}The best rank stands first.{order}{colour} A click on a cell opens that pair on the Counting "
        "page, the row as A.",
        quiet=True,
    )


def tables(counts: CountMatrix, ranked: Standings) -> list[tuple[str, Callable[[], None]]]:
    """The same as tables: all systems where they are many, and one against each other one."""
    found: list[tuple[str, Callable[[], None]]] = []
    if len(counts.systems) > _FEW:
        found.append(("All systems", partial(_whole, counts)))
    return [*found, ("One against the others", partial(_against, counts, ranked))]


def open_clicked() -> None:
    """After a click on a cell, go to the pair: a callback cannot."""
    if state.value(_OPENING, False):
        state.widget(_OPENING, False)
        pair.go()


def _best(counts: CountMatrix, most: int) -> CountMatrix:
    own = np.argsort(counts.mean_ranks, kind="stable")[:most]
    return replace(
        counts,
        systems=tuple(counts.systems[k] for k in own.tolist()),
        k_hat=counts.k_hat[np.ix_(own, own)],
        k_hat_both_ways=counts.k_hat_both_ways[np.ix_(own, own)],
        mean_ranks=counts.mean_ranks[own],
    )


def _chart(data: ResultSet, counts: CountMatrix, pairs: PairComparisons) -> None:
    colours = figures.theme()
    figure = state.session().latest.result(
        "chart-pair-matrix",
        made_of=(counts, colours),
        compute=lambda: _figure(counts, colours),
    )
    # A chart that was clicked on keeps that; when the page is come back to, it is another one.
    key = f"chart-pair-matrix-{state.value(_CLICKS, 0)}"
    st.plotly_chart(
        figure,
        key=key,
        theme=None,
        on_select=lambda: _clicked(key, data, pairs),
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


def _figure(counts: CountMatrix, colours: ChartTheme) -> go.Figure:
    """The matrix with a mark to click on in each cell."""
    figure = pair_matrix(counts, theme=colours)
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
    figure.update_traces(
        customdata=None, hoverinfo="skip", hovertemplate=None, selector={"type": "heatmap"}
    )
    figure.update_layout(hovermode="closest", hoverdistance=_ANY_DISTANCE)
    # The heading says what rows and columns are; titles would lie on long names.
    figure.update_xaxes(range=[-0.5, m - 0.5], title_text="")
    if sum(map(len, counts.systems)) > _ROOM_FOR_NAMES:
        figure.update_xaxes(tickangle=-90)
    figure.update_yaxes(range=[m - 0.5, -0.5], autorange=False, title_text="")
    return figure


def _clicked(key: str, data: ResultSet, pairs: PairComparisons) -> None:
    event: Any = state.value(key)
    points = event.selection.points if event else []
    if points:
        _, better, than = points[0]["customdata"]
        if better == than:
            return
        pair.open_pair(data, pairs, str(better), str(than))
        state.widget(_CLICKS, int(state.value(_CLICKS, 0)) + 1)
        state.widget(_OPENING, True)


def _whole(counts: CountMatrix) -> None:
    order = np.argsort(counts.mean_ranks, kind="stable")
    frame = counts.to_matrix_frame().iloc[order]
    headings = [str(counts.systems[k]) for k in order.tolist()]
    frame = frame.iloc[:, [0, *(order + 1).tolist()]]
    own = "row better than"
    while own in headings:
        own += "\u200b"
    frame.columns = [own, *headings]
    frames.searched(Table(frame=frame, name="systems-matrix", of="system"), key="systems-matrix")


def _against(counts: CountMatrix, ranked: Standings) -> None:
    order = np.argsort(counts.mean_ranks, kind="stable").tolist()
    system = choice(
        "System", [counts.systems[k] for k in order], key="systems-one", words=display_name
    )
    frame = words.against_frame(ranked, system, counts=counts)
    frames.searched(Table(frame=frame, name="systems-against", of="system"), key="systems-against")
