"""The bootstrap's tails of many samples of outcomes are those of one sample at a time."""

from __future__ import annotations

import numpy as np
import pytest

from core.significance.lattice import DrawSum
from core.significance.tails import outcomes_at_least
from tests.core.significance.oracles import draw_sums, lower, upper


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
