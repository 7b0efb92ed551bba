"""One test on one dataset: how it is run, once it is clear which metric it is asked for, and its result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy.typing as npt

from ..comparison import BETTER, Margin
from ..metrics.per_example import (
    LABEL_METRICS,
    METRICS,
    Metric,
    class_statistics,
    label_statistics,
    other_than_binary,
    per_example_scores,
    per_example_statistics,
    predictions_and_gold,
)
from ..metrics.registry import (
    CORRELATIONS,
    MEAN,
    STATISTIC_METRICS,
    Correlation,
    StatisticMetric,
    correlation_of,
    is_counted,
    statistic_metric,
)
from ..signature import signature_line
from ..types import FloatArray
from ..validation import check_choice, check_same_order, check_yes_or_no
from .choose import family_of, why_unfit
from .compare import compare_counts, compare_means, compare_predictions
from .differences import Clusters, clusters_of, few_clusters
from .known_tests import (
    Family,
    SignificanceTest,
    check_settings,
    of_three_correlations,
    significance_test_named,
)
from .outcome import Compared, Outcome, Sides, confidence_sequence, swapped_effect
from .settings import (
    OWN,
    TEST_ALTERNATIVES,
    Asked,
    Direction,
    Estimator,
    IntervalKind,
    Method,
    Own,
    Rng,
    Settings,
    TestAlternative,
    Zeros,
    generator_of,
)
from .stopping import KeepGoing

_METRICS: tuple[str, ...] = (*METRICS, *STATISTIC_METRICS, *CORRELATIONS, *LABEL_METRICS)
_OF_ONE_CLASS = STATISTIC_METRICS["f1"].statistics


def _asked_metric(
    metric: str | StatisticMetric, known: SignificanceTest, correlation: Correlation
) -> tuple[str, str, StatisticMetric | None]:
    """The metric's name, its kind, and its record where it is one of statistics, not of labels."""
    check_choice(correlation, CORRELATIONS, name="correlation")
    if isinstance(metric, str) and is_counted(metric):
        metric = statistic_metric(metric)
    if isinstance(metric, StatisticMetric):
        return metric.key, metric.key, metric
    check_choice(metric, _METRICS, name="metric")
    if metric == MEAN and of_three_correlations(known):
        metric = correlation
    if metric == "spearman" and correlation == "pearson":
        raise ValueError("`metric` and `correlation` must agree; got 'spearman' and 'pearson'.")
    return metric, MEAN if metric in METRICS else metric, None


def _check_fits(known: SignificanceTest, family: Family, *, named: str, **asked: Any) -> None:
    for what, remedy in why_unfit(known, family, named=named, **asked):
        raise ValueError(
            f"`test` must be one for these scores; got {known.name!r}: {what} {remedy}"
        )


def _check_labels(
    name: str, counted: StatisticMetric | None, *, gold: npt.ArrayLike | None, positive: object
) -> None:
    """Check that a class is named where there are labels and a metric of one class, and only there."""
    of_one_class = counted is not None and counted.statistics == _OF_ONE_CLASS
    if positive is not None and (gold is None or not of_one_class):
        raise ValueError(
            "`positive` must come with `gold` labels and a metric of one class, such as 'f1', "
            f"'precision' or 'recall'; got metric '{name}'"
            f"{' and no `gold`' if gold is None else ''}."
        )
    if counted is None or gold is None:
        return
    if not of_one_class:
        raise ValueError(f"`gold` is for labels and correlations; got metric '{name}'.")
    if positive is None:
        raise ValueError(
            f"`positive` must name the label that metric '{name}' is of, where `a`, `b` and "
            "`gold` are labels; got none. 'macro-f1' takes all of them."
        )


def run_significance_test(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    test: str,
    metric: str | StatisticMetric = "mean",
    alternative: TestAlternative = "greater",
    gold: npt.ArrayLike | None = None,
    positive: object = None,
    correlation: Correlation = "spearman",
    clusters: npt.ArrayLike | None = None,
    higher_is_better: bool | None = None,
    method: Method = "auto",
    n_resamples: int = 9999,
    resample_size: int | None = None,
    estimator: Estimator = "add-one",
    zeros: Zeros = "wilcox",
    confidence_level: float = 0.95,
    interval: IntervalKind = "basic",
    with_interval: bool = True,
    claim: str = BETTER,
    margin: float = 0.0,
    rng: Rng | None = None,
    keep_going: KeepGoing = None,
) -> SignificanceResult:
    """Test "A is better than B" on one dataset.

    The null hypothesis is `known.null_of(kind)` of the result. Without a margin, systems with
    the same score on every example give p = 1 in every direction ("berg-kirkpatrick" 0).

    Parameters
    ----------
    a, b : array_like, shape (n,) or (n, s)
        Scores, one an example, in the same order; statistics in the registry's
        order where `metric` has them; labels where `gold` has labels; numeric
        predictions where correlations with `gold` are compared.
    test : str
        One of `significance_tests`. Metrics of statistics take
        "paired-bootstrap" and "approximate-randomization" only. "williams",
        "steiger" and "meng" compare correlations with `gold`.
    metric : str or StatisticMetric
        "mean": scores as given, averaged. "accuracy": whether a label is the
        gold one. "macro-f1" or "mcc": from labels and `gold`. A key of
        `metrics.registry.STATISTIC_METRICS`, or "f" and a number: "f2" is
        F_β with β = 2. "spearman" or "pearson". Or a metric of one's own on
        summed statistics.
    alternative : {"greater", "less", "two-sided"}
        What `p_value` speaks for: A better, B better, either. The other two
        p-values are in the result as well.
    gold : array_like, shape (n,), optional
        The right labels, or gold scores, for correlations.
    positive : object, optional
        With labels and "f1", "precision", "recall" or "f2" and the like: the
        label of the class that they are of.
    correlation : {"spearman", "pearson"}
        Of "williams", "steiger" and "meng", where `metric` does not name it.
        Spearman's is that of midranks.
    clusters : array_like, shape (n,), optional
        Labels of what examples belong to: a document, a picture. Whole clusters
        are drawn (bootstrap) and exchanged (randomization); other tests take
        examples to be independent and are refused.
    higher_is_better : bool, optional
        Whether a higher score is the better one; by default as the metric has
        it: not for AER. Scores and statistics stay as given.
    method : {"auto", "exact", "monte-carlo", "normal"}
        "auto" is exact where the test and the scores allow. "monte-carlo"
        is for the bootstrap and randomization, "normal" for Wilcoxon.
    n_resamples : int
        Of Monte Carlo.
    resample_size : int, optional
        Of the bootstrap, n by default, or the number of clusters.
    estimator : {"add-one", "berg-kirkpatrick"}
        Of the bootstrap; the second is for reproducing published numbers.
    zeros : {"wilcox", "pratt", "zsplit"}
        Of Wilcoxon.
    confidence_level : float
        Of the bootstrap interval of the difference.
    interval : {"basic", "percentile", "bca"}
        Which one. The basic one lies above 0 just where the bootstrap's one-sided p-value is
        at most half the rest (.025 of 95%); the others may disagree with the p-value.
    with_interval : bool
        Whether an interval is computed beside tests other than the bootstrap, which
        takes about as long as the bootstrap. At a margin it is what the test itself does
        not reject, or the bootstrap's where the test draws resamples.
    claim : {"better", "better-by", "not-worse", "equivalent"}
        What a small p-value speaks for: A better, better by more than the margin, not
        worse by the margin or more, the difference smaller than the margin either way.
    margin : float
        Of the other claims, at least 0 and of "equivalent" above 0, in the metric's
        units: .005 is half a point of accuracy. 0/1 outcomes have "mcnemar", which is
        exact (melding), and "tango"; other means randomization, "paired-t", bootstrap
        and Wilcoxon (of the pseudo-median, zeros split); other metrics the bootstrap.
    rng : int or Generator, optional
        Seed of the resamples; 0 is one. Without it each call has a new one.
    keep_going : callable, optional
        Asked between chunks of work; False stops.

    Returns
    -------
    SignificanceResult

    Raises
    ------
    ValueError
        If an argument is not as described, the scores do not suit the test, or
        a system's score is not defined.
    Stopped
        If `keep_going` says so.

    Examples
    --------
    >>> from replicability import run_significance_test
    >>> a, b = [1, 1, 1, 1, 1, 1, 0, 1], [0, 0, 0, 0, 0, 1, 1, 1]
    >>> run_significance_test(a, b, test="mcnemar").p_value
    0.109375
    """
    settings = Settings(
        alternative=alternative,
        method=method,
        n_resamples=n_resamples,
        resample_size=resample_size,
        estimator=estimator,
        zeros=zeros,
        confidence_level=confidence_level,
        interval=interval,
        with_interval=with_interval,
        claim=claim,
        margin=margin,
    )
    check_same_order(a=a, b=b, gold=gold, clusters=clusters)
    known = significance_test_named(test)
    check_settings(settings, [known])
    if settings.margin and "zeros" in known.settings:
        # Dropping the differences that are just the margin is not monotone in it.
        settings = replace(settings, zeros="zsplit")
    name, kind, counted = _asked_metric(metric, known, correlation)
    family = family_of(kind) if counted is None else "counted"
    asked = {"clustered": clusters is not None, "margin": settings.margin}
    _check_fits(known, family, named=f"metric '{name}'", **asked)
    _check_labels(name, counted, gold=gold, positive=positive)
    higher = counted is None or counted.higher_is_better
    if higher_is_better is not None:
        higher = check_yes_or_no(higher_is_better, name="higher_is_better")
    generator, seed = generator_of(rng)
    own = Asked(settings=settings, rng=generator, keep_going=keep_going)
    if family == "counted":
        if counted is None:
            counted, first, second = label_statistics(a, b, gold, metric=name)
        elif gold is None:
            first, second = per_example_statistics(a, b, metric=counted)
        else:
            first, second = class_statistics(a, b, gold, positive=positive)
        together = _clusters(clusters, first)
        comparison, outcome = compare_counts(
            counted, first, second, known, own, higher_is_better=higher, clusters=together
        )
    elif family == "correlation":
        predicted = predictions_and_gold(a, b, gold)
        together = _clusters(clusters, predicted[0])
        comparison, outcome = compare_predictions(
            *predicted,
            known,
            own,
            kind=correlation_of(kind),
            higher_is_better=higher,
            clusters=together,
        )
    else:
        scored = per_example_scores(a, b, metric=cast(Metric, name), gold=gold)
        together = _clusters(clusters, scored[0])
        outside = [(which, other_than_binary(one)) for which, one in zip("ab", scored, strict=True)]
        which, others = max(outside, key=lambda one: bool(one[1]))
        _check_fits(known, family, named=f"`{which}`", outside=others, **asked)
        comparison, outcome = compare_means(
            *scored, known, own, higher_is_better=higher, clusters=together
        )
    alike = (comparison.alike,) if comparison.alike else ()
    few = () if together is None else few_clusters(together.n_clusters)
    return SignificanceResult(
        **vars(comparison),
        **vars(replace(outcome, notes=(*alike, *few, *outcome.notes))),
        test=known.name,
        metric=name,
        kind=kind,
        higher_is_better=higher,
        settings=settings,
        n_clusters=None if together is None else together.n_clusters,
        seed=seed,
        positive="" if positive is None else str(positive),
    )


def _clusters(labels: npt.ArrayLike | None, scores: FloatArray) -> Clusters | None:
    return None if labels is None else clusters_of(labels, n_examples=scores.shape[0])


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
        wins (McNemar exact and mid-p, sign, Tango), χ², t, Z of correlations; at a margin of
        the differences plus or less the margin, but for wins.
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
