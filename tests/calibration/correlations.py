"""How often tests of two correlations reject where both systems correlate with gold alike.

A and B may be exchanged in every case here. The formulas take scores to be normal.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from core.metrics.registry import Correlation
from core.significance import run_significance_test
from core.significance.choose import SignificanceTest

SIZES = (12, 20, 30, 100, 400)
TESTS: tuple[SignificanceTest, ...] = ("approximate-randomization", "williams", "steiger", "meng")
LEVEL = 0.05
DRAWS = 2_000
# (b + 1)·.05 is whole.
N_RESAMPLES = 199


@dataclass(frozen=True, slots=True, kw_only=True)
class Triples:
    """Gold, A and B as functions of normal numbers.

    Attributes
    ----------
    kind : {"spearman", "pearson"}
        Which correlation is compared.
    with_gold, between : float
        Correlation of either system with gold, and of the two, before `shape`.
    shape : callable
        What is made of normal numbers.
    """

    kind: Correlation
    with_gold: float
    between: float
    shape: Callable[[np.ndarray], np.ndarray]


def _same(normal: np.ndarray) -> np.ndarray:
    return normal


def _grades(normal: np.ndarray) -> np.ndarray:
    """Five grades, most of them in the middle."""
    return np.clip(np.rint(1.2 * normal), -2.0, 2.0)


CASES: Mapping[str, Triples] = {
    "Spearman": Triples(kind="spearman", with_gold=0.6, between=0.5, shape=_same),
    "Spearman, five grades": Triples(kind="spearman", with_gold=0.6, between=0.5, shape=_grades),
    "Spearman, .9": Triples(kind="spearman", with_gold=0.9, between=0.85, shape=_same),
    "Spearman, .98": Triples(kind="spearman", with_gold=0.98, between=0.97, shape=_same),
    "Pearson": Triples(kind="pearson", with_gold=0.6, between=0.5, shape=_same),
    "Pearson, .98": Triples(kind="pearson", with_gold=0.98, between=0.97, shape=_same),
    "Pearson, lognormal": Triples(kind="pearson", with_gold=0.6, between=0.5, shape=np.exp),
    "Pearson, lognormal, .98": Triples(kind="pearson", with_gold=0.98, between=0.97, shape=np.exp),
}


def rates(case: str, n: int, draws: int, tests: tuple[SignificanceTest, ...]) -> np.ndarray:
    """Shares of p <= .05 of each test for A better and two-sided, shape (tests, 2)."""
    triples = CASES[case]
    rng = np.random.default_rng([2021, list(CASES).index(case), n])
    r, c = triples.with_gold, triples.between
    covariance = np.array([[1.0, r, r], [r, 1.0, c], [r, c, 1.0]])
    rejected = np.zeros((len(tests), 2))
    for _ in range(draws):
        gold, a, b = triples.shape(rng.multivariate_normal(np.zeros(3), covariance, size=n).T)
        if min(np.ptp(gold), np.ptp(a), np.ptp(b)) == 0.0:
            continue
        for place, test in enumerate(tests):
            try:
                result = run_significance_test(
                    a,
                    b,
                    gold=gold,
                    test=test,
                    metric=triples.kind,
                    # All 2^20 swaps of twenty examples would take half a second.
                    method="monte-carlo" if test == TESTS[0] and n > SIZES[0] else "auto",
                    n_resamples=N_RESAMPLES,
                    with_interval=False,
                    rng=rng,
                )
            except ValueError:
                # Fisher's z of a perfect correlation: the test refuses to reject.
                continue
            p_values = np.array([result.p_value_greater, result.p_value_two_sided])
            rejected[place] += p_values <= LEVEL + 1e-12
    shares: np.ndarray = rejected / draws
    return shares


def run(tell: Callable[[str], object]) -> None:
    """Tell the rates of every case, test and size."""
    tell(
        f"Share of p <= {LEVEL} for A better (two-sided) where both systems correlate with gold "
        f"alike, of {DRAWS:,} draws each, at n = {', '.join(map(str, SIZES))}."
    )
    for case in CASES:
        columns = [rates(case, n, DRAWS, TESTS) for n in SIZES]
        for place, test in enumerate(TESTS):
            shown = " ".join(f"{one[place][0]:.3f} ({one[place][1]:.3f})" for one in columns)
            tell(f"{case:24} {test:26} {shown}")
