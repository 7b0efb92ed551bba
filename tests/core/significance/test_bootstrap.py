"""The paired bootstrap against every resample, and what its Monte Carlo promises."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from core.significance import run_significance_test
from core.significance.result import SignificanceResult
from tests.core.significance import oracles
from tests.core.significance.sides import sides


def run(values: object, **settings: object) -> SignificanceResult:
    a = np.asarray(values, dtype=np.float64)
    return run_significance_test(a, np.zeros(a.size), test="paired-bootstrap", **settings)  # type: ignore[arg-type]


@settings(max_examples=40)
@given(tenths=oracles.tenths(5), strict=st.booleans())
def test_exact_is_the_share_of_all_resamples(tenths: list[int], strict: bool) -> None:
    exact = [Fraction(t, 10) for t in tenths]
    expected = oracles.bootstrap_by_enumeration(exact, strict=strict)
    result = run([t / 10 for t in tenths], estimator="berg-kirkpatrick" if strict else "add-one")
    assert result.exact
    assert sides(result) == pytest.approx([float(p) for p in expected], rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("size", [1, 3, 50, 120])
def test_exact_with_another_resample_size_compares_means_not_sums(size: int) -> None:
    values = [1] * 20 + [0] * 22 + [-1] * 8
    distribution = oracles.draw_sums(values, size)
    mean = Fraction(sum(values), len(values))
    result = run(values, resample_size=size)
    expected = (
        oracles.upper(distribution, 2 * mean * size),
        oracles.lower(distribution, 2 * mean * size),
        oracles.upper(distribution, 2 * mean * size) + oracles.lower(distribution, 0),
    )
    assert sides(result) == pytest.approx([float(p) for p in expected], rel=1e-11)
    assert result.resample_size == size
    assert any("reproduction" in note for note in result.notes) == (size != 50)
    assert any("too small" in note for note in result.notes) == (size > 50)


@pytest.mark.parametrize(
    "values",
    [
        [1] * 20 + [0] * 70 + [-1] * 10,
        [1] * 10 + [0] * 70 + [-1] * 20,
        np.round(np.random.default_rng(5).normal(0.1, 1.0, 60), 1),
        [0.3, -0.1, 0.2, 0.2, 0.0, 0.1],
    ],
)
@pytest.mark.parametrize("estimator", ["add-one", "berg-kirkpatrick"])
def test_monte_carlo_lies_as_near_the_exact_value_as_it_must(
    values: object, estimator: str
) -> None:
    exact = run(values, estimator=estimator)
    drawn = run(values, estimator=estimator, method="monte-carlo", n_resamples=20_000, rng=0)
    assert exact.exact
    assert not drawn.exact
    for found, expected in zip(sides(drawn), sides(exact), strict=True):
        allowed = 4 * math.sqrt(expected * (1 - expected) / 20_000) + 1 / 20_000
        assert abs(found - expected) <= allowed
    assert exact.confidence_interval is not None
    assert drawn.confidence_interval == pytest.approx(exact.confidence_interval, abs=0.03)


def test_measurements_agree_with_plain_resampling_of_pairs() -> None:
    rng = np.random.default_rng(2)
    a, b = rng.normal(0.15, 1, 80), rng.normal(0, 1, 80)
    result = run_significance_test(a, b, test="paired-bootstrap", n_resamples=20_000, rng=0)
    indices = np.random.default_rng(3).integers(0, 80, (20_000, 80))
    resampled = a[indices].mean(axis=1) - b[indices].mean(axis=1)
    p = (np.count_nonzero(resampled >= 2 * (a - b).mean()) + 1) / 20_001
    assert result.p_value == pytest.approx(p, abs=6 * math.sqrt(2 * p * (1 - p) / 20_000))
    assert not result.exact
    assert any("not multiples of one step" in note for note in result.notes)


def test_the_published_estimator_gives_zero_to_equal_systems_and_says_so() -> None:
    for method in ("auto", "monte-carlo"):
        result = run([0.0] * 10, estimator="berg-kirkpatrick", method=method, rng=0)
        assert sides(result) == (0.0, 0.0, 0.0)
        # Neither direction more than the other, and neither to be counted.
        assert result.unreachable is None
        assert result.out_of_reach == (True, True)
        assert any("keep it out of counting" in note for note in result.notes)
        usual = run([0.0] * 10, method=method, rng=0)
        assert sides(usual) == (1.0, 1.0, 1.0)
        assert usual.out_of_reach == (False, False)


@pytest.mark.parametrize("method", ["exact", "monte-carlo"])
@pytest.mark.parametrize("values", [[1.0] + [0.0] * 0, [0.5] * 8, [1.0] * 9 + [0.9]])
def test_twice_the_difference_out_of_reach_is_said(values: list[float], method: str) -> None:
    result = run(values, method=method, rng=0)
    assert any("out of the bootstrap's reach" in note for note in result.notes)
    assert (result.p_value == 0.0) == result.exact
    assert result.out_of_reach == (True, False)
    # What never varies has no interval of one point, which would pass for certainty.
    assert (result.confidence_interval is None) == (len(set(values)) == 1)
    turned = run([-v for v in values], method=method, rng=0)
    assert any("out of the bootstrap's reach" in note for note in turned.notes)
    assert turned.p_value == 1.0
    assert turned.out_of_reach == (False, True)


@settings(max_examples=40)
@given(tenths=oracles.tenths(40, 2), level=st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_the_interval_excludes_zero_exactly_where_the_one_sided_p_value_is_small(
    tenths: list[int], level: float
) -> None:
    half = (1 - level) / 2
    for method in ("exact", "monte-carlo"):
        result = run(
            [t / 10 for t in tenths],
            method=method,
            confidence_level=level,
            rng=0,
            n_resamples=199,
        )
        if result.confidence_interval is None:
            assert len(set(tenths)) == 1 or method == "monte-carlo"
            continue
        low, high = result.confidence_interval
        assert low <= high
        near = any(abs(p - half) < 1e-9 for p in sides(result))
        if not near or method == "monte-carlo":
            assert (low > 1e-12) == (result.p_value_greater <= half + 1e-12)
            assert (high < -1e-12) == (result.p_value_less <= half + 1e-12)


def test_too_few_resamples_for_the_level_give_no_interval() -> None:
    values = np.random.default_rng(0).normal(size=20)
    assert run(values, n_resamples=19, rng=0).confidence_interval is None
    assert run(values, n_resamples=39, rng=0).confidence_interval is not None


@pytest.mark.parametrize("size", [12, 20])
@pytest.mark.parametrize("strict", [False, True])
def test_sums_of_floats_that_no_lattice_holds_tie_but_for_rounding(size: int, strict: bool) -> None:
    # Sums of π, √2 and 0 are equal only where they hold as many of each.
    values = np.repeat([math.pi, math.sqrt(2.0), 0.0], [2, 1, 9])
    n_resamples = 40_000
    threshold = 2 * size * (2 * math.pi + math.sqrt(2.0)) / 12
    expected = [0.0, 0.0]
    for of_pi in range(size + 1):
        for of_root in range(size + 1 - of_pi):
            drawn = [of_pi, of_root, size - of_pi - of_root]
            share = float(stats.multinomial.pmf(drawn, size, [2 / 12, 1 / 12, 9 / 12]))
            total = of_pi * math.pi + of_root * math.sqrt(2.0)
            is_tie = math.isclose(total, threshold, rel_tol=1e-9)
            expected[0] += share * (not strict if is_tie else total > threshold)
            expected[1] += share * (not strict and total == 0.0)
    estimator = "berg-kirkpatrick" if strict else "add-one"
    settings = {"resample_size": size, "estimator": estimator, "n_resamples": n_resamples, "rng": 5}
    ahead, behind = run(values, **settings), run(-values, **settings)
    assert not ahead.exact
    for greater, two_sided in (
        (ahead.p_value_greater, ahead.p_value_two_sided),
        (behind.p_value_less, behind.p_value_two_sided),
    ):
        for found, chance in ((greater, expected[0]), (two_sided, sum(expected))):
            error = math.sqrt(chance / n_resamples) + 1 / n_resamples
            assert found == pytest.approx(chance, abs=5.0 * error)


def test_an_exact_distribution_can_be_stopped_between_transforms() -> None:
    from core.significance import Stopped

    values = np.round(np.random.default_rng(0).normal(1, 3, 1500), 1)
    asked = 0

    def keep_going() -> bool:
        nonlocal asked
        asked += 1
        return asked < 2

    with pytest.raises(Stopped):
        run(values, method="exact", keep_going=keep_going)
    assert asked == 2
