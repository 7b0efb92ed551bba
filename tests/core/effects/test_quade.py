"""Quade's test weighs datasets by their range; the references for its F are in tests/real."""

import math

import numpy as np
import pytest

from core.effects.friedman import friedman
from core.effects.quade import quade

RNG = np.random.default_rng(6)
GRID = np.round(RNG.normal(size=(11, 4)) + 0.4 * np.arange(4), 2)


def test_the_unit_of_all_scores_does_not_matter_but_that_of_one_dataset_does():
    one = quade(friedman(GRID))
    assert quade(friedman(100.0 * GRID - 7.0)).f == pytest.approx(one.f, rel=1e-12)
    scaled = GRID.copy()
    scaled[0] /= 1000.0
    assert friedman(scaled).chi2 == friedman(GRID).chi2
    assert quade(friedman(scaled)).f != pytest.approx(one.f, rel=1e-3)


def test_equal_ranges_give_the_f_of_the_ranks_alone():
    # Every dataset has the range .3, three of them only in decimals.
    grid = [[0.1, 0.2, 0.4], [0.2, 0.3, 0.5], [0.6, 0.5, 0.8], [0.3, 0.0, 0.1], [0.7, 0.6, 0.4]]
    ranks = friedman(grid)
    assert quade(ranks).f == pytest.approx(ranks.f, rel=1e-12)
    assert quade(ranks).p_value == pytest.approx(ranks.f_p_value, rel=1e-12)


def test_agreement_and_ties_everywhere_are_told_apart():
    agree = quade(friedman([[1, 2, 3]] * 6))
    assert agree.f == math.inf
    assert agree.p_value == pytest.approx(6.0**-5)
    tied = quade(friedman([[2, 2, 2]] * 6))
    assert tied.f is None
    assert tied.p_value is None
    assert "ties all systems" in tied.reason
