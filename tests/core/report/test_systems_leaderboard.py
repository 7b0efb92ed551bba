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
from core.report import systems_pair, systems_tables
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
        "(2 of 4). Not told apart from it on any dataset (each way at level .025): high."
    )


@pytest.mark.parametrize("family", ["pair", "all"])
def test_where_nothing_is_found_the_lead_does_not_say_that_the_systems_are_equal(
    family: str,
) -> None:
    counts = counted(outcomes({"x": 100, "y": 101, "z": 102}), family=family)
    start = {
        "pair": "Of each pair alone, at level .05,",
        "all": "Of all 24 claims together (Holm, level .05),",
    }
    assert words.lead_sentence(counts) == (
        f"{start[family]} the data show z, with the best mean rank, to be better than none of the 2 "
        "other systems on any of 4 datasets; that is not evidence that they are equal."
    )
    assert "on at least one dataset, none is made" in words.claims_sentence(counts)


def test_better_on_one_dataset_alone_is_not_said_to_be_no_better_on_half() -> None:
    up, flat = (np.arange(300) < 200).astype(float), (np.arange(300) < 100).astype(float)
    data = ResultSet.from_scores(
        {"odd": {"best": up, "last": flat}, **{f"d{k}": {"best": up, "last": up} for k in range(3)}}
    )
    sentence = words.lead_sentence(counted(data))
    assert "is better than all 1 other systems on at least one of 4 datasets" in sentence
    assert "; on at least half (2 of 4) the data show it for none of these." in sentence


def test_one_dataset_is_named_and_a_shared_first_place_is_said() -> None:
    tied = outcomes({"low": 60, "one": 150, "other": 150}, n_datasets=1)
    sentence = words.lead_sentence(counted(tied))
    assert "one, sharing the best score with other on d0, is better than 1 of the 2" in sentence
    assert "at least" not in sentence


def test_the_level_and_the_family_are_in_the_lead() -> None:
    sentence = words.lead_sentence(counted(outcomes(CLEAR), alpha=0.01, family="all"))
    assert sentence.startswith("With 99% confidence in all 48 claims together (Holm), top")


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
        "Of the 12 claims that one of 4 systems is better than another on at least one dataset, 5 are "
        "made at level .05, each alone, 5 of them on at least half (2 of 4); among so many some are to "
        "be expected wrong."
    )


def test_the_lead_of_all_claims_together_claims_less_than_each_pair_alone() -> None:
    # 150 to 141: p = 2⁻⁹, enough for one pair and not for a hundred claims.
    near = outcomes({"top": 150, "near": 141, **{f"low{k}": 20 + k for k in range(5)}})
    alone, joint = counted(near), counted(near, family="all")
    assert "all 6 other systems" in words.alone_sentence(alone)
    assert "top was picked after looking at all systems" in words.alone_sentence(alone)
    sentence = words.lead_sentence(joint)
    assert sentence.startswith("With 95% confidence in all 168 claims together (Holm), top, with")
    assert "is better than 5 of the 6 other systems" in sentence


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
    assert words.lead_sentence(few) == (
        "Of all claims together nothing can be said with 398 resamples: Holm over 20 claims needs at "
        "least 399 before any p-value can be small enough."
    )
    assert not few.k_hat.any()
    enough = joint(399)
    assert not words.withheld(enough)
    assert enough.k_hat.any()
    assert "s4, with the best score on d, is better than" in words.lead_sentence(enough)


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
    assert list(frame["better than (on ≥ 1 dataset)"]) == [2, 2, 1, 0]
    assert list(frame["worse than (on ≥ 1 dataset)"]) == [0, 0, 2, 3]
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
    assert systems_pair.pair_sentence(counts, ranked, "low", "high") == (
        "With 95% confidence in both directions of this pair (each way at level .025): high is better "
        "than low on at least 4 of 4 datasets, by name d0, d1, d2 and d3. low scores higher on 0, high "
        "on 4."
    )
    apart = systems_pair.pair_sentence(counts, ranked, "top", "high")
    assert "(each way at level .025): top and high are not told apart. That is not" in apart
    joint = systems_pair.pair_sentence(count_matrix(pairs, family="all"), ranked, "low", "high")
    assert joint.startswith("With 95% confidence in all 48 claims together (Holm): high is better")
    frame = systems_tables.pair_frame(pairs, "low", "high")
    assert list(frame["gain of first"]) == pytest.approx([-0.45] * 4)


def test_a_pair_at_half_the_level_says_where_the_matrix_asks_for_one_direction() -> None:
    # 5 to 0: p = 1/32 one way, which is at most .05 and above .025.
    pairs = compared(outcomes({"less": 100, "more": 105, "last": 20}, n_datasets=1))
    counts = count_matrix(pairs)
    assert counts.k_hat[1, 0] == 1
    sentence = systems_pair.pair_sentence(counts, standings(pairs), "more", "less")
    assert "more and less are not told apart" in sentence
    assert "one direction alone, at level .05, and has 1 for more better than less." in sentence
    letters = dict(zip(counts.tiers().systems, counts.tiers().letters, strict=True))
    assert letters["more"] == letters["less"] != letters["last"]


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


def test_systems_that_score_alike_everywhere_have_no_best_one() -> None:
    from core.data import ScoreTable

    table = ScoreTable(
        datasets=tuple(f"d{i}" for i in range(6)), systems=("x", "y", "z"), values=np.ones((6, 3))
    )
    sentence = words.scores_lead(standings(table))
    assert sentence == (
        "Of 3 systems over 6 datasets, none has a better mean rank than another. "
        "That is not evidence that they are equal."
    )


def test_others_not_told_apart_are_named_where_they_are_few_and_counted_where_many() -> None:
    many = counted(outcomes({"low": 20, **{f"top{k}": 150 + k for k in range(7)}}))
    assert "Of all others 6 are not told apart from it on any" in words.lead_sentence(many)
    joint = count_matrix(
        compared(outcomes({"low": 20, **{f"top{k}": 150 + k for k in range(7)}})), family="all"
    )
    assert "The other 6 are not told apart from it on any dataset." in words.lead_sentence(joint)
    assert "Not told apart from it on any dataset (each way at level .025): top5" in (
        words.lead_sentence(many, most_names=6)
    )


def test_counts_at_two_levels_are_not_said_to_add_up() -> None:
    # 5 to 0: p = 1/32 one way, a claim at .05 and not at .025.
    near = counted(outcomes({"top": 105, **{f"near{k}": 100 for k in range(6)}}, n_datasets=1))
    sentence = words.lead_sentence(near)
    assert "is better than all 6 other systems" in sentence
    assert "The other" not in sentence
    assert sentence.endswith(
        "No other system is told apart from it (each way at level .025); one way at level .05 there is "
        "a claim about 6 of these."
    )


def test_a_setting_of_the_session_that_a_pair_changed_is_named_with_its_new_value() -> None:
    said = systems_pair.taken_over_sentence({"test": "sign", "n_resamples": 12_345, "seed": 7})
    assert said.endswith("changed: test to sign test, exact; resamples to 12,345; seed to 7.")


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

    assert "cannot be named, however large the difference; that needs at least 239" in notes(
        real, real[::-1]
    )
    mixed = notes(real, whole)
    assert "can be named only after enough others are; to be named first needs" in mixed
    assert "cannot be named" not in mixed


def test_a_pair_opened_in_counting_is_said_to_have_the_same_p_values_only_where_it_has() -> None:
    exact = systems_pair.opened_sentence("pair", ["McNemar, exact"], None, by_itself=False)
    assert exact.endswith("and has the same p-values.")
    drawn = systems_pair.opened_sentence("all", ["paired bootstrap"], 9_999, by_itself=True)
    # Twice √(.05 · .95 / 9,999).
    assert "a p-value of .05 may differ by about .0044." in drawn
    assert "It counts this pair alone" in drawn
    # Counting may be exact where resamples were drawn here.
    assert "exactly where the scores allow that, else on resamples of its own" in drawn
    assert "It draws" not in drawn
