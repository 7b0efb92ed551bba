"""Figures of a paper, drawn twice from the same numbers: as SVG and as pgfplots.

Vocabulary
----------
plot
    Axes, named rows or numbered columns, and series of points; plain numbers and names.
series
    Points of one kind with one colour and mark; with intervals, or joined by steps.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np

from ..analysis import Analysis
from ..charts.forest import side_of
from ..charts.theme import LIGHT, LOWEST_DRAWN, power_of_ten
from ..methods.results import metric_of_table
from ..replicability.combinations import counting_method_named
from ..sections.marked import interval_left, intervals_of
from ..words.formatting import (
    display_name,
    format_confidence,
    format_level,
    html_text,
    latex,
    minus,
    whole_name,
)

Mark = Literal["circle", "triangle", "square", "diamond"]
# pgfplots' name of each mark.
_PGF = {"circle": "*", "triangle": "triangle*", "square": "square*", "diamond": "diamond*"}
_MARKS: tuple[Mark, ...] = ("circle", "square", "diamond", "triangle")
_LONGEST = 24
_SHADED = "shaded: within the margin"


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """Points of one kind.

    `intervals` are along x, one for each point; `stepped` points are joined by steps.
    """

    label: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    colour: str
    mark: Mark
    intervals: tuple[tuple[float, float], ...] = ()
    stepped: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """A figure: what it is called, what it shows in words, its axes and series.

    `rows` are names along y, the first one on top, and a line crosses x at 0; `bands` are for each how
    far a band behind it goes on either side of 0. Without rows y is a logarithmic p-value, and a line
    crosses it at the `level` α.
    """

    name: str
    alt: str
    x_label: str
    y_label: str
    x_range: tuple[float, float]
    y_range: tuple[float, float]
    series: tuple[Series, ...]
    rows: tuple[str, ...] = ()
    bands: tuple[float, ...] = ()
    level: float = 0.05

    @property
    def level_label(self) -> str:
        """What the line at the level is called."""
        return f"α = {format_level(self.level)}"


def paper_plots(analysis: Analysis) -> tuple[Plot, ...]:
    """The forest of differences, where both systems have scores, and the staircase of the count."""
    found = (_forest(analysis), _staircase(analysis))
    return tuple(plot for plot in found if plot is not None)


def _forest(analysis: Analysis) -> Plot | None:
    """Each dataset's difference with its interval, at a margin with the band within it."""
    table, differences = analysis.table, analysis.table.differences
    if differences is None or not np.isfinite(differences).all():
        return None
    alpha, better = analysis.settings.alpha, analysis.subject.in_short
    intervals, compared = intervals_of(analysis), analysis.compared
    names = {"a": display_name(table.system_a), "b": display_name(table.system_b)}
    margins = tuple(0.0 if one is None else one.margin for one in compared)
    widest = max(margins)
    ends = [
        own or (difference,) * 2
        for own, difference in zip(intervals, differences.tolist(), strict=True)
    ]
    kinds: dict[tuple[str, str], list[int]] = {}
    for i, ((low, high), one) in enumerate(zip(ends, compared, strict=True)):
        side = "a" if low > 0.0 else "b" if high < 0.0 else "open"
        label = "equal" if intervals[i] is None else "interval contains 0"
        label = f"favours {names[side]}" if side in names else label
        if widest:
            # As the page's forest has it; a dataset that is not tested shows nothing.
            side = "open"
            if one is not None:
                side = side_of(one, alpha=alpha, of_a_alone=analysis.subject.claimed.of_a_alone)
            label = f"p > {format_level(alpha)}"
            if side in names:
                label = f"p ≤ {format_level(alpha)}: {names[side]} {better}"
        kinds.setdefault((side, label), []).append(i)
    looks: dict[str, tuple[str, Mark]] = {"a": (LIGHT.a, "triangle"), "b": (LIGHT.b, "diamond")}
    series = []
    for (side, label), members in kinds.items():
        colour, mark = looks.get(side, (LIGHT.quiet, "square"))
        drawn = any(intervals[i] for i in members)
        series.append(
            Series(
                label=label,
                x=tuple(float(differences[i]) for i in members),
                y=tuple(float(i) for i in members),
                colour=colour,
                mark=mark,
                intervals=tuple(ends[i] for i in members) if drawn else (),
            )
        )
    reached = [-widest, 0.0, widest, *differences.tolist(), *(end for own in ends for end in own)]
    room = 0.06 * (max(reached) - min(reached)) or 1.0
    first, second = (names[side] for side in ("ab" if table.higher_is_better else "ba"))
    metric, left = metric_of_table(analysis), interval_left(analysis)
    with_level = "" if left is None else f" with {format_confidence(left)} intervals"
    of = f" in {metric}" if metric else ""
    return Plot(
        name="forest",
        alt=f"Difference{of} ({first} − {second}) on each dataset{with_level}"
        f"{f'; {_SHADED}' if widest else ''}.",
        x_label=f"{first} − {second}{f' ({metric})' if metric else ''}",
        y_label="",
        rows=tuple(whole_name(name) for name in table.datasets),
        x_range=(min(reached) - room, max(reached) + room),
        y_range=(-0.7, table.n_datasets - 0.3),
        series=tuple(series),
        bands=margins if widest else (),
    )


def _staircase(analysis: Analysis) -> Plot | None:
    """The p-value of each claim "at least u of N" by every method."""
    question, alpha = analysis.question, analysis.settings.alpha
    answer, n = question.answer, question.answer.p_values.size
    if n == 1:
        return None
    colour = LIGHT.ink if question.claim == "differ" else LIGHT.of(question.claim)
    series = [
        Series(
            label=f"{counting_method_named(name).title}: {counting.k_hat}",
            x=tuple(float(u) for u in range(1, n + 1)),
            y=tuple(max(float(p), LOWEST_DRAWN) for p in counting.partial_conjunction_p_values),
            colour=colour if name == answer.combination else LIGHT.quiet,
            mark=_MARKS[place % len(_MARKS)],
            stepped=True,
        )
        for place, (name, counting) in enumerate(answer.countings.items())
    ]
    series.sort(key=lambda one: one.colour != LIGHT.quiet)
    lowest = min(min(one.y) for one in series)
    claim = analysis.subject.claim(question.claim)
    return Plot(
        name="staircase",
        alt=f"p-value of each claim “{claim} on at least u of {n} datasets”, by each method; "
        f"the count is the last u below α = {format_level(alpha)}.",
        x_label="u",
        y_label=f"p-value of “at least u of {n}”",
        x_range=(0.5, n + 0.5),
        y_range=(10.0 ** math.floor(math.log10(lowest) - 0.05), 1.3),
        series=tuple(series),
        level=alpha,
    )


def pgfplots(plot: Plot) -> str:
    """The plot as a tikzpicture for pgfplots."""
    height = f"{min(20.0, 0.6 + 0.42 * len(plot.rows)):.1f}cm" if plot.rows else "4.5cm"
    low, high = plot.y_range
    # The axis alone is measured: names beside it would stand out of the column.
    beside = min(104, 20 + round(4.3 * max(map(len, map(_short, plot.rows))))) if plot.rows else 44
    below = rf" \\ {_SHADED}" if plot.bands else ""
    options = [
        rf"scale only axis, width=\dimexpr\columnwidth-{beside}pt\relax, height={height}",
        "scaled ticks=false, x tick label style={/pgf/number format/fixed}",
        f"xmin={plot.x_range[0]:.8g}, xmax={plot.x_range[1]:.8g}, ymin={low:.8g}, ymax={high:.8g}",
        f"xlabel={{{latex(plot.x_label)}{below}}}",
        *([f"ylabel={{{latex(plot.y_label)}}}"] if plot.y_label else []),
        r"label style={font=\small, align=center}, tick label style={font=\footnotesize}",
        r"legend style={font=\footnotesize, draw=none, at={(0.5,1.02)}, anchor=south}",
        "legend columns=2",
    ]
    if plot.rows:
        names = ",".join(f"{{{latex(_short(name))}}}" for name in plot.rows)
        places = ",".join(str(i) for i in range(len(plot.rows)))
        options += ["y dir=reverse", f"ytick={{{places}}}", f"yticklabels={{{names}}}"]
    else:
        options.append("ymode=log")
    used = dict.fromkeys(series.colour for series in plot.series)
    colours = {colour: f"series{chr(97 + i)}" for i, colour in enumerate(used)}
    lines = [
        f"% {' '.join(latex(plot.alt).split())}",
        r"% needs \usepackage{pgfplots} and \pgfplotsset{compat=1.17}",
        *(
            rf"\definecolor{{{name}}}{{HTML}}{{{colour[1:].upper()}}}"
            for colour, name in colours.items()
        ),
        r"\begin{tikzpicture}",
        r"\begin{axis}[",
        *(f"  {option}," for option in options),
        "]",
        *(
            rf"\fill[black!8] (axis cs:{-half:.8g},{i - 0.5}) rectangle (axis cs:{half:.8g},{i + 0.5});"
            for i, half in enumerate(plot.bands)
        ),
    ]
    if plot.rows:
        lines.append(rf"\draw[black!60] (axis cs:0,{low:.8g}) -- (axis cs:0,{high:.8g});")
    else:
        lines.append(
            rf"\draw[black!60, dashed] (axis cs:{plot.x_range[0]:.8g},{plot.level:.8g}) -- "
            rf"(axis cs:{plot.x_range[1]:.8g},{plot.level:.8g}) "
            rf"node[above left, font=\footnotesize] {{{latex(plot.level_label)}}};"
        )
    for one in plot.series:
        lines += _pgf_series(one, colours[one.colour])
    return "\n".join([*lines, r"\end{axis}", r"\end{tikzpicture}", ""])


def _pgf_series(series: Series, colour: str) -> list[str]:
    style = [colour, f"mark={_PGF[series.mark]}", "mark size=2pt"]
    style.append("const plot mark mid" if series.stepped else "only marks")
    columns = "x=x, y=y"
    rows = [f"{x:.8g} {y:.8g}" for x, y in zip(series.x, series.y, strict=True)]
    head = "x y"
    if series.intervals:
        style.append("error bars/.cd, x dir=both, x explicit")
        columns += ", x error plus=above, x error minus=below"
        head += " above below"
        rows = [
            f"{row} {high - x:.8g} {x - low:.8g}"
            for row, x, (low, high) in zip(rows, series.x, series.intervals, strict=True)
        ]
    return [
        rf"\addplot[{', '.join(style)}] table[{columns}] {{",
        head,
        *rows,
        "};",
        rf"\addlegendentry{{{latex(_short(series.label))}}}",
    ]


_WIDTH, _ROW, _LEFT, _RIGHT, _TOP, _BOTTOM = 460.0, 20.0, 70.0, 14.0, 30.0, 44.0
_LEGEND_LINE = 16.0


def svg(plot: Plot) -> str:
    """The plot as an SVG file that stands alone."""
    names, (x_low, x_high), (y_low, y_high) = [*map(_short, plot.rows)], plot.x_range, plot.y_range
    left, inner = _LEFT, 210.0
    if names:
        left = min(230.0, 20.0 + 6.4 * max(map(len, names)))
        inner = max(60.0, _ROW * len(names))
    # Where each entry of the legend begins, in lines that end within the width.
    legend: list[tuple[float, float]] = []
    x, y = left, 0.0
    for one in plot.series:
        wide = 26 + 6.2 * len(_short(one.label))
        if x > left and x + wide > _WIDTH:
            x, y = left, y + _LEGEND_LINE
        legend.append((x, y))
        x += wide
    top = _TOP + y
    bottom, right, height = top + inner, _WIDTH - _RIGHT, top + inner + _BOTTOM

    def across(x: float) -> float:
        return left + (x - x_low) / (x_high - x_low) * (right - left)

    def down(y: float) -> float:
        if names:
            return top + (y - y_low) / (y_high - y_low) * inner
        share = (math.log(y) - math.log(y_low)) / (math.log(y_high) - math.log(y_low))
        return top + (1.0 - share) * inner

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH:.0f} {height:.0f}" '
        f'width="{_WIDTH:.0f}" height="{height:.0f}" role="img" '
        'font-family="Helvetica, Arial, sans-serif" font-size="11">',
        _element("title", plot.alt),
        _element("rect", width=f"{_WIDTH:.0f}", height=f"{height:.0f}", fill="white"),
    ]
    for i, half in enumerate(plot.bands):
        start, above = across(-half), down(i - 0.5)
        size = {"width": across(half) - start, "height": down(i + 0.5) - above}
        parts.append(_element("rect", x=start, y=above, **size, fill=LIGHT.grid))
    parts += [
        _line(left, bottom, right, bottom, LIGHT.ink),
        _line(left, top, left, bottom, LIGHT.ink),
    ]
    for tick in _ticks(x_low, x_high, whole=not names):
        parts += [
            _line(across(tick), bottom, across(tick), bottom + 4, LIGHT.ink),
            _text(across(tick), bottom + 16, minus(f"{tick:g}"), "middle"),
        ]
    for i, name in enumerate(names):
        parts.append(_text(left - 6, down(float(i)) + 4, name, "end"))
    for exponent in () if names else range(math.ceil(math.log10(y_low)), 1):
        value = 10.0**exponent
        parts += [
            _line(left - 4, down(value), left, down(value), LIGHT.ink),
            _text(left - 7, down(value) + 4, power_of_ten(exponent), "end"),
        ]
    if names:
        parts.append(_line(across(0.0), top, across(0.0), bottom, LIGHT.quiet))
    else:
        y = down(plot.level)
        parts += [
            _line(left, y, right, y, LIGHT.quiet, stroke_dasharray="4 3"),
            _text(right, y - 4, plot.level_label, "end"),
        ]
    for one, (x, y) in zip(plot.series, legend, strict=True):
        parts += [
            *_svg_series(one, [*map(across, one.x)], [*map(down, one.y)], across),
            _marker(one.mark, x + 5, y + 14, one.colour),
            _text(x + 13, y + 18, _short(one.label)),
        ]
    below = f"{plot.x_label}; {_SHADED}" if plot.bands else plot.x_label
    parts.append(_text((left + right) / 2, height - 8, below, "middle"))
    if plot.y_label:
        middle = top + inner / 2
        turned = f"rotate(-90 14 {middle:.1f})"
        about = {"text_anchor": "middle", "fill": LIGHT.ink, "transform": turned}
        parts.append(_element("text", plot.y_label, x="14", y=middle, **about))
    return "\n".join([*parts, "</svg>", ""])


def _svg_series(
    series: Series, x: Sequence[float], y: Sequence[float], across: Callable[[float], float]
) -> list[str]:
    parts = [
        _line(across(low), down, across(high), down, series.colour, stroke_width="1.6")
        for (low, high), down in zip(series.intervals, y, strict=False)
    ]
    if series.stepped:
        # From each point half of the way on its height, then half on that of the next.
        middles = [(one + other) / 2 for one, other in pairwise(x)]
        turns = zip([x[0], *middles], [*middles, x[-1]], y, strict=True)
        path = " ".join(f"{a:.1f},{down:.1f} {b:.1f},{down:.1f}" for a, b, down in turns)
        parts.append(
            _element("polyline", points=path, fill="none", stroke=series.colour, stroke_width="1.5")
        )
    return [*parts, *(_marker(series.mark, *at, series.colour) for at in zip(x, y, strict=True))]


def _element(name: str, text: str | None = None, /, **attributes: object) -> str:
    """An element of SVG; places are rounded to a tenth of a pixel."""
    written = "".join(
        f' {key.replace("_", "-")}="{f"{value:.1f}" if isinstance(value, float) else value}"'
        for key, value in attributes.items()
        if value is not None
    )
    if text is None:
        return f"<{name}{written}/>"
    return f"<{name}{written}>{html_text(text)}</{name}>"


def _line(x1: float, y1: float, x2: float, y2: float, stroke: str, **style: str) -> str:
    ends = {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
    return _element("line", **ends, stroke=stroke, **{"stroke_width": "1", **style})


def _text(x: float, y: float, text: str, anchor: str = "start") -> str:
    return _element("text", text, x=x, y=y, text_anchor=anchor, fill=LIGHT.ink)


def _marker(mark: Mark, x: float, y: float, colour: str) -> str:
    if mark == "circle":
        return _element("circle", cx=x, cy=y, r="3.6", fill=colour)
    corners = {
        "triangle": ((0.0, -4.4), (4.2, 3.2), (-4.2, 3.2)),
        "square": ((-3.3, -3.3), (3.3, -3.3), (3.3, 3.3), (-3.3, 3.3)),
        "diamond": ((0.0, -4.6), (4.6, 0.0), (0.0, 4.6), (-4.6, 0.0)),
    }[mark]
    points = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in corners)
    return _element("polygon", points=points, fill=colour)


def _ticks(low: float, high: float, *, whole: bool) -> list[float]:
    """Some five round numbers between two ends; whole ones from 1 where counts are drawn."""
    rough = (high - low) / 5.0
    size = 10.0 ** math.floor(math.log10(rough))
    step = next(size * factor for factor in (1.0, 2.0, 5.0, 10.0) if size * factor >= rough)
    step = max(1.0, round(step)) if whole else step
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [round(i * step, 12) for i in range(first, last + 1) if not whole or i]


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1].rstrip()}…"
