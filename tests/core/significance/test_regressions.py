"""Errors that were seen in other tools: none of them here, in any test.

What is claimed of means, counts or correlations in the files beside this one is not repeated.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from core.significance import run_significance_test, suitable_tests
from core.significance.result import SignificanceResult
from tests.calibration.scenarios import KINDS, MEASURES, OUTCOMES, RATINGS, RESAMPLING
from tests.core.significance.sides import sides

N = 200
N_RESAMPLES = 499
# Every test on every kind of scores that it takes.
CASES = [(test, kind) for kind, own in KINDS.items() for test in own.tests]
every_case = pytest.mark.parametrize(("test", "kind"), CASES)
# Twice what the calibration finds nearly always, from four times as many examples.
AHEAD = {
    kind: own.ahead * (2.0 if kind in (OUTCOMES, RATINGS, MEASURES) else 1.0)
    for kind, own in KINDS.items()
}


def drawn(kind: str, ahead: float, seed: int = 0) -> dict[str, Any]:
    return dict(KINDS[kind].draw(N, ahead, np.random.default_rng([1989, seed])))


def run(scores: dict[str, Any], test: Any, **settings: Any) -> SignificanceResult:
    settings = {"n_resamples": N_RESAMPLES, "rng": 0, **settings}
    return run_significance_test(**scores, test=test, **settings)


@every_case
def test_the_better_system_has_the_small_p_value_and_the_worse_one_the_large(
    test: str, kind: str
) -> None:
    for sign in (1, -1):
        result = run(drawn(kind, sign * AHEAD[kind]), test)
        better, worse = sides(result)[:2] if sign > 0 else sides(result)[1::-1]
        assert better <= 0.01
        assert worse >= 0.95
        assert result.p_value_two_sided <= 0.02
        assert result.difference * sign > 0
        # What is drawn never gives zero.
        least = 0.0 if result.n_resamples is None else 1.0 / (N_RESAMPLES + 1)
        assert min(sides(result)) >= least
        assert result.exact == (result.n_resamples is None)
        assert 0.0 < min(sides(result)) <= max(sides(result)) <= 1.0


# Of π and √2, sums tie only where they hold as many of each; but for the first, on no lattice.
OF_TWO_MEASURES = {
    "all alike": np.full(8, math.pi),
    "twice just in reach": np.array([math.pi, 0.0]),
    "few": np.array([math.pi, math.pi, math.sqrt(2.0), -math.sqrt(2.0), -math.pi]),
    "many": np.tile([math.pi, math.pi, math.sqrt(2.0), -math.sqrt(2.0), -math.pi, 0.0], 8),
}


@pytest.mark.parametrize("test", RESAMPLING)
def test_another_unit_breaks_no_tie_and_puts_nothing_out_of_reach(test: str) -> None:
    estimators = ("add-one", "berg-kirkpatrick") if test == "paired-bootstrap" else ("add-one",)
    for (case, values), estimator, sign in itertools.product(
        OF_TWO_MEASURES.items(), estimators, (1.0, -1.0)
    ):
        plain, small, large = (
            run(
                {"a": sign * values * 2.0**exponent, "b": np.zeros(values.size)},
                test,
                estimator=estimator,
                n_resamples=199,
            )
            for exponent in (0, -30, 30)
        )
        for other in (small, large):
            assert sides(other) == sides(plain), (case, estimator)
            assert other.notes == plain.notes, (case, estimator)
            assert other.out_of_reach == plain.out_of_reach, (case, estimator)
            assert other.unreachable == plain.unreachable, (case, estimator)


@pytest.mark.parametrize("test", suitable_tests("mean", zero_one=False))
def test_a_third_that_was_added_up_ties_with_a_third_that_was_read(test: str) -> None:
    a = np.array([0.1 + 0.2, 0.7 + 0.1, 3 * 0.1, 1 - 0.9, 0.5])
    b = np.array([0.3, 0.8, 0.3, 0.1, 0.5])
    assert (a != b).sum() >= 4
    result = run({"a": a, "b": b}, test)
    assert (result.wins, result.ties, result.losses) == (0, 5, 0)
    assert sides(result) == (1.0, 1.0, 1.0)


def relative(found: float, expected: Fraction) -> float:
    return abs(float(Fraction(found) / expected - 1))


def test_wilcoxons_p_value_of_1e_50_has_its_digits() -> None:
    differences = np.arange(1.0, 181.0)
    differences[:12] *= -1.0
    ranks = np.arange(1, 181)
    observed = int(ranks[12:].sum())
    # P(at least so much for A) is P(at most so much for B), of which there are few ways.
    ways = [1] + [0] * 78
    for rank in range(1, 79):
        for total in range(78, rank - 1, -1):
            ways[total] += ways[total - rank]
    assert observed == int(ranks.sum()) - 78
    expected = Fraction(sum(ways), 2**180)
    assert 1e-52 < expected < 1e-46
    result = run({"a": differences, "b": np.zeros(180)}, "wilcoxon")
    assert relative(result.p_value_greater, expected) < 1e-6
