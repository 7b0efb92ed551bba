"""Sentences and tables about tests over datasets."""

import numpy as np

from core.effects.across import compare_across
from core.effects.dataset_effects import CombinedEffects
from core.effects.friedman import friedman, quade
from core.effects.post_hoc import nemenyi
from core.sections import across as words
from core.sections.across import disagreement_sentence
from core.sections.parts import Table
from tests.core.words.made import combined

BETTER = [0.9, 0.8, 0.85, 0.7, 0.95, 0.6, 0.77]
WORSE = [0.8, 0.75, 0.8, 0.6, 0.9, 0.5, 0.7]


def averaged(a: list[float], b: list[float]) -> CombinedEffects:
    return combined(np.array(a) - np.array(b))


def test_an_average_and_ranks_that_favour_different_systems_name_both() -> None:
    # Eleven gains and one large loss: the average favours base without telling them apart.
    base = [float(50 + i) for i in range(12)]
    ours = [b + 0.1 * (i + 1) for i, b in enumerate(base[:11])] + [base[11] - 20.0]
    for swapped in (False, True):
        a, b, systems = (
            (base, ours, ("base", "ours")) if swapped else (ours, base, ("ours", "base"))
        )
        ranks, mean = compare_across(a, b, systems=systems), averaged(a, b)
        interval = mean.front_interval
        assert interval[0] < 0.0 < interval[1]
        said = disagreement_sentence(mean, ranks, alpha=0.05)
        assert "average effect favours base" in said
        assert "Wilcoxon's test over the datasets favours ours" in said
        assert "ours tends to score higher than base" in words.across_sentence(ranks, alpha=0.05)
    lower = compare_across(ours, base, systems=("ours", "base"), higher_is_better=False)
    assert "base tends to score lower than ours" in words.across_sentence(lower, alpha=0.05)


def test_a_test_that_could_never_reach_the_level_is_no_disagreement_with_the_average() -> None:
    # Five wins of five: the exact test cannot go below .0625.
    ranks, mean = compare_across(BETTER[:5], WORSE[:5]), averaged(BETTER[:5], WORSE[:5])
    said = disagreement_sentence(mean, ranks, alpha=0.05)
    assert ".0625" in said
    assert disagreement_sentence(mean, ranks, alpha=0.0625) == ""


def test_an_average_of_equal_effects_has_no_interval_that_could_say_anything() -> None:
    a, b = [0.75] * 5, [0.5] * 5
    assert disagreement_sentence(averaged(a, b), compare_across(a, b), alpha=0.05) == ""


def test_systems_that_are_not_told_apart_share_a_letter() -> None:
    scores = np.random.default_rng(0).normal(size=(12, 4)) + np.array([0.0, 0.1, 3.0, 3.1])
    ranked = friedman(scores, systems=("w", "x", "y", "z"))
    found = nemenyi(ranked)
    parts = words.how_ranked_parts(found, "", quade(ranked))
    (frame,) = (part.frame for part in parts if isinstance(part, Table))
    letters = dict(zip(frame["system"], frame["letters"], strict=True))
    assert set(letters["y"]) & set(letters["z"])
    assert not set(letters["w"]) & set(letters["z"])


def test_a_p_value_at_the_level_counts_as_reaching_it() -> None:
    # All 5 datasets agree on 4 systems: the exact p is 1/24 to the fourth power.
    ranked = friedman([[4, 3, 2, 1]] * 5)
    level = 24.0**-4
    assert ranked.f_p_value > level, "a rounding above it, or this shows nothing"
    assert "do not all rank alike" in words.friedman_sentence(nemenyi(ranked, level))
    assert "; F = ∞ on 3 and 12, p" in words.friedman_details(ranked)
