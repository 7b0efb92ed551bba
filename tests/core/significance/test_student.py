"""The paired t-test against SciPy and high precision, and where it is undefined."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats as scipy_stats

from core.significance import run_significance_test
from core.significance.lattice import Lattice
from core.significance.means import STUDENT
from core.significance.result import SignificanceResult

# Its stubs want literals where a test passes parameters.
stats: Any = scipy_stats


def run(a: object, b: object) -> SignificanceResult:
    return run_significance_test(a, b, test="paired-t", n_resamples=99, rng=0)  # type: ignore[arg-type]


@pytest.mark.parametrize("n", [2, 3, 30, 2000])
def test_it_is_scipys_paired_t_test(n: int) -> None:
    rng = np.random.default_rng(n)
    a, b = rng.normal(0.2, 1, n), rng.normal(0, 1, n)
    result = run(a, b)
    found = (result.p_value_greater, result.p_value_less, result.p_value_two_sided)
    for alternative, p in zip(("greater", "less", "two-sided"), found, strict=True):
        reference = stats.ttest_rel(a, b, alternative=alternative)
        assert p == pytest.approx(reference.pvalue, rel=1e-9)
        assert result.statistic == pytest.approx(reference.statistic, rel=1e-10)
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
    found = STUDENT.p_of_moments(n, sums, squares, Lattice())
    assert found.tolist() == pytest.approx([*reference, 1.0, 1.0], rel=1e-9)


def test_a_tail_far_out_keeps_its_digits() -> None:
    # scipy's own upper tail; one minus the cdf would be 0.
    rng = np.random.default_rng(0)
    a = rng.normal(3.0, 1, 200)
    result = run(a, np.zeros(200))
    assert 0 < result.p_value < 1e-80
    assert result.p_value == pytest.approx(stats.t.sf(result.statistic, 199), rel=1e-8)


@pytest.mark.parametrize(
    ("a", "note"),
    [
        ([1.0], "n = 1"),
        ([0.0] * 5, "the differences do not vary"),
        ([0.3] * 5, "the differences do not vary"),
    ],
)
def test_where_t_is_undefined_the_p_value_is_one_and_says_why(a: list[float], note: str) -> None:
    result = run(a, np.zeros(len(a)))
    assert result.p_value == result.p_value_less == result.p_value_two_sided == 1.0
    assert result.statistic is None
    assert result.exact
    assert any(note in text and "t is undefined" in text for text in result.notes)


def test_tiny_and_huge_scores_neither_vanish_nor_overflow() -> None:
    a = np.array([1.0, 2.0, 4.0, 0.5])
    plain = run(a, np.zeros(4)).p_value
    for scale in (2.0**-400, 2.0**400):
        assert run(a * scale, np.zeros(4)).p_value == pytest.approx(plain, rel=1e-12)
