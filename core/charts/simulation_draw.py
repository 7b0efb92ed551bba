"""The p-values of one simulated study, marked by what is true of their datasets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.charts.theme import (
    LIGHT,
    ChartTheme,
    base_layout,
    drawn,
    level_line,
    p_clause,
    p_value_axis,
)
from core.replicability.decision import at_most
from core.report.formatting import format_level
from core.simulation.draws import Draw
from core.types import BoolArray, IntArray

if TYPE_CHECKING:
    import plotly.graph_objects as go


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
    import plotly.graph_objects as go

    order = np.argsort(draw.p_values, kind="stable")
    ordered = draw.p_values[order]
    ranks = np.arange(1, ordered.size + 1)
    below = at_most(ordered, draw.alpha)
    figure = go.Figure()
    for chosen, name, symbol, colour, size in _groups(draw, order, below, theme):
        if chosen.any():
            figure.add_trace(
                go.Scatter(
                    x=ranks[chosen].tolist(),
                    y=drawn(ordered[chosen].tolist()),
                    customdata=[
                        [p_clause(float(p), alpha=draw.alpha), int(i) + 1]
                        for p, i in zip(ordered[chosen], order[chosen], strict=True)
                    ],
                    mode="markers",
                    name=f"{name} ({int(chosen.sum())})",
                    marker={"symbol": symbol, "color": colour, "size": size},
                    hovertemplate="dataset %{customdata[1]}: %{customdata[0]}<extra></extra>",
                )
            )
    base_layout(figure, theme, height=360)
    threshold = draw.alpha / ordered.size
    figure.update_yaxes(title_text="p-value", **p_value_axis(min(float(ordered[0]), threshold)))
    figure.update_xaxes(
        title_text="datasets by p-value", range=[0, ordered.size + 1], tickvals=_ticks(ordered.size)
    )
    level_line(figure, draw.alpha, f"α = {format_level(draw.alpha)}", theme)
    if ordered.size > 1:
        level_line(
            figure,
            threshold,
            f"α/N = {format_level(float(f'{threshold:.2g}'))} (Bonferroni)",
            theme,
        )
    return figure


def _ticks(n_datasets: int) -> list[int]:
    """Some five ranks; 0 is none, and its label would lie below that of the lowest p-value."""
    decades = (10**power for power in range(len(str(n_datasets))))
    steps = [factor * decade for decade in decades for factor in (1, 2, 5)]
    step = next(step for step in steps if n_datasets <= 6 * step)
    return list(range(step, n_datasets + 1, step))


def _groups(
    draw: Draw, order: IntArray, below: BoolArray, theme: ChartTheme
) -> list[tuple[BoolArray, str, str, str, int]]:
    """Which points are alike, what they are called, and their mark."""
    level = format_level(draw.alpha)
    if draw.truly_better is None:
        return [
            (below, f"p ≤ {level}", "circle", theme.ink, 8),
            (~below, f"p > {level}", "circle-open", theme.quiet, 6),
        ]
    better = draw.truly_better[order]
    return [
        (better & below, "A truly better, p ≤ " + level, "circle", theme.a, 8),
        (better & ~below, "A truly better, p > " + level, "circle-open", theme.a, 8),
        (~better & below, "not better, p ≤ " + level, "x", theme.ink, 9),
        (~better & ~below, "not better, p > " + level, "circle-open", theme.quiet, 6),
    ]
