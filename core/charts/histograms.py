"""Histograms of k̂ by each estimator, where the truth k is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from core.charts.theme import LIGHT, ChartTheme, base_layout
from core.replicability.combinations import combination_named, combination_names
from core.report.formatting import format_level
from core.simulation.batch import estimator_names
from core.types import IntArray

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from core.simulation.runs import Simulation

MOST_BINS = 24
# What fits side by side below a chart on a telephone.
MOST_TICK_CHARACTERS = 40
# So few datasets are shown from 0 to N, wherever the mass is.
FEW_DATASETS = 12
# The share of studies that the outermost bars at either end may gather from beyond them.
SHARE_GATHERED = 1e-3


@dataclass(frozen=True, slots=True, kw_only=True)
class Bin:
    """Values of k̂ that one bar stands for.

    Attributes
    ----------
    first, last : int
        The values, both included.
    label : str
        As on the axis: "3", "4–7", "≤ 3" or "≥ 8".
    """

    first: int
    last: int
    label: str


def k_hat_histograms(simulation: Simulation, *, theme: ChartTheme = LIGHT) -> go.Figure:
    """Draw in what share of studies each estimator counted how many datasets.

    The common practice is the wide hatched bar behind; the counts with
    a guarantee stand before it side by side, in the order of the legend. What
    lies right of the line claims more datasets than the truth.

    Parameters
    ----------
    simulation : Simulation
        Its counts are gathered into at most `MOST_BINS` bins; none lies on
        both sides of k, and 0 has one of its own.
    theme : ChartTheme
        `LIGHT` or `DARK`.

    References
    ----------
    Dror et al. (TACL 2017), Figure 1.
    """
    import plotly.graph_objects as go

    counts = {estimator: simulation.histogram(estimator) for estimator in estimator_names()}
    bins = k_hat_bins(counts, k=simulation.k)
    figure = go.Figure()
    tallest = 0.0
    for estimator, (offset, width, marker) in _looks(theme).items():
        binned = [int(counts[estimator][one.first : one.last + 1].sum()) for one in bins]
        shares = [count / simulation.n_repetitions for count in binned]
        tallest = max(tallest, *shares)
        drawn = [position for position, count in enumerate(binned) if count]
        figure.add_trace(
            go.Bar(
                x=[position + offset for position in drawn],
                y=[shares[position] for position in drawn],
                width=width,
                name=_name(estimator, simulation.alpha),
                marker=marker,
                customdata=[[bins[position].label, f"{binned[position]:,}"] for position in drawn],
                hovertemplate=(
                    "k̂ %{customdata[0]}: %{y:.4f} of studies"
                    f" (%{{customdata[1]}} of {simulation.n_repetitions:,})"
                    f"<extra>{_short_name(estimator)}</extra>"
                ),
            )
        )
    base_layout(figure, theme, height=430)
    figure.update_layout(barmode="overlay")
    figure.update_yaxes(title_text="share of studies", range=[0.0, 1.18 * tallest])
    most_ticks = MOST_TICK_CHARACTERS // (1 + max(len(one.label) for one in bins))
    step = -(-len(bins) // most_ticks)
    figure.update_xaxes(
        title_text=f"k̂: counted, of {simulation.n_datasets} datasets",
        range=[-0.6, len(bins) - 0.4],
        tickvals=list(range(0, len(bins), step)),
        ticktext=[one.label for one in bins[::step]],
        tickangle=0,
        showgrid=False,
    )
    _mark_truth(figure, bins, simulation.k, theme)
    return figure


def k_hat_bins(counts: dict[str, IntArray], *, k: int) -> list[Bin]:
    """Cut 0..N into bins where any estimator has its mass, around k.

    Parameters
    ----------
    counts : dict of ndarray, shape (N + 1,)
        Repetitions by k̂, for each estimator.
    k : int
        The truth: the last value of a bin.

    Returns
    -------
    list of Bin
        From left to right, without gaps; together they hold 0..N.
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
        Bin(first=first, last=last, label=_label(first, last, largest))
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


def _looks(theme: ChartTheme) -> dict[str, tuple[float, float, dict[str, Any]]]:
    """For each estimator its offset from the bin's middle, its width, and how its bar is filled."""
    looks: dict[str, tuple[float, float, dict[str, Any]]] = {
        "count": (
            0.0,
            0.96,
            {
                "color": theme.grid,
                "pattern": {"shape": "/", "fgcolor": theme.quiet, "size": 6, "solidity": 0.25},
                "line": {"color": theme.quiet, "width": 1},
            },
        )
    }
    # Told apart by how they are filled: blue and orange are the systems' own.
    fills: tuple[dict[str, Any], ...] = (
        {"color": theme.ink},
        {"color": theme.quiet},
        {"color": theme.page},
        _dotted(theme.page, theme.ink),
        _dotted(theme.quiet, theme.page),
    )
    names = combination_names()
    step = 0.81 / len(names)
    for place, name in enumerate(names):
        fill = fills[place % len(fills)]
        marker = {**fill, "line": {"color": theme.ink, "width": 1.2}}
        looks[name] = ((place - (len(names) - 1) / 2) * step, step - 0.02, marker)
    return looks


def _dotted(colour: str, dots: str) -> dict[str, Any]:
    return {
        "color": colour,
        "pattern": {"shape": ".", "fgcolor": dots, "bgcolor": colour, "size": 4, "solidity": 0.4},
    }


def _short_name(estimator: str) -> str:
    return "one-sided p ≤ α" if estimator == "count" else combination_named(estimator).title


def _name(estimator: str, alpha: float) -> str:
    if estimator == "count":
        return f"count of one-sided p ≤ {format_level(alpha)} (no guarantee)"
    return combination_named(estimator).title


def _mark_truth(figure: go.Figure, bins: list[Bin], k: int, theme: ChartTheme) -> None:
    position = next(i for i, one in enumerate(bins) if one.first <= k <= one.last) + 0.5
    figure.add_shape(
        type="line",
        x0=position,
        x1=position,
        yref="paper",
        y0=0,
        y1=1,
        line={"color": theme.ink, "width": 1.5, "dash": "dash"},
    )
    at_the_right = position > len(bins) / 2
    figure.add_annotation(
        x=position,
        xanchor="right" if at_the_right else "left",
        yref="paper",
        y=1,
        yanchor="top",
        text=f" truth: k = {k} ◂ " if at_the_right else f" ◂ truth: k = {k} ",
        showarrow=False,
        bgcolor=theme.page,
        font={"color": theme.ink},
    )
