"""Sentences and tables about how large an effect is over many datasets."""

import re
from dataclasses import replace
from typing import Any

import numpy as np

from core.data import ResultSet
from core.effects.dataset_effects import combine_effects
from core.effects.from_results import dataset_effects
from core.effects.heterogeneity import TAU2_ESTIMATORS
from core.sections import effects as words
from core.sections.effects import combining_meanings
from core.validation import names_of
from core.words.formatting import interval_text
from tests.core.effects.cases import RISK_DIFFERENCES, VARIANCES_OF_DIFFERENCES
from tests.core.words.made import combined

CLEAR = combined([0.10, 0.11, 0.12, 0.09, 0.10, 0.11], [1e-4] * 6)
# Closer together than their variances would have them.
OPEN = combined([0.10, -0.11, 0.12, -0.09, 0.03, 0.01], [1e-4] * 6)


def test_exchanging_the_systems_exchanges_their_names_and_keeps_the_numbers() -> None:
    other = combined(-CLEAR.effects.effects, CLEAR.effects.variances)
    assert words.lead_sentence(other, a="base", b="ours") == words.lead_sentence(
        CLEAR, a="ours", b="base"
    )


def shares_of(sentence: str) -> list[float]:
    """The percentages of I² in a sentence: the estimate, then the ends of its interval."""
    return [float(share) for share in re.findall(r"([\d.]+)%(?! (?:pred|interval))", sentence)]


def test_an_i2_outside_its_interval_is_never_shown_beside_it() -> None:
    # The moment estimate of τ² gives 95.7%, and its interval begins above that.
    sentences = {}
    for method in names_of(TAU2_ESTIMATORS):
        made = combined(RISK_DIFFERENCES, VARIANCES_OF_DIFFERENCES, tau2=method)
        sentences[method] = shares_of(words.differing_sentence(made))
        cautions_in_front = " ".join(words.front_cautions(made))
        is_outside = method == "dersimonian-laird"
        assert ("outside its 95% Q-profile interval" in cautions_in_front) == is_outside, method
        assert len(sentences[method]) == (1 if is_outside else 3), method
    estimate, low, high = sentences["paule-mandel"]
    assert low <= estimate <= high
    assert sentences["dersimonian-laird"] == [96.0]
    assert low > 96.0
    # Nor by rounding: each is written in the same way.
    assert estimate == 99.9


def test_a_tau2_of_0_beside_a_large_q_is_not_called_chance() -> None:
    # REML stays at 0 here although Q is far above its degrees of freedom.
    made = combined(
        [-2.68, 0.08, -0.9, -0.82, 2.66, 0.14, 0.1, 10.03],
        [3.3446, 0.002, 0.1722, 0.1275, 1.2009, 0.0037, 0.0014, 6.2194],
        tau2="reml",
    )
    assert made.random.tau2 == 0.0
    assert made.random.q_p_value < 0.05
    assert "do not show that the effects differ" not in words.differing_sentence(made)


def test_datasets_left_out_are_named_beside_others_and_names_keep_their_letters() -> None:
    right = np.ones(40)
    wrong = np.r_[np.zeros(10), np.ones(30)]
    data = ResultSet.from_scores(
        {
            "easy": {"ours": wrong, "MIMICK": right},
            "trivial": {"ours": wrong, "MIMICK": right},
            "hard": {"ours": right, "MIMICK": wrong},
        }
    )
    asked: dict[str, Any] = {"a": "ours", "b": "MIMICK", "effect": "error-reduction"}
    some = combine_effects(dataset_effects(data, **asked))
    said = " ".join(words.front_cautions(some, b="MIMICK"))
    assert "as MIMICK is at the highest possible score, 1 (easy and trivial)." in said
    none = dataset_effects(data, datasets=("easy", "trivial"), **asked)
    assert words.left_out_lines(none)[0].endswith("(on every dataset).")


def test_the_i2_of_reml_is_told_also_where_q_is_below_its_degrees_of_freedom() -> None:
    made = combined([-0.8, 0.4, 0.1, -0.3], [0.25, 1.43, 0.05, 1.22], tau2="reml")
    random = made.random
    assert random.q < random.degrees_of_freedom
    assert random.i2 > 0.05
    assert shares_of(words.differing_sentence(made))[0] == round(100 * random.i2)


def test_few_differing_examples_put_the_macro_average_in_front_and_say_why() -> None:
    few = combined([0.10, 0.11, 0.12, 0.09], [1e-4] * 4, n_differing=(5, 6, 7, 400))
    assert few.front == "macro-average"
    (caution, _) = words.front_cautions(few)
    assert "6.5" in caution
    many = combined([0.10, 0.11, 0.12, 0.09], [1e-4] * 4, n_differing=(20, 20, 20, 20))
    assert many.front == "random"


def test_the_prediction_is_turned_to_the_side_that_is_named() -> None:
    effects, variances = [-0.1, -0.2, -0.4, -0.35], [1e-4] * 4
    behind, ahead = combined(effects, variances), combined(np.negative(effects), variances)
    said = words.differing_sentence(behind, a="ours", b="base")
    assert said == words.differing_sentence(ahead, a="base", b="ours")
    assert "positive favours base" in said


def test_an_end_beside_zero_shows_that_it_is_not_zero() -> None:
    for interval, written in [
        ((0.000014, 0.0701), "+0.00001 to +0.0701"),
        ((-0.0701, -0.00004), "−0.0701 to −0.00004"),
        ((3e-12, 0.0701), "+3e−12 to +0.0701"),
        ((0.0, 0.0701), "0.0000 to +0.0701"),
        ((-0.02, 0.05), "−0.0200 to +0.0500"),
    ]:
        assert interval_text(interval, interval[1] - interval[0]) == written, (interval, written)


def test_the_average_is_held_against_the_margin_of_a_claim() -> None:
    holds, fails, leaves = "On average, ours is", "speaks against", "leaves open"
    # Intervals of CLEAR lie about .105, of its turned effects about −.105, of OPEN around 0.
    turned = combined(-CLEAR.effects.effects, CLEAR.effects.variances)
    for effects, claim, margin, expected in (
        (CLEAR, "not-worse", 0.01, holds),
        (turned, "not-worse", 0.01, fails),
        (turned, "not-worse", 0.2, holds),
        (OPEN, "not-worse", 0.01, leaves),
        (CLEAR, "better-by", 0.05, holds),
        (CLEAR, "better-by", 0.105, leaves),
        (CLEAR, "better-by", 0.2, fails),
        (CLEAR, "equivalent", 0.2, holds),
        (CLEAR, "equivalent", 0.05, fails),
        (turned, "equivalent", 0.05, fails),
        (OPEN, "equivalent", 0.05, leaves),
    ):
        asked: dict[str, Any] = {
            "claim": claim,
            "margins": dict.fromkeys(effects.effects.datasets, margin),
            "written": f"{100 * margin:g} points",
        }
        sentence = words.margin_sentence(effects, a="ours", b="base", **asked)
        assert expected in sentence, (claim, margin, sentence)
    usual: dict[str, Any] = {"claim": "better", "margins": {}, "written": ""}
    assert words.margin_sentence(CLEAR, a="ours", b="base", **usual) == ""
    ratio = combined([0.1, 0.2, 0.15], [1e-4] * 3, effect="error-reduction")
    assert "this effect is not" in words.margin_sentence(ratio, a="ours", b="base", **asked)
    names = CLEAR.effects.datasets
    asked["margins"] = {name: 0.05 + 0.01 * i for i, name in enumerate(names)}
    assert "none to compare" in words.margin_sentence(CLEAR, a="ours", b="base", **asked)


def test_exchanging_the_systems_turns_every_row_but_that_of_the_gumbel_model() -> None:
    effects, variances = np.array([0.3, -0.1, 0.2, 0.05, 0.4]), [1e-3, 4e-3, 2e-3, 9e-4, 3e-3]
    sizes = np.array([10, 40, 20, 90, 30])
    there, back = (
        words.numbers_frame(
            combine_effects(replace(combined(own, variances).effects, n_examples=sizes))
        )
        for own in (effects, -effects)
    )
    turned = [
        np.isclose(there[column], -back[other], rtol=1e-9, atol=0.0)
        for column, other in (("estimate", "estimate"), ("low", "high"), ("high", "low"))
    ]
    gumbel = there["combined_by"] == "gumbel"
    assert list(np.all(turned, axis=0)) == list(~gumbel)
    assert "swapping A and B" in " ".join(combining_meanings(["Gumbel"], "paule-mandel"))
