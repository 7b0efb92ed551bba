"""Sentences and tables of the leaderboard that counts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.data import ResultSet
from core.effects.friedman import friedman
from core.effects.post_hoc import nemenyi
from core.report import systems_leaderboard as words
from core.report import systems_tables
from core.systems import CountMatrix, PairComparisons, compare_all_pairs, count_matrix, standings


def outcomes(n_right: dict[str, int], *, n: int = 200, n_datasets: int = 4) -> ResultSet:
    """Each system right on the first so many examples of every dataset: nested, so p is small."""
    columns = {name: (np.arange(n) < right).astype(float) for name, right in n_right.items()}
    return ResultSet.from_scores({f"d{k}": columns for k in range(n_datasets)}, metric="accuracy")


CLEAR = {"low": 60, "middle": 100, "high": 150, "top": 151}


def compared(data: ResultSet) -> PairComparisons:
    return compare_all_pairs(data)


def counted(data: ResultSet, **how: Any) -> CountMatrix:
    return count_matrix(compared(data), **how)


def test_the_lead_says_than_how_many_the_best_is_better_and_who_is_not_told_apart() -> None:
    sentence = words.lead_sentence(counted(outcomes(CLEAR)))
    assert sentence == (
        "With 95% confidence in each pair alone, top, with the best mean rank, is better than 2 of "
        "the 3 other systems on at least one of 4 datasets, and than all of these on at least half "
        "(2 of 4). Not told apart from it on any dataset: high."
    )


def test_where_nothing_is_told_apart_the_lead_does_not_say_that_the_systems_are_equal() -> None:
    counts = counted(outcomes({"x": 100, "y": 101, "z": 102}))
    assert words.lead_sentence(counts) == (
        "The data do not tell z, with the best mean rank, apart from any of the 2 other systems on "
        "any of 4 datasets, each pair taken alone. That is not evidence that they are equal."
    )
    assert words.claims_sentence(counts).endswith("is better than another, none holds.")
    assert words.joint_sentence(counts, counts) == ""


def test_one_dataset_is_named_and_a_shared_first_place_is_said() -> None:
    tied = outcomes({"low": 60, "one": 150, "other": 150}, n_datasets=1)
    sentence = words.lead_sentence(counted(tied))
    assert "one, sharing the best score with other on d0, is better than 1 of the 2" in sentence
    assert "at least" not in sentence


def test_the_level_and_the_family_are_in_the_lead() -> None:
    sentence = words.lead_sentence(counted(outcomes(CLEAR), alpha=0.01, family="all"))
    assert sentence.startswith("With 99% confidence in all claims together, top")


def test_a_system_that_beats_the_best_ranked_somewhere_is_named() -> None:
    up, down = (np.arange(300) < 200).astype(float), (np.arange(300) < 100).astype(float)
    data = ResultSet.from_scores(
        {
            **{f"d{k}": {"best": up, "rival": down, "last": 0 * down} for k in range(3)},
            "odd": {"best": down, "rival": up, "last": 0 * down},
        }
    )
    assert "rival is better than it on at least one dataset." in words.lead_sentence(counted(data))
    assert "in 1 pair each is better on some dataset" in words.claims_sentence(counted(data))


def test_claims_are_counted_over_ordered_pairs() -> None:
    counts = counted(outcomes(CLEAR))
    by_hand = sum(counts.k_hat[i, j] >= 1 for i in range(4) for j in range(4) if i != j)
    assert by_hand == 5
    assert words.claims_sentence(counts) == (
        "Of the 12 claims that one of 4 systems is better than another, 5 hold on at least one "
        "dataset and 5 on at least half (2 of 4)."
    )


def test_what_holds_of_all_claims_together_is_said_beside_what_holds_of_each_pair() -> None:
    data = outcomes(CLEAR)
    alone, joint = counted(data), counted(data, family="all")
    assert words.joint_sentence(alone, joint).startswith("That holds, too, with 95% confidence")
    # 150 to 141: p = 2⁻⁹, enough for one pair and not for a hundred claims.
    near = outcomes({"top": 150, "near": 141, **{f"low{k}": 20 + k for k in range(5)}})
    alone, joint = counted(near), counted(near, family="all")
    assert "all 6 other systems" in words.lead_sentence(alone)
    assert "top is better than 5 of the 6 other systems" in words.joint_sentence(alone, joint)


@pytest.mark.parametrize(
    ("combination", "condition"),
    [("bonferroni", "However"), ("fisher", "independent"), ("simes", "positively dependent")],
)
def test_the_guarantee_names_its_condition(combination: str, condition: str) -> None:
    counts = counted(outcomes(CLEAR), combination=combination)
    guarantee = " ".join(words.guarantee_sentences(counts))
    assert "no joint guarantee" in guarantee
    assert condition in guarantee
    joint = words.guarantee_sentences(counted(outcomes(CLEAR), family="all"))
    assert "hold together with 95% confidence" in " ".join(joint)


def test_the_leaderboard_counts_rows_of_the_matrix_and_letters_are_its_tiers() -> None:
    pairs = compared(outcomes(CLEAR))
    frame = systems_tables.leaderboard_frame(standings(pairs), counts=count_matrix(pairs))
    assert list(frame["system"]) == ["top", "high", "middle", "low"]
    assert list(frame["better than"]) == [2, 2, 1, 0]
    assert list(frame["worse than"]) == [0, 0, 2, 3]
    assert list(frame["not told apart"]) == [1, 1, 0, 0]
    assert list(frame["letters"]) == ["a", "a", "b", "c"]


def test_one_dataset_has_scores_in_the_place_of_wins() -> None:
    pairs = compared(outcomes(CLEAR, n_datasets=1))
    frame = systems_tables.leaderboard_frame(standings(pairs), counts=count_matrix(pairs))
    assert list(frame["score, higher is better"]) == [0.755, 0.75, 0.5, 0.3]
    assert "wins" not in frame


def test_a_system_against_each_other_one_has_counts_both_ways() -> None:
    pairs = compared(outcomes(CLEAR))
    frame = systems_tables.against_frame(standings(pairs), "middle", counts=count_matrix(pairs))
    assert list(frame["other system"]) == ["top", "high", "low"]
    assert list(frame["better on at least"]) == [0, 0, 4]
    assert list(frame["worse on at least"]) == [4, 4, 0]
    assert list(frame["wins"]) == [0, 0, 4]


def test_a_pair_is_told_with_its_names_and_its_plain_wins() -> None:
    pairs = compared(outcomes(CLEAR))
    counts, ranked = count_matrix(pairs), standings(pairs)
    assert words.pair_sentence(counts, ranked, "low", "high") == (
        "high is better than low on at least 4 of 4 datasets, by name d0, d1, d2 and d3. low scores "
        "higher on 0, high on 4."
    )
    apart = words.pair_sentence(counts, ranked, "top", "high")
    assert apart.startswith("top and high are not told apart. That is not evidence")
    frame = systems_tables.pair_frame(pairs, "low", "high")
    assert list(frame["gain of first"]) == pytest.approx([-0.45] * 4)


def test_a_table_of_scores_leads_with_its_mean_ranks_and_their_tiers() -> None:
    rng = np.random.default_rng(1)
    scores = rng.normal(size=(12, 4)) + np.array([0.0, 0.0, 4.0, 4.1])
    found = nemenyi(friedman(scores, systems=list("abcd")))
    equal = standings(compared(outcomes(dict.fromkeys("abcd", 100), n_datasets=12)))
    ranked = replace(equal, mean_ranks=np.asarray(found.mean_ranks))
    sentence = words.scores_lead(ranked, found)
    best = "abcd"[int(np.argmin(found.mean_ranks))]
    other = {"c": "d", "d": "c"}[best]
    assert sentence.startswith(
        f"Of 4 systems over 12 datasets, {best} has the best mean rank, 1.50 (as has {other}), and"
    )
    assert sentence.endswith(f"2 of the 3 others at level .05 (Nemenyi), not from {other}.")
