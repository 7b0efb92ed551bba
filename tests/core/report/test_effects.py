"""Sentences and tables about effects over many datasets."""

from __future__ import annotations

import numpy as np
import pytest

from core.effects import leave_one_out, prediction_experiment
from core.effects.combined import CombinedEffects, combine_effects
from core.effects.distributions import distribution_tests
from core.effects.effect_list import DatasetEffects, LeftOut
from core.report import effects as words


def combined(
    effects, variances=None, *, effect="difference", metric="accuracy", level=0.95, **rest
) -> CombinedEffects:
    made = DatasetEffects(
        datasets=tuple(f"d{i}" for i in range(len(effects))),
        effects=np.array(effects, dtype=float),
        variances=None if variances is None else np.array(variances, dtype=float),
        n_examples=None,
        effect=effect,
        variance_methods=("given",) * len(effects),
        metric=metric,
        **rest,
    )
    return combine_effects(made, confidence_level=level)


CLEAR = combined([0.10, 0.11, 0.12, 0.09, 0.10, 0.11], [1e-4] * 6)
OPEN = combined([0.10, -0.11, 0.12, -0.09, 0.03, 0.01], [1e-4] * 6)


def test_the_lead_names_who_is_ahead_with_an_interval_on_that_side() -> None:
    sentence = words.lead_sentence(CLEAR, a="ours", b="base")
    assert sentence.startswith("ours is ahead of base by 0.105")
    assert "95% interval +0.0" in sentence
    assert "holds 0" not in sentence


def test_exchanging_the_systems_exchanges_their_names_and_keeps_the_numbers() -> None:
    other = combined(-CLEAR.effects.effects, CLEAR.effects.variances)
    assert words.lead_sentence(other, a="base", b="ours") == words.lead_sentence(
        CLEAR, a="ours", b="base"
    )


def test_an_interval_that_holds_0_is_said_to_show_neither_side_nor_equality() -> None:
    sentence = words.lead_sentence(OPEN, a="ours", b="base")
    assert "The interval holds 0" in sentence
    assert "nor that they are equal" in sentence


def test_without_variances_the_interval_is_said_to_be_for_a_random_sample_of_datasets() -> None:
    sentence = words.lead_sentence(combined([1.0, 2.0, 3.0]), a="ours", b="base")
    assert "ours is ahead of base by 2.0" in sentence
    assert "if the datasets are a random sample" in sentence


def test_one_dataset_is_no_average() -> None:
    sentence = words.lead_sentence(combined([0.2], [0.01]), a="ours", b="base")
    assert sentence.startswith("One dataset: ours is ahead")
    assert "needs several" in sentence


def test_names_from_files_cannot_rearrange_the_lead() -> None:
    sentence = words.lead_sentence(CLEAR, a="a\nb" * 40, b="\u202ebase")
    assert "\n" not in sentence
    assert "\u202e" not in sentence
    assert len(sentence) < 300


def test_effects_that_differ_no_more_than_chance_are_said_so_without_a_p_value_for_equality() -> (
    None
):
    sentence = words.differing_sentence(combined([0.1, 0.11, 0.12], [1e-2] * 3))
    assert "no more than chance" in sentence
    assert "I² = 0%" in sentence


def test_effects_that_differ_are_told_with_i2_and_where_a_new_one_is_expected() -> None:
    sentence = words.differing_sentence(OPEN)
    assert "of the variation" in sentence.lower()
    assert "On a new dataset of this kind" in sentence
    assert "holds both signs" in sentence


def test_intervals_carry_the_level_that_was_chosen() -> None:
    other = combined([0.1, 0.12, 0.2], [1e-3] * 3, level=0.9)
    assert "90% interval" in words.lead_sentence(other, a="x", b="y")
    assert "90% interval" in words.combined_frame(other).columns


def test_datasets_left_out_are_named_with_their_reason() -> None:
    found = words.cautions(
        combined(
            [0.1, 0.2, 0.3],
            [1e-3, 0.0, 1e-3],
            left_out=(LeftOut(dataset="dx", reason="B is perfect"),),
        ),
        dependent=False,
    )
    assert any("dx (B is perfect)" in caution for caution in found)
    assert any("In the averages only: d1" in caution for caution in found)


def test_datasets_not_known_to_be_independent_are_a_caution() -> None:
    assert any("too narrow" in c for c in words.cautions(CLEAR, dependent=True))
    assert not any("too narrow" in c for c in words.cautions(CLEAR, dependent=False))


def test_a_hartung_knapp_factor_below_1_is_flagged() -> None:
    assert CLEAR.random is not None
    assert CLEAR.random.is_hartung_knapp_below_one
    assert any("below 1" in caution for caution in words.cautions(CLEAR, dependent=False))


def test_the_table_of_ways_has_both_intervals_of_random_effects() -> None:
    frame = words.combined_frame(OPEN)
    assert list(frame["combined by"]).count("random effects") == 2
    assert list(frame["made by"])[:2] == ["Hartung–Knapp", "normal"]


def test_leaving_one_out_names_what_moves_most_and_what_the_verdict_hangs_on() -> None:
    found = leave_one_out([0.0, 0.01, 0.02, 0.5], [1e-4] * 4)
    sentence = words.influence_sentence(found, ["a", "b", "c", "giant"])
    assert sentence.startswith("giant moves the combined effect most")
    assert words.influence_frame(found, ["a", "b", "c", "giant"])["without"][0] == "giant"


def test_a_distribution_is_never_said_to_be_the_one() -> None:
    values = np.random.default_rng(0).normal(size=30)
    for sentence in words.distribution_sentences(distribution_tests(values)):
        assert "vidence against" in sentence or "cannot tell" in sentence


def test_the_experiment_is_said_to_describe_and_its_table_has_each_way_for_each_size() -> None:
    rng = np.random.default_rng(1)
    found = prediction_experiment(
        rng.normal(size=12), np.full(12, 0.1), sizes=(5, 7), n_repetitions=8, rng=1
    )
    assert "only describe" in words.experiment_sentence(found)
    frame = words.experiment_frame(found)
    assert len(frame) == len(found.sizes) * len(found.methods)


@pytest.mark.parametrize(
    ("value", "unit", "written"),
    [
        (0.01234, 0.02, "+0.0123"),
        (-1.5, 3.0, "−1.50"),
        (1234.5, 900.0, "+1234"),
        (0.0, 1.0, "0.00"),
        (float("nan"), 1.0, "–"),
    ],
)
def test_numbers_are_written_as_finely_as_they_are_known(value, unit, written) -> None:
    assert words.number(value, unit) == written


def test_the_interval_of_a_dataset_is_normal_around_its_effect() -> None:
    ((low, high), *_) = words.dataset_intervals(CLEAR.effects, 0.95)
    assert low == pytest.approx(0.10 - 1.959964 * 0.01, abs=1e-8)
    assert high == pytest.approx(0.10 + 1.959964 * 0.01, abs=1e-8)
