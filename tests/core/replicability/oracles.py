"""Other routes to the same numbers: exact fractions, Poisson sums, a search over all sets.

Vocabulary
----------
exact p-values
    Fractions. The oracles work on them without rounding, the code on the
    nearest floats: a tie at the boundary is then decided by arithmetic in one
    and must come out the same in the other.
set
    A set of datasets as the bits of an integer, so that 2^N of them are a range.
"""

import math
from collections.abc import Callable, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations
from statistics import NormalDist
from typing import Any

from hypothesis import strategies as st

LEVELS = (Fraction(1, 100), Fraction(1, 20), Fraction(1, 10))

# Fisher's and Stouffer's tails are no fractions: their oracles decide with this relative room.
# Every tie that the strategies can draw is met, and nothing else comes so near.
ROOM = 1e-9


def as_floats(p_values: Sequence[Fraction]) -> list[float]:
    return [float(p) for p in p_values]


# The p-value of "A is better on none of these datasets", by each combination.


def bonferroni(p_values: Sequence[Any]) -> Any:
    return min(Fraction(1), len(p_values) * min(p_values))


def simes(p_values: Sequence[Any]) -> Any:
    n = len(p_values)
    return min(n * p / rank for rank, p in enumerate(sorted(p_values), start=1))


def fisher(p_values: Sequence[Any]) -> float:
    """P(product of m uniforms <= product): that of fewer than m arrivals, -ln product on average."""
    if 0 in p_values:
        return 0.0
    total = -math.fsum(map(math.log, p_values))
    if total == 0.0:
        return 1.0
    exponents = (k * math.log(total) - total - math.lgamma(k + 1) for k in range(len(p_values)))
    return math.fsum(map(math.exp, exponents))


def stouffer(p_values: Sequence[Any]) -> float:
    """P(Z >= sum of z / sqrt(m)), by the standard library's quantiles and error function."""
    # A p-value of 0 outweighs those of 1.
    for extreme in (0, 1):
        if extreme in p_values:
            return float(extreme)
    z = math.fsum(-NormalDist().inv_cdf(float(p)) for p in p_values)
    return 0.5 * math.erfc(z / math.sqrt(2 * len(p_values)))


COMBINED: dict[str, Callable[[Sequence[Any]], Fraction | float]] = {
    "bonferroni": bonferroni,
    "simes": simes,
    "fisher": fisher,
    "stouffer": stouffer,
}


def rejects(p_value: Fraction | float, level: Fraction) -> bool:
    if isinstance(p_value, float):
        return p_value <= float(level) * (1.0 + ROOM)
    return p_value <= level


def poisson_tail(minus_log_sum: Decimal, n_combined: int) -> Decimal:
    """P(chi-squared with 2m d.f. >= 2s) = P(Poisson(s) < m), to 60 digits: every term positive."""
    with localcontext() as context:
        context.prec = 60
        term = total = Decimal(1)
        for k in range(1, n_combined):
            term = term * minus_log_sum / k
            total += term
        return total * (-minus_log_sum).exp()


def partial_conjunction(p_values: Sequence[Fraction], combination: str) -> list[Fraction | float]:
    """Definition: the largest p-value of any N - u + 1 datasets, then the running maximum."""
    n = len(p_values)
    result: list[Fraction | float] = []
    for u in range(1, n + 1):
        of_this_size = list(map(COMBINED[combination], combinations(p_values, n - u + 1)))
        result.append(max([*of_this_size, *result[-1:]]))
    return result


def k_hat(p_values: Sequence[Fraction], combination: str, level: Fraction) -> int:
    """Definition: how many of these are within the level before the first that is not."""
    claims = partial_conjunction(p_values, combination)
    within = [rejects(claim, level) for claim in claims]
    return within.index(False) if False in within else len(within)


# Procedures that name what the closed test of a combination names.
CLOSED = {
    "holm": "bonferroni",
    "hommel": "simes",
    "fisher-closed": "fisher",
    "stouffer-closed": "stouffer",
}


class ClosedTest:
    """Every one of the 2^N - 1 intersections is tested; nothing is cut short."""

    def __init__(self, p_values: Sequence[Fraction], combination: str) -> None:
        self.n = len(p_values)
        self.combination = combination
        self.tests = {
            members: COMBINED[combination]([p_values[i] for i in positions(members)])
            for members in range(1, 1 << self.n)
        }

    def adjusted_p_value(self, index: int) -> float:
        return float(max(p for members, p in self.tests.items() if members >> index & 1))

    def counter(self, level: Fraction) -> Callable[[int], int]:
        """Return d: set -> |S| - max{|I| : I in S, I inside a set that is not rejected}."""
        kept = [s for s, p in self.tests.items() if not rejects(p, level)]

        def count(members: int) -> int:
            return members.bit_count() - max(((s & members).bit_count() for s in kept), default=0)

        return count


def positions(members: int) -> list[int]:
    return [i for i in range(members.bit_length()) if members >> i & 1]


# Textbook procedures: walk along the ordered p-values and stop.


def step_down(p_values: Sequence[Fraction], cut_offs: Sequence[Fraction]) -> list[bool]:
    """From the smallest on, stop at the first p-value above its cut-off."""
    named = [False] * len(p_values)
    for index, cut_off in zip(_ascending(p_values), cut_offs, strict=True):
        if p_values[index] > cut_off:
            break
        named[index] = True
    return named


def step_up(p_values: Sequence[Fraction], cut_offs: Sequence[Fraction]) -> list[bool]:
    """From the largest on, stop at the first p-value within its cut-off and name all below."""
    named = [True] * len(p_values)
    for index, cut_off in reversed(list(zip(_ascending(p_values), cut_offs, strict=True))):
        if p_values[index] <= cut_off:
            break
        named[index] = False
    return named


def _ascending(p_values: Sequence[Fraction]) -> list[int]:
    return sorted(range(len(p_values)), key=lambda index: p_values[index])


# What hypothesis draws.


levels = st.sampled_from(LEVELS)


def _boundary(level: Fraction, j: int, m: int) -> Fraction:
    return level * min(j, m) / max(j, m)


# Plain digits, the exact boundaries alpha * j / m of all procedures, and extremes.
_ONE_P_VALUE = st.one_of(
    st.integers(0, 1000).map(lambda k: Fraction(k, 1000)),
    st.integers(0, 120).map(lambda k: Fraction(k, 1000)),
    st.builds(_boundary, st.sampled_from(LEVELS), st.integers(1, 12), st.integers(1, 12)),
    st.sampled_from([Fraction(0), Fraction(1), Fraction(1, 10**6), Fraction(1, 10**12)]),
)


def exact_p_values(max_size: int, *, min_size: int = 1) -> st.SearchStrategy[list[Fraction]]:
    """Lists of exact p-values, some with many ties, some on the boundaries of so many datasets."""

    def with_ties(pool: list[Fraction]) -> st.SearchStrategy[list[Fraction]]:
        return st.lists(st.sampled_from(pool), min_size=min_size, max_size=max_size)

    def on_boundaries(n: int) -> st.SearchStrategy[list[Fraction]]:
        steps = st.lists(st.integers(1, n), min_size=n, max_size=n)
        return st.builds(lambda level, own: [level * j / n for j in own], levels, steps)

    few = st.lists(_ONE_P_VALUE, min_size=1, max_size=3)
    return st.one_of(
        st.lists(_ONE_P_VALUE, min_size=min_size, max_size=max_size),
        few.flatmap(with_ties),
        st.integers(min_size, max_size).flatmap(on_boundaries),
    )


def float_p_values(max_size: int, *, min_size: int = 1) -> st.SearchStrategy[list[float]]:
    """Lists of floats of every magnitude that a p-value can have."""
    return st.lists(
        st.one_of(
            st.floats(0.0, 1.0),
            st.floats(0.0, 0.1),
            st.sampled_from([0.0, 1.0, 0.05, 0.01, 0.5, 1e-300, 5e-324]),
        ),
        min_size=min_size,
        max_size=max_size,
    )
