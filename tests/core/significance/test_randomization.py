"""Approximate randomization against every assignment of signs."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from core.significance import run_significance_test
from core.significance.result import SignificanceResult
from tests.core.significance import oracles


def run(values: object, **settings: object) -> SignificanceResult:
    a = np.asarray(values, dtype=np.float64)
    return run_significance_test(
        a,
        np.zeros(a.size),
        test="approximate-randomization",
        **settings,  # type: ignore[arg-type]
    )


def sides(result: SignificanceResult) -> tuple[float, float, float]:
    return result.p_value_greater, result.p_value_less, result.p_value_two_sided


@settings(max_examples=60)
@given(tenths=oracles.tenths(10))
def test_exact_is_the_share_of_all_assignments(tenths: list[int]) -> None:
    expected = oracles.randomization_by_enumeration([Fraction(t, 10) for t in tenths])
    result = run([t / 10 for t in tenths])
    assert result.exact
    assert sides(result) == pytest.approx([float(p) for p in expected], abs=1e-12)


def test_measurements_of_up_to_twenty_differences_are_enumerated() -> None:
    values = np.random.default_rng(4).normal(0.4, 1, 9)
    expected = oracles.randomization_by_enumeration([Fraction(v) for v in values.tolist()])
    result = run(values)
    assert result.exact
    assert sides(result) == pytest.approx([float(p) for p in expected], abs=1e-12)
    # Zeros have no sign to try.
    assert sides(run(np.concatenate([values, np.zeros(30)]))) == sides(result)
    assert run(np.random.default_rng(4).normal(0.4, 1, 20)).exact
    assert not run(np.random.default_rng(4).normal(0.4, 1, 21), n_resamples=9, rng=0).exact


def test_exact_equals_scipys_exact_permutation_test() -> None:
    from scipy import stats

    permutation_test: Any = stats.permutation_test

    rng = np.random.default_rng(8)
    a, b = rng.normal(0.5, 1, 11), rng.normal(0, 1, 11)
    ours = run_significance_test(a, b, test="approximate-randomization")
    for alternative, found in zip(("greater", "less", "two-sided"), sides(ours), strict=True):
        reference = permutation_test(
            (a, b),
            lambda x, y: np.mean(x - y),
            permutation_type="samples",
            n_resamples=np.inf,
            alternative=alternative,
        )
        assert found == pytest.approx(reference.pvalue, abs=1e-12)


@pytest.mark.parametrize("n", [7, 64, 300, 5000])
def test_monte_carlo_lies_as_near_the_exact_value_as_it_must(n: int) -> None:
    values = np.round(np.random.default_rng(n).normal(2 / math.sqrt(n), 1, n), 1)
    exact = run(values)
    drawn = run(values, method="monte-carlo", n_resamples=20_000, rng=0)
    assert exact.exact
    assert not drawn.exact
    for found, expected in zip(sides(drawn), sides(exact), strict=True):
        allowed = 4 * math.sqrt(expected * (1 - expected) / 20_000) + 1 / 20_000
        assert abs(found - expected) <= allowed


def test_a_monte_carlo_p_value_is_never_zero() -> None:
    result = run(np.random.default_rng(0).normal(5, 1, 100), rng=0, n_resamples=999)
    assert (result.p_value, result.n_extreme, result.n_resamples) == (1 / 1000, 0, 999)
    assert result.p_value_less == 1.0


def test_the_test_is_not_reversed() -> None:
    values = np.random.default_rng(0).normal(1, 1, 60)
    assert run(values, rng=0).p_value < 0.001
    assert run(-values, rng=0).p_value > 0.99


def test_on_outcomes_it_is_mcnemars_exact_test() -> None:
    rng = np.random.default_rng(9)
    a, b = (rng.random(400) < p for p in (0.6, 0.55))
    ours = run_significance_test(a, b, test="approximate-randomization")
    other = run_significance_test(a, b, test="mcnemar")
    assert sides(ours) == pytest.approx(sides(other), rel=1e-10)


def test_exact_says_when_it_cannot() -> None:
    values = np.random.default_rng(0).normal(size=30)
    with pytest.raises(ValueError, match=r"`method` 'exact' must have differences on a lattice"):
        run(values, method="exact")


def test_a_million_measurements_take_bounded_memory() -> None:
    import tracemalloc

    values = np.random.default_rng(0).normal(0.001, 1, 1_000_000)
    zeros = np.zeros(values.size)
    tracemalloc.start()
    result = run_significance_test(
        values, zeros, test="approximate-randomization", n_resamples=299, rng=0
    )
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 64 * 2**20 + 4 * values.nbytes
    assert result.confidence_interval is None
    assert any("no interval" in note for note in result.notes)
