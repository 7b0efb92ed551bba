"""How often a claim is made, against what a study costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.charts.theme import DASHES, LIGHT, ChartTheme, base_layout
from core.replicability.combinations import combination_named, combination_names
from core.report.formatting import format_level, format_percent
from core.simulation.batch import estimator_names
from core.simulation.planning import PowerCurve

if TYPE_CHECKING:
    import plotly.graph_objects as go

# Of the combinations, in their order.
_SYMBOLS = ("square", "circle", "diamond-open", "triangle-up", "cross-open", "star-open")


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
        figure.add_shape(
            type="line",
            xref="paper",
            x0=0,
            x1=1,
            y0=target,
            y1=target,
            line={"color": theme.quiet, "width": 1, "dash": "dot"},
        )
        figure.add_annotation(
            xref="paper",
            x=0,
            xanchor="left",
            y=target,
            yanchor="bottom",
            text=f"{format_percent(target)} of studies",
            showarrow=False,
            font={"color": theme.quiet},
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
