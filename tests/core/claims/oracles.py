"""The same numbers by other routes: whole fractions, SciPy's distributions, determinants."""

import math
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
from scipy import stats

TESTS = ("mcnemar", "mcnemar-mid-p", "mcnemar-chi2", "mcnemar-chi2-corrected")


@cache
def _tail(k: int, s: int) -> float:
    """P(X >= k) of s fair tosses: a sum of whole fractions, and of many tosses by SciPy."""
    if s > 200:
        return float(stats.binom.sf(k - 1, s, 0.5))
    return float(Fraction(sum(math.comb(s, i) for i in range(k, s + 1)), 2**s))


def mcnemar_p(b: int, c: int, test: str, alternative: str) -> float:
    """McNemar's p-value of one split, by tails of fair tosses or by SciPy's normal and χ²."""
    s = b + c
    if s == 0:
        return 1.0
    if "chi2" in test:
        correction = 1 if test.endswith("corrected") else 0
        if alternative == "two-sided":
            return float(stats.chi2.sf(max(abs(b - c) - correction, 0) ** 2 / s, 1))
        return float(stats.norm.sf((b - c - correction) / math.sqrt(s)))
    ahead = b if alternative == "greater" else max(b, c)
    beyond = _tail(ahead + 1, s)
    as_far = _tail(ahead, s)
    if "mid" in test:
        if alternative == "two-sided" and b == c:
            return 1 - (as_far - beyond) / 2
        as_far = (as_far + beyond) / 2
    return as_far if alternative == "greater" else min(1.0, 2 * as_far)


def mcnemar_p_both_ways(b: int, c: int, test: str, alternative: str) -> list[float]:
    """As `mcnemar_p`, with what (|b − c| − 1)²/(b + c) gives at b = c as it stands."""
    found = [mcnemar_p(b, c, test, alternative)]
    if test == "mcnemar-chi2-corrected" and alternative == "two-sided" and b == c > 0:
        found.append(float(stats.chi2.sf((abs(b - c) - 1) ** 2 / (b + c), 1)))
    return found


def splits(n: int, right_a: range, right_b: range) -> Iterator[tuple[int, int]]:
    """Every b and c of n examples, by counting both-right and both-wrong ones."""
    for b in range(n + 1):
        for c in range(n + 1 - b):
            if any(both + b in right_a and both + c in right_b for both in range(n - b - c + 1)):
                yield b, c


def counts_that_print(text: str, n: int) -> range:
    """Numbers of right examples whose share is at most half a unit from a printed one."""
    decimals = len(text.partition(".")[2])
    value, half = Fraction(text), Fraction(1, 2 * 10**decimals)
    fitting = [right for right in range(n + 1) if abs(Fraction(right, n) - value) <= half]
    return range(fitting[0], fitting[-1] + 1) if fitting else range(0)


def williams_p(a: Any, b: Any, c: Any, n: int, alternative: str) -> Any:
    """Williams' T2 with the determinant of the whole matrix, and SciPy's Student; of arrays too."""
    a, b, c = np.broadcast_arrays(a, b, c)
    one = np.ones(np.shape(a))
    matrix = np.array([[one, a, b], [a, one, c], [b, c, one]])
    determinant = np.maximum(0.0, np.linalg.det(np.moveaxis(matrix, (0, 1), (-2, -1))))
    t = (a - b) * np.sqrt(
        (n - 1)
        * (1 + c)
        / (2 * (n - 1) / (n - 3) * determinant + ((a + b) / 2) ** 2 * (1 - c) ** 3)
    )
    if alternative == "greater":
        return stats.t.sf(t, n - 3)
    return 2 * stats.t.sf(abs(t), n - 3)


def fisher_z_p(a: Any, b: Any, c: Any, n: int, test: str, alternative: str) -> Any:
    """Steiger's and Meng's Z as their papers print them; of arrays too."""
    apart = np.arctanh(a) - np.arctanh(b)
    if test == "steiger":
        mean = (a + b) / 2
        psi = c * (1 - 2 * mean**2) - mean**2 * (1 - 2 * mean**2 - c**2) / 2
        z = apart * np.sqrt((n - 3) / (2 - 2 * psi / (1 - mean**2) ** 2))
    else:
        square = (a * a + b * b) / 2
        f = np.minimum(1.0, (1 - c) / (2 * (1 - square)))
        h = 1 + square / (1 - square) * (1 - f)
        z = apart * np.sqrt((n - 3) / (2 * (1 - c) * h))
    return stats.norm.sf(z) if alternative == "greater" else 2 * stats.norm.sf(abs(z))


def correlation_p(a: Any, b: Any, c: Any, n: int, test: str, alternative: str) -> Any:
    if test == "williams":
        return williams_p(a, b, c, n, alternative)
    return fisher_z_p(a, b, c, n, test, alternative)
