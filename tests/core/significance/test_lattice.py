"""Exact distributions and their tails against whole-number counting, down to 1e-300."""

import itertools
import math
from collections.abc import Iterable
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom, skellam

from core.significance.lattice import (
    MOST_BINS,
    SMALLEST,
    DrawSum,
    SignSum,
    lattice_of,
    upper_tails_of,
    whole_numbers,
)
from core.significance.stopping import Stopped
from tests.core.significance import oracles


def relative(found: float, expected: Fraction) -> float:
    return abs(float(Fraction(found) / expected - 1))


@pytest.mark.parametrize(
    "values",
    [
        [1] * 30 + [0] * 160 + [-1] * 10,
        [1] * 150 + [-1] * 50,
        [3] * 5 + [1] * 20 + [0] * 100 + [-2] * 25,
        [7] + [0] * 60 + [-1] * 9,
    ],
)
def test_a_bootstrap_tail_keeps_its_digits_however_small(values: list[int]) -> None:
    drawn = DrawSum(np.array(values, dtype=np.int64), len(values))
    exact = oracles.draw_sums(values, len(values))
    reached = {"1e-6": False, "1e-50": False}
    tail = Fraction(0)
    for total in sorted(exact, reverse=True):
        tail += exact[total]
        if tail < 1e-290:
            continue
        assert relative(drawn.at_least(total), tail) < 1e-9, (total, float(tail))
        reached["1e-6"] |= tail < 1e-6
        reached["1e-50"] |= tail < 1e-50
    head = Fraction(0)
    for total in sorted(exact):
        head += exact[total]
        if head >= 1e-290:
            assert relative(drawn.at_most(total), head) < 1e-9, (total, float(head))
            reached["1e-50"] |= head < 1e-50
    assert all(reached.values())


@pytest.mark.parametrize(
    "sizes",
    [
        [1] * 220,
        list(range(1, 61)),
        [2, 4, 4, 6] * 20 + [10],
        [1] * 100 + [50] * 40 + [333],
        [3, 1, 4, 1, 5, 9, 2, 6] * 10,
        # So far apart that in the tail the large ones are picked for certain.
        [100_000] * 3 + [1] * 12 + [2] * 5,
    ],
)
def test_a_tail_of_random_signs_keeps_its_digits_however_small(sizes: list[int]) -> None:
    signs = SignSum(np.array(sizes, dtype=np.int64))
    exact = oracles.sign_sums(sizes)
    totals = sorted(exact)
    below = list(itertools.accumulate(exact[total] for total in totals))
    for i in range(0, len(totals), max(1, len(totals) // 60)):
        at_least = 1 - (below[i - 1] if i else Fraction(0))
        found = signs.tails(totals[i])
        assert relative(found[0], at_least) < 1e-9
        assert relative(found[1], below[i]) < 1e-9
    assert relative(signs.tails(totals[-1])[0], exact[totals[-1]]) < 1e-12


@pytest.mark.parametrize("sizes", [range(1, 401), range(1, 4_000, 31), [9_973] * 9 + [7] * 300])
def test_a_tail_of_many_long_terms_is_that_of_counting_all_ways(sizes: Iterable[int]) -> None:
    own = np.array(list(sizes), dtype=np.int64)
    # Ways are only ever added, so that each number of them keeps its digits.
    ways = np.zeros(int(own.sum()) + 1)
    ways[0] = 1.0
    for size in own.tolist():
        ways[size:] += ways[:-size].copy()
    at_least = np.ldexp(np.cumsum(ways[::-1])[::-1], -own.size)
    signs = SignSum(own)
    for share in (0.5, 0.55, 0.6, 0.75, 0.9, 0.99):
        total = int(share * own.sum())
        expected = pytest.approx(float(at_least[total]), rel=1e-9, abs=0)
        assert signs.tails(total)[0] == expected, share
        assert signs.tails(int(own.sum()) - total)[1] == expected, share


@settings(max_examples=40)
@given(
    values=st.lists(st.integers(-9, 9), min_size=1, max_size=8),
    stride=st.sampled_from([1, 3]),
    n_draws=st.integers(1, 12),
    data=st.data(),
)
def test_any_bootstrap_sum_has_its_counted_tails(
    values: list[int], stride: int, n_draws: int, data: st.DataObject
) -> None:
    values = [stride * value for value in values]
    drawn = DrawSum(np.array(values, dtype=np.int64), n_draws)
    exact = oracles.draw_sums(values, n_draws)
    total = data.draw(st.integers(10 * stride * -n_draws, 10 * stride * n_draws))
    tails = float(oracles.upper(exact, total)), float(oracles.lower(exact, total))
    found = drawn.at_least(total), drawn.at_most(total)
    assert found == pytest.approx(tails, rel=1e-11, abs=1e-300)


@settings(max_examples=100)
@given(
    steps=st.lists(st.integers(1, 9), max_size=14), stride=st.sampled_from([1, 3]), data=st.data()
)
def test_any_sum_of_random_signs_has_its_counted_tails(
    steps: list[int], stride: int, data: st.DataObject
) -> None:
    sizes = [stride * step for step in steps]
    exact = oracles.sign_sums(sizes)
    total = data.draw(st.integers(-3, sum(sizes) + 3))
    tails = float(oracles.upper(exact, total)), float(oracles.lower(exact, total))
    found = SignSum(np.array(sizes, dtype=np.int64)).tails(total)
    assert found == pytest.approx(tails, abs=1e-13)


@pytest.mark.parametrize("step", [1, 4])
def test_a_quantile_is_the_first_value_that_holds_enough(step: int) -> None:
    values = [2 * step - 1] * 3 + [-1] * 5 + [-step - 1] * 2
    exact = oracles.draw_sums(values, 10)
    for tail in (0.005, 0.025, 0.05, 0.3):
        low, high = DrawSum(np.array(values, dtype=np.int64), 10).quantiles(tail)
        enough = 1 - Fraction(tail)
        assert high == min(t for t in exact if oracles.lower(exact, t) >= enough)
        assert low == max(t for t in exact if oracles.upper(exact, t) >= enough)


def test_a_possible_event_is_never_impossible() -> None:
    # 2^-5000 is no float.
    assert SignSum(np.ones(5000, dtype=np.int64)).tails(5000) == (SMALLEST, 1.0)
    assert SignSum(np.arange(1, 2001)).tails(2001 * 1000 - 1)[0] == SMALLEST
    assert DrawSum(np.array([1] + [0] * 999, dtype=np.int64), 1000).at_least(999) == SMALLEST
    assert DrawSum(np.array([1] + [0] * 999, dtype=np.int64), 1000).at_least(1001) == 0.0


def test_a_million_draws_are_one_transform() -> None:
    values = np.repeat(np.array([1, 0, -1]), [2_400, 995_200, 2_400])
    drawn = DrawSum(values, 1_000_000)
    assert drawn.n_bins == 2_000_001
    # The sum is symmetric and nearly normal with variance 4800.
    assert drawn.at_least(1) == pytest.approx(drawn.at_most(-1), rel=1e-9)
    assert drawn.at_least(0) + drawn.at_least(1) == pytest.approx(1.0, abs=1e-11)
    # Skellam: Poisson(2400) less Poisson(2400), up to 1/n of the variance.
    assert drawn.at_least(700) == pytest.approx(skellam.sf(699, 2400, 2400), rel=0.2)


def test_counting_random_signs_can_be_stopped() -> None:
    with pytest.raises(Stopped):
        SignSum(np.arange(1, 2001)).tails(1_200_000, lambda: False)


@pytest.mark.parametrize(
    "sizes", [[1], [3], [1, 1], [1, 2, 3], [5, 5, 2, 7], [1, 1, 1, 4, 9, 9, 2], [0, 2, 0, 3], []]
)
def test_probabilities_are_those_of_trying_all_signs(sizes: list[int]) -> None:
    points = SignSum(np.array(sizes, dtype=np.int64)).points
    sums = [sum(np.array(sizes) * picked) for picked in product([0, 1], repeat=len(sizes))]
    expected = np.bincount(np.array(sums, dtype=np.intp), minlength=sum(sizes) + 1) / len(sums)
    assert points == pytest.approx(expected, abs=1e-14)
    tails = [float(np.mean(np.array(sums) >= s - 1e-9)) for s in range(sum(sizes) + 1)]
    assert upper_tails_of(points) == pytest.approx(np.array(tails), abs=1e-13)


@pytest.mark.parametrize("n", [1, 30, 1001, 20_000])
def test_ones_are_binomial(n: int) -> None:
    tails = upper_tails_of(SignSum(np.ones(n, dtype=np.int64)).points)
    assert tails == pytest.approx(binom.sf(np.arange(n + 1) - 1, n, 0.5), abs=5e-12)


def test_whole_numbers_are_kept_and_others_rounded_finely() -> None:
    rng = np.random.default_rng(2)
    outcomes = rng.integers(-1, 2, size=500)
    kept, exact = whole_numbers(outcomes / 3.0, 7 * outcomes)
    assert exact
    assert kept.tolist() == outcomes.tolist()
    for n in (1, 5, 100, 3000, 100_000):
        values = rng.standard_normal(n)
        rounded, exact = whole_numbers(values)
        assert not exact
        # How far the two sums are apart under random signs, beside their spread.
        step = float(values @ rounded / (rounded @ rounded))
        off = np.sqrt(np.sum((values - step * rounded) ** 2) / np.sum(values**2))
        # So the two are correlated by more than .999.
        assert off < 0.045
        assert np.abs(rounded).sum() < 4 * MOST_BINS
    assert whole_numbers(np.zeros(4))[0].tolist() == [0, 0, 0, 0]
    large = rng.integers(-(10**9), 10**9, size=50)
    assert not whole_numbers(large.astype(np.float64), large)[1]


def test_sums_of_draws_lie_on_their_lattice_and_on_no_coarser_one() -> None:
    for values in ([1, 4, 10], [-3, 3, 0], [5], [2, 2]):
        first, step = lattice_of(np.array(values))
        sums = [sum(drawn) for drawn in product(values, repeat=2)]
        assert step == math.gcd(*(one - sums[0] for one in sums))
        assert all(math.remainder(one - 2 * first, step or math.inf) == 0 for one in sums)
    assert lattice_of(None) == lattice_of(np.zeros(0, np.int64)) == (0.0, 0.0)
