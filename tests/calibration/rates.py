"""How often a test's p-values are at most α."""

from functools import cache, lru_cache
from typing import Any

import numpy as np

from core.significance.single import run_significance_test
from tests.calibration.scenarios import KINDS, OUTCOMES, Scores

# (b + 1)·α is whole for b = 199 at .05 and .01 both ways, so that Monte Carlo costs no validity.
N_RESAMPLES = 199
SIDES = ("greater", "less", "two-sided")


@lru_cache(maxsize=2)
def drawn(kind: str, n: int, ahead: float, repetitions: int) -> tuple[list[Scores], np.ndarray]:
    """Seeded draws, the same for every test: the different ones, and which of them each one is."""
    number = list(KINDS).index(kind)
    rng = np.random.default_rng([2017, number, n, int(np.sign(ahead)) + 1])
    different: dict[tuple[int, int], int] = {}
    found: list[Scores] = []
    which = np.empty(repetitions, dtype=np.intp)
    for i in range(repetitions):
        scores = KINDS[kind].draw(n, ahead, rng)
        # Outcomes say no more than wins and losses.
        key = (int(scores["a"].sum()), int(scores["b"].sum())) if kind == OUTCOMES else (-1, i)
        which[i] = different.setdefault(key, len(found))
        if which[i] == len(found):
            found.append(scores)
    return found, which


@cache
def p_values(test: Any, kind: str, n: int, ahead: float, repetitions: int) -> np.ndarray:
    """P-values of seeded draws, shape (repetitions, 3): greater, less, two-sided."""
    different, which = drawn(kind, n, ahead, repetitions)
    rng = np.random.default_rng([2018, list(KINDS).index(kind), n, int(np.sign(ahead)) + 1])
    asked: dict[str, Any] = {"test": test, "n_resamples": N_RESAMPLES, "with_interval": False}
    found = (run_significance_test(**scores, **asked, rng=rng) for scores in different)
    sides = [(r.p_value_greater, r.p_value_less, r.p_value_two_sided) for r in found]
    of_each: np.ndarray = np.array(sides)[which]
    return of_each


def rejected(found: np.ndarray, level: float) -> np.ndarray:
    """How many p-values are at most the level, shape (3,)."""
    counted: np.ndarray = (found <= level + 1e-12).sum(axis=0)
    return counted
