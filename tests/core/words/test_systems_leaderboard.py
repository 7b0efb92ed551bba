"""Sentences and tables of the leaderboard that counts."""

from __future__ import annotations

import numpy as np
import pytest

from core.data import ResultSet
from core.systems.all_pairs import compare_all_pairs
from core.systems.comparisons import PairComparisons
from core.systems.counting import CountMatrix, count_matrix
from core.systems.standings import standings
from core.words import systems_board as words


def outcomes(n_right: dict[str, int], *, n: int = 200, n_datasets: int = 4) -> ResultSet:
    """Each system right on the first so many examples of every dataset: nested, so p is small."""
    columns = {name: (np.arange(n) < right).astype(float) for name, right in n_right.items()}
    return ResultSet.from_scores({f"d{k}": columns for k in range(n_datasets)}, metric="accuracy")


CLEAR = {"low": 60, "middle": 100, "high": 150, "top": 151}


def compared(data: ResultSet) -> PairComparisons:
    return compare_all_pairs(data)


def test_too_few_resamples_withhold_the_lead_and_name_how_many_are_needed() -> None:
    rng = np.random.default_rng(3)
    base = rng.normal(size=(200, 1))
    scores = base + 0.1 * rng.normal(size=(200, 5)) + np.arange(5)
    data = ResultSet.from_scores({"d": {f"s{k}": scores[:, k] for k in range(5)}})
    test = {"test": "approximate-randomization", "method": "monte-carlo"}

    def joint(resamples: int) -> CountMatrix:
        pairs = compare_all_pairs(data, n_resamples=resamples, **test)  # type: ignore[arg-type]
        return count_matrix(pairs, family="all")

    # Twenty claims at .05: the smallest p, 1/(b + 1), must be at most .0025.
    few = joint(398)
    assert words.withheld(few)
    assert all(number in words.lead_sentence(few) for number in ("398", "20", "399"))
    assert not few.k_hat.any()
    enough = joint(399)
    assert not words.withheld(enough)
    assert enough.k_hat.any()
    assert words.lead_sentence(enough).count("s4")


def test_the_leaderboard_counts_rows_of_the_matrix_and_letters_are_its_tiers() -> None:
    pairs = compared(outcomes(CLEAR))
    frame = words.leaderboard_frame(standings(pairs), counts=count_matrix(pairs))
    assert list(frame["system"]) == ["top", "high", "middle", "low"]
    assert list(frame["better than (on ≥ 1 dataset)"]) == [2, 2, 1, 0]
    assert list(frame["worse than (on ≥ 1 dataset)"]) == [0, 0, 2, 3]
    assert list(frame["not told apart"]) == [1, 1, 0, 0]
    assert list(frame["letters"]) == ["a", "a", "b", "c"]


def test_one_dataset_has_scores_in_the_place_of_wins() -> None:
    pairs = compared(outcomes(CLEAR, n_datasets=1))
    frame = words.leaderboard_frame(standings(pairs), counts=count_matrix(pairs))
    assert list(frame["score, higher is better"]) == [0.755, 0.75, 0.5, 0.3]
    assert "wins" not in frame


def test_a_system_against_each_other_one_has_counts_both_ways() -> None:
    pairs = compared(outcomes(CLEAR))
    frame = words.against_frame(standings(pairs), "middle", counts=count_matrix(pairs))
    assert list(frame["other system"]) == ["top", "high", "low"]
    assert list(frame["better on at least"]) == [0, 0, 4]
    assert list(frame["worse on at least"]) == [4, 4, 0]
    assert list(frame["wins"]) == [0, 0, 4]


def test_a_pair_is_told_with_its_names_and_its_plain_wins() -> None:
    pairs = compared(outcomes(CLEAR))
    counts, ranked = count_matrix(pairs), standings(pairs)
    alone = words.pair_sentence(counts, ranked, "low", "high")
    assert all(token in alone for token in (".025", "at least 4 of 4", "d0, d1, d2 and d3"))
    apart = words.pair_sentence(counts, ranked, "top", "high")
    assert "not told apart" in apart
    joint = words.pair_sentence(count_matrix(pairs, family="all"), ranked, "low", "high")
    assert "48 claims" in joint
    frame = words.pair_frame(pairs, "low", "high")
    assert list(frame["gain of first"]) == pytest.approx([-0.45] * 4)


def test_too_few_resamples_forbid_names_only_where_no_other_dataset_can_be_named_first() -> None:
    rng = np.random.default_rng(4)
    real = rng.normal(size=(60, 3)) + 2.0 * np.arange(3)
    whole = np.round(real)

    def notes(*tables: np.ndarray) -> str:
        data = ResultSet.from_scores(
            {f"d{k}": {f"s{j}": one[:, j] for j in range(3)} for k, one in enumerate(tables)}
        )
        pairs = compare_all_pairs(data, test="approximate-randomization", n_resamples=19)
        return " ".join(count_matrix(pairs, family="all").notes)

    assert "at least 239" in notes(real, real[::-1])
    mixed = notes(real, whole)
    assert "cannot be named" not in mixed


def test_a_pair_opened_in_counting_is_said_to_have_the_same_p_values_only_where_it_has() -> None:
    exact = words.opened_sentence("pair", ["McNemar, exact"], None, by_itself=False)
    assert "same p-values" in exact
    drawn = words.opened_sentence("all", ["paired bootstrap"], 9_999, by_itself=True)
    # Twice √(.05 · .95 / 9,999).
    assert ".0044" in drawn
    assert "same p-values" not in drawn
