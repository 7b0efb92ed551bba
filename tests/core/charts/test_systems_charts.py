"""Charts of many systems: every pair and cell tells itself, the same numbers as the results."""

import numpy as np
import pytest

from core.charts.matrices import pair_matrix
from core.charts.systems import gain_confidence as drawn_points
from core.charts.systems import thresholds_against_size
from core.charts.theme import DARK, LIGHT
from core.data import ResultSet
from core.systems.all_pairs import compare_all_pairs
from core.systems.counting import count_matrix
from core.systems.gain_confidence import gain_confidence, groups_before
from core.systems.sizes import thresholds_by_size
from tests.core.systems.made import result_set, two_groups


def test_a_pair_whose_test_speaks_against_its_gain_is_within_the_axis() -> None:
    scores = {f"s{k}": np.random.default_rng(k).exponential(size=60) ** 2 for k in range(14)}
    pairs = compare_all_pairs(ResultSet.from_scores({"d": scores}), test="sign")
    figure = drawn_points(gain_confidence(pairs))
    low, _ = figure.layout.yaxis.range
    assert low < min(min(trace.y) for trace in figure.data) < 0.1


@pytest.fixture(scope="module")
def pairs():
    names = [f"{'ab'[k // 8]}/<b>{k}" for k in range(16)]
    return compare_all_pairs(
        result_set(*(two_groups(120, 16, seed=k) for k in range(3)), names=names), test="paired-t"
    )


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_every_pair_is_a_point_that_says_its_systems_and_a_threshold_has_its_interval(
    pairs, theme, monkeypatch
):
    monkeypatch.setattr("core.systems.gain_confidence.BAND", (0.001, 0.5))
    points = gain_confidence(pairs, groups=groups_before(pairs.systems, "/"))
    found = points.thresholds()
    figure = drawn_points(points, thresholds=found, theme=theme)
    bands = [(shape.x0, shape.x1) for shape in figure.layout.shapes if shape.type == "rect"]
    assert bands == [own.interval for own in found.values()]
    assert sum(len(trace.x) for trace in figure.data) == 3 * 120
    assert len({trace.marker.symbol for trace in figure.data}) == 2
    first = figure.data[0].customdata[0]
    assert " ahead of " in first
    assert "&lt;b&gt;" in first
    assert "<b>" not in first
    assert "d0" in first
    one = drawn_points(points, dataset="d1")
    assert sum(len(trace.x) for trace in one.data) == 120


def test_thresholds_stand_on_log_axes_beside_their_lines():
    names = [f"{'ab'[k // 12]}/{k}" for k in range(24)]
    results = result_set(two_groups(500, 24), names=names)
    curve = thresholds_by_size(
        results, "d0", groups=groups_before(results.systems, "/"), n_subsets=2, test="paired-t"
    )
    figure = thresholds_against_size(curve)
    assert figure.layout.xaxis.type == figure.layout.yaxis.type == "log"
    lines = [trace for trace in figure.data if trace.mode == "lines"]
    classes = {point.pair_class for point in curve.points}
    fits = [curve.fit(one, own) for one in curve.selections for own in classes]
    assert len(lines) == len([*filter(None, fits)])
    # On log axes 1/√n falls by half a decade in one.
    for line in lines:
        fall = np.diff(np.log(line.y))[0] / np.diff(np.log(line.x))[0]
        assert fall == pytest.approx(-0.5)
    marks = {trace.marker.symbol for trace in figure.data if trace.mode == "markers"}
    assert len(marks) >= 2
    none = thresholds_by_size(result_set(two_groups(40, 4)), "d0", n_subsets=2, test="paired-t")
    assert not thresholds_against_size(none).data


def test_the_matrix_writes_its_numbers_and_knows_its_pairs(pairs):
    counts = count_matrix(pairs)
    figure = pair_matrix(counts)
    trace, marks = figure.data
    order = np.argsort(counts.mean_ranks, kind="stable")
    assert trace.text[0][1] == str(counts.k_hat[order[0], order[1]])
    assert list(marks.customdata[1][1:]) == [counts.systems[k] for k in order[:2]]
    assert "&lt;b&gt;" in marks.customdata[1][0]
    assert np.isnan(trace.z[0][0])
    signs = [a.text for a in figure.layout.annotations]
    assert signs == ["–"] * 16
