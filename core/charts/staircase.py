"""The staircase: how far up "at least u of N" the evidence reaches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..replicability.combinations import counting_method_named
from ..words.formatting import format_level
from ..words.subject import Claim
from .theme import (
    DASHES,
    LIGHT,
    ChartTheme,
    base_layout,
    drawn,
    level_line,
    p_clause,
    p_value_axis,
)

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from ..replicability.assessment import Answer
    from ..replicability.counting import Counting

MOST_MARKERS = 80
# Of the methods, in their order.
_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "star")


def staircase(
    answer: Answer,
    *,
    claim: Claim = "a-better",
    better: str = "better",
    theme: ChartTheme = LIGHT,
) -> go.Figure:
    """Draw p_*^{u/N} against u by every method, with alpha and the count in front.

    Parameters
    ----------
    answer : Answer
        Its method in front is drawn in the claim's colour, the others grey.
    claim : {"a-better", "b-better", "differ"}
        Gives the colour and the words of the axis.
    better : str
        What the tests claim of a system, as `Subject.in_short` has it.
    theme : ChartTheme
        `LIGHT` or `DARK`.
    """
    import plotly.graph_objects as go

    figure = go.Figure()
    ordered = sorted(
        answer.countings.values(), key=lambda counting: counting.combination == answer.combination
    )
    lowest = min(float(c.partial_conjunction_p_values[0]) for c in ordered)
    for counting in ordered:
        in_front = counting.combination == answer.combination
        colour = theme.of(claim) if in_front else theme.quiet
        place = list(answer.countings).index(counting.combination)
        figure.add_trace(_steps(counting, colour, in_front, place))
    base_layout(figure, theme)
    figure.update_yaxes(title_text="p-value of the claim", **p_value_axis(lowest))
    n = answer.p_values.size
    figure.update_xaxes(
        title_text=f"u: {_words(claim, better)} on at least u of {n}",
        range=[0.4, n + 0.6],
        tickvals=_ticks(n),
    )
    level_line(figure, answer.alpha, f"α = {format_level(answer.alpha)}", theme, is_beside=True)
    _mark_count(figure, answer, theme, theme.of(claim))
    return figure


def _steps(counting: Counting, colour: str, in_front: bool, place: int) -> go.Scatter:
    import plotly.graph_objects as go

    n = counting.n_datasets
    u = list(range(1, n + 1))
    exact = [
        p_clause(float(p), alpha=counting.alpha) for p in counting.partial_conjunction_p_values
    ]
    line: dict[str, Any] = {
        "color": colour,
        "width": 3 if in_front else 1.5,
        "dash": DASHES[place % len(DASHES)],
        "shape": "hvh",
    }
    return go.Scatter(
        x=u,
        y=drawn(counting.partial_conjunction_p_values.tolist()),
        customdata=exact,
        mode="lines+markers" if n <= MOST_MARKERS else "lines",
        name=f"{counting_method_named(counting.combination).title}: k̂ = {counting.k_hat}",
        line=line,
        marker={
            "symbol": _SYMBOLS[place % len(_SYMBOLS)],
            "size": (9 if in_front else 6) if n <= 15 else (6 if in_front else 4),
            "color": colour,
        },
        hovertemplate=(
            f"at least %{{x}} of {n}<br>%{{customdata}}"
            f"<extra>{counting_method_named(counting.combination).title}</extra>"
        ),
    )


def _mark_count(figure: go.Figure, answer: Answer, theme: ChartTheme, colour: str) -> None:
    k_hat = answer.k_hat
    if k_hat == 0:
        return
    figure.add_shape(
        type="line",
        x0=k_hat,
        x1=k_hat,
        yref="paper",
        y0=0,
        y1=1,
        line={"color": colour, "width": 1.5, "dash": "dot"},
    )
    figure.add_annotation(
        x=k_hat,
        yref="paper",
        # Right of the count the claims in front lie above alpha: below them is room.
        y=1 if k_hat == answer.p_values.size else 0.02,
        yanchor="top" if k_hat == answer.p_values.size else "bottom",
        xanchor="right" if k_hat == answer.p_values.size else "left",
        text=f" k̂ = {k_hat} ",
        showarrow=False,
        bgcolor=theme.page,
        font={"color": theme.ink, "size": 15},
    )


def _ticks(n: int) -> list[int]:
    """About ten of 1 to n; 0 is no claim."""
    step = next(s for s in (1, 2, 5, 10, 20, 50, 100, 200, 500, 10**9) if n <= 12 * s)
    return [1] if step > n else [*range(step, n + 1, step)]


def _words(claim: Claim, better: str) -> str:
    system = {"a-better": "A", "b-better": "B"}.get(claim)
    return f"{system} {better}" if system else "they differ"
