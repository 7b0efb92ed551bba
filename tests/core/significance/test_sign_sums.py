"""Sums under random signs: their whole distribution."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.stats import binom

from core.significance.lattice import (
    MOST_BINS,
    point_probabilities,
    upper_tails_of,
    whole_numbers,
)


@pytest.mark.parametrize(
    "sizes", [[1], [3], [1, 1], [1, 2, 3], [5, 5, 2, 7], [1, 1, 1, 4, 9, 9, 2], [0, 2, 0, 3], []]
)
def test_probabilities_are_those_of_trying_all_signs(sizes: list[int]) -> None:
    points = point_probabilities(np.array(sizes, dtype=np.int64))
    sums = [sum(np.array(sizes) * picked) for picked in product([0, 1], repeat=len(sizes))]
    expected = np.bincount(np.array(sums, dtype=np.intp), minlength=sum(sizes) + 1) / len(sums)
    assert points == pytest.approx(expected, abs=1e-14)
    tails = [float(np.mean(np.array(sums) >= s - 1e-9)) for s in range(sum(sizes) + 1)]
    assert upper_tails_of(points) == pytest.approx(np.array(tails), abs=1e-13)


@pytest.mark.parametrize("n", [1, 30, 1001, 20_000])
def test_ones_are_binomial(n: int) -> None:
    tails = upper_tails_of(point_probabilities(np.ones(n, dtype=np.int64)))
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
