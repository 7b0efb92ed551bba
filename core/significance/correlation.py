"""Two correlations with the same gold scores: Williams, Steiger, Meng–Rosenthal–Rubin.

Null hypothesis: both systems correlate with gold alike, examples being drawn
from a normal distribution of the three. Spearman's correlations of midranks are
put in the place of Pearson's, which is common and approximate.

Where the null is true, each rejects at α = .05 (.01) more often than α: on Pearson's
by at most .010 (.005) for n = 50, on Spearman's, which vary more, by at most .020
(.010) for n = 50. That holds of correlations of .6 with gold. Nearer to 1, or of
skewed scores, they reject at α = .05 (two-sided in brackets, n = 12 to 400):

- Spearman at .9: .07 to .08 (.08 to .11); at .98: .15 to .07 (.21 to .09), least at n = 400;
- Pearson, lognormal scores: .13 to .25 (.18 to .39), near 1 .17 to .32 (.26 to .56), most at
  n = 400.

Randomization of standings rejects there in .04 to .10 (.04 to .14) and is the default; see
`significance.predictions`, also for systems that err in different ways.

Vocabulary
----------
r_gold_a, r_gold_b
    Correlations of each system's predictions with gold.
r_a_b
    Correlation of the two systems' predictions with each other.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from ..metrics.registry import ONE
from .lattice import SMALLEST
from .outcome import NO_EVIDENCE, Outcome, Sides
from .predictions import Predictions
from .settings import Approximation, Asked

FEWEST = 4
PERFECT = "a correlation of 1 or −1 with gold: Williams' p is far too small, use randomization"


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrelationTest:
    """A test of two correlations that share the gold scores, from the three correlations alone.

    The `formula` goes from r_gold_a, r_gold_b, r_a_b and n >= 4 to the statistic, None where it is
    undefined; `of_fisher_z` if it takes Fisher's z of correlations with gold, which 1 and −1 have
    not.
    """

    called: str
    formula: Callable[[float, float, float, int], float | None]
    approximation: Approximation
    of_fisher_z: bool

    def of_correlations(self, predictions: Predictions, asked: Asked) -> Outcome:
        """As `outcome`, of the correlations turned so that higher is better."""
        comparison, sign = predictions.comparison, predictions.sign
        if comparison.alike:
            return self._no_difference(0.0)
        assert comparison.correlation_ab is not None
        return self.outcome(
            sign * comparison.score_a,
            sign * comparison.score_b,
            comparison.correlation_ab,
            comparison.n_examples,
        )

    def has_no_z(self, r_gold_a: float, r_gold_b: float) -> bool:
        """Whether it needs Fisher's z of a correlation that has none, being 1 or −1."""
        return self.of_fisher_z and max(abs(r_gold_a), abs(r_gold_b)) >= ONE

    def outcome(self, r_gold_a: float, r_gold_b: float, r_a_b: float, n: int) -> Outcome:
        """The outcome for correlations that are possible together."""
        statistic = self.statistic(r_gold_a, r_gold_b, r_a_b, n)
        if r_a_b >= ONE:
            return self._no_difference(
                0.0, "r(A, B) = 1: the two systems cannot be told apart, p = 1"
            )
        if n < FEWEST:
            needs = f"n = {n}: {self.called} needs at least {FEWEST} examples, p = 1"
            return self._no_difference(None, needs)
        if statistic is None:
            undefined = f"r(A, B) = {r_a_b:.4g}: {self.called} is undefined, p = 1"
            return self._no_difference(None, undefined)
        greater, less = self.below(-statistic, n), self.below(statistic, n)
        return Outcome(
            p_values=Sides.of_tails(greater, less),
            exact=True,
            statistic=statistic,
            notes=(PERFECT,) if max(abs(r_gold_a), abs(r_gold_b)) >= ONE else (),
            approximation=self.approximation,
        )

    def statistic(self, r_gold_a: float, r_gold_b: float, r_a_b: float, n: int) -> float | None:
        """The statistic alone, for searches that need no p-value; None where it is undefined.

        Raises ValueError if Fisher's z of a correlation is infinite where the test needs it.
        """
        if r_a_b >= ONE:
            return 0.0
        if n < FEWEST:
            return None
        if self.has_no_z(r_gold_a, r_gold_b):
            raise ValueError(
                f"{self.called} must have correlations with gold other than 1 and -1; got "
                f"{r_gold_a:g} and {r_gold_b:g}. Randomization and the bootstrap take them."
            )
        return self.formula(r_gold_a, r_gold_b, r_a_b, n)

    def below(self, value: float, n: int) -> float:
        """The chance of a statistic of at most `value`, never 0."""
        from scipy.special import ndtr, stdtr

        chance = stdtr(n - 3, value) if self.approximation == "student" else ndtr(value)
        return max(float(chance), SMALLEST)

    def _no_difference(self, statistic: float | None, *notes: str) -> Outcome:
        return Outcome(
            p_values=NO_EVIDENCE,
            exact=True,
            statistic=statistic,
            notes=notes,
            approximation=self.approximation,
        )


def _williams(a: float, b: float, c: float, n: int) -> float | None:
    mean = 0.5 * (a + b)
    # The determinant of the three correlations; in this form it keeps its digits for c near 1.
    rest = max(0.0, (1.0 - c) * (1.0 + c - 2.0 * a * b) - (a - b) ** 2)
    variance = 2.0 * (n - 1.0) / (n - 3.0) * rest + mean**2 * (1.0 - c) ** 3
    if variance <= 0.0:
        return None
    return (a - b) * math.sqrt((n - 1.0) * (1.0 + c) / variance)


def _steiger(a: float, b: float, c: float, n: int) -> float | None:
    square = (0.5 * (a + b)) ** 2
    covariance = (c * (1.0 - 2.0 * square) - 0.5 * square * (1.0 - 2.0 * square - c**2)) / (
        1.0 - square
    ) ** 2
    if covariance >= 1.0:
        return None
    return (math.atanh(a) - math.atanh(b)) * math.sqrt((n - 3.0) / (2.0 - 2.0 * covariance))


def _meng(a: float, b: float, c: float, n: int) -> float:
    square = 0.5 * (a**2 + b**2)
    f = min(1.0, (1.0 - c) / (2.0 * (1.0 - square)))
    h = (1.0 - f * square) / (1.0 - square)
    return (math.atanh(a) - math.atanh(b)) * math.sqrt((n - 3.0) / (2.0 * (1.0 - c) * h))


WILLIAMS = CorrelationTest(
    called="Williams' t", formula=_williams, approximation="student", of_fisher_z=False
)
STEIGER = CorrelationTest(
    called="Steiger's Z", formula=_steiger, approximation="normal", of_fisher_z=True
)
MENG = CorrelationTest(called="Meng's Z", formula=_meng, approximation="normal", of_fisher_z=True)
