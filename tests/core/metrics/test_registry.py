"""Scores of sums against other ways to the same number, and where there is none."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from core.metrics.registry import (
    CORRELATIONS,
    KINDS,
    STATISTIC_METRICS,
    aggregate,
    chrf,
    correlation_with,
    n_statistics,
    standing,
)


def score(kind: str, *sums: float) -> float:
    return float(STATISTIC_METRICS[kind].score(np.array(sums, dtype=float)))


def test_kinds_and_their_columns_are_these() -> None:
    columns = {kind: n_statistics(kind) for kind in KINDS}
    of_sums = {"ratio": 2, "f1": 3, "precision": 3, "recall": 3, "aer": 4}
    of_texts = {"bleu": 10, "chrf": 18, "ter": 2}
    assert columns == {"mean": None, **of_sums, **of_texts, "spearman": None, "pearson": None}
    lower = [kind for kind, metric in STATISTIC_METRICS.items() if not metric.higher_is_better]
    assert lower == ["aer", "ter"]


def alignment_counts(
    proposed: set[tuple[int, int]], sure: set[tuple[int, int]], possible: set[tuple[int, int]]
) -> tuple[int, int, int, int]:
    return len(proposed & sure), len(proposed & possible), len(proposed), len(sure)


def test_aer_rises_with_links_that_are_wrong_and_sure_links_that_are_missing() -> None:
    sure = {(0, 0), (1, 1), (2, 2)}
    possible = sure | {(3, 3), (3, 4)}
    # Any links between the sure and the possible ones are without error (Och & Ney 2003).
    assert score("aer", *alignment_counts(sure, sure, possible)) == 0.0
    assert score("aer", *alignment_counts(possible, sure, possible)) == 0.0
    assert score("aer", *alignment_counts({(5, 5)}, sure, possible)) == 1.0
    # Two sure links of three, one possible, one wrong: 1 − (2 + 3)/(4 + 3).
    some = {(0, 0), (1, 1), (3, 3), (0, 5)}
    assert score("aer", *alignment_counts(some, sure, possible)) == pytest.approx(2 / 7)


@given(st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1))
def test_aer_with_sure_links_only_is_one_less_f1(proposed: set[tuple[int, int]]) -> None:
    sure = {(i, i) for i in range(5)}
    tp = len(proposed & sure)
    f1 = score("f1", tp, len(proposed) - tp, len(sure) - tp)
    aer = score("aer", *alignment_counts(proposed, sure, sure))
    assert aer == pytest.approx(1.0 - f1)


def test_bleu_multiplies_precisions_and_the_penalty_for_short_output() -> None:
    # 3/4 · 2/3 · 1/2 · 1/4 = 1/16, whose fourth root is 1/2.
    long_enough = (12, 12, 3, 2, 1, 1, 4, 3, 2, 4)
    assert score("bleu", *long_enough) == pytest.approx(50.0)
    assert score("bleu", 13, *long_enough[1:]) == pytest.approx(50.0)
    # A word of three is missing: exp(1 − 3/2).
    assert score("bleu", 12, 18, *long_enough[2:]) == pytest.approx(50.0 / math.sqrt(math.e))
    assert score("bleu", 12, 12, 3, 2, 1, 0, 4, 3, 2, 4) == 0.0


def test_what_is_divided_by_nothing_is_undefined() -> None:
    for kind in ("ratio", "f1", "aer", "bleu"):
        assert math.isnan(score(kind, *[0] * (n_statistics(kind) or 0))), kind
    assert math.isnan(score("precision", 0, 0, 5))
    assert math.isnan(score("recall", 0, 5, 0))
    assert math.isnan(score("bleu", 3, 3, 3, 2, 1, 0, 3, 2, 1, 0))


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=3, max_size=30))
def test_correlations_are_those_of_scipy(pairs: list[tuple[int, int]]) -> None:
    gold, scores = (np.array([float(pair[side]) for pair in pairs]) for side in (0, 1))
    if np.ptp(gold) == 0 or np.ptp(scores) == 0:
        assert all(math.isnan(correlation_with(gold, scores, kind=kind)) for kind in CORRELATIONS)
        return
    expected: dict[str, Any] = {"spearman": stats.spearmanr, "pearson": stats.pearsonr}
    for kind in CORRELATIONS:
        found = aggregate(kind, scores, gold=gold)
        assert found == pytest.approx(expected[kind](gold, scores).statistic, abs=1e-12)


def test_a_constant_has_no_correlation_even_where_its_float_mean_differs_from_it() -> None:
    constant = np.full(3, 0.1)
    assert constant.mean() != constant[0]
    for kind in CORRELATIONS:
        assert math.isnan(correlation_with(np.arange(3.0), constant, kind=kind))
        assert standing(constant, kind=kind) is None


def test_correlations_do_not_depend_on_the_unit() -> None:
    for unit in [1e-200, 1e140]:
        gold, scores = np.array([1.0, 2.0, 4.0, 3.0]), np.array([2.0, 1.0, 5.0, 3.0])
        for kind in CORRELATIONS:
            plain = correlation_with(gold, scores, kind=kind)
            assert correlation_with(gold * unit, scores * unit, kind=kind) == pytest.approx(
                plain
            ), unit


def test_chrf_is_f_of_mean_precision_and_recall_of_the_orders_there_are() -> None:
    # Orders 1 and 2 are there, with precisions 1/2 and 1/4 and recalls 1 and 1/2.
    sums = np.zeros(18)
    sums[:6] = (8, 4, 4, 8, 4, 2)
    precision, recall = 0.375, 0.75
    expected = 100 * 5 * precision * recall / (4 * precision + recall)
    assert score("chrf", *sums) == pytest.approx(expected)
    assert chrf(np.stack([[sums] * 3] * 2)) == pytest.approx(np.full((2, 3), expected))
    # An order that only the reference has does not count.
    sums[6:9] = (0, 5, 0)
    assert score("chrf", *sums) == pytest.approx(expected)
    sums[[2, 5]] = 0.0
    assert score("chrf", *sums) == 0.0
    assert math.isnan(score("chrf", *np.zeros(18)))


def test_ter_is_a_rate_of_errors() -> None:
    assert score("ter", 3.0, 12.0) == 25.0
    assert math.isnan(score("ter", 0.0, 0.0))


def test_sums_score_as_sacrebleu_does() -> None:
    # Its own sums and scores (2.5.1, defaults) of five good translations and of five poor ones.
    for kind, sums, expected in (
        ("chrf", "52 53 48 47 48 40 42 43 32 38 39 25 34 35 20 30 31 15", 69.99405493201668),
        ("chrf", "42 53 28 37 48 22 31 43 17 27 39 13 23 35 8 20 31 5", 37.09933686083786),
        ("ter", "3 17", 17.647058823529413),
        ("ter", "15 17", 88.23529411764706),
    ):
        assert score(kind, *map(float, sums.split())) == pytest.approx(expected, rel=1e-12), sums
