"""For each example by how much it speaks for A: what changes its sign when A and B change places.

Means have the difference of scores itself. Of a metric of sums it is the score's
difference in first order, by its slope where the two systems' sums are averaged,
which no change of places moves. So it is of correlations, whose standings change
places: ranks for Spearman's, standardised scores for Pearson's. Whatever it is,
the sum under random signs has an exact distribution.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.data.result_set import ResultSet
from core.metrics.labels import LABEL_METRICS, label_statistics
from core.metrics.registry import (
    CORRELATIONS,
    MEAN,
    StatisticMetric,
    correlation_of,
    standing,
    statistic_metric,
)
from core.significance.differences import paired_differences
from core.types import FloatArray

# Beside the size of a sum: far above its rounding, far below where a score bends.
_STEP = 1e-5

Contributions = tuple[FloatArray, npt.NDArray[np.int64] | None]


def contributions(
    result_set: ResultSet, dataset: str, system_a: str, system_b: str, metric: str | None
) -> Contributions:
    """One number an example, shape (n,), and the same as whole multiples of one step or None.

    Raises
    ------
    ValueError
        If the metric's score is not defined on the dataset.
    """
    kind = result_set.kind_of(metric)
    sign = 1.0 if result_set.is_higher_better(metric) else -1.0
    if kind == MEAN:
        differences = paired_differences(
            result_set.oriented(dataset, system_a, metric),
            result_set.oriented(dataset, system_b, metric),
        )
        return differences.values, differences.integers
    if kind in CORRELATIONS:
        return _of_correlation(result_set, dataset, system_a, system_b, metric, sign)
    if kind in LABEL_METRICS:
        given_a = result_set.predictions(dataset, system_a)
        given_b = result_set.predictions(dataset, system_b)
        # There is no such metric without them.
        assert given_a is not None
        assert given_b is not None
        known, a, b = label_statistics(given_a, given_b, result_set.gold(dataset), metric=kind)
    else:
        known = statistic_metric(kind)
        a, b = (result_set.scores(dataset, system, metric) for system in (system_a, system_b))
    slope = _slope(known, 0.5 * (a.sum(axis=0) + b.sum(axis=0)))
    if not np.isfinite(slope).all():
        raise ValueError(
            f"The {known.name} of dataset '{dataset}' has no slope: a denominator is zero. Leave "
            "the dataset out, or take another metric."
        )
    differing = np.flatnonzero((a != b).any(axis=0))
    if differing.size == 1:
        # As where both have the same totals: then it is a multiple of one statistic's difference.
        one, slope_of_one = int(differing[0]), sign * float(slope[differing[0]])
        differences = paired_differences(a[:, one], b[:, one])
        if differences.integers is not None and slope_of_one != 0.0:
            turn = 1 if slope_of_one > 0.0 else -1
            return slope_of_one * differences.values, turn * differences.integers
    values: FloatArray = sign * ((a - b) @ slope)
    return values, None


def _of_correlation(
    result_set: ResultSet,
    dataset: str,
    system_a: str,
    system_b: str,
    metric: str | None,
    sign: float,
) -> Contributions:
    kind = correlation_of(result_set.kind_of(metric))
    gold = np.asarray(result_set.gold(dataset), dtype=np.float64)
    scores = (result_set.scores(dataset, system, metric) for system in (system_a, system_b))
    right, stands_a, stands_b = (standing(part, kind=kind) for part in (gold, *scores))
    if right is None or stands_a is None or stands_b is None:
        raise ValueError(
            f"The correlation on dataset '{dataset}' is not defined: gold or a system's scores "
            "are the same for every example. Leave the dataset out, or take another metric."
        )
    right, stands_a, stands_b = (
        stands / np.sqrt(float(stands @ stands) / stands.size)
        for stands in (right, stands_a, stands_b)
    )
    # Exchanged, they keep gold's spread but not their own: that is the second part.
    middle = 0.5 * float(right @ (stands_a + stands_b)) / right.size
    values: FloatArray = right * (stands_a - stands_b)
    values -= 0.5 * middle * (stands_a**2 - stands_b**2)
    return sign * values, None


def _slope(metric: StatisticMetric, sums: FloatArray) -> FloatArray:
    """How much the score rises with each sum, shape (s,)."""
    steps = np.diag(_STEP * np.maximum(sums, 1.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        rise = metric.score(sums + steps) - metric.score(np.maximum(sums - steps, 0.0))
        width = (sums + steps) - np.maximum(sums - steps, 0.0)
    slope: FloatArray = rise / np.diag(width)
    return slope
