"""Effect sizes as text."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..significance.effect_sizes import ODDS_RATIO, WIN_SHARE
from ..significance.result import EffectSize, SignificanceResult
from .formatting import signed

EFFECT_NAMES = {
    "matched-pairs rank-biserial correlation": "rank-biserial r",
    "odds ratio b/c": "odds ratio",
    "win share": "win share",
    "Cohen's d_z": "Cohen's d_z",
    "Cohen's q": "Cohen's q",
}
EFFECT_RULES = {
    "rank-biserial r": (
        "of the sum of ranks, A's share less B's: from −1 to 1, 0 where neither is ahead"
    ),
    "odds ratio": (
        "examples that only A has right for each that only B has right: 1 where neither is ahead"
    ),
    "win share": "of the examples that are not ties, those that A wins: one half where neither is",
    "Cohen's d_z": "mean difference in standard deviations of the differences",
    "Cohen's q": "difference of the two correlations after Fisher's transformation",
}


def effect_name(effect: EffectSize) -> str:
    """Its name, short enough for a heading."""
    return EFFECT_NAMES.get(effect.name, effect.name)


def effect_text(effect: EffectSize | None) -> str:
    """Its value, with a sign where 0 is the middle; a dash where there is none."""
    if effect is None:
        return "–"
    if math.isinf(effect.value):
        return "∞" if effect.value > 0.0 else "−∞"
    if effect.name in (ODDS_RATIO, WIN_SHARE):
        return f"{effect.value:.3g}"
    return signed(effect.value, 3)


def effect_lines(results: Sequence[SignificanceResult]) -> list[str]:
    """What each effect size that the results have says."""
    found = [effect_name(r.effect_size) for r in results if r.effect_size is not None]
    return [f"{name}: {EFFECT_RULES[name]}." for name in dict.fromkeys(found)]
