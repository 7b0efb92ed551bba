"""Wilcoxon's signed-rank test against SciPy, counting and Demšar's table."""

import itertools
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from scipy import stats as scipy_stats

from core.significance.known_tests import significance_test_named
from core.significance.lattice import SignSum
from core.significance.paired_tests import EXACT_UP_TO, chances_of_rank_sums, exact_tails
from core.significance.settings import ZEROS
from tests.core.significance import oracles
from tests.core.significance.sides import of_differences, of_scipy, sides

# Its stubs want literals where a test passes parameters.
stats: Any = scipy_stats


run = partial(of_differences, test="wilcoxon")


@pytest.mark.parametrize("n", [1, 2, 5, 12, 30, 50])
def test_without_ties_it_is_scipys_exact_test(n: int) -> None:
    values = np.random.default_rng(n).normal(0.3, 1, n)
    result = run(values)
    expected = of_scipy(stats.wilcoxon, values, method="exact")
    assert sides(result) == pytest.approx(expected, rel=1e-11)
    assert result.statistic == stats.wilcoxon(values, alternative="greater").statistic


@pytest.mark.parametrize("zeros", ZEROS)
@pytest.mark.parametrize("n", [15, 60, 500])
def test_the_normal_approximation_is_scipys_without_correction(zeros: str, n: int) -> None:
    values = np.random.default_rng(n).integers(-4, 6, n) / 2
    result = run(values, zeros=zeros, method="normal")
    normal: dict[str, Any] = {"zero_method": zeros, "method": "asymptotic"}
    expected = of_scipy(stats.wilcoxon, values, correction=False, **normal)
    assert sides(result) == pytest.approx(expected, rel=1e-10)
    greater = stats.wilcoxon(values, alternative="greater", **normal)
    assert result.statistic == greater.statistic


@settings(max_examples=50)
@given(tenths=oracles.tenths(12))
def test_exact_with_ties_counts_every_assignment_of_signs_to_midranks(tenths: list[int]) -> None:
    for zeros in ZEROS:
        kept = [t for t in tenths if t] if zeros == "wilcox" else tenths
        doubled = oracles.doubled_midranks([Fraction(abs(t)) for t in kept])
        signed = [r for r, t in zip(doubled, kept, strict=True) if t]
        won = sum(r for r, t in zip(doubled, kept, strict=True) if t > 0)
        distribution = oracles.sign_sums(signed)
        tails = (oracles.upper(distribution, won), oracles.lower(distribution, won))
        result = run([t / 10 for t in tenths], zeros=zeros)
        assert result.exact
        expected = [float(p) for p in (*tails, min(Fraction(1), 2 * min(tails)))]
        assert sides(result) == pytest.approx(expected, abs=1e-12), zeros


@pytest.mark.parametrize("zeros", ZEROS)
@pytest.mark.parametrize(
    ("wins", "losses", "ties"), [(533, 480, 500), (6_100, 5_900, 3), (9, 2, 4)]
)
def test_where_all_differences_have_one_size_it_is_the_binomial_test_for_any_number(
    wins: int, losses: int, ties: int, zeros: str
) -> None:
    values = np.repeat([100.0, -100.0, 0.0], [wins, losses, ties])
    for method in ("auto", "exact"):
        result = run(values, zeros=zeros, method=method)
        expected = of_scipy(stats.binomtest, wins, wins + losses)
        assert sides(result) == pytest.approx(expected, rel=1e-10)
        assert result.method == "exact"


def test_above_a_thousand_differences_the_normal_approximation_is_said() -> None:
    values = np.random.default_rng(1).normal(0.05, 1, 1001)
    result = run(values, n_resamples=99, rng=0)
    assert result.method == "normal"
    # No resamples were drawn for it.
    assert result.exact
    assert len(result.notes) == 1
    assert "1,000" in result.notes[0]
    asked = run(values[:900], method="normal")
    assert "normal approximation" in asked.notes[0]
    assert "1,000" not in asked.notes[0]
    exact = run(values, method="exact", n_resamples=99, rng=0)
    assert exact.method == "exact"
    assert sides(result) == pytest.approx(sides(exact), abs=2e-4)
    assert run(values[:1000], n_resamples=99, rng=0).method == "exact"
    weights = significance_test_named("wilcoxon").signed_weights
    assert [weights and weights(values[:n], None)[1] for n in (1_000, 1_001)] == [True, False]
    with pytest.raises(ValueError, match=r"10,000 .* got 10,001"):
        run(np.arange(1.0, 10_002.0), method="exact", n_resamples=9)


def test_the_normal_approximation_is_as_near_as_is_said() -> None:
    ranks = np.arange(1, EXACT_UP_TO + 2)
    spread = float(np.sqrt((ranks**2).sum())) / 2
    for z in (0.1, 1.645, 3.0, 4.0, 6.0):
        total = int(ranks.sum() / 2 + z * spread)
        exact = SignSum(ranks).tails(total)[0]
        normal = float(stats.norm.sf((total - ranks.sum() / 2) / spread))
        assert abs(normal - exact) < 1e-4
        assert abs(normal / exact - 1) < 0.04 or z > 4
        assert normal > exact or z < 2


def test_chances_of_rank_sums_are_those_of_all_signs_and_of_the_distribution_with_ties() -> None:
    for n in range(1, 12):
        sums = np.array(list(itertools.product([0, 1], repeat=n))) @ np.arange(1, n + 1)
        half = n * (n + 1) // 4
        expected = [np.count_nonzero(sums <= s) / 2**n for s in range(half + 1)]
        assert chances_of_rank_sums(n).tolist() == expected, n
    for n in (7, 211, 1_000):
        doubled = 2 * np.arange(1, n + 1)
        for won in (0, n * n // 8, n * (n + 1) // 4, n * (n + 1) // 2 - 3):
            single = pytest.approx(SignSum(doubled).tails(2 * won), rel=1e-9, abs=0.0)
            assert exact_tails(doubled, 2 * won) == single, (n, won)
