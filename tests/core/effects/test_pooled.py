"""Effects over all examples put together."""

import numpy as np
import pytest
from scipy import stats

from core.data import ResultSet
from core.effects import dataset_effects, micro_average, pooled_effect
from core.metrics.registry import aggregate
from core.significance import Stopped
from core.types import FloatArray, IntArray

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


def scores(kind: str = "plain") -> ResultSet:
    rng = np.random.default_rng(6)
    data: dict[str, dict[str, FloatArray]] = {
        f"d{n}": {"A": rng.normal(0.2, 1, n), "B": rng.normal(0, 2, n)} for n in (60, 200, 1)
    }
    groups = {d: [f"{d} {i // 4}" for i in range(x["A"].size)] for d, x in data.items()}
    return ResultSet.from_scores(data, clusters=groups if kind == "clusters" else None)


def test_of_means_it_is_the_micro_average() -> None:
    results = scores()
    found = pooled_effect(results, a="A", b="B", n_resamples=3000)
    two = dataset_effects(results, a="A", b="B", datasets=["d60", "d200"])
    assert two.n_examples is not None
    differences = np.concatenate(
        [results.scores(d, "A") - results.scores(d, "B") for d in results.datasets]
    )
    assert found.estimate == pytest.approx(differences.mean())
    without_one = pooled_effect(results, a="A", b="B", n_resamples=3000, datasets=["d60", "d200"])
    known = micro_average(two.effects, two.n_examples, two.variances)
    assert without_one.estimate == pytest.approx(known.estimate)
    assert without_one.variance == pytest.approx(known.variance, rel=0.15)


def test_a_stated_maximum_says_what_b_leaves() -> None:
    data = {"d": {"A": [8.0, 9.0, 3.0, 10.0], "B": [6.0, 9.0, 5.0, 4.0]}}
    results = ResultSet.from_scores(data)
    found = pooled_effect(
        results, a="A", b="B", effect="error-reduction", maximum=10.0, n_resamples=1000
    )
    # A scores 7.5, B 6: of the 4 that B leaves 1.5 are gained.
    assert found.estimate == pytest.approx(0.375)


def test_clusters_are_drawn_whole() -> None:
    found = pooled_effect(scores("clusters"), a="A", b="B", n_resamples=3000)
    plain = pooled_effect(scores("clusters"), a="A", b="B", n_resamples=3000, clusters={})
    assert found.estimate == plain.estimate
    assert found.variance != plain.variance


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
    for metric in ("macro-F1", "MCC", "F1 of x", "accuracy"):
        found = pooled_effect(results, a="A", b="B", metric=metric, n_resamples=50)
        a, b = (every.score("all", s, metric) for s in "AB")
        assert found.estimate == pytest.approx(a - b)
        share = pooled_effect(
            results, a="A", b="B", metric=metric, effect="error-reduction", n_resamples=50
        )
        assert share.estimate == pytest.approx((a - b) / (1 - b))


def test_what_cannot_be_put_together_is_said() -> None:
    with pytest.raises(ValueError, match="not defined on dataset 'd60': the highest possible"):
        pooled_effect(scores(), a="A", b="B", effect="error-reduction")
    with pytest.raises(ValueError, match="must be different"):
        pooled_effect(scores(), a="A", b="A")
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
        pooled_effect(scores(), a="A", b="B", on_progress=lambda done, total: done < 1)
