"""Approximate randomization against every assignment of signs; Student's t against SciPy."""

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from scipy import stats as scipy_stats

from core.significance.paired_tests import student_of_moments
from core.significance.single import run_significance_test
from tests.core.significance import oracles
from tests.core.significance.sides import of_differences, of_scipy, sides

run = partial(of_differences, test="approximate-randomization")


def by_every_sign(values: Sequence[Fraction]) -> list[float]:
    return oracles.by_every_swap(
        len(values),
        lambda swapped: sum(-v if s else v for v, s in zip(values, swapped, strict=True)),
    )


@settings(max_examples=40)
@given(tenths=oracles.tenths(10))
def test_exact_is_the_share_of_all_assignments(tenths: list[int]) -> None:
    result = run([t / 10 for t in tenths])
    assert result.exact
    expected = by_every_sign([Fraction(t, 10) for t in tenths])
    assert sides(result) == pytest.approx(expected, abs=1e-12)


def test_measurements_of_up_to_twenty_differences_are_enumerated() -> None:
    values = np.random.default_rng(4).normal(0.4, 1, 9)
    result = run(values)
    assert result.exact
    expected = by_every_sign([Fraction(v) for v in values.tolist()])
    assert sides(result) == pytest.approx(expected, abs=1e-12)
    # Zeros have no sign to try.
    assert sides(run(np.concatenate([values, np.zeros(30)]))) == sides(result)
    assert run(np.random.default_rng(4).normal(0.4, 1, 20)).exact
    with pytest.raises(ValueError, match=r"on a lattice; .* are not multiples of one step"):
        run(np.random.default_rng(4).normal(0.4, 1, 21), method="exact")


def test_exact_equals_scipys_exact_permutation_test() -> None:
    rng = np.random.default_rng(8)
    a, b = rng.normal(0.5, 1, 11), rng.normal(0, 1, 11)
    ours = run_significance_test(a, b, test="approximate-randomization")
    every: dict[str, Any] = {"permutation_type": "samples", "n_resamples": np.inf}
    expected = of_scipy(stats.permutation_test, (a, b), lambda x, y: np.mean(x - y), **every)
    assert sides(ours) == pytest.approx(expected, abs=1e-12)


def test_monte_carlo_lies_as_near_the_exact_value_as_it_must() -> None:
    for n in (7, 300, 5000):
        values = np.round(np.random.default_rng(n).normal(2 / math.sqrt(n), 1, n), 1)
        exact = run(values)
        drawn = run(values, method="monte-carlo", n_resamples=10_000, rng=0)
        assert exact.exact
        assert not drawn.exact
        assert oracles.near(sides(drawn), sides(exact), 10_000), n


def test_on_outcomes_it_is_mcnemars_exact_test() -> None:
    rng = np.random.default_rng(9)
    a, b = (rng.random(400) < p for p in (0.6, 0.55))
    ours = run_significance_test(a, b, test="approximate-randomization")
    other = run_significance_test(a, b, test="mcnemar")
    assert sides(ours) == pytest.approx(sides(other), rel=1e-10)


def test_sums_of_few_measurements_tie_but_for_rounding() -> None:
    # Sums of π and √2 tie only where they hold as many of each: those are counted, not the floats.
    rng = np.random.default_rng(12)
    for n in (4, 7, 10):
        for of_pi in (rng.integers(0, 2, n), np.arange(n) // 2 % 2):
            signs = rng.choice([-1, 1], n) if of_pi[-1] else np.resize([1, -1], n)
            values = signs * np.where(of_pi == 1, math.pi, math.sqrt(2.0))
            wholes = signs * (of_pi * 1_000 + (1 - of_pi))
            distribution = oracles.sign_sums(np.abs(wholes).tolist())
            picked = int(wholes[wholes > 0].sum())
            size = {t: (t // 1_000) * math.pi + (t % 1_000) * math.sqrt(2.0) for t in distribution}
            greater, less = (
                float(sum(p for t, p in distribution.items() if t == picked or beyond(t)))
                for beyond in (
                    lambda t, at=picked, size=size: size[t] > size[at],
                    lambda t, at=picked, size=size: size[t] < size[at],
                )
            )
            expected = (greater, less, min(1.0, 2.0 * min(greater, less)))
            assert sides(run(values)) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("values", "alternative", "note"),
    [
        ([1.0, 2.0, 3.0, 0.0], "greater", "only 3 of 4 examples differ: the smallest {}p is .125"),
        ([1.0, 2.0, 3.0, 0.0], "two-sided", "only 3 of 4 examples differ: the smallest {}p is .25"),
        ([1.0], "two-sided", "n = 1: the smallest {}p is 1"),
        ([math.pi, math.e, -1.0], "less", "n = 3: the smallest {}p is .125"),
    ],
)
def test_the_smallest_attainable_p_value_of_few_differences_is_noted(
    values: list[float], alternative: str, note: str
) -> None:
    assert run(values, alternative=alternative).notes == (note.format("attainable "),)
    best = run(np.abs(values), alternative=alternative)
    assert f"{best.p_value:.4g}".removeprefix("0") in (note.split()[-1], "1")


def test_many_thousand_measurements_have_the_p_value_of_the_normal_limit() -> None:
    # Their signs come from several streams, which must be apart from each other.
    n, n_resamples = 65_536, 2_500
    sizes = np.random.default_rng(3).uniform(1.0, 2.0, n)
    order = np.random.default_rng(4).permutation(n)
    signs = np.ones(n)
    spread = math.sqrt(float((sizes**2).sum()))
    # So many against A that the sum lies two and a half standard deviations from 0.
    against = np.searchsorted(np.cumsum(sizes[order]), 0.5 * (sizes.sum() - 2.5 * spread))
    signs[order[:against]] = -1.0
    result = run(signs * sizes, n_resamples=n_resamples, rng=6)
    z = float((signs * sizes).sum()) / spread
    expected = math.erfc(z / math.sqrt(2.0))
    assert z == pytest.approx(2.5, abs=0.01)
    room = 4.0 * math.sqrt(expected / n_resamples)
    assert result.p_value_two_sided == pytest.approx(expected, abs=room)
    assert result.p_value == pytest.approx(expected / 2, abs=room)


# Its stubs want literals where a test passes parameters.
stats: Any = scipy_stats
student = partial(run_significance_test, test="paired-t", n_resamples=99, rng=0)


# The last one so far out that one minus the lower tail would be 0.
@pytest.mark.parametrize(("n", "shift"), [(2, 0.2), (3, 0.2), (2000, 0.2), (200, 3.0)])
def test_it_is_scipys_paired_t_test(n: int, shift: float) -> None:
    rng = np.random.default_rng(n)
    a, b = rng.normal(shift, 1, n), rng.normal(0, 1, n)
    result = student(a, b)
    expected = of_scipy(stats.ttest_rel, a, b)
    assert sides(result) == pytest.approx(expected, rel=1e-9, abs=0.0)
    assert result.statistic == pytest.approx(stats.ttest_rel(a, b).statistic, rel=1e-10)
    assert result.method == "student"
    assert result.exact


def test_of_many_parts_each_has_scipys_p_value_from_its_sums_alone() -> None:
    rng = np.random.default_rng(5)
    parts = [rng.normal(0.3, 2, n) for n in (2, 3, 17, 200)]
    reference = [stats.ttest_1samp(part, 0, alternative="greater").pvalue for part in parts]
    # One difference, and equal ones, show nothing.
    parts += [np.array([0.75]), np.full(3, 0.5)]
    n, sums, squares = (
        np.array([one(part) for part in parts], dtype=float)
        for one in (len, np.sum, lambda part: np.sum(part**2))
    )
    found = student_of_moments(n, sums, squares)
    assert found.tolist() == pytest.approx([*reference, 1.0, 1.0], rel=1e-9)


@pytest.mark.parametrize(
    ("a", "note"),
    [
        ([1.0], "n = 1"),
        ([0.0] * 5, "the differences do not vary"),
        ([0.3] * 5, "the differences do not vary"),
    ],
)
def test_where_t_is_undefined_the_p_value_is_one_and_says_why(a: list[float], note: str) -> None:
    result = student(a, np.zeros(len(a)))
    assert result.p_value == result.p_value_less == result.p_value_two_sided == 1.0
    assert result.statistic is None
    assert result.exact
    assert any(note in text and "t is undefined" in text for text in result.notes)


def test_tiny_and_huge_scores_neither_vanish_nor_overflow() -> None:
    a = np.array([1.0, 2.0, 4.0, 0.5])
    plain = student(a, np.zeros(4)).p_value
    for scale in (2.0**-400, 2.0**400):
        assert student(a * scale, np.zeros(4)).p_value == pytest.approx(plain, rel=1e-12)
