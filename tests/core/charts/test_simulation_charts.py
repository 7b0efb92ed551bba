"""Charts of simulated studies show every dataset, repetition and point, by sign as well as by colour."""

from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest

from core.charts.p_values import draw_chart
from core.charts.simulation import (
    MOST_BINS,
    MOST_TICK_CHARACTERS,
    k_hat_bins,
    k_hat_histograms,
    power_chart,
)
from core.charts.theme import DARK, LIGHT, p_clause
from core.simulation.batch import estimator_names
from core.simulation.families import family_of
from core.simulation.planning import power_curve
from core.simulation.results import Simulation
from core.simulation.runs import draw_one, simulate_k_hat
from core.simulation.scenarios import TOY_DEPENDENT, TOY_INDEPENDENT, Block, Scenario

SCENARIOS = {
    "one dataset": Scenario((Block(1),)),
    "some better": Scenario((Block(20, effect=2.0), Block(30))),
    "all better": Scenario((Block(7, effect=4.0),)),
    "many": Scenario((Block(700, effect=1.0), Block(500, rho=0.3))),
}


def test_each_dataset_of_a_study_is_a_point_marked_by_its_truth() -> None:
    for theme, (name, scenario) in product([LIGHT, DARK], SCENARIOS.items()):
        draw = draw_one(scenario, 4)
        figure = draw_chart(draw, theme=theme)
        small, expected = draw.p_values <= 0.05, {}
        for better, below in product((True, False), repeat=2):
            of_kind = np.flatnonzero((draw.truly_better == better) & (small == below)).tolist()
            truth = "A truly" if better else "wrong wins: not" if below else "not"
            label = f"{truth} better, p {'≤' if below else '>'} .05"
            if of_kind:
                p_values = {i + 1: p_clause(draw.p_values[i], alpha=0.05) for i in of_kind}
                expected[label] = {f"dataset {i}: {p}" for i, p in p_values.items()}
        shown = {trace.name.rpartition(" (")[0]: set(trace.customdata) for trace in figure.data}
        assert shown == expected, name
        marks = {(trace.marker.symbol, trace.marker.color) for trace in figure.data}
        assert len(marks) == len(figure.data), (theme, name)
        ticks = figure.layout.xaxis.tickvals
        assert 1 <= len(ticks) <= 6, (theme, name)
        assert 0 < ticks[0] <= ticks[-1] <= draw.p_values.size, (theme, name)


def test_power_is_drawn_for_every_count_with_line_and_mark_of_its_own() -> None:
    curve = power_curve(
        lambda n: family_of(int(n), effect=2.0), [2, 5, 9], at_least=2, n_repetitions=200, rng=0
    )
    figure = power_chart(curve, quantity="number of datasets", target=0.8)
    assert all(trace.customdata[0].startswith("at 2, “at least 2” in ") for trace in figure.data)
    for trace, name in zip(figure.data, estimator_names(), strict=True):
        assert list(trace.y) == [point.power[name].rate for point in curve.points]
    looks = {(trace.line.dash, trace.marker.symbol) for trace in figure.data}
    assert len(looks) == len(estimator_names())
    assert figure.layout.shapes[0].y0 == 0.8
    assert "no guarantee" in figure.data[0].name
    assert not any("no guarantee" in trace.name for trace in figure.data[1:])
    assert "80%" in figure.layout.annotations[0].text
    # Blue and orange are A's and B's.
    assert not {trace.line.color for trace in figure.data} & {LIGHT.a, LIGHT.b}


def test_a_curve_shows_no_wrong_claims_and_what_has_no_guarantee() -> None:
    curve = power_curve(
        lambda n: family_of(int(n), share_better=0.5, effect=2.0, rho=0.5),
        [2, 8, 10],
        at_least=4,
        n_repetitions=200,
        rng=0,
    )
    figure = power_chart(curve, quantity="number of datasets")
    assert [list(trace.x) for trace in figure.data] == [[8, 10]] * len(estimator_names())
    named = [trace.name for trace in figure.data]
    unsafe = [f"{name} (no guarantee here)" for name in ("Fisher", "Stouffer")]
    assert named[1:] == ["Bonferroni", unsafe[0], "Simes", unsafe[1]]


STUDIED = {
    "3 of 5": Scenario((Block(3, effect=3.0), Block(2))),
    "5 of 5": Scenario((Block(5, effect=4.0),)),
    "0 of 1": Scenario((Block(1),)),
    "0 of 100": TOY_INDEPENDENT.scenario,
    "0 of 100, dependent": TOY_DEPENDENT.scenario,
    "50 of 100": Scenario((Block(50, effect=3.0), Block(50))),
    "1 of 100": Scenario((Block(1, effect=4.0), Block(99))),
    "0 of 500": Scenario((Block(500, rho=0.5),)),
    "250 of 500": Scenario((Block(250, effect=3.0), Block(250))),
    "500 of 500": Scenario((Block(500, effect=1.0),)),
}
NAMES = ["Usual count: one-sided p ≤ .05", "Bonferroni", "Fisher", "Simes", "Stouffer"]


@cache
def simulated(name: str) -> Simulation:
    return simulate_k_hat(STUDIED[name], n_repetitions=500, rng=1)


def test_the_bars_of_each_estimator_are_its_repetitions_binned() -> None:
    for name in STUDIED:
        simulation = simulated(name)
        figure = k_hat_histograms(simulation, theme=DARK)
        histograms = {estimator: simulation.histogram(estimator) for estimator in estimator_names()}
        bins = k_hat_bins(histograms, k=simulation.k)
        assert [trace.name for trace in figure.data] == NAMES
        for trace, estimator in zip(figure.data, estimator_names(), strict=True):
            assert sum(trace.y) == pytest.approx(1.0), name
            by_label = dict(trace.customdata)
            for one in bins:
                count = int(histograms[estimator][one.first : one.last + 1].sum())
                assert by_label.get(one.label, "0") == f"{count:,}", name
        for trace, note in zip(figure.data, figure.layout.annotations, strict=False):
            assert note.x == (trace.x[np.argmax(trace.y)] < len(bins) // 2), name
        truth = figure.layout.shapes[0].x0
        right = sum(y for x, y in zip(figure.data[0].x, figure.data[0].y, strict=True) if x > truth)
        assert right == pytest.approx(simulation.overcount("count").rate), name
        # Few bins hold every value once, and none lies on both sides of k.
        assert 1 <= len(bins) <= MOST_BINS, name
        values = [value for one in bins for value in range(one.first, one.last + 1)]
        assert values == list(range(simulation.n_datasets + 1)), name
        assert simulation.k in {one.last for one in bins}, name
        assert len({one.label for one in bins}) == len(bins), name
        # The figure stays small, and its ticks fit a narrow screen.
        assert len(figure.to_json()) < 20_000, name
        assert len(" ".join(figure.layout.xaxis.ticktext)) <= MOST_TICK_CHARACTERS, name
        twice = k_hat_histograms(simulation, theme=replace(DARK, size=2 * DARK.size))
        assert len(" ".join(twice.layout.xaxis.ticktext)) <= MOST_TICK_CHARACTERS / 2, name


def test_each_row_is_labelled_with_its_rate_and_only_what_exceeds_the_truth_stands_out() -> None:
    simulation = simulated("50 of 100")
    figure = k_hat_histograms(simulation, estimators=("count", "fisher"))
    labels = [note.text for note in figure.layout.annotations]
    for trace, estimator, label in zip(figure.data, ("count", "fisher"), labels, strict=False):
        assert label.startswith(f"<b>{trace.name}</b>")
        assert f"<b>{100 * simulation.overcount(estimator).rate:.2g}%</b> of studies" in label
        truth = figure.layout.shapes[0].x0
        pale = {c for x, c in zip(trace.x, trace.marker.color, strict=True) if x < truth}
        strong = {c for x, c in zip(trace.x, trace.marker.color, strict=True) if x > truth}
        assert len(pale) == len(strong) == 1
        assert pale != strong
    assert LIGHT.alert in figure.data[0].marker.color
    assert LIGHT.alert not in figure.data[1].marker.color
