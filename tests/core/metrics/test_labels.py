"""Metrics of labels against their definitions over the examples themselves, also of coded ones."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data import ResultSet
from core.metrics.per_example import (
    MOST_CLASSES,
    LabelMetric,
    class_statistics,
    label_metrics_of,
    label_statistics,
    summed_metric,
)
from core.metrics.registry import (
    STATISTIC_METRICS,
    StatisticMetric,
    aggregate,
    check_kind,
    f_beta,
    n_statistics,
    statistic_metric,
)
from tests.core.made import set_of

labelled = st.integers(1, 30).flatmap(
    lambda n: st.tuples(*[st.lists(st.sampled_from("wxyz"), min_size=n, max_size=n)] * 3)
)


def score(metric: StatisticMetric, counted: np.ndarray) -> float:
    return float(metric.score(counted.sum(axis=0)))


def f1_of(gold: Sequence[object], predicted: Sequence[object], label: object) -> float:
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
    labels = dict.fromkeys([*gold, *a, *b])
    right = np.array([[x == label for label in labels] for x in gold], dtype=float)
    for predicted, statistics in zip((a, b), counted, strict=True):
        said = np.array([[x == label for label in labels] for x in predicted], dtype=float)
        # In the order that a seed's resamples have.
        hits = (said * right).sum(axis=1)
        assert np.array_equal(statistics, np.column_stack([hits, said, right]))
        deviations = right - right.mean(axis=0), said - said.mean(axis=0)
        spread = [float((d * d).sum()) for d in deviations]
        found = score(metric, statistics)
        if min(spread) < 1e-9:
            assert math.isnan(found)
        else:
            expected = float((deviations[0] * deviations[1]).sum()) / math.sqrt(math.prod(spread))
            assert found == pytest.approx(expected, abs=1e-12)


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
    for name in ("f0", "f0.0", "f1000.1"):
        with pytest.raises(ValueError, match=r"`kind` must be one of"):
            n_statistics(name)


@pytest.mark.parametrize("beta", [1.0000001, 1e-5, 0.1 + 0.2, 2.0 / 3.0, 123.456789, 1000.0])
def test_every_weight_has_a_kind_of_its_own_that_is_read_back(beta: float) -> None:
    counts = np.array([[3.0, 1.0, 2.0]])
    kind = f_beta(beta).key
    assert kind != "f1"
    assert statistic_metric(check_kind(kind)).key == kind
    assert statistic_metric(kind).score(counts) == f_beta(beta).score(counts)


def test_what_is_wrong_with_labels_is_said() -> None:
    with pytest.raises(ValueError, match="`gold` must be given for metric 'mcc'"):
        label_statistics(["x"], ["y"], None, metric="mcc")
    with pytest.raises(ValueError, match="must both be text or both be numbers"):
        label_statistics(["x"], ["y"], [1], metric="macro-f1")
    with pytest.raises(ValueError, match=r"`positive` must be one of the gold labels, 'x', 'y'; g"):
        class_statistics(["z", "x"], ["x", "x"], ["x", "y"], positive="z")


MACRO = LabelMetric(name="macro-F1", kind="macro-f1")
MCC = LabelMetric(name="MCC", kind="mcc")
coded = st.integers(1, 25).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 4), min_size=n, max_size=n)] * 2)
)


def score_of(metric: LabelMetric, gold: list[int], predicted: list[int]) -> float:
    return metric.score(np.array(gold, np.int32), np.array(predicted, np.int32))


@given(coded)
def test_macro_f1_is_the_mean_over_classes_that_are_gold_or_predicted(pair: Any) -> None:
    gold, predicted = pair
    classes = set(gold) | set(predicted)
    expected = sum(f1_of(gold, predicted, code) for code in classes) / len(classes)
    assert score_of(MACRO, gold, predicted) == pytest.approx(expected)


@given(coded)
def test_the_f1_of_a_class_is_not_defined_where_it_is_never_gold(pair: Any) -> None:
    gold, predicted = pair
    for code in range(5):
        found = score_of(LabelMetric(name="F1 of x", kind="f1", code=code), gold, predicted)
        if code in gold:
            assert found == pytest.approx(f1_of(gold, predicted, code))
        else:
            assert math.isnan(found)


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=30))
def test_mcc_of_two_classes_is_pearsons_correlation(pairs: Any) -> None:
    gold, predicted = ([pair[side] for pair in pairs] for side in (0, 1))
    found = score_of(MCC, [7 * code for code in gold], [7 * code for code in predicted])
    if len(set(gold)) == 1 or len(set(predicted)) == 1:
        assert math.isnan(found)
    else:
        assert found == pytest.approx(np.corrcoef(gold, predicted)[0, 1], abs=1e-12)


@given(coded)
def test_statistics_add_up_to_the_score(pair: Any) -> None:
    gold, predicted = (np.array(codes, np.int32) for codes in pair)
    classes = np.arange(5)
    present = LabelMetric(name="F1 of x", kind="f1", code=int(gold[0]))
    for metric in (MACRO, MCC, present):
        counted = metric.statistics(gold, predicted, classes)
        formula = summed_metric(metric.kind)
        assert formula is not None
        assert counted.shape == (gold.size, {"macro-f1": 15, "mcc": 11}.get(metric.kind, 3))
        assert float(formula.score(counted.sum(axis=0))) == pytest.approx(
            metric.score(gold, predicted), nan_ok=True
        )


def test_metrics_are_offered_by_name_in_the_order_of_gold() -> None:
    gold = (np.array([2, 0, 2]), np.array([0, 1]))
    found = label_metrics_of(("neg", "neu", "pos", "never gold"), gold)
    assert tuple(found) == ("macro-F1", "MCC", "F1 of pos", "F1 of neg", "F1 of neu")
    assert [metric.kind for metric in found.values()] == ["macro-f1", "mcc", "f1", "f1", "f1"]
    names = tuple(f"label {i}" for i in range(MOST_CLASSES + 1))
    many = [np.arange(MOST_CLASSES)]
    assert len(label_metrics_of(names, many)) == 2 + MOST_CLASSES
    # One more, on another dataset.
    assert tuple(label_metrics_of(names, [*many, np.array([MOST_CLASSES])])) == ("macro-F1", "MCC")


def test_a_set_of_predictions_has_them_and_a_set_of_scores_has_none() -> None:
    data = ResultSet.from_predictions(
        {"one": ["x", "y", "x", "x"], "two": ["y", "y"]},
        {
            "one": {"ours": ["x", "y", "x", "y"], "theirs": ["y", "y", "y", "y"]},
            "two": {"ours": ["x", "y"], "theirs": ["y", "y"]},
        },
    )
    assert data.metrics == ("accuracy",)
    assert data.label_metrics == ("macro-F1", "MCC", "F1 of x", "F1 of y")
    assert [data.kind_of(name) for name in (None, *data.label_metrics)] == [
        *("mean", "macro-f1", "mcc", "f1", "f1")
    ]
    assert all(data.is_higher_better(name) for name in data.label_metrics)
    assert data.score("one", "ours", "F1 of x") == pytest.approx(4 / 5)
    assert data.score("one", "ours", "macro-F1") == pytest.approx((4 / 5 + 2 / 3) / 2)
    assert data.score("one", "theirs", "macro-F1") == pytest.approx((0 + 2 / 5) / 2)
    assert math.isnan(data.score("one", "theirs", "MCC"))
    assert data.scores("one", "ours", "F1 of x").tolist() == [
        *([1, 0, 0], [0, 0, 0], [1, 0, 0], [0, 0, 1])
    ]
    assert data.scores("one", "ours", "macro-F1").shape == (4, 6)
    assert not data.scores("one", "ours", "MCC").flags.writeable
    assert not data.has_outcomes("macro-F1")
    with pytest.raises(ValueError, match="`metric` must be one of 'accuracy', 'macro-F1', 'MCC'"):
        data.scores("one", "ours", "F1 of z")
    scores = ResultSet.from_scores({"one": {"ours": [1.0], "theirs": [0.5]}})
    assert scores.label_metrics == ()
    with pytest.raises(ValueError, match="`metric` must be one of 'score'; got 'MCC'"):
        scores.kind_of("MCC")


def test_every_kind_of_f_is_a_kind_of_a_set() -> None:
    counted = np.array([[[3.0, 1.0, 2.0], [2.0, 2.0, 2.0]]])
    assert set_of("f2", counted).score("d", "A") == pytest.approx(15 / (15 + 8 + 1))
    assert set_of("f0.5", counted).score("d", "A") == pytest.approx(3.75 / (3.75 + 0.5 + 1))
    with pytest.raises(ValueError, match=r"`kinds\['g2'\]` must be one of"):
        set_of("g2", counted)
