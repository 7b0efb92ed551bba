"""Charts of simulated studies show every dataset and every point, by sign as well as by colour."""

from __future__ import annotations

import numpy as np

from core.charts.p_values import draw_chart
from core.charts.simulation import power_chart
from core.charts.theme import DARK, LIGHT, p_clause
from core.simulation import (
    Block,
    Scenario,
    draw_one,
    estimator_names,
    family_of,
    power_curve,
)

SCENARIOS = {
    "one dataset": Scenario((Block(1),)),
    "some better": Scenario((Block(20, effect=2.0), Block(30))),
    "all better": Scenario((Block(7, effect=4.0),)),
    "many": Scenario((Block(700, effect=1.0), Block(500, rho=0.3))),
}


def test_each_dataset_of_a_study_is_a_point_marked_by_its_truth() -> None:
    for theme in [LIGHT, DARK]:
        for name in SCENARIOS:
            draw = draw_one(SCENARIOS[name], 4)
            assert draw.truly_better is not None, (theme, name)
            figure = draw_chart(draw, theme=theme)
            shown = {trace.name.rpartition(" (")[0]: trace for trace in figure.data}
            small = draw.p_values <= 0.05
            for better in (True, False):
                for below in (True, False):
                    expected = np.flatnonzero((draw.truly_better == better) & (small == below))
                    label = (
                        f"{'A truly' if better else 'not'} better, p {'≤' if below else '>'} .05"
                    )
                    if not expected.size:
                        assert label not in shown, (theme, name)
                        continue
                    points = shown[label].customdata
                    assert sorted(int(dataset) - 1 for _, dataset in points) == expected.tolist(), (
                        theme,
                        name,
                    )
                    assert [clause for clause, _ in points] == [
                        p_clause(draw.p_values[int(dataset) - 1], alpha=0.05)
                        for _, dataset in points
                    ], (theme, name)
            marks = [(trace.marker.symbol, trace.marker.color) for trace in figure.data]
            assert len(set(marks)) == len(marks), (theme, name)
            ticks = figure.layout.xaxis.tickvals
            assert 1 <= len(ticks) <= 6, (theme, name)
            assert 0 < ticks[0] <= ticks[-1] <= draw.p_values.size, (theme, name)


def test_power_is_drawn_for_every_count_with_line_and_mark_of_its_own() -> None:
    curve = power_curve(
        lambda n: family_of(int(n), effect=2.0), [2, 5, 9], at_least=2, n_repetitions=200, rng=0
    )
    figure = power_chart(curve, quantity="number of datasets", target=0.8)
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
    assert named[1:] == [
        "Bonferroni",
        "Fisher (no guarantee here)",
        "Simes",
        "Stouffer (no guarantee here)",
    ]
