"""How often the default tests of averaged scores reject where the mean difference is 0.

Symmetry and exchangeability, the null hypotheses of Wilcoxon's test and of randomization, hold of
some of these differences only; the mean is 0 in all.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import NamedTuple

import numpy as np

from core.significance.choose import choose_test
from core.significance.differences import paired_differences
from core.significance.paired_tests import approximate_randomization, student, wilcoxon
from core.significance.settings import Asked, Settings
from core.significance.single import too_few_for

SIZES = (12, 20, 30, 100, 400)
LEVEL = 0.05
# Scores of two decimals are on a lattice, measurements on none: each default at each size.
DECIMALS = {"on a lattice": 2, "measured": None}
# Of more, the normal form of Wilcoxon, which differs by less than what is drawn does.
MOST_EXACT = 30
DRAWS = 2_000


def _normal(n: int, rng: np.random.Generator) -> np.ndarray:
    return rng.normal(size=n)


def _skewed(n: int, rng: np.random.Generator) -> np.ndarray:
    return 1.0 - rng.exponential(size=n)


def _rare_loss(n: int, rng: np.random.Generator) -> np.ndarray:
    """A gain of about .1 on 90% of examples, a loss of about .9 on the others."""
    loses = rng.random(n) < 0.1
    return np.where(loses, -rng.uniform(0.8, 1.0, n), rng.uniform(0.08, 0.12, n))


def _tied(n: int, rng: np.random.Generator) -> np.ndarray:
    """Ratings: three in five are the same, the others differ by 1."""
    return rng.choice([-1.0, 0.0, 0.0, 0.0, 1.0], size=n)


SHAPES: Mapping[str, Callable[[int, np.random.Generator], np.ndarray]] = {
    "normal": _normal,
    "1 − Exp(1)": _skewed,
    "rare large loss": _rare_loss,
    "tied": _tied,
}


class Drawn(NamedTuple):
    """P-values of "A is better" by the default test and by Wilcoxon, whether the default's is said
    to be too small perhaps, each with one entry a draw; and the default tests.
    """

    by_default: np.ndarray
    by_ranks: np.ndarray
    warned: np.ndarray
    tests: set[str]

    @property
    def rates(self) -> tuple[float, float, float]:
        """Shares of p <= .05, by default and by Wilcoxon, and of the first those warned of."""
        small = self.by_default <= LEVEL + 1e-12
        warned = float(self.warned[small].mean()) if small.any() else 0.0
        return float(small.mean()), float((self.by_ranks <= LEVEL + 1e-12).mean()), warned


@cache
def drawn(shape: str, n: int, decimals: int | None, draws: int) -> Drawn:
    """Seeded draws: fewer are the first of more."""
    rng = np.random.default_rng([11, list(SHAPES).index(shape), n, decimals or 0])
    by_default, by_ranks = np.empty(draws), np.empty(draws)
    warned = np.empty(draws, dtype=np.bool_)
    tests: set[str] = set()
    for i in range(draws):
        b = rng.integers(0, 5, n).astype(float)
        a = b + SHAPES[shape](n, rng)
        if decimals is not None:
            a = a.round(decimals)
        test, _ = choose_test(a, b, zero_one=False)
        tests.add(test)
        differences = paired_differences(a, b)
        if test == "paired-t":
            outcome = student(differences)
        else:
            # Whatever is not exact would be another number than with a seed of one's own.
            exact = Asked(settings=Settings(method="exact"), rng=rng)
            outcome = approximate_randomization(differences, exact)
        ranked = wilcoxon(differences, method="normal" if n > MOST_EXACT else "exact")
        by_default[i], by_ranks[i] = outcome.p_values.greater, ranked.p_values.greater
        warned[i] = too_few_for(n, differences.skewness)
    return Drawn(by_default, by_ranks, warned, tests)


def run(tell: Callable[[str], object]) -> int:
    """Tell the rates of every kind of differences and size, of which none is promised."""
    tell(
        f"Share of p <= {LEVEL} where the mean difference is 0, of {DRAWS:,} draws each, by the "
        f"default and by Wilcoxon, at n = {', '.join(map(str, SIZES))}; and in how many of the "
        "default's the page says that few examples may make p too small."
    )
    for shape in SHAPES:
        for kind, decimals in DECIMALS.items():
            rows = [drawn(shape, n, decimals, DRAWS).rates for n in SIZES]
            columns = zip(("default", "wilcoxon", "warned"), zip(*rows, strict=True), strict=True)
            for name, column in columns:
                shown = " ".join(f"{rate:.3f}" for rate in column)
                tell(f"{shape:16} {kind:13} {name:9} {shown}")
    return 0
