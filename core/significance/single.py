"""Run one test on one dataset."""

from __future__ import annotations

from typing import cast

import numpy.typing as npt

from core.metrics.per_example import (
    METRICS,
    Metric,
    per_example_scores,
    per_example_statistics,
    predictions_and_gold,
)
from core.metrics.registry import CORRELATIONS, MEAN, STATISTIC_METRICS, Correlation
from core.significance.choose import (
    CORRELATION_TESTS,
    MCNEMAR_TESTS,
    SignificanceTest,
    suitable_tests,
)
from core.significance.comparison import Comparison
from core.significance.counts import compare_counts
from core.significance.mcnemar import check_binary
from core.significance.means import compare_means
from core.significance.predictions import compare_predictions
from core.significance.result import (
    Estimator,
    Method,
    MethodUsed,
    Outcome,
    SignificanceResult,
    TestAlternative,
    Zeros,
    confidence_sequence,
)
from core.significance.settings import Settings
from core.significance.stopping import KeepGoing
from core.significance.streams import Rng, generator_of
from core.validation import check_choice

_METRICS: tuple[str, ...] = (*METRICS, *STATISTIC_METRICS, *CORRELATIONS)


def run_significance_test(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    test: SignificanceTest,
    metric: str = "mean",
    alternative: TestAlternative = "greater",
    gold: npt.ArrayLike | None = None,
    correlation: Correlation = "spearman",
    higher_is_better: bool | None = None,
    method: Method = "auto",
    n_resamples: int = 9999,
    resample_size: int | None = None,
    estimator: Estimator = "add-one",
    zeros: Zeros = "wilcox",
    confidence_level: float = 0.95,
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
    metric : str
        "mean": scores as given, averaged. "accuracy": whether a label is the
        gold one. Or a key of `core.metrics.registry.STATISTIC_METRICS`, or
        "spearman" or "pearson".
    alternative : {"greater", "less", "two-sided"}
        What `p_value` speaks for: A better, B better, either. The other two
        p-values are in the result as well.
    gold : array_like, shape (n,), optional
        The right labels, for "accuracy", or gold scores, for correlations.
    correlation : {"spearman", "pearson"}
        Of "williams", "steiger" and "meng", where `metric` does not name it.
        Spearman's is that of midranks.
    higher_is_better : bool, optional
        Whether a higher score is the better one; by default as the metric has
        it: not for AER. Scores and statistics stay as given.
    method : {"auto", "exact", "monte-carlo", "normal"}
        "auto" is exact where the test and the scores allow. "monte-carlo"
        is for the bootstrap and randomization, "normal" for Wilcoxon.
    n_resamples : int
        Of Monte Carlo.
    resample_size : int, optional
        Of the bootstrap, n by default.
    estimator : {"add-one", "berg-kirkpatrick"}
        Of the bootstrap; the second is for reproducing published numbers.
    zeros : {"wilcox", "pratt", "zsplit"}
        Of Wilcoxon.
    confidence_level : float
        Of the basic bootstrap interval of the difference.
    rng : int or Generator, optional
        Seed of the resamples; 0 is one.
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
    """
    settings = Settings(
        test=test,
        alternative=alternative,
        method=method,
        n_resamples=n_resamples,
        resample_size=resample_size,
        estimator=estimator,
        zeros=zeros,
        confidence_level=confidence_level,
    )
    check_choice(correlation, CORRELATIONS, name="correlation")
    metric, kind = _metric_and_kind(metric, test, correlation)
    if higher_is_better is None:
        higher = STATISTIC_METRICS[kind].higher_is_better if kind in STATISTIC_METRICS else True
    else:
        higher = bool(higher_is_better)
    if kind in STATISTIC_METRICS:
        if gold is not None:
            raise ValueError(f"`gold` is for labels and correlations; got metric {metric!r}.")
        counted = per_example_statistics(a, b, metric=kind)
        generator, seed = generator_of(rng)
        comparison, outcome = compare_counts(
            kind, *counted, settings, higher_is_better=higher, rng=generator, keep_going=keep_going
        )
    elif kind in CORRELATIONS:
        predicted = predictions_and_gold(a, b, gold)
        generator, seed = generator_of(rng)
        comparison, outcome = compare_predictions(
            *predicted,
            settings,
            kind=next(name for name in CORRELATIONS if name == kind),
            higher_is_better=higher,
            rng=generator,
            keep_going=keep_going,
        )
    else:
        scored = per_example_scores(a, b, metric=cast(Metric, metric), gold=gold)
        if test in MCNEMAR_TESTS:
            check_binary(a=scored[0], b=scored[1])
        generator, seed = generator_of(rng)
        comparison, outcome = compare_means(
            *scored, settings, higher_is_better=higher, rng=generator, keep_going=keep_going
        )
    return _result(
        comparison,
        outcome,
        settings,
        metric=metric,
        kind=kind,
        higher_is_better=higher,
        seed=seed,
    )


def _metric_and_kind(metric: str, test: str, correlation: Correlation) -> tuple[str, str]:
    """The metric that the test is about, and its kind, checked to suit the test."""
    check_choice(metric, _METRICS, name="metric")
    if metric == MEAN and test in CORRELATION_TESTS:
        metric = correlation
    if metric == "spearman" and correlation == "pearson":
        raise ValueError("`metric` and `correlation` must agree; got 'spearman' and 'pearson'.")
    kind = MEAN if metric in METRICS else metric
    suitable = suitable_tests(kind)
    if test not in suitable:
        named = " or ".join(f"'{name}'" for name in suitable)
        if kind == MEAN:
            reason = "'steiger', 'williams' and 'meng' compare correlations with gold"
        elif kind in CORRELATIONS:
            reason = "the others need scores that are averaged"
        else:
            reason = "the others need one score an example"
        raise ValueError(
            f"`test` must be {named} for metric '{metric}', as {reason}; got {test!r}."
        )
    return metric, kind


def _result(
    comparison: Comparison,
    outcome: Outcome,
    settings: Settings,
    *,
    metric: str,
    kind: str,
    higher_is_better: bool,
    seed: int | None,
) -> SignificanceResult:
    alternative = settings.alternative
    extreme = None if outcome.n_extreme is None else int(outcome.n_extreme.of(alternative))
    sequence = None
    if extreme is not None and outcome.n_resamples is not None:
        sequence = confidence_sequence(extreme, outcome.n_resamples)
    used: MethodUsed = outcome.approximation or ("exact" if outcome.exact else "monte-carlo")
    return SignificanceResult(
        test=settings.test,
        metric=metric,
        kind=kind,
        alternative=alternative,
        p_value=outcome.p_values.of(alternative),
        p_value_greater=outcome.p_values.greater,
        p_value_less=outcome.p_values.less,
        p_value_two_sided=outcome.p_values.two_sided,
        exact=outcome.exact,
        n_resamples=outcome.n_resamples,
        n_extreme=extreme,
        monte_carlo_interval=sequence,
        n_examples=comparison.n,
        score_a=comparison.score_a,
        score_b=comparison.score_b,
        difference=comparison.difference,
        correlation_ab=comparison.correlation_ab,
        confidence_interval=outcome.interval,
        confidence_level=settings.confidence_level,
        wins=comparison.wins,
        ties=comparison.ties,
        losses=comparison.losses,
        statistic=outcome.statistic,
        notes=(comparison.alike, *outcome.notes) if comparison.alike else outcome.notes,
        higher_is_better=higher_is_better,
        method=used,
        estimator=settings.estimator if settings.test == "paired-bootstrap" else None,
        resample_size=settings.resample_size,
        zeros=settings.zeros if settings.test == "wilcoxon" else None,
        seed=seed,
        unreachable=outcome.unreachable,
    )
