"""Tests of metrics of counted statistics, exact where a ratio's totals are shared.

With the same total for both systems on each example, the difference of the
ratios of a resample is Σd*/Σt*, d being the difference of the corrects and t the
total. Let D = Σd and T = Σt. Swaps leave T as it is, so that randomization is
that of d; a bootstrap sample has δ* >= 2δ where Σ(T·d − 2D·t)* >= 0.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..metrics.registry import STATISTIC_METRICS, StatisticMetric
from ..types import FloatArray
from .bootstrap import out_of_reach, size_notes
from .differences import Unit, paired_differences
from .lattice import MAX_BINS, DrawSum
from .outcome import NO_INTERVAL, Outcome, Sides
from .randomization import ENUMERATED_UP_TO, approximate_randomization
from .settings import Settings
from .stopping import KeepGoing
from .summed_statistics import SharedTotals, SummedStatistics, scale_of
from .sums import (
    bootstrap_of_sums,
    drawn_deltas,
    equal_under_bootstrap,
    randomization_of_sums,
    unreachable_direction,
    with_interval_of,
)

# Draws for an interval beside another test's p-value: about two seconds of them.
MAX_INTERVAL_DRAWS = 1 << 27
_RATIO = STATISTIC_METRICS["ratio"]


def counted_statistics(
    metric: StatisticMetric,
    a: FloatArray,
    b: FloatArray,
    *,
    higher_is_better: bool,
    unit: Unit = "examples",
) -> tuple[SummedStatistics, tuple[float, float]]:
    """Two systems' statistics of n units, shape (n, s), and their scores as the metric has them.

    Raises
    ------
    ValueError
        If a system's score is not defined.
    """
    scores = _scores(metric, a, b)
    sign = 1.0 if higher_is_better else -1.0
    shared = None
    if metric is _RATIO and bool((a[:, 1] == b[:, 1]).all()):
        turned = [sign * counted[:, 0] + 0.0 for counted in (a, b)]
        shared = SharedTotals(
            differences=replace(paired_differences(*turned), unit=unit), totals=a[:, 1]
        )
    statistics = SummedStatistics(
        a=a,
        b=b,
        score=metric.score,
        sign=sign,
        scale=scale_of(metric, scores),
        farthest=_farthest(metric, a, b, ahead=sign * (scores[0] - scores[1]), sign=sign),
        shared=shared,
        unit=unit,
    )
    return statistics, (scores[0], scores[1])


def _scores(metric: StatisticMetric, a: FloatArray, b: FloatArray) -> tuple[float, float]:
    sums = np.stack([a.sum(axis=0), b.sum(axis=0)])
    # In two dimensions more, so that a score of one sum alone cannot pass for it.
    many = np.asarray(metric.score(np.stack([sums, sums, sums], axis=1)))
    if many.shape != (2, 3):
        raise ValueError(
            f"`metric` must turn sums of shape (..., {sums.shape[1]}) into scores of shape (...): "
            f"those of shape (2, 3, {sums.shape[1]}) into (2, 3); got {many.shape} from "
            f"'{metric.key}'."
        )
    score_a, score_b = (float(metric.score(own)) for own in sums)
    for name, score in (("a", score_a), ("b", score_b)):
        if not np.isfinite(score):
            why = (
                f"what its {metric.name} is divided by adds up to 0"
                if np.isnan(score)
                else f"its {metric.name} is infinite"
            )
            raise ValueError(f"`{name}` must have a defined score; {why}.")
    return score_a, score_b


def _farthest(
    metric: StatisticMetric, a: FloatArray, b: FloatArray, *, ahead: float, sign: float
) -> float:
    """A bound of the difference in the direction of the observed one, whatever is drawn.

    It is reached where totals are shared: a ratio of sums lies between the
    smallest and the largest ratio.
    """
    if metric is _RATIO and bool((a[:, 1] == b[:, 1]).all()) and not _is_out_of_none(a, b):
        own_a, own_b = sign * metric.score(a), sign * metric.score(b)
        return float(np.nanmax((own_a - own_b) * (1.0 if ahead > 0.0 else -1.0)))
    if metric.smallest is None or metric.largest is None:
        return np.inf
    return metric.largest - metric.smallest


def _is_out_of_none(a: FloatArray, b: FloatArray) -> bool:
    """Whether something is counted out of a total of 0."""
    return any(bool((x[x[:, 1] == 0.0, 0] > 0.0).any()) for x in (a, b))


def bootstrap_of_counts(
    statistics: SummedStatistics,
    settings: Settings,
    *,
    rng: np.random.Generator,
    keep_going: KeepGoing,
) -> Outcome:
    """The paired bootstrap, exact where totals are shared; with an interval.

    Raises
    ------
    ValueError
        If "exact" is asked for in vain.
    Stopped
        If `keep_going` says so.
    """
    if statistics.alike:
        return equal_under_bootstrap(settings)
    why_not = ""
    if settings.method != "monte-carlo":
        exact, why_not = (
            _exact_bootstrap(statistics, statistics.shared, settings, keep_going=keep_going)
            if statistics.shared is not None
            else (None, "this metric has no exact p-value on these counts")
        )
        if exact is not None:
            if not settings.with_interval:
                return exact
            return with_interval_of_sums(
                exact, statistics, settings, rng=rng, keep_going=keep_going
            )
        if settings.method == "exact":
            raise ValueError(f"`method` 'exact' must have an exact distribution; {why_not}.")
    outcome = bootstrap_of_sums(statistics, settings, rng=rng, keep_going=keep_going)
    size = settings.resample_size or statistics.n
    notes = (*size_notes(size, statistics), *((f"Monte Carlo: {why_not}",) if why_not else ()))
    return replace(outcome, notes=(*notes, *outcome.notes))


def _exact_bootstrap(
    statistics: SummedStatistics,
    shared: SharedTotals,
    settings: Settings,
    *,
    keep_going: KeepGoing,
) -> tuple[Outcome | None, str]:
    # In steps of their lattice, which the event does not depend on.
    whole_d, t = shared.differences.integers, shared.totals
    if whole_d is None:
        return None, "the differences are not multiples of one step"
    if bool((t != np.rint(t)).any()):
        return None, "the totals are not whole numbers"
    if bool((t == 0.0).any()):
        return (
            None,
            f"a total is 0 for one of the {statistics.unit}, so that a resample may have no score",
        )
    ahead, total = int(whole_d.sum()), int(t.sum())
    largest = total * int(np.abs(whole_d).max()) + 2 * abs(ahead) * int(t.max())
    # Floats add up totals exactly below 2**53; the products are of 64 bits.
    if total >= 2**53 or largest >= 2**62:
        return None, "the counts are too large"
    whole_t = t.astype(np.int64)
    size = settings.resample_size or statistics.n
    twice = DrawSum(total * whole_d - 2 * ahead * whole_t, size, keep_going)
    n_bins = twice.n_bins
    if n_bins > MAX_BINS:
        return None, f"the exact distribution would have {n_bins:,} bins, above {MAX_BINS:,}"
    none = DrawSum(whole_d, size, keep_going)
    edge = 1 if settings.strict else 0
    greater, less = twice.at_least(edge), twice.at_most(-edge)
    # Farther than δ from δ: beyond 2δ on one side, beyond 0 on the other.
    other = none.at_most(-edge) if ahead >= 0 else none.at_least(edge)
    two_sided = min(1.0, (greater if ahead >= 0 else less) + other)
    unreachable = unreachable_direction(
        statistics.delta, statistics.farthest, statistics.room, settings
    )
    notes = size_notes(size, statistics)
    return Outcome(
        p_values=Sides(greater, less, two_sided),
        exact=True,
        statistic=statistics.delta,
        notes=notes if unreachable is None else (*notes, out_of_reach()),
        unreachable=unreachable,
    ), ""


def randomization_of_counts(
    statistics: SummedStatistics,
    settings: Settings,
    *,
    rng: np.random.Generator,
    keep_going: KeepGoing,
) -> Outcome:
    """Randomization, that of the differences where totals are shared.

    Raises
    ------
    ValueError
        If "exact" is asked for in vain.
    Stopped
        If `keep_going` says so.
    """
    if statistics.shared is not None:
        return approximate_randomization(
            statistics.shared.differences,
            method=settings.method,
            n_resamples=settings.n_resamples,
            alternative=settings.alternative,
            rng=rng,
            keep_going=keep_going,
        )
    outcome = randomization_of_sums(statistics, settings, rng=rng, keep_going=keep_going)
    if outcome.exact or settings.method == "monte-carlo":
        return outcome
    why = f"more than {ENUMERATED_UP_TO} {statistics.unit} differ, too many to try all swaps"
    return replace(outcome, notes=(f"Monte Carlo: {why}", *outcome.notes))


def with_interval_of_sums(
    outcome: Outcome,
    statistics: SummedStatistics,
    settings: Settings,
    *,
    rng: np.random.Generator,
    keep_going: KeepGoing,
) -> Outcome:
    """The outcome with an interval; drawn after the p-value, so that it does not change it."""
    if statistics.alike or statistics.constant:
        return outcome
    if statistics.n * settings.n_resamples > MAX_INTERVAL_DRAWS:
        return replace(outcome, notes=(*outcome.notes, NO_INTERVAL))
    deltas = drawn_deltas(statistics, settings, rng=rng, keep_going=keep_going)
    return with_interval_of(
        deltas,
        statistics.delta,
        outcome,
        settings,
        room=statistics.room,
        jackknife=statistics.jackknife,
    )
