"""McNemar's tests and the sign test against SciPy, statsmodels and fractions."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats
from statsmodels.stats.contingency_tables import mcnemar

from core.significance import known_tests, run_significance_test
from core.significance.counting import (
    CountingTest,
    binomial_at_least,
    binomial_point,
    fair_coin_at_least,
)
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


@settings(max_examples=50)
@given(b=st.integers(0, 200), c=st.integers(0, 200))
def test_exact_mid_p_and_sign_are_binomial_to_the_last_digits(b: int, c: int) -> None:
    greater, less, point = binomial(b, c)
    two_sided = min(Fraction(1), 2 * min(greater, less))
    for test in ("mcnemar", "sign"):
        for found, expected in zip(sides(run(b, c, test)), (greater, less, two_sided), strict=True):
            assert abs(float(Fraction(found) / expected - 1)) < 1e-10
    if b + c:
        middle = [greater - point / 2, less - point / 2]
        middle.append(1 - point / 2 if b == c else 2 * min(middle))
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


def whole_tails(n: int, wins: list[int], of: int = 1, tosses: int = 2) -> list[Fraction]:
    """P(X >= k) for X ~ Bin(n, of/tosses), by adding whole numbers from the top."""
    terms = [math.comb(n, min(wins)) * of ** min(wins) * (tosses - of) ** (n - min(wins))]
    for k in range(min(wins), n):
        terms.append(terms[-1] * (n - k) * of // ((k + 1) * (tosses - of)))
    return [Fraction(sum(terms[k - min(wins) :]), tosses**n) for k in wins]


def log_tail(n: int, wins: int) -> float:
    """ln P(X >= wins) of a fair coin, from logs that are added without rounding."""
    rest = range(1, n - wins + 1)
    ways = math.fsum([math.log(wins + k) for k in rest] + [-math.log(k) for k in rest])
    ratios = np.cumprod((n - np.arange(wins, n)) / (1.0 + np.arange(wins, n)))
    return ways - n * math.log(2.0) + math.log1p(math.fsum(ratios))


def test_1056_wins_to_38_losses_have_a_p_of_1_482e_259_by_every_way_to_it() -> None:
    expected = 1.4821307276586423e-259
    assert float(whole_tails(1094, [1056])[0]) == pytest.approx(expected, rel=1e-12)
    for test in ("mcnemar", "sign"):
        result = run(1056, 38, test)
        assert result.p_value == pytest.approx(expected, rel=1e-9), test
        assert result.p_value_two_sided == pytest.approx(2 * expected, rel=1e-9), test
    middle = expected - float(binomial(1056, 38)[2]) / 2
    assert run(1056, 38, "mcnemar-mid-p").p_value == pytest.approx(middle, rel=1e-9)


def test_tails_of_a_fair_coin_are_sums_of_whole_numbers_however_small() -> None:
    for n in (1, 2, 31, 32, 33, 1_000, 1_074, 1_075, 1_094, 1_175, 1_261, 3_000):
        wins = sorted({1, n, n // 2 + 1, max(1, n - 5), *range(max(1, n - 40), n + 1, 7)})
        for k, tail in zip(wins, whole_tails(n, wins), strict=True):
            found = float(fair_coin_at_least(k, n - k))
            expected = max(float(tail), SMALLEST)
            assert found == pytest.approx(expected, rel=1e-10), (n, k)


def test_tails_of_up_to_a_million_tosses_are_those_in_logs() -> None:
    assert log_tail(1_094, 1_056) == pytest.approx(math.log(1.4821307276586423e-259), abs=1e-9)
    cases = [*itertools.product((10_000, 100_000), (2, 29, 31, 36)), (1_000_000, 31)]
    for n, deviations in cases:
        wins = n // 2 + int(deviations * math.sqrt(n) / 2)
        found = math.log(float(fair_coin_at_least(wins, n - wins)))
        assert found == pytest.approx(log_tail(n, wins), abs=1e-9), (n, deviations)


def test_tails_of_an_unfair_coin_are_sums_of_whole_numbers() -> None:
    for (of, tosses), n in itertools.product(((1, 20), (2, 5), (19, 20)), (7, 300, 1_094)):
        wins = list(range(1, n + 1, max(1, n // 25)))
        for k, tail in zip(wins, whole_tails(n, wins, of, tosses), strict=True):
            if tail > Fraction(SMALLEST):
                found = float(binomial_at_least(k, n, of / tosses))
                assert found == pytest.approx(float(tail), rel=1e-10), (of, tosses, n, k)
    assert binomial_at_least([-1, 0, 1, 8], 7, 0.0).tolist() == [1.0, 1.0, 0.0, 0.0]
    assert binomial_at_least([0, 7, 8], 7, 1.0).tolist() == [1.0, 1.0, 0.0]
    assert binomial_point([0, 3, 7], 7, 1.0).tolist() == [0.0, 0.0, 1.0]


def test_two_sided_mid_p_of_a_tie_is_one_less_half_the_chance_of_the_tie() -> None:
    for b in (1, 2, 7, 100, 5_000):
        tie = Fraction(math.comb(2 * b, b), 4**b)
        result = run(b, b, "mcnemar-mid-p")
        assert result.p_value_two_sided == pytest.approx(float(1 - tie / 2), rel=1e-9), b
        assert result.p_value == pytest.approx(0.5, rel=1e-9), b
    assert sides(run(0, 0, "mcnemar-mid-p")) == (1.0, 1.0, 1.0)


def test_many_samples_at_once_have_each_its_own_p_values() -> None:
    wins, losses = np.meshgrid([0, 1, 5, 40, 1_056], [0, 1, 5, 38])
    counting = [
        (known.name, known.kernel)
        for known in known_tests.SIGNIFICANCE_TESTS
        if isinstance(known.kernel, CountingTest)
    ]
    assert len(counting) == 5
    for (test, kernel), (place, alternative) in itertools.product(
        counting, enumerate(("greater", "less", "two-sided"))
    ):
        together = kernel.p_of_counts(wins, losses, alternative=alternative)
        for b, c, found in zip(wins.flat, losses.flat, together.flat, strict=True):
            alone = sides(run(int(b), int(c), test))[place]
            assert found == pytest.approx(alone, rel=1e-9), (test, alternative, b, c)


def test_the_smallest_attainable_p_value_is_noted() -> None:
    for b, c, test, alternative, tokens in (
        (4, 0, "mcnemar", "greater", ("only 4 of 7", " .0625")),
        (4, 0, "mcnemar-mid-p", "greater", ("only 4 of 7", " .03125")),
        (7, 0, "mcnemar", "two-sided", ("only 7 of 10", " .01562")),
        (1, 0, "sign", "greater", ("only 1 of 4", " .5")),
        (2, 3, "mcnemar", "greater", ("only 5 of 8", " .03125")),
        (2, 3, "mcnemar", "two-sided", ("only 5 of 8", " .0625")),
        # Up to .01 nothing is said.
        (7, 0, "mcnemar", "greater", None),
        (6, 0, "mcnemar-mid-p", "greater", None),
        (8, 0, "mcnemar", "two-sided", None),
    ):
        notes = run(b, c, test, alternative=alternative).notes
        assert len(notes) == (tokens is not None), (b, c, test, alternative)
        if tokens is not None:
            assert notes[0].startswith(tokens[0]), (b, c, test, alternative)
            assert notes[0].endswith(tokens[1]), (b, c, test, alternative)
    every = run_significance_test(np.ones(4), np.zeros(4), test="sign", alternative="two-sided")
    assert every.p_value == 0.125
    assert [(note.split(":")[0], note.split()[-1]) for note in every.notes] == [("n = 4", ".125")]


def test_as_many_wins_as_losses_or_none_at_all_are_no_evidence_in_chi_squared() -> None:
    for wins in (0, 3, 40):
        result = run(wins, wins, "mcnemar-chi2")
        one_sided = 1.0 if wins == 0 else 0.5
        assert sides(result) == pytest.approx((one_sided, one_sided, 1.0))
        assert result.statistic == 0.0


@pytest.mark.parametrize(
    "test", ["mcnemar", "mcnemar-mid-p", "mcnemar-chi2", "mcnemar-chi2-corrected"]
)
def test_mcnemar_names_scores_that_are_not_outcomes(test: str) -> None:
    with pytest.raises(ValueError, match=r"`b` must be 0 or 1 for McNemar's test; got 0.5, 2\."):
        run_significance_test([1.0, 0, 1], [0.5, 2.0, 1.0], test=test)
