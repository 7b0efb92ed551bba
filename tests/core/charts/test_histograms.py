"""The histograms of simulated counts show every repetition, once, on its side of the truth."""

from __future__ import annotations

from functools import cache

import pytest

from core.charts.simulation import (
    MOST_BINS,
    MOST_TICK_CHARACTERS,
    k_hat_bins,
    k_hat_histograms,
)
from core.charts.theme import DARK, LIGHT
from core.simulation import (
    TOY_DEPENDENT,
    TOY_INDEPENDENT,
    Block,
    Scenario,
    Simulation,
    estimator_names,
    simulate_k_hat,
)

SCENARIOS = {
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
    return simulate_k_hat(SCENARIOS[name], n_repetitions=4000, rng=1)


def test_the_bars_of_each_estimator_are_its_repetitions_binned() -> None:
    for name in SCENARIOS:
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
