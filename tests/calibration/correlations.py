"""How often tests of two correlations reject where both systems correlate with gold alike.

In `CASES` A and B may be exchanged; the formulas take scores to be normal. In `UNLIKE` the two
err in different ways, so that nothing but the correlations is equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from core.metrics.registry import Correlation, correlation_with
from core.significance import run_significance_test
from core.significance.settings import Method

SIZES = (12, 20, 30, 100, 400)
TESTS: tuple[str, ...] = ("approximate-randomization", "williams", "steiger", "meng")
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Unlike:
    """Gold normal, A gold with normal noise, B made of gold in another way.

    Attributes
    ----------
    kind : {"spearman", "pearson"}
        Which correlation is compared.
    b : callable
        B's outputs from gold; A's noise is such that both correlate with gold alike.
    """

    kind: Correlation
    b: Callable[[np.ndarray, np.random.Generator], np.ndarray]

    def noise_of_a(self) -> float:
        """The standard deviation of A's noise, from 250,000 draws of B."""
        rng = np.random.default_rng(2021)
        gold = rng.normal(size=250_000)
        r = float(correlation_with(gold, self.b(gold, rng), kind=self.kind))
        # Of normal pairs Spearman's correlation is 6/π · arcsin(r/2).
        r = 2.0 * np.sin(np.pi * r / 6.0) if self.kind == "spearman" else r
        return float(np.sqrt(1.0 / r**2 - 1.0))


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


UNLIKE: Mapping[str, Unlike] = {
    "Spearman, B partly noise": Unlike(kind="spearman", b=_partly_noise),
    "Spearman, B's unknown lowest": Unlike(kind="spearman", b=_unknown_lowest),
    "Spearman, B wrong at extremes": Unlike(kind="spearman", b=_wrong_at_extremes),
    "Pearson, B partly noise": Unlike(kind="pearson", b=_partly_noise),
    "Pearson, B lognormal": Unlike(kind="pearson", b=_lognormal),
}
UNLIKE_SIZES = (25, 100, 400)
UNLIKE_DRAWS = 500


def _drawn_where_long(test: str, n: int) -> Method:
    """All 2^20 swaps of twenty examples would take half a second."""
    return "monte-carlo" if test == TESTS[0] and n > SIZES[0] else "auto"


def _p_values(
    test: str,
    gold: np.ndarray,
    a: np.ndarray,
    b: np.ndarray,
    kind: Correlation,
    rng: np.random.Generator,
) -> tuple[float, float, float]:
    """For A better, for B better, and two-sided; 1 where the test refuses to reject."""
    try:
        result = run_significance_test(
            a,
            b,
            gold=gold,
            test=test,
            metric=kind,
            method=_drawn_where_long(test, gold.size),
            n_resamples=N_RESAMPLES,
            with_interval=False,
            rng=rng,
        )
    except ValueError:
        # Fisher's z of a perfect correlation.
        return 1.0, 1.0, 1.0
    return result.p_value_greater, result.p_value_less, result.p_value_two_sided


def _shares(
    draw: Callable[[], Iterable[np.ndarray]],
    rng: np.random.Generator,
    draws: int,
    tests: tuple[str, ...],
    kind: Correlation,
) -> np.ndarray:
    """Shares of p <= .05 of each test for A better, for B better and two-sided, shape (tests, 3)."""
    rejected = np.zeros((len(tests), 3))
    for _ in range(draws):
        gold, a, b = draw()
        if min(np.ptp(gold), np.ptp(a), np.ptp(b)) == 0.0:
            continue
        for place, test in enumerate(tests):
            rejected[place] += np.array(_p_values(test, gold, a, b, kind, rng)) <= LEVEL + 1e-12
    shares: np.ndarray = rejected / draws
    return shares


def unlike_rates(case: str, n: int, draws: int, tests: tuple[str, ...]) -> np.ndarray:
    """Of one of `UNLIKE`, for A better and for B better, shape (tests, 2)."""
    drawn = UNLIKE[case]
    rng = np.random.default_rng([2022, list(UNLIKE).index(case), n])
    noise = drawn.noise_of_a()

    def draw() -> Iterable[np.ndarray]:
        gold = rng.normal(size=n)
        return gold, gold + noise * rng.normal(size=n), drawn.b(gold, rng)

    return _shares(draw, rng, draws, tests, drawn.kind)[:, :2]


def rates(case: str, n: int, draws: int, tests: tuple[str, ...]) -> np.ndarray:
    """Of one of `CASES`, for A better and two-sided, shape (tests, 2)."""
    triples = CASES[case]
    rng = np.random.default_rng([2021, list(CASES).index(case), n])
    r, c = triples.with_gold, triples.between
    covariance = np.array([[1.0, r, r], [r, 1.0, c], [r, c, 1.0]])

    def draw() -> Iterable[np.ndarray]:
        return triples.shape(rng.multivariate_normal(np.zeros(3), covariance, size=n).T)

    return _shares(draw, rng, draws, tests, triples.kind)[:, [0, 2]]


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
