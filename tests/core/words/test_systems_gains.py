"""Sentences about gains that are usually enough, and about whether signs hold elsewhere."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.data import ResultSet
from core.systems.all_pairs import compare_all_pairs
from core.systems.gain_confidence import DIFFERENT, SAME, gain_confidence
from core.words import systems_gains as words


def noisy(m: int = 30, n: int = 400, n_datasets: int = 2) -> ResultSet:
    rng = np.random.default_rng(4)
    ability = np.linspace(0.5, 0.62, m)
    return ResultSet.from_scores(
        {
            f"d{d}": {
                f"{'ab'[k % 2]}:{k}": (rng.random(n) < ability[k]).astype(float) for k in range(m)
            }
            for d in range(n_datasets)
        },
        metric="accuracy",
    )


@pytest.fixture(scope="module")
def data() -> ResultSet:
    return noisy()


def test_a_threshold_is_said_with_its_class_its_pairs_and_its_interval(data: ResultSet) -> None:
    points = gain_confidence(compare_all_pairs(data), groups=":")
    found = points.thresholds()
    sentence = words.thresholds_sentence(found, metric="accuracy")
    for name, clause in ((SAME, "of the same group"), (DIFFERENT, "of different groups")):
        own = found[name]
        assert own.value is not None
        cases = f"{own.n_pairs} pairs"
        if own.n_pairs > own.n_distinct_pairs:
            cases = f"{own.n_pairs} cases of {own.n_distinct_pairs} pairs"
        assert f" between systems {clause} ({cases}, interval" in sentence
        assert f" {own.value:.3g} " in sentence
    assert " cases of " in sentence
    frame = words.thresholds_frame(found)
    assert list(frame["cases around p = .05"]) == [own.n_pairs for own in found.values()]
    assert list(frame["different pairs"]) == [own.n_distinct_pairs for own in found.values()]
    one = words.thresholds_frame(points.thresholds(dataset="d0"))
    assert "pairs around p = .05" in one
    assert "different pairs" not in one


def test_many_groups_are_told_by_the_smallest_and_the_largest_threshold(data: ResultSet) -> None:
    own = gain_confidence(compare_all_pairs(data)).threshold()
    found = {f"g{k}": replace(own, value=0.01 * (k + 1)) for k in (3, 1, 2, 4)}
    sentence = words.thresholds_sentence(found, metric="accuracy")
    assert "0.02 in accuracy is usually enough for p < .05 within g1" in sentence
    assert "0.05 within g4" in sentence
    assert "within g2" not in sentence
    none = {name: replace(own, value=None, n_distinct_pairs=k) for k, name in enumerate(found)}
    assert "at most 3 within g4" in words.thresholds_sentence(none, metric="accuracy")


def test_a_warning_that_several_classes_share_is_given_once(data: ResultSet) -> None:
    own = gain_confidence(compare_all_pairs(data)).threshold()
    warned = replace(own, warnings=("The interval is wide.",))
    assert words.warnings_of({"x": warned, "y": warned}) == ("X and y: the interval is wide.",)
