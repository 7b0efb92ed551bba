"""How often the common practice claims a win where there is none, against the number of datasets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.charts.theme import LIGHT, ChartTheme, base_layout
from core.replicability.counting import chance_of_a_false_win
from core.report.formatting import format_level
from core.simulation.over_claims import OverClaimCurve

if TYPE_CHECKING:
    import plotly.graph_objects as go

_POINTS_ON_LINE = 200


def over_claims_chart(curve: OverClaimCurve, *, theme: ChartTheme = LIGHT) -> go.Figure:
    """Draw the chance of at least one one-sided p <= alpha without any difference.

    Parameters
    ----------
    curve : OverClaimCurve
        Its points as simulated, with their intervals; the lines are theory for
        independent datasets, also for counting two-sided p-values with A ahead.
    theme : ChartTheme
        `LIGHT` or `DARK`.
    """
    import plotly.graph_objects as go

    sizes = [point.n_datasets for point in curve.points]
    line = np.unique(np.round(np.linspace(1, max(sizes), _POINTS_ON_LINE)).astype(int)).tolist()
    figure = go.Figure()
    for two_sided, name, dash in (
        (False, "theory, independent: 1 − (1 − α)ᴺ", "solid"),
        (True, "theory, two-sided p ≤ α with A ahead: 1 − (1 − α/2)ᴺ", "dot"),
    ):
        figure.add_trace(
            go.Scatter(
                x=line,
                y=[chance_of_a_false_win(n, alpha=curve.alpha, two_sided=two_sided) for n in line],
                mode="lines",
                name=name,
                line={"color": theme.quiet, "width": 2, "dash": dash},
                hovertemplate="N = %{x}: %{y:.4f}<extra>theory</extra>",
            )
        )
    rates = [point.simulated for point in curve.points]
    intervals = [rate.confidence_interval for rate in rates]
    figure.add_trace(
        go.Scatter(
            x=sizes,
            y=[rate.rate for rate in rates],
            error_y={
                "type": "data",
                "symmetric": False,
                "array": [
                    high - rate.rate for rate, (_, high) in zip(rates, intervals, strict=True)
                ],
                "arrayminus": [
                    rate.rate - low for rate, (low, _) in zip(rates, intervals, strict=True)
                ],
                "color": theme.ink,
                "thickness": 1.2,
            },
            mode="markers",
            name="simulated, one-sided p ≤ α"
            + (f", ρ = {curve.rho:g}" if curve.rho else ", independent"),
            marker={"color": theme.ink, "size": 8},
            hovertemplate="N = %{x}: %{y:.4f}<extra>simulated</extra>",
        )
    )
    base_layout(figure, theme, height=360)
    figure.update_yaxes(title_text="studies with at least one “win”", range=[0, 1.04])
    figure.update_xaxes(title_text="N: datasets without a difference", range=[0, max(sizes) * 1.04])
    figure.add_shape(
        type="line",
        xref="paper",
        x0=0,
        x1=1,
        y0=curve.alpha,
        y1=curve.alpha,
        line={"color": theme.ink, "width": 1.5, "dash": "dash"},
    )
    figure.add_annotation(
        xref="paper",
        x=1,
        xanchor="right",
        y=curve.alpha,
        yanchor="bottom",
        text=f"α = {format_level(curve.alpha)}: what a guarantee allows",
        showarrow=False,
        font={"color": theme.ink},
    )
    return figure
