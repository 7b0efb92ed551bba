"""Printed p-values against the range that the scores beside them leave possible."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..words.formatting import format_p_value
from .theme import (
    LIGHT,
    LOWEST_DRAWN,
    ChartTheme,
    base_layout,
    drawn,
    escaped,
    p_value_axis,
)

if TYPE_CHECKING:
    import plotly.graph_objects as go

_STUB = 1.25


def possible_ranges(
    datasets: Sequence[str],
    *,
    printed: Sequence[float],
    ranges: Sequence[Sequence[tuple[float, float]]],
    fits: Sequence[bool],
    theme: ChartTheme = LIGHT,
) -> go.Figure:
    """Draw each dataset's possible p-values as bars and its printed one as a mark, on a log axis.

    Parameters
    ----------
    datasets : sequence of str, length N
        Names, drawn from top to bottom.
    printed : sequence of float, length N
        The p-values as printed.
    ranges : sequence of sequences of (float, float), length N
        What the scores leave possible, over all tests in use, for either system: intervals
        that do not meet, each a bar of its own, so that a p-value between them is seen there.
    fits : sequence of bool, length N
        Whether some test in use can give the printed p-value.
    theme : ChartTheme
        `LIGHT` or `DARK`.
    """
    import plotly.graph_objects as go

    positions = list(range(len(datasets)))
    figure = go.Figure()
    x: list[float | None] = []
    y: list[float | None] = []
    for i in positions:
        for low, high in ranges[i]:
            left, right = drawn([low, high])
            # What lies all below the axis is seen as a stub at its end.
            x += [left, max(right, left * _STUB), None]
            y += [i, i, None]
    figure.add_trace(
        go.Scatter(
            x=x,
            y=y,
            mode="lines",
            name="possible beside the scores, by any test in use",
            line={"color": theme.quiet, "width": 9},
            opacity=0.6,
            hoverinfo="skip",
        )
    )
    marks = (
        ("● printed, possible", True, "circle", theme.ink),
        ("✗ printed, not by a test<br>on these examples", False, "x", theme.alert),
    )
    said = ["bars: possible by any test in use"]
    for label, is_fitting, symbol, colour in marks:
        chosen = [i for i in positions if fits[i] == is_fitting]
        if chosen:
            said.append(f"<span style='color:{colour}'>{label} ({len(chosen)})</span>")
        figure.add_trace(
            go.Scatter(
                x=drawn([printed[i] for i in chosen]),
                y=chosen,
                mode="markers",
                name=f"{label} ({len(chosen)})",
                marker={
                    "symbol": symbol,
                    "size": 11,
                    "color": colour,
                    "line": {"color": theme.page, "width": 1.5},
                },
                customdata=[
                    [
                        escaped(datasets[i]),
                        format_p_value(printed[i], digits=6),
                        " or ".join(
                            " to ".join(format_p_value(p, digits=2) for p in ends)
                            for ends in ranges[i]
                        ),
                    ]
                    for i in chosen
                ],
                hovertemplate=(
                    "%{customdata[0]}<br>printed p = %{customdata[1]}"
                    "<br>possible by any test in use: %{customdata[2]}<extra></extra>"
                ),
            )
        )
    base_layout(figure, theme, height=150 + 26 * len(datasets))
    figure.update_layout(showlegend=False, margin={"t": 16})
    lowest = min((*printed, *(low for each in ranges for low, _ in each)), default=LOWEST_DRAWN)
    figure.update_xaxes(title_text="<br>".join(["p-value", *said]), **p_value_axis(lowest))
    figure.update_yaxes(
        tickvals=positions,
        ticktext=[escaped(name, most=16) for name in datasets],
        range=[len(datasets) - 0.4, -0.6],
        showgrid=False,
    )
    return figure
