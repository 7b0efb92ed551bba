"""Effects with their intervals, and what they come to together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from core.charts.theme import LIGHT, ChartTheme, base_layout, escaped
from core.report.formatting import minus

if TYPE_CHECKING:
    import plotly.graph_objects as go

_ROW_HEIGHT = 26
_MOST_HEIGHT = 2400
_HALF_DIAMOND = 0.32


@dataclass(frozen=True, slots=True, kw_only=True)
class ForestRow:
    """One line of a forest plot.

    Attributes
    ----------
    kind : {"dataset", "combined", "heading"}
        A heading has nothing but its name.
    name : str
        What the line is of.
    estimate : float
        Positive where A is ahead.
    interval : tuple of float or None
        None where no interval is known.
    weight : float or None
        Share of a combined estimate, 0 to 1, shown by a mark's area.
    prediction : tuple of float or None
        Where a new dataset's effect is expected.
    """

    kind: Literal["dataset", "combined", "heading"]
    name: str
    estimate: float = 0.0
    interval: tuple[float, float] | None = None
    weight: float | None = None
    prediction: tuple[float, float] | None = None


def forest(
    rows: Sequence[ForestRow], *, effect_label: str, level: str = "95%", theme: ChartTheme = LIGHT
) -> go.Figure:
    """Draw each dataset's effect with its interval, combined ones as diamonds.

    Parameters
    ----------
    rows : sequence of ForestRow
        From top to bottom.
    effect_label : str
        Of the axis, such as "A − B in accuracy".
    level : str
        Of the intervals, as a reader sees it.
    theme : ChartTheme
        `LIGHT` or `DARK`.
    """
    import plotly.graph_objects as go

    figure = go.Figure()
    groups = (
        ("interval above 0: A ahead", theme.a, "triangle-right", _is_above),
        ("interval below 0: B ahead", theme.b, "triangle-left", _is_below),
        ("interval holds 0", theme.quiet, "square", _is_open),
        ("no interval known", theme.quiet, "circle-open", lambda row: row.interval is None),
    )
    heaviest = max((row.weight or 0.0 for row in rows), default=0.0)
    for label, colour, symbol, belongs in groups:
        members = [(y, row) for y, row in enumerate(rows) if row.kind == "dataset" and belongs(row)]
        if members:
            figure.add_trace(
                go.Scatter(
                    x=[row.estimate for _, row in members],
                    y=[y for y, _ in members],
                    mode="markers",
                    name=f"{label} ({len(members)})",
                    marker={
                        "color": colour,
                        "symbol": symbol,
                        "size": [_size(row.weight, heaviest) for _, row in members],
                        "opacity": 1,
                    },
                    error_x=_reach([row for _, row in members], colour),
                    customdata=[[escaped(row.name), _told(row, level)] for _, row in members],
                    hovertemplate="%{customdata[0]}<br>%{customdata[1]}<extra></extra>",
                )
            )
    combined = [(y, row) for y, row in enumerate(rows) if row.kind == "combined"]
    for y, row in combined:
        _prediction(figure, y, row, theme)
        _diamond(figure, y, row, level, theme)
    base_layout(figure, theme, height=min(_MOST_HEIGHT, 150 + _ROW_HEIGHT * len(rows)))
    figure.update_layout(showlegend=True)
    figure.update_yaxes(
        tickvals=list(range(len(rows))),
        ticktext=[
            escaped(row.name) if row.kind == "dataset" else f"<b>{escaped(row.name)}</b>"
            for row in rows
        ],
        range=[len(rows) - 0.4, -0.6],
        showgrid=False,
    )
    figure.update_xaxes(title_text=f"{effect_label} ({level})")
    figure.add_vline(x=0.0, line={"color": theme.ink, "width": 1})
    return figure


def _is_above(row: ForestRow) -> bool:
    return row.interval is not None and row.interval[0] > 0.0


def _is_below(row: ForestRow) -> bool:
    return row.interval is not None and row.interval[1] < 0.0


def _is_open(row: ForestRow) -> bool:
    return row.interval is not None and row.interval[0] <= 0.0 <= row.interval[1]


def _size(weight: float | None, heaviest: float) -> float:
    """Area by weight; a mark that nobody sees would hide a dataset."""
    if weight is None or heaviest <= 0.0:
        return 10.0
    return float(5.0 + 8.0 * (weight / heaviest) ** 0.5)


def _reach(rows: Sequence[ForestRow], colour: str) -> dict[str, object]:
    reach = [row.interval or (row.estimate, row.estimate) for row in rows]
    return {
        "type": "data",
        "symmetric": False,
        "array": [high - row.estimate for (_, high), row in zip(reach, rows, strict=True)],
        "arrayminus": [row.estimate - low for (low, _), row in zip(reach, rows, strict=True)],
        "color": colour,
        "thickness": 1.5,
        "width": 0,
    }


def _diamond(figure: go.Figure, y: int, row: ForestRow, level: str, theme: ChartTheme) -> None:
    import plotly.graph_objects as go

    low, high = row.interval or (row.estimate, row.estimate)
    figure.add_trace(
        go.Scatter(
            x=[low, row.estimate, high, row.estimate, low],
            y=[y, y - _HALF_DIAMOND, y, y + _HALF_DIAMOND, y],
            mode="lines",
            fill="toself",
            fillcolor=theme.ink,
            line={"color": theme.ink, "width": 1},
            hoverinfo="skip",
            showlegend=False,
        )
    )
    figure.add_trace(
        go.Scatter(
            x=[row.estimate],
            y=[y],
            mode="markers",
            marker={"color": theme.ink, "symbol": "diamond", "size": 9},
            customdata=[[escaped(row.name), _told(row, level)]],
            hovertemplate="%{customdata[0]}<br>%{customdata[1]}<extra></extra>",
            showlegend=False,
        )
    )


def _prediction(figure: go.Figure, y: int, row: ForestRow, theme: ChartTheme) -> None:
    import plotly.graph_objects as go

    if row.prediction is None:
        return
    figure.add_trace(
        go.Scatter(
            x=list(row.prediction),
            y=[y, y],
            mode="lines+markers",
            line={"color": theme.ink, "width": 1.5, "dash": "dot"},
            marker={"symbol": "line-ns-open", "size": 9, "color": theme.ink},
            name="a new dataset",
            hoverinfo="skip",
        )
    )


def _told(row: ForestRow, level: str) -> str:
    text = f"{minus(f'{row.estimate:.4g}')}"
    if row.interval is not None:
        low, high = row.interval
        text += f" ({level} interval {minus(f'{low:.4g}')} to {minus(f'{high:.4g}')})"
    if row.weight is not None:
        text += f"<br>weight {100 * row.weight:.1f}%"
    if row.prediction is not None:
        low, high = row.prediction
        text += f"<br>a new dataset: {minus(f'{low:.4g}')} to {minus(f'{high:.4g}')}"
    return text
