"""The result of testing "A is better than B" on one dataset.

Vocabulary
----------
greater, less, two-sided
    The alternatives: A is better, B is better, one of the two is.
resample
    One artificial test set: a bootstrap sample, or the same examples with A and
    B swapped on some.
extreme
    Of a resample: at least as far out as the event that the p-value is about.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple, get_args

import numpy as np

from ..comparison import BETTER
from ..signature import signature_line
from ..validation import check_choice
from .differences import Differences, Unit
from .intervals import OWN, IntervalKind, Own


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """Scores, their difference, and how many examples speak for whom.

    Attributes
    ----------
    n : int
        Number of examples.
    score_a, score_b : float
        As the metric has them.
    difference : float
        A − B, turned so that higher is better.
    wins, ties, losses : int
        Examples on which A is better, neither is, B is.
    alike : str
        Why no difference can be found, '' where one can.
    correlation_ab : float or None
        Correlation of the two systems' predictions, where it is one of the
        metric's kind.
    skewness : float or None
        Of differences that are averaged, or of the clusters' sums of them; None
        of 0/1 outcomes, of which a mean of 0 is symmetry, and of other metrics.
    """

    n: int
    score_a: float
    score_b: float
    difference: float
    wins: int
    ties: int
    losses: int
    alike: str = ""
    correlation_ab: float | None = None
    skewness: float | None = None


ALL_ZERO = "all differences are zero"


def compared_means(differences: Differences, *, higher_is_better: bool) -> Compared:
    """What differences of scores say, which were turned where lower is better."""
    scores = (differences.score_a, differences.score_b)
    # 0 − x, as −x would make a zero negative.
    score_a, score_b = scores if higher_is_better else (0.0 - scores[0], 0.0 - scores[1])
    return Compared(
        n=differences.n,
        score_a=score_a,
        score_b=score_b,
        difference=differences.mean,
        wins=differences.wins,
        ties=differences.ties,
        losses=differences.losses,
        alike="" if differences.values.any() else ALL_ZERO,
    )


TestAlternative = Literal["greater", "less", "two-sided"]
Direction = Literal["greater", "less"]
Method = Literal["auto", "exact", "monte-carlo", "normal"]
Estimator = Literal["add-one", "berg-kirkpatrick"]
Zeros = Literal["wilcox", "pratt", "zsplit"]
Approximation = Literal["normal", "student"]
MethodUsed = Literal["exact", "monte-carlo"] | Approximation

METHODS_USED: tuple[MethodUsed, ...] = ("exact", "monte-carlo", *get_args(Approximation))
TEST_ALTERNATIVES: tuple[TestAlternative, ...] = get_args(TestAlternative)
METHODS: tuple[Method, ...] = get_args(Method)
ESTIMATORS: tuple[Estimator, ...] = get_args(Estimator)
ZEROS: tuple[Zeros, ...] = get_args(Zeros)

# Robbins' sequence holds the p-value of unlimited resamples, at every number of
# resamples at once, but for this chance.
MISSING_CHANCE = 0.001
# Below so many examples a loss on one in ten may well not be seen.
FEWEST_FOR_MEANS = 30
# Cochran (Sampling Techniques, 3rd ed. 1977, section 2.15): n > 25·g1².
_COCHRAN = 25.0
NO_INTERVAL = "no interval: its resamples would take longer than the test"


class Sides(NamedTuple):
    """One number for each alternative."""

    greater: float
    less: float
    two_sided: float

    def of(self, alternative: TestAlternative) -> float:
        """The number for one alternative."""
        return dict(zip(TEST_ALTERNATIVES, self, strict=True))[alternative]


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectSize:
    """How large the difference is, beside a p-value that says how sure it is.

    Attributes
    ----------
    name : str
        As a person calls it.
    value : float
        Above 0 where A is better, of an odds ratio above 1, of a win share
        above one half; infinite where what it is divided by is 0.
    note : str
        What to know about the number, '' if nothing.
    """

    name: str
    value: float
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outcome:
    """What a test finds in differences, before it is told of names and settings."""

    p_values: Sides
    exact: bool
    statistic: float | None
    n_resamples: int | None = None
    n_extreme: Sides | None = None
    interval: tuple[float, float] | None = None
    interval_kind: Own | None = None
    notes: tuple[str, ...] = ()
    unreachable: Direction | None = None
    approximation: Approximation | None = None
    effect_size: EffectSize | None = None

    @property
    def method(self) -> MethodUsed:
        """How the p-values were computed."""
        return self.approximation or ("exact" if self.exact else "monte-carlo")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SignificanceResult:
    """A test of two systems on one dataset.

    Attributes
    ----------
    test, metric : str
        Names of the test and of the metric.
    kind : str
        The metric's kind in `metrics.registry`: "mean" where scores are
        averaged.
    alternative : {"greater", "less", "two-sided"}
        What `p_value` speaks for: A better, B better, either.
    p_value : float
        For `alternative`.
    p_value_greater, p_value_less, p_value_two_sided : float
        For each alternative, from the same resamples.
    exact : bool
        Whether it is free of Monte Carlo error. An exact bootstrap is still the
        bootstrap's approximation, and a normal or Student p-value its own.
    n_resamples, n_extreme : int or None
        Of a Monte Carlo p-value: resamples, and the extreme ones for `alternative`.
    monte_carlo_interval : (float, float) or None
        Where `p_value` would settle with more resamples.
    n_examples : int
        Size of the dataset.
    n_clusters : int or None
        Of clusters drawn or exchanged whole; None where each example stands for
        itself.
    score_a, score_b : float
        The systems' scores as the metric has them: means as given, ratios of
        sums, correlations with gold.
    difference : float
        A − B, turned so that higher is better.
    correlation_ab : float or None
        Of correlations with gold, the one of the two systems' predictions with
        each other.
    confidence_interval : (float, float) or None
        Of the difference.
    confidence_level : float
        Its level.
    interval : {"basic", "percentile", "bca", "own"}
        Its kind: a bootstrap's, of which only the basic one goes with the bootstrap's
        p-value; or at a margin what the test itself does not reject, by its one-sided
        forms at half of the rest: of Wilcoxon an interval of the pseudo-median.
    wins, ties, losses : int
        Examples on which A is better, neither is, B is. For sums of statistics
        and correlations, that is where exchanging what is known of the two
        systems on that example alone (their statistics, midranks or
        standardised scores) would lower A's lead, leave it, raise it; for ratios
        with shared totals that compares the corrects.
    statistic : float or None
        The test's own: the difference (bootstrap, randomization), the sum of
        the ranks of wins, wins (McNemar exact and mid-p, sign), χ², t, Z.
    notes : tuple of str
        What to know about the number.
    higher_is_better : bool
        Whether a higher score is the better one.
    method : {"exact", "monte-carlo", "normal", "student"}
        How the p-value was computed.
    method_asked : {"auto", "exact", "monte-carlo", "normal"}
        How it was asked to be.
    estimator, resample_size, zeros
        The test's settings, None where it has none of the kind.
    seed : int or None
        Of the resamples, where it is known.
    unreachable : {"greater", "less"} or None
        The direction in which no resample can be extreme.
    effect_size : EffectSize or None
        Fit for the test: Cohen's d_z (t), matched-pairs rank-biserial
        correlation (Wilcoxon), odds ratio (McNemar), win share (sign), Cohen's q
        (correlations). None where it is not defined, and for the bootstrap and
        randomization of other scores, whose effect is the difference.
    skewness : float or None
        Of the differences, or of the clusters' sums of them, g1: below 0 where
        losses of A are rarer and larger than its gains. None of 0/1 outcomes,
        of tests that are not of the mean, and where scores are not averaged.
    claim : str
        What is claimed, one of `comparison.COMPARISONS`: the p-value of A better
        is then that of this claim for A, of B better that for B, and a claim at a
        margin has no two-sided one (nan). `statistic` is then of the differences plus
        or less the margin, but wins stay wins; `effect_size` is None but for McNemar's.
    margin : float
        In the metric's units.
    """

    test: str
    metric: str
    kind: str
    alternative: TestAlternative
    p_value: float
    p_value_greater: float
    p_value_less: float
    p_value_two_sided: float
    exact: bool
    n_resamples: int | None
    n_extreme: int | None
    monte_carlo_interval: tuple[float, float] | None
    n_examples: int
    score_a: float
    score_b: float
    difference: float
    correlation_ab: float | None
    confidence_interval: tuple[float, float] | None
    confidence_level: float
    interval: IntervalKind | Own
    wins: int
    ties: int
    losses: int
    statistic: float | None
    notes: tuple[str, ...]
    higher_is_better: bool
    method: MethodUsed
    method_asked: Method
    estimator: Estimator | None
    resample_size: int | None
    zeros: Zeros | None
    seed: int | None
    unreachable: Direction | None
    n_clusters: int | None
    effect_size: EffectSize | None
    skewness: float | None
    claim: str = BETTER
    margin: float = 0.0

    @property
    def too_few_for_skewness(self) -> tuple[bool, bool]:
        """Whether the p-value of A better, and that of B better, may be too small.

        So it is of a test of the mean with fewer than 30 examples (or clusters),
        whatever they show, and with at most 25·g1² where the differences are
        skewed against that system: its losses are rarer and larger than its
        gains. Of p <= .05 under equal means (the draws of
        `significance.choose.choose_test`) it holds with a rare large loss
        of .80 at n = 30 and of nearly all at n = 100, with 1 − Exp(1) of .63 and
        .22, and of none at n = 400, where the level is nearly kept; with normal
        differences of none from n = 30 on.

        References
        ----------
        Cochran, Sampling Techniques (3rd ed. 1977), section 2.15.
        """
        if self.skewness is None:
            return False, False
        n = self.n_examples if self.n_clusters is None else self.n_clusters
        return too_few_for(n, self.skewness), too_few_for(n, -self.skewness)

    @property
    def out_of_reach(self) -> tuple[bool, bool]:
        """Whether the p-value of A better, and that of B better, must not be counted unseen.

        A bootstrap cannot give a resample that is extreme, so that its p-value,
        an exact 0 or the smallest that its resamples allow, says nothing about
        the strength of evidence; nor does a 0 for a system that is not ahead.
        """
        zero = self.p_value_greater == 0.0, self.p_value_less == 0.0
        empty = self.exact or all(zero)
        return (
            self.unreachable == "greater" or (zero[0] and (empty or self.difference <= 0.0)),
            self.unreachable == "less" or (zero[1] and (empty or self.difference >= 0.0)),
        )

    def p_value_of(self, alternative: TestAlternative) -> float:
        """The p-value that speaks for an alternative, whichever the test was asked for."""
        sides = Sides(self.p_value_greater, self.p_value_less, self.p_value_two_sided)
        return sides.of(alternative)

    def is_out_of_reach(self, alternative: TestAlternative) -> bool:
        """Whether that p-value must not be counted unseen."""
        greater, less = self.out_of_reach
        return bool(Sides(greater, less, greater or less).of(alternative))

    @property
    def signature(self) -> str:
        """The line that names everything the p-value depends on, but for the data."""
        return signature_line(
            test=self.test,
            metric=self.metric,
            kind=self.kind if self.kind != self.metric else None,
            alt=self.alternative,
            method=self.method,
            estimator=self.estimator,
            resamples=self.n_resamples,
            resample_size=self.resample_size,
            zeros=self.zeros,
            interval=None if self.interval in ("basic", OWN) else self.interval,
            seed=self.seed if self.method == "monte-carlo" else None,
            n=self.n_examples,
            clusters=self.n_clusters,
            **claim_in_signature(self.claim, self.margin),
        )


def claim_in_signature(claim: str, margin: float) -> dict[str, str | float | None]:
    """What a signature says of a claim; nothing of the usual one."""
    if claim == BETTER:
        return {}
    return {"claim": claim, "margin": margin}


def too_few_for(n: int, skewness: float) -> bool:
    """Whether so few differences with this skewness can make a test of the mean too eager for A."""
    return n < FEWEST_FOR_MEANS or (skewness < 0.0 and n <= _COCHRAN * skewness**2)


@lru_cache(maxsize=4096)
def confidence_sequence(n_extreme: int, n_resamples: int) -> tuple[float, float]:
    """The p-values t that s extreme of b resamples do not rule out, at any b.

    {t : (b+1)·C(b,s)·t^s·(1−t)^(b−s) > .001} (Robbins 1970, section 2).

    Raises
    ------
    ValueError
        If it is not 0 <= s <= b, b >= 1.
    """
    from scipy.special import gammaln, xlog1py, xlogy

    s, b = n_extreme, n_resamples
    if not 0 <= s <= b or b < 1:
        raise ValueError(f"`n_extreme` must lie in 0..`n_resamples`; got {s} of {b}.")
    constant = np.log(b + 1.0) + gammaln(b + 1.0) - gammaln(s + 1.0) - gammaln(b - s + 1.0)

    def inside(t: float) -> bool:
        return bool(constant + xlogy(s, t) + xlog1py(b - s, -t) > np.log(MISSING_CHANCE))

    def edge(within: float, without: float) -> float:
        # Each step halves the way; 60 of them reach the last digit of a float.
        for _ in range(60):
            middle = 0.5 * (within + without)
            if inside(middle):
                within = middle
            else:
                without = middle
        return without

    peak = s / b
    low = 0.0 if s == 0 else edge(peak, 0.0)
    high = 1.0 if s == b else edge(peak, 1.0)
    return low, high


def attainable(
    alternative: TestAlternative,
    *,
    n_differing: int,
    n: int,
    unit: Unit = "examples",
    mid_p: bool = False,
) -> tuple[str, ...]:
    """A note on the smallest p-value that so few differing examples can give, or none.

    Up to .01 it goes without saying: from seven examples on, two-sided from eight.

    Raises
    ------
    ValueError
        If there is no such alternative.
    """
    check_choice(alternative, TEST_ALTERNATIVES, name="alternative")
    smallest = (2.0 if alternative == "two-sided" else 1.0) * 2.0**-n_differing
    if mid_p:
        smallest /= 2.0
    if smallest <= 0.01 or n_differing == 0:
        return ()
    differ = f"{unit} {'differs' if n_differing == 1 else 'differ'}"
    everything = f"n = {n}" if unit == "examples" else f"{n} {unit if n > 1 else unit[:-1]}"
    which = everything if n_differing == n else f"only {n_differing} of {n} {differ}"
    return (f"{which}: the smallest attainable p is {f'{smallest:.4g}'.removeprefix('0')}",)
