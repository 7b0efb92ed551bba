"""Run one test on one dataset, once it is clear which metric it is asked for and that it suits it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import numpy.typing as npt

from ..comparison import BETTER
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
from .result import SignificanceResult
from .settings import (
    Asked,
    Estimator,
    IntervalKind,
    Method,
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

    Each test's own module says what its null hypothesis is. Systems between
    which there is no difference give p = 1 in each test, in every direction.

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
        Which one. The basic one excludes 0 where the bootstrap rejects; the
        others may disagree with the p-value.
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
