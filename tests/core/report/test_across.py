"""Sentences and tables about tests over datasets."""

from __future__ import annotations

import numpy as np

from core.effects.across import compare_across
from core.effects.friedman import friedman
from core.effects.post_hoc import nemenyi
from core.report import across as words

BETTER = [0.9, 0.8, 0.85, 0.7, 0.95, 0.6, 0.77]
WORSE = [0.8, 0.75, 0.8, 0.6, 0.9, 0.5, 0.7]


def test_a_winner_is_named_with_a_two_sided_p_and_the_plain_counts() -> None:
    found = compare_across(BETTER, WORSE, systems=("ours", "base"))
    sentence = words.across_sentence(found, alpha=0.05)
    assert "ours is better at level .05" in sentence
    assert "p = .0156, two-sided" in sentence
    assert "ours scores better on 7 of 7 datasets" in sentence


def test_exchanged_systems_name_the_same_winner() -> None:
    found = compare_across(WORSE, BETTER, systems=("base", "ours"))
    assert "ours is better at level .05" in words.across_sentence(found, alpha=0.05)


def test_one_sided_evidence_alone_names_nobody() -> None:
    # One-sided p is 1/32 = .03125 at five wins of five, two-sided .0625.
    found = compare_across(BETTER[:5], WORSE[:5], systems=("ours", "base"))
    sentence = words.across_sentence(found, alpha=0.05)
    assert "does not show at level .05" in sentence
    assert "p = .0625" in sentence


def test_equal_scores_have_no_test_and_say_so() -> None:
    found = compare_across(BETTER, BETTER)
    assert "No test over datasets is defined" in words.across_sentence(found, alpha=0.05)


def test_every_variant_has_a_row_with_p_values_both_ways() -> None:
    frame = words.across_frame(compare_across(BETTER, WORSE))
    assert len(frame) == 6
    assert {"p (A better)", "p (B better)", "p (differ)"} <= set(frame.columns)


def test_systems_that_are_not_told_apart_share_a_letter_and_are_not_called_equal() -> None:
    scores = np.random.default_rng(0).normal(size=(12, 4)) + np.array([0.0, 0.1, 3.0, 3.1])
    ranked = friedman(scores, systems=("w", "x", "y", "z"))
    found = nemenyi(ranked)
    frame = words.ranks_frame(ranked, found)
    letters = dict(zip(frame["system"], frame["not told apart"], strict=True))
    assert set(letters["y"]) & set(letters["z"])
    assert not set(letters["w"]) & set(letters["z"])
    assert "does not make them equal" in words.letters_note(found)
    sentence = words.friedman_sentence(ranked, found)
    assert "do not all rank alike" in sentence
    assert f"{int(found.separated.sum()) // 2} of 6 pairs are told apart" in sentence


def test_systems_that_may_rank_alike_are_not_said_to() -> None:
    scores = np.array([[1, 2, 3], [2, 3, 1], [3, 1, 2], [1, 3, 2], [2, 1, 3], [3, 2, 1.0]])
    ranked = friedman(scores)
    sentence = words.friedman_sentence(ranked, nemenyi(ranked))
    assert "do not show that the 3 systems rank differently" in sentence
    assert "None of the 3 pairs" in sentence
