"""How often a win on one dataset holds on another, against its p-value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..reliability.across_domains import DomainAgreement
from ..words.reliability_runs import bin_label
from .theme import LIGHT, ChartTheme, base_layout, error_bars, level_line

if TYPE_CHECKING:
    import plotly.graph_objects as go


def domains_chart(found: DomainAgreement, *, theme: ChartTheme = LIGHT) -> go.Figure:
    """Draw the share of cases in which the sign holds, a point with its interval for each bin of p.

    Parameters
    ----------
    found : DomainAgreement
        What is drawn; bins without a case are left out.
    theme : ChartTheme
        `LIGHT` or `DARK`.

    References
    ----------
    Berg-Kirkpatrick et al. (EMNLP-CoNLL 2012), section 4.2 and Table 1.
    """
    import plotly.graph_objects as go

    bins = [own for own in found.bins if own.n]
    figure = go.Figure(
        go.Scatter(
            x=[bin_label(own.low, own.high) for own in bins],
            y=[own.rate for own in bins],
            error_y=error_bars(
                [own.rate for own in bins], [own.confidence_interval for own in bins], theme.ink
            ),
            customdata=[[own.count, own.n] for own in bins],
            mode="markers",
            marker={"symbol": "circle", "size": 10, "color": theme.ink},
            showlegend=False,
            hovertemplate=(
                "p %{x}: holds in %{customdata[0]:,} of %{customdata[1]:,} cases<extra></extra>"
            ),
        )
    )
    base_layout(figure, theme, height=360)
    level_line(figure, 0.5, "a coin", theme, is_log=False, at_left=True, is_below=True)
    figure.update_layout(margin={"t": 16})
    figure.update_yaxes(
        title_text="sign holds on another dataset", range=[-0.03, 1.05], tickformat=".0%"
    )
    figure.update_xaxes(title_text="p-value of the win", type="category", showgrid=False)
    return figure
