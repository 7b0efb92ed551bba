"""Charts show what the results say."""

from __future__ import annotations

import numpy as np
import pytest

from core.charts.differences import both_sides, differences
from core.charts.p_values import ladder, staircase
from core.charts.theme import LIGHT, LOWEST_DRAWN
from core.replicability.assessment import Answer, assess
from core.replicability.identification import identify_datasets, procedure_names
from core.significance import run_significance_test

REDSHIFT = (0.0979, 0.1662, 0.0046, 0.0376, 0.0969, 0.0912, 0.0823)
GENRES = ("BC", "BN", "MZ", "NW", "PT", "TC", "WB")


def answer(p_values: object, dependence: str = "independent") -> Answer:
    found = assess(p_values, None, alternative="greater", dependence=dependence)  # type: ignore[arg-type]
    assert found.answer_a is not None
    return found.answer_a


def test_the_staircase_draws_every_combination_and_marks_the_count_in_front() -> None:
    figure = staircase(answer(REDSHIFT))
    assert {trace.name for trace in figure.data} == {
        "Bonferroni: k̂ = 1",
        "Simes: k̂ = 1",
        "Fisher: k̂ = 5",
        "Stouffer: k̂ = 5",
    }
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
        names = [f"d{i}" for i in range(len(p_values))]
        assert ladder(identify_datasets(found.p_values), names).data, p_values


@pytest.mark.parametrize("procedure", procedure_names())
def test_the_ladder_stars_exactly_the_named(procedure: str) -> None:
    found = identify_datasets(REDSHIFT, procedure=procedure)
    figure = ladder(found, GENRES)
    stars = next(trace for trace in figure.data if "★" in trace.name)
    named = {row[0] for row in stars.customdata or ()}
    assert named == {GENRES[i] for i in np.flatnonzero(found.rejected)}
    assert stars.name == f"★ named ({found.n_rejected})"


def test_the_ladder_marks_where_holm_stops() -> None:
    figure = ladder(identify_datasets(REDSHIFT), GENRES)
    texts = [a.text for a in figure.layout.annotations]
    assert texts == ["Holm stops here:<br>NW, p = .0376"]
    assert figure.data[0].name == "threshold (Holm)"
    assert [tick for tick in figure.layout.xaxis.ticktext if "★" in tick] == ["<b>★ MZ</b>"]


@pytest.mark.parametrize(("p_values", "above"), [((0.001, 0.3), False), ((0.03, 0.04), True)])
def test_where_holm_stops_is_written_above_a_point_that_is_near_the_axis(
    p_values: tuple[float, ...], above: bool
) -> None:
    figure = ladder(identify_datasets(p_values), ["x", "y"])
    assert [a.ay < 0 for a in figure.layout.annotations] == [above]


def test_a_side_without_wins_has_no_evidence_rather_than_at_least_none() -> None:
    figure = both_sides(6, k_a=2, k_b=0, system_a="new", system_b="old")
    assert {a.text for a in figure.layout.annotations} == {
        "<b>◂ A: new better on at least 2</b>",
        "<b>B: old better: no evidence ▸</b>",
    }


def test_names_reach_the_chart_escaped() -> None:
    names = ["<b>x</b>", "<a href='javascript:alert(1)'>y</a>", "z"]
    figure = ladder(identify_datasets([0.001, 0.5, 0.9]), names)
    drawn = str(figure.to_dict())
    assert "<b>x" not in drawn
    assert "&lt;b&gt;x" in drawn
    assert "<a href" not in drawn


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
        figure = differences(results, ["none", "up", "down"], alpha=0.05, swapped=swapped)
        order = ("down", "none", "up") if swapped else ("up", "none", "down")
        assert figure.layout.yaxis.ticktext == order
        marked = {trace.name: [row[0] for row in trace.customdata] for trace in figure.data}
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
        figure = differences(results, ["one", "two"], alpha=0.05)
        (band,) = (shape for shape in figure.layout.shapes if shape.type == "path")
        edges = [tuple(map(float, p.split())) for p in band.path[2:-2].split(" L ")]
        for row, margin in enumerate(margins):
            ends = {x for x, y in edges if y in (row - 0.5, row + 0.5)}
            assert {-margin, margin} <= ends, margins
        assert {abs(x) for x, _ in edges} == set(margins)
