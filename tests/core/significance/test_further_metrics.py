"""Macro-F1, Matthews' correlation, F of any weight and metrics of one's own, resampled."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.metrics.registry import STATISTIC_METRICS, StatisticMetric
from core.significance.single import run_significance_test
from tests.core.significance import oracles
from tests.core.significance.sides import resampling_tests, sides

labelled = st.integers(2, 6).flatmap(
    lambda n: st.tuples(*[st.lists(st.sampled_from("xyz"), min_size=n, max_size=n)] * 3)
)


def macro_f1(gold: list[str], predicted: list[str]) -> Fraction:
    total = Fraction(0)
    classes = set(gold) | set(predicted)
    for label in classes:
        tp = sum(g == p == label for g, p in zip(gold, predicted, strict=True))
        total += Fraction(2 * tp, gold.count(label) + predicted.count(label))
    return total / len(classes)


@settings(max_examples=15, deadline=None)
@given(labelled)
def test_randomization_of_macro_f1_exchanges_labels(sets: Any) -> None:
    gold, a, b = sets
    result = run_significance_test(
        a, b, gold=gold, metric="macro-f1", test="approximate-randomization"
    )

    def delta_of(swapped: Sequence[bool]) -> Fraction:
        x, y = oracles.exchanged(a, b, swapped)
        return macro_f1(gold, list(x)) - macro_f1(gold, list(y))

    assert result.exact
    assert sides(result) == pytest.approx(oracles.by_every_swap(len(gold), delta_of))
    assert result.difference == pytest.approx(float(macro_f1(gold, a) - macro_f1(gold, b)))


def predictions(n: int, *, right: tuple[float, float]) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(n)
    gold = rng.choice(["neg", "neu", "pos"], n, p=[0.5, 0.2, 0.3])
    other = rng.choice(["neg", "neu", "pos"], (2, n))
    a, b = (np.where(rng.random(n) < p, gold, o) for p, o in zip(right, other, strict=True))
    return a, b, gold


@resampling_tests
@pytest.mark.parametrize("metric", ["f1", "precision", "recall", "f2"])
def test_one_class_has_its_own_test(test: Any, metric: str) -> None:
    a, b, gold = predictions(120, right=(0.75, 0.6))
    settings: dict[str, Any] = {"metric": metric, "test": test, "n_resamples": 499, "rng": 1}
    labels = run_significance_test(a, b, gold=gold, positive="pos", **settings)
    counted = [
        np.column_stack(
            [
                (said == "pos") & (gold == "pos"),
                (said == "pos") & (gold != "pos"),
                (said != "pos") & (gold == "pos"),
            ]
        ).astype(float)
        for said in (a, b)
    ]
    assert sides(labels) == sides(run_significance_test(*counted, **settings))
    assert "|positive:pos|" in labels.signature
    with pytest.raises(ValueError, match=rf"`positive` must name the label that metric '{metric}'"):
        run_significance_test(a, b, gold=gold, **settings)


def log_ratio(sums: np.ndarray) -> np.ndarray:
    """Perplexity: exp of the mean loss."""
    scores: np.ndarray = np.exp(sums[..., 0] / sums[..., 1])
    return scores


def own(score: Any, *statistics: str, **more: Any) -> StatisticMetric:
    given = {"key": "own", "name": "own", "higher_is_better": True, "formula": "", **more}
    return StatisticMetric(statistics=statistics or ("x", "y"), score=score, **given)


PERPLEXITY = own(
    log_ratio, "loss", "tokens", key="perplexity", higher_is_better=False, counts=False
)


@resampling_tests
def test_a_metric_of_ones_own_is_resampled(test: Any) -> None:
    rng = np.random.default_rng(3)
    tokens = rng.integers(5, 30, 8).astype(float)
    a, b = (np.column_stack([tokens * rng.normal(mean, 0.3, 8), tokens]) for mean in (-0.05, 0.1))
    result = run_significance_test(a, b, test=test, metric=PERPLEXITY, rng=0)
    delta = float(log_ratio(b.sum(axis=0)) - log_ratio(a.sum(axis=0)))
    assert result.difference == pytest.approx(delta)
    assert (result.metric, result.kind, result.higher_is_better) == ("perplexity",) * 2 + (False,)
    if test == "approximate-randomization":

        def delta_of(swapped: Sequence[bool]) -> float:
            x, y = (np.sum(rows, axis=0) for rows in oracles.exchanged(a, b, swapped))
            return float(log_ratio(y) - log_ratio(x))

        expected = oracles.by_every_swap(8, delta_of, room=1e-12)
        assert sides(result) == pytest.approx(expected)
    else:
        # No bound is known, so nothing is said to be out of reach.
        assert result.unreachable is None


def test_a_wrong_metric_is_named() -> None:
    numbers: Any = [[1.0, 2.0], [3.0, 4.0]]
    wrong: tuple[tuple[Any, Any, dict[str, Any], str], ...] = (
        (own(lambda s: s[0] / s[1]), numbers, {}, r"`metric` must .* shape \(\.\.\., 2\)"),
        (own(lambda s: s[..., 0] * np.inf), numbers, {}, r"`a` must .* is infinite"),
        (own(lambda s: s[..., 0] * np.nan), numbers, {}, r"`a` must have a defined score"),
        (own(np.sum), numbers, {"gold": [1, 0]}, r"`gold` is .* 'own'"),
        ("f1", numbers, {"positive": 1}, r"`positive` must come with `gold` .* no `gold`"),
        ("mcc", [1, 0], {"positive": 1, "gold": [1, 0]}, r"`positive` must .* 'mcc'"),
        ("macro-f1", [1, 0], {}, r"`gold` must be given for metric 'macro-f1'"),
    )
    for metric, rows, more, message in wrong:
        with pytest.raises(ValueError, match=message):
            run_significance_test(rows, rows, test="paired-bootstrap", metric=metric, **more)


def test_negative_statistics_are_for_metrics_that_allow_them() -> None:
    rows = [[-1.0, 2.0], [1.0, 2.0]]
    run_significance_test(rows, rows, test="paired-bootstrap", metric=PERPLEXITY)
    with pytest.raises(ValueError, match=r"finite numbers of at least 0; got -1\.0 as correct"):
        run_significance_test(
            rows, rows, test="paired-bootstrap", metric=STATISTIC_METRICS["ratio"]
        )


def youdens_j(sums: np.ndarray) -> np.ndarray:
    scores: np.ndarray = sums[..., 0] / sums[..., 1] - sums[..., 2] / sums[..., 3]
    return scores


def test_roundings_around_zero_break_no_ties_of_a_metric_between_two_ends() -> None:
    # Hits are as frequent as alarms, whatever is exchanged: 0 but for roundings, always.
    n = 9
    positives = 10.0 * np.random.default_rng(8).integers(3, 9, n)
    rows = [
        np.column_stack([rate * positives, positives, 3 * rate * positives, 3 * positives])
        for rate in (0.03, 0.07)
    ]
    names = ("hits", "positives", "alarms", "negatives")
    metric = own(youdens_j, *names, smallest=-1.0, largest=1.0)
    result = run_significance_test(
        rows[0], rows[1], metric=metric, test="approximate-randomization"
    )
    assert result.exact
    assert abs(result.difference) < 1e-15
    assert sides(result) == (1.0, 1.0, 1.0)
    assert (result.wins, result.ties, result.losses) == (0, n, 0)


@pytest.mark.parametrize("turned", [False, True])
def test_reach_does_not_depend_on_the_unit_of_a_score(turned: bool) -> None:
    a, b = (np.array([[right, 10.0] for right in of]) for of in ([8, 8, 8, 8, 6], [5] * 5))
    # On no example A is twice as far ahead as on all; 3 to 1 are the differences, 2.6 their mean.
    shares, percents = (
        run_significance_test(
            *((b, a) if turned else (a, b)),
            metric=own(lambda sums, unit=unit: unit * sums[..., 0] / sums[..., 1]),
            test="paired-bootstrap",
            rng=0,
        )
        for unit in (1.0, 100.0)
    )
    assert shares.unreachable == percents.unreachable == ("less" if turned else "greater")
    assert sides(shares) == sides(percents)
