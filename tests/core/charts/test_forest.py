"""The forest plot."""

from __future__ import annotations

from core.charts.forest import ForestRow, forest
from core.charts.theme import DARK, LIGHT

ROWS = (
    ForestRow(kind="dataset", name="up", estimate=0.2, interval=(0.1, 0.3), weight=0.6),
    ForestRow(kind="dataset", name="down", estimate=-0.2, interval=(-0.3, -0.1), weight=0.3),
    ForestRow(kind="dataset", name="open", estimate=0.0, interval=(-0.1, 0.1), weight=0.1),
    ForestRow(kind="dataset", name="bare", estimate=0.4),
    ForestRow(
        kind="combined", name="all", estimate=0.1, interval=(-0.1, 0.2), prediction=(-0.5, 0.6)
    ),
)


def traces(rows=ROWS, **rest):
    return forest(rows, effect_label="A − B", **rest).data


def named(name, rows=ROWS):
    return next(trace for trace in traces(rows) if (trace.name or "").startswith(name))


def test_each_dataset_stands_with_the_side_that_its_interval_is_on() -> None:
    assert list(named("A ahead").x) == [0.2]
    assert list(named("B ahead").x) == [-0.2]
    assert list(named("the interval contains 0").x) == [0.0]
    assert list(named("no interval").x) == [0.4]


def test_the_diamond_spans_the_interval_and_the_dotted_line_the_prediction() -> None:
    diamond = next(trace for trace in traces() if trace.fill == "toself")
    assert (min(diamond.x), max(diamond.x)) == (-0.1, 0.2)
    assert list(named("a new dataset").x) == [-0.5, 0.6]


def test_names_are_escaped_everywhere() -> None:
    for theme in [LIGHT, DARK]:
        rows = (
            ForestRow(kind="dataset", name="<b>x</b>", estimate=0.1, interval=(0.0, 0.2)),
            ForestRow(kind="heading", name="<i>y</i>"),
            ForestRow(kind="combined", name="<u>z</u>", estimate=0.1, interval=(0.0, 0.2)),
        )
        drawn = forest(rows, effect_label="A − B, <s>m</s>", theme=theme)
        for harmful in ("<b>x", "<i>y", "<u>z", "<s>m"):
            assert harmful not in str(drawn.to_dict()), theme


def test_each_side_of_0_says_above_the_plot_whom_it_favours_in_that_systems_colour() -> None:
    figure = forest(ROWS, effect_label="A − B", sides=("ours ahead", "base ahead"))
    said = {a.text: (a.font.color, a.xanchor) for a in figure.layout.annotations}
    assert said == {
        "<b>ours ahead ▸</b>": (LIGHT.a, "right"),
        "<b>◂ base ahead</b>": (LIGHT.b, "left"),
    }
    assert not figure.layout.showlegend


def test_an_interval_that_would_crowd_out_all_others_is_cut_with_an_arrow() -> None:
    rows = (*ROWS, ForestRow(kind="combined", name="two", estimate=0.1, interval=(-30.0, 30.0)))
    figure = forest(rows, effect_label="A − B")
    low, high = figure.layout.xaxis.range
    assert -2.0 < low < high < 2.0
    arrows = [trace for trace in figure.data if trace.name == "goes on"]
    assert sorted(trace.marker.symbol for trace in arrows) == ["triangle-left", "triangle-right"]
    assert not any(trace.name == "goes on" for trace in traces())
