"""Levels of a covariate: tested as their examples alone would be, one family, and dependence on them."""

from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest, f_oneway

from core.data.result_set import ResultSet
from core.reliability.levels import LevelStudy, dependence_p_value, level_study, smallest_p_value
from core.significance.settings import dataset_stream
from core.significance.single import run_significance_test
from core.significance.stopping import Stopped
from tests.core.made import counts_of, set_of


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
        assert pair.result.p_value == run_significance_test(a, b, test="mcnemar").p_value
        assert pair.result.n_examples == 60
    assert study.datasets_by_any == study.datasets_that_differ == ("one",)
    assert study.datasets_by_all == ()
    # All levels of all datasets are one family.
    family = study.family
    assert (family.n_pairs, family.most_choices) == (4, 2)
    assert family.named_datasets == ("one",)
    assert family.n_datasets_by("bonferroni") == 1
    assert study.to_frame()["named_by_holm"].tolist() == [True, False, False, False]
    assert not study.at_level(1e-9).family.named.any()


def test_examples_without_a_level_and_levels_that_cannot_be_tested_are_said() -> None:
    gold = {"one": ["a", "a", "b", "b"] * 30}
    rng = np.random.default_rng(2)
    given = {"one": {s: rng.choice(["a", "b"], 120).tolist() for s in ("A", "B")}}
    labelled = ResultSet.from_predictions(gold, given)
    # All of "odd" are of gold label a, so that MCC is not defined there.
    levels: list[Any] = [
        "odd" if label == "a" and i < 60 else "rest" for i, label in enumerate(gold["one"])
    ]
    levels[-3:] = [""] * 3
    study = level_study(
        labelled, a="A", b="B", covariate={"one": levels}, metric="MCC", n_resamples=99
    )
    assert [pair.level for pair in study.pairs] == ["rest"]
    missing, undefined = study.left_out
    assert missing.what == "3 of 120 examples have no level."
    assert (undefined.column, "not defined" in undefined.what) == ("odd", True)


def test_clusters_stay_whole_within_a_level() -> None:
    rng = np.random.default_rng(3)
    scores = {"d": {s: rng.random(80).round(2) for s in ("A", "B")}}
    # Five clusters of eight, then twenty of two.
    codes = [i // 8 if i < 40 else i // 2 for i in range(80)]
    clustered = ResultSet.from_scores(scores, clusters={"d": codes})
    levels = ["x" if i < 40 else "y" for i in range(80)]
    study = level_study(clustered, a="A", b="B", covariate={"d": levels}, n_resamples=99)
    assert [pair.result.n_clusters for pair in study.pairs] == [5, 20]


def test_a_stop_keeps_what_is_done() -> None:
    stopped = level_study(
        data(), a="A", b="B", covariate=genres(), on_progress=lambda done, _: done < 3
    )
    assert not stopped.complete
    assert len(stopped.pairs) == 3
    assert "done:3" in stopped.signature
    with pytest.raises(Stopped):
        level_study(data(), a="A", b="B", covariate=genres(), on_progress=lambda *_: False)


def test_arguments_out_of_range_are_refused() -> None:
    with pytest.raises(ValueError, match="`metric` must be one of"):
        level_study(data(), a="A", b="B", covariate=genres(), metric="loss")


def p_of(apart: list[np.ndarray], seed: int, n_orders: int = 99) -> float:
    sizes = [one.size for one in apart]
    units = np.concatenate(apart), np.ones(sum(sizes)), sizes
    return dependence_p_value(
        units, n_orders=n_orders, rng=np.random.default_rng(seed), keep_going=None
    )


def studied(**further: Any) -> LevelStudy:
    """Three datasets: the first gains on "x" only, the second everywhere, the third nowhere."""
    rng = np.random.default_rng(1)
    levels = ["x", "y", "z"] * 60
    gains = {"one": [0.8, 0.0, 0.0], "two": [0.25] * 3, "three": [0.0] * 3}
    scores = {
        name: {"A": np.round(rng.normal(np.tile(gain, 60), 1), 2), "B": np.zeros(180)}
        for name, gain in gains.items()
    }
    given: dict[str, Any] = {"test": "paired-t", "n_resamples": 999, **further}
    return level_study(
        ResultSet.from_scores(scores),
        a="A",
        b="B",
        covariate=dict.fromkeys(scores, levels),
        **given,
    )


@pytest.mark.parametrize("spreads", [(1.0, 1.0, 1.0), (0.5, 1.0, 3.0)])
def test_the_same_effect_on_all_levels_is_flagged_at_rate_alpha(
    spreads: tuple[float, ...],
) -> None:
    rng = np.random.default_rng(2)
    # The level with the most examples spreads least: a pooled spread would flag far more.
    flagged = sum(
        p_of([rng.normal(0.2, own, n) for own, n in zip(spreads, (120, 60, 40), strict=True)], seed)
        <= 0.05
        for seed in range(200)
    )
    assert binomtest(flagged, 200, 0.05).pvalue > 1e-3


def test_it_is_near_the_analysis_of_variance_where_spreads_are_alike() -> None:
    rng = np.random.default_rng(3)
    for shift in (0.0, 0.15, 0.3):
        apart = [rng.normal(mean, 1, 150) for mean in (0.0, shift, shift)]
        assert p_of(apart, 1, 1_999) == pytest.approx(f_oneway(*apart).pvalue, abs=0.04)


def test_a_difference_that_depends_is_told_from_p_values_that_differ() -> None:
    study = studied()
    assert list(study.dependence_p_values) == ["one", "two", "three"]
    assert study.datasets_that_depend == ("one",)
    assert study.dependence_p_values["one"] == 1 / 1_000
    # Described, the second has p <= .05 on some levels only, with one effect on all.
    assert "two" in study.datasets_that_differ
    assert study.at_level(1e-6).datasets_that_depend == ()
    assert studied().dependence_p_values == study.dependence_p_values
    assert studied(rng=5).dependence_p_values != study.dependence_p_values


def test_units_that_do_not_differ_depend_on_nothing() -> None:
    assert p_of([np.full(5, 0.1), np.full(9, 0.1)], 1) == 1.0
    # A level of one example is not endlessly far.
    rng = np.random.default_rng(4)
    small = sum(p_of([rng.normal(size=1), rng.normal(size=50)], k) <= 0.05 for k in range(100))
    assert binomtest(small, 100, 0.05).pvalue > 1e-3


def test_whole_clusters_change_their_level() -> None:
    rng = np.random.default_rng(5)
    codes = np.repeat(np.arange(40), 6)
    flagged = 0
    for seed in range(60):
        shift = rng.normal(0, 1, 40)[codes]
        data = ResultSet.from_scores(
            {"d": {"A": np.round(shift + rng.normal(0, 0.2, 240), 2), "B": np.zeros(240)}},
            clusters={"d": codes.tolist()},
        )
        levels = np.where(codes % 2 == 0, "x", "y")
        study = level_study(data, a="A", b="B", covariate={"d": levels}, n_resamples=39, rng=seed)
        flagged += study.dependence_p_values["d"] <= 0.05
    # Examples taken as independent would be flagged more often than not.
    assert binomtest(flagged, 60, 0.05).pvalue > 1e-3


def test_where_it_cannot_be_asked_a_reason_is_given() -> None:
    rng = np.random.default_rng(6)
    scores = {"d": {s: rng.random(80).round(2) for s in ("A", "B")}}
    clustered = ResultSet.from_scores(scores, clusters={"d": [i // 8 for i in range(80)]})
    study = level_study(clustered, a="A", b="B", covariate={"d": ["x", "y"] * 40}, n_resamples=39)
    assert study.dependence_p_values == {}
    assert "several levels" in study.dependence_left_out["d"]
    assert study.complete
    assert study.datasets_that_depend == ()


def test_levels_too_small_for_alpha_are_named() -> None:
    rng = np.random.default_rng(7)
    levels = ["few"] * 4 + ["five"] * 5 + ["many"] * 31
    data = ResultSet.from_scores({"d": {"A": rng.normal(size=40), "B": rng.normal(size=40)}})
    study = level_study(
        data, a="A", b="B", covariate={"d": levels}, test="wilcoxon", n_resamples=19
    )
    assert study.levels_without_reach == (("d", "few", 4),)
    assert [n for _, _, n in study.at_level(0.01).levels_without_reach] == [4, 5]


def test_the_smallest_p_value_is_that_of_a_win_on_each() -> None:
    for test in ("mcnemar", "mcnemar-mid-p", "mcnemar-chi2", "sign", "approximate-randomization"):
        for n in (1, 3, 6):
            won = run_significance_test(np.ones(n), np.zeros(n), test=test)
            assert smallest_p_value(test, n) == pytest.approx(won.p_value), (test, n)


def test_a_level_of_counts_is_tested_on_its_own_and_left_out_where_its_score_is_not_defined():
    counts = counts_of("f1", 120, ahead=0.05)
    kinds = np.array(["mail", "news"] * 60)
    covariate = {"d": kinds.tolist()}
    settings: dict[str, Any] = {"test": "paired-bootstrap", "n_resamples": 99}
    study = level_study(set_of("f1", counts), a="A", b="B", covariate=covariate, **settings)
    assert [pair.level for pair in study.pairs] == ["mail", "news"]
    for pair in study.pairs:
        a, b = (counts[kinds == pair.level, system] for system in (0, 1))
        stream = dataset_stream(0, "d", f"paired-bootstrap|level {pair.level}")
        own = run_significance_test(a, b, metric="f1", rng=stream, **settings)
        assert pair.result.p_value == own.p_value
        assert pair.result.score_a == own.score_a
    assert "no mean over examples" in study.dependence_left_out["d"]
    # Nothing was there to be found in news.
    counts[kinds == "news"] = 0.0
    study = level_study(set_of("f1", counts), a="A", b="B", covariate=covariate, **settings)
    assert [pair.level for pair in study.pairs] == ["mail"]
    (left_out,) = study.left_out
    assert left_out.column == "news"
    assert "is not defined" in left_out.what
    assert study.dependence_left_out["d"].startswith("It has one level")
