"""How often tests of 0/1 outcomes reject at exactly the margin, by adding up every outcome."""

import itertools
from collections.abc import Callable

import numpy as np
from scipy.special import gammaln, xlogy

from core.significance.counting import MARGIN_CLAIMS, melded_p_values, tango_p_values

SIZES = (10, 20, 50, 100, 200)
MARGINS = (0.01, 0.02, 0.05, 0.1)
LEVELS = (0.01, 0.05, 0.1)
# Rates of disagreement that are tried are so far apart.
STEP = 0.005
# Of power: so often systems disagree beyond what their difference takes.
DISAGREEMENT = 0.1


class Outcomes:
    """Every pair of wins and losses of n examples, with its chance.

    Attributes
    ----------
    wins, losses : ndarray of int
        One entry a pair.
    """

    def __init__(self, n: int) -> None:
        wins, losses = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
        there = wins + losses <= n
        self.n = n
        self.wins, self.losses = wins[there], losses[there]
        self._neither = n - self.wins - self.losses
        self._ways = (
            gammaln(n + 1)
            - gammaln(self.wins + 1)
            - gammaln(self.losses + 1)
            - gammaln(self._neither + 1)
        )

    def chances(self, delta: float, disagreement: float) -> np.ndarray:
        """Of each pair, where A's accuracy is ahead by delta and they differ so often."""
        ahead, behind = (disagreement + delta) / 2.0, (disagreement - delta) / 2.0
        chances: np.ndarray = np.exp(
            self._ways
            + xlogy(self.wins, max(ahead, 0.0))
            + xlogy(self.losses, max(behind, 0.0))
            + xlogy(self._neither, 1.0 - disagreement)
        )
        return chances

    def largest_level(self, rejected: np.ndarray, margin: float, claim: str) -> float:
        """The largest chance of a pair that is rejected, at exactly the margin."""
        delta = -margin if claim == "not-worse" else margin
        rates = np.clip(np.arange(margin, 1.0 + 1e-9, STEP), margin, 1.0)
        return max(float(self.chances(delta, rate)[rejected].sum()) for rate in rates)


def run(say: Callable[[str], object]) -> int:
    """Say the largest levels and the power of both tests; how often the exact one exceeds α."""
    say(
        f"Largest level at the margin over rates of disagreement {STEP} apart, and power where "
        f"{DISAGREEMENT:.0%} of examples differ beyond A's lead: of not worse where accuracies are "
        "equal, of better by where A is ahead by twice the margin."
    )
    say(
        f"{'claim':10} {'n':>4} {'margin':>6} {'α':>4}   {'melded':>8} {'Tango':>8}   "
        f"{'power':>6} {'Tango':>6}"
    )
    broken = 0
    for n in SIZES:
        outcomes = Outcomes(n)
        for claim, margin in itertools.product(MARGIN_CLAIMS, MARGINS):
            ahead = 0.0 if claim == "not-worse" else 2.0 * margin
            true = outcomes.chances(ahead, ahead + DISAGREEMENT)
            p_values = [
                test(outcomes.wins, outcomes.losses, n, margin=margin, claim=claim)
                for test in (melded_p_values, tango_p_values)
            ]
            for level in LEVELS:
                rejected = [p <= level for p in p_values]
                exact, tango = (outcomes.largest_level(r, margin, claim) for r in rejected)
                power, tangos = (float(true[r].sum()) for r in rejected)
                broken += exact > level
                say(
                    f"{claim:10} {n:4} {margin:6.2f} {level:4.2f}   {exact:7.4f}"
                    f"{'!' if exact > level else ' '} {tango:7.4f}{'!' if tango > level else ' '}   "
                    f"{power:6.3f} {tangos:6.3f}"
                )
    say(f"! above the level; of the exact test {broken}")
    return broken
