"""Mean ranks with bars over the systems that a comparison does not tell apart."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ..effects.post_hoc import letters
from ..words.formatting import counted, format_level
from .theme import (
    LIGHT,
    ChartTheme,
    add_points,
    base_layout,
    escaped,
    note,
    p_clause,
    shortened,
    side_labels,
)
from .theme import graph_objects as go

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..effects.post_hoc import PostHoc

# More rows are no diagram any more but a table.
MOST_DRAWN = 40
_ROW_HEIGHT = 24
# Characters of a name beside the diagram; hovering tells it whole.
_LONGEST_NAME = 22
# Bars of several groups that begin in one row share so much of its height.
_SHARE_OF_ROW = 0.7


def critical_difference_diagram(post_hoc: PostHoc, *, theme: ChartTheme = LIGHT) -> go.Figure:
    """Draw systems by mean rank, the best on top, and bars over those not told apart.

    A bar has a mark at the mean rank of each member. With a control, systems that differ from it
    are marked.
    """
    figure = go.Figure()
    k = len(post_hoc.systems)
    order = list(post_hoc.order)
    row = {system: i for i, system in enumerate(order)}
    top, title = -0.7, "mean rank (1 is best)"
    if post_hoc.control is None:
        bars = _bars(figure, post_hoc, row, theme)
        title += f"<br>grey: {bars.replace(' at ', '<br>at ')}" if bars else ""
        _systems(figure, post_hoc, order, row, "mean rank", ("circle", theme.a), theme)
    else:
        title += _against_control(figure, post_hoc, order, row, theme)
    if post_hoc.critical_difference is not None and post_hoc.control is None:
        top = -1.9
        _scale(figure, post_hoc, post_hoc.critical_difference, order, theme)
    base_layout(figure, theme, height=170 + _ROW_HEIGHT * (k + (1 if top < -1.0 else 0)))
    figure.update_yaxes(
        tickvals=list(range(k)),
        ticktext=shortened([post_hoc.systems[i] for i in order], most=_LONGEST_NAME),
        range=[k - 0.4, top],
    )
    ends = [float(post_hoc.mean_ranks.min()), float(post_hoc.mean_ranks.max())]
    if post_hoc.critical_difference is not None:
        if post_hoc.control is None:
            ends.append(ends[0] + post_hoc.critical_difference)
        else:
            centre = _rank(post_hoc, post_hoc.systems.index(post_hoc.control))
            ends += [centre + side * post_hoc.critical_difference for side in (-1.0, 1.0)]
    room = 0.05 * max(max(ends) - min(ends), 0.5)
    figure.update_layout(showlegend=False, margin={"t": 16})
    if post_hoc.control is not None:
        figure.update_layout(margin={"t": 56})
        level = format_level(post_hoc.alpha)
        side_labels(
            figure,
            theme,
            left=f"ranks better, level {level}",
            right=f"ranks worse, level {level}",
            a_is_right=False,
        )
    figure.update_xaxes(
        title={"text": title, "font": {"size": 13}},
        range=[min(ends) - room, max(ends) + room],
        nticks=8,
    )
    return figure


def _rank(post_hoc: PostHoc, system: int) -> float:
    return float(post_hoc.mean_ranks[system])


def _systems(
    figure: go.Figure,
    post_hoc: PostHoc,
    members: Sequence[int],
    row: dict[int, int],
    name: str,
    mark: tuple[str, str],
    theme: ChartTheme,
) -> None:
    groups = post_hoc.lettered
    marks = None if groups is None else letters(groups, len(post_hoc.systems))
    add_points(
        figure,
        [_rank(post_hoc, i) for i in members],
        [row[i] for i in members],
        name=name,
        mark=(mark[0], 11, mark[1]),
        marker={"line": {"color": theme.page, "width": 1}},
        customdata=[
            [escaped(post_hoc.systems[i], most=60), _told(post_hoc, i, marks)] for i in members
        ],
        hover=f"%{{customdata[0]}}<br>mean rank %{{x:.3f}} over {post_hoc.friedman.n_datasets:,} datasets"
        "<br>%{customdata[1]}",
    )


def _told(post_hoc: PostHoc, system: int, marks: Sequence[str] | None) -> str:
    if post_hoc.control is None:
        if marks is None:
            return f"not told apart from {post_hoc.n_not_separated[system]} systems"
        own = marks[system]
        shown = own if len(own) <= 24 else f"{own[:23]}…"
        return f"not told apart from systems that share a letter of: {shown}"
    place = post_hoc.systems.index(post_hoc.control)
    if system == place:
        return "the control"
    adjusted = float(post_hoc.adjusted_p_values[system, place])
    return f"against the control: adjusted {p_clause(adjusted, alpha=post_hoc.alpha)}"


def _bars(figure: go.Figure, post_hoc: PostHoc, row: dict[int, int], theme: ChartTheme) -> str:
    """Draw them; what they are, as the axis says it."""
    x: list[float | None] = []
    y: list[float | None] = []
    texts: list[str] = []
    # More groups than letters could not be told apart as bars either.
    lettered = post_hoc.lettered
    if lettered is None:
        return ""
    groups = [group for group in lettered if len(group) > 1]
    in_row = Counter(group[0] for group in groups)
    most = max(in_row.values(), default=1)
    begun: Counter[int] = Counter()
    for group in groups:
        first = group[0]
        place = begun[first] - (in_row[first] - 1) / 2.0
        height = row[first] + place * _SHARE_OF_ROW / max(4, in_row[first])
        begun[first] += 1
        ends = f"{escaped(post_hoc.systems[first])} to {escaped(post_hoc.systems[group[-1]])}"
        x += [*(_rank(post_hoc, i) for i in group), None]
        y += [*(height for _ in group), None]
        texts += [*(f"{len(group)} systems not told apart: {ends}" for _ in group), ""]
    level = format_level(post_hoc.alpha)
    name = f"not told apart at level {level}: {counted(len(groups), 'group')}"
    add_points(
        figure,
        x,
        y,
        name=name,
        line={"color": theme.quiet, "width": 4 if most == 1 else 2},
        mark=("line-ns", 11 if most == 1 else 6, theme.quiet),
        marker={"line": {"color": theme.quiet, "width": 2}},
        text=texts,
        hover="%{text}",
    )
    return name


def _against_control(
    figure: go.Figure,
    post_hoc: PostHoc,
    order: Sequence[int],
    row: dict[int, int],
    theme: ChartTheme,
) -> str:
    """Draw systems by how they differ from the control; what is grey and the control, for the axis."""
    control = post_hoc.systems.index(post_hoc.control or "")
    centre = _rank(post_hoc, control)
    apart = [i for i in order if post_hoc.separated[i, control]]
    rest = [i for i in order if i != control and i not in apart]
    level = format_level(post_hoc.alpha)
    better = [i for i in apart if _rank(post_hoc, i) < centre]
    worse = [i for i in apart if _rank(post_hoc, i) >= centre]
    if post_hoc.critical_difference is not None:
        figure.add_vrect(
            x0=centre - post_hoc.critical_difference,
            x1=centre + post_hoc.critical_difference,
            fillcolor=theme.grid,
            opacity=0.6,
            line_width=0,
            layer="below",
        )
    figure.add_vline(x=centre, line={"color": theme.ink, "width": 1})
    called = f"control: {escaped(post_hoc.control or '', most=18)}"
    if post_hoc.critical_difference is not None:
        called += f" ± {post_hoc.critical_difference:.3g}"
    _systems(figure, post_hoc, [control], row, called, ("diamond", theme.ink), theme)
    for name, members, mark in (
        (f"ranks better, level {level}", better, ("triangle-left", theme.a)),
        (f"ranks worse, level {level}", worse, ("triangle-right", theme.b)),
        ("not told apart from the control", rest, ("circle", theme.quiet)),
    ):
        _systems(figure, post_hoc, members, row, f"{name} ({len(members)})", mark, theme)
    return f"<br>grey: not told apart from the control ({len(rest)})<br>◆ {called}"


def _scale(
    figure: go.Figure,
    post_hoc: PostHoc,
    width: float,
    order: Sequence[int],
    theme: ChartTheme,
) -> None:
    left = _rank(post_hoc, order[0])
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
    note(
        figure, f"critical difference {width:.3g}", theme.ink, x=left, y=-1.05, anchor="left bottom"
    )
