"""Both directions as one bar of N datasets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .theme import LIGHT, ChartTheme, base_layout, escaped, side_labels

if TYPE_CHECKING:
    import plotly.graph_objects as go

# A part narrower than this share of the bar has no room for its number.
_NARROWEST = 0.04
# Before the number, as a colour alone says nothing to some.
_SIGNS = {"A": "A ≥ ", "B": "B ≥ "}


def both_sides(
    n_datasets: int,
    *,
    k_a: int,
    k_b: int,
    system_a: str,
    system_b: str,
    better: str = "better",
    theme: ChartTheme = LIGHT,
) -> go.Figure:
    """Draw on how many datasets A is shown to be better, on how many B, and what is undecided.

    Parameters
    ----------
    n_datasets : int
        N, the length of the bar.
    k_a, k_b : int
        Lower bounds for each side.
    system_a, system_b : str
        Their names.
    better : str
        What the tests claim of a system, as `Subject.in_short` has it.
    theme : ChartTheme
        `LIGHT` or `DARK`.
    """
    import plotly.graph_objects as go

    a, b = escaped(system_a, most=18), escaped(system_b, most=18)
    undecided = max(0, n_datasets - k_a - k_b)
    parts = (
        (f"A: {a} {better}", k_a, theme.a, theme.page),
        ("undecided", undecided, theme.grid, theme.ink),
        (f"B: {b} {better}", k_b, theme.b, theme.page),
    )
    figure = go.Figure()
    for name, length, colour, ink in parts:
        bounded = name != "undecided"
        figure.add_trace(
            go.Bar(
                x=[length],
                y=[""],
                orientation="h",
                name=f"{name}: {'at least ' if bounded else ''}{length}",
                marker={"color": colour, "line": {"color": theme.ink, "width": 1}},
                text=[_SIGNS.get(name[0], "") + str(length)]
                if length > _NARROWEST * n_datasets
                else [""],
                textposition="inside",
                insidetextanchor="middle",
                textangle=0,
                textfont={"color": ink, "size": theme.size + 2},
                hovertemplate=f"{name}: {length} of {n_datasets}<extra></extra>",
            )
        )
    base_layout(figure, theme, height=94 + 4 * theme.size)
    figure.update_layout(
        barmode="stack", bargap=0.1, showlegend=False, margin={"t": 3 * theme.size}
    )
    side_labels(
        figure,
        theme,
        right=f"B: {b} {better} on at least {k_b}",
        left=f"A: {a} {better} on at least {k_a}",
        a_is_right=False,
    )
    figure.update_xaxes(
        range=[0, n_datasets],
        title_text=f"datasets, of {n_datasets}",
        tickformat="d",
        dtick=1 if n_datasets <= 12 else None,
        showgrid=False,
    )
    figure.update_yaxes(showticklabels=False)
    return figure
