"""One pair of many systems: chosen by name or by a click in the matrix of counts, told, and opened on the Counting page."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import streamlit as st

from core.charts.matrices import MOST_NAMED, MOST_WITH_NUMBERS, pair_matrix
from core.charts.theme import ChartTheme
from core.comparison import BETTER
from core.data import ResultSet
from core.errors import DataError
from core.sections import systems as sections
from core.significance.known_tests import is_bootstrap, significance_test_named
from core.significance.plan import planned_tests
from core.systems.comparisons import PairComparisons, Standings
from core.systems.counting import CountMatrix
from core.words.formatting import display_name
from pages.ui.frame import figures, prose, state, tables
from pages.ui.frame.widgets import Part, choice
from pages.ui.systems import data as systems_data
from pages.ui.work import runs

if TYPE_CHECKING:
    import plotly.graph_objects as go

_COUNTING = "pages/counting.py"
# What Counting is to say of a pair that is on its way there.
_SAID = "systems-pair-said"
# Marks in the middles of the cells, not seen, take clicks: the cells themselves take none.
# Of middles on a grid the nearest is that of the cell one points at, however far it is.
_MARK = 6
_ANY_DISTANCE = 10_000
_FEW = 12
# Where cells do not fit beside each other the picture is scrolled.
_NARROWEST_NUMBER, _NARROWEST_COLOUR, _ROOM_FOR_ROWS = 22, 4, 110
# Characters that fit side by side on a narrow screen.
_ROOM_FOR_NAMES = 25
_CLICKS, _OPENING = "systems-n-clicks", "systems-opening"


def open_pair(data: ResultSet, pairs: PairComparisons, a: str, b: str) -> None:
    """Let Counting compare two systems by the test of this page, and what that test depends on."""
    asked, before = systems_data.compared_with(), state.session().settings
    # This page asks which of two is better.
    wanted: dict[str, Any] = {"claim": BETTER, "margin": 0.0}
    wanted["test"] = _test(data, pairs, a, b, asked=asked["test"], metric=state.metric())
    bootstrap = any(is_bootstrap(name) for name in pairs.tests)
    # The default's randomization is exact: it has no use for them.
    if bootstrap or any(drawn is not None for drawn in pairs.n_resamples):
        wanted |= {"n_resamples": asked["resamples"], "seed": asked["seed"]}
    if bootstrap:
        wanted["estimator"] = "add-one"
    if any("zeros" in significance_test_named(name).settings for name in pairs.tests):
        wanted["zeros"] = "wilcox"
    if data.clusters is not None:
        wanted["whole_clusters"] = True
    changed = {name: value for name, value in wanted.items() if getattr(before, name) != value}
    if changed:
        state.choose(**changed)
        state.widget(_SAID, sections.taken_over_sentence(changed))
    runs.choose_systems(a, b)


def _to_counting() -> None:
    """To the Counting page, which then says what was taken over: this page's notices have been."""
    said = state.value(_SAID, "")
    if said:
        state.widget(_SAID, "")
        state.remark(said)
    st.switch_page(_COUNTING)


def _test(
    data: ResultSet, pairs: PairComparisons, a: str, b: str, *, asked: str, metric: str
) -> str:
    """The test to ask for, so that the pair gets the tests that all pairs had, where there is one.

    The recommended test looks at all systems there, and at two of them in Counting.
    """
    used = dict(zip(pairs.datasets, pairs.tests, strict=True))
    if asked != "auto" or len(set(pairs.tests)) > 1:
        return asked
    try:
        planned = planned_tests(data, a=a, b=b, test="auto", metric=metric)
    except DataError:
        return pairs.tests[0]
    is_same = all(name in planned and planned[name].test == test for name, test in used.items())
    return asked if is_same else pairs.tests[0]


def show_pair(
    data: ResultSet, counts: CountMatrix, pairs: PairComparisons, ranked: Standings
) -> None:
    """Two systems to choose, what is known of them, and a way to open them in Counting."""
    st.header("One pair", anchor=False)
    order = counts.order
    names = [counts.systems[k] for k in order]
    with st.container(horizontal=True):
        a = choice("First", names, key=state.of_file("systems-first"), words=display_name)
        others = [name for name in names if name != a]
        b = choice("Second", others, key=state.of_file("systems-second"), words=display_name)
    prose.paragraph(sections.pair_sentence(counts, ranked, a, b))
    if st.button(
        "Open this pair in Counting",
        key="systems-open",
        on_click=open_pair,
        args=(data, pairs, a, b),
    ):
        _to_counting()
    prose.paragraph(
        "Counting tests and counts this pair by itself. Exact p-values of the same test are the same there; "
        "those drawn at random may differ a little. The count may be larger than one of all claims together.",
        quiet=True,
    )


def _datasets(pairs: PairComparisons, a: str, b: str) -> None:
    prose.paragraph(f"{display_name(a)} and {display_name(b)}, the pair chosen above.", quiet=True)
    frame = sections.pair_frame(pairs, a, b)
    tables.pinned(frame)
    tables.download(lambda: frame, name="pair-datasets", what="this pair's datasets")


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
        key=state.of_file("systems-drawn"),
        words=lambda number: f"{'all' if number == m else 'the best'} {number} systems",
    )


def show_matrix(data: ResultSet, counts: CountMatrix, pairs: PairComparisons, most: int) -> None:
    """Row better than column on at least k̂ datasets; of many systems, the best ranked."""
    m = len(counts.systems)
    shown = state.computed(_best, counts, most) if m > most else counts
    cell = _NARROWEST_NUMBER if most <= MOST_WITH_NUMBERS else _NARROWEST_COLOUR
    with figures.wide("pair-matrix", _ROOM_FOR_ROWS + cell * most):
        _chart(data, shown, pairs)
    drawn = "" if m <= most else f"Drawn are the {most} best of {m} systems. "
    order = " Columns stand in the order of the rows." if most > MOST_WITH_NUMBERS else ""
    colour = " In a coloured cell the row is better." if counts.n_datasets == 1 else ""
    prose.paragraph(
        f"{drawn}The best rank stands first.{order}{colour} A click on a cell opens that pair on the Counting "
        "page, the row as A.",
        quiet=True,
    )


def details(
    counts: CountMatrix, pairs: PairComparisons, ranked: Standings
) -> list[Part | Literal[False]]:
    """The pair's datasets; the matrix as a table of many systems; one against each other one."""
    a, b = (state.value(state.of_file(f"systems-{one}")) for one in ("first", "second"))
    return [
        ("The pair by dataset", partial(_datasets, pairs, a, b)),
        len(counts.systems) > _FEW
        and ("All systems", lambda: tables.pinned(sections.matrix_frame(counts))),
        ("One against the others", partial(against, ranked, counts=counts)),
    ]


def open_clicked() -> None:
    """After a click on a cell, go to the pair: a callback cannot."""
    if state.value(_OPENING, False):
        state.widget(_OPENING, False)
        _to_counting()


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
    # A chart that was clicked on keeps that; when the page is come back to, it is another one.
    key = f"chart-pair-matrix-{state.value(_CLICKS, 0)}"
    figures.show(
        partial(_figure, counts),
        name="pair-matrix",
        alt=f"Matrix of counts. {sections.claims_sentence(counts)}",
        without=("zoom2d", "pan2d"),
        key=key,
        on_select=lambda: _clicked(key, data, pairs),
        selection_mode="points",
    )


def _figure(counts: CountMatrix, *, theme: ChartTheme) -> go.Figure:
    """The matrix with a mark to click on in each cell."""
    figure = pair_matrix(counts, theme=theme)
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
        open_pair(data, pairs, str(better), str(than))
        state.widget(_CLICKS, int(state.value(_CLICKS, 0)) + 1)
        state.widget(_OPENING, True)


def against(ranked: Standings, *, counts: CountMatrix | None = None) -> None:
    """One system, to be chosen, against each other one."""
    order = np.argsort(ranked.mean_ranks, kind="stable").tolist()
    system = choice(
        "System",
        [ranked.systems[k] for k in order],
        key=state.of_file("systems-one"),
        words=display_name,
    )
    tables.pinned(sections.against_frame(ranked, system, counts=counts))
