"""A dataset's p-value, and how often it is small, against its size."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ..reliability.power import Power
from ..reliability.sample_size import DatasetSubsamples
from ..words.formatting import format_level
from .theme import (
    LIGHT,
    LOWEST_DRAWN,
    ChartTheme,
    base_layout,
    drawn,
    error_bars,
    faint,
    line_label,
    p_clause,
    p_in_hover,
    p_value_axis,
)

if TYPE_CHECKING:
    import plotly.graph_objects as go


def subsample_chart(
    own: DatasetSubsamples,
    *,
    expected: Power | None = None,
    theme: ChartTheme = LIGHT,
) -> go.Figure:
    """Draw the median p-value with its 10–90% band, and below it the share with p <= alpha.

    Parameters
    ----------
    own : DatasetSubsamples
        What is drawn.
    expected : Power, optional
        What a stated effect makes of new test sets of the same sizes.
    theme : ChartTheme
        `LIGHT` or `DARK`.

    References
    ----------
    Søgaard et al. (CoNLL 2014), section 4 and Table 4.
    """
    from plotly.subplots import make_subplots

    figure = make_subplots(rows=2, cols=1, shared_xaxes=True, vertical_spacing=0.06)
    base_layout(figure, theme, height=560)
    figure.update_layout(showlegend=False)
    level = format_level(own.alpha)
    _add_p_values(figure, own, theme)
    _add_shares(figure, own, expected, theme)
    lowest = min([own.alpha, *drawn([point.band[0] for point in own.points])])
    figure.update_yaxes(title_text="p-value", row=1, col=1, **p_value_axis(lowest))
    figure.update_yaxes(
        title_text=f"share with p ≤ {level}", range=[-0.03, 1.05], tickformat=".0%", row=2, col=1
    )
    for row in (1, 2):
        figure.add_hline(
            y=own.alpha,
            row=row,
            col=1,
            line={"color": theme.ink, "width": 1.5, "dash": "dash"},
        )
    sizes = [point.n_examples for point in own.points]
    figure.update_xaxes(showgrid=False, tickvals=sizes, ticktext=[f"{n:,}" for n in sizes])
    figure.update_xaxes(
        title_text="examples<br>grey: 10–90% of random parts<br>bars: 95% intervals", row=2, col=1
    )
    return figure


def _add_p_values(figure: go.Figure, own: DatasetSubsamples, theme: ChartTheme) -> None:
    import plotly.graph_objects as go

    points = [point for point in own.points if point.median == point.median]
    sizes = [point.n_examples for point in points]
    for index in (1, 0):
        figure.add_trace(
            go.Scatter(
                x=sizes,
                y=drawn([point.band[index] for point in points]),
                mode="lines",
                line={"color": theme.quiet, "width": 1},
                fill="tonexty" if index == 0 else None,
                fillcolor=faint(theme.quiet),
                hoverinfo="skip",
            ),
            row=1,
            col=1,
        )
    figure.add_trace(
        go.Scatter(
            x=sizes,
            y=[max(point.median, LOWEST_DRAWN) for point in points],
            customdata=[
                [
                    p_clause(point.median, alpha=own.alpha),
                    *(p_in_hover(p, alpha=own.alpha) for p in point.band),
                ]
                for point in points
            ],
            mode="lines+markers",
            name="median p",
            line={"color": theme.a, "width": 2.5},
            marker={"symbol": "circle", "size": 8, "color": theme.a},
            hovertemplate=(
                "%{x:,} examples: median %{customdata[0]} (10–90%: %{customdata[1]} to "
                "%{customdata[2]})<extra></extra>"
            ),
        ),
        row=1,
        col=1,
    )
    if points:
        first = math.log10(max(points[0].median, LOWEST_DRAWN))
        place = {"xanchor": "left", "yanchor": "bottom", "yshift": 6, "row": 1, "col": 1}
        line_label(figure, "<b>median p</b>", theme.a, x=sizes[0], y=first, **place)


def _add_shares(
    figure: go.Figure, own: DatasetSubsamples, expected: Power | None, theme: ChartTheme
) -> None:
    import plotly.graph_objects as go

    sizes = [point.n_examples for point in own.points]
    figure.add_trace(
        go.Scatter(
            x=sizes,
            y=[point.share_significant for point in own.points],
            error_y=error_bars(
                [point.share_significant for point in own.points],
                [point.confidence_interval for point in own.points],
                theme.a,
            ),
            mode="lines+markers",
            name="parts with p ≤ α",
            line={"color": theme.a, "width": 2.5},
            marker={"symbol": "square", "size": 8, "color": theme.a},
            hovertemplate="%{x:,} examples: %{y:.1%} of parts<extra></extra>",
        ),
        row=2,
        col=1,
    )
    figure.add_trace(
        go.Scatter(
            x=sizes,
            y=list(own.shares_given_full),
            mode="lines",
            name="foretold by the whole's p",
            line={"color": theme.ink, "width": 1.5, "dash": "dot"},
            hovertemplate="%{x:,} examples: %{y:.1%} foretold<extra></extra>",
        ),
        row=2,
        col=1,
    )
    named = [("■ parts with p ≤ α", theme.a), ("┄ foretold by the whole's p", theme.ink)]
    if expected is not None:
        power = f"power if A were better by {expected.effect:g}"
        named.append((f"◇ {power}", theme.ink))
        figure.add_trace(
            go.Scatter(
                x=expected.n_examples.tolist(),
                y=expected.power.tolist(),
                mode="lines+markers",
                name=power,
                line={"color": theme.ink, "width": 2, "dash": "longdash"},
                marker={"symbol": "diamond-open", "size": 9, "color": theme.ink},
                hovertemplate="%{x:,} new examples: power %{y:.1%}<extra></extra>",
            ),
            row=2,
            col=1,
        )
    # In the corner from which shares rise.
    for place, (text, colour) in enumerate(named):
        line_label(
            figure,
            text,
            colour,
            x=sizes[0],
            y=1.05 - 0.1 * place,
            xanchor="left",
            yanchor="top",
            row=2,
            col=1,
        )
