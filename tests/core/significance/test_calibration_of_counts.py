"""How often tests of sums and of correlations reject where there is nothing to find, and where.

A small check beside tests/calibration: a rate is judged by a binomial test, which fails if a test
that keeps its promise would reject so often with a chance below `JUDGED_AT`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from core.significance import compare_correlations, run_significance_test

LEVEL = 0.05
# (b + 1)·LEVEL is whole.
N_RESAMPLES = 199
N_EXAMPLES = 60
REPETITIONS = 300
# Eight judgements, at .001 for all of them.
JUDGED_AT = 0.001 / 8
# The bootstrap takes the variance with n and not n − 1.
MARGINS = {"paired-bootstrap": 0.015}


def judged_as_kept(rejected: int, repetitions: int, promised: float) -> bool:
    return bool(binom.sf(rejected - 1, repetitions, promised) > JUDGED_AT)


def ratios(rng: np.random.Generator, *, ahead: float) -> tuple[np.ndarray, np.ndarray]:
    """Sentences of different lengths and difficulty, both systems with totals of their own."""
    difficulty = rng.beta(6, 3, N_EXAMPLES)
    pair = []
    for shift in (ahead, 0.0):
        totals = rng.integers(5, 30, N_EXAMPLES)
        correct = rng.binomial(totals, np.clip(difficulty + shift, 0.0, 1.0))
        pair.append(np.column_stack([correct, totals]).astype(float))
    return pair[0], pair[1]


def p_values(test: Any, ahead: float) -> np.ndarray:
    rng = np.random.default_rng([1993, int(100 * ahead)])
    found = np.empty((REPETITIONS, 3))
    for i in range(REPETITIONS):
        result = run_significance_test(
            *ratios(rng, ahead=ahead),
            test=test,
            metric="ratio",
            n_resamples=N_RESAMPLES,
            rng=rng,
        )
        found[i] = result.p_value_greater, result.p_value_less, result.p_value_two_sided
    return found


@pytest.mark.parametrize("test", ["paired-bootstrap", "approximate-randomization"])
def test_ratios_of_equal_systems_are_told_apart_as_seldom_as_promised(test: Any) -> None:
    for rejected in (p_values(test, 0.0) <= LEVEL + 1e-12).sum(axis=0):
        assert judged_as_kept(int(rejected), REPETITIONS, LEVEL + MARGINS.get(test, 0.0))
        # A test that never rejects keeps every promise and is of no use.
        assert rejected >= binom.isf(1 - 1e-5, REPETITIONS, 0.5 * LEVEL)


@pytest.mark.parametrize("test", ["paired-bootstrap", "approximate-randomization"])
def test_a_better_ratio_is_found_in_its_own_direction(test: Any) -> None:
    greater, less, two_sided = (p_values(test, 0.08) <= LEVEL).mean(axis=0)
    assert greater > 0.9
    assert two_sided > 0.8
    assert less <= 0.01


def correlated(rng: np.random.Generator, r_a: float, r_b: float) -> np.ndarray:
    """Correlations of N_EXAMPLES normal triples, shape (repetitions, 3)."""
    matrix = np.array([[1.0, r_a, r_b], [r_a, 1.0, 0.5], [r_b, 0.5, 1.0]])
    drawn = rng.multivariate_normal(np.zeros(3), matrix, size=(2000, N_EXAMPLES))
    standard = (drawn - drawn.mean(axis=1, keepdims=True)) / drawn.std(axis=1, keepdims=True)
    r = np.einsum("rni,rnj->rij", standard, standard) / N_EXAMPLES
    three: np.ndarray = r[:, [0, 0, 1], [1, 2, 2]]
    return three


def test_williams_tells_equal_correlations_apart_as_seldom_as_promised() -> None:
    rows = correlated(np.random.default_rng(1959), 0.6, 0.6)
    results = [compare_correlations(r_a, r_b, r_ab, N_EXAMPLES) for r_a, r_b, r_ab in rows.tolist()]
    for side in ("greater", "less", "two_sided"):
        rejected = sum(getattr(result, f"p_value_{side}") <= LEVEL for result in results)
        assert judged_as_kept(rejected, len(results), LEVEL)
        assert rejected >= binom.isf(1 - 1e-5, len(results), 0.8 * LEVEL)


def test_williams_finds_a_better_correlation() -> None:
    rows = correlated(np.random.default_rng(1959), 0.8, 0.4)
    found = [
        compare_correlations(r_a, r_b, r_ab, N_EXAMPLES).p_value <= LEVEL
        for r_a, r_b, r_ab in rows.tolist()
    ]
    assert np.mean(found) > 0.95
