"""The same probabilities by counting: whole numbers and fractions, no floats, no transforms."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from hypothesis import strategies as st


def draw_sums(values: Sequence[int], n_draws: int) -> dict[int, Fraction]:
    """Distribution of the sum of draws with replacement, one draw after the other."""
    once = Counter(values)
    ways = {0: 1}
    for _ in range(n_draws):
        more: Counter[int] = Counter()
        for total, number in ways.items():
            for value, times in once.items():
                more[total + value] += number * times
        ways = dict(more)
    everything = len(values) ** n_draws
    return {total: Fraction(number, everything) for total, number in ways.items()}


def sign_sums(sizes: Iterable[int]) -> dict[int, Fraction]:
    """Distribution of the sum over a random half, one size after the other."""
    ways = {0: 1}
    count = 0
    for size in sizes:
        count += 1
        more: Counter[int] = Counter(ways)
        for total, number in ways.items():
            more[total + size] += number
        ways = dict(more)
    return {total: Fraction(number, 2**count) for total, number in ways.items()}


def upper(distribution: dict[int, Fraction], threshold: Fraction | int) -> Fraction:
    return sum((p for total, p in distribution.items() if total >= threshold), Fraction(0))


def lower(distribution: dict[int, Fraction], threshold: Fraction | int) -> Fraction:
    return sum((p for total, p in distribution.items() if total <= threshold), Fraction(0))


def all_draws(n: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """All that n draws from n can bring, each with the number of the n^n orders that bring it."""
    for drawn in itertools.combinations_with_replacement(range(n), n):
        repeats = (math.factorial(drawn.count(one)) for one in set(drawn))
        yield drawn, math.factorial(n) // math.prod(repeats)


def bootstrap_by_enumeration(
    values: Sequence[Fraction], *, strict: bool = False
) -> tuple[Fraction, Fraction, Fraction]:
    """Every one of the n^n resamples: the shares that are extreme for A, for B, for either."""
    n = len(values)
    mean = sum(values, Fraction(0)) / n
    counts = [0, 0, 0]
    for drawn, orders in all_draws(n):
        resampled = sum((values[i] for i in drawn), Fraction(0)) / n
        if strict:
            events = (
                resampled > 2 * mean,
                resampled < 2 * mean,
                abs(resampled - mean) > abs(mean),
            )
        else:
            events = (
                resampled >= 2 * mean,
                resampled <= 2 * mean,
                abs(resampled - mean) >= abs(mean),
            )
        counts = [count + orders * event for count, event in zip(counts, events, strict=True)]
    greater, less, two_sided = (Fraction(count, n**n) for count in counts)
    return greater, less, two_sided


def randomization_by_enumeration(
    values: Sequence[Fraction],
) -> tuple[Fraction, Fraction, Fraction]:
    """Every one of the 2^n assignments of signs."""
    observed = sum(values, Fraction(0))
    counts = [0, 0, 0]
    for signs in itertools.product((1, -1), repeat=len(values)):
        total = sum((s * v for s, v in zip(signs, values, strict=True)), Fraction(0))
        events = (total >= observed, total <= observed, abs(total) >= abs(observed))
        counts = [count + event for count, event in zip(counts, events, strict=True)]
    greater, less, two_sided = (Fraction(count, 2 ** len(values)) for count in counts)
    return greater, less, two_sided


def doubled_midranks(sizes: Sequence[Fraction]) -> list[int]:
    """By their definition: how many are smaller, plus the middle of those that are equal."""
    return [2 * sum(o < s for o in sizes) + sum(o == s for o in sizes) + 1 for s in sizes]


def tenths(most: int, least: int = 1) -> st.SearchStrategy[list[int]]:
    """Differences in tenths, ties and zeros among them."""
    return st.lists(st.integers(-5, 5), min_size=least, max_size=most)
