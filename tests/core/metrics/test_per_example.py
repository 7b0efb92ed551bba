"""What becomes of scores and labels, and what is refused."""

import numpy as np
import pytest

from core.metrics.per_example import (
    per_example_scores,
    per_example_statistics,
    predictions_and_gold,
)


@pytest.mark.parametrize("kind", [list, np.array, lambda x: np.array(x, dtype=object)])
def test_labels_are_compared_with_gold(kind) -> None:
    a, b, gold = kind(["yes", "no", "no"]), kind(["yes", "yes", "no"]), kind(["yes", "no", "yes"])
    a, b = per_example_scores(a, b, metric="accuracy", gold=gold)
    assert a.tolist() == [1.0, 1.0, 0.0]
    assert b.tolist() == [1.0, 0.0, 0.0]


def test_labels_may_be_numbers_on_all_sides() -> None:
    a, _ = per_example_scores([1, 2, 3], [1, 1, 1], metric="accuracy", gold=np.array([1.0, 2, 2]))
    assert a.tolist() == [1.0, 1.0, 0.0]


def by_gold(*gold: object) -> dict[str, object]:
    return {"metric": "accuracy", "gold": gold}


@pytest.mark.parametrize(
    ("a", "b", "settings", "message"),
    [
        ([1, 2], [1], {}, r"`a` and `b` must have one entry .* got 2 and 1\."),
        ([], [], {}, r"`a` must hold at least one example; got none\."),
        ([[1]], [[1]], {}, r"`a` must be one-dimensional; got 2 dimensions\."),
        ([1, np.nan], [1, 1], {}, r"`a` must be finite .* got nan at index 1\."),
        ([1, 1], [np.inf, np.nan], {}, r"`b` must be finite .* got inf at index 0 and 1 more\."),
        ([1e200], [1], {}, r"`a` must be finite numbers, none beyond 1e\+150; got 1e\+200"),
        (["x"], ["y"], {}, r"`a` must be numbers, .* labels need `gold`"),
        ([1], [1], {"metric": "f1"}, r"`metric` must be one of 'mean', 'accuracy'; got 'f1'\."),
        ([0.5], [1], {"metric": "accuracy"}, r"`a` must be 0 or 1 .* got 0\.5\."),
        ([1], [1], {"gold": [1]}, r"`gold` is for metric 'accuracy'; got metric 'mean'\."),
        (["1"], [1], by_gold(1), r"`a` and `gold` must both be text or both .* got '1' and 1\."),
        (["x", None], ["x", "x"], by_gold("x", "x"), r"`a` must have a label .* none at index 1\."),
        (["x", "x"], ["x", "x"], by_gold("x"), r"`a` and `gold` must have one .* got 2 and 1\."),
    ],
)
def test_what_does_not_fit_is_refused_by_name(a, b, settings, message) -> None:
    with pytest.raises(ValueError, match=message):
        per_example_scores(a, b, **settings)


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ([1, 2], [1, 2], r"`a` must have shape \(n, 2\) for metric 'ratio', .* got \(2,\)\."),
        ([[1, 2, 3]], [[1, 2]], r"its columns correct, total; got \(1, 3\)\."),
        (np.empty((0, 2)), [[1, 2]], r"`a` must hold at least one example; got none\."),
        ([[1, 2]], [[1, 2], [0, 1]], r"`a` and `b` must have one entry .* got 1 and 2\."),
        ([[1, 2]], [[-1, 2]], r"`b` must hold finite .* got -1\.0 as correct at index 0\."),
        ([[1, 2], [1, np.nan]], [[1, 2]], r"`a` must hold .* got nan as total at index 1\."),
        ([["x", 2]], [[1, 2]], r"`a` must be numbers: correct, total of each example; got "),
    ],
)
def test_statistics_that_are_none_are_refused(a, b, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        per_example_statistics(a, b, metric="ratio")


def test_predictions_need_gold_of_the_same_length() -> None:
    assert [x.tolist() for x in predictions_and_gold([1], [2], [3])] == [[1.0], [2.0], [3.0]]
    with pytest.raises(ValueError, match="`gold` must be given where correlations"):
        predictions_and_gold([1], [2], None)
    with pytest.raises(ValueError, match=r"`a` and `gold` must have one entry .* got 1 and 2"):
        predictions_and_gold([1], [2], [3, 4])
    with pytest.raises(ValueError, match="`gold` must be finite"):
        predictions_and_gold([1], [2], [np.nan])
