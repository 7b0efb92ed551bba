"""What charts of many systems draw: thresholds with intervals, classes with pairs, cells."""

from __future__ import annotations

import numpy as np
import pytest

from core.charts.gain_confidence import gain_confidence as drawn
from core.charts.pair_matrix import MOST_WITH_NUMBERS, pair_matrix
from core.data import ResultSet
from core.systems.all_pairs import compare_all_pairs
from core.systems.counting import CountMatrix, count_matrix
from core.systems.gain_confidence import GainConfidence
from core.systems.gain_confidence import gain_confidence as points_of


def results(m: int, *, n: int = 300, n_datasets: int = 1) -> ResultSet:
    rng = np.random.default_rng(1)
    ability = np.linspace(0.5, 0.65, m)
    return ResultSet.from_scores(
        {
            f"d{d}": {f"s{k}": (rng.random(n) < ability[k]).astype(float) for k in range(m)}
            for d in range(n_datasets)
        }
    )


@pytest.fixture(scope="module")
def points() -> GainConfidence:
    data = results(60)
    groups = {name: "xy"[k % 2] if k else "alone" for k, name in enumerate(data.systems)}
    return points_of(compare_all_pairs(data), groups=groups, detail="each-group")


def test_a_group_of_one_system_has_no_pairs_and_is_not_drawn(points: GainConfidence) -> None:
    assert "alone" in points.classes
    names = [trace.name for trace in drawn(points).data]
    assert [name.split(" (")[0] for name in names] == ["y", "x", "different groups"]


def test_a_threshold_is_drawn_with_its_interval_and_the_pairs_it_rests_on(
    points: GainConfidence,
) -> None:
    found = points.threshold(pair_class="different groups")
    assert found.value is not None
    assert found.interval is not None
    figure = drawn(points, thresholds={"different groups": found})
    bands = [shape for shape in figure.layout.shapes if shape.type == "rect"]
    assert [(band.x0, band.x1) for band in bands] == [found.interval]
    (label,) = [note.text for note in figure.layout.annotations]
    assert f"{found.value:.3g}" in label
    assert f"({found.n_pairs} pairs)" in label


def test_many_thresholds_have_lines_and_no_labels_on_each_other(points: GainConfidence) -> None:
    found = points.threshold(pair_class="different groups")
    figure = drawn(points, thresholds=dict.fromkeys("abcd", found))
    assert len([s for s in figure.layout.shapes if s.type == "line"]) == 5
    assert not figure.layout.annotations


def counts(m: int, n_datasets: int) -> CountMatrix:
    return count_matrix(compare_all_pairs(results(m, n=60, n_datasets=n_datasets)))


def test_of_one_dataset_cells_have_marks_and_no_scale() -> None:
    few = pair_matrix(counts(6, 1)).data[0]
    assert {cell for row in few.text for cell in row} <= {"", "✓"}
    many = pair_matrix(counts(MOST_WITH_NUMBERS + 1, 1)).data[0]
    assert not many.showscale


def test_of_several_datasets_cells_have_numbers_or_a_scale() -> None:
    few = counts(6, 3)
    texts = [cell for row in pair_matrix(few).data[0].text for cell in row if cell]
    assert len(texts) == 30
    assert sum(map(int, texts)) == int(few.k_hat.sum())
    assert pair_matrix(counts(MOST_WITH_NUMBERS + 1, 2)).data[0].showscale
