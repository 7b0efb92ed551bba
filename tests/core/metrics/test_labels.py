"""Metrics of labels against their definitions over the examples themselves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.metrics.labels import class_statistics, label_statistics
from core.metrics.registry import (
    STATISTIC_METRICS,
    StatisticMetric,
    aggregate,
    check_kind,
    f_beta,
    n_statistics,
    statistic_metric,
)

labelled = st.integers(1, 30).flatmap(
    lambda n: st.tuples(*[st.lists(st.sampled_from("wxyz"), min_size=n, max_size=n)] * 3)
)


def score(metric: StatisticMetric, counted: np.ndarray) -> float:
    return float(metric.score(counted.sum(axis=0)))


def f1_of(gold: Sequence[str], predicted: Sequence[str], label: str) -> float:
    """The harmonic mean, by sets of examples."""
    found = {i for i, x in enumerate(predicted) if x == label}
    right = {i for i, x in enumerate(gold) if x == label}
    if not found & right:
        return 0.0
    precision, recall = len(found & right) / len(found), len(found & right) / len(right)
    return 2.0 / (1.0 / precision + 1.0 / recall)


@given(labelled)
def test_a_class_has_the_f1_of_its_own_examples(sets: Any) -> None:
    gold, a, b = sets
    counted = class_statistics(a, b, gold, positive=gold[0])
    for predicted, statistics in zip((a, b), counted, strict=True):
        assert score(STATISTIC_METRICS["f1"], statistics) == pytest.approx(
            f1_of(gold, predicted, gold[0])
        )


@given(labelled)
def test_matthews_is_the_correlation_of_indicators(sets: Any) -> None:
    # Gorodkin's own definition: covariances of the classes' indicators, added up.
    gold, a, b = sets
    metric, *counted = label_statistics(a, b, gold, metric="mcc")
    right = np.array([[x == label for label in "wxyz"] for x in gold], dtype=float)
    for predicted, statistics in zip((a, b), counted, strict=True):
        said = np.array([[x == label for label in "wxyz"] for x in predicted], dtype=float)
        deviations = right - right.mean(axis=0), said - said.mean(axis=0)
        spread = [float((d * d).sum()) for d in deviations]
        found = score(metric, statistics)
        if min(spread) < 1e-9:
            assert math.isnan(found)
        else:
            expected = float((deviations[0] * deviations[1]).sum()) / math.sqrt(math.prod(spread))
            assert found == pytest.approx(expected, abs=1e-12)


def test_matthews_of_two_classes_is_that_of_the_fourfold_table() -> None:
    tp, fp, fn, tn = 6, 2, 1, 3
    gold = ["x"] * tp + ["y"] * fp + ["x"] * fn + ["y"] * tn
    said = ["x"] * (tp + fp) + ["y"] * (fn + tn)
    metric, counted, _ = label_statistics(said, said, gold, metric="mcc")
    expected = (tp * tn - fp * fn) / math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
    assert score(metric, counted) == pytest.approx(expected)
    assert np.corrcoef([x == "x" for x in gold], [x == "x" for x in said])[0, 1] == pytest.approx(
        expected
    )


counts = st.integers(0, 200)


@given(tp=st.integers(1, 200), fp=counts, fn=counts, beta=st.sampled_from([0.25, 0.5, 2.0, 3.5]))
def test_f_beta_weighs_recall_beta_times(tp: int, fp: int, fn: int, beta: float) -> None:
    precision, recall = tp / (tp + fp), tp / (tp + fn)
    expected = (1 + beta**2) * precision * recall / (beta**2 * precision + recall)
    sums = np.array([tp, fp, fn], dtype=float)
    assert float(f_beta(beta).score(sums)) == pytest.approx(expected)
    assert float(statistic_metric(f"f{beta:g}").score(sums)) == pytest.approx(expected)
    # Its extremes are precision and recall.
    assert float(f_beta(0.001).score(sums)) == pytest.approx(precision, rel=1e-3)
    assert float(f_beta(1000.0).score(sums)) == pytest.approx(recall, rel=1e-3)


def test_a_weight_is_part_of_the_kind() -> None:
    assert f_beta(1) is statistic_metric("f1") is statistic_metric("f1.0")
    assert (f_beta(2).key, f_beta(2).name, f_beta(0.5).key) == ("f2", "F2", "f0.5")
    assert check_kind("f2") == "f2"
    assert n_statistics("f0.5") == 3
    assert aggregate("f2", np.array([[2.0, 1.0, 1.0]])) == pytest.approx(2 / 3)
    assert math.isnan(aggregate("f2", np.zeros((2, 3))))
    for wrong in (0, -1.0, float("nan"), float("inf"), 1e6):
        with pytest.raises(ValueError, match="`beta` must be a number above 0"):
            f_beta(wrong)
    for name in ("f", "f-1", "F2", "f2x"):
        with pytest.raises(ValueError, match=r"`kind` must be one of"):
            check_kind(name)
    with pytest.raises(ValueError, match=r"`beta` must be"):
        statistic_metric("f0")


def test_what_is_wrong_with_labels_is_said() -> None:
    with pytest.raises(ValueError, match="`gold` must be given for metric 'mcc'"):
        label_statistics(["x"], ["y"], None, metric="mcc")
    with pytest.raises(ValueError, match="must both be text or both be numbers"):
        label_statistics(["x"], ["y"], [1], metric="macro-f1")
    with pytest.raises(ValueError, match=r"`positive` must be one of the gold labels, 'x', 'y'; g"):
        class_statistics(["z", "x"], ["x", "x"], ["x", "y"], positive="z")
