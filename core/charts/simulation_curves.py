"""What simulated studies claim: wins where there are none, and true claims against their cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..replicability.combinations import combination_named, combination_names
from ..replicability.counting import chance_of_a_false_win
from ..simulation.batch import estimator_names
from ..simulation.planning import OverClaimCurve, PowerCurve
from ..words.formatting import format_level, format_percent
from .theme import (
    DASHES,
    LIGHT,
    ChartTheme,
    base_layout,
    error_bars,
    level_line,
    line_label,
)

if TYPE_CHECKING:
    import plotly.graph_objects as go

_POINTS_ON_LINE = 200
# Of the combinations, in their order.
_SYMBOLS = ("square", "circle", "diamond-open", "triangle-up", "cross-open", "star-open")


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
    figure.add_trace(
        go.Scatter(
            x=sizes,
            y=[rate.rate for rate in rates],
            error_y=error_bars(
                [rate.rate for rate in rates],
                [rate.confidence_interval for rate in rates],
                theme.ink,
                thickness=1.2,
            ),
            mode="markers",
            name="simulated, one-sided p ≤ α"
            + (f", ρ = {curve.rho:g}" if curve.rho else ", independent"),
            marker={"color": theme.ink, "size": 8},
            hovertemplate="N = %{x}: %{y:.4f}<extra>simulated</extra>",
        )
    )
    base_layout(figure, theme, height=380)
    figure.update_layout(showlegend=False, margin={"t": 16})
    at = len(line) * 2 // 5
    for trace, text in zip(
        figure.data,
        ("one-sided:<br>1 − (1 − α)ᴺ", "two-sided, A ahead:<br>1 − (1 − α/2)ᴺ"),
        strict=False,
    ):
        line_label(
            figure,
            f"theory, {text}",
            theme.ink,
            x=line[at],
            y=trace.y[at],
            xanchor="left",
            yanchor="top",
            yshift=-4,
        )
    how = f"dependent, ρ = {curve.rho:g}" if curve.rho else "independent"
    figure.update_yaxes(title_text="studies with at least one “win”", range=[0, 1.04])
    figure.update_xaxes(
        title_text=f"N: datasets without a difference<br>points: simulated, one-sided p ≤ α,<br>{how}",
        range=[0, max(sizes) * 1.04],
    )
    level_line(
        figure,
        curve.alpha,
        f"α = {format_level(curve.alpha)}: what a guarantee allows",
        theme,
        is_log=False,
    )
    return figure


def power_chart(
    curve: PowerCurve, *, quantity: str, target: float | None = None, theme: ChartTheme = LIGHT
) -> go.Figure:
    """Draw P(k̂ >= m) of each count along a family of scenarios.

    Parameters
    ----------
    curve : PowerCurve
        With at least one point at which the claim is true; others are left out,
        as a wrong claim is no power.
    quantity : str
        What its values are, for the axis.
    target : float, optional
        A power to mark by a line.
    theme : ChartTheme
        `LIGHT` or `DARK`.
    """
    import plotly.graph_objects as go

    figure = go.Figure()
    points = curve.true_points
    for estimator in estimator_names():
        line, marker = _look(estimator, theme)
        rates = [point.power[estimator] for point in points]
        figure.add_trace(
            go.Scatter(
                x=[point.value for point in points],
                y=[rate.rate for rate in rates],
                customdata=[
                    [point.at_least, *rate.confidence_interval]
                    for point, rate in zip(points, rates, strict=True)
                ],
                mode="lines+markers",
                name=_name(estimator, curve),
                line=line,
                marker=marker,
                hovertemplate=(
                    "at %{x:.4g}, “at least %{customdata[0]}” in %{y:.3f} of studies "
                    "(%{customdata[1]:.3f} to %{customdata[2]:.3f})<extra></extra>"
                ),
            )
        )
    base_layout(figure, theme, height=400)
    figure.update_yaxes(title_text="power: share of studies that claim it", range=[-0.02, 1.04])
    figure.update_xaxes(title_text=quantity, showgrid=False)
    if target is not None:
        level_line(
            figure,
            target,
            f"{format_percent(target)} of studies",
            theme,
            is_log=False,
            at_left=True,
            is_target=True,
        )
    return figure


def _name(estimator: str, curve: PowerCurve) -> str:
    if estimator == "count":
        return f"one-sided p ≤ {format_level(curve.alpha)} (no guarantee)"
    name = combination_named(estimator).title
    return name if estimator in curve.proved else f"{name} (no guarantee here)"


def _look(estimator: str, theme: ChartTheme) -> tuple[dict[str, Any], dict[str, Any]]:
    """Line and mark, told apart by shape as well as by colour."""
    if estimator == "count":
        colour, dash, symbol = theme.quiet, "solid", "x"
    else:
        place = combination_names().index(estimator)
        colour = theme.ink
        dash, symbol = DASHES[place % len(DASHES)], _SYMBOLS[place % len(_SYMBOLS)]
    return {"color": colour, "width": 2, "dash": dash}, {"symbol": symbol, "size": 8}
