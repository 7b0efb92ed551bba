"""Differences and effects with their intervals, what they come to together, and how many are won."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from ..comparison import COLUMN, margin_of_all
from ..effects.dataset_effects import Average, CombinedEffects, DatasetEffects, title_of_way
from ..effects.meta_analysis import MetaAnalysis, meta_analysis
from ..significance.single import SignificanceResult
from ..validation import at_most
from ..words.formatting import (
    display_name,
    format_confidence,
    format_level,
    label_of_difference,
    minus,
    sentence_case,
)
from .theme import (
    LIGHT,
    ChartTheme,
    add_points,
    base_layout,
    error_bars,
    escaped,
    p_clause,
    shortened,
    side_labels,
)
from .theme import graph_objects as go

_ROW_HEIGHT, _SMALL_ROW = 26, 15
# From here on rows are smaller, and every one has its name beside it while there is room.
_MANY = 50
_MOST_HEIGHT = 3400
_HALF_DIAMOND = 0.32
# Of datasets and of the systems above them, so that a telephone has room for the plot.
_LONGEST_NAME, _LONGEST_SYSTEM = 24, 16
# Names and the title of the axis together, as it stands under the plot alone.
_MOST_IN_A_ROW = 48

_Interval = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class ForestRow:
    """One line of a forest plot.

    A heading has nothing but its name. The estimate is positive where A is ahead; `weight` is a share of a
    combined estimate, shown by a mark's area; `prediction` is where a new dataset's effect is
    expected. The diamond of the estimate in `front` is filled. `side` is for whom a dataset speaks,
    None where its interval says it; `told` is a line more for hovering.
    """

    kind: Literal["dataset", "combined", "heading"]
    name: str
    estimate: float = 0.0
    interval: tuple[float, float] | None = None
    weight: float | None = None
    prediction: tuple[float, float] | None = None
    front: bool = False
    side: Literal["a", "b", "open"] | None = None
    told: str = ""


def forest(
    rows: Sequence[ForestRow],
    *,
    effect_label: str,
    level: str = "95%",
    sides: tuple[str, str] = ("A ahead", "B ahead"),
    grey: str = "the interval contains 0",
    margins: Mapping[str, float] | None = None,
    theme: ChartTheme = LIGHT,
) -> go.Figure:
    """Draw each dataset's effect with its interval, combined ones as diamonds, from top to bottom.

    Marks are in A's colour where a dataset speaks for A, in B's for B, else in grey, which says what
    `grey` does. An interval of combined ones that would make all others too small to read is cut,
    with an arrow where it goes on. `sides` are what a positive and a negative effect say, above the
    plot; either may be empty. `margins` are of a claim: the band within a dataset's is drawn in its
    row, and in the rows of combined ones where all have the same.
    """
    figure = go.Figure()
    positive, negative = (escaped(text, most=40) for text in sides)
    groups = (
        (positive or "above 0", theme.a, "triangle-right", "a"),
        (negative or "below 0", theme.b, "triangle-left", "b"),
        (grey, theme.quiet, "circle", "open"),
        ("no interval known", theme.quiet, "circle-open", "unknown"),
    )
    heaviest = max((row.weight or 0.0 for row in rows), default=0.0)
    many = len(rows) > _MANY
    for label, colour, symbol, side in groups:
        members = [
            (y, row) for y, row in enumerate(rows) if row.kind == "dataset" and _side(row) == side
        ]
        if members:
            estimates = [row.estimate for _, row in members]
            intervals = [row.interval for _, row in members]
            sizes = [_size(row.weight, heaviest, many=many) for _, row in members]
            add_points(
                figure,
                estimates,
                [y for y, _ in members],
                name=label,
                mark=(symbol, sizes, colour),
                marker={"opacity": 1},
                error_x=error_bars(estimates, intervals, colour, width=0),
                told=[_told(row, level) for _, row in members],
            )
    band = _band(rows, margins or {})
    limits = _limits(rows, max(band, default=0.0))
    for y, row in enumerate(rows):
        if row.kind == "combined":
            _draw_combined(figure, y, row, limits, level, theme)
    height = _SMALL_ROW if many else _ROW_HEIGHT
    base_layout(figure, theme, height=min(_MOST_HEIGHT, 150 + height * len(rows)), showlegend=False)
    # Where names would lie over each other every so many rows have theirs, the first that combines too.
    step = math.ceil(height * len(rows) / (_MOST_HEIGHT - 150))
    first = next((y for y, row in enumerate(rows) if row.kind == "combined"), 0)
    names = shortened([row.name for row in rows], most=_LONGEST_NAME)
    longest = max(map(len, names), default=0)
    side_labels(figure, theme, right=positive, left=negative, beside=longest)
    figure.update_yaxes(
        tickvals=list(range(len(rows))),
        ticktext=[
            "" if (y - first) % step else name if row.kind == "dataset" else f"<b>{name}</b>"
            for y, (name, row) in enumerate(zip(names, rows, strict=True))
        ],
        range=[len(rows) - 0.4, -0.6],
        showgrid=False,
    )
    if many:
        figure.update_yaxes(tickfont={"color": theme.ink, "size": 11})
    drawn = {_side(row) for row in rows if row.kind == "dataset"}
    said = {
        f"grey: {grey}": "open" in drawn,
        "open circles: no interval known": "unknown" in drawn,
        "shaded: within the margin": any(band),
        "dotted: a new dataset's effect": any(row.prediction for row in rows),
    }
    title = f"{escaped(effect_label, most=60)}, {level} intervals"
    if len(title) + longest > _MOST_IN_A_ROW:
        title = title.replace(f", {level}", f",<br>{level}")
    figure.update_xaxes(
        title_text="<br>".join([title, *(text for text, holds in said.items() if holds)]),
        range=limits,
    )
    if any(band):
        edges = [(x, y + end) for y, x in enumerate(band) for end in (-0.5, 0.5)]
        corners = [*edges, *((-x, y) for x, y in reversed(edges))]
        path = " L ".join(f"{x!r} {y}" for x, y in corners)
        look = {"fillcolor": theme.grid, "opacity": 0.5, "line_width": 0, "layer": "below"}
        figure.add_shape(type="path", path=f"M {path} Z", **look)
    figure.add_vline(x=0.0, line={"color": theme.ink, "width": 1})
    return figure


def _band(rows: Sequence[ForestRow], margins: Mapping[str, float]) -> list[float]:
    """How far the band goes on either side of 0 in each row."""
    of_all = margin_of_all(margins.get(row.name, 0.0) for row in rows if row.kind == "dataset")
    combined = 0.0 if of_all == COLUMN else of_all
    return [margins.get(row.name, 0.0) if row.kind == "dataset" else combined for row in rows]


def _limits(rows: Sequence[ForestRow], margin: float) -> list[float]:
    """The axis: the widest margin, every dataset's interval, every estimate, and half as much again for the others."""
    datasets = [row for row in rows if row.kind == "dataset"]
    ends = [-margin, 0.0, margin, *(row.estimate for row in rows if row.kind != "heading")]
    ends += [end for row in datasets for end in row.interval or ()]
    low, high = min(ends), max(ends)
    room = 0.5 * (high - low) or 1.0
    others = [end for row in rows if row.kind == "combined" for end in row.interval or ()]
    others += [end for row in rows for end in row.prediction or ()]
    edge = 0.04 * (high - low) or 0.5
    return [
        max(low - room, min([low, *others])) - edge,
        min(high + room, max([high, *others])) + edge,
    ]


def _side(row: ForestRow) -> str:
    if row.side is not None or row.interval is None:
        return row.side or "unknown"
    return "a" if row.interval[0] > 0.0 else "b" if row.interval[1] < 0.0 else "open"


def _size(weight: float | None, heaviest: float, *, many: bool) -> float:
    """Area by weight; a mark that nobody sees would hide a dataset."""
    if weight is None or heaviest <= 0.0:
        return 7.0 if many else 10.0
    return float(5.0 + (4.0 if many else 8.0) * (weight / heaviest) ** 0.5)


def _draw_combined(
    figure: go.Figure,
    y: int,
    row: ForestRow,
    limits: Sequence[float],
    level: str,
    theme: ChartTheme,
) -> None:
    """A diamond, where a new dataset is expected, and arrows where either goes on beyond the plot."""

    def within(interval: _Interval) -> _Interval:
        return max(interval[0], limits[0]), min(interval[1], limits[1])

    if row.prediction is not None:
        add_points(
            figure,
            list(within(row.prediction)),
            [y, y],
            line={"color": theme.ink, "width": 1.5, "dash": "dot"},
            mark=("line-ns-open", 9, theme.ink),
            name="a new dataset",
        )
    low, high = within(row.interval or (row.estimate, row.estimate))
    colour = theme.ink if row.front else theme.quiet
    add_points(
        figure,
        [low, row.estimate, high, row.estimate, low],
        [y, y - _HALF_DIAMOND, y, y + _HALF_DIAMOND, y],
        line={"color": colour, "width": 1.5},
        fill="toself",
        fillcolor=theme.ink if row.front else theme.page,
        showlegend=False,
    )
    edge = 0.012 * (limits[1] - limits[0])
    for start, end in filter(None, (row.prediction, row.interval)):
        for is_beyond, x, symbol in (
            (start < limits[0], limits[0] + edge, "triangle-left"),
            (end > limits[1], limits[1] - edge, "triangle-right"),
        ):
            if is_beyond:
                mark = (symbol, 12, theme.ink)
                add_points(figure, [x], [y], mark=mark, name="goes on", showlegend=False)
    add_points(
        figure,
        [row.estimate],
        [y],
        mark=("diamond", 9 if row.front else 6, colour),
        told=[_told(row, level)],
        showlegend=False,
    )


def _told(row: ForestRow, level: str) -> str:
    text = f"{escaped(row.name)}<br>{minus(f'{row.estimate:.4g}')}"
    if row.interval is not None:
        text += f" ({level} interval {_span(row.interval)})"
    if row.weight is not None:
        text += f"<br>weight {100 * row.weight:.1f}%"
    if row.prediction is not None:
        text += f"<br>a new dataset: {_span(row.prediction)}"
    return f"{text}<br>{row.told}" if row.told else text


def _span(interval: _Interval) -> str:
    return " to ".join(minus(f"{end:.4g}") for end in interval)


def sides(effects: DatasetEffects, systems: tuple[str, str]) -> tuple[str, str]:
    """What a positive and a negative effect say; of effects as given nothing is known of that."""
    if effects.is_given:
        return "above 0", "below 0"
    first, second = (display_name(name, most=_LONGEST_SYSTEM) for name in systems)
    return f"{first} ahead", f"{second} ahead"


def forest_rows(
    combined: CombinedEffects,
    *,
    order: Sequence[int] | None = None,
    groups: Mapping[str, Sequence[int]] | None = None,
) -> list[ForestRow]:
    """The lines of a forest plot: datasets, group by group, then what they come to.

    `order` and `groups` hold places of datasets; by default the largest effect comes first.
    """
    effects = combined.effects
    places = np.argsort(-effects.effects, kind="stable").tolist() if order is None else order
    groups = {} if groups is None else groups
    intervals = effects.intervals(combined.macro.confidence_level)
    weights: dict[int, float] = {}
    if combined.random is not None and combined.front == "random":
        weights = dict(zip(combined.weighed, combined.random.weights.tolist(), strict=True))

    def of(i: int) -> ForestRow:
        return ForestRow(
            kind="dataset",
            name=effects.datasets[i],
            estimate=float(effects.effects[i]),
            interval=intervals[i],
            weight=weights.get(i),
        )

    rows: list[ForestRow] = []
    grouped: set[int] = set()
    for name, members in groups.items():
        rows.append(ForestRow(kind="heading", name=name))
        rows += [of(i) for i in places if i in members]
        grouped.update(members)
        rows += _of_group(combined, name, members)
    others = [i for i in places if i not in grouped]
    if others and groups:
        rows.append(ForestRow(kind="heading", name="in no group"))
    rows += [of(i) for i in others]
    if effects.n_datasets == 1:
        return rows
    if groups:
        rows.append(ForestRow(kind="heading", name="all datasets"))
    return [*rows, *_all_combined(combined)]


def _all_combined(combined: CombinedEffects) -> list[ForestRow]:
    """The estimate of the answer first."""
    macro = _combined(combined.macro.kind, combined.macro, front=combined.front == "macro-average")
    found = []
    random, fixed, micro = combined.random, combined.fixed, combined.micro
    if random is not None and random.n_datasets > 1:
        row = replace(_combined(random.model, random), interval=random.interval)
        if combined.front == "random":
            row = replace(row, prediction=random.new_dataset_interval, front=True)
        found.append(row)
    if fixed is not None and fixed.n_datasets > 1:
        found.append(_combined(fixed.model, fixed))
    found = [macro, *found] if macro.front else [*found, macro]
    return found if micro is None else [*found, _combined(micro.kind, micro)]


def _combined(way: str, one: MetaAnalysis | Average, *, front: bool = False) -> ForestRow:
    return ForestRow(
        kind="combined",
        name=sentence_case(title_of_way(way)),
        estimate=one.estimate,
        interval=one.confidence_interval,
        front=front,
    )


def _of_group(combined: CombinedEffects, name: str, members: Sequence[int]) -> list[ForestRow]:
    effects = combined.effects
    own = [i for i in members if i in combined.weighed]
    if len(own) < 2 or effects.variances is None:
        return []
    found = meta_analysis(
        effects.effects[own],
        effects.variances[own],
        confidence_level=combined.macro.confidence_level,
        tau2=combined.tau2_method,
    )
    row = _combined(found.model, found, front=True)
    return [replace(row, name=f"{name}: random effects", interval=found.interval)]


def differences(
    results: Sequence[SignificanceResult | None],
    datasets: Sequence[str],
    *,
    alpha: float,
    higher_is_better: bool = True,
    better: str = "better",
    of_a_alone: bool = False,
    theme: ChartTheme = LIGHT,
) -> go.Figure:
    """Draw A − B on every tested dataset with its interval, at a margin with the band within it.

    Both sequences have length N; a result is None where a dataset is not tested, which is not drawn.
    Where lower scores are better it is B − A. A dataset is marked where the p-value of one direction
    is at most `alpha`. `better` is as `Subject.in_short` has it; a claim `of_a_alone` may well be
    true of both systems.
    """
    level = format_level(alpha)
    rows, margins = [], {}
    for name, one in zip(datasets, results, strict=True):
        if one is None:
            continue
        margins[name] = one.margin
        rows.append(
            ForestRow(
                kind="dataset",
                name=name,
                estimate=one.difference,
                interval=one.confidence_interval,
                side=side_of(one, alpha=alpha, of_a_alone=of_a_alone),
                told=f"A {better}: {p_clause(one.p_value_greater, alpha=alpha)}",
            )
        )
    levels = {one.confidence_level for one in results if one is not None} or {0.95}
    return forest(
        sorted(rows, key=lambda row: -row.estimate),
        effect_label=label_of_difference(higher_is_better),
        level=format_confidence(1.0 - max(levels)),
        sides=(f"A {better}, p ≤ {level}", "" if of_a_alone else f"B {better}, p ≤ {level}"),
        grey=f"p > {level}",
        margins=margins if any(margins.values()) else None,
        theme=theme,
    )


def side_of(
    one: SignificanceResult, *, alpha: float, of_a_alone: bool
) -> Literal["a", "b", "open"]:
    """For whom a dataset speaks: whose one-sided p-value is at most `alpha`."""
    of_a, of_b = at_most(np.array([one.p_value_greater, one.p_value_less]), alpha)
    return "a" if of_a else "b" if of_b and not of_a_alone else "open"


# A part narrower than this share of the bar has no room for its number.
_NARROWEST = 0.04


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

    `k_a` and `k_b` are lower bounds; `better` is as `Subject.in_short` has it.
    """
    of_a, of_b = (
        f"{side}: {escaped(name, most=18)} {better}"
        for side, name in (("A", system_a), ("B", system_b))
    )
    # Each with a sign before its number, as a colour alone says nothing to some.
    parts = (
        (of_a, "A ≥ ", k_a, theme.a, theme.page),
        ("undecided", "", max(0, n_datasets - k_a - k_b), theme.grid, theme.ink),
        (of_b, "B ≥ ", k_b, theme.b, theme.page),
    )
    figure = go.Figure()
    for name, sign, length, colour, ink in parts:
        bound = "at least " if sign else ""
        figure.add_bar(
            x=[length],
            y=[""],
            orientation="h",
            name=name,
            marker={"color": colour, "line": {"color": theme.ink, "width": 1}},
            text=[f"{sign}{length}" if length > _NARROWEST * n_datasets else ""],
            textposition="inside",
            insidetextanchor="middle",
            textangle=0,
            textfont={"color": ink, "size": theme.size + 2},
            hovertemplate=f"{name}: {bound}{length:,} of {n_datasets:,}<extra></extra>",
        )
    size, bars = theme.size, {"barmode": "stack", "bargap": 0.1}
    base_layout(figure, theme, height=94 + 4 * size, top=3 * size, showlegend=False, **bars)
    left, right = (
        f"{claim} on at least {k}" if k else f"{claim}: no evidence"
        for claim, k in ((of_a, k_a), (of_b, k_b))
    )
    side_labels(figure, theme, right=right, left=left, a_is_right=False)
    figure.update_xaxes(
        range=[0, n_datasets],
        title_text=f"datasets, of {n_datasets:,}",
        tickformat="d",
        dtick=1 if n_datasets <= 12 else None,
        showgrid=False,
    )
    figure.update_yaxes(showticklabels=False)
    return figure
