"""The matrix of counts: on at least how many datasets is the row better than the column?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.charts.theme import LIGHT, ChartTheme, base_layout, escaped, halfway

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from core.systems.counting import CountMatrix

# With more systems a cell has no room for its number; hovering tells it.
MOST_WITH_NUMBERS = 30
MOST_NAMED = 60
_CELL, _SMALL_CELL = 26, 13
_HEIGHTS = (260, 1_400)
_OWN = "–"


def pair_matrix(counts: CountMatrix, *, theme: ChartTheme = LIGHT) -> go.Figure:
    """Draw k̂ of each ordered pair, systems in the order of their mean ranks.

    Each cell's `customdata` is (text for hovering, row's system, column's system),
    the names as they are, so that a click can open the pair.

    Parameters
    ----------
    counts : CountMatrix
        Of two or more systems.
    theme : ChartTheme
        `LIGHT` or `DARK`.
    """
    import plotly.graph_objects as go

    order = np.argsort(counts.mean_ranks, kind="stable")
    m, n = order.size, counts.n_datasets
    k_hat = counts.k_hat[np.ix_(order, order)]
    names = [counts.systems[k] for k in order.tolist()]
    ticks = [escaped(name, most=20) for name in names]
    shown = [escaped(name) for name in names]
    own = np.eye(m, dtype=np.bool_)
    places = list(range(m))
    figure = go.Figure(
        go.Heatmap(
            z=np.where(own, np.nan, k_hat).tolist(),
            x=places,
            y=places,
            zmin=0,
            zmax=n,
            colorscale=[[0.0, theme.page], [1.0, halfway(theme.page, theme.a)]],
            xgap=1 if m <= MOST_NAMED else 0,
            ygap=1 if m <= MOST_NAMED else 0,
            # Of one dataset there is better or not, which needs no scale.
            showscale=m > MOST_WITH_NUMBERS and n > 1,
            colorbar={
                "title": {"text": "k̂"},
                "tickfont": {"color": theme.ink},
                "tickvals": sorted({0, n // 2, n}),
            },
            customdata=[
                [
                    [_hover(shown[i], shown[j], int(k_hat[i, j]), n, i == j), names[i], names[j]]
                    for j in places
                ]
                for i in places
            ],
            hovertemplate="%{customdata[0]}<extra></extra>",
        )
    )
    if m <= MOST_WITH_NUMBERS:
        texts = [["" if i == j else _number(int(k_hat[i, j]), n) for j in places] for i in places]
        figure.update_traces(
            text=texts,
            texttemplate="%{text}",
            textfont={"size": 12 if m <= 16 else 9, "color": theme.ink},
        )
        for i in places:
            figure.add_annotation(
                x=i, y=i, text=_OWN, showarrow=False, font={"color": theme.quiet, "size": 12}
            )
    cell = _CELL if m <= MOST_WITH_NUMBERS else _SMALL_CELL
    base_layout(figure, theme, height=int(np.clip(170 + cell * m, *_HEIGHTS)))
    axis = {"tickvals": places, "ticktext": ticks, "showgrid": False}
    if m > MOST_NAMED:
        axis = {"showticklabels": False, "showgrid": False}
    size = 13 if m <= MOST_WITH_NUMBERS else 9
    figure.update_xaxes(
        **axis, title_text="than", side="top", tickangle=-90 if m > 6 else 0, tickfont_size=size
    )
    figure.update_yaxes(**axis, title_text="better", autorange="reversed", tickfont_size=size)
    if m > MOST_WITH_NUMBERS:
        # Columns stand in the order of the rows, and narrow ones have no room for names.
        figure.update_xaxes(showticklabels=False)
    figure.update_layout(plot_bgcolor=theme.grid, margin={"t": 24})
    return figure


def _number(k_hat: int, n: int) -> str:
    """How many datasets; of one, a mark or nothing."""
    if n == 1:
        return "✓" if k_hat else ""
    return str(k_hat)


def _hover(better: str, than: str, k_hat: int, n: int, same: bool) -> str:
    if same:
        return better
    if n == 1:
        return f"{better} better than {than}: {'shown' if k_hat else 'not shown'}"
    if k_hat == 0:
        return f"{better} better than {than}: shown on none of {n} datasets"
    return f"{better} better than {than}: on at least {k_hat} of {n} datasets"
