"""Tables about effects over many datasets, and sentences about what lies behind them."""

from __future__ import annotations

import numpy as np

from core.effects.subsets import group_analyses
from core.words import effects as details
from core.words import effects_tables as tables
from core.words.effects import combining_meanings
from tests.core.words.test_effects import combined


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
    assert "swapping A and B" in " ".join(combining_meanings(["Gumbel"], "paule-mandel"))


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
