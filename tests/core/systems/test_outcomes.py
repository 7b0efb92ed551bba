"""Exact p-values from wins and losses, against counting with fractions."""

from __future__ import annotations

import numpy as np
import pytest

from core.significance.lattice import DrawSum
from core.systems.outcomes import bootstrap_of_outcomes, wins_of_outcomes
from tests.core.significance.oracles import draw_sums, lower, upper
from tests.core.systems.made import scores_of


def test_wins_are_counted():
    outcomes = np.array([[1, 0, 1], [1, 1, 0], [0, 0, 1], [1, 0, 0]], dtype=float)
    assert wins_of_outcomes(outcomes).tolist() == [[0, 2, 2], [0, 0, 1], [1, 2, 0]]


@pytest.mark.parametrize("n", [1, 2, 3, 5, 8])
def test_the_bootstrap_of_few_outcomes_is_that_of_all_its_resamples(n):
    for more in range(n + 1):
        for fewer in range(min(more, n - more) + 1):
            wins = np.array([[0, more], [fewer, 0]])
            found = bootstrap_of_outcomes(wins, n)
            sums = draw_sums([1] * more + [-1] * fewer + [0] * (n - more - fewer), n)
            twice = 2 * (more - fewer)
            assert found[0, 1] == pytest.approx(float(upper(sums, twice)), rel=1e-11)
            assert found[1, 0] == pytest.approx(float(lower(sums, twice)), rel=1e-11)


@pytest.mark.parametrize(("more", "fewer", "n"), [(400, 100, 2_000), (60, 5, 300), (900, 0, 2_000)])
def test_small_tails_keep_their_digits(more, fewer, n):
    found = bootstrap_of_outcomes(np.array([[0, more], [fewer, 0]]), n)[0, 1]
    differences = np.array([1] * more + [-1] * fewer + [0] * (n - more - fewer))
    expected = DrawSum(differences, n).at_least(2 * (more - fewer))
    assert expected < 1e-8
    assert found == pytest.approx(expected, rel=1e-9)


def test_twice_the_difference_out_of_reach_is_zero():
    assert bootstrap_of_outcomes(np.array([[0, 6], [0, 0]]), 10)[0, 1] == 0.0
    assert bootstrap_of_outcomes(np.array([[0, 5], [0, 0]]), 10)[0, 1] == pytest.approx(0.5**10)


def test_many_pairs_are_each_their_own():
    outcomes = scores_of("0/1", 90, 40)
    wins = wins_of_outcomes(outcomes)
    together = bootstrap_of_outcomes(wins, 90)
    for i, j in ((0, 1), (5, 30), (39, 2)):
        alone = bootstrap_of_outcomes(wins[np.ix_([i, j], [i, j])], 90)
        assert together[i, j] == pytest.approx(alone[0, 1], rel=1e-11)
        assert together[j, i] == pytest.approx(alone[1, 0], rel=1e-11)
