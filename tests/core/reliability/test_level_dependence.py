"""Whether a difference depends on the level: at rate alpha where it does not, and found if it does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest, f_oneway

from core.data.result_set import ResultSet
from core.reliability.levels import (
    LevelledUnits,
    LevelStudy,
    dependence_p_value,
    level_study,
    smallest_p_value,
)
from core.significance import run_significance_test


def p_of(apart: list[np.ndarray], seed: int, n_orders: int = 99) -> float:
    sizes = [one.size for one in apart]
    units = LevelledUnits(
        sums=np.concatenate(apart),
        sizes=np.ones(sum(sizes)),
        starts=np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.intp),
    )
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


@pytest.mark.parametrize(
    "test", ["mcnemar", "mcnemar-mid-p", "mcnemar-chi2", "sign", "approximate-randomization"]
)
def test_the_smallest_p_value_is_that_of_a_win_on_each(test: Any) -> None:
    for n in (1, 3, 6):
        won = run_significance_test(np.ones(n), np.zeros(n), test=test)
        assert smallest_p_value(test, n) == pytest.approx(won.p_value)
