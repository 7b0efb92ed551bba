"""Levels of a covariate: each is tested as its examples alone would be, and all are one family."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from core.data.result_set import ResultSet
from core.reliability.levels import level_study
from core.significance import Stopped, run_significance_test


@cache
def data() -> ResultSet:
    """Two datasets; A gains on the "mail" of the first."""
    rng = np.random.default_rng(1)
    scores = {}
    for name, gain in (("one", 0.4), ("two", 0.0)):
        mail = np.arange(120) % 2 == 0
        scores[name] = {
            "A": (rng.random(120) < 0.5 + gain * mail).astype(float),
            "B": (rng.random(120) < 0.5).astype(float),
        }
    return ResultSet.from_scores(scores)


def genres(**further: Any) -> dict[str, Any]:
    own = ["mail" if i % 2 == 0 else "news" for i in range(120)]
    return {"one": own, "two": own, **further}


def test_each_p_value_is_the_tests_own_on_the_examples_of_the_level() -> None:
    study = level_study(data(), a="A", b="B", covariate=genres(), name="genre")
    assert [(pair.dataset, pair.level) for pair in study.pairs] == [
        ("one", "mail"),
        ("one", "news"),
        ("two", "mail"),
        ("two", "news"),
    ]
    for pair in study.pairs:
        held = np.array(genres()[pair.dataset]) == pair.level
        a, b = (data().scores(pair.dataset, system)[held] for system in ("A", "B"))
        assert pair.p_value == run_significance_test(a, b, test="mcnemar").p_value
        assert pair.n_examples == 60
    assert study.datasets_by_any == study.datasets_that_differ == ("one",)
    assert study.datasets_by_all == ()


def test_all_levels_of_all_datasets_are_one_family() -> None:
    study = level_study(data(), a="A", b="B", covariate=genres())
    family = study.family
    assert (family.n_pairs, family.most_choices) == (4, 2)
    assert family.named_pairs == (("one", "mail"),)
    assert family.n_datasets_by("bonferroni") == 1
    assert study.to_frame()["named_by_holm"].tolist() == [True, False, False, False]
    assert study.at_level(1e-9).family.n_pairs_bonferroni == 0


def test_examples_without_a_level_and_levels_that_cannot_be_tested_are_said() -> None:
    gold = {"one": ["a", "a", "b", "b"] * 30}
    rng = np.random.default_rng(2)
    given = {"one": {s: rng.choice(["a", "b"], 120).tolist() for s in ("A", "B")}}
    labelled = ResultSet.from_predictions(gold, given)
    # All of "odd" are of gold label a, so that MCC is not defined there.
    levels: list[Any] = [
        "odd" if label == "a" and i < 60 else "rest" for i, label in enumerate(gold["one"])
    ]
    levels[-3:] = [None, "", float("nan")]
    study = level_study(
        labelled, a="A", b="B", covariate={"one": levels}, metric="MCC", n_resamples=99
    )
    assert [pair.level for pair in study.pairs] == ["rest"]
    missing, undefined = study.left_out
    assert missing.reason == "3 of 120 examples have no level."
    assert (undefined.choice, "not defined" in undefined.reason) == ("odd", True)


def test_clusters_stay_whole_within_a_level() -> None:
    rng = np.random.default_rng(3)
    scores = {"d": {s: rng.random(80).round(2) for s in ("A", "B")}}
    # Five clusters of eight, then twenty of two.
    codes = [i // 8 if i < 40 else i // 2 for i in range(80)]
    clustered = ResultSet.from_scores(scores, clusters={"d": codes})
    levels = ["x" if i < 40 else "y" for i in range(80)]
    study = level_study(clustered, a="A", b="B", covariate={"d": levels}, n_resamples=99)
    assert [pair.result.n_clusters for pair in study.pairs] == [5, 20]


def test_each_level_has_resamples_of_its_own() -> None:
    rng = np.random.default_rng(6)
    twice = {s: np.tile(rng.normal(size=30), 2) for s in ("A", "B")}
    study = level_study(
        ResultSet.from_scores({"d": twice}),
        a="A",
        b="B",
        covariate={"d": ["x"] * 30 + ["y"] * 30},
        test="paired-bootstrap",
    )
    first, second = (pair.p_value for pair in study.pairs)
    assert first != second
    assert first == pytest.approx(second, abs=0.03)


def test_a_stop_keeps_what_is_done() -> None:
    stopped = level_study(
        data(), a="A", b="B", covariate=genres(), on_progress=lambda done, _: done < 3
    )
    assert not stopped.complete
    assert len(stopped.pairs) == 3
    assert "done:3" in stopped.signature
    with pytest.raises(Stopped):
        level_study(data(), a="A", b="B", covariate=genres(), on_progress=lambda *_: False)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"covariate": {"three": ["x"]}}, "got the unknown 'three'"),
        ({"covariate": {"one": ["x", "y"]}}, "one level an example of dataset 'one', 120 of them"),
        ({"covariate": {"one": ["x"] * 120}}, "2 to 200 levels; got 1"),
        (
            {"covariate": {"one": list(range(120)), "two": list(range(120, 240))}},
            "2 to 200 levels; got 240",
        ),
        ({"test": "all"}, "must be one test"),
        ({"metric": "loss"}, "`metric` must be one of"),
        ({"b": "A"}, "must be different systems"),
    ],
)
def test_arguments_out_of_range_are_refused(change: dict[str, Any], message: str) -> None:
    given: dict[str, Any] = {"a": "A", "b": "B", "covariate": genres(), **change}
    with pytest.raises(ValueError, match=message):
        level_study(data(), **given)
