"""Sentences about files that hold no p-values and nothing to make them of."""

from __future__ import annotations

import numpy as np

from ..data import EffectTable, ScoreTable
from .formatting import display_name, list_names, minus


def score_table_sentence(table: ScoreTable, *, a: str, b: str) -> str:
    """State on how many datasets each of two systems is ahead, and that this is no test."""
    differences = table.scores(a) - table.scores(b)
    if not table.higher_is_better:
        differences = -differences
    ahead, behind = int((differences > 0).sum()), int((differences < 0).sum())
    equal = differences.size - ahead - behind
    ties = f", {'neither' if equal == 1 else 'they are equal'} on {equal}" if equal else ""
    return (
        f"{display_name(a)} scores better on {ahead} of {differences.size} datasets, "
        f"{display_name(b)} on {behind}{ties}. One score per dataset carries no sampling error, so "
        "we cannot tell whether any of these differences is more than chance."
    )


def score_table_remedy() -> str:
    """State what would make a count possible."""
    return (
        "Counting with a guarantee needs a p-value on each dataset: load the systems' results on "
        "every example, or add a column 'p_value' to this table. Tests over datasets "
        "(Demšar 2006) ask another question: whether one system tends to score better over datasets "
        "like these."
    )


def effect_table_sentence(table: EffectTable) -> str:
    """State what the effects say by themselves, and that this is no count."""
    positive = int((table.effects > 0).sum())
    extreme = int(np.argmax(np.abs(table.effects)))
    n = len(table.datasets)
    counted = "The only effect is" if n == 1 else f"{positive} of {n} effects are above zero; the"
    which = "" if n == 1 else " largest in size is"
    return (
        f"{counted}{which} {minus(f'{table.effects[extreme]:.4g}')} on "
        f"{list_names([table.datasets[extreme]])}. Effects with "
        "standard errors are what a meta-analysis takes; they carry no p-value of a test on each "
        "dataset's examples, so nothing is counted here."
    )


def effect_table_remedy() -> str:
    """State what would make a count possible."""
    return (
        "Counting with a guarantee needs a p-value on each dataset: load the systems' results on "
        "every example, or a table with a column 'p_value'."
    )
