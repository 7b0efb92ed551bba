"""Resamples drawn in pieces, and their products: the numbers are those of the whole."""

import itertools
import math
import tracemalloc
from collections import Counter

import numpy as np
import pytest

from core.significance.outcome import Outcome, Sides
from core.significance.resamples import (
    all_swaps,
    bootstrap_deltas,
    distinct_rows,
    draw_sums,
    product,
    random_swaps,
)
from core.significance.single import run_significance_test


@pytest.mark.parametrize("size", [300, 1_000])
@pytest.mark.parametrize("n_resamples", [1, 9_000])
def test_every_sum_is_one_of_draws_from_the_values(size: int, n_resamples: int) -> None:
    # Both of few values, drawn as counts, and of many, drawn one by one.
    few = np.repeat([100.0, 101.0], [250, 750])
    for values in (few, few + np.linspace(0.0, 1e-6, few.size)):
        sums = draw_sums(values, size, n_resamples, np.random.default_rng(2), None)
        assert sums.min() >= 100.0 * size
        assert sums.max() <= 101.000001 * size
        room = 4.0 * (0.1875 * size / n_resamples) ** 0.5 + 1e-3
        assert abs(sums.mean() - 100.75 * size) <= room


@pytest.mark.parametrize("n_resamples", [1, 9_000])
def test_every_resample_of_rows_draws_as_many_as_asked(n_resamples: int) -> None:
    # Both of few kinds of rows, drawn as counts, and of many, drawn one by one.
    for rows in (np.arange(800.0)[:, np.newaxis] // 400, np.arange(60.0)[:, np.newaxis]):
        drawn = bootstrap_deltas(
            rows,
            lambda _: lambda counts: counts.sum(axis=1),
            size=70,
            n_resamples=n_resamples,
            rng=np.random.default_rng(2),
            keep_going=None,
        )
        assert drawn.tolist() == [70.0] * n_resamples


def test_every_row_is_drawn_as_often_as_any_other() -> None:
    for rows in (np.arange(800.0)[:, np.newaxis] // 270, np.arange(60.0)[:, np.newaxis]):
        sums = bootstrap_deltas(
            rows,
            lambda distinct: lambda counts: counts @ distinct[:, 0],
            size=70,
            n_resamples=9_000,
            rng=np.random.default_rng(2),
            keep_going=None,
        )
        spread = rows.std() * 70**0.5
        assert abs(sums.mean() - 70 * rows.mean()) <= 4.0 * spread / 9_000**0.5
        assert sums.std() == pytest.approx(spread, rel=0.04)


@pytest.mark.parametrize(
    ("n", "size", "n_resamples"),
    # The last of more draws than are held at once.
    [(65_536, 2_000, 500), (65_537, 2_000, 500), (131_072, 2_000, 500), (65_537, 300_000, 3)],
)
def test_examples_beyond_the_narrowest_index_are_drawn_too_and_as_often_as_asked(
    n: int, size: int, n_resamples: int
) -> None:
    values = np.arange(n) / n
    sums = draw_sums(values, size, n_resamples, np.random.default_rng(2), None)
    assert abs(sums.mean() - size / 2) <= 4.0 * (size / 12 / n_resamples) ** 0.5


def test_rows_that_differ_in_any_column_are_kinds_of_their_own() -> None:
    rows = np.random.default_rng(7).integers(0, [7, 2, 3], (400, 3)).astype(float)
    kinds, numbers_of_kinds = np.unique(rows, axis=0, return_counts=True)
    first, numbers = distinct_rows(rows, at_most=42)
    order = np.lexsort(rows[first].T[::-1])
    assert np.array_equal(rows[first][order], kinds)
    assert np.array_equal(numbers[order], numbers_of_kinds)
    assert distinct_rows(rows, at_most=kinds.shape[0] - 1) == (None, None)


NEAR = 0.005


def test_a_bootstraps_extremes_are_counted_with_ties_and_without() -> None:
    far = np.array([2.0, 2.0 - NEAR, 2.0 + NEAR, 2.5, 0.0, -NEAR, NEAR, 1.0, -3.0, np.nan])
    for strict, numbers, p_values in (
        (False, (5, 9, 9), (6 / 11, 10 / 11, 10 / 11)),
        (True, (2, 6, 3), (0.2, 0.6, 0.3)),
    ):
        found = Outcome.of_bootstrap(far, 1.0, room=2 * NEAR, strict=strict)
        assert found.extreme == Sides(*numbers)
        assert found.p_values == Sides(*p_values)
        assert (found.exact, found.n_resamples) == (False, 10)
        assert found.notes == ("1 of 10 resamples have no defined score and count as extreme",)
        turned = Outcome.of_bootstrap(-far, -1.0, room=2 * NEAR, strict=strict)
        assert turned.extreme == Sides(numbers[1], numbers[0], numbers[2])


def test_extremes_of_randomization_are_counted_with_ties() -> None:
    swapped = np.array([1.0, 1.0 - NEAR, 1.0 + NEAR, 0.5, -1.0, NEAR - 1.0, -2.0, 0.0, 3.0, np.nan])
    drawn = Outcome.of_swaps(swapped, 1.0, room=2 * NEAR)
    assert drawn.p_values == Sides(6 / 11, 10 / 11, 9 / 11)
    assert (drawn.exact, drawn.n_resamples, drawn.extreme) == (False, 10, Sides(5, 9, 8))
    assert drawn.notes == ("1 of 10 resamples have no defined score and count as extreme",)
    every = Outcome.of_swaps(swapped[:-1], 1.0, room=2 * NEAR, everything=True)
    assert every.p_values == Sides(4 / 9, 8 / 9, 7 / 9)
    assert (every.exact, every.n_resamples, every.extreme) == (True, None, None)
    assert every.notes == ()


def test_without_room_a_tie_is_one_to_the_last_bit() -> None:
    ties = np.zeros(4)
    assert Outcome.of_swaps(ties, 0.0, room=0.0).extreme == Sides(4, 4, 4)
    assert Outcome.of_bootstrap(ties, 0.0, room=0.0, strict=False).extreme == Sides(4, 4, 4)
    assert Outcome.of_bootstrap(ties, 0.0, room=0.0, strict=True).extreme == Sides(0, 0, 0)


@pytest.mark.parametrize("numbers", [[1] * 9, [1, 3, 2], [2, 2]])
def test_random_swaps_take_every_way_as_often_as_a_fair_coin_does(numbers: list[int]) -> None:
    drawn = random_swaps(
        np.array(numbers), n_resamples=40_000, rng=np.random.default_rng(6), keep_going=None
    )
    found = Counter(tuple(row) for chunk in drawn for row in chunk.tolist())
    assert found.total() == 40_000
    for way in itertools.product(*(range(number + 1) for number in numbers)):
        chosen = math.prod(map(math.comb, numbers, way))
        expected = 40_000 * chosen / 2 ** sum(numbers)
        assert abs(found[way] - expected) <= 5.0 * expected**0.5


@pytest.mark.parametrize("n", [1, 3, 14])
def test_all_swaps_are_every_way_once(n: int) -> None:
    ways = [tuple(row) for chunk in all_swaps(n, keep_going=None) for row in chunk.tolist()]
    assert sorted(ways) == list(itertools.product((0.0, 1.0), repeat=n))


@pytest.mark.parametrize("shape", [(1, 1, 1), (1, 70_000, 20), (32, 1_000, 20), (9_000, 3, 2)])
def test_a_product_in_pieces_is_the_product(shape: tuple[int, int, int]) -> None:
    rng = np.random.default_rng(0)
    resampled, width, columns = shape
    counts, rows = rng.integers(0, 5, (resampled, width)), rng.integers(-9, 10, (width, columns))
    # In whole numbers, which no library of matrices computes.
    expected = np.einsum("ij,jk->ik", counts, rows)
    assert np.array_equal(product(counts.astype(float), rows.astype(float)), expected)


@pytest.mark.parametrize(
    ("test", "n", "n_resamples"),
    [
        ("paired-bootstrap", 200_000, 50),
        ("paired-bootstrap", 500, 60_000),
        ("approximate-randomization", 200_000, 60),
    ],
)
def test_resampling_holds_at_most_64_mib_beside_the_scores(
    test: str, n: int, n_resamples: int
) -> None:
    rng = np.random.default_rng(0)
    a, b = rng.normal(0.01, 1, n), rng.normal(0, 1, n)
    tracemalloc.start()
    run_significance_test(a, b, test=test, n_resamples=n_resamples, rng=0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak <= 64 * 2**20
