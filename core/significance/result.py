"""The result of testing "A is better than B" on one dataset."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..comparison import BETTER, Margin
from ..signature import signature_line
from ..validation import check_choice
from .known_tests import SignificanceTest, significance_test_named
from .outcome import Compared, Outcome, Sides, confidence_sequence, swapped_effect
from .settings import (
    OWN,
    TEST_ALTERNATIVES,
    Direction,
    Estimator,
    IntervalKind,
    Method,
    Own,
    Settings,
    TestAlternative,
    Zeros,
)

# Below so many examples a loss on one in ten may well not be seen.
FEWEST_FOR_MEANS = 30
# Cochran (Sampling Techniques, 3rd ed. 1977, section 2.15): n > 25·g1².
_COCHRAN = 25.0


# Without slots, so that setting a property is refused as setting a field is.
@dataclass(frozen=True, kw_only=True, eq=False)
class SignificanceResult(Compared, Outcome):
    """A test of two systems on one dataset.

    Attributes
    ----------
    test, metric : str
        Names of the test and of the metric.
    kind : str
        The metric's kind in `metrics.registry`: "mean" where scores are averaged.
    higher_is_better : bool
        Whether a higher score is the better one.
    n_examples : int
        Size of the dataset.
    score_a, score_b : float
        As the metric has it: a mean as given, a ratio of sums, a correlation with gold.
    difference : float
        A − B, turned so that higher is better.
    wins, ties, losses : int
        Examples on which A is better, neither, B. For sums of statistics and correlations A is
        better where exchanging what is known of the two systems on that example alone (their
        statistics, midranks or standardised scores) would lower A's lead; for ratios with
        shared totals that compares the corrects.
    correlation_ab : float or None
        Of correlations with gold, the one of the two systems' predictions with each other.
    skewness : float or None
        Of the differences, or of the clusters' sums of them, g1. Below 0 where losses of A are
        rarer and larger than its gains; None of 0/1 outcomes, of tests that are not of the
        mean, and where scores are not averaged.
    exact : bool
        Whether p is free of Monte Carlo error. An exact bootstrap is still the bootstrap's
        approximation, and a normal or Student p-value its own.
    statistic : float or None
        The test's own: the difference (bootstrap, randomization), the sum of the ranks of wins,
        wins (McNemar exact and mid-p, sign), χ², t, Z; at a margin of the differences plus or
        less the margin.
    n_resamples : int or None
        Of a Monte Carlo p-value, how many were drawn.
    confidence_interval : (float, float) or None
        Of the difference.
    effect_size : EffectSize or None
        Of the difference, fit for the test: Cohen's d_z (t), matched-pairs rank-biserial
        correlation (Wilcoxon), odds ratio (McNemar), win share (sign), Cohen's q
        (correlations). None where it is not defined, at a margin but for McNemar's, and for the
        bootstrap and randomization of other scores, whose effect is the difference.
    notes : tuple of str
        What to know about the number.
    unreachable : {"greater", "less"} or None
        The direction in which no resample can be extreme.
    settings : Settings
        What the test was asked.
    n_clusters : int or None
        Of clusters drawn or exchanged whole; None where each example stands for
        itself.
    seed : int or None
        Of the resamples, where it is known.
    dataset : str
        What the stream of resamples is drawn by beside the seed: the dataset's name, of one
        among several.
    positive : str
        Of labels and a metric of one class, that class; else empty.
    """

    test: str
    metric: str
    kind: str
    higher_is_better: bool
    settings: Settings
    n_clusters: int | None
    seed: int | None
    dataset: str = ""
    positive: str = ""

    def swapped(self) -> SignificanceResult:
        """The same with A and B exchanged; statistic and signature stay those of the run."""
        effect, ends = self.effect_size, self.confidence_interval
        exchanged: dict[Direction, Direction] = {"greater": "less", "less": "greater"}
        # 0 − x, as −x would make a zero negative.
        return replace(
            self,
            score_a=self.score_b,
            score_b=self.score_a,
            difference=0.0 - self.difference,
            wins=self.losses,
            losses=self.wins,
            skewness=None if self.skewness is None else 0.0 - self.skewness,
            p_values=self.p_values.swapped(),
            extreme=None if self.extreme is None else self.extreme.swapped(),
            confidence_interval=None if ends is None else (0.0 - ends[1], 0.0 - ends[0]),
            unreachable=None if self.unreachable is None else exchanged[self.unreachable],
            effect_size=None
            if effect is None
            else swapped_effect(effect, wins=self.wins, losses=self.losses),
        )

    @property
    def known(self) -> SignificanceTest:
        """The test's record."""
        return significance_test_named(self.test)

    @property
    def alternative(self) -> TestAlternative:
        """What `p_value` speaks for: A better, B better, either."""
        return self.settings.alternative

    @property
    def p_value(self) -> float:
        """For `alternative`."""
        return self.p_value_of(self.alternative)

    @property
    def p_value_greater(self) -> float:
        """Of A better, from the same resamples as the other two."""
        return self.p_values.greater

    @property
    def p_value_less(self) -> float:
        """Of B better."""
        return self.p_values.less

    @property
    def p_value_two_sided(self) -> float:
        """Of one of the two being better; nan at a margin, where it has no meaning."""
        return self.p_values.two_sided

    @property
    def method_asked(self) -> Method:
        """How it was asked to be."""
        return self.settings.method

    @property
    def n_extreme(self) -> int | None:
        """Of a Monte Carlo p-value, the extreme resamples for `alternative`."""
        return self.n_extreme_of(self.alternative)

    @property
    def monte_carlo_interval(self) -> tuple[float, float] | None:
        """Where `p_value` would settle with more resamples."""
        return None if self.n_extreme is None else self.ends_of(self.alternative)

    @property
    def confidence_level(self) -> float:
        """The interval's level."""
        return self.settings.confidence_level

    @property
    def interval(self) -> IntervalKind | Own:
        """The interval's kind.

        A bootstrap's, of which only the basic one goes with the bootstrap's p-value;
        or at a margin ("own") what the test itself does not reject, by its one-sided
        forms at half of the rest: of Wilcoxon an interval of the pseudo-median.
        """
        return self.interval_kind or self.settings.interval

    @property
    def estimator(self) -> Estimator | None:
        """How p is made of the extreme resamples; None of a test that has no such setting."""
        return self.settings.estimator if "estimator" in self.known.settings else None

    @property
    def resample_size(self) -> int | None:
        """How many examples a bootstrap sample has, where it is not all of them."""
        return self.settings.resample_size

    @property
    def zeros(self) -> Zeros | None:
        """What becomes of differences of 0; None of a test that has no such setting."""
        return self.settings.zeros if "zeros" in self.known.settings else None

    @property
    def claim(self) -> str:
        """What is claimed, one of `comparison.COMPARISONS`.

        The p-value of A better is that of this claim for A, of B better that for B.
        """
        return self.settings.claim

    @property
    def margin(self) -> float:
        """In the metric's units."""
        return self.settings.margin

    @property
    def too_few_for_skewness(self) -> tuple[bool, bool]:
        """Whether the p-value of A better, and that of B better, may be too small.

        So it is of a test of the mean with fewer than 30 examples (or clusters), whatever they
        show, and with at most 25·g1² (Cochran, Sampling Techniques, 3rd ed. 1977, section 2.15)
        where the differences are skewed against that system: its losses are rarer and larger than
        its gains. Of p <= .05 under equal means (the draws of `significance.choose.choose_test`) it
        holds with a rare large loss of .80 at n = 30 and of nearly all at n = 100, with 1 − Exp(1)
        of .63 and .22, and of none at n = 400, where the level is nearly kept; with normal
        differences of none from n = 30 on.
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
        return self.p_values.of(alternative)

    def n_extreme_of(self, alternative: TestAlternative) -> int | None:
        """How many resamples are extreme for one alternative; None of a test that draws none."""
        check_choice(alternative, TEST_ALTERNATIVES, name="alternative")
        return None if self.extreme is None else int(self.extreme.of(alternative))

    def ends_of(self, alternative: TestAlternative) -> tuple[float, float]:
        """Where one p-value may settle with more resamples: lowest and highest."""
        n_extreme = self.n_extreme_of(alternative)
        if n_extreme is None or self.n_resamples is None:
            p = self.p_value_of(alternative)
            return p, p
        return confidence_sequence(n_extreme, self.n_resamples)

    def is_out_of_reach(self, alternative: TestAlternative) -> bool:
        """Whether that p-value must not be counted unseen."""
        greater, less = self.out_of_reach
        return bool(Sides(greater, less, greater or less).of(alternative))

    @property
    def signature(self) -> str:
        """The line that names everything the p-value depends on, but for the data."""
        drawn = self.method == "monte-carlo"
        return signature_line(
            test=self.test,
            metric=self.metric,
            kind=self.kind if self.kind != self.metric else None,
            positive=self.positive or None,
            lower=None if self.higher_is_better else "better",
            alt=self.alternative,
            method=self.method,
            estimator=self.estimator,
            resamples=self.n_resamples,
            resample_size=self.resample_size,
            zeros=self.zeros,
            interval=None if self.interval in ("basic", OWN) else self.interval,
            seed=self.seed if drawn else None,
            dataset=(self.dataset or None) if drawn else None,
            n=self.n_examples,
            clusters=self.n_clusters,
            **claim_in_signature(self.claim, self.margin),
        )


def claim_in_signature(claim: str, margin: Margin) -> dict[str, str | float | None]:
    """What a signature says of a claim; nothing of the usual one."""
    if claim == BETTER:
        return {}
    return {"claim": claim, "margin": margin}


def too_few_for(n: int, skewness: float) -> bool:
    """Whether so few differences with this skewness can make a test of the mean too eager for A."""
    return n < FEWEST_FOR_MEANS or (skewness < 0.0 and n <= _COCHRAN * skewness**2)


def as_compared(
    results: Sequence[SignificanceResult | None], *, swapped: bool
) -> tuple[SignificanceResult | None, ...]:
    """Results as an analysis has them, `swapped` where A and B have changed places."""
    if not swapped:
        return tuple(results)
    return tuple(None if result is None else result.swapped() for result in results)
