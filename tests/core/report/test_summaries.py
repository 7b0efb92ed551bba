"""Sentences about files that hold no p-values."""

from __future__ import annotations

import numpy as np
import pytest

from core.data import EffectTable
from core.report.summaries import effect_table_sentence


@pytest.mark.parametrize(
    ("effects", "begins"),
    [
        ([0.1], "The only effect is 0.1 on d0."),
        (
            [0.1, -0.3, 0.2],
            "2 of 3 effects are above zero; the largest in size is −0.3 on d1.",
        ),
    ],
)
def test_effects_are_told_by_their_signs_and_the_largest(effects, begins) -> None:
    table = EffectTable(
        datasets=tuple(f"d{i}" for i in range(len(effects))),
        effects=np.array(effects),
        standard_errors=np.full(len(effects), 0.1),
    )
    assert effect_table_sentence(table).startswith(begins)
