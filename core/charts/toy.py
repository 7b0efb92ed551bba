"""P-values of datasets on which A and B are equal: some lie below alpha all the same."""

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
from core.report.guide_toy import ToyStudy

if TYPE_CHECKING:
    import plotly.graph_objects as go


def toy_chart(study: ToyStudy, *, theme: ChartTheme = LIGHT) -> go.Figure:
    """Draw the sorted p-values against alpha and against Bonferroni's threshold for one dataset.

    Parameters
    ----------
    study : ToyStudy
        What is drawn.
    theme : ChartTheme
        `LIGHT` or `DARK`.
    """
    import plotly.graph_objects as go

    ordered = np.sort(study.p_values)
    ranks = np.arange(1, ordered.size + 1)
    below = at_most(ordered, study.alpha)
    level = format_level(study.alpha)
    figure = go.Figure()
    for chosen, name, symbol, colour, size in (
        (below, f"wrongly counted as a win: p ≤ {level}", "x", theme.ink, 9),
        (~below, f"p > {level}", "circle-open", theme.quiet, 6),
    ):
        figure.add_trace(
            go.Scatter(
                x=ranks[chosen].tolist(),
                y=drawn(ordered[chosen].tolist()),
                mode="markers",
                name=f"{name} ({int(chosen.sum())})",
                marker={"symbol": symbol, "color": colour, "size": size},
                customdata=[p_clause(float(p), alpha=study.alpha) for p in ordered[chosen]],
                hovertemplate="%{customdata}<extra></extra>",
            )
        )
    base_layout(figure, theme, height=340)
    threshold = study.alpha / ordered.size
    figure.update_yaxes(title_text="p-value", **p_value_axis(min(float(ordered[0]), threshold)))
    figure.update_xaxes(title_text="datasets by p-value", range=[0, ordered.size + 1])
    level_line(figure, study.alpha, f"α = {level}", theme)
    level_line(figure, threshold, f"α/N = {format_level(threshold)} (Bonferroni)", theme)
    return figure
