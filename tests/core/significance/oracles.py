"""The same probabilities by counting: whole numbers and fractions, no floats, no transforms."""

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Any

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


def by_every_draw(
    n: int, delta_of: Callable[[Sequence[int]], Any], *, room: float = 0, strict: bool = False
) -> list[float]:
    """Of all n^n resamples the shares that are extreme for A, for B, for either.

    What has no difference, nan, is extreme; so is a tie, unless `strict`.
    """
    observed = delta_of(range(n))
    counts = [0, 0, 0]
    for drawn, orders in all_draws(n):
        beyond = delta_of(drawn) - 2 * observed
        apart = abs(beyond + observed) - abs(observed)
        events = (
            (beyond > room, beyond < -room, apart > room)
            if strict
            else (not beyond < -room, not beyond > room, not apart < -room)
        )
        counts = [count + orders * event for count, event in zip(counts, events, strict=True)]
    return [float(Fraction(count, n**n)) for count in counts]


def by_every_swap(
    n: int, delta_of: Callable[[tuple[bool, ...]], Any], *, room: float = 0
) -> list[float]:
    """The same of all 2^n ways to exchange A and B on some of n units."""
    observed = delta_of((False,) * n)
    counts = [0, 0, 0]
    for swapped in itertools.product((False, True), repeat=n):
        delta = delta_of(swapped)
        events = (
            not delta < observed - room,
            not delta > observed + room,
            not abs(delta) < abs(observed) - room,
        )
        counts = [count + event for count, event in zip(counts, events, strict=True)]
    return [float(Fraction(count, 2**n)) for count in counts]


def exchanged(a: Any, b: Any, swapped: Sequence[bool]) -> tuple[Any, Any]:
    """What is known of A and of B after these swaps."""
    pairs = [(y, x) if swap else (x, y) for x, y, swap in zip(a, b, swapped, strict=True)]
    return tuple(x for x, _ in pairs), tuple(y for _, y in pairs)


def near(found: Sequence[float], truths: Sequence[float], n_resamples: int) -> bool:
    """Whether Monte Carlo p-values are as near the truth as so many resamples bring them."""
    return all(
        abs(p - truth) <= 4.0 * math.sqrt(truth * (1.0 - truth) / n_resamples) + 1.0 / n_resamples
        for p, truth in zip(found, truths, strict=True)
    )


def doubled_midranks(sizes: Sequence[Fraction]) -> list[int]:
    """By their definition: how many are smaller, plus the middle of those that are equal."""
    return [2 * sum(o < s for o in sizes) + sum(o == s for o in sizes) + 1 for s in sizes]


def tenths(most: int, least: int = 1) -> st.SearchStrategy[list[int]]:
    """Differences in tenths, ties and zeros among them."""
    return st.lists(st.integers(-5, 5), min_size=least, max_size=most)
