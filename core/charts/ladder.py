"""The ladder: sorted p-values against the thresholds of a procedure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..replicability.identification import procedure_named
from ..words.formatting import format_thresholds
from ..words.subject import Claim
from .theme import (
    LIGHT,
    MOST_NAMED_TICKS,
    ChartTheme,
    base_layout,
    drawn,
    escaped,
    p_clause,
    p_value_axis,
)

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from ..replicability.identification import Identification

_STEP_DOWN = {"holm"}


def ladder(
    identification: Identification,
    datasets: Sequence[str],
    *,
    claim: Claim = "a-better",
    theme: ChartTheme = LIGHT,
) -> go.Figure:
    """Draw sorted p-values with dataset names against each one's threshold, on a log axis.

    Parameters
    ----------
    identification : Identification
        P-values, thresholds and who is named.
    datasets : sequence of str, length N
        Names in the order of the p-values.
    claim : {"a-better", "b-better", "differ"}
        Gives the colour of the named.
    theme : ChartTheme
        `LIGHT` or `DARK`.
    """
    import plotly.graph_objects as go

    order = np.argsort(identification.p_values, kind="stable")
    n = order.size
    ranks = np.arange(1, n + 1)
    p_values = identification.p_values[order]
    thresholds = identification.thresholds[order]
    named = identification.rejected[order]
    adjusted, alpha = identification.adjusted_p_values[order], identification.alpha
    names = [escaped(datasets[i]) for i in order]
    written = format_thresholds(thresholds.tolist())
    ticks = [
        f"<b>★ {escaped(datasets[i], most=16)}</b>" if star else escaped(datasets[i], most=16)
        for i, star in zip(order, named.tolist(), strict=True)
    ]
    procedure = procedure_named(identification.procedure).title

    figure = go.Figure()
    figure.add_trace(
        go.Scatter(
            x=ranks.tolist(),
            y=drawn(thresholds.tolist()),
            mode="lines",
            name=f"threshold ({procedure})",
            line={"color": theme.ink, "width": 1.5, "dash": "dash", "shape": "hvh"},
            hoverinfo="skip",
        )
    )
    marks = (("★ named", named, theme.of(claim), "star", 13), ("not named", ~named, "", "", 8))
    for label, chosen, colour, symbol, size in marks:
        figure.add_trace(
            go.Scatter(
                x=ranks[chosen].tolist(),
                y=drawn(p_values[chosen].tolist()),
                mode="markers",
                name=f"{label} ({int(chosen.sum())})",
                marker={
                    "symbol": symbol or "circle-open",
                    "size": size if n <= 100 else max(5, size - 5),
                    "color": colour or theme.quiet,
                    "line": {"width": 1.5 if n <= 100 else 0},
                },
                customdata=[
                    [
                        names[i],
                        p_clause(float(p_values[i]), alpha=alpha),
                        written[i],
                        p_clause(float(adjusted[i]), alpha=alpha),
                    ]
                    for i in np.flatnonzero(chosen)
                ],
                hovertemplate=(
                    "%{customdata[0]}<br>%{customdata[1]}, threshold %{customdata[2]}"
                    "<br>adjusted %{customdata[3]}<extra></extra>"
                ),
            )
        )
    base_layout(figure, theme, height=430)
    lowest = float(min(p_values.min(initial=1.0), thresholds.min(initial=1.0)))
    figure.update_yaxes(title_text="p-value", **p_value_axis(lowest))
    figure.update_xaxes(title_text="datasets by p-value", range=[0.4, n + 0.6], showgrid=False)
    if n <= MOST_NAMED_TICKS:
        figure.update_xaxes(tickvals=ranks.tolist(), ticktext=ticks, tickangle=-90 if n > 8 else 0)
    else:
        figure.update_xaxes(title_text="rank by p-value", tickformat="d")
    _mark_first_failure(figure, identification, p_values, named, names, theme)
    return figure


def _mark_first_failure(
    figure: go.Figure,
    identification: Identification,
    p_values: np.ndarray,
    named: np.ndarray,
    names: list[str],
    theme: ChartTheme,
) -> None:
    if bool(named.all()):
        return
    first = int(np.argmin(named))
    words = "Holm stops here" if identification.procedure in _STEP_DOWN else "first not named"
    clause = p_clause(float(p_values[first]), alpha=identification.alpha)
    figure.add_annotation(
        x=first + 1,
        y=float(np.log10(drawn([float(p_values[first])])[0])),
        # In one line it would leave a narrow screen.
        text=f"{words}:<br>{names[first]}, {clause}",
        align="left",
        showarrow=True,
        arrowhead=2,
        arrowcolor=theme.ink,
        # Below and to the right of the first failure no p-value can lie.
        ax=24 if first < named.size / 2 else -24,
        ay=56,
        xanchor="left" if first < named.size / 2 else "right",
        bgcolor=theme.page,
        font={"color": theme.ink},
    )
