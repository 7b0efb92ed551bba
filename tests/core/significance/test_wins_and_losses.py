"""McNemar's tests and the sign test against SciPy, statsmodels and fractions."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats
from statsmodels.stats.contingency_tables import mcnemar

from core.significance import run_significance_test
from core.significance.lattice import SMALLEST
from core.significance.result import SignificanceResult
from tests.core.significance.sides import sides

# Its stubs want literals where a test passes parameters.
stats: Any = scipy_stats


def outcomes(b: int, c: int, same: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """0/1 scores with b examples that only A has right and c that only B has."""
    a = np.concatenate([np.ones(b), np.zeros(c), np.ones(same)])
    return a, np.concatenate([np.zeros(b), np.ones(c), np.ones(same)])


def run(b: int, c: int, test: str = "mcnemar", **settings: object) -> SignificanceResult:
    return run_significance_test(*outcomes(b, c), test=test, **settings)  # type: ignore[arg-type]


def binomial(b: int, c: int) -> tuple[Fraction, Fraction, Fraction]:
    n = b + c
    chances = [Fraction(math.comb(n, k), 2**n) for k in range(n + 1)]
    return sum(chances[b:], Fraction(0)), sum(chances[: b + 1], Fraction(0)), chances[b]


@settings(max_examples=100)
@given(b=st.integers(0, 200), c=st.integers(0, 200))
def test_exact_mid_p_and_sign_are_binomial_to_the_last_digits(b: int, c: int) -> None:
    greater, less, point = binomial(b, c)
    two_sided = min(Fraction(1), 2 * min(greater, less))
    for test in ("mcnemar", "sign"):
        for found, expected in zip(sides(run(b, c, test)), (greater, less, two_sided), strict=True):
            assert abs(float(Fraction(found) / expected - 1)) < 1e-10
    if b + c:
        middle = [greater - point / 2, less - point / 2]
        middle.append(min(Fraction(1), 2 * min(middle)))
        for found, expected in zip(sides(run(b, c, "mcnemar-mid-p")), middle, strict=True):
            assert abs(float(Fraction(found) / expected - 1)) < 1e-9


@pytest.mark.parametrize(("b", "c"), [(0, 9), (7, 3), (25, 25), (170, 30)])
def test_two_sided_equals_scipy_and_statsmodels(b: int, c: int) -> None:
    exact = run(b, c)
    table = [[3, b], [c, 0]]
    assert exact.p_value_two_sided == pytest.approx(mcnemar(table, exact=True).pvalue, rel=1e-10)
    for alternative, found in zip(("greater", "less", "two-sided"), sides(exact), strict=True):
        reference = stats.binomtest(b, b + c, alternative=alternative).pvalue
        assert found == pytest.approx(reference, rel=1e-10)
    for test, correction in (("mcnemar-chi2", False), ("mcnemar-chi2-corrected", True)):
        approximate = run(b, c, test)
        reference = mcnemar(table, exact=False, correction=correction)
        if correction and b == c:
            # statsmodels squares (0 − 1); R's mcnemar.test and Edwards stop at 0.
            assert approximate.p_value_two_sided == 1.0
            continue
        assert approximate.statistic == pytest.approx(reference.statistic)
        assert approximate.p_value_two_sided == pytest.approx(reference.pvalue, rel=1e-10)
        assert approximate.method == "normal"


def test_tails_far_out_are_neither_zero_nor_one_minus_something() -> None:
    assert run(180, 2).p_value == pytest.approx(float(binomial(180, 2)[0]), rel=1e-10)
    assert run(180, 2).p_value < 1e-49
    assert run(0, 5000).p_value_less == SMALLEST
    assert run(5000, 0, "sign").p_value == SMALLEST
    assert run(5000, 0, "mcnemar-mid-p").p_value >= SMALLEST
    assert run(5000, 0, "mcnemar-chi2").p_value >= SMALLEST


def test_the_smallest_attainable_p_value_is_noted() -> None:
    assert run(4, 0).notes == ("only 4 of 7 examples differ: the smallest attainable p is .0625",)
    two_sided = run_significance_test(np.ones(4), np.zeros(4), test="sign", alternative="two-sided")
    assert two_sided.notes == ("n = 4: the smallest attainable p is .125",)
    assert two_sided.p_value == 0.125
    assert run(4, 0, "mcnemar-mid-p").notes == (
        "only 4 of 7 examples differ: the smallest attainable p is .03125",
    )
    # Up to .01 nothing is said.
    assert run(7, 0).notes == run(6, 0, "mcnemar-mid-p").notes == ()
    assert run(8, 0, alternative="two-sided").notes == ()
    assert run(7, 0, alternative="two-sided").notes == (
        "only 7 of 10 examples differ: the smallest attainable p is .01562",
    )
    assert run(1, 0, "sign").notes == (
        "only 1 of 4 examples differs: the smallest attainable p is .5",
    )
    assert run(2, 3).notes == ("only 5 of 8 examples differ: the smallest attainable p is .03125",)
    assert run(2, 3, alternative="two-sided").notes == (
        "only 5 of 8 examples differ: the smallest attainable p is .0625",
    )


def test_below_25_differing_examples_chi_squared_is_said_to_be_less_safe() -> None:
    for test in ("mcnemar-chi2", "mcnemar-chi2-corrected"):
        assert run(14, 10, test).notes == (
            "only 24 examples differ: the exact test is safer than χ²",
        )
        assert run(14, 11, test).notes == run(25, 0, test).notes == ()


def test_as_many_wins_as_losses_or_none_at_all_are_no_evidence_in_chi_squared() -> None:
    for wins in (0, 3, 40):
        result = run(wins, wins, "mcnemar-chi2")
        one_sided = 1.0 if wins == 0 else 0.5
        assert sides(result) == pytest.approx((one_sided, one_sided, 1.0))
        assert result.statistic == 0.0


def test_the_sign_test_does_not_look_at_sizes() -> None:
    a = np.array([0.1, 5.0, 0.2, -9.0, 0.0])
    result = run_significance_test(a, np.zeros(5), test="sign")
    assert (result.wins, result.ties, result.losses, result.statistic) == (3, 1, 1, 3.0)
    assert result.p_value == 5 / 16
    assert result.exact
    assert result.notes == ("only 4 of 5 examples differ: the smallest attainable p is .0625",)


@pytest.mark.parametrize(
    "test", ["mcnemar", "mcnemar-mid-p", "mcnemar-chi2", "mcnemar-chi2-corrected"]
)
def test_mcnemar_names_scores_that_are_not_outcomes(test: str) -> None:
    with pytest.raises(ValueError, match=r"`b` must be 0 or 1 for McNemar's test; got 0.5, 2\."):
        run_significance_test([1.0, 0, 1], [0.5, 2.0, 1.0], test=test)  # type: ignore[arg-type]
