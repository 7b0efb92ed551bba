"""Sentences and tables about thresholds of every dataset at one size."""

from __future__ import annotations

import numpy as np
import pytest

from core.data import ResultSet
from core.systems.sizes import ThresholdCurve, thresholds_by_size
from core.words import systems_gains as words

SIZE = 150


def data(m: int = 24) -> ResultSet:
    """One dataset whose examples all systems have alike in part, so that smaller gains are enough."""
    rng = np.random.default_rng(7)
    ability = np.linspace(0.5, 0.62, m)

    def scores(shared: float, n: int) -> dict[str, np.ndarray]:
        alike = rng.random((n, 1)) * np.ones((1, m))
        own = np.where(rng.random((n, 1)) < shared, alike, rng.random((n, m)))
        return {f"{'ab'[k % 2]}:{k}": (own[:, k] < ability[k]).astype(float) for k in range(m)}

    return ResultSet.from_scores({"alike": scores(0.8, 300), "unlike": scores(0.0, 200)})


@pytest.fixture(scope="module")
def curves() -> list[ThresholdCurve]:
    results = data()
    return [
        thresholds_by_size(
            results, name, sizes=[SIZE], selections=["random"], n_subsets=5, n_resamples=999
        )
        for name in results.datasets
    ]


def test_the_table_has_a_row_for_each_dataset_with_its_pairs_and_interval(
    curves: list[ThresholdCurve],
) -> None:
    frame = words.one_size_frame(curves, {"alike": 300, "unlike": 200})
    assert list(frame["dataset"]) == ["alike", "unlike"]
    assert list(frame["examples there"]) == [300, 200]
    assert set(frame["tested"]) == {SIZE}
    found = [curve.points[0].threshold for curve in curves]
    assert list(frame["usually enough"]) == [one.value for one in found]
    assert list(frame["cases around p = .05"]) == [one.n_pairs for one in found]
    assert [one.interval for one in found] == list(
        zip(frame["interval from"], frame["to"], strict=True)
    )
    assert "pairs" not in frame
    assert "why there is none" not in frame


def test_groups_apart_have_rows_of_their_own_and_reasons_where_pairs_are_too_few() -> None:
    results = data(8)
    one = thresholds_by_size(
        results,
        "unlike",
        sizes=[SIZE],
        selections=["random"],
        n_subsets=1,
        groups=":",
        detail="each-group",
        n_resamples=999,
    )
    frame = words.one_size_frame([one], {"unlike": 200})
    assert list(frame["pairs"]) == ["a", "b", "different groups"]
    assert all(reason.startswith("Only ") for reason in frame["why there is none"])
    assert "20 different pairs" in words.one_size_sentence([one], SIZE)
