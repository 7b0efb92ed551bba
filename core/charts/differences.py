"""The difference on each dataset with its interval."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..replicability.decision import at_most
from ..words.formatting import format_confidence, format_level, label_of_difference
from .theme import LIGHT, ChartTheme, base_layout, error_bars, escaped, p_clause

if TYPE_CHECKING:
    from collections.abc import Sequence

    import plotly.graph_objects as go

    from ..significance import SignificanceResult

_ROW_HEIGHT = 24
_MOST_HEIGHT = 1600


def differences(
    results: Sequence[SignificanceResult | None],
    datasets: Sequence[str],
    *,
    alpha: float,
    swapped: bool = False,
    higher_is_better: bool = True,
    better: str = "better",
    margin: float = 0.0,
    of_a_alone: bool = False,
    theme: ChartTheme = LIGHT,
) -> go.Figure:
    """Draw A − B on every tested dataset with its interval.

    Parameters
    ----------
    results : sequence of SignificanceResult or None, length N
        None where a dataset is not tested.
    datasets : sequence of str, length N
        Their names.
    alpha : float
        A dataset is marked where the p-value of one direction is at most this.
    swapped : bool
        Whether A and B have changed places since the tests were run.
    higher_is_better : bool
        Whether A − B or B − A is positive where A is better.
    better : str
        What the tests claim of a system, as `Subject.in_short` has it.
    margin : float
        Of the claim: the band within it is drawn.
    of_a_alone : bool
        Whether the claim is asked of A alone, as it may well be true of both.
    theme : ChartTheme
        `LIGHT` or `DARK`.
    """
    import numpy as np
    import plotly.graph_objects as go

    sign = -1.0 if swapped else 1.0
    level = format_level(alpha)
    groups = (
        (f"p ≤ {level}: A {better}", theme.a, "triangle-right"),
        (f"p ≤ {level}: B {better}", theme.b, "triangle-left"),
        (f"p > {level}: {'not shown' if of_a_alone else 'neither'}", theme.quiet, "circle"),
    )
    rows: tuple[list[int], list[int], list[int]] = ([], [], [])
    for i, result in enumerate(results):
        if result is not None:
            p_a, p_b = _both(result, swapped)
            decided = at_most(np.array([p_a, p_b]), alpha)
            of_b = decided[1] and not of_a_alone
            rows[0 if decided[0] else 1 if of_b else 2].append(i)
    figure = go.Figure()
    for place, ((label, colour, symbol), members) in enumerate(zip(groups, rows, strict=True)):
        if of_a_alone and place == 1:
            continue
        chosen = [(i, results[i]) for i in members]
        shown = [(i, result) for i, result in chosen if result is not None]
        values = [sign * result.difference for _, result in shown]
        figure.add_trace(
            go.Scatter(
                x=values,
                y=[i for i, _ in shown],
                mode="markers",
                name=f"{label} ({len(shown)})",
                marker={"color": colour, "symbol": symbol, "size": 11},
                error_x=error_bars(
                    values, [_interval(result, sign) for _, result in shown], colour, width=4
                ),
                customdata=[
                    [escaped(datasets[i]), p_clause(_both(result, swapped)[0], alpha=alpha)]
                    for i, result in shown
                ],
                hovertemplate=(
                    f"%{{customdata[0]}}<br>{label_of_difference(higher_is_better)} = %{{x:.4g}}"
                    f"<br>A {better}: %{{customdata[1]}}<extra></extra>"
                ),
            )
        )
    figure.update_layout(showlegend=True)
    base_layout(figure, theme, height=min(_MOST_HEIGHT, 150 + _ROW_HEIGHT * len(datasets)))
    figure.update_yaxes(
        tickvals=list(range(len(datasets))),
        ticktext=[escaped(name) for name in datasets],
        range=[len(datasets) - 0.4, -0.6],
        showgrid=False,
    )
    levels = {result.confidence_level for result in results if result is not None} or {0.95}
    interval = f"{format_confidence(1.0 - max(levels))} interval"
    figure.update_xaxes(title_text=f"{label_of_difference(higher_is_better)}, {interval}")
    if margin:
        figure.add_vrect(
            x0=-margin, x1=margin, fillcolor=theme.grid, opacity=0.5, line_width=0, layer="below"
        )
    figure.add_vline(x=0.0, line={"color": theme.ink, "width": 1})
    return figure


def _both(result: SignificanceResult, swapped: bool) -> tuple[float, float]:
    p_a, p_b = result.p_value_greater, result.p_value_less
    return (p_b, p_a) if swapped else (p_a, p_b)


def _interval(result: SignificanceResult, sign: float) -> tuple[float, float] | None:
    if result.confidence_interval is None:
        return None
    low, high = result.confidence_interval
    return (low, high) if sign > 0 else (-high, -low)
