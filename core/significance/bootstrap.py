"""The paired bootstrap of a mean difference or of two scores of summed statistics; its intervals.

Null hypothesis: the mean difference is zero, or the two scores are the same; the bootstrap
shifts its own distribution there, which is an approximation for few examples.

A resample draws examples with replacement, the same ones for A and for B, so
that of means it is enough to draw differences.

It is exact where differences of means lie on a lattice, and where both systems' ratios have the
same total on each example. The difference of the ratios of a resample is then Σd*/Σt*, d being
the difference of the corrects and t the total. Let D = Σd and T = Σt: a bootstrap sample has
δ* >= 2δ where Σ(T·d − 2D·t)* >= 0. Of means t is 1.

Of means its variance is that of n and not n − 1: where the null is true, it rejects at
α = .05 (.01) more often than α by at most .015 (.008) for n = 50, .010 (.005)
for n = 200, .005 (.003) for n = 1,000; of ratios, F1 and the like by at most .020 (.010) for
n = 50, .010 (.005) for n = 200, n being the number of clusters where there are some.

A p-value counts resamples with at least twice the observed difference. On few
examples there may be none: the smallest p-value that the number of resamples allows
then says nothing about the strength of evidence, and is called out of reach.

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

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ..types import FloatArray
from .differences import Differences, Unit
from .lattice import MAX_BINS, SMALLEST, TOO_MANY_BINS, DrawSum, Integers, lattice_of, spread_of
from .outcome import NO_INTERVAL, Outcome, Sides
from .settings import Asked, Direction, IntervalKind, Settings
from .summed_statistics import Scored, SummedStatistics, has_witness

Interval = tuple[float, float] | None
# Values of the statistic without each example, shape (n,), in order; only their
# spread counts.
Jackknife = Callable[[], FloatArray]

STRICT_ON_EQUALS = (
    "p = 0 comes from the strict rule on equal systems and is no evidence: keep it out of counting"
)
TOO_FEW_RESAMPLES = "p = 0 of s/b says only that b is too small for it"
OUT_OF_REACH = (
    "2δ is out of the bootstrap's reach: no resample can give twice the observed difference"
)
MAY_DISAGREE = {
    "percentile": "percentile interval: it may disagree with p, which the basic one goes with",
    "bca": "BCa interval: it may disagree with p, which the basic one goes with",
}
NO_BCA = "no BCa interval: its correction is not defined on these scores"
TOO_FAR_BCA = "no BCa interval: its corrected ends lie beyond the resamples that were drawn"


def paired_bootstrap(scored: Scored, asked: Asked) -> Outcome:
    """Chance that a resample's difference is at least twice the observed one, and an interval.

    By "add-one" the event is δ* >= 2δ (two-sided |δ* − δ| >= |δ|), p = (s + 1)/(b + 1), exact
    P(event); by "berg-kirkpatrick" strictly, p = s/b. Berg-Kirkpatrick, Burkett and Klein
    (EMNLP-CoNLL 2012), section 2 and figure 1; (s + 1)/(b + 1) and the basic interval: Davison and
    Hinkley (1997), equations 4.11 and 5.6.
    """
    settings = asked.settings
    size = settings.resample_size or scored.n
    notes = _size_notes(size, scored.n, scored.unit)
    if scored.alike:
        # Every resample is a tie.
        p = 0.0 if settings.strict else 1.0
        notes = (*notes, STRICT_ON_EQUALS) if settings.strict else notes
        return Outcome(p_values=Sides(p, p, p), statistic=0.0, notes=notes)
    if settings.method != "monte-carlo":
        p_values, drawn, why_not = _exact(scored, size, asked)
        if p_values is not None:
            exact = Outcome(p_values=p_values, statistic=scored.delta, notes=notes)
            return with_interval(_with_reach(exact, scored, settings), scored, asked, drawn)
        if settings.method == "exact":
            raise ValueError(f"`method` 'exact' must have an exact distribution; {why_not}.")
        if not scored.never_exact:
            notes = (*notes, f"Monte Carlo: {why_not}")
    deltas = scored.drawn(asked)
    outcome = Outcome.of_bootstrap(deltas, scored.delta, room=scored.room, strict=settings.strict)
    outcome = replace(outcome, notes=(*notes, *outcome.notes))
    outcome = _with_reach(outcome, scored, settings, deltas)
    return with_interval(outcome, scored, asked, deltas=deltas)


def bootstrap_of_moments(
    n: FloatArray, sums: FloatArray, squares: FloatArray, integers: Integers | None
) -> FloatArray:
    """P-values of "A is better" that it tends to: normal, with the spread over n.

    The event is that n draws add up to at least twice the observed sum; on a lattice the first
    sum that does counts from half a step before.
    """
    from scipy.special import ndtr

    spread, varies = spread_of(n, sums, squares)
    beyond = sums
    first, step = lattice_of(integers)
    if step > 0.0:
        beyond = sums + np.mod(n * first - 2.0 * sums, step) - 0.5 * step
    tails: FloatArray = np.maximum(ndtr(-beyond / np.sqrt(spread)), SMALLEST)
    return np.where(varies, tails, 1.0)


def _size_notes(size: int, n: int, unit: Unit) -> tuple[str, ...]:
    if size == n:
        return ()
    note = f"resamples of {size} from n = {n} {unit}: for reproduction of published numbers only"
    return (f"{note}; with more draws than {unit} p is too small" if size > n else note,)


def _exact(scored: Scored, size: int, asked: Asked) -> tuple[Sides | None, DrawSum | None, str]:
    """P-values without resamples, of means with the sum that gives an interval; or why not."""
    edge = 1 if asked.settings.strict else 0
    if isinstance(scored, Differences):
        drawn, why_not = scored.sum_of_draws(size, asked.keep_going)
        if drawn is None or scored.integers is None:
            return None, None, why_not
        ahead = int(scored.integers.sum())
        # A resample's mean is its sum over `size`, the observed one over n.
        twice = 2 * size * ahead
        greater = drawn.at_least(-(-(twice + edge) // scored.n))
        less = drawn.at_most((twice - edge) // scored.n)
    elif scored.shared is None:
        why_not = scored.never_exact or "this metric has no exact p-value on these counts"
        return None, None, why_not
    else:
        whole_d, t = scored.shared.integers, scored.a[:, 1]
        why_not = _why_not_exact(scored, scored.shared)
        if why_not or whole_d is None:
            return None, None, why_not
        ahead, whole_t = int(whole_d.sum()), t.astype(np.int64)
        beyond = DrawSum(int(t.sum()) * whole_d - 2 * ahead * whole_t, size, asked.keep_going)
        if beyond.n_bins > MAX_BINS:
            return None, None, TOO_MANY_BINS
        greater, less = beyond.at_least(edge), beyond.at_most(-edge)
        drawn = DrawSum(whole_d, size, asked.keep_going)
    # Farther than δ from δ: beyond 2δ on one side, beyond 0 on the other.
    other = drawn.at_most(-edge) if ahead >= 0 else drawn.at_least(edge)
    two_sided = min(1.0, (greater if ahead >= 0 else less) + other)
    return Sides(greater, less, two_sided), drawn, ""


def _why_not_exact(scored: SummedStatistics, shared: Differences) -> str:
    whole_d, t = shared.integers, scored.a[:, 1]
    if whole_d is None:
        return "the differences are not multiples of one step"
    if bool((t != np.rint(t)).any()):
        return "the totals are not whole numbers"
    if bool((t == 0.0).any()):
        return f"a total is 0 for one of the {scored.unit}, so that a resample may have no score"
    total, ahead = int(t.sum()), int(whole_d.sum())
    largest = total * int(np.abs(whole_d).max()) + 2 * abs(ahead) * int(t.max())
    # Floats add up totals exactly below 2**53; the products are of 64 bits.
    return "the counts are too large" if total >= 2**53 or largest >= 2**62 else ""


def _with_reach(
    outcome: Outcome,
    scored: Scored,
    settings: Settings,
    deltas: FloatArray | None = None,
) -> Outcome:
    """The outcome with what is to be said of reach; of resamples their `deltas`."""
    delta, room = scored.delta, scored.room
    direction: Direction = "greater" if delta > 0.0 else "less"
    farthest = abs(delta) if scored.constant else scored.farthest
    short = farthest - 2.0 * abs(delta)
    # A tie at twice the difference is reached, but not under the strict rule.
    beyond = short < -room or (settings.strict and short <= room)
    if deltas is not None and isinstance(scored, SummedStatistics) and not beyond:
        drawn = deltas if delta > 0.0 else -deltas
        # Resamples without a score count against the evidence; they show no reach.
        defined = drawn[np.isfinite(drawn)]
        needed = 2.0 * abs(delta) + (room if settings.strict else -room)
        is_drawn = defined > needed if settings.strict else defined >= needed
        beyond = not is_drawn.any() and not has_witness(scored, strict=settings.strict)
    if beyond and abs(delta) > room:
        of_examples = isinstance(scored, Differences) and scored.unit == "examples"
        instead = "McNemar or randomization" if of_examples else "randomization"
        notes = (*outcome.notes, f"{OUT_OF_REACH}; {instead} is recommended")
        return replace(outcome, notes=notes, unreachable=direction)
    if settings.strict and deltas is not None and min(outcome.p_values) == 0.0:
        said = TOO_FEW_RESAMPLES if abs(delta) > room else STRICT_ON_EQUALS
        return replace(outcome, notes=(*outcome.notes, said))
    return outcome


def interval_of(
    deltas: FloatArray,
    delta: float,
    *,
    kind: IntervalKind,
    confidence_level: float,
    room: float,
    jackknife: Jackknife,
) -> tuple[Interval, tuple[str, ...]]:
    """An interval from bootstrap deltas, and what to know about it; None where an end is not known.

    Undefined deltas, nan, lie beyond both ends.
    """
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
    """The shares of δ* beyond either end, or None where undefined; `below` δ there are so many.

    Efron (JASA 1987), section 2; DiCiccio and Efron (Statistical Science 1996), equations 2.3, 2.8
    and 6.6.
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


def with_interval(
    outcome: Outcome,
    scored: Scored,
    asked: Asked,
    exact: DrawSum | None = None,
    deltas: FloatArray | None = None,
) -> Outcome:
    """The outcome with the bootstrap's interval, drawn after the p-value so that it stays."""
    settings, size = asked.settings, asked.settings.resample_size or scored.n
    if scored.alike or scored.constant:
        return outcome
    if deltas is None and isinstance(scored, Differences):
        exact = exact or scored.sum_of_draws(size, asked.keep_going)[0]
    if deltas is None and isinstance(scored, Differences) and exact is not None:
        interval, notes = _exact_interval(scored, exact, size, settings)
    else:
        if deltas is None:
            if not settings.with_interval:
                return outcome
            if scored.takes_long(settings.n_resamples):
                return replace(outcome, notes=(*outcome.notes, NO_INTERVAL))
            deltas = scored.drawn(asked)
        interval, notes = interval_of(
            deltas,
            scored.delta,
            kind=settings.interval,
            confidence_level=settings.confidence_level,
            room=scored.room,
            jackknife=scored.jackknife,
        )
    return replace(outcome, confidence_interval=interval, notes=(*outcome.notes, *notes))


def _exact_interval(
    differences: Differences, exact: DrawSum, size: int, settings: Settings
) -> tuple[Interval, tuple[str, ...]]:
    """As `interval_of`, of all resamples."""
    assert differences.step is not None
    assert differences.integers is not None
    total, n, unit = int(differences.integers.sum()), differences.n, differences.step
    tail = 0.5 * (1.0 - settings.confidence_level)
    tails = (tail, tail)
    if settings.interval == "basic":
        low, high = exact.quantiles(tail)
        # Over one denominator, so that .084 comes out as .084.
        twice = 2 * size * total
        return ((twice - n * high) * unit / (n * size), (twice - n * low) * unit / (n * size)), ()
    if settings.interval == "bca":
        at_least = exact.at_least(-(-size * total // n))
        below = 0.5 * (1.0 - at_least + exact.at_most(size * total // n))
        corrected = bca_tails(below, differences.jackknife(), tail=tail)
        if corrected is None:
            return None, (NO_BCA,)
        tails = corrected
    low, high = exact.quantiles(*tails)
    return (low * unit / size, high * unit / size), (MAY_DISAGREE[settings.interval],)
