"""Ranks, wins, ties and losses of many systems over datasets."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.data.score_table import ScoreTable
from core.systems.all_pairs import compare_all_pairs
from core.systems.comparisons import ranks_of, standings, with_ties
from core.systems.gain_confidence import gain_confidence
from tests.core.systems.made import result_set


def table(values, **keywords):
    return ScoreTable(
        datasets=tuple(f"d{k}" for k in range(len(values))),
        systems=tuple("abcd"[: len(values[0])]),
        values=np.array(values),
        **keywords,
    )


def test_ranks_share_their_mean_and_wins_are_counted():
    found = standings(table([[3.0, 1.0, 1.0], [2.0, 5.0, 2.0], [0.1, 0.3, 0.2]]))
    assert found.ranks.tolist() == [[1.0, 2.5, 2.5], [2.5, 1.0, 2.5], [3.0, 1.0, 2.0]]
    assert found.mean_ranks == pytest.approx([6.5 / 3, 4.5 / 3, 7.0 / 3])
    assert found.win_tie_loss("a", "b") == (1, 0, 2)
    assert found.win_tie_loss("b", "c") == (2, 1, 0)
    frame = found.to_frame()
    assert frame["system"].tolist() == ["b", "a", "c"]
    assert frame["wins"].tolist() == [4, 2, 1]
    assert frame["ties"].tolist() == [1, 1, 2]
    assert frame["losses"].tolist() == [1, 3, 3]
    assert frame["n_best"].tolist() == [2, 1, 0]


def test_means_of_the_same_decimals_in_another_order_are_the_same():
    first = np.array([0.1, 0.2, 0.3, 0.7, 0.4, 0.9, 0.6])
    # Their plain sums differ in the last digit.
    assert sum(first) != sum(first[::-1])
    noisy = np.array([[sum(first) / 7, sum(first[::-1]) / 7, 0.1], [0.3, 0.1 + 0.2, 0.2]])
    tied = with_ties(noisy)
    assert (tied[:, 0] == tied[:, 1]).all()
    assert (tied[:, 2] == noisy[:, 2]).all()
    assert ranks_of(tied).tolist() == [[1.5, 1.5, 3.0]] * 2
    pairs = compare_all_pairs(result_set(np.random.default_rng(0).random((40, 3))))
    scores = np.array([[sum(first) / 7, sum(first[::-1]) / 7, 0.1]])
    rounded = replace(pairs, scores=scores)
    assert standings(rounded).win_tie_loss("s0", "s1") == (0, 1, 0)
    assert standings(rounded).to_frame()["n_best"].tolist() == [1, 1, 0]
    assert rounded.gains("d0")[0, 1] == rounded.gains("d0")[1, 0] == 0.0
    assert gain_confidence(rounded).gains.tolist()[0] == 0.0
