"""The difference on each dataset with its interval, and both directions as one bar of N datasets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from ..validation import at_most
from ..words.formatting import format_confidence, format_level, label_of_difference
from .forest import ForestRow, forest
from .theme import LIGHT, ChartTheme, base_layout, escaped, p_clause, side_labels
from .theme import graph_objects as go

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..significance.result import Turned


def differences(
    results: Sequence[Turned | None],
    datasets: Sequence[str],
    *,
    alpha: float,
    higher_is_better: bool = True,
    better: str = "better",
    of_a_alone: bool = False,
    theme: ChartTheme = LIGHT,
) -> go.Figure:
    """Draw A − B on every tested dataset with its interval, at a margin with the band within it.

    Parameters
    ----------
    results : sequence of Turned or None, length N
        None where a dataset is not tested.
    datasets : sequence of str, length N
        Their names.
    alpha : float
        A dataset is marked where the p-value of one direction is at most this.
    higher_is_better : bool
        Whether A − B or B − A is positive where A is better.
    better : str
        What the tests claim of a system, as `Subject.in_short` has it.
    of_a_alone : bool
        Whether the claim is asked of A alone, as it may well be true of both.
    theme : ChartTheme
        `LIGHT` or `DARK`.
    """
    level = format_level(alpha)
    rows, margins = [], {}
    for name, one in zip(datasets, results, strict=True):
        if one is None:
            continue
        margins[name] = one.result.margin
        rows.append(
            ForestRow(
                kind="dataset",
                name=name,
                estimate=one.difference,
                interval=one.interval,
                side=side_of(one, alpha=alpha, of_a_alone=of_a_alone),
                told=f"A {better}: {p_clause(one.p_a, alpha=alpha)}",
            )
        )
    levels = {one.result.confidence_level for one in results if one is not None} or {0.95}
    return forest(
        sorted(rows, key=lambda row: -row.estimate),
        effect_label=label_of_difference(higher_is_better),
        level=format_confidence(1.0 - max(levels)),
        sides=(f"A {better}, p ≤ {level}", "" if of_a_alone else f"B {better}, p ≤ {level}"),
        grey=f"p > {level}",
        margins=margins if any(margins.values()) else None,
        theme=theme,
    )


def side_of(one: Turned, *, alpha: float, of_a_alone: bool) -> Literal["a", "b", "open"]:
    """For whom a dataset speaks: whose one-sided p-value is at most `alpha`."""
    of_a, of_b = at_most(np.array([one.p_a, one.p_b]), alpha)
    return "a" if of_a else "b" if of_b and not of_a_alone else "open"


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
                name=_side(name, length) if bounded else f"{name}: {length}",
                marker={"color": colour, "line": {"color": theme.ink, "width": 1}},
                text=[_SIGNS.get(name[0], "") + str(length)]
                if length > _NARROWEST * n_datasets
                else [""],
                textposition="inside",
                insidetextanchor="middle",
                textangle=0,
                textfont={"color": ink, "size": theme.size + 2},
                hovertemplate=f"{name}: {length:,} of {n_datasets:,}<extra></extra>",
            )
        )
    base_layout(figure, theme, height=94 + 4 * theme.size)
    figure.update_layout(
        barmode="stack", bargap=0.1, showlegend=False, margin={"t": 3 * theme.size}
    )
    side_labels(
        figure,
        theme,
        right=_side(f"B: {b} {better}", k_b),
        left=_side(f"A: {a} {better}", k_a),
        a_is_right=False,
    )
    figure.update_xaxes(
        range=[0, n_datasets],
        title_text=f"datasets, of {n_datasets:,}",
        tickformat="d",
        dtick=1 if n_datasets <= 12 else None,
        showgrid=False,
    )
    figure.update_yaxes(showticklabels=False)
    return figure


def _side(claim: str, k: int) -> str:
    return f"{claim} on at least {k}" if k else f"{claim}: no evidence"
