"""Tails of many samples of one lattice are those of one sample at a time."""

from itertools import count

import numpy as np
import pytest

from core.reliability.subsamples import p_values_of_rows
from core.significance.differences import paired_differences
from core.significance.lattice import DrawSum, SignSum, Terms, outcomes_at_least, tails_of
from core.significance.settings import Asked, Settings
from tests.core.significance.oracles import draw_sums, lower, sign_sums, upper


@pytest.mark.parametrize("n", [1, 2, 3, 5, 8])
def test_the_bootstrap_of_few_outcomes_is_that_of_all_its_resamples(n: int) -> None:
    for more in range(n + 1):
        for fewer in range(min(more, n - more) + 1):
            found = outcomes_at_least(np.array([more, fewer]), np.array([fewer, more]), n)
            sums = draw_sums([1] * more + [-1] * fewer + [0] * (n - more - fewer), n)
            twice = 2 * (more - fewer)
            assert found[0] == pytest.approx(float(upper(sums, twice)), rel=1e-11)
            assert found[1] == pytest.approx(float(lower(sums, twice)), rel=1e-11)


def test_small_tails_and_near_ties_of_many_outcomes_keep_their_digits() -> None:
    n = 2_000
    wins = np.array([400, 60, 900, 1_001, 500, 900, 30])
    losses = np.array([100, 5, 0, 0, 495, 880, 29])
    found = outcomes_at_least(wins, losses, n)
    assert found[3] == 0.0
    for place, (more, fewer) in enumerate(zip(wins.tolist(), losses.tolist(), strict=True)):
        differences = np.array([1] * more + [-1] * fewer + [0] * (n - more - fewer))
        expected = DrawSum(differences, n).at_least(2 * (more - fewer))
        assert found[place] == pytest.approx(expected, rel=1e-9, abs=0.0)


@pytest.mark.parametrize(
    ("values", "counts"),
    [
        ([-2, 0, 1, 5], [[1, 2, 1, 1], [0, 0, 5, 0], [4, 0, 0, 1], [0, 3, 2, 0]]),
        ([-7, -3, 4], [[2, 1, 1], [1, 0, 3], [0, 4, 0]]),
    ],
)
def test_tails_of_few_draws_and_of_few_picks_are_those_of_all(
    values: list[int], counts: list[list[int]]
) -> None:
    # All samples at once, each with every total: where the sums of one end, those of others go on.
    sizes = [one for one in values if one > 0]
    samples = [np.repeat(values, row).tolist() for row in counts]
    from_zero = [[size for size in sample if size > 0] for sample in samples]
    of_sizes = np.array([[own.count(size) for size in sizes] for own in from_zero])
    for terms, of_samples in (
        (
            Terms.of_draws(np.array(values), np.array(counts)),
            [draw_sums(sample, len(sample)) for sample in samples],
        ),
        (Terms.of_picks(np.array(sizes), of_sizes), [sign_sums(own) for own in from_zero]),
    ):
        asked = [
            (row, total)
            for row, chances in enumerate(of_samples)
            for total in range(min(chances) - 1, max(chances) + 2)
        ]
        rows, totals = np.array(asked).T
        tails, points = tails_of(terms.part(rows), totals)
        for (row, total), tail, point in zip(asked, tails, points, strict=True):
            assert tail == pytest.approx(float(upper(of_samples[row], total)), rel=1e-11)
            assert point == pytest.approx(float(of_samples[row].get(total, 0)), abs=1e-13)


def test_small_tails_of_skewed_samples_keep_their_digits() -> None:
    values, sizes = np.array([-21, -15, -3, 10, 25]), np.array([2, 3, 40])
    counts = np.array([[0, 983, 16, 0, 1], [5, 480, 15, 300, 200], [0, 0, 999, 0, 1]])
    times = np.array([[700, 300, 0], [300, 500, 200], [0, 999, 1]])
    for totals in ([3_962, 9_000, -2_900], [-14_000, 600, -2_000], [-14_700, 0, 900]):
        found, _ = tails_of(Terms.of_draws(values, counts), np.array(totals))
        draws = (DrawSum(np.repeat(values, row), 1_000) for row in counts)
        expected = [own.at_least(total) for own, total in zip(draws, totals, strict=True)]
        assert found.tolist() == pytest.approx(expected, rel=1e-7, abs=0)
    for totals in ([1_600, 9_000, 3_030], [1_250, 6_000, 1_800], [2_290, 5_100, 1_500]):
        found, _ = tails_of(Terms.of_picks(sizes, times), np.array(totals))
        picks = (SignSum(np.repeat(sizes, row)) for row in times)
        expected = [own.tails(total)[0] for own, total in zip(picks, totals, strict=True)]
        assert found.tolist() == pytest.approx(expected, rel=1e-7, abs=0)


@pytest.mark.parametrize(
    ("test", "most", "number"),
    [("approximate-randomization", 700, 30), ("paired-bootstrap", 6_000, 10)],
)
def test_samples_of_wide_lattices_are_done_few_at_a_time(test: str, most: int, number: int) -> None:
    # Otherwise they would take hundreds of MiB, and seconds before a stop is heard.
    rng = np.random.default_rng(3)
    scores = np.append(rng.permutation(np.arange(1, most))[: number - 1], most) - 0.4 * most
    asked = count()
    rows = p_values_of_rows(
        paired_differences(scores, np.zeros(number)),
        rng.integers(0, number, (100, number)),
        Asked(
            settings=Settings(method="exact", n_resamples=99, with_interval=False),
            rng=np.random.default_rng(0),
            keep_going=lambda: next(asked) >= 0,
        ),
        test=test,
    )
    assert ((rows.p_values > 0.0) | rows.out_of_reach).all()
    assert next(asked) > 3
