"""Fifty tasks and thirteen embedding models, ranked as their reference has it."""

from __future__ import annotations

import numpy as np
import pytest

from core.data import ScoreTable, read_results
from core.systems.comparisons import standings
from core.systems.counting import tiers
from tests.real.cases import DATA, expected

pytestmark = pytest.mark.real

CASE = DATA / "real" / "r11_mteb_datasets_by_models"


@pytest.fixture(scope="module")
def reference():
    return expected(CASE)["reference"]


@pytest.fixture(scope="module")
def found():
    table = read_results(CASE / "data.csv")
    assert isinstance(table, ScoreTable)
    return standings(table)


def test_mean_ranks_are_those_of_the_reference(found, reference):
    assert len(found.datasets) == reference["N"]
    own = dict(zip(found.systems, found.mean_ranks.tolist(), strict=True))
    assert own == pytest.approx(reference["mean_ranks"], abs=1e-9)


def test_wins_ties_and_losses_are_those_of_the_reference(found, reference):
    for pair, row in reference["pairwise"].items():
        a, b = pair.split(" vs ")
        wins, ties, losses = (row["wilcoxon"][name] for name in ("wins", "ties", "losses"))
        assert found.win_tie_loss(a, b) == (wins, ties, losses)


def test_tiers_join_what_nemenyi_does_not_separate(found, reference):
    apart = np.abs(found.mean_ranks[:, np.newaxis] - found.mean_ranks)
    groups = tiers(
        apart >= reference["nemenyi_CD_0.05"], systems=found.systems, order=found.mean_ranks
    )
    letters = dict(zip(groups.systems, groups.letters, strict=True))
    for pair, row in reference["pairwise"].items():
        a, b = pair.split(" vs ")
        assert bool(set(letters[a]) & set(letters[b])) == (row["nemenyi_p"] > 0.05)
    assert np.isclose(found.mean_ranks.sum(), 13 * 14 / 2)
