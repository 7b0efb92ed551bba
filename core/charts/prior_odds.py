"""The share of claims that are true, against the level they are made at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.charts.theme import LIGHT, ChartTheme, base_layout
from core.reliability.prior_odds import PredictiveCurve, PriorOddsStudy
from core.report.formatting import format_level
from core.report.reliability_odds import level_in_digits

if TYPE_CHECKING:
    import plotly.graph_objects as go

_TICKS = (1e-6, 1e-5, 1e-4, 0.001, 0.01, 0.05, 0.5)
_DASHES = ("dot", "dash", "dashdot", "longdash", "longdashdot")
_SYMBOLS = ("circle-open", "square-open", "triangle-up-open", "diamond-open", "x")
_MARKED = 12


def prior_odds_chart(study: PriorOddsStudy, *, theme: ChartTheme = LIGHT) -> go.Figure:
    """Draw PPV against α on a log axis, the assumed curve in front.

    Curves differ by their dashes and marks as well as by their names; the
    assumed level is a star, the level of the target a diamond.

    Parameters
    ----------
    study : PriorOddsStudy
        What is drawn.
    theme : ChartTheme
        `LIGHT` or `DARK`.

    References
    ----------
    Søgaard et al. (CoNLL 2014), section 2.
    """
    import plotly.graph_objects as go

    figure = go.Figure()
    others = study.curves[1:]
    for place, curve in enumerate(others):
        figure.add_trace(_line(curve, study, _look(place, theme)))
    figure.add_trace(
        _line(study.curves[0], study, {"line": {"color": theme.a, "width": 3}, "mode": "lines"})
    )
    figure.add_trace(
        go.Scatter(
            x=[study.alpha],
            y=[study.positive_predictive_value],
            mode="markers",
            marker={"symbol": "star", "size": 14, "color": theme.a},
            # Beside the star the words would lie on a curve.
            name=f"{study.positive_predictive_value:.0%} true at α = {format_level(study.alpha)}",
            hovertemplate="at α = %{x:.4g} a share of %{y:.3f} is true<extra></extra>",
        )
    )
    if study.alpha_for_target < 1.0:
        figure.add_trace(
            go.Scatter(
                x=[study.alpha_for_target],
                y=[study.target],
                mode="markers",
                marker={"symbol": "diamond", "size": 11, "color": theme.ink},
                name=f"{study.target:.0%} true at α = {level_in_digits(study.alpha_for_target)}",
                hovertemplate="a share of %{y:.3f} is true at α = %{x:.4g}<extra></extra>",
            )
        )
    base_layout(figure, theme, height=440)
    figure.update_yaxes(title_text="share of claims that are true", range=[-0.02, 1.04])
    figure.update_xaxes(
        title_text="level α of the claims",
        type="log",
        tickvals=list(_TICKS),
        ticktext=[
            f"{tick:.0e}".replace("e-0", "e-") if tick < 1e-3 else format_level(tick)
            for tick in _TICKS
        ],
        tickangle=0,
    )
    return figure


def _line(curve: PredictiveCurve, study: PriorOddsStudy, look: dict[str, Any]) -> go.Scatter:
    import plotly.graph_objects as go

    return go.Scatter(
        x=study.levels.tolist(),
        y=curve.values.tolist(),
        name=f"R = {curve.prior_odds:g}, power {curve.power:g}",
        hovertemplate=(
            f"R = {curve.prior_odds:g}, power {curve.power:g}: at α = %{{x:.3g}} a share of "
            "%{y:.3f} is true<extra></extra>"
        ),
        **look,
    )


def _look(place: int, theme: ChartTheme) -> dict[str, Any]:
    colour = theme.quiet if place % 2 else theme.ink
    return {
        "mode": "lines+markers",
        "line": {"color": colour, "width": 1.5, "dash": _DASHES[place % len(_DASHES)]},
        "marker": {
            "symbol": _SYMBOLS[place % len(_SYMBOLS)],
            "size": 7,
            "maxdisplayed": _MARKED,
            "color": colour,
        },
    }
