"""Which p-values a test in use can give beside two printed scores, whatever the paper ran.

Vocabulary
----------
tests in use
    Of 0/1 outcomes: McNemar's four, the sign test, paired t and z, z and t of two
    samples, χ² and Fisher's test of a 2 × 2 table, Wilcoxon's test with each treatment of
    zeros and ties, the bootstrap counted from 0 or shifted, randomization of pairs or of
    all outcomes. Of correlations with one gold: Williams, Steiger, Meng, Hotelling,
    Fisher's z of independent correlations, the bootstrap and randomization.
    Each one-sided for either system or two-sided.
limit
    The largest one-sided p-value that any of them gives for the system whose score is
    the higher one, over everything that the scores leave open. The other system's
    one-sided p-values are then at least 1 − limit, and two-sided ones at most twice it.
reach
    The largest share that a resampled test may print, s/R or (s + 1)/(R + 1), where its
    p-value without Monte Carlo error is known. So many resamples or more are taken to be
    drawn, and a count is taken to be possible if its probability is above `RAREST`.

The smallest p-values say less: a bootstrap that counts resamples in which the other system
is ahead gives 0 wherever that is right on no example alone, which scores never exclude.
"""

import math
from dataclasses import dataclass

import numpy as np

from ..significance.correlation import FEWEST
from ..significance.known_tests import of_outcomes, significance_test_names
from ..types import IntArray
from .correlations import BELOW_ONE
from .printed_scores import Range, ScoreRange, mcnemar_p_values, most_disagreements

# Resamples of a resampled test, and the rarest count that is taken to be possible.
FEWEST_RESAMPLES, MOST_RESAMPLES = 100, 100_000
RAREST = 1e-9
# A resampled difference of correlations varies with the shape of the scores, which nothing
# printed tells. Its spread is taken to be at most so many times that of two independent
# correlations of normal scores: measured 2.3 for ranks, 5.2 (bootstrap) and 6.7
# (randomization, n = 31) for lognormal scores. With heavier tails it can be larger.
SPREAD = 8.0
# Approximations of one tail (t for Welch's t, a normal for an exact tail) differ by less.
_SLACK = 1.02
_MOST_POINTS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class InUse:
    """The p-values that tests in use can give beside two scores.

    `ahead` is whose score is the higher one; None where the digits leave that open, or no number of
    right examples gives them: then every p-value is taken to be possible. The limits are those over
    all tests and over the resampled ones, without Monte Carlo error. `smallest` is the smallest that a
    formula gives; a resampled test gives 0, or 1/(`MOST_RESAMPLES` + 1) and more.
    """

    ahead: str | None
    limit: float
    resampled_limit: float
    smallest: float

    @property
    def ends(self) -> Range:
        """Largest two-sided p-value, or one-sided for the system ahead; smallest for the other."""
        far = reach(self.resampled_limit)
        # Scripts double a one-sided share, whose Monte Carlo error doubles with it.
        return min(1.0, 2.0 * max(self.limit, far)), 1.0 - min(1.0, max(self.limit, far))

    @property
    def ranges(self) -> tuple[Range, ...]:
        """Where p-values of any test and side lie, as intervals that do not meet, rising."""
        most, least = self.ends
        return ((0.0, most), (least, 1.0)) if most < least else ((0.0, 1.0),)

    def allows(self, low: float, high: float) -> bool:
        """Whether some test prints a p-value from `low` to `high`, rounded or cut to its digits."""
        low, high = any_rounding(low, high)
        most, least = self.ends
        if high >= least:
            return True
        tiny = min(self.smallest, 1.0 / (MOST_RESAMPLES + 1))
        return low <= most and (low <= 0.0 or high >= tiny)

    def toward(self, side: str) -> Range:
        """Where the one-sided p-value for A or B lies, without the Monte Carlo error of its own end."""
        return (0.0, self.limit) if side == self.ahead else (self.ends[1], 1.0)


def in_use_of(score_a: ScoreRange, score_b: ScoreRange, n: int) -> InUse:
    """Which p-values tests in use can give, however the scores were brought to their digits.

    The scores are rounded ones; those cut off or rounded up to the same digits are allowed for.
    """
    a, b = score_a.by_any_rounding(), score_b.by_any_rounding()
    for ahead, more, less in (("a", a, b), ("b", b, a)):
        if a.metric == "accuracy":
            right, fewer = more.counts(n), less.counts(n)
            # One example alone has no variance, and leaves everything open.
            if n > 1 and fewer[0] <= fewer[1] < right[0] <= right[1]:
                return _of_counts(ahead, right, fewer, n)
        elif n >= FEWEST and more.low > less.high:
            return _of_correlations(ahead, float(more.low), float(less.high), n)
    return InUse(ahead=None, limit=1.0, resampled_limit=1.0, smallest=0.0)


def any_rounding(low: float, high: float) -> Range:
    """Where a p-value lies that was rounded to the nearest, up, or down to its digits."""
    width = high - low
    half = width if low <= 0.0 or high >= 1.0 else width / 2.0
    return max(0.0, low - half), min(1.0, high + half)


def reach(p_value: float) -> float:
    """The largest share that a resampled test prints whose p-value is known."""
    from scipy.stats import binom

    # Fewer resamples spread further; one more than the count over one more than R is larger.
    counts = np.arange(FEWEST_RESAMPLES + 1)
    # SciPy's probabilities overflow beside the smallest floats, where only a count of 0 is possible.
    possible = binom.pmf(counts, FEWEST_RESAMPLES, max(p_value, RAREST**2)) > RAREST
    return (int(counts[possible].max(initial=0)) + 1) / (FEWEST_RESAMPLES + 1)


def _of_counts(ahead: str, more: tuple[int, int], fewer: tuple[int, int], n: int) -> InUse:
    """Of right examples of the system ahead and of the other, fewest and most."""
    (fewest_ahead, most_ahead), (fewest_behind, most_behind) = more, fewer
    # As d grows by k, s grows by at most k: every p-value is largest at the least d.
    d = fewest_ahead - most_behind
    most = most_disagreements(np.array([d]), n, more, fewer)
    # Disagreements from the fewest to the most, each of a few and enough of many.
    steps = (int(most[0]) - d) // 2
    chosen = np.linspace(0, steps, min(steps + 1, _MOST_POINTS)).astype(np.intp)
    splits: IntArray = d + 2 * np.unique(chosen)
    # All outcomes dealt anew, Fisher's exact test, give no more than pairs that disagree the most.
    resampled = max(
        _largest_of_mcnemar(d, splits, tests=("mcnemar",)),
        *(_bootstrapped(d, s, n) for s in sorted({d, int(splits[splits.size // 2]), int(most[0])})),
    )
    limit = max(
        resampled,
        _largest_of_mcnemar(d, splits, tests=significance_test_names(of_outcomes)),
        _paired(d, splits, n),
        _of_two_samples(d, fewest_ahead + most_behind, n),
    )
    return InUse(
        ahead=ahead,
        limit=min(1.0, _SLACK * limit),
        resampled_limit=min(1.0, _SLACK * resampled),
        smallest=_smallest_formula(most_ahead - fewest_behind, n) / _SLACK,
    )


def _largest_of_mcnemar(d: int, splits: IntArray, *, tests: tuple[str, ...]) -> float:
    differences = np.full_like(splits, d)
    return max(
        float(mcnemar_p_values(differences, splits, test=test, alternative="greater").max())
        for test in tests
    )


def _paired(d: int, splits: IntArray, n: int) -> float:
    """Paired t, and Wilcoxon's test without correction for ties, zeros dropped or split."""
    from scipy.special import ndtr, stdtr

    s = splits.astype(np.float64)
    variance = n * s - float(d) ** 2
    t = np.divide(
        d * math.sqrt(n - 1.0), np.sqrt(variance), out=np.full_like(s, np.inf), where=variance > 0
    )
    # All differences are 1 in size: each has the mean rank, zeros the ranks below.
    dropped = (d * (s + 1.0) / 4.0 - 0.5) / np.sqrt(s * (s + 1.0) * (2.0 * s + 1.0) / 24.0)
    ranks = (n - s) + (s + 1.0) / 2.0
    split = (d * ranks / 2.0 - 0.5) / math.sqrt(n * (n + 1.0) * (2.0 * n + 1.0) / 24.0)
    z = np.minimum(dropped, split)
    return max(float(stdtr(n - 1, -t).max()), float(ndtr(-z).max()))


def _of_two_samples(d: int, right: int, n: int) -> float:
    """Two proportions or means of n examples each, with correction and Student's tail."""
    from scipy.special import stdtr

    share = right / (2.0 * n)
    variance = 2.0 * n * share * (1.0 - share)
    return float(stdtr(n - 1, -(d - 1.0) * math.sqrt((n - 1.0) / n / variance)))


def _bootstrapped(d: int, s: int, n: int) -> float:
    """Not ahead in a resample, or twice as far ahead: the larger probability."""
    from scipy.stats import binom

    # Disagreements in a resample, then the wins among them.
    far = 9.0 * math.sqrt(s) + 30.0
    total = np.arange(max(0, int(s - far)), min(n, int(s + far)) + 1)
    chances, wins = binom.pmf(total, n, s / n), (s + d) / (2.0 * s)
    not_ahead = binom.cdf(total // 2, total, wins)
    twice = binom.sf(-(-(total + 2 * d) // 2) - 1, total, wins)
    return max(float((chances * not_ahead).sum()), float((chances * twice).sum()))


def _smallest_formula(d: int, n: int) -> float:
    """Where the other system is right on nothing alone: McNemar's tests and the paired z."""
    from scipy.special import ndtr

    disagreements = np.array([d])
    found = [
        float(mcnemar_p_values(disagreements, disagreements, test=test, alternative="greater")[0])
        for test in significance_test_names(of_outcomes)
    ]
    paired = 0.0 if d >= n else float(ndtr(-math.sqrt(d / (1.0 - d / n))))
    return min(*found, paired)


def _of_correlations(ahead: str, more: float, less: float, n: int) -> InUse:
    """Of the least correlation of the system ahead and the largest of the other."""
    from scipy.special import ndtr

    apart = math.atanh(min(more, BELOW_ONE)) - math.atanh(max(less, -BELOW_ONE))
    # A formula's difference spreads at most √2 times as far as of independent ones, and so gives less.
    limit = _SLACK * float(ndtr(-apart * math.sqrt((n - 3.0) / 2.0) / SPREAD))
    # Hotelling's t goes beyond all bounds.
    return InUse(ahead=ahead, limit=limit, resampled_limit=limit, smallest=0.0)
