"""Colours and settings that every chart shares: A is blue, B orange, undecided grey."""

from __future__ import annotations

import html
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from ..words.formatting import display_name, p_value_clause
from ..words.subject import Claim

if TYPE_CHECKING:
    from plotly import graph_objects as graph_objects
else:

    class _WhenDrawn:
        """plotly, an extra of the package that takes long to load: by the first chart drawn."""

        def __getattr__(self, name: str) -> Any:
            import plotly.graph_objects

            return getattr(plotly.graph_objects, name)

    graph_objects = _WhenDrawn()

# Below this a p-value is drawn at the chart's lower edge; hovering tells it exactly.
LOWEST_DRAWN = 1e-6
# Characters that a chart has from side to side on a telephone.
_MOST_IN_A_ROW = 40
# The page's own; where it is not there, as in a saved picture, the reader's usual one.
TYPEFACE = '"Source Sans", "Source Sans 3", "Source Sans Pro", system-ui, sans-serif'
# Of lines that are told apart without colour, in their order.
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartTheme:
    """Colours on a light or a dark page.

    `quiet` is for secondary lines and text, `alert` for the frame of a problem, `page` for the inside of
    open marks; `size` is of text, in pixels.
    """

    ink: str
    quiet: str
    grid: str
    a: str
    b: str
    alert: str
    page: str
    size: int = 14

    def of(self, claim: Claim | None) -> str:
        """The colour of a claim: A's, B's, or grey."""
        return {"a-better": self.a, "b-better": self.b}.get(claim or "", self.quiet)


# What draws a figure once it knows where it will stand.
class Drawing(Protocol):
    """Draws a chart in a theme."""

    def __call__(self, *, theme: ChartTheme) -> graph_objects.Figure:
        """The figure."""


LIGHT = ChartTheme(
    ink="#111827",
    quiet="#5b6472",
    grid="#e5e7eb",
    a="#1d4ed8",
    b="#b45309",
    alert="#be123c",
    page="#ffffff",
)
DARK = ChartTheme(
    ink="#f3f4f6",
    quiet="#a3acb9",
    grid="#374151",
    a="#7aa7ff",
    b="#f5a14a",
    alert="#f87171",
    page="#020204",
)


def escaped(name: str, *, most: int = 28) -> str:
    """A name as plotly shows it literally, cut to `most` characters."""
    return html.escape(display_name(name, most=most), quote=False)


def blended(page: str, colour: str, share: float = 0.5) -> str:
    """The page's colour with a share of another in it, on which text in the page's ink can be read."""
    pairs = ((int(page[i : i + 2], 16), int(colour[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(low + share * (high - low)):02x}" for low, high in pairs)


def faint(colour: str) -> str:
    """A colour for a band, through which lines are seen."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},0.18)"


def p_clause(p_value: float, *, alpha: float | None = None) -> str:
    """A p-value in a hover, as in sentences: "p = .003", with "<" escaped like a name's."""
    return html.escape(p_value_clause(p_value, alpha=alpha), quote=False)


def drawn(p_values: Sequence[float]) -> list[float]:
    """P-values as drawn on a log axis."""
    return [max(float(p), LOWEST_DRAWN) for p in p_values]


# What shows here of the template that plotly has, and takes long to check: whoever hosts this process
# may have set another one for all figures.
_TEMPLATE = {
    "layout": {
        # Names that look like numbers stay names.
        "autotypenumbers": "strict",
        "hoverlabel": {"align": "left"},
        "annotationdefaults": {"arrowhead": 0, "arrowwidth": 1},
    },
    "data": {
        "bar": [{"marker": {"line": {"color": "#E5ECF6", "width": 0.5}}}],
        "heatmap": [{"colorbar": {"outlinewidth": 0, "ticks": ""}}],
    },
}


def base_layout(
    figure: graph_objects.Figure,
    theme: ChartTheme,
    *,
    height: int = 380,
    top: float = 56,
    **more: Any,
) -> None:
    """Set what all charts have in common, with some room above the plot, and more that one alone has."""
    axis = {
        "color": theme.ink,
        "tickfont": {"color": theme.ink},
        "ticks": "",
        "title": {"font": {"color": theme.ink, "size": theme.size}, "standoff": 8},
        "gridcolor": theme.grid,
        "zeroline": False,
        "automargin": True,
    }
    known = figure.layout.to_plotly_json()
    axes = ["xaxis", "yaxis", *(name for name in known if name.startswith(("xaxis", "yaxis")))]
    # All at once: plotly takes six times as long to update one setting after the other.
    figure.layout = {
        **known,
        "template": _TEMPLATE,
        "height": height,
        "margin": {"l": 8, "r": 8, "t": top, "b": 8},
        "font": {"color": theme.ink, "size": theme.size, "family": TYPEFACE},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "hovermode": "closest",
        "modebar": {"bgcolor": theme.page, "color": theme.quiet, "activecolor": theme.ink},
        "legend": {
            "orientation": "h",
            # Of the whole figure: beside a plot it would stay where it was when a window grows.
            "yref": "container",
            "yanchor": "top",
            "y": 1,
            "x": 0,
            "font": {"color": theme.ink},
        },
        **{name: {**known.get(name, {}), **axis} for name in axes},
        **more,
    }


def p_value_axis(lowest: float) -> dict[str, Any]:
    """A log axis from the lowest value drawn to a little above 1, with few readable ticks."""
    bottom = math.floor(math.log10(max(lowest, LOWEST_DRAWN)) - 0.1)
    exponents = range(bottom, 1)
    values = [10.0**e for e in exponents]
    return {
        "type": "log",
        # What lies at the foot is drawn whole.
        "range": [max(bottom, math.log10(LOWEST_DRAWN)) - 0.2, 0.12],
        "tickvals": values,
        "ticktext": [power_of_ten(exponent) for exponent in exponents],
    }


def power_of_ten(exponent: int) -> str:
    """A p-value that is a power of ten, beside an axis of what is drawn."""
    if exponent == 0:
        return "1"
    text = f".{'0' * (-exponent - 1)}1"
    return f"≤ {text}" if 10.0**exponent <= LOWEST_DRAWN else text


def level_line(
    figure: graph_objects.Figure,
    value: float,
    label: str,
    theme: ChartTheme,
    *,
    is_log: bool = True,
    x: int = 1,
    anchor: str = "right bottom",
    is_target: bool = False,
) -> None:
    """A horizontal line over the whole width, with its name at one end, 0 or 1.

    A name anchored left of the right end lies outside the plot. What one would only like to have,
    `is_target`, is quiet and dotted.
    """
    figure.add_shape(
        type="line",
        xref="paper",
        x0=0,
        x1=1,
        y0=value,
        y1=value,
        line={"color": theme.quiet, "width": 1, "dash": "dot"}
        if is_target
        else {"color": theme.ink, "width": 1.5, "dash": "dash"},
    )
    # Annotations on a log axis take the logarithm, shapes the value itself.
    place = {"xref": "paper", "x": x, "y": math.log10(value) if is_log else value}
    note(figure, label, theme.quiet if is_target else theme.ink, anchor=anchor, **place)
    if x == 1 and anchor.startswith("left"):
        figure.update_layout(margin={"r": 0.6 * theme.size * len(label)})


def side_labels(
    figure: graph_objects.Figure,
    theme: ChartTheme,
    *,
    right: str,
    left: str = "",
    a_is_right: bool = True,
    beside: int = 0,
) -> None:
    """Above the plot, what its right and its left side say, each in its system's colour.

    At one height where that fits a narrow screen with names of `beside` characters beside the plot.
    """
    stacked = len(right) + len(left) + beside > _MOST_IN_A_ROW
    colours = (theme.a, theme.b) if a_is_right else (theme.b, theme.a)
    for text, colour, side, row in (
        (f"{right} ▸" if right else "", colours[0], "right", 1),
        (f"◂ {left}" if left else "", colours[1], "left", 0),
    ):
        if text:
            place = {"xref": "paper", "yref": "paper", "x": int(side == "right"), "y": 1}
            shift = 2 + row * stacked * 1.3 * theme.size
            note(figure, f"<b>{text}</b>", colour, anchor=f"{side} bottom", yshift=shift, **place)


def note(
    figure: graph_objects.Figure,
    text: str,
    colour: str,
    *,
    anchor: str = "center middle",
    **place: Any,
) -> None:
    """Text at a place, which its `anchor` touches; on a log axis `x` and `y` are logarithms."""
    side, _, height = anchor.partition(" ")
    anchors = {"xanchor": side, "yanchor": height, "align": side}
    figure.add_annotation(text=text, showarrow=False, font_color=colour, **anchors, **place)


def add_points(
    figure: graph_objects.Figure,
    x: Sequence[Any],
    y: Sequence[Any],
    *,
    mark: tuple[str, float | Sequence[float], str] | None = None,
    line: dict[str, Any] | None = None,
    hover: str | None = None,
    told: Sequence[str] | None = None,
    **more: Any,
) -> None:
    """Points as marks (symbol, size and colour), joined by a line, or both.

    They tell their `hover`, which plotly fills in, or what each of them has `told`.
    """
    modes = [kind for kind, given in (("lines", line), ("markers", mark)) if given is not None]
    if mark is not None:
        symbol, size, colour = mark
        more["marker"] = {"symbol": symbol, "size": size, "color": colour, **more.get("marker", {})}
    if told is not None:
        hover, more["customdata"] = "%{customdata}", told
    more |= {"hoverinfo": "skip"} if hover is None else {"hovertemplate": f"{hover}<extra></extra>"}
    figure.add_scatter(x=x, y=y, mode="+".join(modes), line=line, **more)


def error_bars(
    values: Sequence[float],
    intervals: Sequence[tuple[float, float] | None],
    colour: str,
    *,
    thickness: float = 1.5,
    **more: object,
) -> dict[str, object]:
    """Intervals around values, as plotly takes them; of no length where there is none."""
    ends = [
        (value, value) if interval is None else interval
        for value, interval in zip(values, intervals, strict=True)
    ]
    return {
        "type": "data",
        "symmetric": False,
        "array": [max(0.0, high - value) for value, (_, high) in zip(values, ends, strict=True)],
        "arrayminus": [max(0.0, value - low) for value, (low, _) in zip(values, ends, strict=True)],
        "color": colour,
        "thickness": thickness,
        **more,
    }


def shortened(names: Sequence[str], *, most: int) -> list[str]:
    """Names as they are shown; where their beginnings are the same, cut in the middle."""
    cut = [escaped(name, most=most) for name in names]
    times, half = Counter(cut), (most - 1) // 2
    return [
        f"{escaped(name[:half], most=half)}…{escaped(name[-half:], most=half)}"
        if times[short] > 1 and len(name) > most
        else short
        for name, short in zip(names, cut, strict=True)
    ]


def plotly_script() -> str:
    """The text of plotly.js, whole."""
    from plotly.offline import get_plotlyjs

    return str(get_plotlyjs())
