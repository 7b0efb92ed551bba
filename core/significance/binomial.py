"""Tails of a fair coin: how often wins and losses split so unevenly by chance."""

from __future__ import annotations

from core.significance.lattice import SMALLEST
from core.significance.result import Sides


def fair_coin(wins: int, losses: int) -> Sides:
    """Exact p-values of so many wins and losses, X ~ Bin(wins + losses, 1/2).

    Greater: P(X >= wins); less: P(X <= wins); two-sided: twice the smaller, at
    most 1. Without wins and losses all are 1.
    """
    from scipy.special import betainc

    n = wins + losses

    def at_least(successes: int) -> float:
        # The beta integral keeps the digits of small tails; 1 − cdf would not.
        if successes <= 0:
            return 1.0
        return max(float(betainc(successes, n - successes + 1, 0.5)), SMALLEST)

    greater, less = at_least(wins), at_least(losses)
    return Sides(greater, less, min(1.0, 2.0 * min(greater, less)))


def point(wins: int, losses: int) -> float:
    """P(X = wins)."""
    import math

    from scipy.special import betaln

    n = wins + losses
    if min(wins, losses) == 0:
        return 2.0**-n
    return math.exp(-float(betaln(wins + 1, losses + 1)) - math.log(n + 1) - n * math.log(2.0))
