"""How the p-values of a toy example spread, beside theory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.charts.theme import LIGHT, ChartTheme, base_layout
from core.reliability.toys import ToySeries, ToyStudy

if TYPE_CHECKING:
    import plotly.graph_objects as go

_PATTERNS = ("/", "", "x", ".")


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
    import plotly.graph_objects as go

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
    import plotly.graph_objects as go

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
