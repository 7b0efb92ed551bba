"""The share of claims that are true against their level, and how toy p-values spread."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..reliability.prior_odds import PredictiveCurve, PriorOddsStudy
from ..reliability.toys import ToySeries, ToyStudy
from ..words.formatting import format_level, format_percent
from ..words.reliability_sizes import level_in_digits
from .theme import LIGHT, ChartTheme, base_layout, line_label
from .theme import graph_objects as go

_TICKS = (1e-6, 1e-5, 1e-4, 0.001, 0.01, 0.05, 0.5)
_DASHES = ("dot", "dash", "dashdot", "longdash", "longdashdot")
_SYMBOLS = ("circle-open", "square-open", "triangle-up-open", "diamond-open", "x")
_MARKED = 12
_PATTERNS = ("/", "", "x", ".")


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
            name=f"{format_percent(study.positive_predictive_value)} true at α = {format_level(study.alpha)}",
            hovertemplate="at α = %{x:.4~g} a share of %{y:.3f} is true<extra></extra>",
        )
    )
    if study.alpha_for_target < 1.0:
        figure.add_trace(
            go.Scatter(
                x=[study.alpha_for_target],
                y=[study.target],
                mode="markers",
                marker={"symbol": "diamond", "size": 11, "color": theme.ink},
                name=f"{format_percent(study.target)} true at α = {level_in_digits(study.alpha_for_target)}",
                hovertemplate="a share of %{y:.3f} is true at α = %{x:.4~g}<extra></extra>",
            )
        )
    base_layout(figure, theme, height=440)
    figure.update_layout(showlegend=False, margin={"t": 16})
    one_power = len({curve.power for curve in study.curves}) == 1
    for trace, curve in zip(figure.data, [*others, study.curves[0]], strict=False):
        # Half way down each curve, where they lie apart.
        at = int(np.abs(curve.values - (curve.values.min() + curve.values.max()) / 2.0).argmin())
        line_label(
            figure,
            f"R = {curve.prior_odds:g}" if one_power else trace.name,
            trace.line.color,
            x=float(np.log10(study.levels[at])),
            y=float(curve.values[at]),
            bgcolor=theme.page,
        )
    marks = [
        f"{sign} {trace.name}"
        for sign, trace in zip("★◆", figure.data[len(study.curves) :], strict=False)
    ]
    figure.update_yaxes(title_text="share of claims that are true", range=[-0.02, 1.04])
    figure.update_xaxes(
        title_text="level α of the claims"
        + (f"<br>R: prior odds; power {study.curves[0].power:g}" if one_power else "")
        + "".join(f"<br>{mark}" for mark in marks),
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
    return go.Scatter(
        x=study.levels.tolist(),
        y=curve.values.tolist(),
        name=f"R = {curve.prior_odds:g}, power {curve.power:g}",
        hovertemplate=(
            f"R = {curve.prior_odds:g}, power {curve.power:g}: at α = %{{x:.3~g}} a share of "
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


def toy_p_value_chart(study: ToyStudy, *, theme: ChartTheme = LIGHT) -> go.Figure:
    """Draw the share of studies with p in each twentieth, with theory as a stepped line.

    The first bar is p < .05. Where nothing is chosen there is a bar for each
    series; a dotted line is what one p-value fixed beforehand does.

    Parameters
    ----------
    study : ToyStudy
        What is drawn.
    theme : ChartTheme
        `LIGHT` or `DARK`.

    References
    ----------
    Søgaard et al. (CoNLL 2014), section 3.
    """
    figure = go.Figure()
    edges = study.bin_edges
    middles = (0.5 * (edges[1:] + edges[:-1])).tolist()
    n = study.n_repetitions
    for place, series in enumerate(study.reported):
        figure.add_trace(_bars(series, middles, n, place, theme))
    expected = (study.reported[0].expected / n).tolist()
    figure.add_trace(
        go.Scatter(
            x=edges.tolist(),
            y=[*expected, expected[-1]],
            mode="lines",
            name=f"theory: {study.toy.theory_name}",
            line={"color": theme.ink, "width": 2, "shape": "hv"},
            hovertemplate="theory: %{y:.4f}<extra></extra>",
        )
    )
    if study.toy.is_choice:
        figure.add_trace(
            go.Scatter(
                x=[0.0, 1.0],
                y=[1.0 / len(middles)] * 2,
                mode="lines",
                name="one p-value, fixed beforehand",
                line={"color": theme.quiet, "width": 1.5, "dash": "dot"},
                hoverinfo="skip",
            )
        )
    base_layout(figure, theme, height=400)
    figure.update_layout(barmode="group", bargap=0.08)
    figure.update_yaxes(title_text="share of studies", rangemode="tozero")
    figure.update_xaxes(
        title_text="p-value reported",
        range=[-0.01, 1.01],
        tickvals=[0.05, 0.25, 0.5, 0.75, 1.0],
        ticktext=[".05", ".25", ".5", ".75", "1"],
        showgrid=False,
        tickangle=0,
    )
    return figure


def _bars(series: ToySeries, middles: list[float], n: int, place: int, theme: ChartTheme) -> go.Bar:
    first = theme.ink if place == 0 else theme.quiet
    rest = theme.grid
    return go.Bar(
        x=middles,
        y=(series.counts / n).tolist(),
        name=series.name,
        customdata=[
            [f"{low:.2f}–{low + 0.05:.2f}".replace("0.", "."), f"{count:,}"]
            for low, count in zip(
                [middle - 0.025 for middle in middles], series.counts.tolist(), strict=True
            )
        ],
        marker={
            "color": [first] + [rest] * (len(middles) - 1),
            "line": {"color": theme.quiet, "width": 1},
            "pattern": {
                "shape": _PATTERNS[place % len(_PATTERNS)],
                "fgcolor": theme.quiet,
                "size": 6,
                "solidity": 0.2,
            },
        },
        hovertemplate="p in %{customdata[0]}: %{y:.4f} (%{customdata[1]})<extra></extra>",
    )
