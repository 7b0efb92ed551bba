"""One dataset's effect, its variance in closed form, and what a bootstrap draws for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from core.effects.effect_list import EFFECTS, EffectName
from core.effects.resampled import Resampled, of_correlations, of_sums
from core.metrics.formulas import divided
from core.metrics.labels import LABEL_METRICS, label_statistics
from core.metrics.registry import StatisticMetric, correlation_of, statistic_metric
from core.significance.clusters import Clusters
from core.significance.differences import turned_differences
from core.types import FloatArray
from core.validation import check_choice

_ROUNDING = 1e-12
# Also of tables of scores.
AT_MAXIMUM = "the second system is at the highest possible score"


class Undefined(Exception):
    """A dataset has no such effect; the message says why, as a part of a sentence.

    Attributes
    ----------
    needs_maximum : bool
        Whether saying the highest possible score would give it one.
    """

    def __init__(self, reason: str, *, needs_maximum: bool = False) -> None:
        super().__init__(reason)
        self.needs_maximum = needs_maximum


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairedEffect:
    """The effect on one dataset.

    Attributes
    ----------
    effect, score_a, score_b : float
        The effect, and the systems' scores as given.
    resampled : callable
        What a bootstrap draws; made when it is asked for.
    closed_form : float or None
        Variance without resampling, where there is a formula.
    n_differing : callable or None
        Number of examples, or clusters, on which the systems differ, where the
        effect is made of these differences.
    """

    effect: float
    score_a: float
    score_b: float
    resampled: Callable[[], Resampled]
    closed_form: float | None = None
    n_differing: Callable[[], int] | None = None


def effect_of_means(
    a: FloatArray,
    b: FloatArray,
    *,
    higher_is_better: bool,
    effect: EffectName,
    maximum: float | None,
    clusters: Clusters | None,
) -> PairedEffect:
    """The effect of two systems' scores, shape (n,), that are averaged.

    Closed forms: of the mean, s²/n; of the error reduction, a ratio, the same of
    its linearised values (the delta method); with clusters, of their sums, times
    G/(G − 1). Of the standardised effect 1/n + d²/(2n), for independent examples
    only (Gibbons, Hedeker and Davis 1993, large-sample form).

    Raises
    ------
    Undefined
        If there is no such effect.

    References
    ----------
    Gibbons, Hedeker and Davis (Journal of Educational Statistics 1993).
    """
    check_choice(effect, EFFECTS, name="effect")
    differences = turned_differences(a, b, higher_is_better=higher_is_better)
    d, n = differences.values, differences.n
    turned = 1.0 if higher_is_better else -1.0
    scores = (turned * differences.score_a + 0.0, turned * differences.score_b + 0.0)

    def n_differing() -> int:
        return int(np.count_nonzero(d if clusters is None else clusters.summed(np.abs(d))))

    if effect == "difference":
        counted = np.column_stack([d, np.ones(n)])
        apart = np.zeros(n) if differences.constant else d - differences.mean
        return PairedEffect(
            effect=differences.mean,
            score_a=scores[0],
            score_b=scores[1],
            resampled=lambda: of_sums(counted, _ratio, clusters),
            closed_form=_robust_variance(apart, clusters, size=float(np.abs(d).max())),
            n_differing=n_differing,
        )
    if effect == "standardised":
        return _standardised(d, differences.mean, scores, clusters)
    assert maximum is not None
    if (largest := float(max(a.max(), b.max()))) > maximum * (1.0 + _ROUNDING):
        raise Undefined(
            f"it has scores up to {largest:g}, above the highest possible score as it was said, "
            f"{maximum:g}"
        )
    left = maximum - b
    reduction = _reduction(differences.mean, scores, maximum)
    mean_left = maximum - scores[1]
    values = (d - reduction * left) / mean_left
    counted = np.column_stack([d, left])
    return PairedEffect(
        effect=reduction,
        score_a=scores[0],
        score_b=scores[1],
        resampled=lambda: of_sums(
            counted, lambda sums: divided(sums[..., 0], sums[..., 1]), clusters
        ),
        closed_form=_robust_variance(
            values, clusters, size=float(np.maximum(np.abs(d), np.abs(left)).max()) / mean_left
        ),
        n_differing=n_differing,
    )


def effect_of_predictions(
    a: FloatArray,
    b: FloatArray,
    gold: FloatArray,
    *,
    kind: str,
    scores: tuple[float, float],
    higher_is_better: bool,
    maximum: float | None,
    clusters: Clusters | None,
) -> PairedEffect:
    """The difference of correlations with gold, or with a maximum the error reduction.

    Raises
    ------
    Undefined
        If there is no such effect.
    """
    correlation = correlation_of(kind)
    sign, effect = _signed(scores, maximum, higher_is_better=higher_is_better)
    return PairedEffect(
        effect=effect,
        score_a=scores[0],
        score_b=scores[1],
        resampled=lambda: of_correlations(
            gold,
            a,
            b,
            kind=correlation,
            sign=sign,
            reduction=maximum is not None,
            clusters=clusters,
        ),
    )


def effect_of_counts(
    a: Any,
    b: Any,
    gold: Any,
    *,
    kind: str,
    scores: tuple[float, float],
    higher_is_better: bool,
    maximum: float | None,
    clusters: Clusters | None,
) -> PairedEffect:
    """The effect of scores of summed statistics, shape (n, s), or of labels with gold.

    Raises
    ------
    Undefined
        If there is no such effect.
    """
    if kind not in LABEL_METRICS:
        statistic_metric(kind)
    sign, effect = _signed(scores, maximum, higher_is_better=higher_is_better)

    @cache
    def statistics() -> tuple[StatisticMetric, FloatArray, FloatArray]:
        return _statistics(a, b, gold, kind)

    def n_differing() -> int:
        _, counted_a, counted_b = statistics()
        differ = (counted_a != counted_b).any(axis=1)
        if clusters is not None:
            differ = clusters.summed(differ.astype(np.float64)) > 0.0
        return int(np.count_nonzero(differ))

    def resampled() -> Resampled:
        metric, counted_a, counted_b = statistics()
        width = counted_a.shape[1]

        def effect_of(sums: FloatArray) -> FloatArray:
            score_a, score_b = metric.score(sums[..., :width]), metric.score(sums[..., width:])
            apart = sign * (score_a - score_b)
            return apart if maximum is None else divided(apart, maximum - score_b)

        return of_sums(np.hstack([counted_a, counted_b]), effect_of, clusters)

    return PairedEffect(
        effect=effect,
        score_a=scores[0],
        score_b=scores[1],
        resampled=resampled,
        n_differing=n_differing,
    )


def _statistics(
    a: Any, b: Any, gold: Any, kind: str
) -> tuple[StatisticMetric, FloatArray, FloatArray]:
    if kind in LABEL_METRICS:
        return label_statistics(a, b, gold, metric=kind)
    return statistic_metric(kind), a, b


def _signed(
    scores: tuple[float, float], maximum: float | None, *, higher_is_better: bool
) -> tuple[float, float]:
    """The sign of what is better, and the difference or with a maximum the error reduction."""
    sign = 1.0 if higher_is_better else -1.0
    delta = sign * (scores[0] - scores[1]) + 0.0
    return sign, delta if maximum is None else _reduction(delta, scores, maximum)


def _reduction(delta: float, scores: tuple[float, float], maximum: float) -> float:
    if max(scores) > maximum * (1.0 + _ROUNDING):
        raise Undefined(
            f"a score of {max(scores):g} lies above the maximum, {maximum:g}, so that the error "
            "reduction is not defined"
        )
    left = maximum - scores[1]
    if left <= _ROUNDING * abs(maximum):
        raise Undefined(
            f"{AT_MAXIMUM}, {maximum:g}, and leaves no errors, so that the error reduction is not "
            "defined"
        )
    return delta / left


def _standardised(
    d: FloatArray, mean: float, scores: tuple[float, float], clusters: Clusters | None
) -> PairedEffect:
    n = d.size
    if bool((d == d[0]).all()):
        raise Undefined(
            "the difference is the same on every example, so that a mean over its standard "
            "deviation is not defined"
        )
    # Squares of a size near 1 neither overflow nor vanish.
    size = float(np.abs(d - mean).max())
    apart = (d - mean) / size
    d_z = mean / size / float(apart.std(ddof=1))
    counted = np.column_stack([np.ones(n), apart, apart**2])

    def effect_of(sums: FloatArray) -> FloatArray:
        number, total, squares = (sums[..., i] for i in range(3))
        with np.errstate(divide="ignore", invalid="ignore"):
            moved = total / number
            variance = (squares - number * moved**2) / (number - 1.0)
            varies = (number > 1.0) & (variance > _ROUNDING * squares / number)
            return np.where(varies, (mean / size + moved) / np.sqrt(variance), np.nan)

    return PairedEffect(
        effect=d_z,
        score_a=scores[0],
        score_b=scores[1],
        resampled=lambda: of_sums(counted, effect_of, clusters),
        closed_form=None if clusters is not None else 1.0 / n + d_z**2 / (2.0 * n),
    )


def _robust_variance(values: FloatArray, clusters: Clusters | None, *, size: float) -> float:
    """Variance of the mean of values that add up to 0, by examples or by sums of clusters."""
    n = values.size
    sums = values if clusters is None else clusters.summed(values)
    units = sums.size
    most = float(np.abs(sums).max())
    # Of n roundings at most, where the sums are really 0.
    if most <= _ROUNDING * size * (n / units):
        return 0.0
    scaled = sums / most
    return units / (units - 1.0) * float(scaled @ scaled) * (most / n) ** 2


def _ratio(sums: FloatArray) -> FloatArray:
    quotient: FloatArray = sums[..., 0] / sums[..., 1]
    return quotient
