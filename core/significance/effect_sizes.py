"""How large the difference is, in the terms that a test thinks in.

Vocabulary
----------
d_z
    Mean difference over the standard deviation of the differences (Cohen 1988).
matched-pairs rank-biserial correlation
    Of the signed ranks' sum, the share for A less the share for B (Kerby 2014).
odds ratio
    Of McNemar's discordant examples, how many A has right for each that B has.
win share
    Of the examples that are not ties, those that A wins.
Cohen's q
    Difference of the Fisher z of two correlations (Cohen 1988).
"""

from __future__ import annotations

import math

import numpy as np

from ..metrics.registry import ONE
from .differences import Differences
from .outcome import EffectSize

COHENS_D_Z = "Cohen's d_z"
RANK_BISERIAL = "matched-pairs rank-biserial correlation"
ODDS_RATIO = "odds ratio b/c"
WIN_SHARE = "win share"
COHENS_Q = "Cohen's q"


def cohens_q(r_a: float, r_b: float) -> EffectSize | None:
    """Cohen's q of A's correlation with gold and B's; None where only one of them is 1 or −1.

    Fisher's z of such a correlation is infinite. Of equal correlations q is 0.
    """
    z_a, z_b = _fisher_z(r_a), _fisher_z(r_b)
    if z_a == z_b:
        return EffectSize(name=COHENS_Q, value=0.0)
    if math.isinf(z_a) or math.isinf(z_b):
        return None
    return EffectSize(name=COHENS_Q, value=z_a - z_b)


def swapped_effect(effect: EffectSize, *, wins: int, losses: int) -> EffectSize:
    """The same effect size with A and B exchanged, of so many wins and losses of A."""
    counted = {ODDS_RATIO: odds_ratio, WIN_SHARE: win_share}.get(effect.name)
    if counted is not None:
        return counted(losses, wins) or effect
    # 0 − x, as −x would make a zero negative.
    return EffectSize(name=effect.name, value=0.0 - effect.value, note=effect.note)


def _fisher_z(r: float) -> float:
    return math.copysign(math.inf, r) if abs(r) >= ONE else math.atanh(r)


def d_z(differences: Differences) -> EffectSize | None:
    """Cohen's d_z; None where the differences do not vary."""
    if differences.constant:
        return None
    # By a power of two, so that squares neither overflow nor vanish.
    scale = 2.0 ** -math.frexp(float(np.abs(differences.values).max()))[1]
    deviation = float((differences.values * scale).std(ddof=1))
    return EffectSize(name=COHENS_D_Z, value=differences.mean * scale / deviation)


def win_share(wins: int, losses: int) -> EffectSize | None:
    """The win share; None where every example is a tie."""
    decided = wins + losses
    return EffectSize(name=WIN_SHARE, value=wins / decided) if decided else None


def odds_ratio(b: int, c: int) -> EffectSize | None:
    """B over c, infinite where c is 0; None where both are."""
    if c:
        return EffectSize(name=ODDS_RATIO, value=b / c)
    if b == 0:
        return None
    return EffectSize(
        name=ODDS_RATIO,
        value=math.inf,
        note=f"c = 0; with one half added to either count it is {(b + 0.5) / 0.5:g}",
    )
