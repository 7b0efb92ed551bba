"""Gain against confidence, the gain that is usually enough, and p-values against a cut-off."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from ..reliability.covariates import CutOffCurve, CutOffStudy
from ..systems.sizes import SELECTIONS
from ..words.formatting import format_level
from .theme import (
    DASHES,
    LIGHT,
    ChartTheme,
    add_points,
    base_layout,
    drawn,
    error_bars,
    escaped,
    faint,
    level_line,
    note,
    p_clause,
    p_value_axis,
)
from .theme import graph_objects as go

if TYPE_CHECKING:
    from ..systems.gain_confidence import GainConfidence, Threshold
    from ..systems.sizes import ThresholdCurve


# Told apart by shape as well as by colour.
_SYMBOLS = ("circle-open", "x", "triangle-up-open", "square-open", "diamond-open", "cross")
_SIGNS = "○✕△□◇✚"
# More points are drawn by the graphics card where there is one.
MOST_DRAWN_ONE_BY_ONE = 3_000
_LOWEST_CONFIDENCE = 0.45


def gain_confidence(
    points: GainConfidence,
    *,
    thresholds: Mapping[str, Threshold] | None = None,
    dataset: str | None = None,
    metric: str = "score",
    theme: ChartTheme = LIGHT,
) -> go.Figure:
    """Draw a point for each pair: how far it is ahead, and how sure that is; thresholds are lines.

    Berg-Kirkpatrick, Burkett and Klein (EMNLP-CoNLL 2012), figures 2 to 4.
    """
    figure = go.Figure()
    wanted = np.ones(points.gains.size, dtype=np.bool_)
    if dataset is not None:
        wanted = points.dataset_of == points.pairs.datasets.index(dataset)
    names = [escaped(name) for name in points.pairs.systems]
    shown_datasets = [escaped(name) for name in points.pairs.datasets]
    several = dataset is None and len(points.pairs.datasets) > 1
    drawn_by = go.Scattergl if int(wanted.sum()) > MOST_DRAWN_ONE_BY_ONE else go.Scatter
    for place, pair_class in enumerate(points.classes):
        own = np.flatnonzero(wanted & (points.class_of == place))
        symbol, _, colour = _look(place, theme)
        if not own.size:
            continue
        hover = [
            f"{names[a]} ahead of {names[b]}<br>gain {gain:.4g}, {p_clause(p)}"
            + (f"<br>{shown_datasets[d]}" if several else "")
            for a, b, gain, p, d in zip(
                points.ahead[own].tolist(),
                points.behind[own].tolist(),
                points.gains[own].tolist(),
                points.p_values[own].tolist(),
                points.dataset_of[own].tolist(),
                strict=True,
            )
        ]
        figure.add_trace(
            drawn_by(
                x=points.gains[own].tolist(),
                y=points.confidences[own].tolist(),
                mode="markers",
                name=f"{escaped(pair_class)} ({own.size:,})",
                marker={"symbol": symbol, "size": 7, "opacity": 0.75, "color": colour},
                customdata=hover,
                hovertemplate="%{customdata}<extra></extra>",
            )
        )
    base_layout(figure, theme, height=460)
    figure.update_xaxes(title_text=f"gain in {escaped(metric)}", rangemode="tozero")
    # A test of ranks may speak against the system that is ahead in the mean.
    least = float(points.confidences[wanted].min(initial=1.0)) - 0.03
    low, high = min(_LOWEST_CONFIDENCE, least), 1.02
    figure.update_yaxes(title_text="confidence: 1 − p, one-sided", range=[low, high])
    figure.add_hline(y=0.95, line={"color": theme.ink, "width": 1, "dash": "dash"})
    found = (thresholds or {}).items()
    known = {name: (own.value, own.interval) for name, own in found if own.value is not None}
    if known.keys() >= set(points.classes):
        # Each line says whose it is.
        figure.update_layout(showlegend=False, margin={"t": 16})
    for place, (pair_class, (value, interval)) in enumerate(known.items()):
        sign, colour = "", theme.ink
        if pair_class in points.classes:
            _, sign, colour = _look(points.classes.index(pair_class), theme)
        line = {"color": colour, "width": 2, "dash": DASHES[place % len(DASHES)]}
        figure.add_vline(x=value, line=line)
        # Of large gains the confidence is high: below is room beside all lines.
        beside = {
            "x": max(one for one, _ in known.values()),
            "yref": "paper",
            "y": 0.02 + 0.07 * place,
        }
        said = f" {sign} {escaped(pair_class)}: {value:.3g}"
        note(figure, said, colour, anchor="left bottom", **beside)
        if interval is not None:
            low_end, high_end = interval
            look = {"fillcolor": colour, "opacity": 0.1, "line_width": 0, "layer": "below"}
            figure.add_vrect(x0=low_end, x1=high_end, **look)
    return figure


def thresholds_against_size(
    curve: ThresholdCurve, *, metric: str = "score", theme: ChartTheme = LIGHT
) -> go.Figure:
    """Draw thresholds against the size of the test set on log axes, with the lines c/√n.

    Berg-Kirkpatrick, Burkett and Klein (EMNLP-CoNLL 2012), figure 5.
    """
    figure = go.Figure()
    classes = list(dict.fromkeys(point.pair_class for point in curve.points))
    several = len(curve.selections) > 1
    for selection, pair_class in product(curve.selections, classes):
        known = [
            (point, point.threshold, point.threshold.value)
            for point in curve.line(selection, pair_class)
            if point.threshold.value is not None
        ]
        if not known:
            continue
        symbol, _, colour = _look(classes.index(pair_class), theme)
        if selection == "initial":
            symbol = symbol.removesuffix("-open") if symbol.endswith("-open") else f"{symbol}-thin"
        label = (
            f"{escaped(pair_class)}, {SELECTIONS[selection]}" if several else escaped(pair_class)
        )
        add_points(
            figure,
            [point.size for point, _, _ in known],
            [value for _, _, value in known],
            name=label,
            mark=(symbol, 10, colour),
            marker={"line": {"width": 2, "color": colour}},
            error_y=error_bars(
                [value for _, _, value in known],
                [found.interval for _, found, _ in known],
                colour,
                thickness=1,
            ),
            told=[
                f"{label}<br>n = {point.size:,}: gain {value:.4g}<br>{found.n_pairs} cases of "
                f"{found.n_systems} systems in {point.n_subsets} subsets"
                for point, found, value in known
            ],
        )
        if fit := curve.fit(selection, pair_class):
            ends = [min(curve.sizes), max(curve.sizes)]
            slope = "" if fit.slope is None else f"; free slope {fit.slope:.2f}"
            dash = "dash" if selection == "random" else "solid"
            add_points(
                figure,
                ends,
                [fit.at(size) for size in ends],
                line={"color": colour, "width": 1.5, "dash": dash},
                showlegend=False,
                hover=f"{label}: {fit.constant:.3g}/√n{slope}",
            )
    base_layout(figure, theme, height=460)
    sizes = sorted(curve.sizes)
    figure.update_xaxes(
        title_text="examples, n",
        type="log",
        tickvals=sizes,
        ticktext=[f"{size:,}" for size in sizes],
    )
    figure.update_yaxes(title_text=f"gain in {escaped(metric)} that is usually enough", type="log")
    if not figure.data:
        middle: dict[str, Any] = {"xref": "paper", "yref": "paper", "x": 0.5, "y": 0.5}
        note(figure, "No size has pairs enough with p around .05", theme.ink, **middle)
    return figure


def _look(place: int, theme: ChartTheme) -> tuple[str, str, str]:
    """The symbol of a class of pairs, the same as a sign, and its colour."""
    kind, colours = place % len(_SYMBOLS), (theme.a, theme.b, theme.ink, theme.alert, theme.quiet)
    return _SYMBOLS[kind], _SIGNS[kind], colours[place % len(colours)]


def cut_off_chart(study: CutOffStudy, *, theme: ChartTheme = LIGHT) -> go.Figure:
    """Draw both curves of p-values on a log axis.

    Each with its own line and marks over its band of random parts.
    """
    figure = go.Figure()
    curves = (study.at_most, study.at_least)
    for curve in curves:
        _add_band(figure, curve, theme)
    for curve in curves:
        full = curve.side == "at most"
        colour = theme.ink if full else theme.quiet
        add_points(
            figure,
            curve.cut_offs.tolist(),
            drawn(curve.p_values.tolist()),
            name=f"p, {curve.side} the cut-off",
            line={"color": colour, "width": 2.5, "dash": "solid" if full else "dash"},
            mark=("circle" if full else "square", 7, colour),
            told=[
                f"{curve.side} {cut:.6g}: {p_clause(p, alpha=study.alpha)}, n = {n:,}, "
                f"A − B = {difference:+.4g}"
                for cut, p, n, difference in zip(
                    curve.cut_offs, curve.p_values, curve.n_examples, curve.differences, strict=True
                )
            ],
        )
    base_layout(figure, theme, height=440)
    lowest = min(float(min(curve.p_values.min(), curve.low.min())) for curve in curves)
    figure.update_yaxes(
        title_text="p-value, one-sided for A", **p_value_axis(min(lowest, study.alpha))
    )
    figure.update_xaxes(
        title_text=f"cut-off: {escaped(study.covariate or 'covariate', most=40)}"
        "<br>grey: 5–95% of random parts,<br>“at least” within dots",
        showgrid=False,
    )
    level_line(figure, study.alpha, f"α = {format_level(study.alpha)}", theme)
    return figure


def _add_band(figure: go.Figure, curve: CutOffCurve, theme: ChartTheme) -> None:
    full = curve.side == "at most"
    cut_offs = curve.cut_offs.tolist()
    edge = {"color": theme.quiet, "width": 1, "dash": "solid" if full else "dot"}
    for values, fill in ((curve.high, None), (curve.low, "tonexty" if full else None)):
        look: dict[str, Any] = {"line": edge, "fill": fill, "fillcolor": faint(theme.quiet)}
        add_points(figure, cut_offs, drawn(values.tolist()), showlegend=False, **look)
