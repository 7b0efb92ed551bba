"""Mean ranks with bars over the systems that a comparison does not tell apart."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
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

    A bar has a mark at the mean rank of each member. With a control, systems that differ from it are
    marked.
    """
    figure, k, order = go.Figure(), len(post_hoc.systems), list(post_hoc.order)
    drawn = _Diagram(
        figure=figure, post_hoc=post_hoc, row={one: i for i, one in enumerate(order)}, theme=theme
    )
    width = post_hoc.critical_difference
    ranks = [drawn.rank(i) for i in order]
    top, title, ends = -0.7, "mean rank (1 is best)", [ranks[0], ranks[-1]]
    if post_hoc.control is None:
        bars = drawn.bars()
        title += f"<br>grey: {bars.replace(' at ', '<br>at ')}" if bars else ""
        drawn.systems(order, "mean rank", ("circle", theme.a))
        if width is not None:
            top = -1.9
            ends.append(ranks[0] + width)
            drawn.scale(ranks[0], width)
    else:
        title += drawn.against_control(post_hoc.systems.index(post_hoc.control))
        if width is not None:
            centre = drawn.rank(post_hoc.systems.index(post_hoc.control))
            ends += [centre - width, centre + width]
    base_layout(figure, theme, height=170 + _ROW_HEIGHT * (k + (1 if top < -1.0 else 0)))
    figure.update_yaxes(
        tickvals=list(range(k)),
        ticktext=shortened([post_hoc.systems[i] for i in order], most=_LONGEST_NAME),
        range=[k - 0.4, top],
    )
    room = 0.05 * max(max(ends) - min(ends), 0.5)
    figure.update_layout(showlegend=False, margin={"t": 16 if post_hoc.control is None else 56})
    if post_hoc.control is not None:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Diagram:
    """A diagram that is drawn; `row` is where each system stands."""

    figure: go.Figure
    post_hoc: PostHoc
    row: dict[int, int]
    theme: ChartTheme

    def rank(self, system: int) -> float:
        """Its mean rank."""
        return float(self.post_hoc.mean_ranks[system])

    def systems(self, members: Sequence[int], name: str, mark: tuple[str, str]) -> None:
        """Draw some systems by a mark: its symbol and colour."""
        post_hoc, groups = self.post_hoc, self.post_hoc.lettered
        marks = None if groups is None else letters(groups, len(post_hoc.systems))
        add_points(
            self.figure,
            [self.rank(i) for i in members],
            [self.row[i] for i in members],
            name=name,
            mark=(mark[0], 11, mark[1]),
            marker={"line": {"color": self.theme.page, "width": 1}},
            customdata=[
                [escaped(post_hoc.systems[i], most=60), _told(post_hoc, i, marks)] for i in members
            ],
            hover=f"%{{customdata[0]}}<br>mean rank %{{x:.3f}} over {post_hoc.friedman.n_datasets:,} "
            "datasets<br>%{customdata[1]}",
        )

    def bars(self) -> str:
        """Draw groups, unless there are more than letters; what they are, as the axis says it."""
        post_hoc, quiet = self.post_hoc, self.theme.quiet
        x: list[float | None] = []
        y: list[float | None] = []
        texts: list[str] = []
        if post_hoc.lettered is None:
            return ""
        groups = [group for group in post_hoc.lettered if len(group) > 1]
        in_row = Counter(group[0] for group in groups)
        most = max(in_row.values(), default=1)
        begun: Counter[int] = Counter()
        for group in groups:
            first = group[0]
            place = begun[first] - (in_row[first] - 1) / 2.0
            height = self.row[first] + place * _SHARE_OF_ROW / max(4, in_row[first])
            begun[first] += 1
            ends = f"{escaped(post_hoc.systems[first])} to {escaped(post_hoc.systems[group[-1]])}"
            x += [*map(self.rank, group), None]
            y += [*(height for _ in group), None]
            texts += [*(f"{len(group)} systems not told apart: {ends}" for _ in group), ""]
        level = format_level(post_hoc.alpha)
        name = f"not told apart at level {level}: {counted(len(groups), 'group')}"
        add_points(
            self.figure,
            x,
            y,
            name=name,
            line={"color": quiet, "width": 4 if most == 1 else 2},
            mark=("line-ns", 11 if most == 1 else 6, quiet),
            marker={"line": {"color": quiet, "width": 2}},
            text=texts,
            hover="%{text}",
        )
        return name

    def against_control(self, control: int) -> str:
        """Draw systems by how they differ from the control; what is grey and the control, for the axis."""
        post_hoc, theme, width = self.post_hoc, self.theme, self.post_hoc.critical_difference
        centre, level = self.rank(control), format_level(post_hoc.alpha)
        called = f"control: {escaped(post_hoc.systems[control], most=18)}"
        if width is not None:
            look = {"fillcolor": theme.grid, "opacity": 0.6, "line_width": 0, "layer": "below"}
            self.figure.add_vrect(x0=centre - width, x1=centre + width, **look)
            called += f" ± {width:.3g}"
        self.figure.add_vline(x=centre, line={"color": theme.ink, "width": 1})
        self.systems([control], called, ("diamond", theme.ink))
        apart = [i for i in self.row if post_hoc.separated[i, control]]
        rest = [i for i in self.row if i != control and i not in apart]
        better = [i for i in apart if self.rank(i) < centre]
        worse = [i for i in apart if self.rank(i) >= centre]
        for name, members, mark in (
            (f"ranks better, level {level}", better, ("triangle-left", theme.a)),
            (f"ranks worse, level {level}", worse, ("triangle-right", theme.b)),
            ("not told apart from the control", rest, ("circle", theme.quiet)),
        ):
            self.systems(members, f"{name} ({len(members)})", mark)
        return f"<br>grey: not told apart from the control ({len(rest)})<br>◆ {called}"

    def scale(self, left: float, width: float) -> None:
        """Draw the critical difference above all systems."""
        ink = self.theme.ink
        line = {"color": ink, "width": 2}
        add_points(
            self.figure,
            [left, left + width],
            [-1.0, -1.0],
            line=line,
            mark=("line-ns", 10, ink),
            marker={"line": line},
            hover=f"critical difference {width:.3f}",
            showlegend=False,
        )
        said = f"critical difference {width:.3g}"
        note(self.figure, said, ink, x=left, y=-1.05, anchor="left bottom")


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
