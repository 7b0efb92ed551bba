"""The sorted p-values of one study against α and α/N, marked by what is known of their datasets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..replicability.decision import at_most
from ..simulation.runs import Draw
from ..types import BoolArray, FloatArray, IntArray
from ..words.formatting import format_level
from ..words.guide import ToyStudy
from .theme import (
    LIGHT,
    ChartTheme,
    base_layout,
    drawn,
    level_line,
    p_clause,
    p_value_axis,
)

if TYPE_CHECKING:
    import plotly.graph_objects as go


# Which points are alike, what they are called, and their mark: symbol, colour, size.
_Group = tuple[BoolArray, str, str, str, int]


def draw_chart(draw: Draw, *, theme: ChartTheme = LIGHT) -> go.Figure:
    """Draw a study's sorted p-values against alpha and alpha/N.

    Parameters
    ----------
    draw : Draw
        The study. Where it does not say on which datasets A is better, all
        points are alike.
    theme : ChartTheme
        `LIGHT` or `DARK`.
    """
    order = np.argsort(draw.p_values, kind="stable")
    below = at_most(draw.p_values[order], draw.alpha)
    level = format_level(draw.alpha)
    groups: list[_Group] = [
        (below, f"p ≤ {level}", "circle", theme.ink, 8),
        (~below, f"p > {level}", "circle-open", theme.quiet, 6),
    ]
    if draw.truly_better is not None:
        better = draw.truly_better[order]
        groups = [
            (better & below, f"A truly better, p ≤ {level}", "circle", theme.a, 8),
            (better & ~below, f"A truly better, p > {level}", "circle-open", theme.a, 8),
            (~better & below, f"not better, p ≤ {level}", "x", theme.ink, 9),
            (~better & ~below, f"not better, p > {level}", "circle-open", theme.quiet, 6),
        ]
    figure = _chart(
        draw.p_values,
        order,
        draw.alpha,
        [group for group in groups if group[0].any()],
        hover="dataset %{customdata[1]}: %{customdata[0]}",
        height=360,
        theme=theme,
    )
    figure.update_xaxes(tickvals=_ticks(order.size))
    return figure


def toy_chart(study: ToyStudy, *, height: int = 340, theme: ChartTheme = LIGHT) -> go.Figure:
    """Draw p-values of datasets on which A and B are equal: some lie below alpha all the same.

    Parameters
    ----------
    study : ToyStudy
        What is drawn.
    height : int
        In pixels.
    theme : ChartTheme
        `LIGHT` or `DARK`.
    """
    order = np.argsort(study.p_values, kind="stable")
    below = at_most(study.p_values[order], study.alpha)
    level = format_level(study.alpha)
    figure = _chart(
        study.p_values,
        order,
        study.alpha,
        [
            (below, f"wrongly counted as a win: p ≤ {level}", "x", theme.alert, 9),
            (~below, f"p > {level}", "circle-open", theme.quiet, 6),
        ],
        hover="%{customdata[0]}",
        height=height,
        theme=theme,
    )
    figure.update_layout(showlegend=False, margin={"t": 16})
    n_wrong = int(below.sum())
    if n_wrong:
        last = float(study.p_values[order][n_wrong - 1])
        figure.add_annotation(
            # Right of them every p-value lies above α.
            x=n_wrong,
            xshift=10,
            xanchor="left",
            y=math.log10(drawn([last])[0]),
            yanchor="top",
            text=f"<b>{n_wrong} wrongly counted as wins</b>",
            showarrow=False,
            font={"color": theme.alert},
        )
    figure.update_xaxes(tickvals=_ticks(order.size))
    return figure


def _chart(
    p_values: FloatArray,
    order: IntArray,
    alpha: float,
    groups: Sequence[_Group],
    *,
    hover: str,
    height: int,
    theme: ChartTheme,
) -> go.Figure:
    """Points of each group by rank on a log axis, with lines at alpha and alpha/N."""
    import plotly.graph_objects as go

    ordered = p_values[order]
    ranks = np.arange(1, ordered.size + 1)
    figure = go.Figure()
    for chosen, name, symbol, colour, size in groups:
        figure.add_trace(
            go.Scatter(
                x=ranks[chosen].tolist(),
                y=drawn(ordered[chosen].tolist()),
                customdata=[
                    [p_clause(float(p), alpha=alpha), int(i) + 1]
                    for p, i in zip(ordered[chosen], order[chosen], strict=True)
                ],
                mode="markers",
                name=f"{name} ({int(chosen.sum())})",
                marker={"symbol": symbol, "color": colour, "size": size},
                hovertemplate=f"{hover}<extra></extra>",
            )
        )
    base_layout(figure, theme, height=height)
    threshold = alpha / ordered.size
    figure.update_yaxes(title_text="p-value", **p_value_axis(min(float(ordered[0]), threshold)))
    figure.update_xaxes(title_text="datasets by p-value", range=[0, ordered.size + 1])
    level_line(figure, alpha, f"α = {format_level(alpha)}", theme)
    if ordered.size > 1:
        shown = format_level(float(f"{threshold:.2g}"))
        level_line(figure, threshold, f"α/N = {shown} (Bonferroni)", theme)
    return figure


def _ticks(n_datasets: int) -> list[int]:
    """Some five ranks; 0 is none, and its label would lie below that of the lowest p-value."""
    decades = (10**power for power in range(len(str(n_datasets))))
    steps = [factor * decade for decade in decades for factor in (1, 2, 5)]
    step = next(step for step in steps if n_datasets <= 6 * step)
    return list(range(step, n_datasets + 1, step))
