"""Running over datasets whose metric is made of predicted labels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.data import ResultSet
from core.errors import DataError
from core.metrics.labels import MOST_NUMBERS
from core.significance import advise, run_dataset_tests, run_significance_test, suitable_tests
from core.significance.settings import dataset_stream

RNG = np.random.default_rng(1945)
N = 60


def gold_and_systems() -> tuple[list[str], dict[str, list[str]]]:
    gold = RNG.choice(["pos", "neg", "neu"], size=N, p=[0.5, 0.3, 0.2])
    right = {system: RNG.random(N) < chance for system, chance in (("ours", 0.8), ("theirs", 0.6))}
    said = {
        system: np.where(hit, gold, RNG.choice(["neg", "neu", "pos", "odd"], size=N)).tolist()
        for system, hit in right.items()
    }
    return gold.tolist(), said


GIVEN = {name: gold_and_systems() for name in ("A", "B")}
DATA = ResultSet.from_predictions(
    {name: gold for name, (gold, _) in GIVEN.items()},
    {name: said for name, (_, said) in GIVEN.items()},
)


def run(data: ResultSet = DATA, **settings: Any):
    return run_dataset_tests(
        data, **{"a": "ours", "b": "theirs", "n_resamples": 299, "rng": 3, **settings}
    )


@pytest.mark.parametrize("test", ["paired-bootstrap", "approximate-randomization"])
@pytest.mark.parametrize(
    ("metric", "asked"),
    [
        ("macro-F1", {"metric": "macro-f1"}),
        ("MCC", {"metric": "mcc"}),
        ("F1 of pos", {"metric": "f1", "positive": "pos"}),
    ],
)
def test_each_dataset_has_the_test_of_its_own_labels(test: Any, metric: str, asked: Any) -> None:
    table = run(metric=metric, test=test)
    assert table.metric == metric
    assert table.results is not None
    for name, result in zip(table.datasets, table.results, strict=True):
        gold, said = GIVEN[name]
        alone = run_significance_test(
            said["ours"],
            said["theirs"],
            gold=gold,
            test=test,
            n_resamples=299,
            rng=dataset_stream(3, name, test),
            **asked,
        )
        assert result.p_value_greater == alone.p_value_greater
        assert (result.metric, result.kind) == (metric, asked["metric"])
        assert result.score_a == pytest.approx(DATA.score(name, "ours", metric), rel=1e-12)
        assert result.score_b == pytest.approx(DATA.score(name, "theirs", metric), rel=1e-12)


def test_auto_takes_the_bootstrap_and_clusters_randomization() -> None:
    for metric in DATA.label_metrics[:3]:
        assert {result.test for result in run(metric=metric).results} == {"paired-bootstrap"}
    clusters = {name: np.arange(N) // 3 for name in DATA.datasets}
    table = run(metric="MCC", clusters=clusters)
    assert [(r.test, r.n_clusters) for r in table.results] == [
        ("approximate-randomization", 20)
    ] * 2
    assert suitable_tests("macro-f1") == ("paired-bootstrap", "approximate-randomization")
    a, b = (DATA.scores("A", system, "macro-F1") for system in ("ours", "theirs"))
    assert advise(a, b, kind=DATA.kind_of("macro-F1")).test == "paired-bootstrap"


def refused(data: ResultSet, **settings: Any) -> list[tuple[str | None, str]]:
    seen: list[int] = []
    with pytest.raises(DataError) as caught:
        run(data, on_progress=lambda *_: seen.append(1), **settings)
    assert not seen
    return [(problem.dataset, str(problem)) for problem in caught.value.problems]


def test_every_dataset_without_a_score_is_named_before_any_test() -> None:
    data = ResultSet.from_predictions(
        {"A": ["x", "y", "x"], "B": ["x", "x", "x"], "C": ["x", "y", "y"]},
        {
            "A": {"ours": ["x", "y", "y"], "theirs": ["x", "x", "x"]},
            "B": {"ours": ["x", "y", "x"], "theirs": ["y", "x", "x"]},
            "C": {"ours": ["x", "y", "x"], "theirs": ["y", "x", "x"]},
        },
    )
    of_theirs, of_gold = refused(data, metric="MCC")
    assert (of_theirs[0], of_gold[0]) == ("A", "B")
    assert "the labels of 'theirs'" in of_theirs[1]
    assert "the labels of gold" in of_gold[1]
    assert [dataset for dataset, _ in refused(data, metric="F1 of y")] == ["B"]
    # Any labels have a macro-F1.
    assert run(data, metric="macro-F1").complete
    tests = {"A": "auto", "B": "mcnemar", "C": "auto"}
    ((dataset, text),) = refused(data, metric="macro-F1", test=tests)
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
    ((dataset, text),) = refused(data, metric="macro-F1")
    assert dataset == "QA"
    assert "27,000,000" in text
    assert f"{MOST_NUMBERS:,}" in text
