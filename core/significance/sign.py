"""The sign test: wins against losses, however large they are.

Null hypothesis: a difference that is not zero is positive with chance 1/2.
"""

from __future__ import annotations

from core.significance.binomial import fair_coin
from core.significance.differences import Differences
from core.significance.result import Outcome, TestAlternative, attainable


def sign(differences: Differences, *, alternative: TestAlternative = "greater") -> Outcome:
    """Exact binomial test of the number of wins; ties are dropped.

    Parameters
    ----------
    differences : Differences
        Of n examples.
    alternative : {"greater", "less", "two-sided"}
        For the note on the smallest attainable p-value.

    References
    ----------
    Dixon and Mood (JASA 1946).
    """
    wins, losses = differences.wins, differences.losses
    return Outcome(
        p_values=fair_coin(wins, losses),
        exact=True,
        statistic=float(wins),
        notes=attainable(alternative, n_differing=wins + losses, n=differences.n),
    )
