"""Effects of a set of results: values, variances, what has none, how it stops, and all examples."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats

from core.data import ResultSet
from core.data.side_data import clusters_of_labels
from core.effects.dataset_effects import NO_VARIANCE, DatasetEffects, combine_effects
from core.effects.from_results import dataset_effects, pooled_effect
from core.effects.meta_analysis import meta_analysis
from core.effects.paired_effect import EFFECTS
from core.metrics.registry import aggregate
from core.significance.stopping import Stopped
from core.types import FloatArray, IntArray
from core.validation import names_of
from tests.core.made import counts_of, set_of

MANY = 2000


def accuracies(n: int = 120, seed: int = 0) -> dict[str, FloatArray]:
    rng = np.random.default_rng(seed)
    b = (rng.random(n) < 0.7).astype(float)
    return {"A": np.maximum(b, rng.random(n) < 0.3), "B": b, "C": rng.permutation(b)}


def result_set(**kinds: object) -> ResultSet:
    scores = {f"d{i}": accuracies(n, i) for i, n in enumerate((120, 50, 300))}
    return ResultSet.from_scores(scores, metric="accuracy", **kinds)  # type: ignore[arg-type]


def slow_bootstrap(effect: Callable[[IntArray], float], n: int, *, b: int = 1000) -> float:
    """Variance of an effect of drawn places, one resample at a time."""
    rng = np.random.default_rng(1)
    drawn = [effect(rng.integers(0, n, size=n)) for _ in range(b)]
    return float(np.var([x for x in drawn if np.isfinite(x)], ddof=1))


def close(found: DatasetEffects, expected: float) -> bool:
    """Whether variances of a thousand resamples and of two thousand are as near as that allows."""
    return bool(abs(found.variances[0] / expected - 1.0) < 5 * np.sqrt(2 / MANY + 2 / 1000) * 1.3)


def drawn_as_one_by_one(
    results: ResultSet, of: Callable[[IntArray], float], n: int, *, b: int = 1000, **asked: Any
) -> bool:
    """Whether effect and variance are those of drawn places of n examples or clusters."""
    found = dataset_effects(results, a="A", b="B", n_resamples=MANY, **asked)
    assert found.effects == pytest.approx([of(np.arange(n))])
    return close(found, slow_bootstrap(of, n, b=b))


def test_the_difference_and_its_variance_are_those_of_the_paired_t_test() -> None:
    results = result_set()
    found = dataset_effects(results, a="A", b="C")
    for i, dataset in enumerate(results.datasets):
        a, c = results.scores(dataset, "A"), results.scores(dataset, "C")
        test = stats.ttest_rel(a, c)
        assert found.effects[i] / np.sqrt(found.variances[i]) == pytest.approx(test.statistic)
        assert found.effects[i] == pytest.approx(a.mean() - c.mean())
        assert found.n_differing[i] == (a != c).sum()
    assert found.variance_methods == ("closed-form",) * 3
    assert found.seed is None
    assert found.n_resamples is None
    assert found.n_examples.tolist() == [120, 50, 300]
    assert found.metric == "accuracy"


def test_the_bootstrap_of_means_has_the_variance_of_the_closed_form() -> None:
    results = result_set()
    for effect in names_of(EFFECTS):
        closed = dataset_effects(results, a="A", b="C", effect=effect)
        drawn = dataset_effects(
            results, a="A", b="C", effect=effect, variance="bootstrap", n_resamples=MANY, rng=2
        )
        assert drawn.effects == pytest.approx(closed.effects)
        # The large dataset; small ones differ by what the closed form leaves out.
        assert drawn.variances[2] == pytest.approx(closed.variances[2], rel=0.12)
        assert drawn.variance_methods == ("bootstrap",) * 3
        assert (drawn.seed, drawn.n_resamples) == (2, MANY)


def test_effects_of_means_are_resampled_by_pairs_and_d_z_has_the_variance_of_metafor() -> None:
    a, b = accuracies(80, 4)["A"], accuracies(80, 4)["C"]
    right = ResultSet.from_scores({"d": {"A": a, "B": b}})

    def reduction(i: IntArray) -> float:
        return float((a[i].mean() - b[i].mean()) / (1 - b[i].mean()))

    assert drawn_as_one_by_one(right, reduction, 80, effect="error-reduction", variance="bootstrap")
    rng = np.random.default_rng(3)
    d = rng.normal(0.4, 1, 60) - rng.normal(0, 1, 60)
    measured = ResultSet.from_scores({"d": {"A": d, "B": np.zeros(60)}})

    def d_z(i: IntArray) -> float:
        return float(d[i].mean() / d[i].std(ddof=1))

    assert drawn_as_one_by_one(measured, d_z, 60, effect="standardised", variance="bootstrap")
    found = dataset_effects(measured, a="A", b="B", effect="standardised")
    # metafor's escalc(measure="SMCC"), before its correction for small samples.
    assert found.variances == pytest.approx([1 / 60 + d_z(np.arange(60)) ** 2 / 120])


def correlated(kind: str, x: FloatArray, y: FloatArray) -> float:
    pair: Any = (stats.rankdata(x), stats.rankdata(y)) if kind == "spearman" else (x, y)
    return float(np.corrcoef(*pair)[0, 1])


def clustered() -> tuple[ResultSet, FloatArray, FloatArray, list[IntArray]]:
    rng = np.random.default_rng(12)
    sizes = rng.integers(1, 9, size=40)
    codes = np.repeat(np.arange(40), sizes)
    shared = rng.normal(0.1, 0.5, size=40)[codes]
    a, b = shared + rng.normal(size=codes.size), rng.normal(size=codes.size)
    order = rng.permutation(codes.size)
    codes, a, b = codes[order], a[order], b[order]
    results = ResultSet.from_scores(
        {"d": {"A": a, "B": b}}, clusters={"d": [f"c{code}" for code in codes]}
    )
    return results, a, b, [np.flatnonzero(codes == i) for i in range(40)]


def test_clusters_make_the_variance_robust() -> None:
    results, a, b, members = clustered()
    d = a - b
    found = dataset_effects(results, a="A", b="B")
    sums = np.array([(d[own] - d.mean()).sum() for own in members])
    assert found.variances == pytest.approx([40 / 39 * (sums**2).sum() / d.size**2])
    assert found.n_clusters == (40,)
    plain = dataset_effects(results, a="A", b="B", clusters={})
    assert plain.variances == pytest.approx([d.var(ddof=1) / d.size])
    assert plain.n_clusters == (None,)
    assert found.variances[0] > 1.3 * plain.variances[0]


@pytest.mark.parametrize("effect", ["difference", "standardised"])
def test_the_bootstrap_draws_whole_clusters(effect: str) -> None:
    results, a, b, members = clustered()
    d = a - b

    def of(places: IntArray) -> float:
        drawn = d[np.concatenate([members[int(i)] for i in places])]
        return float(drawn.mean() / (drawn.std(ddof=1) if effect == "standardised" else 1.0))

    assert drawn_as_one_by_one(results, of, 40, effect=effect, variance="bootstrap")


def test_a_standardised_effect_of_clusters_has_no_closed_form() -> None:
    results, *_ = clustered()
    auto = dataset_effects(results, a="A", b="B", effect="standardised", n_resamples=50)
    assert auto.variance_methods == ("bootstrap",)


@pytest.mark.parametrize(
    ("kind", "effect"), [("f1", "difference"), ("ratio", "error-reduction"), ("bleu", "difference")]
)
def test_counted_metrics_are_resampled_by_their_sums(kind: str, effect: str) -> None:
    n = 50
    counts = counts_of(kind, n, ahead=0.1, seed=5)
    a, b = counts[:, 0], counts[:, 1]
    maximum = 100.0 if kind == "bleu" else 1.0

    def of(places: IntArray) -> float:
        score_a, score_b = (aggregate(kind, x[places]) for x in (a, b))
        delta = score_a - score_b
        return delta if effect == "difference" else delta / (maximum - score_b)

    assert drawn_as_one_by_one(set_of(kind, counts), of, n, effect=effect, rng=8)


@pytest.mark.parametrize(
    ("kind", "effect", "clustered"),
    [
        ("pearson", "difference", False),
        ("spearman", "error-reduction", False),
        ("pearson", "difference", True),
        ("spearman", "difference", True),
    ],
)
def test_correlations_are_computed_anew_in_each_resample_of_examples_or_whole_clusters(
    kind: str, effect: str, clustered: bool
) -> None:
    rng = np.random.default_rng(2)
    codes = np.repeat(np.arange(20), 3) if clustered else np.arange(40)
    # Where examples come in clusters, B's errors are those of its cluster.
    gold = np.round(rng.normal(size=codes.size), 1)
    a, b = gold + rng.normal(0, 0.5, codes.size), gold + rng.normal(size=40)[codes]
    members = [np.flatnonzero(codes == code) for code in range(codes.max() + 1)]

    def of(places: IntArray) -> float:
        drawn = np.concatenate([members[int(i)] for i in places])
        r_a, r_b = (correlated(kind, gold[drawn], x[drawn]) for x in (a, b))
        return float(r_a - r_b if effect == "difference" else (r_a - r_b) / (1 - r_b))

    labels = {"d": [f"c{code}" for code in codes]}
    clusters = clusters_of_labels(labels, ("d",)) if clustered else None
    results = set_of(kind, np.column_stack([a, b]), gold_scores=(gold,), clusters=clusters)
    assert drawn_as_one_by_one(results, of, len(members), effect=effect, rng=1)


def labelled() -> ResultSet:
    rng = np.random.default_rng(7)
    gold = rng.choice(["x", "y", "z"], size=90).tolist()

    def said(p: float) -> list[str]:
        return [g if rng.random() < p else str(rng.choice(["x", "y", "z"])) for g in gold]

    return ResultSet.from_predictions({"d": gold}, {"d": {"A": said(0.8), "B": said(0.6)}})


@pytest.mark.parametrize(
    ("metric", "effect"),
    [
        ("macro-F1", "difference"),
        ("MCC", "error-reduction"),
        ("F1 of y", "difference"),
        ("accuracy", "error-reduction"),
    ],
)
def test_metrics_of_labels_are_resampled_with_their_labels(metric: str, effect: str) -> None:
    results = labelled()
    gold, a, b = results.gold("d"), results.predictions("d", "A"), results.predictions("d", "B")

    def of(places: IntArray) -> float:
        drawn = ResultSet.from_predictions(
            {"d": gold[places].tolist()},
            {"d": {"A": a[places].tolist(), "B": b[places].tolist()}},
        )
        score_a, score_b = (drawn.score("d", s, metric) for s in ("A", "B"))
        delta = score_a - score_b
        return delta if effect == "difference" else delta / (1 - score_b)

    assert drawn_as_one_by_one(results, of, 90, b=400, metric=metric, effect=effect)


def test_lower_is_better_turns_the_sign() -> None:
    results = ResultSet.from_scores(
        {"d": {"A": [0.1, 0.2, 0.3], "B": [0.3, 0.3, 0.5]}}, metric="loss", higher_is_better=False
    )
    found = dataset_effects(results, a="A", b="B")
    assert found.effects == pytest.approx([0.5 / 3])
    assert found.scores_a == pytest.approx([0.2])
    aer = set_of("aer", np.tile([[[2.0, 2, 3, 3], [1, 1, 3, 3]]], (5, 1, 1)), higher=False)
    assert dataset_effects(aer, a="A", b="B", n_resamples=9).effects == pytest.approx([1 / 3])


def test_a_dataset_depends_on_no_other() -> None:
    results = result_set()
    every = dataset_effects(results, a="A", b="C", variance="bootstrap", n_resamples=50, rng=6)
    some = dataset_effects(
        results, a="A", b="C", variance="bootstrap", n_resamples=50, rng=6, datasets=["d2", "d1"]
    )
    assert some.datasets == ("d1", "d2")
    assert np.array_equal(some.variances, every.variances[1:])
    other = dataset_effects(results, a="A", b="C", variance="bootstrap", n_resamples=50, rng=7)
    assert other.variances is not None
    assert not np.array_equal(other.variances, every.variances)


def test_datasets_without_an_effect_are_named_with_the_reason() -> None:
    scores = {
        "fine": {"A": [1.0, 0, 1], "B": [0.0, 0, 1]},
        "one": {"A": [1.0], "B": [0.0]},
        "perfect": {"A": [1.0, 0, 1], "B": [1.0, 1, 1]},
        "same": {"A": [1.0, 0, 1], "B": [1.0, 0, 1]},
    }
    results = ResultSet.from_scores(scores)
    found = dataset_effects(results, a="A", b="B", effect="error-reduction")
    assert found.datasets == ("fine", "same")
    reasons = {one.dataset: one.reason for one in found.left_out}
    assert "only 1 example" in reasons["one"]
    assert "at the highest possible score, 1" in reasons["perfect"]
    standardised = dataset_effects(results, a="A", b="B", effect="standardised")
    assert {one.dataset for one in standardised.left_out} == {"one", "same"}
    frame = found.to_frame()
    assert frame["dataset"].tolist() == ["fine", "same", "one", "perfect"]
    assert frame["note"].iloc[2].startswith("left out: it has only 1 example")
    assert np.isnan(frame["effect"].iloc[3])


def test_a_dataset_without_variance_keeps_its_effect_and_has_no_weight() -> None:
    scores = {
        "same": {"A": [0.3, 0.2, 0.7], "B": [0.2, 0.1, 0.6]},
        "fine": {"A": [1.0, 0, 1, 1], "B": [0.0, 0, 1, 0]},
    }
    results = ResultSet.from_scores(scores)
    for variance in ("auto", "bootstrap"):
        found = dataset_effects(results, a="A", b="B", variance=variance)
        assert found.effects[0] == 0.1
        assert found.variances[0] == 0.0
        assert found.notes[0] == NO_VARIANCE
        assert found.has_variance.tolist() == [False, True]
        weighed = combine_effects(found)
        assert weighed.weighed == (1,)
        assert weighed.not_weighed[-1].dataset == "same"
        assert weighed.not_weighed[-1].reason == NO_VARIANCE
        with pytest.raises(ValueError, match=r"0\.0 at index 0"):
            meta_analysis(found.effects, found.variances)


@pytest.mark.parametrize(
    ("scores", "metric", "maximum", "expected"),
    [
        ([[0.5, 0.2], [0.75, 0.1]], "accuracy", None, 0.475 / 0.85),
        ([[0.5, 0.2], [0.75, 0.1]], "quality", None, "is not known"),
        ([[50, 20], [75, 10]], "accuracy", None, "is not known"),
        ([[50, 20], [75, 10]], "accuracy", 100, 47.5 / 85),
        # The mean is below 100: a single score above it is enough.
        ([[0.5, 0.2], [0.75, 0.1]], "accuracy", 100, "is 1, not 100 as it was said"),
        ([[1, 0], [1, 1]], "right", 100, "is 1, not 100 as it was said"),
        ([[0.5, 0.2], [0.75, 0.1]], "accuracy", 1, 0.475 / 0.85),
        ([[150, 20], [30, 10]], "accuracy", 100, "above the highest possible score as it was said"),
    ],
)
def test_a_maximum_is_known_or_declared(
    scores: list[list[float]], metric: str, maximum: float | None, expected: object
) -> None:
    a, b = zip(*scores, strict=True)
    results = ResultSet.from_scores({"d": {"A": list(a), "B": list(b)}}, metric=metric)
    found = dataset_effects(results, a="A", b="B", effect="error-reduction", maximum=maximum)
    if isinstance(expected, str):
        assert found.datasets == ()
        assert expected in found.left_out[0].reason
    else:
        assert found.effects == pytest.approx([expected])
        assert found.maxima == (maximum or 1.0,)


def test_a_score_that_is_not_defined_is_a_reason() -> None:
    empty = set_of("f1", np.zeros((4, 2, 3)))
    found = dataset_effects(empty, a="A", b="B")
    assert found.datasets == ()
    assert "is not defined for 'A' and 'B'" in found.left_out[0].reason


def test_progress_goes_from_nothing_to_all_and_a_stop_before_any_is_one() -> None:
    results = result_set()
    with pytest.raises(Stopped):
        dataset_effects(results, a="A", b="C", on_progress=lambda done, total: False)
    told: list[tuple[int, int]] = []
    whole = dataset_effects(
        results, a="A", b="C", variance="bootstrap", on_progress=lambda *now: told.append(now)
    )
    assert whole.complete
    assert (told[0], told[-1]) == ((0, 3), (3, 3))


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ({"a": "Z"}, "`a` must be one of 'A', 'B', 'C'"),
        ({"b": "A"}, "must be different systems"),
        ({"metric": "F9"}, "`metric` must be one of"),
        ({"effect": "cohen"}, "`effect` must be one of"),
        ({"variance": "exact"}, "`variance` must be one of"),
        ({"n_resamples": 1}, "at least 2 for a variance"),
        ({"n_resamples": 0}, "at least 1"),
        ({"datasets": []}, "`datasets` must name at least one"),
        ({"datasets": ["e"]}, "`datasets` must be one of"),
        ({"maximum": float("nan")}, "`maximum` must be a finite number"),
        ({"rng": None}, "`rng` must be a seed of at least 0"),
    ],
)
def test_wrong_arguments_are_refused(arguments: dict[str, object], part: str) -> None:
    with pytest.raises(ValueError, match=part):
        dataset_effects(result_set(), **{"a": "A", "b": "B", **arguments})  # type: ignore[arg-type]


def test_standardised_effects_are_of_means() -> None:
    results = set_of("f1", np.ones((3, 2, 3)))
    with pytest.raises(ValueError, match="'standardised' must have one score an example"):
        dataset_effects(results, a="A", b="B", effect="standardised")


POOLED = np.random.default_rng(14)
OURS = [
    POOLED.poisson(rates, size=(n, 3)).astype(float)
    for n, rates in ((40, (5, 1, 1)), (15, (2, 3, 1)))
]
OTHERS = [POOLED.poisson((3, 2, 2), size=(n, 3)).astype(float) for n in (40, 15)]


def f1_set() -> ResultSet:
    tables = [np.stack(both, axis=1) for both in zip(OURS, OTHERS, strict=True)]
    return set_of("f1", *tables, metric="F1", datasets="pq")


def test_a_counted_metric_is_that_of_the_sums_and_is_drawn_within_datasets() -> None:
    found = pooled_effect(f1_set(), a="A", b="B", n_resamples=3000, rng=1)
    score_a, score_b = (aggregate("f1", np.concatenate(x)) for x in (OURS, OTHERS))
    assert found.estimate == pytest.approx(score_a - score_b)
    assert (found.score_a, found.score_b) == pytest.approx((score_a, score_b))
    assert (found.n_datasets, found.n_examples) == (2, 55)
    rng = np.random.default_rng(3)
    drawn = []
    for _ in range(700):
        places: list[IntArray] = [rng.integers(0, n, size=n) for n in (40, 15)]
        x = np.concatenate([part[i] for part, i in zip(OURS, places, strict=True)])
        y = np.concatenate([part[i] for part, i in zip(OTHERS, places, strict=True)])
        drawn.append(aggregate("f1", x) - aggregate("f1", y))
    assert found.variance == pytest.approx(np.var(drawn, ddof=1), rel=0.25)
    low, high = stats.norm.interval(0.95, found.estimate, found.variance**0.5)
    assert found.confidence_interval == pytest.approx((low, high))
    assert (
        "pooled:difference|metric:F1|a:A|b:B|samples:3000|seed:1|datasets:2|level:0.95"
        in found.signature
    )


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
    with pytest.raises(ValueError, match="must be different"):
        pooled_effect(f1_set(), a="A", b="A")
    with pytest.raises(Stopped):
        pooled_effect(f1_set(), a="A", b="B", on_progress=lambda done, total: done < 1)
