"""Effects of a set of results: values, variances, what has none, and how it stops."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from core.data import ResultSet
from core.effects.combined import combine_effects
from core.effects.dataset_effects import NO_VARIANCE
from core.effects.from_results import dataset_effects
from core.effects.meta_analysis import meta_analysis
from core.effects.paired_effect import EFFECTS
from core.metrics.registry import aggregate
from core.significance import Stopped
from core.types import FloatArray, IntArray
from core.validation import names_of

MANY = 2000


def accuracies(n: int = 120, seed: int = 0) -> dict[str, FloatArray]:
    rng = np.random.default_rng(seed)
    b = (rng.random(n) < 0.7).astype(float)
    return {"A": np.maximum(b, rng.random(n) < 0.3), "B": b, "C": rng.permutation(b)}


def result_set(**kinds: object) -> ResultSet:
    scores = {f"d{i}": accuracies(n, i) for i, n in enumerate((120, 50, 300))}
    return ResultSet.from_scores(scores, metric="accuracy", **kinds)  # type: ignore[arg-type]


def counted(kind: str, values: FloatArray, *, higher: bool = True) -> ResultSet:
    """One dataset with statistics, shape (n, 2, s)."""
    return ResultSet(
        datasets=("d",),
        systems=("A", "B"),
        values={kind: (values,)},
        higher_is_better={kind: higher},
        kinds={kind: kind},
    )


def slow_bootstrap(effect: object, n: int, *, seed: int = 1, b: int = 1000) -> float:
    """Variance of an effect of drawn places, one resample at a time."""
    rng = np.random.default_rng(seed)
    drawn = [effect(rng.integers(0, n, size=n)) for _ in range(b)]  # type: ignore[operator]
    return float(np.var([x for x in drawn if np.isfinite(x)], ddof=1))


def close(found: float, expected: float) -> bool:
    """Whether two variances of a thousand resamples or two are as near as that allows."""
    return bool(abs(found / expected - 1.0) < 5 * np.sqrt(2 / MANY + 2 / 1000) * 1.3)


def test_the_difference_and_its_variance_are_those_of_the_paired_t_test() -> None:
    results = result_set()
    found = dataset_effects(results, a="A", b="C")
    for i, dataset in enumerate(results.datasets):
        a, c = results.scores(dataset, "A"), results.scores(dataset, "C")
        test = stats.ttest_rel(a, c)
        assert found.effects[i] / np.sqrt(found.variances[i]) == pytest.approx(test.statistic)  # type: ignore[index]
        assert found.effects[i] == pytest.approx(a.mean() - c.mean())
    assert found.variance_methods == ("closed-form",) * 3
    assert found.seed is None
    assert found.n_resamples is None
    assert found.n_examples is not None
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
        assert drawn.variances[2] == pytest.approx(closed.variances[2], rel=0.12)  # type: ignore[index]
        assert drawn.variance_methods == ("bootstrap",) * 3
        assert (drawn.seed, drawn.n_resamples) == (2, MANY)


def test_error_reduction_is_the_share_of_errors_that_are_gone() -> None:
    scores = {"d": {"A": [1, 1, 1, 1, 0, 1, 1, 1, 1, 1], "B": [1, 1, 0, 1, 0, 0, 1, 1, 1, 0]}}
    found = dataset_effects(ResultSet.from_scores(scores), a="A", b="B", effect="error-reduction")
    # 4 errors, then 1.
    assert found.effects == pytest.approx([0.75])
    assert found.maxima == (1.0,)


def test_the_bootstrap_of_an_error_reduction_is_a_resampling_of_pairs() -> None:
    a, b = accuracies(80, 4)["A"], accuracies(80, 4)["C"]
    results = ResultSet.from_scores({"d": {"A": a, "B": b}})
    found = dataset_effects(
        results, a="A", b="B", effect="error-reduction", variance="bootstrap", n_resamples=MANY
    )
    expected = slow_bootstrap(lambda i: (a[i].mean() - b[i].mean()) / (1 - b[i].mean()), 80)
    assert close(found.variances[0], expected)  # type: ignore[index]


def test_the_standardised_effect_is_d_z_and_its_variance_that_of_metafor() -> None:
    rng = np.random.default_rng(3)
    a, b = rng.normal(0.4, 1, 60), rng.normal(0, 1, 60)
    results = ResultSet.from_scores({"d": {"A": a, "B": b}})
    found = dataset_effects(results, a="A", b="B", effect="standardised")
    d_z = (a - b).mean() / (a - b).std(ddof=1)
    assert found.effects == pytest.approx([d_z])
    # metafor's escalc(measure="SMCC"), before its correction for small samples.
    assert found.variances == pytest.approx([1 / 60 + d_z**2 / 120])
    drawn = dataset_effects(
        results, a="A", b="B", effect="standardised", variance="bootstrap", n_resamples=MANY
    )
    expected = slow_bootstrap(lambda i: (a - b)[i].mean() / (a - b)[i].std(ddof=1), 60)
    assert close(drawn.variances[0], expected)  # type: ignore[index]


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
    assert found.variances is not None
    assert plain.variances is not None
    assert found.variances[0] > 1.3 * plain.variances[0]


@pytest.mark.parametrize("effect", ["difference", "standardised"])
def test_the_bootstrap_draws_whole_clusters(effect: str) -> None:
    results, a, b, members = clustered()
    d = a - b

    def of(places: IntArray) -> float:
        drawn = d[np.concatenate([members[int(i)] for i in places])]
        return float(drawn.mean() / (drawn.std(ddof=1) if effect == "standardised" else 1.0))

    found = dataset_effects(
        results,
        a="A",
        b="B",
        effect=effect,
        variance="bootstrap",
        n_resamples=MANY,
    )
    assert close(found.variances[0], slow_bootstrap(of, 40))  # type: ignore[index]


def test_a_standardised_effect_of_clusters_has_no_closed_form() -> None:
    results, *_ = clustered()
    auto = dataset_effects(results, a="A", b="B", effect="standardised", n_resamples=50)
    assert auto.variance_methods == ("bootstrap",)
    none = dataset_effects(results, a="A", b="B", effect="standardised", variance="closed-form")
    assert none.datasets == ()
    assert "come in clusters" in none.left_out[0].reason


@pytest.mark.parametrize(
    ("kind", "effect"), [("f1", "difference"), ("ratio", "error-reduction"), ("bleu", "difference")]
)
def test_counted_metrics_are_resampled_by_their_sums(kind: str, effect: str) -> None:
    rng = np.random.default_rng(5)
    n = 50
    if kind == "ratio":
        total = rng.integers(1, 20, size=n)
        parts = [np.column_stack([rng.binomial(total, p), total]) for p in (0.8, 0.7)]
    elif kind == "f1":
        parts = [rng.poisson(rates, size=(n, 3)) for rates in ((5, 1, 1), (4, 2, 1))]
    else:
        parts = []
        for p in (0.6, 0.5):
            length = rng.integers(8, 30, size=n)
            totals = [length - i for i in range(4)]
            matches = [rng.binomial(t, p ** (i + 1)) for i, t in enumerate(totals)]
            parts.append(np.column_stack([length, length + 1, *matches, *totals]))
    a, b = (part.astype(float) for part in parts)
    results = counted(kind, np.stack([a, b], axis=1))
    maximum = 100.0 if kind == "bleu" else 1.0

    def of(places: IntArray) -> float:
        score_a, score_b = (aggregate(kind, x[places]) for x in (a, b))
        delta = score_a - score_b
        return delta if effect == "difference" else delta / (maximum - score_b)

    found = dataset_effects(results, a="A", b="B", effect=effect, n_resamples=MANY, rng=8)
    assert found.effects == pytest.approx([of(np.arange(n))])
    assert found.variance_methods == ("bootstrap",)
    assert close(found.variances[0], slow_bootstrap(of, n))  # type: ignore[index]


@pytest.mark.parametrize(
    ("kind", "effect"), [("pearson", "difference"), ("spearman", "error-reduction")]
)
def test_correlations_are_computed_anew_in_each_resample(kind: str, effect: str) -> None:
    rng = np.random.default_rng(2)
    n = 40
    gold = np.round(rng.normal(size=n), 1)
    a, b = gold + rng.normal(0, 0.5, n), gold + rng.normal(0, 1.0, n)
    results = ResultSet(
        datasets=("d",),
        systems=("A", "B"),
        values={kind: (np.column_stack([a, b]),)},
        higher_is_better={kind: True},
        kinds={kind: kind},
        gold_scores=(gold,),
    )

    def of(places: IntArray) -> float:
        r_a, r_b = (correlated(kind, gold[places], x[places]) for x in (a, b))
        return float(r_a - r_b if effect == "difference" else (r_a - r_b) / (1 - r_b))

    found = dataset_effects(results, a="A", b="B", effect=effect, n_resamples=MANY, rng=1)
    assert found.effects == pytest.approx([of(np.arange(n))])
    assert close(found.variances[0], slow_bootstrap(of, n))  # type: ignore[index]


@pytest.mark.parametrize("kind", ["pearson", "spearman"])
def test_correlations_draw_whole_clusters(kind: str) -> None:
    rng = np.random.default_rng(4)
    codes = np.repeat(np.arange(20), 3)
    gold = rng.normal(size=60)
    a, b = gold + rng.normal(0, 0.5, 60), gold + np.repeat(rng.normal(size=20), 3)
    base = ResultSet.from_scores(
        {"d": {"A": a, "B": b}}, clusters={"d": [f"c{code}" for code in codes]}
    )
    results = ResultSet(
        datasets=("d",),
        systems=("A", "B"),
        values={kind: (np.column_stack([a, b]),)},
        higher_is_better={kind: True},
        kinds={kind: kind},
        gold_scores=(gold,),
        clusters=base.clusters,
    )

    def of(places: IntArray) -> float:
        i = np.concatenate([np.flatnonzero(codes == code) for code in places])
        return correlated(kind, gold[i], a[i]) - correlated(kind, gold[i], b[i])

    found = dataset_effects(results, a="A", b="B", n_resamples=MANY)
    assert close(found.variances[0], slow_bootstrap(of, 20))  # type: ignore[index]


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
    assert a is not None
    assert b is not None

    def of(places: IntArray) -> float:
        drawn = ResultSet.from_predictions(
            {"d": gold[places].tolist()},  # type: ignore[index]
            {"d": {"A": a[places].tolist(), "B": b[places].tolist()}},
        )
        score_a, score_b = (drawn.score("d", s, metric) for s in ("A", "B"))
        delta = score_a - score_b
        return delta if effect == "difference" else delta / (1 - score_b)

    found = dataset_effects(results, a="A", b="B", metric=metric, effect=effect, n_resamples=MANY)
    assert found.effects == pytest.approx([of(np.arange(90))])
    variance = found.variances[0]  # type: ignore[index]
    assert abs(variance / slow_bootstrap(of, 90, b=400) - 1.0) < 0.4


def test_lower_is_better_turns_the_sign() -> None:
    results = ResultSet.from_scores(
        {"d": {"A": [0.1, 0.2, 0.3], "B": [0.3, 0.3, 0.5]}}, metric="loss", higher_is_better=False
    )
    found = dataset_effects(results, a="A", b="B")
    assert found.effects == pytest.approx([0.5 / 3])
    assert found.scores_a == pytest.approx([0.2])
    aer = counted("aer", np.tile([[[2.0, 2, 3, 3], [1, 1, 3, 3]]], (5, 1, 1)), higher=False)
    assert dataset_effects(aer, a="A", b="B", n_resamples=9).effects == pytest.approx([1 / 3])


def test_a_dataset_depends_on_no_other() -> None:
    results = result_set()
    every = dataset_effects(results, a="A", b="C", variance="bootstrap", n_resamples=50, rng=6)
    some = dataset_effects(
        results, a="A", b="C", variance="bootstrap", n_resamples=50, rng=6, datasets=["d2", "d1"]
    )
    assert some.datasets == ("d1", "d2")
    assert every.variances is not None
    assert some.variances is not None
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
    for variance in ("closed-form", "bootstrap"):
        found = dataset_effects(results, a="A", b="B", variance=variance)
        assert found.effects[0] == 0.1
        assert found.variances is not None
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
        (
            [[150, 20], [30, 10]],
            "accuracy",
            100,
            "above the highest possible score as it was said, 100",
        ),
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


def test_a_score_that_is_not_defined_is_a_reason() -> None:
    empty = counted("f1", np.zeros((4, 2, 3)))
    found = dataset_effects(empty, a="A", b="B")
    assert found.datasets == ()
    assert "is not defined for 'A' and 'B'" in found.left_out[0].reason


def test_stopping_keeps_finished_datasets() -> None:
    results = result_set()
    found = dataset_effects(results, a="A", b="C", on_progress=lambda done, _: done < 2)
    assert not found.complete
    assert found.datasets == ("d0", "d1")
    assert found.not_done == ("d2",)
    with pytest.raises(Stopped):
        dataset_effects(results, a="A", b="C", on_progress=lambda done, total: False)
    told: list[tuple[int, int]] = []
    whole = dataset_effects(
        results,
        a="A",
        b="C",
        variance="bootstrap",
        on_progress=lambda done, total: told.append((done, total)),
    )
    assert whole.complete
    assert told[0] == (0, 3)
    assert told[-1] == (3, 3)


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
        ({"rng": None}, "`rng` must be an integer"),
    ],
)
def test_wrong_arguments_are_refused(arguments: dict[str, object], part: str) -> None:
    with pytest.raises(ValueError, match=part):
        dataset_effects(result_set(), **{"a": "A", "b": "B", **arguments})  # type: ignore[arg-type]


def test_closed_forms_and_standardised_effects_are_of_means() -> None:
    results = counted("f1", np.ones((3, 2, 3)))
    with pytest.raises(ValueError, match="'closed-form' is for scores that are averaged"):
        dataset_effects(results, a="A", b="B", variance="closed-form")
    with pytest.raises(ValueError, match="'standardised' must have one score an example"):
        dataset_effects(results, a="A", b="B", effect="standardised")
