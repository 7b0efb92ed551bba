"""What claims are worth: of simulated studies, of a reader's prior odds, and of toy p-values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..reliability.prior_odds import TARGET, PriorOddsStudy
from ..reliability.toys import ToyStudy
from ..replicability.combinations import combination_named, combination_names, counting_method_named
from ..replicability.counting import chance_of_a_false_win
from ..simulation.batch import estimator_names
from ..simulation.planning import OverClaimCurve, PowerCurve
from ..simulation.results import Simulation
from ..types import IntArray
from ..validation import check_choice
from ..words.formatting import format_level, format_percent, format_share, rounded_level
from ..words.simulation import FEWEST_FOR_SHARES
from .theme import (
    DASHES,
    LIGHT,
    ChartTheme,
    add_points,
    base_layout,
    blended,
    error_bars,
    level_line,
    note,
)
from .theme import graph_objects as go

MOST_BINS = 24
# What fits side by side below a chart on a telephone.
MOST_TICK_CHARACTERS = 40
# So few datasets are shown from 0 to N, wherever the mass is.
FEW_DATASETS = 12
# The share of studies that the outermost bars at either end may gather from beyond them.
SHARE_GATHERED = 1e-3
# Pixels of a row, and of what is above and below them all.
_ROW, _OTHERS = 88, 76
_ASSUMED = {
    "not-known": "any dependence",
    "independent": "assumes independence",
    "positive": "assumes positive dependence",
}


class Bin(NamedTuple):
    """The first and last k̂ that one bar stands for, and its label: "3", "4–7", "≤ 3" or "≥ 8"."""

    first: int
    last: int
    label: str


def k_hat_histograms(
    simulation: Simulation,
    *,
    estimators: Sequence[str] = (),
    theme: ChartTheme = LIGHT,
) -> go.Figure:
    """Draw in what share of studies each estimator counted how many datasets, one below the other.

    At most `MOST_BINS` bins, of which none lies on both sides of k, and 0 has one of its own. Bars
    up to the truth are pale. `estimators` are from top to bottom, all by default; ValueError says
    that there is no such one. Dror et al. (TACL 2017), Figure 1.
    """
    from plotly.subplots import make_subplots

    shown = tuple(estimators) or simulation.estimators
    for estimator in shown:
        check_choice(estimator, simulation.estimators, name="estimators")
    counts = {estimator: simulation.histogram(estimator) for estimator in shown}
    bins = k_hat_bins(counts, k=simulation.k)
    truth = next(i for i, one in enumerate(bins) if one.first <= simulation.k <= one.last)
    figure = make_subplots(
        rows=len(shown), cols=1, shared_xaxes=True, vertical_spacing=0.27 / len(shown)
    )
    for row, estimator in enumerate(shown, start=1):
        binned = [int(counts[estimator][one.first : one.last + 1].sum()) for one in bins]
        colour = theme.alert if estimator == "count" else theme.ink
        pale = blended(theme.page, theme.quiet, 0.35)
        drawn = [position for position, count in enumerate(binned) if count]
        figure.add_bar(
            x=drawn,
            y=[binned[position] / simulation.n_repetitions for position in drawn],
            width=0.9,
            name=_name(estimator, simulation.alpha),
            marker={"color": [pale if position <= truth else colour for position in drawn]},
            customdata=[[bins[position].label, f"{binned[position]:,}"] for position in drawn],
            hovertemplate=(
                "k̂ %{customdata[0]}: %{y:.4f} of studies"
                f" (%{{customdata[1]}} of {simulation.n_repetitions:,})"
                f"<extra>{_name(estimator, simulation.alpha)}</extra>"
            ),
            showlegend=False,
            row=row,
            col=1,
        )
        corner = {"xref": "x domain", "yref": "y domain", "y": 1, "row": row, "col": 1}
        label, size = _label_of(simulation, estimator), theme.size + 1
        middle = len(bins) // 2
        # A bar as high as its row would hide a label in front of it.
        is_free = max(binned[middle:]) <= max(binned[:middle])
        side, corner["x"] = ("right", 1) if is_free else ("left", 0)
        note(figure, label, colour, anchor=f"{side} top", font_size=size, **corner)
        line = {"color": theme.ink, "width": 1.5, "dash": "dash"}
        figure.add_vline(x=truth + 0.5, line=line, row=row, col=1)
    row_height = round(_ROW * theme.size / LIGHT.size)
    base_layout(figure, theme, height=_OTHERS + row_height * len(shown), top=30)
    figure.update_yaxes(range=[0.0, 1.0], tickvals=[0.0, 0.5, 1.0], tickformat=".0%")
    characters = MOST_TICK_CHARACTERS * LIGHT.size // theme.size
    most_ticks = characters // (1 + max(len(one.label) for one in bins))
    step = -(-len(bins) // most_ticks)
    figure.update_xaxes(
        range=[-0.6, len(bins) - 0.4],
        tickvals=list(range(0, len(bins), step)),
        ticktext=[one.label for one in bins[::step]],
        tickangle=0,
        showgrid=False,
    )
    figure.update_xaxes(
        title_text=f"datasets counted, k̂, of {simulation.n_datasets:,}", row=len(shown), col=1
    )
    text = f"truth: k = {simulation.k}; beyond it: too many"
    anchor = f"{'right' if 2 * truth > len(bins) else 'left'} bottom"
    place = {"x": truth + 0.5, "xref": "x", "yref": "paper", "y": 1}
    note(figure, text, theme.ink, anchor=anchor, **place)
    return figure


def k_hat_bins(counts: dict[str, IntArray], *, k: int) -> list[Bin]:
    """Cut 0..N into bins where any estimator has its mass, of which one ends at the truth, k.

    `counts` has for each estimator its repetitions by k̂, from 0 to N.
    """
    largest = next(iter(counts.values())).size - 1
    low, high = k, min(k + 1, largest)
    for histogram in counts.values():
        reached = np.cumsum(histogram) / histogram.sum()
        low = min(low, int(np.searchsorted(reached, SHARE_GATHERED, side="right")))
        high = max(high, int(np.searchsorted(reached, 1.0 - SHARE_GATHERED, side="left")))
    # What is nearly in sight is shown.
    low = 0 if low <= 2 or largest <= FEW_DATASETS else low
    high = largest if high >= largest - 2 or largest <= FEW_DATASETS else high
    width = 1
    while len(edges := _first_values(low, high, k, width)) > MOST_BINS:
        width += 1
    lasts = [first - 1 for first in edges[1:]] + [largest]
    firsts = [0, *edges[1:]]
    return [
        Bin(first, last, _label(first, last, largest))
        for first, last in zip(firsts, lasts, strict=True)
    ]


def _first_values(low: int, high: int, k: int, width: int) -> list[int]:
    """The first value of each bin: 0 alone, then backward and forward from k in equal steps."""
    lowest = max(low, 1)
    values = set(range(k + 1, high + 1, width))
    values |= set(range(k + 1 - width, lowest, -width)) if k >= lowest else set()
    values |= {low, lowest} if lowest <= high else {low}
    return sorted(values)


def _label(first: int, last: int, largest: int) -> str:
    if first == last:
        return str(first)
    if first == 0:
        return f"≤ {last}"
    return f"≥ {first}" if last == largest else f"{first}–{last}"


def _label_of(simulation: Simulation, estimator: str) -> str:
    """What a row is, and how often it claimed too many."""
    rate = simulation.overcount(estimator)
    often = f"<b>{format_share(rate.rate)}</b> of"
    if rate.n < FEWEST_FOR_SHARES:
        often = f"<b>{rate.count} of {rate.n:,}</b>"
    assumes = ""
    if estimator != "count":
        method = counting_method_named(estimator)
        through = f" through {method.through}" if method.through else ""
        assumes = f" ({_ASSUMED[method.dependence]}{through})"
    return f"<b>{_name(estimator, simulation.alpha)}</b>{assumes}<br>too many in {often} studies"


def _name(estimator: str, alpha: float) -> str:
    if estimator == "count":
        return f"Usual count: one-sided p ≤ {format_level(alpha)}"
    return counting_method_named(estimator).title


_POINTS_ON_LINE = 200
# Of the combinations, in their order.
_SYMBOLS = ("square", "circle", "diamond-open", "triangle-up", "cross-open", "star-open")


def over_claims_chart(curve: OverClaimCurve, *, theme: ChartTheme = LIGHT) -> go.Figure:
    """Draw the chance of at least one p <= alpha without any difference: simulated points beside theory."""
    sizes = list(curve.rates)
    line = np.unique(np.round(np.linspace(1, max(sizes), _POINTS_ON_LINE)).astype(int)).tolist()
    figure = go.Figure()
    for two_sided, name, dash in (
        (False, "theory, independent: 1 − (1 − α)ᴺ", "solid"),
        (True, "theory, two-sided p ≤ α<br>with A ahead: 1 − (1 − α/2)ᴺ", "dot"),
    ):
        chances = [chance_of_a_false_win(n, alpha=curve.alpha, two_sided=two_sided) for n in line]
        look = {"color": theme.quiet, "width": 2, "dash": dash}
        add_points(figure, line, chances, name=name, line=look, hover="theory, N = %{x}: %{y:.4f}")
    rates = [rate.rate for rate in curve.rates.values()]
    intervals = [rate.confidence_interval for rate in curve.rates.values()]
    bars = error_bars(rates, intervals, theme.ink, thickness=1.2)
    mark = ("circle", 8, theme.ink)
    hover = "simulated, N = %{x}: %{y:.4f}"
    add_points(
        figure,
        sizes,
        rates,
        name="simulated, one-sided p ≤ α",
        mark=mark,
        error_y=bars,
        hover=hover,
    )
    base_layout(figure, theme, height=380)
    how = f"dependent, ρ = {curve.rho:g}" if curve.rho else "independent"
    figure.update_yaxes(title_text="studies with at least one “win”", range=[0, 1.04])
    figure.update_xaxes(
        title_text=f"N: datasets without a difference, {how}",
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

    Without points at which the claim is false.
    """
    figure = go.Figure()
    points = curve.true_points
    for estimator in estimator_names():
        line, symbol = _look(estimator, theme)
        rates = [point.power[estimator] for point in points]
        add_points(
            figure,
            [point.value for point in points],
            [rate.rate for rate in rates],
            name=_curve_name(estimator, curve),
            line=line,
            mark=(symbol, 8, line["color"]),
            told=[
                f"at {point.value:,.12g}, “at least {point.at_least}” in {rate.rate:.3f} of studies "
                "({:.3f} to {:.3f})".format(*rate.confidence_interval)
                for point, rate in zip(points, rates, strict=True)
            ],
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
            x=0,
            anchor="left bottom",
            is_target=True,
        )
    return figure


def _curve_name(estimator: str, curve: PowerCurve) -> str:
    if estimator == "count":
        return f"one-sided p ≤ {format_level(curve.alpha)} (no guarantee)"
    name = combination_named(estimator).title
    return name if estimator in curve.proved else f"{name} (no guarantee here)"


def _look(estimator: str, theme: ChartTheme) -> tuple[dict[str, Any], str]:
    """Line and mark, told apart by shape as well as by colour."""
    if estimator == "count":
        colour, dash, symbol = theme.quiet, "solid", "x"
    else:
        place = combination_names().index(estimator)
        colour = theme.ink
        dash, symbol = DASHES[place % len(DASHES)], _SYMBOLS[place % len(_SYMBOLS)]
    return {"color": colour, "width": 2, "dash": dash}, symbol


_LEVEL_TICKS = (1e-6, 1e-5, 1e-4, 0.001, 0.01, 0.05, 0.5)
# Of the axis of shares, so that two names do not touch.
_LINE_OF_TEXT = 0.06
_PATTERNS = ("/", "", "x", ".")


def prior_odds_chart(study: PriorOddsStudy, *, theme: ChartTheme = LIGHT) -> go.Figure:
    """Draw PPV against α on a log axis, each curve with its name at its end, the assumed one in front.

    The assumed level is a star, the level of the target a diamond. Søgaard et al. (CoNLL 2014),
    section 2.
    """
    figure = go.Figure()
    front = study.curves[0]
    # What all curves have in common is said once, below.
    odds, power = f"R = {front.prior_odds:g}", f"power {front.power:g}"
    one_odds = all(curve.prior_odds == front.prior_odds for curve in study.curves)
    one_power = all(curve.power == front.power for curve in study.curves)
    ends: list[tuple[float, str, str]] = []
    for curve in reversed(study.curves):
        colour, width = (theme.a, 3.0) if curve is front else (theme.quiet, 1.5)
        named = f"R = {curve.prior_odds:g}", f"power {curve.power:g}"
        name = named[0] if one_power else named[1] if one_odds else ", ".join(named)
        ends.append((float(curve.values[-1]), name, colour))
        add_points(
            figure,
            study.levels.tolist(),
            curve.values.tolist(),
            name=name,
            line={"color": colour, "width": width},
            hover=f"{', '.join(named)}: at α = %{{x:.3~g}} a share of %{{y:.3f}} is true",
        )
    marks = [(study.alpha, study.positive_predictive_value, "star", 14, theme.a)]
    share, level = format_percent(study.positive_predictive_value), format_level(study.alpha)
    said = [f"<span style='color:{theme.a}'>★</span> {share} true<br>at α = {level}"]
    if 0.0 < study.alpha_for_target < 1.0:
        marks.append((study.alpha_for_target, TARGET, "diamond", 11, theme.ink))
        level = rounded_level(study.alpha_for_target, digits=2)
        said.append(f"◆ {format_percent(TARGET)} true<br>at α = {level}")
    for x, y, symbol, size, colour in marks:
        hover = "at α = %{x:.4~g} a share of %{y:.3f} is true"
        add_points(figure, [x], [y], mark=(symbol, size, colour), hover=hover)
    base_layout(figure, theme, height=440, top=16, showlegend=False)
    # No curve is low where levels are.
    corner = {"xref": "paper", "yref": "paper", "x": 0.01, "y": 0.02, "bgcolor": theme.page}
    note(figure, "<br>".join(said), theme.ink, anchor="left bottom", **corner)
    # Names right of the plot, at the height where each line ends, and not on each other.
    height = -math.inf
    for end, name, colour in sorted(ends):
        height = max(end, height + _LINE_OF_TEXT)
        note(figure, f" {name}", colour, anchor="left middle", xref="paper", x=1, y=height)
    longest = max(len(name) for _, name, _ in ends)
    figure.update_layout(margin={"r": 0.6 * theme.size * longest})
    figure.update_yaxes(title_text="share of claims that are true", range=[-0.02, 1.04])
    of_all = f"R: prior odds; {power}" if one_power else f"prior odds {odds}" if one_odds else ""
    figure.update_xaxes(
        title_text=f"level α of the claims; {of_all or 'R: prior odds'}",
        type="log",
        tickvals=list(_LEVEL_TICKS),
        ticktext=[
            f"{tick:.0e}".replace("e-0", "e-") if tick < 1e-3 else format_level(tick)
            for tick in _LEVEL_TICKS
        ],
        tickangle=0,
    )
    return figure


def toy_p_value_chart(study: ToyStudy, *, theme: ChartTheme = LIGHT) -> go.Figure:
    """Draw the share of studies with p in each twentieth, with theory as a stepped line.

    The first bar is p < .05. A dotted line is what one p-value fixed beforehand does. Søgaard et
    al. (CoNLL 2014), section 3.
    """
    figure = go.Figure()
    edges = study.bin_edges
    middles = (0.5 * (edges[1:] + edges[:-1])).tolist()
    n = study.n_repetitions
    for place, series in enumerate(study.reported):
        figure.add_bar(
            x=middles,
            y=(series.counts / n).tolist(),
            name=series.name,
            marker={
                # The first one is p < .05.
                "color": [theme.quiet if place else theme.ink] + [theme.grid] * (len(middles) - 1),
                "line": {"color": theme.quiet, "width": 1},
                "pattern": {"shape": _PATTERNS[place % len(_PATTERNS)], "fgcolor": theme.quiet},
            },
            hovertemplate="p around %{x:.3f}: %{y:.4f}<extra></extra>",
        )
    expected = (study.reported[0].expected / n).tolist()
    add_points(
        figure,
        edges.tolist(),
        [*expected, expected[-1]],
        name=f"theory: {study.toy.theory_name}",
        line={"color": theme.ink, "width": 2, "shape": "hv"},
        hover="theory: %{y:.4f}",
    )
    if study.toy.is_choice:
        add_points(
            figure,
            [0.0, 1.0],
            [1.0 / len(middles)] * 2,
            name="one p-value, fixed beforehand",
            line={"color": theme.quiet, "width": 1.5, "dash": "dot"},
        )
    base_layout(figure, theme, height=400, barmode="group", bargap=0.08)
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
