"""Charts show what the results say."""

import re
from dataclasses import replace
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from core.charts.forest import ForestRow, both_sides, differences, forest, sides
from core.charts.matrices import drawn_datasets, overlap_matrix
from core.charts.p_values import ladder, possible_ranges, staircase
from core.charts.theme import DARK, LIGHT, LOWEST_DRAWN
from core.replicability.assessment import Answer, assess
from core.replicability.identification import identify_datasets, procedure_names
from core.significance.single import as_compared, run_significance_test
from tests.core.words.made import overlap

REDSHIFT = (0.0979, 0.1662, 0.0046, 0.0376, 0.0969, 0.0912, 0.0823)
GENRES = ("BC", "BN", "MZ", "NW", "PT", "TC", "WB")


def answer(p_values: object, dependence: str = "independent") -> Answer:
    found = assess(p_values, None, alternative="greater", dependence=dependence)  # type: ignore[arg-type]
    assert found.answer_a is not None
    return found.answer_a


def test_the_staircase_draws_every_combination_and_marks_the_count_in_front() -> None:
    figure = staircase(answer(REDSHIFT))
    counts = {"Bonferroni": 1, "Simes": 1, "Fisher": 5, "Stouffer": 5}
    assert {trace.name for trace in figure.data} == {f"{n}: k̂ = {k}" for n, k in counts.items()}
    texts = [annotation.text.strip() for annotation in figure.layout.annotations]
    assert "k̂ = 5" in texts
    assert "α = .05" in texts
    fisher = next(trace for trace in figure.data if trace.name.startswith("Fisher"))
    assert fisher.line.color == LIGHT.a
    expected = answer(REDSHIFT).countings["fisher"].partial_conjunction_p_values
    assert np.allclose(fisher.y, expected)


def test_extreme_p_values_are_drawn_at_the_edge_and_told_on_hover() -> None:
    for p_values in [(0.0,), (0.0, 0.0, 1.0), (1.0, 1.0), (1e-300, 0.5)]:
        found = answer(p_values)
        figure = staircase(found)
        for trace in figure.data:
            assert min(trace.y) >= LOWEST_DRAWN, p_values
            assert max(trace.y) <= 1.0, p_values
        assert 10.0 ** figure.layout.yaxis.range[0] < found.alpha, p_values
        names = [f"d{i}" for i in range(len(p_values))]
        assert ladder(identify_datasets(found.p_values), names).data, p_values


@pytest.mark.parametrize("procedure", procedure_names())
def test_the_ladder_stars_exactly_the_named(procedure: str) -> None:
    found = identify_datasets(REDSHIFT, procedure=procedure)
    figure = ladder(found, GENRES)
    stars = next(trace for trace in figure.data if "★" in trace.name)
    named = {told.partition("<br>")[0] for told in stars.customdata or ()}
    assert named == {GENRES[i] for i in np.flatnonzero(found.rejected)}
    assert stars.name == f"★ significant ({found.n_rejected})"


def test_the_ladder_marks_where_holm_stops() -> None:
    figure = ladder(identify_datasets(REDSHIFT), GENRES)
    texts = [a.text for a in figure.layout.annotations]
    assert texts == ["Holm stops here:<br>NW, p = .0376"]
    assert figure.data[0].name == "threshold (Holm)"
    assert [tick for tick in figure.layout.xaxis.labelalias.values() if "★" in tick] == [
        "<b>★ MZ</b>"
    ]


@pytest.mark.parametrize(
    ("p_values", "side"),
    [
        ((0.001, 0.3, 0.4, 0.5), "left"),
        ((0.03, 0.04), "left"),
        ((1.0, 1.0), "left"),
        ((0.0001, 0.0002, 0.06, 0.07), "right"),
    ],
)
def test_where_holm_stops_is_written_above_all_p_values_and_thresholds(
    p_values: tuple[float, ...], side: str
) -> None:
    figure = ladder(identify_datasets(p_values), list("wxyz")[: len(p_values)])
    (label,) = figure.layout.annotations
    assert (label.ax, label.ayref, label.xanchor, label.yanchor) == (0, "y", side, "top")
    bottom, top = figure.layout.yaxis.range
    assert label.ay == top
    # Its two lines need a fifth of the plot even where names of datasets leave little of it.
    assert top > 0.2 * (top - bottom)


def test_a_long_name_above_the_plot_leaves_what_is_said_of_its_system() -> None:
    effects: Any = SimpleNamespace(is_given=False)
    assert sides(effects, ("ours", "the strongest baseline")) == (
        "ours ahead",
        "the strongest b… ahead",
    )


def test_a_side_without_wins_has_no_evidence_rather_than_at_least_none() -> None:
    figure = both_sides(6, k_a=2, k_b=0, system_a="new", system_b="old")
    assert {a.text for a in figure.layout.annotations} == {
        "<b>◂ A: new better on at least 2</b>",
        "<b>B: old better: no evidence ▸</b>",
    }
    told = [bar.hovertemplate.split("<")[0] for bar in figure.data[:2]]
    assert told == ["A: new better: at least 2 of 6", "undecided: 4 of 6"]


@pytest.mark.parametrize(("n", "named"), [(200, 200), (1000, 200)])
def test_names_of_a_thousand_datasets_do_not_lie_over_each_other(n: int, named: int) -> None:
    rows = [
        ForestRow(kind="dataset", name=f"d{i}", estimate=0.1, interval=(0.0, 0.2)) for i in range(n)
    ]
    rows.append(ForestRow(kind="combined", name="all", estimate=0.1, interval=(0.05, 0.15)))
    names = forest(rows, effect_label="A − B").layout.yaxis.ticktext
    assert len(names) == n + 1
    assert names[-1] == "<b>all</b>"
    assert sum(map(bool, names[:-1])) == named


def test_names_reach_every_chart_escaped() -> None:
    names = ("<s>x</s>", "<a href='javascript:alert(1)'>y</a>", "z")
    rows = [
        ForestRow(kind=kind, name=f"{names[0]} {kind}", estimate=0.1, interval=(0.0, 0.2))
        for kind in ("dataset", "heading", "combined")
    ]
    for figure in (
        ladder(identify_datasets([0.001, 0.5, 0.9]), names),
        forest(rows, effect_label=f"A − B, {names[0]}"),
        forest(rows, effect_label=f"A − B, {names[0]}", theme=DARK),
        overlap_matrix(overlap(dict(zip(names, (range(9), range(20), [0]), strict=True)))),
    ):
        drawn = str(figure.to_dict())
        assert "&lt;s&gt;x" in drawn
        assert not re.search("<s>|<a href", drawn)


def test_a_claim_that_may_be_true_of_both_is_drawn_of_a_alone() -> None:
    a, b = np.tile([1.0, 0.0, 1.0, 1.0], 100), np.tile([1.0, 0.0, 1.0, 1.0], 100)
    b[:2] = [0.0, 1.0]
    result = run_significance_test(a, b, test="mcnemar", claim="not-worse", margin=0.05)
    assert result.p_value_less <= 0.05
    figure = differences([result], ["x"], alpha=0.05, better="not worse", of_a_alone=True)
    assert [trace.name for trace in figure.data] == ["A not worse, p ≤ .05"]
    assert [a.text for a in figure.layout.annotations] == ["<b>A not worse, p ≤ .05 ▸</b>"]


def test_differences_are_sorted_and_marked_by_their_p_values() -> None:
    rng = np.random.default_rng(0)
    results = [
        run_significance_test(rng.normal(gain, 1.0, 60), rng.normal(0.0, 1.0, 60), test="paired-t")
        for gain in (0.0, 2.0, -2.0)
    ]
    for swapped in (False, True):
        shown = as_compared(results, swapped=swapped)
        figure = differences(shown, ["none", "up", "down"], alpha=0.05)
        order = ("down", "none", "up") if swapped else ("up", "none", "down")
        assert figure.layout.yaxis.ticktext == order
        marked = {
            trace.name: [told.partition("<br>")[0] for told in trace.customdata]
            for trace in figure.data
        }
        assert marked == {
            "A better, p ≤ .05": [order[0]],
            "B better, p ≤ .05": [order[2]],
            "p > .05": ["none"],
        }


def test_each_dataset_has_the_band_of_its_own_margin_and_one_for_all_is_a_rectangle() -> None:
    a, b = np.eye(2)[[0] * 30 + [1] * 26].T
    for margins in ((0.05, 0.2), (0.1, 0.1)):
        results = [
            run_significance_test(a, b, test="mcnemar", claim="not-worse", margin=margin)
            for margin in margins
        ]
        figure = differences(as_compared(results, swapped=False), ["one", "two"], alpha=0.05)
        (band,) = (shape for shape in figure.layout.shapes if shape.type == "path")
        edges = [tuple(map(float, p.split())) for p in band.path[2:-2].split(" L ")]
        for row, margin in enumerate(margins):
            ends = {x for x, y in edges if y in (row - 0.5, row + 0.5)}
            assert {-margin, margin} <= ends, margins
        assert {abs(x) for x, _ in edges} == set(margins)


ROWS = (
    ForestRow(kind="dataset", name="up", estimate=0.2, interval=(0.1, 0.3), weight=0.6),
    ForestRow(kind="dataset", name="down", estimate=-0.2, interval=(-0.3, -0.1), weight=0.3),
    ForestRow(kind="dataset", name="open", estimate=0.0, interval=(-0.1, 0.1), weight=0.1),
    ForestRow(kind="dataset", name="bare", estimate=0.4),
    ForestRow(
        kind="combined", name="all", estimate=0.1, interval=(-0.1, 0.2), prediction=(-0.5, 0.6)
    ),
)


def forest_traces(rows=ROWS, **rest):
    return forest(rows, effect_label="A − B", **rest).data


def named(name, rows=ROWS):
    return next(trace for trace in forest_traces(rows) if (trace.name or "").startswith(name))


def test_each_dataset_and_diamond_stands_where_its_interval_is() -> None:
    assert list(named("A ahead").x) == [0.2]
    assert list(named("B ahead").x) == [-0.2]
    assert list(named("the interval contains 0").x) == [0.0]
    assert list(named("no interval").x) == [0.4]
    # The diamond spans the interval, and the dotted line the prediction.
    diamond = next(trace for trace in forest_traces() if trace.fill == "toself")
    assert (min(diamond.x), max(diamond.x)) == (-0.1, 0.2)
    assert list(named("a new dataset").x) == [-0.5, 0.6]


def test_each_side_of_0_says_above_the_plot_whom_it_favours_in_that_systems_colour() -> None:
    figure = forest(ROWS, effect_label="A − B", sides=("ours ahead", "base ahead"))
    said = {a.text: (a.font.color, a.xanchor) for a in figure.layout.annotations}
    assert said == {
        "<b>ours ahead ▸</b>": (LIGHT.a, "right"),
        "<b>◂ base ahead</b>": (LIGHT.b, "left"),
    }
    assert not figure.layout.showlegend


def test_the_axis_says_what_marks_mean_that_are_drawn_and_nothing_of_others() -> None:
    open_ended = ForestRow(kind="dataset", name="x", estimate=0.1, interval=(-0.1, 0.3))
    unknown = replace(open_ended, interval=None)
    for rows, said in (
        ([open_ended], "<br>grey: the interval contains 0"),
        ([unknown], "<br>open circles: no interval known"),
        ([replace(open_ended, interval=(0.05, 0.15))], ""),
        ([row for row in ROWS if row.prediction], "<br>dotted: a new dataset's effect"),
    ):
        title = forest(rows, effect_label="A − B").layout.xaxis.title.text
        assert title == f"A − B, 95% intervals{said}"


def test_an_interval_that_would_crowd_out_all_others_is_cut_with_an_arrow() -> None:
    rows = (*ROWS, ForestRow(kind="combined", name="two", estimate=0.1, interval=(-30.0, 30.0)))
    figure = forest(rows, effect_label="A − B")
    low, high = figure.layout.xaxis.range
    assert -2.0 < low < high < 2.0
    arrows = [trace for trace in figure.data if trace.name == "goes on"]
    assert sorted(trace.marker.symbol for trace in arrows) == ["triangle-left", "triangle-right"]
    assert not any(trace.name == "goes on" for trace in forest_traces())


THREE = {"x": range(10), "y": range(5, 25), "none": [-1, -1]}


def test_every_cell_says_its_share_as_a_number() -> None:
    for theme in [LIGHT, DARK]:
        figure = overlap_matrix(overlap(THREE), theme=theme)
        (trace,) = figure.data
        assert trace.z[0][1] == trace.z[1][0] == 0.5, theme
        assert [*map(list, trace.text)] == [["", "50%", ""], ["50%", "", ""], [""] * 3], theme
        signs = {(a.y, a.x): a.text for a in figure.layout.annotations}
        known = {(0, 1), (1, 0)}
        assert signs == {
            (i, j): "–" if i == j else "?" for i, j in set(product(range(3), repeat=2)) - known
        }, theme
        assert "? not compared" in figure.layout.title.text, theme
        assert trace.textfont.color == theme.ink, theme


def test_of_many_datasets_those_that_share_are_drawn() -> None:
    codes = {f"dataset {i}": [*range(10 * i, 10 * i + 5)] for i in range(100)}
    codes["dataset 71"] = [*range(2), *range(5000, 5009)]
    found = overlap(codes)
    assert drawn_datasets(found).tolist() == [0, 71]
    figure = overlap_matrix(found)
    assert list(figure.layout.xaxis.ticktext) == ["dataset 0", "dataset 71"]
    assert "2 of 100 datasets" in figure.layout.title.text
    assert figure.data[0].z[0][1] == pytest.approx(2 / 5)


def test_a_range_is_drawn_from_end_to_end_and_a_misfit_by_a_mark_of_its_own() -> None:
    figure = possible_ranges(
        ["u", "<b>v</b>"],
        printed=[0.01, 0.2],
        ranges=[[(0.001, 0.5)], [(0.0, 0.06), (0.4, 0.7)]],
        fits=[True, False],
        theme=DARK,
    )
    ranges, fitting, misfits = figure.data
    assert list(ranges.x) == [0.001, 0.5, None, LOWEST_DRAWN, 0.06, None, 0.4, 0.7, None]
    assert (list(fitting.x), list(fitting.y)) == ([0.01], [0])
    assert (list(misfits.x), list(misfits.y)) == ([0.2], [1])
    assert fitting.marker.symbol != misfits.marker.symbol
    assert misfits.name.startswith("✗")
    assert figure.layout.yaxis.ticktext[1] == "&lt;b&gt;v&lt;/b&gt;"
