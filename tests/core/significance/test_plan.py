"""Running over datasets whose metrics are sums of counts, correlations with gold, or of labels."""

from typing import Any

import numpy as np
import pytest

from core.analysis import AnalysisSettings, analyse
from core.data import ResultSet
from core.errors import DataError
from core.metrics.per_example import MOST_NUMBERS
from core.significance.lattice import MAX_BINS
from core.significance.plan import planned_tests
from core.significance.run import run_dataset_tests
from core.significance.settings import dataset_stream
from core.significance.single import run_significance_test
from tests.core.significance.sides import resampling_tests

RNG = np.random.default_rng(1993)
N = 30
TOTALS = RNG.integers(5, 20, N).astype(float)


def ratio_counts(chance: float) -> np.ndarray:
    return np.column_stack([RNG.binomial(TOTALS.astype(int), chance), TOTALS])


def error_counts(chance: float) -> np.ndarray:
    links = RNG.binomial(TOTALS.astype(int), chance)
    return np.column_stack([links, links, TOTALS, TOTALS])


def both(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    return np.stack([first, second], axis=1)


GOLD = RNG.normal(size=N)
SCORES = both(RNG.normal(size=N), RNG.normal(size=N))
UAS = both(ratio_counts(0.8), ratio_counts(0.6))
ALIGNED = both(error_counts(0.8), error_counts(0.5))
PREDICTED = both(GOLD + RNG.normal(size=N), GOLD + 3.0 * RNG.normal(size=N))


def mixed(datasets: tuple[str, ...] = ("de", "en"), **changes: Any) -> ResultSet:
    kinds = {"UAS": "ratio", "alignment": "aer", "rho": "spearman", "rating": "mean"}
    values = {"UAS": UAS, "alignment": ALIGNED, "rho": PREDICTED, "rating": SCORES}
    settings: dict[str, Any] = {
        "datasets": datasets,
        "systems": ("ours", "theirs"),
        "values": {metric: (array,) * len(datasets) for metric, array in values.items()},
        "higher_is_better": {metric: metric != "alignment" for metric in kinds},
        "kinds": kinds,
        "gold_scores": (GOLD,) * len(datasets),
        **changes,
    }
    return ResultSet(**settings)


def run(result_set: ResultSet, **settings: Any):
    settings = {"a": "ours", "b": "theirs", "n_resamples": 299, **settings}
    return run_dataset_tests(result_set, **settings)


def problems(result_set: ResultSet, **settings: Any) -> list[tuple[str | None, str]]:
    """Dataset and text of what is told before any test runs."""
    seen: list[int] = []
    with pytest.raises(DataError) as caught:
        run(result_set, on_progress=lambda *_: seen.append(1), **settings)
    assert not seen
    return [(problem.dataset, str(problem)) for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("metric", "kind", "test"),
    [
        ("UAS", "ratio", "paired-bootstrap"),
        ("alignment", "aer", "paired-bootstrap"),
        ("rho", "spearman", "approximate-randomization"),
        ("rating", "mean", "paired-t"),
    ],
)
def test_auto_takes_the_test_of_the_metrics_kind(metric: str, kind: str, test: Any) -> None:
    data = mixed()
    table = run(data, metric=metric)
    assert (table.metric, table.higher_is_better) == (metric, metric != "alignment")
    for dataset, result, p in zip(table.datasets, table.results, table.p_values, strict=True):
        assert (result.test, result.metric, result.kind) == (test, metric, kind)
        assert f"metric:{metric}|kind:{kind}|" in result.signature
        a, b = (data.scores(dataset, system, metric) for system in data.systems)
        how: dict[str, Any] = {"gold": GOLD} if kind == "spearman" else {}
        how |= {"n_resamples": 299, "rng": dataset_stream(0, dataset, test)}
        alone = run_significance_test(a, b, test=test, metric=kind, **how)
        assert p == alone.p_value_greater
        assert result.score_a == pytest.approx(data.score(dataset, "ours", metric))
    assert table.differences == pytest.approx([r.difference for r in table.results])


def test_the_sets_direction_goes_before_the_kinds_own() -> None:
    errors = mixed(higher_is_better=dict.fromkeys(("UAS", "alignment", "rho", "rating"), False))
    for metric in ("UAS", "rho"):
        test = "approximate-randomization"
        plain, turned = (run(data, metric=metric, test=test) for data in (mixed(), errors))
        assert turned.p_values == pytest.approx(plain.p_values_b, abs=0.02)
        assert turned.differences == pytest.approx(-plain.differences)
        assert np.array_equal(turned.scores_a, plain.scores_a)


def test_metrics_of_opposite_directions_leave_the_table_without_scores() -> None:
    table = run(mixed(), metric={"de": "UAS", "en": "alignment"})
    assert (table.metric, table.scores_a, table.scores_b) == (None, None, None)
    assert [result.higher_is_better for result in table.results] == [True, False]
    # Of the whole it is not said that lower is better.
    assert table.higher_is_better
    # Ours is better on both: more correct, fewer errors.
    assert all(result.difference > 0 for result in table.results)
    assert (table.p_values < 0.05).all()


def test_every_dataset_with_an_unsuitable_test_is_named_with_tests_that_suit() -> None:
    asked = {"de": "wilcoxon", "en": "paired-bootstrap", "fr": "mcnemar-mid-p"}
    counts, bootstrap = "sums of counts", "bootstrap or randomization"
    of_counts = [("de", "Wilcoxon", counts, bootstrap), ("fr", "McNemar", counts, bootstrap)]
    others = {"de": "steiger", "fr": "sign"}, {"de": "paired-t", "en": "meng", "fr": "auto"}
    for metric, changed, expected in (
        ("UAS", {}, of_counts),
        ("rating", others[0], [("de", "Steiger", "gold", "paired t")]),
        ("rho", others[1], [("de", "paired t", "gold", "Meng")]),
    ):
        told = problems(mixed(("de", "en", "fr")), metric=metric, test={**asked, **changed})
        assert [dataset for dataset, _ in told] == [dataset for dataset, *_ in expected]
        for (_, text), (_, *tokens) in zip(told, expected, strict=True):
            assert all(token in text for token in (*tokens, f"'{metric}'")), text


def test_a_score_that_is_not_defined_is_a_problem_of_its_dataset() -> None:
    nothing = UAS.copy()
    nothing[:, 1] = 0.0
    counts: dict[str, Any] = {"kinds": {"UAS": "ratio"}, "higher_is_better": {"UAS": True}}
    ((dataset, text),) = problems(mixed(values={"UAS": (UAS, nothing)}, **counts))
    assert dataset == "en"
    assert "'UAS'" in text
    assert "'theirs'" in text
    flat = PREDICTED.copy()
    flat[:, 0] = 0.1
    correlated: dict[str, Any] = {"kinds": {"rho": "pearson"}, "higher_is_better": {"rho": True}}
    for arrays, gold, whose in (
        ((flat, PREDICTED), (GOLD, GOLD), "'ours'"),
        ((PREDICTED, PREDICTED), (np.full(N, 0.1), GOLD), "gold"),
    ):
        data = mixed(**correlated, values={"rho": arrays}, gold_scores=gold)
        for test in ("auto", "paired-bootstrap"):
            ((dataset, text),) = problems(data, test=test)
            assert dataset == "de"
            assert whose in text


def correlated_with_gold(kind: str, ours: np.ndarray, theirs: np.ndarray) -> ResultSet:
    """'de' as elsewhere, 'en' with these predictions."""
    return mixed(
        values={"rho": (PREDICTED, both(ours, theirs))},
        kinds={"rho": kind},
        higher_is_better={"rho": True},
    )


@pytest.mark.parametrize(("kind", "test"), [("spearman", "steiger"), ("pearson", "meng")])
def test_a_perfect_correlation_asks_for_another_test_than_of_fishers_z(
    kind: str, test: str
) -> None:
    # In the order of gold, but not in proportion to it.
    theirs = PREDICTED[:, 1] if kind == "spearman" else np.exp(GOLD)
    data = correlated_with_gold(kind, GOLD, theirs)
    ((dataset, text),) = problems(data, test=test)
    assert dataset == "en"
    assert f"{test.title()}'s test" in text
    assert "Fisher z" in text
    assert run(data, test={"de": test, "en": "approximate-randomization"}).p_values[1] < 0.01


def test_a_mapping_that_does_not_fit_is_refused() -> None:
    wrong: tuple[tuple[dict[str, str], str], ...] = (
        ({"de": "UAS"}, "`metric` must name .* 'en'"),
        (dict.fromkeys(("de", "en", "fr"), "UAS"), "unknown dataset 'fr'"),
        ({"de": "UAS", "en": "LAS"}, "`metric` must be one of 'UAS', .* got 'LAS'"),
    )
    for metric, message in wrong:
        with pytest.raises(ValueError, match=message):
            run(mixed(), metric=metric)
    with pytest.raises(ValueError, match="`datasets` must name at least one dataset; got none"):
        planned({"de": pair(3, 0)}, datasets=())


def planned(scores: dict[str, dict[str, np.ndarray]], **settings: Any) -> dict[str, str]:
    names = tuple(next(iter(scores.values())))
    data = ResultSet.from_scores(scores)
    plans = planned_tests(
        data, **{"a": names[0], "b": names[1], "test": "auto", "metric": None, **settings}
    )
    return {dataset: plan.test for dataset, plan in plans.items()}


def pair(n: int, decimals: int | None, spread: float = 1.0) -> dict[str, np.ndarray]:
    rng = np.random.default_rng([n, decimals or 0])
    given = {name: spread * rng.random(n) for name in ("ours", "theirs")}
    if decimals is None:
        return given
    return {name: scores.round(decimals) for name, scores in given.items()}


def test_averaged_scores_get_exact_randomization_where_it_is_and_else_the_t_test() -> None:
    bins = MAX_BINS // 20
    wide = {"ours": np.full(20, bins + 0.0), "theirs": np.zeros(20)}
    # One size is one step, so the first example differs by one more.
    wide["ours"][0] += 1.0
    # 21 differing examples; of the first sum, a last bin less, then one too many.
    at_the_end = {name: np.append(scores, 0.0) for name, scores in wide.items()}
    at_the_end["ours"][-1] = MAX_BINS - 1 - wide["ours"].sum()
    beyond = {name: scores.copy() for name, scores in at_the_end.items()}
    beyond["ours"][-1] += 1.0
    cases = {
        "ratings": (pair(500, 0, 5.0), "approximate-randomization"),
        "two decimals": (pair(500, 2), "approximate-randomization"),
        "measured": (pair(21, None), "paired-t"),
        "measured, few": (pair(20, None), "approximate-randomization"),
        "measured, few differ": (
            {name: np.append(scores, np.arange(90.0)) for name, scores in pair(20, None).items()},
            "approximate-randomization",
        ),
        "as many bins as are exact": (at_the_end, "approximate-randomization"),
        "one bin more": (beyond, "paired-t"),
    }
    for name, (scores, test) in cases.items():
        # By this dataset's scores alone: not who is ahead, which scale, or what else is tested.
        turned = {"ours": scores["theirs"], "theirs": scores["ours"]}
        for given in ({"d": scores}, {"d": turned}, {"d": scores, "other": pair(30, None)}):
            assert planned(given)["d"] == test, name
        result = run(ResultSet.from_scores({"d": scores})).results[0]
        assert result.test == test, name
        assert result.method == {"paired-t": "student"}.get(test, "exact"), name
        assert result.n_resamples is None, name


def test_scores_are_taken_for_outcomes_only_where_all_datasets_have_0_and_1() -> None:
    outcomes = {name: np.arange(40) % (3 + k) == 0 for k, name in enumerate(("ours", "theirs"))}
    outcomes = {name: scores.astype(float) for name, scores in outcomes.items()}
    halves = {name: np.append(scores, 0.5) for name, scores in outcomes.items()}
    assert planned({"x": outcomes, "y": outcomes}) == {"x": "mcnemar", "y": "mcnemar"}
    mixed_up = planned({"x": outcomes, "y": halves})
    assert mixed_up == dict.fromkeys(("x", "y"), "approximate-randomization")
    # A third system decides as well: it has the same metric.
    third = {**outcomes, "more": np.append(outcomes["ours"][:-1], 0.5)}
    assert planned({"x": third}) == {"x": "approximate-randomization"}
    # No number depends on the name: on 0 and 1 both are the binomial tail of wins and losses.
    alone, beside = (
        run(ResultSet.from_scores(given)).p_values[0]
        for given in ({"x": outcomes}, {"x": outcomes, "y": halves})
    )
    assert alone == pytest.approx(beside, rel=1e-12)
    # What is left out of a run still belongs to the metric.
    part = ResultSet.from_scores({"x": outcomes, "y": halves})
    (result,) = analyse(part, AnalysisSettings(excluded=("y",))).table.results
    assert result.test == "approximate-randomization"


LABEL_RNG = np.random.default_rng(1945)
N_LABELS = 60


def gold_and_systems() -> tuple[list[str], dict[str, list[str]]]:
    gold = LABEL_RNG.choice(["pos", "neg", "neu"], size=N_LABELS, p=[0.5, 0.3, 0.2])
    said = {}
    for system, chance in (("ours", 0.8), ("theirs", 0.6)):
        other = LABEL_RNG.choice(["neg", "neu", "pos", "odd"], size=N_LABELS)
        said[system] = np.where(LABEL_RNG.random(N_LABELS) < chance, gold, other).tolist()
    return gold.tolist(), said


LABELS = {name: gold_and_systems() for name in ("A", "B")}
LABELLED = ResultSet.from_predictions(
    {name: gold for name, (gold, _) in LABELS.items()},
    {name: said for name, (_, said) in LABELS.items()},
)


@resampling_tests
@pytest.mark.parametrize(
    ("metric", "asked"),
    [
        ("macro-F1", {"metric": "macro-f1"}),
        ("MCC", {"metric": "mcc"}),
        ("F1 of pos", {"metric": "f1", "positive": "pos"}),
    ],
)
def test_each_dataset_has_the_test_of_its_own_labels(test: Any, metric: str, asked: Any) -> None:
    table = run(LABELLED, metric=metric, test=test, rng=3)
    assert table.metric == metric
    for name, result in zip(table.datasets, table.results, strict=True):
        gold, said = LABELS[name]
        stream = dataset_stream(3, name, test)
        alone = run_significance_test(
            *said.values(), gold=gold, test=test, n_resamples=299, rng=stream, **asked
        )
        assert result.p_value_greater == alone.p_value_greater
        assert (result.metric, result.kind) == (metric, asked["metric"])
        scores = [LABELLED.score(name, system, metric) for system in said]
        assert [result.score_a, result.score_b] == pytest.approx(scores, rel=1e-12)


def test_every_dataset_without_a_score_is_named_before_any_test() -> None:
    data = ResultSet.from_predictions(
        {"A": ["x", "y", "x"], "B": ["x", "x", "x"], "C": ["x", "y", "y"]},
        {
            "A": {"ours": ["x", "y", "y"], "theirs": ["x", "x", "x"]},
            "B": {"ours": ["x", "y", "x"], "theirs": ["y", "x", "x"]},
            "C": {"ours": ["x", "y", "x"], "theirs": ["y", "x", "x"]},
        },
    )
    of_theirs, of_gold = problems(data, metric="MCC")
    assert (of_theirs[0], of_gold[0]) == ("A", "B")
    assert "the labels of 'theirs'" in of_theirs[1]
    assert "the labels of gold" in of_gold[1]
    ((dataset, text),) = problems(data, metric="F1 of y")
    assert dataset == "B"
    assert "as no example has that gold label" in text
    # Any labels have a macro-F1.
    assert run(data, metric="macro-F1").complete
    tests = {"A": "auto", "B": "mcnemar", "C": "auto"}
    ((dataset, text),) = problems(data, metric="macro-F1", test=tests)
    assert dataset == "B"
    assert "McNemar" in text


def test_too_many_labels_are_refused_before_any_test() -> None:
    n = 3_000
    labels = [str(i) for i in range(n)]
    data = ResultSet.from_predictions(
        {"few": ["x", "y"], "QA": labels},
        {
            "few": {"ours": ["x", "y"], "theirs": ["y", "y"]},
            "QA": {"ours": labels, "theirs": labels[::-1]},
        },
    )
    assert 2 * n * n > MOST_NUMBERS
    ((dataset, text),) = problems(data, metric="macro-F1")
    assert dataset == "QA"
    assert "27,000,000" in text
    assert f"{MOST_NUMBERS:,}" in text
