"""Many systems: mean ranks with bars over those that do not differ, gain against confidence, and what gain is enough."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from ..effects.post_hoc import PostHoc, letters
from ..systems.gain_confidence import GainConfidence, Threshold
from ..systems.sizes import SELECTIONS, ThresholdCurve
from ..words.formatting import counted, format_level
from .theme import (
    DASHES,
    LIGHT,
    ChartTheme,
    add_points,
    base_layout,
    error_bars,
    escaped,
    note,
    p_clause,
    shortened,
    side_labels,
)
from .theme import graph_objects as go

# More rows are no diagram any more but a table.
MOST_DRAWN = 40
_ROW_HEIGHT = 24
# Characters of a name beside the diagram; hovering tells it whole.
_LONGEST_NAME = 22
# Bars of several groups that begin in one row share so much of its height.
_SHARE_OF_ROW = 0.7


def critical_difference_diagram(post_hoc: PostHoc, *, theme: ChartTheme = LIGHT) -> go.Figure:
    """Draw systems by mean rank, the best on top, and bars over those that do not differ significantly.

    A bar has a mark at the mean rank of each member. With a control, systems that differ from it are
    marked.
    """
    ranking, figure = post_hoc.friedman, go.Figure()
    systems, order = ranking.systems, list(ranking.order)
    ranks, width = ranking.mean_ranks.tolist(), post_hoc.critical_difference
    level = format_level(post_hoc.alpha)
    best = ranks[order[0]]
    title, ends = "mean rank (1 is best)", [best, ranks[order[-1]]]
    if post_hoc.control is None:
        if bars := _add_bars(figure, post_hoc, theme):
            title += f"<br>grey: {bars.replace(' at ', '<br>at ')}"
        _add_systems(figure, post_hoc, order, "mean rank", ("circle", 11, theme.a), theme)
        if width is not None:
            ends.append(best + width)
            _add_scale(figure, best, width, theme)
    else:
        control = systems.index(post_hoc.control)
        centre, apart = ranks[control], post_hoc.separated[control]
        called = f"control: {escaped(post_hoc.control, most=18)}"
        if width is not None:
            look = {"fillcolor": theme.grid, "opacity": 0.6, "line_width": 0, "layer": "below"}
            figure.add_vrect(x0=centre - width, x1=centre + width, **look)
            called += f" ± {width:.3g}"
            ends += [centre - width, centre + width]
        figure.add_vline(x=centre, line={"color": theme.ink, "width": 1})
        _add_systems(figure, post_hoc, [control], called, ("diamond", 11, theme.ink), theme)
        rest = [i for i in order if i != control and not apart[i]]
        better = [i for i in order if apart[i] and ranks[i] < centre]
        worse = [i for i in order if apart[i] and ranks[i] >= centre]
        alike = "not significantly different from the control"
        for name, members, symbol, colour in (
            (f"ranks better, level {level}", better, "triangle-left", theme.a),
            (f"ranks worse, level {level}", worse, "triangle-right", theme.b),
            (alike, rest, "circle", theme.quiet),
        ):
            named = f"{name} ({len(members)})"
            _add_systems(figure, post_hoc, members, named, (symbol, 11, colour), theme)
        title += f"<br>grey: {alike} ({len(rest)})<br>◆ {called}"
    has_scale = post_hoc.control is None and width is not None
    n_rows, top = len(order) + has_scale, 16 if post_hoc.control is None else 56
    base_layout(figure, theme, height=170 + _ROW_HEIGHT * n_rows, top=top, showlegend=False)
    figure.update_yaxes(
        tickvals=list(range(len(order))),
        ticktext=shortened([systems[i] for i in order], most=_LONGEST_NAME),
        range=[len(order) - 0.4, -1.9 if has_scale else -0.7],
    )
    if post_hoc.control is not None:
        left, right = f"ranks better, level {level}", f"ranks worse, level {level}"
        side_labels(figure, theme, left=left, right=right, a_is_right=False)
    room = 0.05 * max(max(ends) - min(ends), 0.5)
    figure.update_xaxes(
        title={"text": title, "font": {"size": 13}},
        range=[min(ends) - room, max(ends) + room],
        nticks=8,
    )
    return figure


def _add_systems(
    figure: go.Figure,
    post_hoc: PostHoc,
    members: Sequence[int],
    name: str,
    mark: tuple[str, int, str],
    theme: ChartTheme,
) -> None:
    """Draw some systems by a mark."""
    marks = letters(post_hoc.groups, len(post_hoc.friedman.systems)) or None
    add_points(
        figure,
        [float(post_hoc.friedman.mean_ranks[i]) for i in members],
        [post_hoc.friedman.order.index(i) for i in members],
        name=name,
        mark=mark,
        marker={"line": {"color": theme.page, "width": 1}},
        told=[_told(post_hoc, i, marks) for i in members],
    )


def _add_bars(figure: go.Figure, post_hoc: PostHoc, theme: ChartTheme) -> str:
    """Draw groups, unless there are more than letters; what they are, as the axis says it."""
    if post_hoc.lettered is None:
        return ""
    ranks, quiet = post_hoc.friedman.mean_ranks.tolist(), theme.quiet
    x: list[float | None] = []
    y: list[float | None] = []
    texts: list[str] = []
    groups = [group for group in post_hoc.lettered if len(group) > 1]
    in_row = Counter(group[0] for group in groups)
    begun: Counter[int] = Counter()
    for group in groups:
        first = group[0]
        place = begun[first] - (in_row[first] - 1) / 2.0
        share = _SHARE_OF_ROW / max(4, in_row[first])
        height = post_hoc.friedman.order.index(first) + place * share
        begun[first] += 1
        ends = f"{escaped(post_hoc.friedman.systems[first])} to {escaped(post_hoc.friedman.systems[group[-1]])}"
        x += [*(ranks[i] for i in group), None]
        y += [*(height for _ in group), None]
        texts += [*(f"{len(group)} systems not significantly different: {ends}" for _ in group), ""]
    is_alone = max(in_row.values(), default=1) == 1
    level, n_groups = format_level(post_hoc.alpha), counted(len(groups), "group")
    name = f"not significantly different at level {level}: {n_groups}"
    add_points(
        figure,
        x,
        y,
        name=name,
        line={"color": quiet, "width": 4 if is_alone else 2},
        mark=("line-ns", 11 if is_alone else 6, quiet),
        marker={"line": {"color": quiet, "width": 2}},
        told=texts,
    )
    return name


def _add_scale(figure: go.Figure, left: float, width: float, theme: ChartTheme) -> None:
    """Draw the critical difference above all systems."""
    line = {"color": theme.ink, "width": 2}
    add_points(
        figure,
        [left, left + width],
        [-1.0, -1.0],
        line=line,
        mark=("line-ns", 10, theme.ink),
        marker={"line": line},
        hover=f"critical difference {width:.3f}",
        showlegend=False,
    )
    said = f"critical difference {width:.3g}"
    note(figure, said, theme.ink, x=left, y=-1.05, anchor="left bottom")


def _told(post_hoc: PostHoc, system: int, marks: Sequence[str] | None) -> str:
    ranks = post_hoc.friedman
    name, rank = escaped(ranks.systems[system], most=60), ranks.mean_ranks[system]
    said = f"{name}<br>mean rank {rank:.3f} over {ranks.n_datasets:,} datasets<br>"
    if post_hoc.control is not None:
        if ranks.systems[system] == post_hoc.control:
            return f"{said}the control"
        control = ranks.systems.index(post_hoc.control)
        adjusted = float(post_hoc.adjusted_p_values[system, control])
        return f"{said}against the control: adjusted {p_clause(adjusted, alpha=post_hoc.alpha)}"
    if marks is None:
        return f"{said}not significantly different from {post_hoc.n_not_separated[system]} systems"
    own = marks[system]
    shown = own if len(own) <= 24 else f"{own[:23]}…"
    return f"{said}not significantly different from systems that share a letter of: {shown}"


# Told apart by shape as well as by colour.
_SYMBOLS = ("circle-open", "x", "triangle-up-open", "square-open", "diamond-open", "cross")
_SIGNS = "○✕△□◇✚"
# More points are drawn by the graphics card where there is one.
MOST_DRAWN_ONE_BY_ONE = 3_000
_LOWEST_CONFIDENCE = 0.45


def gain_confidence(
    points: GainConfidence,
    *,
    thresholds: Mapping[str, Threshold] | None = None,
    dataset: str | None = None,
    metric: str = "score",
    theme: ChartTheme = LIGHT,
) -> go.Figure:
    """Draw a point for each pair: how far it is ahead, and how sure that is; thresholds are lines.

    Berg-Kirkpatrick, Burkett and Klein (EMNLP-CoNLL 2012), figures 2 to 4.
    """
    figure = go.Figure()
    wanted = np.ones(points.gains.size, dtype=np.bool_)
    if dataset is not None:
        wanted = points.dataset_of == points.pairs.datasets.index(dataset)
    names = [escaped(name) for name in points.pairs.systems]
    shown_datasets = [escaped(name) for name in points.pairs.datasets]
    several = dataset is None and len(points.pairs.datasets) > 1
    drawn_by = go.Scattergl if int(wanted.sum()) > MOST_DRAWN_ONE_BY_ONE else go.Scatter
    for place, pair_class in enumerate(points.classes):
        own = np.flatnonzero(wanted & (points.class_of == place))
        symbol, _, colour = _look(place, theme)
        if not own.size:
            continue
        hover = [
            f"{names[points.ahead[i]]} ahead of {names[points.behind[i]]}<br>gain "
            f"{points.gains[i]:.4g}, {p_clause(float(points.p_values[i]))}"
            + (f"<br>{shown_datasets[points.dataset_of[i]]}" if several else "")
            for i in own.tolist()
        ]
        figure.add_trace(
            drawn_by(
                x=points.gains[own].tolist(),
                y=points.confidences[own].tolist(),
                mode="markers",
                name=f"{escaped(pair_class)} ({own.size:,})",
                marker={"symbol": symbol, "size": 7, "opacity": 0.75, "color": colour},
                customdata=hover,
                hovertemplate="%{customdata}<extra></extra>",
            )
        )
    base_layout(figure, theme, height=460)
    figure.update_xaxes(title_text=f"gain in {escaped(metric)}", rangemode="tozero")
    # A test of ranks may speak against the system that is ahead in the mean.
    least = float(points.confidences[wanted].min(initial=1.0)) - 0.03
    low, high = min(_LOWEST_CONFIDENCE, least), 1.02
    figure.update_yaxes(title_text="confidence: 1 − p, one-sided", range=[low, high])
    figure.add_hline(y=0.95, line={"color": theme.ink, "width": 1, "dash": "dash"})
    found = (thresholds or {}).items()
    known = {name: (own.value, own.interval) for name, own in found if own.value is not None}
    if known.keys() >= set(points.classes):
        # Each line says whose it is.
        figure.update_layout(showlegend=False, margin={"t": 16})
    for place, (pair_class, (value, interval)) in enumerate(known.items()):
        sign, colour = "", theme.ink
        if pair_class in points.classes:
            _, sign, colour = _look(points.classes.index(pair_class), theme)
        line = {"color": colour, "width": 2, "dash": DASHES[place % len(DASHES)]}
        figure.add_vline(x=value, line=line)
        # Of large gains the confidence is high: below is room beside all lines.
        beside = {
            "x": max(one for one, _ in known.values()),
            "yref": "paper",
            "y": 0.02 + 0.07 * place,
        }
        said = f" {sign} {escaped(pair_class)}: {value:.3g}"
        note(figure, said, colour, anchor="left bottom", **beside)
        if interval is not None:
            look = {"fillcolor": colour, "opacity": 0.1, "line_width": 0, "layer": "below"}
            figure.add_vrect(x0=interval[0], x1=interval[1], **look)
    return figure


def thresholds_against_size(
    curve: ThresholdCurve, *, metric: str = "score", theme: ChartTheme = LIGHT
) -> go.Figure:
    """Draw thresholds against the size of the test set on log axes, with the lines c/√n.

    Berg-Kirkpatrick, Burkett and Klein (EMNLP-CoNLL 2012), figure 5.
    """
    figure = go.Figure()
    classes = list(dict.fromkeys(point.pair_class for point in curve.points))
    several = len(curve.selections) > 1
    for selection, pair_class in product(curve.selections, classes):
        known = [
            (point, point.threshold, point.threshold.value)
            for point in curve.line(selection, pair_class)
            if point.threshold.value is not None
        ]
        if not known:
            continue
        symbol, _, colour = _look(classes.index(pair_class), theme)
        if selection == "initial":
            symbol = symbol.removesuffix("-open") if symbol.endswith("-open") else f"{symbol}-thin"
        label = escaped(pair_class) + (f", {SELECTIONS[selection]}" if several else "")
        add_points(
            figure,
            [point.size for point, _, _ in known],
            [value for _, _, value in known],
            name=label,
            mark=(symbol, 10, colour),
            marker={"line": {"width": 2, "color": colour}},
            error_y=error_bars(
                [value for _, _, value in known],
                [found.interval for _, found, _ in known],
                colour,
                thickness=1,
            ),
            told=[
                f"{label}<br>n = {point.size:,}: gain {value:.4g}<br>{found.n_pairs} cases of "
                f"{found.n_systems} systems in {point.n_subsets} subsets"
                for point, found, value in known
            ],
        )
        if fit := curve.fit(selection, pair_class):
            ends = [min(curve.sizes), max(curve.sizes)]
            slope = "" if fit.slope is None else f"; free slope {fit.slope:.2f}"
            dash = "dash" if selection == "random" else "solid"
            add_points(
                figure,
                ends,
                [fit.at(size) for size in ends],
                line={"color": colour, "width": 1.5, "dash": dash},
                showlegend=False,
                hover=f"{label}: {fit.constant:.3g}/√n{slope}",
            )
    base_layout(figure, theme, height=460)
    sizes = sorted(curve.sizes)
    figure.update_xaxes(
        title_text="examples, n",
        type="log",
        tickvals=sizes,
        ticktext=[f"{size:,}" for size in sizes],
    )
    figure.update_yaxes(title_text=f"gain in {escaped(metric)} that is usually enough", type="log")
    if not figure.data:
        middle: dict[str, Any] = {"xref": "paper", "yref": "paper", "x": 0.5, "y": 0.5}
        note(figure, "No size has pairs enough with p around .05", theme.ink, **middle)
    return figure


def _look(place: int, theme: ChartTheme) -> tuple[str, str, str]:
    """The symbol of a class of pairs, the same as a sign, and its colour."""
    kind, colours = place % len(_SYMBOLS), (theme.a, theme.b, theme.ink, theme.alert, theme.quiet)
    return _SYMBOLS[kind], _SIGNS[kind], colours[place % len(colours)]
