"""P-values in their order: beside their thresholds, on a ladder of steps, as counts by level, and possible ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..replicability.assessment import Answer
from ..replicability.combinations import counting_method_named
from ..replicability.counting import Counting
from ..replicability.identification import Identification, procedure_named
from ..simulation.runs import Draw
from ..types import BoolArray
from ..validation import at_most
from ..words.formatting import format_level, format_p_value, format_thresholds
from ..words.subject import Claim
from .theme import (
    DASHES,
    LIGHT,
    LOWEST_DRAWN,
    ChartTheme,
    add_points,
    base_layout,
    drawn,
    escaped,
    level_line,
    note,
    p_clause,
    p_value_axis,
    shortened,
)
from .theme import graph_objects as go

# Which points are alike, what they are called, and their mark: symbol, colour, size.
_Group = tuple[BoolArray, str, str, str, int]


def draw_chart(draw: Draw, *, height: int = 360, theme: ChartTheme = LIGHT) -> go.Figure:
    """Draw a study's sorted p-values on a log axis against alpha and alpha/N.

    Where it does not say on which datasets A is better, all points are alike.
    """
    order = np.argsort(draw.p_values, kind="stable")
    below = at_most(draw.p_values[order], draw.alpha)
    level = format_level(draw.alpha)
    groups: list[_Group] = [
        (below, f"p ≤ {level}", "circle", theme.ink, 8),
        (~below, f"p > {level}", "circle-open", theme.quiet, 6),
    ]
    if draw.truly_better is not None:
        better = draw.truly_better[order]
        groups = [
            (better & below, f"A truly better, p ≤ {level}", "circle", theme.a, 8),
            (better & ~below, f"A truly better, p > {level}", "circle-open", theme.a, 8),
            (~better & below, f"wrong wins: not better, p ≤ {level}", "x", theme.alert, 9),
            (~better & ~below, f"not better, p > {level}", "circle-open", theme.quiet, 6),
        ]
    ordered = draw.p_values[order]
    ranks = np.arange(1, ordered.size + 1)
    figure = go.Figure()
    for chosen, name, symbol, colour, size in groups:
        if not chosen.any():
            continue
        add_points(
            figure,
            ranks[chosen].tolist(),
            drawn(ordered[chosen].tolist()),
            name=f"{name} ({int(chosen.sum())})",
            mark=(symbol, size, colour),
            told=[
                f"dataset {i + 1}: {p_clause(float(draw.p_values[i]), alpha=draw.alpha)}"
                for i in order[chosen].tolist()
            ],
        )
    base_layout(figure, theme, height=height)
    threshold = draw.alpha / ordered.size
    figure.update_yaxes(title_text="p-value", **p_value_axis(min(float(ordered[0]), threshold)))
    figure.update_xaxes(
        title_text="datasets by p-value", range=[0, ordered.size + 1], tickvals=_ticks(ordered.size)
    )
    level_line(figure, draw.alpha, f"α = {level}", theme)
    if ordered.size > 1:
        shown = format_level(float(f"{threshold:.2g}"))
        level_line(figure, threshold, f"α/N = {shown} (Bonferroni)", theme)
    return figure


def _ticks(n_datasets: int, most: int = 6) -> list[int]:
    """At most so many ranks or counts; 0 is none, and its label would lie below the lowest p-value's."""
    decades = (10**power for power in range(len(str(n_datasets)) + 1))
    steps = [factor * decade for decade in decades for factor in (1, 2, 5)]
    step = next(step for step in steps if n_datasets <= most * step)
    return [1] if step > n_datasets else list(range(step, n_datasets + 1, step))


def ladder(
    identification: Identification,
    datasets: Sequence[str],
    *,
    claim: Claim = "a-better",
    theme: ChartTheme = LIGHT,
) -> go.Figure:
    """Draw sorted p-values with dataset names against each one's threshold, on a log axis.

    `datasets` are in the order of the p-values; the named ones have the colour of the `claim`.
    """
    order = np.argsort(identification.p_values, kind="stable")
    n = order.size
    ranks = np.arange(1, n + 1)
    p_values = identification.p_values[order]
    thresholds = identification.thresholds[order]
    named = identification.rejected[order]
    adjusted, alpha = identification.adjusted_p_values[order], identification.alpha
    names = [escaped(datasets[i]) for i in order]
    written = format_thresholds(thresholds.tolist())
    cut = shortened([datasets[i] for i in order], most=16)
    ticks = [f"<b>★ {name}</b>" if star else name for name, star in zip(cut, named, strict=True)]
    procedure = procedure_named(identification.procedure).title

    figure = go.Figure()
    steps = {"color": theme.ink, "width": 1.5, "dash": "dash", "shape": "hvh"}
    name = f"threshold ({procedure})"
    add_points(figure, ranks.tolist(), drawn(thresholds.tolist()), line=steps, name=name)
    marks = (
        ("★ significant", named, theme.of(claim), "star", 13),
        ("not significant", ~named, theme.quiet, "circle-open", 8),
    )
    for label, chosen, colour, symbol, size in marks:
        add_points(
            figure,
            ranks[chosen].tolist(),
            drawn(p_values[chosen].tolist()),
            name=f"{label} ({int(chosen.sum())})",
            mark=(symbol, size if n <= 100 else max(5, size - 5), colour),
            marker={"line": {"width": 1.5 if n <= 100 else 0}},
            told=[
                f"{names[i]}<br>{p_clause(float(p_values[i]), alpha=alpha)}, threshold {written[i]}"
                f"<br>adjusted {p_clause(float(adjusted[i]), alpha=alpha)}"
                for i in np.flatnonzero(chosen)
            ],
        )
    base_layout(figure, theme, height=460)
    lowest = float(min(p_values.min(initial=1.0), thresholds.min(initial=1.0)))
    figure.update_yaxes(title_text="p-value", **p_value_axis(lowest))
    # Of categories plotly names as many as there is room for, and turns them where they would touch.
    figure.update_xaxes(
        title_text="datasets by p-value",
        type="category",
        labelalias=dict(zip(map(str, ranks.tolist()), ticks, strict=True)),
        autotickangles=[0, -90],
        range=[-0.6, n - 0.4],
        showgrid=False,
    )
    _mark_first_failure(figure, identification, p_values, named, cut, theme)
    return figure


# Of the axis' length, what the label needs above all p-values.
_ROOM_ABOVE = 1 / 4


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
    words = "Holm stops here" if identification.procedure == "holm" else "first not significant"
    clause = p_clause(float(p_values[first]), alpha=identification.alpha)
    # Above 1 there is neither a p-value nor a threshold that the label could lie over.
    bottom, top = figure.layout.yaxis.range
    top += _ROOM_ABOVE * (top - bottom)
    figure.update_yaxes(range=[bottom, top])
    figure.add_annotation(
        x=first,
        y=float(np.log10(drawn([float(p_values[first])])[0])),
        # In one line it would leave a narrow screen.
        text=f"{words}:<br>{names[first]}, {clause}",
        showarrow=True,
        arrowhead=2,
        arrowcolor=theme.ink,
        ax=0,
        ay=top,
        ayref="y",
        borderpad=4,
        yanchor="top",
        **dict.fromkeys(("xanchor", "align"), "left" if first < named.size / 2 else "right"),
        font={"color": theme.ink},
    )


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
    """Draw p_*^{u/N} against u by every method.

    With alpha and the count in front, which has the claim's colour.
    """
    figure = go.Figure()
    ordered = sorted(
        answer.countings.values(), key=lambda counting: counting.combination == answer.combination
    )
    lowest = min(answer.alpha, *(float(c.partial_conjunction_p_values[0]) for c in ordered))
    for counting in ordered:
        in_front = counting.combination == answer.combination
        colour = theme.of(claim) if in_front else theme.quiet
        place = list(answer.countings).index(counting.combination)
        _add_steps(figure, counting, colour, in_front, place)
    base_layout(figure, theme)
    axis = p_value_axis(lowest)
    # Room for the count above every claim, wherever it lies.
    axis["range"][1] += 0.1 * (axis["range"][1] - axis["range"][0])
    figure.update_yaxes(title_text="p-value of the claim", **axis)
    n = answer.p_values.size
    figure.update_xaxes(
        title_text=f"u: {_words(claim, better)} on at least u of {n:,}",
        range=[0.4, n + 0.6],
        tickvals=_ticks(n, most=12),
    )
    level_line(
        figure, answer.alpha, f"α = {format_level(answer.alpha)}", theme, anchor="left middle"
    )
    _mark_count(figure, answer, theme, theme.of(claim))
    return figure


def _add_steps(
    figure: go.Figure, counting: Counting, colour: str, in_front: bool, place: int
) -> None:
    n, title = counting.n_datasets, counting_method_named(counting.combination).title
    p_values = counting.partial_conjunction_p_values.tolist()
    size = (9 if in_front else 6) if n <= 15 else (6 if in_front else 4)
    line = {"color": colour, "width": 3 if in_front else 1.5, "shape": "hvh"}
    add_points(
        figure,
        list(range(1, n + 1)),
        drawn(p_values),
        name=f"{title}: k̂ = {counting.k_hat}",
        line={**line, "dash": DASHES[place % len(DASHES)]},
        mark=(_SYMBOLS[place % len(_SYMBOLS)], size, colour) if n <= MOST_MARKERS else None,
        told=[
            f"{title}: at least {u} of {n:,}<br>{p_clause(p, alpha=counting.alpha)}"
            for u, p in enumerate(p_values, start=1)
        ],
    )


def _mark_count(figure: go.Figure, answer: Answer, theme: ChartTheme, colour: str) -> None:
    k_hat = answer.k_hat
    if k_hat == 0:
        return
    figure.add_vline(x=k_hat, line={"color": colour, "width": 1.5, "dash": "dot"})
    place = {"x": k_hat, "yref": "paper", "y": 1, "font_size": 15}
    note(figure, f" k̂ = {k_hat} ", theme.ink, anchor="center top", bgcolor=theme.page, **place)


def _words(claim: Claim, better: str) -> str:
    system = {"a-better": "A", "b-better": "B"}.get(claim)
    return f"{system} {better}" if system else "they differ"


_STUB = 1.25


def _written(ranges: Sequence[tuple[float, float]]) -> str:
    return " or ".join(" to ".join(format_p_value(p, digits=2) for p in ends) for ends in ranges)


def possible_ranges(
    datasets: Sequence[str],
    *,
    printed: Sequence[float],
    ranges: Sequence[Sequence[tuple[float, float]]],
    fits: Sequence[bool],
    theme: ChartTheme = LIGHT,
) -> go.Figure:
    """Draw each dataset's possible p-values as bars and its printed one as a mark, on a log axis.

    From top to bottom; all sequences have length N. `ranges` are what the scores leave possible, over
    all tests in use, for either system: intervals that do not meet, each a bar of its own, so that a
    p-value between them is seen there. `fits`: whether some test in use can give the printed p-value.
    """
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
    name = "possible beside the scores, by any test in use"
    add_points(figure, x, y, line={"color": theme.quiet, "width": 9}, opacity=0.6, name=name)
    marks = (
        ("● printed, possible", True, "circle", theme.ink),
        ("✗ printed, not by a test<br>on these examples", False, "x", theme.alert),
    )
    said = ["bars: possible by any test in use"]
    for label, is_fitting, symbol, colour in marks:
        chosen = [i for i in positions if fits[i] == is_fitting]
        if chosen:
            said.append(f"<span style='color:{colour}'>{label} ({len(chosen)})</span>")
        add_points(
            figure,
            drawn([printed[i] for i in chosen]),
            chosen,
            name=f"{label} ({len(chosen)})",
            mark=(symbol, 11, colour),
            marker={"line": {"color": theme.page, "width": 1.5}},
            told=[
                f"{escaped(datasets[i])}<br>printed p = {format_p_value(printed[i], digits=6)}"
                f"<br>possible by any test in use: {_written(ranges[i])}"
                for i in chosen
            ],
        )
    base_layout(figure, theme, height=150 + 26 * len(datasets), top=16, showlegend=False)
    lowest = min((*printed, *(low for each in ranges for low, _ in each)), default=LOWEST_DRAWN)
    figure.update_xaxes(title_text="<br>".join(["p-value", *said]), **p_value_axis(lowest))
    figure.update_yaxes(
        tickvals=positions,
        ticktext=[escaped(name, most=16) for name in datasets],
        range=[len(datasets) - 0.4, -0.6],
        showgrid=False,
    )
    return figure
