"""Paired bootstrap of the mean difference, and bootstrap intervals of any difference.

Null hypothesis: the mean difference is zero; the bootstrap shifts its own
distribution there, which is an approximation for few examples.

A resample draws examples with replacement, the same ones for A and for B, so
that it is enough to draw differences.

Its variance is that of n and not n − 1: where the null is true, it rejects at
α = .05 (.01) more often than α by at most .015 (.008) for n = 50, .010 (.005)
for n = 200, .005 (.003) for n = 1,000.

A p-value counts resamples with at least twice the observed difference. On few
examples there may be none: the smallest p-value that the number of resamples allows
then says nothing about the strength of evidence, and is said to be out of reach.

Vocabulary
----------
basic
    The interval 2δ − quantiles of δ*. It excludes 0 exactly where the bootstrap's one-sided
    p-value is at most half the rest, as both move the distribution to its null.
percentile
    The quantiles of δ* themselves.
bca
    Percentiles at levels corrected for bias, z0, and acceleration, a: second-order
    accurate (Efron 1987). a comes from leaving out one example, or cluster, at a
    time.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ..types import FloatArray
from ..validation import check_choice
from .differences import TIE_TOLERANCE, Differences, Unit
from .lattice import MAX_BINS, TOO_MANY_BINS, DrawSum
from .outcome import NO_INTERVAL, Outcome, Sides
from .resamples import draw_sums
from .settings import INTERVAL_KINDS, Asked, Direction, IntervalKind, Settings
from .stopping import KeepGoing

STRICT_ON_EQUALS = (
    "p = 0 comes from the strict rule on equal systems and is no evidence: keep it out of counting"
)
TOO_FEW_RESAMPLES = "p = 0 of s/b says only that b is too small for it"
# Draws for an interval beside another test's p-value: about two seconds of them.
_MAX_INTERVAL_DRAWS = 1 << 28


OUT_OF_REACH = (
    "2δ is out of the bootstrap's reach: no resample can give twice the observed difference"
)


def out_of_reach(instead: str = "randomization") -> str:
    """A note that no resample is as extreme as asked, and which test to take instead."""
    return f"{OUT_OF_REACH}; {instead} is recommended"


def size_notes(size: int, n: int, unit: Unit) -> tuple[str, ...]:
    """A note on resamples of another size than the dataset."""
    if size == n:
        return ()
    note = f"resamples of {size} from n = {n} {unit}: for reproduction of published numbers only"
    return (f"{note}; with more draws than {unit} p is too small" if size > n else note,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """Where the sum of a resample is extreme, in units of the differences or of their step.

    Greater: sum >= `greater`; less: sum <= `less`; two-sided: sum >= `high` or
    sum <= `low`.
    """

    greater: float
    less: float
    high: float
    low: float


def paired_bootstrap(differences: Differences, asked: Asked) -> Outcome:
    """Chance that a resample's mean difference is at least twice the observed one, and an interval.

    Exact where differences lie on a lattice of at most 2**22 bins. By "add-one" the event is
    δ* >= 2δ (two-sided |δ* − δ| >= |δ|), p = (s + 1)/(b + 1), exact P(event); by
    "berg-kirkpatrick" strictly, p = s/b. Another `resample_size` than n is for reproduction.

    References
    ----------
    Berg-Kirkpatrick, Burkett and Klein (EMNLP-CoNLL 2012), section 2 and figure
    1; (s + 1)/(b + 1) and the basic interval: Davison and Hinkley (1997),
    equations 4.11 and 5.6.
    """
    settings = asked.settings
    size, strict = settings.resample_size or differences.n, settings.strict
    exact, why_not = _exact_sum(differences, size, asked.keep_going)
    if settings.method == "exact" and exact is None:
        raise ValueError(f"`method` 'exact' must have differences on a lattice; {why_not}.")
    notes = size_notes(size, differences.n, differences.unit)
    # Of equal systems every resample is the same: none need be drawn.
    is_drawn = settings.method == "monte-carlo" and bool(differences.values.any())

    def with_reach(outcome: Outcome) -> Outcome:
        unreachable = _unreachable(differences, settings)
        said = _reach_notes(differences, strict, unreachable, outcome.p_values)
        return replace(outcome, notes=(*notes, *said), unreachable=unreachable)

    if exact is not None and not is_drawn:
        p_values = _exact_p_values(exact, _whole_thresholds(differences, size, strict))
        outcome = with_reach(Outcome(p_values=p_values, exact=True, statistic=differences.mean))
        return _with_exact_interval(outcome, differences, exact, size, settings)
    if why_not:
        notes = (*notes, f"Monte Carlo: {why_not}")
    sums, at, unit = _drawn(differences, size, asked)
    outcome = Outcome.of_resamples(
        sums >= at.greater,
        sums <= at.less,
        (sums >= at.high) | (sums <= at.low),
        statistic=differences.mean,
        added=0 if strict else 1,
    )
    return _with_drawn_interval(with_reach(outcome), differences, sums * (unit / size), settings)


def with_interval_of_means(outcome: Outcome, differences: Differences, asked: Asked) -> Outcome:
    """The outcome of another test with the bootstrap's interval, exact where a lattice allows.

    None where differences do not vary, or where the resamples are too few for
    the level.
    """
    n = differences.n
    exact, _ = _exact_sum(differences, n, asked.keep_going)
    if exact is not None:
        return _with_exact_interval(outcome, differences, exact, n, asked.settings)
    if n * asked.settings.n_resamples > _MAX_INTERVAL_DRAWS:
        return replace(outcome, notes=(*outcome.notes, NO_INTERVAL))
    sums, _, unit = _drawn(differences, n, asked)
    return _with_drawn_interval(outcome, differences, sums * (unit / n), asked.settings)


def _exact_sum(
    differences: Differences, size: int, keep_going: KeepGoing
) -> tuple[DrawSum | None, str]:
    if differences.integers is None:
        return None, "the differences are not multiples of one step"
    drawn = DrawSum(differences.integers, size, keep_going)
    if drawn.n_bins > MAX_BINS:
        return None, TOO_MANY_BINS
    return drawn, ""


def _whole_thresholds(differences: Differences, size: int, strict: bool) -> Thresholds:
    """Thresholds for whole sums, exact: a resample's mean is its sum over `size`, not over n."""
    assert differences.integers is not None
    total, n = int(differences.integers.sum()), differences.n

    def at_least(numerator: int) -> int:
        return numerator // n + 1 if strict else -(-numerator // n)

    def at_most(numerator: int) -> int:
        return -(-numerator // n) - 1 if strict else numerator // n

    return Thresholds(
        greater=at_least(2 * size * total),
        less=at_most(2 * size * total),
        high=at_least(size * (total + abs(total))),
        low=at_most(size * (total - abs(total))),
    )


def _float_thresholds(differences: Differences, size: int, strict: bool) -> Thresholds:
    """Thresholds for sums of floats, a little wider so that a tie is a tie, or narrower if strict."""
    mean = differences.mean
    room = (
        TIE_TOLERANCE * size * float(np.abs(differences.values).mean()) * (-1.0 if strict else 1.0)
    )
    return Thresholds(
        greater=2.0 * size * mean - room,
        less=2.0 * size * mean + room,
        high=size * (mean + abs(mean)) - room,
        low=size * (mean - abs(mean)) + room,
    )


def _exact_p_values(exact: DrawSum, at: Thresholds) -> Sides:
    high, low = int(at.high), int(at.low)
    # Without a difference, a non-strict event is every resample.
    two_sided = 1.0 if low >= high else min(1.0, exact.at_least(high) + exact.at_most(low))
    return Sides(exact.at_least(int(at.greater)), exact.at_most(int(at.less)), two_sided)


def _drawn(
    differences: Differences, size: int, asked: Asked
) -> tuple[FloatArray, Thresholds, float]:
    """Sums of resamples, the thresholds in their unit, and the unit."""
    whole, strict = differences.integers, asked.settings.strict
    drawn = (size, asked.settings.n_resamples, asked.rng, asked.keep_going)
    if whole is not None and float(np.abs(whole).max()) * size < 2.0**53:
        sums = draw_sums(whole.astype(np.float64), *drawn)
        assert differences.step is not None
        return sums, _whole_thresholds(differences, size, strict), differences.step
    sums = draw_sums(differences.values, *drawn)
    return sums, _float_thresholds(differences, size, strict), 1.0


def _reach_notes(
    differences: Differences, strict: bool, unreachable: Direction | None, p_values: Sides
) -> tuple[str, ...]:
    if not differences.values.any():
        return (STRICT_ON_EQUALS,) if strict else ()
    if unreachable is not None:
        instead = "McNemar or randomization" if differences.unit == "examples" else "randomization"
        return (out_of_reach(instead),)
    return (TOO_FEW_RESAMPLES,) if strict and min(p_values) == 0.0 else ()


def _unreachable(differences: Differences, settings: Settings) -> Direction | None:
    """The direction of the observed difference, if no resample can reach twice of it."""
    values, mean = differences.values, differences.mean
    farthest = float(values.max() if mean > 0.0 else -values.min())
    room = TIE_TOLERANCE * float(np.abs(values).mean())
    return unreachable_direction(mean, farthest, room, settings)


def unreachable_direction(
    delta: float, farthest: float, room: float, settings: Settings
) -> Direction | None:
    """The direction of the observed difference, if twice of it is beyond the farthest one."""
    if abs(delta) <= room:
        return None
    short = farthest - 2.0 * abs(delta)
    # A tie at twice the difference is reached, but not under the strict rule.
    if short < -room or (settings.strict and short <= room):
        return "greater" if delta > 0.0 else "less"
    return None


Interval = tuple[float, float] | None
# Values of the statistic without each example, shape (n,), in order; only their
# spread counts.
Jackknife = Callable[[], FloatArray]

MAY_DISAGREE = {
    "percentile": "percentile interval: it may disagree with p, which the basic one goes with",
    "bca": "BCa interval: it may disagree with p, which the basic one goes with",
}
NO_BCA = "no BCa interval: its correction is not defined on these scores"
TOO_FAR_BCA = "no BCa interval: its corrected ends lie beyond the resamples that were drawn"


def interval_of(
    deltas: FloatArray,
    delta: float,
    *,
    kind: IntervalKind,
    confidence_level: float,
    room: float,
    jackknife: Jackknife,
) -> tuple[Interval, tuple[str, ...]]:
    """An interval from bootstrap deltas, and what to know about it.

    `deltas`, shape (n_resamples,): nan where undefined: those lie beyond both ends.

    Returns
    -------
    ((float, float) or None, tuple of str)
        None where the resamples are too few for the level, or one end is not
        known.
    """
    check_choice(kind, INTERVAL_KINDS, name="interval")
    tail = 0.5 * (1.0 - confidence_level)
    tails = (tail, tail)
    if kind == "bca":
        # Ties by half, as a lattice has many of them.
        below = float(np.count_nonzero(deltas < delta - room))
        level = float(np.count_nonzero(deltas <= delta + room))
        corrected = bca_tails(0.5 * (below + level) / deltas.size, jackknife(), tail=tail)
        if corrected is None:
            return None, (NO_BCA,)
        tails = corrected
    # How many resamples may lie beyond each end, counted from (b + 1)·tail.
    beyond = [math.floor(one * (deltas.size + 1) * (1.0 + 1e-12)) - 1 for one in tails]
    n_undefined = int(np.count_nonzero(np.isnan(deltas)))
    if n_undefined > min(beyond):
        return None, (TOO_FAR_BCA,) if kind == "bca" else ()
    # nan is sorted to the upper end.
    places = (beyond[0] - n_undefined, deltas.size - 1 - beyond[1])
    low, high = (float(end) for end in np.partition(deltas, places)[list(places)])
    if kind == "basic":
        return (2.0 * delta - high, 2.0 * delta - low), ()
    return (low, high), (MAY_DISAGREE[kind],)


def bca_tails(below: float, jackknife: FloatArray, *, tail: float) -> tuple[float, float] | None:
    """The shares of δ* beyond the lower and the upper end, or None where they are not defined.

    `below`: share of δ* below δ, ties by half.

    References
    ----------
    Efron (JASA 1987), section 2; DiCiccio and Efron (Statistical Science 1996),
    equations 2.3, 2.8 and 6.6.
    """
    from scipy.special import ndtr, ndtri

    a = acceleration(jackknife)
    if a is None or not 0.0 < below < 1.0:
        return None
    bias = float(ndtri(below))
    ends = []
    for z in (float(ndtri(tail)), -float(ndtri(tail))):
        moved = bias + z
        if a * moved >= 1.0:
            return None
        ends.append(bias + moved / (1.0 - a * moved))
    return float(ndtr(ends[0])), float(ndtr(-ends[1]))


def acceleration(jackknife: FloatArray) -> float | None:
    """A sixth of the skewness of the jackknife; None where it does not vary or is not defined."""
    if not bool(np.isfinite(jackknife).all()):
        return None
    deviations = jackknife.mean() - jackknife
    largest = float(np.abs(deviations).max())
    if largest <= 1e-14 * float(np.abs(jackknife).max()):
        return None
    deviations /= largest
    return float((deviations**3).sum() / (6.0 * float((deviations**2).sum()) ** 1.5))


def with_interval_of(
    outcome: Outcome,
    deltas: FloatArray,
    delta: float,
    settings: Settings,
    *,
    room: float,
    jackknife: Jackknife,
) -> Outcome:
    """The outcome with the interval that is asked for, from bootstrap deltas."""
    interval, notes = interval_of(
        deltas,
        delta,
        kind=settings.interval,
        confidence_level=settings.confidence_level,
        room=room,
        jackknife=jackknife,
    )
    return replace(outcome, interval=interval, notes=(*outcome.notes, *notes))


def _with_drawn_interval(
    outcome: Outcome, differences: Differences, means: FloatArray, settings: Settings
) -> Outcome:
    if differences.constant:
        return outcome
    return with_interval_of(
        outcome,
        means,
        differences.mean,
        settings,
        room=TIE_TOLERANCE * float(np.abs(differences.values).mean()),
        jackknife=lambda: _without_each(differences),
    )


def _with_exact_interval(
    outcome: Outcome, differences: Differences, exact: DrawSum, size: int, settings: Settings
) -> Outcome:
    """The outcome with the interval from the exact distribution of a resample's sum."""
    if differences.constant:
        return outcome
    assert differences.step is not None
    assert differences.integers is not None
    total, n, unit = int(differences.integers.sum()), differences.n, differences.step
    tail = 0.5 * (1.0 - settings.confidence_level)
    if settings.interval == "basic":
        low, high = exact.quantiles(tail)
        # Over one denominator, so that .084 comes out as .084.
        twice = 2 * size * total
        ends = ((twice - n * high) * unit / (n * size), (twice - n * low) * unit / (n * size))
        return replace(outcome, interval=ends)
    tails = (tail, tail)
    if settings.interval == "bca":
        at_least = exact.at_least(-(-size * total // n))
        below = 0.5 * (1.0 - at_least + exact.at_most(size * total // n))
        corrected = bca_tails(below, _without_each(differences), tail=tail)
        if corrected is None:
            return replace(outcome, notes=(*outcome.notes, NO_BCA))
        tails = corrected
    low, high = exact.quantiles(*tails)
    return replace(
        outcome,
        interval=(low * unit / size, high * unit / size),
        notes=(*outcome.notes, MAY_DISAGREE[settings.interval]),
    )


def _without_each(differences: Differences) -> FloatArray:
    """Means without each difference, but for a constant and a factor."""
    return 0.0 - differences.values
