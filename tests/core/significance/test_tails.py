"""Tails of many samples at once are those of one sample at a time, and of scipy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from core.significance.differences import paired_differences
from core.significance.lattice import DrawSum, SignSum
from core.significance.rows import method_of_rows
from core.significance.tails import draws_at_least, outcomes_at_least, signs_at_least
from tests.core.significance.oracles import draw_sums, lower, upper

SMALLEST_COMPARED = 1e-280


@pytest.mark.parametrize("seed", range(7))
def test_tails_of_draws_are_those_of_each_sample_alone(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = np.unique(rng.integers(-12, 13, 1 + seed % 7)) * (1 + seed % 3)
    n = int(rng.integers(2, 400))
    counts = rng.multinomial(n, rng.dirichlet(np.ones(values.size) * 0.5), size=12)
    samples = [np.repeat(values, own) for own in counts]
    for totals in (
        np.array([2 * int(own.sum()) for own in samples]),
        np.array([int(rng.integers(n * own.min() - 2, n * own.max() + 3)) for own in samples]),
    ):
        expected = [
            DrawSum(own, n).at_least(int(total)) for own, total in zip(samples, totals, strict=True)
        ]
        found = draws_at_least(values, counts.astype(np.int64), n, totals)
        assert found.tolist() == pytest.approx(expected, rel=1e-6, abs=SMALLEST_COMPARED)
        assert ((found == 0.0) == (np.array(expected) == 0.0)).all()


@pytest.mark.parametrize("seed", range(7))
def test_tails_of_signs_are_those_of_each_sample_alone(seed: int) -> None:
    rng = np.random.default_rng(seed)
    sizes = np.unique(rng.integers(1, 30, 1 + seed % 6)) * (1 + seed % 3)
    n = int(rng.integers(2, 400))
    counts = rng.multinomial(n, rng.dirichlet(np.ones(sizes.size) * 0.5), size=12).astype(np.int64)
    totals = np.array([int(rng.integers(0, int(own @ sizes) + 2)) for own in counts])
    expected = [
        SignSum(np.repeat(sizes, own)).tails(int(total))[0]
        for own, total in zip(counts, totals, strict=True)
    ]
    found = signs_at_least(sizes, counts, totals)
    assert found.tolist() == pytest.approx(expected, rel=1e-6, abs=SMALLEST_COMPARED)


def test_values_on_every_other_step_lose_no_frequency() -> None:
    # Offsets of 0 and 2 among 0, 1, 2: the transform is as large at the highest frequency.
    values = np.array([-1, 0, 1])
    counts = np.array([[30, 0, 70], [30, 1, 69]])
    totals = np.array([80, 78])
    found = draws_at_least(values, counts, 100, totals)
    # A sum of 100 draws of -1 or 1 is 80 with 90 ones.
    assert found[0] == pytest.approx(float(stats.binom.sf(89, 100, 0.7)), rel=1e-9)
    alone = DrawSum(np.repeat(values, counts[1]), 100).at_least(78)
    assert found[1] == pytest.approx(alone, rel=1e-6)


def test_a_sample_without_the_lattices_ends_reaches_as_far_as_its_own_values() -> None:
    counts = np.array([[3, 7, 0], [3, 7, 0], [0, 7, 3], [0, 7, 3]])
    found = draws_at_least(np.array([-1, 0, 1]), counts, 10, np.array([1, 0, 0, 10]))
    assert found.tolist() == pytest.approx([0.0, 0.7**10, 1.0, 0.3**10], rel=1e-12, abs=0.0)
    # Where nothing differs, no sign makes the sum less than 0.
    differing = np.array([[0, 0], [1, 1], [1, 1]])
    assert signs_at_least(np.array([1, 2]), differing, np.array([0, 3, 4])).tolist() == [1, 0.25, 0]


def test_a_fine_lattice_is_resampled_and_a_coarse_one_is_exact() -> None:
    rng = np.random.default_rng(1)
    coarse = paired_differences(rng.integers(0, 6, 2_000) / 1.0, np.zeros(2_000))
    fine = paired_differences(rng.integers(-30_000, 30_000, 2_000) / 1e4, np.zeros(2_000))
    for test in ("paired-bootstrap", "approximate-randomization"):
        assert method_of_rows(coarse, 1_500, test) == "exact"
        assert method_of_rows(fine, 1_500, test) == "monte-carlo"


@pytest.mark.parametrize("n", [1, 2, 3, 5, 8])
def test_the_bootstrap_of_few_outcomes_is_that_of_all_its_resamples(n: int) -> None:
    for more in range(n + 1):
        for fewer in range(min(more, n - more) + 1):
            found = outcomes_at_least(np.array([more, fewer]), np.array([fewer, more]), n)
            sums = draw_sums([1] * more + [-1] * fewer + [0] * (n - more - fewer), n)
            twice = 2 * (more - fewer)
            assert found[0] == pytest.approx(float(upper(sums, twice)), rel=1e-11)
            assert found[1] == pytest.approx(float(lower(sums, twice)), rel=1e-11)


def test_small_tails_of_many_outcomes_keep_their_digits() -> None:
    n = 2_000
    wins, losses = np.array([400, 60, 900, 1_001]), np.array([100, 5, 0, 0])
    found = outcomes_at_least(wins, losses, n)
    assert found[3] == 0.0
    for place, (more, fewer) in enumerate(zip(wins.tolist(), losses.tolist(), strict=True)):
        differences = np.array([1] * more + [-1] * fewer + [0] * (n - more - fewer))
        expected = DrawSum(differences, n).at_least(2 * (more - fewer))
        assert found[place] == pytest.approx(expected, rel=1e-9)


def test_near_ties_of_many_outcomes_have_all_of_their_tail() -> None:
    for more, fewer in ((500, 495), (900, 880), (30, 29)):
        differences = np.array([1] * more + [-1] * fewer + [0] * (2_000 - more - fewer))
        expected = DrawSum(differences, 2_000).at_least(2 * (more - fewer))
        found = outcomes_at_least(np.array([more]), np.array([fewer]), 2_000)
        assert found[0] == pytest.approx(expected, rel=1e-9)
