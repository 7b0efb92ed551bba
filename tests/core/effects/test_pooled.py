"""Effects over all examples put together."""

import numpy as np
import pytest
from scipy import stats

from core.data import ResultSet
from core.effects.pooled import pooled_effect
from core.metrics.registry import aggregate
from core.significance import Stopped
from core.types import IntArray

RNG = np.random.default_rng(14)
PARTS = [
    RNG.poisson(rates, size=(n, 3)).astype(float) for n, rates in ((40, (5, 1, 1)), (15, (2, 3, 1)))
]
OTHERS = [RNG.poisson((3, 2, 2), size=(n, 3)).astype(float) for n in (40, 15)]


def f1_set() -> ResultSet:
    return ResultSet(
        datasets=("p", "q"),
        systems=("A", "B"),
        values={"F1": tuple(np.stack(both, axis=1) for both in zip(PARTS, OTHERS, strict=True))},
        higher_is_better={"F1": True},
        kinds={"F1": "f1"},
    )


def test_a_counted_metric_is_that_of_the_sums_and_is_drawn_within_datasets() -> None:
    found = pooled_effect(f1_set(), a="A", b="B", n_resamples=3000, rng=1)
    score_a, score_b = (aggregate("f1", np.concatenate(x)) for x in (PARTS, OTHERS))
    assert found.estimate == pytest.approx(score_a - score_b)
    assert (found.score_a, found.score_b) == pytest.approx((score_a, score_b))
    assert (found.n_datasets, found.n_examples) == (2, 55)
    rng = np.random.default_rng(3)
    drawn = []
    for _ in range(700):
        places: list[IntArray] = [rng.integers(0, n, size=n) for n in (40, 15)]
        x = np.concatenate([part[i] for part, i in zip(PARTS, places, strict=True)])
        y = np.concatenate([part[i] for part, i in zip(OTHERS, places, strict=True)])
        drawn.append(aggregate("f1", x) - aggregate("f1", y))
    assert found.variance == pytest.approx(np.var(drawn, ddof=1), rel=0.25)
    low, high = stats.norm.interval(0.95, found.estimate, found.standard_error)
    assert found.confidence_interval == pytest.approx((low, high))
    assert "pooled:difference|metric:F1|a:A|b:B|samples:3000|seed:1|datasets:2" in found.signature


def test_clusters_are_drawn_whole() -> None:
    plain = f1_set()
    groups = [[f"{d} {i // 4}" for i in range(plain.n_examples(d))] for d in plain.datasets]
    together = dict(zip(plain.datasets, groups, strict=True))
    found = pooled_effect(plain, a="A", b="B", n_resamples=3000, clusters=together)
    alone = pooled_effect(plain, a="A", b="B", n_resamples=3000)
    assert found.estimate == alone.estimate
    assert found.variance != alone.variance


def test_labels_of_all_datasets_are_put_together() -> None:
    gold = {"p": ["x", "y", "x"] * 9, "q": ["y", "z"] * 9}
    said = {
        d: {
            "A": [g if i % 4 else "x" for i, g in enumerate(own)],
            "B": [g if i % 3 else "y" for i, g in enumerate(own)],
        }
        for d, own in gold.items()
    }
    results = ResultSet.from_predictions(gold, said)
    every = ResultSet.from_predictions(
        {"all": [*gold["p"], *gold["q"]]},
        {"all": {s: [*said["p"][s], *said["q"][s]] for s in "AB"}},
    )
    for metric in ("macro-F1", "MCC", "F1 of x"):
        found = pooled_effect(results, a="A", b="B", metric=metric, n_resamples=50)
        a, b = (every.score("all", s, metric) for s in "AB")
        assert found.estimate == pytest.approx(a - b)


def test_what_cannot_be_put_together_is_said() -> None:
    means = ResultSet.from_scores({"d": {"A": [1.0, 2.0], "B": [0.0, 1.0]}})
    with pytest.raises(ValueError, match="`micro_average`"):
        pooled_effect(means, a="A", b="B")
    with pytest.raises(ValueError, match="must be different"):
        pooled_effect(f1_set(), a="A", b="A")
    gold = np.arange(4.0)
    correlations = ResultSet(
        datasets=("d",),
        systems=("A", "B"),
        values={"r": (np.column_stack([gold, -gold]),)},
        higher_is_better={"r": True},
        kinds={"r": "pearson"},
        gold_scores=(gold,),
    )
    with pytest.raises(ValueError, match="must not be a correlation"):
        pooled_effect(correlations, a="A", b="B")
    with pytest.raises(Stopped):
        pooled_effect(f1_set(), a="A", b="B", on_progress=lambda done, total: done < 1)
