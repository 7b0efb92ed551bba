"""How often tests of two correlations reject where both systems correlate with gold alike.

In `CASES` A and B may be exchanged; the formulas take scores to be normal. In `UNLIKE` the two
err in different ways, so that nothing but the correlations is equal.
"""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any

import numpy as np

from core.metrics.registry import Correlation, correlation_with
from core.significance.settings import Method
from core.significance.single import run_significance_test

SIZES = (12, 20, 30, 100, 400)
TESTS: tuple[str, ...] = ("approximate-randomization", "williams", "steiger", "meng")
LEVEL = 0.05
DRAWS = 2_000
# (b + 1)·.05 is whole.
N_RESAMPLES = 199


def _same(normal: np.ndarray) -> np.ndarray:
    return normal


def _grades(normal: np.ndarray) -> np.ndarray:
    """Five grades, most of them in the middle."""
    return np.clip(np.rint(1.2 * normal), -2.0, 2.0)


# Which correlation is compared, that of either system with gold and of the two, before `shape`; and
# what is made of normal numbers, which is gold, A and B.
CASES: Mapping[str, tuple[Correlation, float, float, Callable[[np.ndarray], np.ndarray]]] = {
    "Spearman": ("spearman", 0.6, 0.5, _same),
    "Spearman, five grades": ("spearman", 0.6, 0.5, _grades),
    "Spearman, .9": ("spearman", 0.9, 0.85, _same),
    "Spearman, .98": ("spearman", 0.98, 0.97, _same),
    "Pearson": ("pearson", 0.6, 0.5, _same),
    "Pearson, .98": ("pearson", 0.98, 0.97, _same),
    "Pearson, lognormal": ("pearson", 0.6, 0.5, np.exp),
    "Pearson, lognormal, .98": ("pearson", 0.98, 0.97, np.exp),
}


def _unknown_lowest(gold: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A fifth of the examples gets the lowest score, as unknown words do."""
    return np.where(rng.random(gold.size) < 0.2, -3.0, gold + 0.4 * rng.normal(size=gold.size))


def _partly_noise(gold: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A fifth of the outputs is noise."""
    noise = 1.1 * rng.normal(size=gold.size)
    return np.where(rng.random(gold.size) < 0.2, noise, gold + 0.3 * rng.normal(size=gold.size))


def _wrong_at_extremes(gold: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Errors grow with the square of gold."""
    outputs: np.ndarray = gold + rng.normal(size=gold.size) * gold**2 / np.sqrt(3.0)
    return outputs


def _lognormal(gold: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Skewed outputs."""
    return np.exp(gold + 0.5 * rng.normal(size=gold.size))


# Which correlation is compared, and B's outputs from gold; A is gold with normal noise.
UNLIKE: Mapping[
    str, tuple[Correlation, Callable[[np.ndarray, np.random.Generator], np.ndarray]]
] = {
    "Spearman, B partly noise": ("spearman", _partly_noise),
    "Spearman, B's unknown lowest": ("spearman", _unknown_lowest),
    "Spearman, B wrong at extremes": ("spearman", _wrong_at_extremes),
    "Pearson, B partly noise": ("pearson", _partly_noise),
    "Pearson, B lognormal": ("pearson", _lognormal),
}
UNLIKE_SIZES = (25, 100, 400)
UNLIKE_DRAWS = 500


def _noise_of_a(case: str) -> float:
    """A's standard deviation with which both correlate with gold alike, from 250,000 draws of B."""
    kind, b = UNLIKE[case]
    rng = np.random.default_rng(2021)
    gold = rng.normal(size=250_000)
    r = float(correlation_with(gold, b(gold, rng), kind=kind))
    # Of normal pairs Spearman's correlation is 6/π · arcsin(r/2).
    r = 2.0 * np.sin(np.pi * r / 6.0) if kind == "spearman" else r
    return float(np.sqrt(1.0 / r**2 - 1.0))


def _shares(
    draw: Callable[[], Iterable[np.ndarray]],
    rng: np.random.Generator,
    draws: int,
    tests: tuple[str, ...],
    kind: Correlation,
) -> np.ndarray:
    """Shares of p <= .05 of each test for A better, for B better and two-sided, shape (tests, 3).

    A test that refuses, as Fisher's z of a perfect correlation does, does not reject.
    """
    asked: dict[str, Any] = {"metric": kind, "n_resamples": N_RESAMPLES, "with_interval": False}
    rejected = np.zeros((len(tests), 3))
    for _ in range(draws):
        gold, a, b = draw()
        if min(np.ptp(gold), np.ptp(a), np.ptp(b)) == 0.0:
            continue
        for place, test in enumerate(tests):
            # All 2^20 swaps of twenty examples would take half a second.
            is_long = test == TESTS[0] and gold.size > SIZES[0]
            method: Method = "monte-carlo" if is_long else "auto"
            with suppress(ValueError):
                found = run_significance_test(
                    a, b, gold=gold, test=test, method=method, rng=rng, **asked
                )
                sides = found.p_value_greater, found.p_value_less, found.p_value_two_sided
                rejected[place] += np.array(sides) <= LEVEL + 1e-12
    shares: np.ndarray = rejected / draws
    return shares


def unlike_rates(case: str, n: int, draws: int, tests: tuple[str, ...]) -> np.ndarray:
    """Of one of `UNLIKE`, for A better and for B better, shape (tests, 2)."""
    kind, of_b = UNLIKE[case]
    rng = np.random.default_rng([2022, list(UNLIKE).index(case), n])
    noise = _noise_of_a(case)

    def draw() -> Iterable[np.ndarray]:
        gold = rng.normal(size=n)
        return gold, gold + noise * rng.normal(size=n), of_b(gold, rng)

    return _shares(draw, rng, draws, tests, kind)[:, :2]


def rates(case: str, n: int, draws: int, tests: tuple[str, ...]) -> np.ndarray:
    """Of one of `CASES`, for A better and two-sided, shape (tests, 2)."""
    kind, r, c, shape = CASES[case]
    rng = np.random.default_rng([2021, list(CASES).index(case), n])
    covariance = np.array([[1.0, r, r], [r, 1.0, c], [r, c, 1.0]])

    def draw() -> Iterable[np.ndarray]:
        return shape(rng.multivariate_normal(np.zeros(3), covariance, size=n).T)

    return _shares(draw, rng, draws, tests, kind)[:, [0, 2]]


def run(tell: Callable[[str], object]) -> int:
    """Tell the rates of every case, test and size, of which none is promised."""
    tell(
        f"Share of p <= {LEVEL} for A better (two-sided) where both systems correlate with gold "
        f"alike, of {DRAWS:,} draws each, at n = {', '.join(map(str, SIZES))}."
    )
    for case in CASES:
        columns = [rates(case, n, DRAWS, TESTS) for n in SIZES]
        for place, test in enumerate(TESTS):
            shown = " ".join(f"{one[place][0]:.3f} ({one[place][1]:.3f})" for one in columns)
            tell(f"{case:24} {test:26} {shown}")
    tell(
        "The same for A better (for B better) where the two err in different ways, of "
        f"{UNLIKE_DRAWS:,} draws each, at n = {', '.join(map(str, UNLIKE_SIZES))}."
    )
    for case in UNLIKE:
        columns = [unlike_rates(case, n, UNLIKE_DRAWS, TESTS[:2]) for n in UNLIKE_SIZES]
        for place, test in enumerate(TESTS[:2]):
            shown = " ".join(f"{one[place][0]:.3f} ({one[place][1]:.3f})" for one in columns)
            tell(f"{case:30} {test:26} {shown}")
    return 0
