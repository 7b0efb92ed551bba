"""P-values against the cut-off of a covariate, both ways, over what chance alone gives."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ..reliability.cut_offs import CutOffCurve, CutOffStudy
from ..words.formatting import format_level
from .theme import (
    LIGHT,
    ChartTheme,
    base_layout,
    drawn,
    escaped,
    faint,
    level_line,
    line_label,
    p_clause,
    p_value_axis,
)

if TYPE_CHECKING:
    import plotly.graph_objects as go


def cut_off_chart(study: CutOffStudy, *, theme: ChartTheme = LIGHT) -> go.Figure:
    """Draw both curves of p-values on a log axis, each over its band of random parts.

    "At most" is a full line with circles over a full band, "at least" a dashed
    one with squares over a band outlined by dots.

    Parameters
    ----------
    study : CutOffStudy
        What is drawn.
    theme : ChartTheme
        `LIGHT` or `DARK`.
    """
    import plotly.graph_objects as go

    figure = go.Figure()
    curves = (study.at_most, study.at_least)
    for curve in curves:
        _add_band(figure, curve, theme)
    for curve in curves:
        full = curve.side == "at most"
        colour = theme.ink if full else theme.quiet
        figure.add_trace(
            go.Scatter(
                x=curve.cut_offs.tolist(),
                y=drawn(curve.p_values.tolist()),
                customdata=[
                    [p_clause(p, alpha=study.alpha), f"{n:,}", f"{difference:+.4g}"]
                    for p, n, difference in zip(
                        curve.p_values.tolist(),
                        curve.n_examples.tolist(),
                        curve.differences.tolist(),
                        strict=True,
                    )
                ],
                mode="lines+markers",
                name=f"p, {curve.side} the cut-off",
                showlegend=False,
                line={"color": colour, "width": 2.5, "dash": "solid" if full else "dash"},
                marker={"symbol": "circle" if full else "square", "size": 7, "color": colour},
                hovertemplate=(
                    f"{curve.side} %{{x:.6g}}: %{{customdata[0]}}, "
                    "n = %{customdata[1]}, A − B = %{customdata[2]}<extra></extra>"
                ),
            )
        )
        # Each at the end where its part is smallest, as at the other one both are all examples.
        place = 0 if full else -1
        line_label(
            figure,
            f"<b>{curve.side} the cut-off</b>",
            colour,
            x=float(curve.cut_offs[place]),
            y=math.log10(drawn([float(curve.p_values[place])])[0]),
            xanchor="left" if full else "right",
            yanchor="bottom" if full else "top",
            yshift=6 if full else -8,
            bgcolor=theme.page,
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
    import plotly.graph_objects as go

    full = curve.side == "at most"
    cut_offs = curve.cut_offs.tolist()
    edge = {"color": theme.quiet, "width": 1, "dash": "solid" if full else "dot"}
    for values, fill in ((curve.high, None), (curve.low, "tonexty" if full else None)):
        figure.add_trace(
            go.Scatter(
                x=cut_offs,
                y=drawn(values.tolist()),
                mode="lines",
                line=edge,
                fill=fill,
                fillcolor=faint(theme.quiet),
                showlegend=False,
                hoverinfo="skip",
            )
        )
