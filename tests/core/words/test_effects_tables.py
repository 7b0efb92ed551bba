"""Tables about effects over many datasets, and sentences about what lies behind them."""

from __future__ import annotations

import numpy as np

from core.effects.distributions import distribution_tests
from core.effects.prediction import prediction_experiment
from core.effects.subsets import group_analyses
from core.words import effects as details
from core.words import effects_tables as tables
from core.words.effects import combining_meanings
from tests.core.words.test_effects import CLOSE, OPEN, combined


def test_the_table_of_ways_has_both_intervals_of_random_effects() -> None:
    frame = tables.combined_frame(OPEN)
    assert list(frame["combined by"]).count("random effects") == 2
    assert list(frame["made by"])[:2] == ["Hartung–Knapp", "normal"]


def test_the_first_row_is_the_one_that_the_answer_takes() -> None:
    assert tables.combined_frame(CLOSE)["made by"][0] == "normal"
    few = combined([0.10, 0.11, 0.12, 0.09], [1e-4] * 4, n_differing=(5, 6, 7, 400))
    assert tables.combined_frame(few)["combined by"][0] == "macro-average"


def test_one_dataset_has_one_row_with_its_own_interval() -> None:
    frame = tables.combined_frame(combined([0.2], [0.01]))
    assert frame.to_numpy().tolist() == [["one dataset", "+0.200", "+0.004 to +0.396", "normal"]]


def test_what_is_taken_away_has_full_digits_and_the_spread() -> None:
    frame = tables.numbers_frame(OPEN)
    assert OPEN.random is not None
    row = frame[frame["interval"] == "hartung-knapp"].iloc[0]
    assert row["estimate"] == OPEN.random.estimate
    assert (row["low"], row["high"]) == OPEN.random.hartung_knapp_interval
    assert set(frame["tau2"]) == {OPEN.random.tau2}


def test_exchanging_the_systems_turns_every_row_but_that_of_the_gumbel_model() -> None:
    effects, variances = np.array([0.3, -0.1, 0.2, 0.05, 0.4]), [1e-3, 4e-3, 2e-3, 9e-4, 3e-3]
    sizes = np.array([10, 40, 20, 90, 30])
    there = tables.numbers_frame(_sized(effects, variances, sizes))
    back = tables.numbers_frame(_sized(-effects, variances, sizes))
    turned = [
        np.isclose(there[column], -back[other], rtol=1e-9, atol=0.0)
        for column, other in (("estimate", "estimate"), ("low", "high"), ("high", "low"))
    ]
    gumbel = there["combined_by"] == "gumbel"
    assert list(np.all(turned, axis=0)) == list(~gumbel)
    assert "exchanging A and B" in " ".join(combining_meanings(["Gumbel"], "paule-mandel"))


def _sized(effects, variances, sizes):
    from dataclasses import replace

    from core.effects.combined import combine_effects

    return combine_effects(replace(combined(effects, variances).effects, n_examples=sizes))


def test_groups_are_compared_by_the_test_that_the_library_makes() -> None:
    effects, variances = [0.1, 0.3, 0.2, 0.9, 0.7], [1e-2] * 5
    random = group_analyses(effects, variances, list("aaabb"))
    sentence = details.groups_sentence(random)
    assert random.q_between is not None
    assert f"F = {random.q_between:.4g} on 1 and 3 degrees of freedom" in sentence
    alone = group_analyses(effects, variances, list("abcde"))
    assert "p =" not in details.groups_sentence(alone)


def test_a_distribution_is_never_said_to_be_the_one() -> None:
    values = np.random.default_rng(0).normal(size=30)
    for sentence in details.distribution_sentences(distribution_tests(values)):
        assert "vidence against" in sentence or "cannot tell" in sentence


def test_the_experiment_is_said_to_describe_and_its_table_has_each_way_for_each_size() -> None:
    rng = np.random.default_rng(1)
    found = prediction_experiment(
        rng.normal(size=12), np.full(12, 0.1), sizes=(5, 7), n_repetitions=8, rng=1
    )
    assert "only describe" in details.experiment_sentence(found)
    frame = tables.experiment_frame(found)
    assert len(frame) == len(found.sizes) * len(found.methods)
