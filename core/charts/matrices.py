"""Matrices: what datasets have in common, and on how many the row is better than the column."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..data.overlap.find import Overlap
from ..systems.counting import CountMatrix
from ..types import FloatArray, IntArray
from ..words.formatting import format_share
from ..words.overlap import pair_notes
from .theme import LIGHT, ChartTheme, add_points, base_layout, blended, escaped, note
from .theme import graph_objects as go

# With more datasets only those that share something are drawn, at most so many.
MOST_DRAWN = 60
# With more, a cell has room for a bare number only, and for none where nothing is shared.
MOST_WITH_SIGNS = 16

# With more systems a cell has no room for its number; hovering tells it.
MOST_WITH_NUMBERS = 30
MOST_NAMED = 60
_CELL, _SMALL_CELL = 26, 13
_HEIGHTS = (260, 1_400)
_OWN, _NOT_COMPARED = "–", "?"
_ANY_DISTANCE = 10_000
# Characters that fit side by side on a narrow screen.
_ROOM_FOR_NAMES = 25


def _matrix(
    values: FloatArray | IntArray,
    names: Sequence[str],
    texts: Sequence[Sequence[str]] | None,
    theme: ChartTheme,
    *,
    height: int,
    **more: object,
) -> go.Figure:
    """Cells from the page's colour to A's, "–" on the diagonal and "?" without a value."""
    n = len(names)
    places = list(range(n))
    values = np.where(np.eye(n, dtype=np.bool_), np.nan, values)
    size = 12 if n <= MOST_WITH_SIGNS else 9 if n <= MOST_WITH_NUMBERS else 7
    scale = [[0.0, theme.page], [1.0, blended(theme.page, theme.a)]]
    figure = go.Figure()
    figure.add_heatmap(z=values.tolist(), x=places, y=places, zmin=0, colorscale=scale, **more)
    if texts is not None:
        font = {"size": size, "color": theme.ink}
        figure.update_traces(text=texts, texttemplate="%{text}", textfont=font)
        # Heatmaps write nothing into cells without a value; these get their sign as a note.
        for i, j in np.argwhere(np.isnan(values)).tolist():
            sign = _OWN if i == j else _NOT_COMPARED
            note(figure, sign, theme.quiet, x=j, y=i, font_size=size)
    base_layout(figure, theme, height=int(np.clip(height, *_HEIGHTS)), plot_bgcolor=theme.grid)
    ticks = [escaped(name, most=20) for name in names]
    axis = {"tickvals": places, "ticktext": ticks, "showgrid": False}
    axis["tickfont_size"] = 13 if n <= MOST_WITH_NUMBERS else 9
    figure.update_xaxes(**axis, tickangle=-90 if n > 6 else 0)
    figure.update_yaxes(**axis, autorange="reversed")
    return figure


def overlap_matrix(overlap: Overlap, *, theme: ChartTheme = LIGHT) -> go.Figure:
    """Draw for each two datasets which share of the smaller one stands in the other."""
    shown = drawn_datasets(overlap)
    n_common = _counts(overlap, shown)
    n_distinct = overlap.n_distinct[shown]
    smaller = np.minimum.outer(n_distinct, n_distinct)
    share = np.where(smaller > 0, n_common / np.maximum(smaller, 1), np.nan)
    own = np.eye(shown.size, dtype=np.bool_)
    texts = [
        ["" if s != s else format_share(s) for s in row]
        for row in np.where(own, np.nan, share).tolist()
    ]
    figure = _matrix(
        share,
        [overlap.datasets[i] for i in shown],
        texts if shown.size <= MOST_WITH_SIGNS else None,
        theme,
        height=150 + _CELL * shown.size,
        zmax=1,
        xgap=1,
        ygap=1,
        hoverongaps=True,
        showscale=False,
        customdata=_hover(overlap, shown, n_common, share),
        hovertemplate="%{customdata}<extra></extra>",
    )
    said = {
        "Examples in common: share of the smaller dataset": True,
        f"{shown.size} of {overlap.n_datasets:,} datasets: those that share the greatest parts": (
            shown.size < overlap.n_datasets
        ),
        f"{_NOT_COMPARED} not compared": not n_distinct.all(),
    }
    title = "<br>".join(text for text, holds in said.items() if holds)
    figure.update_layout(title={"text": title, "font": {"size": 13}, "x": 0})
    return figure


def drawn_datasets(overlap: Overlap) -> IntArray:
    """Positions of the datasets in the chart: all, or those that share the greatest parts."""
    if overlap.n_datasets <= MOST_DRAWN:
        return np.arange(overlap.n_datasets)
    best = np.zeros(overlap.n_datasets)
    np.maximum.at(best, overlap.pairs.first, overlap.shares)
    np.maximum.at(best, overlap.pairs.second, overlap.shares)
    sharing = np.flatnonzero(best)
    order = np.argsort(-best[sharing], kind="stable")
    return np.sort(sharing[order[:MOST_DRAWN]])


def _counts(overlap: Overlap, shown: IntArray) -> IntArray:
    """Numbers of common examples among those that are drawn."""
    place = np.full(overlap.n_datasets, -1)
    place[shown] = np.arange(shown.size)
    first, second = place[overlap.pairs.first], place[overlap.pairs.second]
    both = (first >= 0) & (second >= 0)
    counts = np.diag(overlap.n_distinct[shown])
    counts[first[both], second[both]] = overlap.pairs.n_common[both]
    counts[second[both], first[both]] = overlap.pairs.n_common[both]
    return counts


def _hover(
    overlap: Overlap, shown: IntArray, n_common: IntArray, share: FloatArray
) -> list[list[str]]:
    notes = pair_notes(overlap)
    names = [escaped(overlap.datasets[i]) for i in shown]
    texts = []
    for i, name in enumerate(names):
        line = []
        for j, other in enumerate(names):
            low, high = sorted((int(shown[i]), int(shown[j])))
            common = int(n_common[i, j])
            if i == j:
                n = int(overlap.n_examples[shown[i]])
                own = f"{common:,} different of {n:,} examples"
                line.append(f"{name}<br>{own if common else f'not compared: {n:,} examples'}")
                continue
            words = "not compared" if np.isnan(share[i, j]) else "no example in common"
            if common:
                part = format_share(float(share[i, j]))
                words = f"{common:,} examples in common, {part} of the smaller"
            # Notes hold names of their own, so they are escaped like one.
            note = notes.get((low, high), "")
            more = f"<br>{escaped(note, most=90)}" if note else ""
            line.append(f"{name} and {other}<br>{words}{more}")
        texts.append(line)
    return texts


def pair_matrix(
    counts: CountMatrix, *, most: int | None = None, theme: ChartTheme = LIGHT
) -> go.Figure:
    """Draw k̂ of each ordered pair, of the best systems where only so many are to be drawn.

    A mark in each cell takes clicks; its `customdata` are the text for hovering, and both names.
    """
    order = counts.order[:most]
    m, n = len(order), counts.n_datasets
    k_hat = counts.k_hat[np.ix_(order, order)]
    names = [counts.systems[k] for k in order]
    places, gap, has_numbers = range(m), int(m <= MOST_NAMED), m <= MOST_WITH_NUMBERS
    # Of one dataset a mark or nothing.
    signs = np.array(["", "✓"] if n == 1 else list(map(str, range(n + 1))), dtype=object)[k_hat]
    np.fill_diagonal(signs, "")
    figure = _matrix(
        k_hat,
        names,
        signs.tolist() if has_numbers else None,
        theme,
        height=170 + m * (_CELL if has_numbers else _SMALL_CELL),
        zmax=n,
        xgap=gap,
        ygap=gap,
        # Of one dataset there is better or not, which needs no scale.
        showscale=not has_numbers and n > 1,
        colorbar={
            "title": {"text": "k̂"},
            "tickfont": {"color": theme.ink},
            "tickvals": sorted({0, n // 2, n}),
        },
        hoverinfo="skip",
    )
    # Not seen, in the middles: cells take no clicks. The diagonal's keep its from its neighbours.
    cells = [(i, j) for i in places for j in places]
    add_points(
        figure,
        [j for _, j in cells],
        [i for i, _ in cells],
        mark=("square", 6, "rgba(0,0,0,0)"),
        hover="%{customdata[0]}",
        customdata=[
            [_told(names[i], names[j], int(k_hat[i, j]), n), names[i], names[j]] for i, j in cells
        ],
        showlegend=False,
    )
    # Of middles on a grid the nearest is that of the cell one points at, however far it is.
    figure.update_layout(margin={"t": 24}, hoverdistance=_ANY_DISTANCE)
    # Columns stand in the order of the rows, and narrow ones have no room for names.
    figure.update_xaxes(side="top", showticklabels=has_numbers, range=[-0.5, m - 0.5])
    if sum(map(len, names)) > _ROOM_FOR_NAMES:
        figure.update_xaxes(tickangle=-90)
    figure.update_yaxes(showticklabels=m <= MOST_NAMED, range=[m - 0.5, -0.5], autorange=False)
    return figure


def _told(better: str, than: str, k_hat: int, n: int) -> str:
    if better == than:
        return escaped(better)
    claim = f"{escaped(better)} better than {escaped(than)}"
    if n == 1:
        return f"{claim}: {'shown' if k_hat else 'not shown'}"
    if k_hat == 0:
        return f"{claim}: shown on none of {n:,} datasets"
    return f"{claim}: on at least {k_hat:,} of {n:,} datasets"
