"""Which metric a test is asked for, and whether the test suits it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy.typing as npt

from core.metrics.labels import LABEL_METRICS, class_statistics, label_statistics
from core.metrics.per_example import METRICS, per_example_statistics
from core.metrics.registry import (
    CORRELATIONS,
    MEAN,
    STATISTIC_METRICS,
    Correlation,
    StatisticMetric,
    is_counted,
    statistic_metric,
)
from core.significance.choose import suitable_tests
from core.significance.known_tests import (
    of_sums,
    of_three_correlations,
    significance_test_names,
)
from core.significance.significance_test import SignificanceTest
from core.types import FloatArray
from core.validation import check_choice

_METRICS: tuple[str, ...] = (*METRICS, *STATISTIC_METRICS, *CORRELATIONS, *LABEL_METRICS)
_OF_ONE_CLASS = STATISTIC_METRICS["f1"].statistics


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedMetric:
    """A metric by name and kind.

    Attributes
    ----------
    name : str
        As asked.
    kind : str
        "mean", a correlation, or the key of a metric of statistics.
    counted : StatisticMetric or None
        The metric of statistics, where that does not depend on labels.
    """

    name: str
    kind: str
    counted: StatisticMetric | None = None

    @property
    def of_statistics(self) -> bool:
        """Whether it is computed from statistics that are added up."""
        return self.counted is not None or self.kind in LABEL_METRICS

    @property
    def higher_is_better(self) -> bool:
        """Whether a higher score is the better one, unless it is said otherwise."""
        return self.counted is None or self.counted.higher_is_better


def asked_metric(
    metric: str | StatisticMetric, known: SignificanceTest, correlation: Correlation
) -> AskedMetric:
    """The metric that a test is about, checked to suit the test.

    Raises
    ------
    ValueError
        If there is no such metric or the test does not suit it.
    """
    check_choice(correlation, CORRELATIONS, name="correlation")
    if isinstance(metric, StatisticMetric):
        asked = AskedMetric(name=metric.key, kind=metric.key, counted=metric)
    elif isinstance(metric, str) and is_counted(metric):
        counted = statistic_metric(metric)
        asked = AskedMetric(name=counted.key, kind=counted.key, counted=counted)
    else:
        check_choice(metric, _METRICS, name="metric")
        if metric == MEAN and of_three_correlations(known):
            metric = correlation
        if metric == "spearman" and correlation == "pearson":
            raise ValueError("`metric` and `correlation` must agree; got 'spearman' and 'pearson'.")
        asked = AskedMetric(name=metric, kind=MEAN if metric in METRICS else metric)
    suitable = (
        significance_test_names(of_sums) if asked.of_statistics else suitable_tests(asked.kind)
    )
    if known.name not in suitable:
        named = " or ".join(f"'{name}'" for name in suitable)
        if asked.kind == MEAN:
            reason = "the others compare correlations with gold"
        elif asked.kind in CORRELATIONS:
            reason = "the others need scores that are averaged"
        else:
            reason = "the others need one score an example"
        raise ValueError(
            f"`test` must be {named} for metric '{asked.name}', as {reason}; got {known.name!r}."
        )
    return asked


def asked_statistics(
    asked: AskedMetric,
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    gold: npt.ArrayLike | None,
    positive: object,
) -> tuple[StatisticMetric, FloatArray, FloatArray]:
    """The metric and both systems' statistics, shape (n, s), from statistics or from labels.

    Raises
    ------
    ValueError
        If `a`, `b`, `gold` and `positive` do not go with the metric.
    """
    if asked.counted is None:
        return label_statistics(a, b, gold, metric=asked.name)
    if gold is None:
        return asked.counted, *per_example_statistics(a, b, metric=asked.counted)
    if asked.counted.statistics != _OF_ONE_CLASS:
        raise ValueError(f"`gold` is for labels and correlations; got metric '{asked.name}'.")
    if positive is None:
        raise ValueError(
            f"`positive` must name the label that metric '{asked.name}' is of, where `a`, `b` and "
            "`gold` are labels; got none. 'macro-f1' takes all of them."
        )
    return asked.counted, *class_statistics(a, b, gold, positive=positive)


def check_positive(asked: AskedMetric, *, gold: npt.ArrayLike | None, positive: object) -> None:
    """Check that a class is named only where there are labels and a metric of one class.

    Raises
    ------
    ValueError
        If it is not.
    """
    of_one_class = asked.counted is not None and asked.counted.statistics == _OF_ONE_CLASS
    if positive is not None and (gold is None or not of_one_class):
        raise ValueError(
            "`positive` must come with `gold` labels and a metric of one class, such as 'f1', "
            f"'precision' or 'recall'; got metric '{asked.name}'"
            f"{' and no `gold`' if gold is None else ''}."
        )


def check_clustered(known: SignificanceTest) -> None:
    """Check that a test can be run where examples come in clusters.

    Raises
    ------
    ValueError
        If it takes examples to be independent.
    """
    if not known.takes_clusters:
        taking = significance_test_names(lambda test: test.takes_clusters)
        named = " or ".join(f"'{name}'" for name in taking)
        raise ValueError(
            f"`test` must be {named} with `clusters`, as the others take examples to be "
            f"independent; got {known.name!r}."
        )
