"""Tests of scores that are functions of summed statistics: ratios, F1, AER, BLEU, Pearson's r.

Null hypotheses: of the bootstrap, that the two scores are the same, its own
distribution being shifted there; of randomization, that the two systems'
statistics on an example may be exchanged.

A resample's score needs the resample's sums alone, which is a product of counts
and statistics (Berg-Kirkpatrick et al. 2012, footnote 4).

Both are exact where both systems' ratios have the same total on each example. The difference
of the ratios of a resample is then Σd*/Σt*, d being the difference of the corrects and t the
total. Let D = Σd and T = Σt. Swaps leave T as it is, so that randomization is
that of d; a bootstrap sample has δ* >= 2δ where Σ(T·d − 2D·t)* >= 0.

Where the null is true, the bootstrap rejects at α = .05 (.01) more often than α
by at most .020 (.010) for n = 50, .010 (.005) for n = 200, n being the number of
clusters where there are some.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..metrics.registry import STATISTIC_METRICS, StatisticMetric
from ..types import FloatArray, IntArray
from .bootstrap import (
    STRICT_ON_EQUALS,
    TOO_FEW_RESAMPLES,
    out_of_reach,
    size_notes,
    unreachable_direction,
    with_interval_of,
)
from .differences import Differences, Unit, paired_differences
from .lattice import MAX_BINS, TOO_MANY_BINS, DrawSum
from .means import ENUMERATED_UP_TO, approximate_randomization
from .outcome import NO_EVIDENCE, NO_INTERVAL, Outcome, Sides, attainable
from .resamples import (
    DeltasOf,
    all_swaps,
    bootstrap_outcome,
    distinct_rows,
    product,
    random_swaps,
    randomization_outcome,
)
from .settings import Asked, Direction, Settings
from .summed_statistics import SummedStatistics, has_witness, scale_of


def _judged(deltas: FloatArray, statistics: SummedStatistics, settings: Settings) -> Outcome:
    """The outcome of bootstrap deltas, with an interval and what is to be said of reach."""
    delta, room = statistics.delta, statistics.room
    outcome = bootstrap_outcome(deltas, delta, room=room, strict=settings.strict)
    farthest = abs(delta) if statistics.constant else statistics.farthest
    unreachable = unreachable_direction(delta, farthest, room, settings)
    if unreachable is None and abs(delta) > room:
        direction: Direction = "greater" if delta > 0.0 else "less"
        drawn = deltas if delta > 0.0 else -deltas
        defined = drawn[np.isfinite(drawn)]
        needed = 2.0 * abs(delta) + (room if settings.strict else -room)
        # Resamples without a score count against the evidence; they show no reach.
        is_drawn = defined > needed if settings.strict else defined >= needed
        if not is_drawn.any() and not has_witness(statistics, strict=settings.strict):
            unreachable = direction
    notes = [*outcome.notes]
    if unreachable is not None:
        notes.append(out_of_reach())
    elif settings.strict and min(outcome.p_values) == 0.0:
        notes.append(TOO_FEW_RESAMPLES if abs(delta) > room else STRICT_ON_EQUALS)
    outcome = replace(outcome, notes=tuple(notes), unreachable=unreachable)
    return _with_interval(outcome, deltas, statistics, settings)


def _with_interval(
    outcome: Outcome, deltas: FloatArray, statistics: SummedStatistics, settings: Settings
) -> Outcome:
    if statistics.constant:
        return outcome
    return with_interval_of(
        outcome,
        deltas,
        statistics.delta,
        settings,
        room=statistics.room,
        jackknife=statistics.jackknife,
    )


def randomization_of_sums(statistics: SummedStatistics, asked: Asked) -> Outcome:
    """Chance that random swaps give a difference at least as large as the observed one.

    Exact by trying all swaps where at most 20 examples differ; else, or by
    choice, Monte Carlo.
    """
    if statistics.alike:
        return Outcome(p_values=NO_EVIDENCE, exact=True, statistic=0.0)
    # Swapping equal statistics does nothing.
    differing = (statistics.a != statistics.b).any(axis=1)
    moved = (statistics.b - statistics.a)[differing]
    sums_a, sums_b = statistics.a.sum(axis=0), statistics.b.sum(axis=0)
    numbers: IntArray | None = None
    if not tries_all_swaps(moved.shape[0], statistics, asked.settings):
        first, numbers = distinct_rows(moved, at_most=moved.shape[0] // 16)
        if first is not None:
            moved = moved[first]

    def deltas_of(swapped: FloatArray) -> FloatArray:
        exchanged = product(swapped, moved[: swapped.shape[1]])
        return statistics.deltas(sums_a + exchanged, sums_b - exchanged)

    return randomization_by_swaps(
        deltas_of,
        int(np.count_nonzero(differing)),
        statistics,
        asked,
        numbers=numbers,
    )


def tries_all_swaps(n_differing: int, statistics: SummedStatistics, settings: Settings) -> bool:
    """Whether so few examples or clusters differ that every way to swap them is tried."""
    few = n_differing <= ENUMERATED_UP_TO
    if settings.method == "exact" and not few:
        raise ValueError(
            f"`method` 'exact' must have at most {ENUMERATED_UP_TO} {statistics.unit} that differ, or a "
            f"ratio with the same totals for both systems; {n_differing:,} differ."
        )
    return few and settings.method != "monte-carlo"


def randomization_by_swaps(
    deltas_of: DeltasOf,
    n_differing: int,
    statistics: SummedStatistics,
    asked: Asked,
    *,
    numbers: IntArray | None = None,
) -> Outcome:
    """The outcome of swaps on what differs: all of them, or random ones.

    Parameters
    ----------
    deltas_of : callable
        From swaps, shape (resamples, n_differing), to differences. Where all are
        tried, the last one is left where it is and has no column.
    numbers : ndarray of int, optional
        How many examples a column stands for, by default 1 each.
    """
    settings, keep_going = asked.settings, asked.keep_going
    everything = tries_all_swaps(n_differing, statistics, settings)
    if everything:
        swaps = all_swaps(n_differing - 1, keep_going=keep_going)
    else:
        swaps = random_swaps(
            np.ones(n_differing, dtype=np.intp) if numbers is None else numbers,
            n_resamples=settings.n_resamples,
            rng=asked.rng,
            keep_going=keep_going,
        )
    deltas = np.concatenate([deltas_of(swapped) for swapped in swaps])
    if everything:
        # Swapping what was not swapped exchanges the two systems' scores.
        deltas = np.concatenate([deltas, -deltas])
    outcome = randomization_outcome(
        deltas, statistics.delta, room=statistics.room, everything=everything
    )
    notes = attainable(
        settings.alternative, n_differing=n_differing, n=statistics.n, unit=statistics.unit
    )
    return replace(outcome, notes=(*notes, *outcome.notes))


_RATIO = STATISTIC_METRICS["ratio"]


def counted_statistics(
    metric: StatisticMetric,
    a: FloatArray,
    b: FloatArray,
    *,
    higher_is_better: bool,
    unit: Unit = "examples",
) -> tuple[SummedStatistics, tuple[float, float]]:
    """Two systems' statistics of n units, shape (n, s), and their scores as the metric has them."""
    scores = _scores(metric, a, b)
    sign = 1.0 if higher_is_better else -1.0
    shared = None
    if metric is _RATIO and bool((a[:, 1] == b[:, 1]).all()):
        turned = [sign * counted[:, 0] + 0.0 for counted in (a, b)]
        shared = replace(paired_differences(*turned), unit=unit)
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


def bootstrap_of_counts(statistics: SummedStatistics, asked: Asked) -> Outcome:
    """The paired bootstrap, exact where totals are shared; with an interval."""
    settings = asked.settings
    if statistics.alike:
        # Every resample is a tie.
        p = 0.0 if settings.strict else 1.0
        said = (STRICT_ON_EQUALS,) if settings.strict else ()
        return Outcome(p_values=Sides(p, p, p), exact=True, statistic=0.0, notes=said)
    why_not = ""
    if settings.method != "monte-carlo":
        never = statistics.never_exact or "this metric has no exact p-value on these counts"
        exact, why_not = (
            _exact_bootstrap(statistics, statistics.shared, asked)
            if statistics.shared is not None
            else (None, never)
        )
        if exact is not None:
            if not settings.with_interval:
                return exact
            return with_interval_of_sums(exact, statistics, asked)
        if settings.method == "exact":
            raise ValueError(f"`method` 'exact' must have an exact distribution; {why_not}.")
    outcome = _judged(statistics.drawn(asked), statistics, settings)
    size = settings.resample_size or statistics.n
    notes = size_notes(size, statistics.n, statistics.unit)
    if why_not and not statistics.never_exact:
        notes = (*notes, f"Monte Carlo: {why_not}")
    return replace(outcome, notes=(*notes, *outcome.notes))


def _exact_bootstrap(
    statistics: SummedStatistics, shared: Differences, asked: Asked
) -> tuple[Outcome | None, str]:
    settings, keep_going = asked.settings, asked.keep_going
    # In steps of their lattice, which the event does not depend on.
    whole_d, t = shared.integers, statistics.a[:, 1]
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
    if twice.n_bins > MAX_BINS:
        return None, TOO_MANY_BINS
    none = DrawSum(whole_d, size, keep_going)
    edge = 1 if settings.strict else 0
    greater, less = twice.at_least(edge), twice.at_most(-edge)
    # Farther than δ from δ: beyond 2δ on one side, beyond 0 on the other.
    other = none.at_most(-edge) if ahead >= 0 else none.at_least(edge)
    two_sided = min(1.0, (greater if ahead >= 0 else less) + other)
    unreachable = unreachable_direction(
        statistics.delta, statistics.farthest, statistics.room, settings
    )
    notes = size_notes(size, statistics.n, statistics.unit)
    return Outcome(
        p_values=Sides(greater, less, two_sided),
        exact=True,
        statistic=statistics.delta,
        notes=notes if unreachable is None else (*notes, out_of_reach()),
        unreachable=unreachable,
    ), ""


def randomization_of_counts(statistics: SummedStatistics, asked: Asked) -> Outcome:
    """Randomization, that of the differences where totals are shared."""
    if statistics.shared is not None:
        return approximate_randomization(statistics.shared, asked)
    outcome = randomization_of_sums(statistics, asked)
    if outcome.exact or asked.settings.method == "monte-carlo":
        return outcome
    why = f"more than {ENUMERATED_UP_TO} {statistics.unit} differ, too many to try all swaps"
    return replace(outcome, notes=(f"Monte Carlo: {why}", *outcome.notes))


def with_interval_of_sums(outcome: Outcome, statistics: SummedStatistics, asked: Asked) -> Outcome:
    """The outcome with an interval; drawn after the p-value, so that it does not change it."""
    if statistics.alike or statistics.constant:
        return outcome
    if statistics.takes_long(asked.settings.n_resamples):
        return replace(outcome, notes=(*outcome.notes, NO_INTERVAL))
    return _with_interval(outcome, statistics.drawn(asked), statistics, asked.settings)
