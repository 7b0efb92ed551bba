"""How often a test's p-values are at most α."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from core.significance import run_significance_test
from tests.calibration.scenarios import KINDS, OUTCOMES

# (b + 1)·α is whole for b = 199 at .05 and .01 both ways, so that Monte Carlo costs no validity.
N_RESAMPLES = 199
SIDES = ("greater", "less", "two-sided")


@cache
def p_values(test: Any, kind: str, n: int, ahead: float, repetitions: int) -> np.ndarray:
    """P-values of seeded draws, shape (repetitions, 3): greater, less, two-sided."""
    # The same scores for every test.
    number = list(KINDS).index(kind)
    rng = np.random.default_rng([2017, number, n, int(np.sign(ahead)) + 1])
    draws = np.random.default_rng([2018, number, n, int(np.sign(ahead)) + 1])
    known: dict[tuple[int, int], tuple[float, float, float]] = {}
    found = np.empty((repetitions, 3))
    for i in range(repetitions):
        scores = KINDS[kind].draw(n, ahead, rng)
        key = (int(scores["a"].sum()), int(scores["b"].sum())) if kind == OUTCOMES else (-1, i)
        if key not in known:
            result = run_significance_test(**scores, test=test, rng=draws, n_resamples=N_RESAMPLES)
            known[key] = (
                result.p_value_greater,
                result.p_value_less,
                result.p_value_two_sided,
            )
        found[i] = known[key]
    return found


def rejected(found: np.ndarray, level: float) -> np.ndarray:
    """How many p-values are at most the level, shape (3,)."""
    counted: np.ndarray = (found <= level + 1e-12).sum(axis=0)
    return counted
