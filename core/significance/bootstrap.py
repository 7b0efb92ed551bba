"""Paired bootstrap of the mean difference.

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
witness
    A resample that is as extreme as asked. Finding one proves that they exist;
    finding none among those tried is taken for a sign that there is none.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Protocol

import numpy as np

from ..types import FloatArray, IntArray
from ..validation import check_choice
from .differences import TIE_TOLERANCE, Differences, Unit
from .intervals import Interval, IntervalKind, drawn_interval, exact_interval
from .lattice import MAX_BINS, DrawSum
from .outcome import Outcome, Sides
from .resamples import CHUNK_DRAWS, draw_sums
from .settings import ESTIMATORS, METHODS, Direction, Estimator, Method
from .stopping import KeepGoing
from .summed_statistics import SummedStatistics

STRICT_ON_EQUALS = (
    "p = 0 comes from the strict rule on equal systems and is no evidence: keep it out of counting"
)
TOO_FEW_RESAMPLES = "p = 0 of s/b says only that b is too small for it"


class Resampled(Protocol):
    """What resamples are drawn from."""

    @property
    def n(self) -> int:
        """How many there are."""

    @property
    def unit(self) -> Unit:
        """What they are: examples or clusters."""


def out_of_reach(instead: str = "randomization") -> str:
    """A note that no resample is as extreme as asked, and which test to take instead."""
    return (
        "2δ is out of the bootstrap's reach: no resample can give twice the observed difference; "
        f"{instead} is recommended"
    )


def size_notes(size: int, drawn: Resampled) -> tuple[str, ...]:
    """A note on resamples of another size than the dataset."""
    n, unit = drawn.n, drawn.unit
    if size == n:
        return ()
    note = f"resamples of {size} from n = {n} {unit}: for reproduction of published numbers only"
    return (f"{note}; with more draws than {unit} p is too small" if size > n else note,)


# Up to so many rows every resample is tried: 6,435 of them.
ALL_TRIED_UP_TO = 8
# Of more rows, mixtures of any two among so many of those that speak most for the difference.
_MIXED = 24
_PARTS = 8


def has_witness(statistics: SummedStatistics, *, strict: bool = False) -> bool:
    """Whether a resample is found whose difference is at least twice the observed one.

    Parameters
    ----------
    statistics : SummedStatistics
        With a difference that is not zero.
    strict : bool
        Whether it must be more than twice.
    """
    delta, room = statistics.delta, statistics.room
    direction = 1.0 if delta > 0.0 else -1.0
    needed = 2.0 * abs(delta) + (room if strict else -room)
    for counts in _candidates(statistics, direction):
        deltas = direction * statistics.deltas(counts @ statistics.a, counts @ statistics.b)
        reached = deltas > needed if strict else deltas >= needed
        if bool(reached.any()):
            return True
    return False


def _candidates(statistics: SummedStatistics, direction: float) -> Iterator[FloatArray]:
    """How often each row is drawn, an array of shape (n_candidates, n) at a time."""
    n = statistics.n
    if n <= ALL_TRIED_UP_TO:
        drawn = np.array(list(combinations_with_replacement(range(n), n)))
        yield (drawn[:, :, np.newaxis] == np.arange(n)).sum(axis=1).astype(np.float64)
        return
    for order in _rankings(statistics, direction):
        yield from _leading(order, n)
        yield from _pairs(order[:_MIXED], n)


def _rankings(statistics: SummedStatistics, direction: float) -> Iterator[np.ndarray]:
    """Rows by how much they speak for the difference: by their influence, and by themselves."""
    with np.errstate(invalid="ignore"):
        influence = direction * (statistics.delta - statistics.jackknife())
        alone = direction * statistics.deltas(statistics.a, statistics.b)
    for merit in (influence, alone):
        yield np.argsort(-np.nan_to_num(merit, nan=-np.inf), kind="stable")


def _leading(order: np.ndarray, n: int) -> Iterator[FloatArray]:
    """The first k rows, each about n/k times, for k in growing steps."""
    sizes = np.unique(np.geomspace(1, n, num=min(n, 60)).astype(np.intp))
    for some in _in_parts(sizes, n):
        counts = np.zeros((some.size, n))
        for i, k in enumerate(some.tolist()):
            counts[i, order[:k]] = n // k
            counts[i, order[: n % k]] += 1.0
        yield counts


def _pairs(leading: np.ndarray, n: int) -> Iterator[FloatArray]:
    """Any two of the leading rows, in several proportions."""
    shares = np.unique(np.rint(np.linspace(0, n, _PARTS + 1)[1:-1]))
    for position, first in enumerate(leading[:-1].tolist()):
        others = leading[position + 1 :]
        pairs = np.column_stack(
            [np.tile(shares, others.size), np.repeat(others, shares.size)]
        ).astype(np.intp)
        for some in _in_parts(pairs, n):
            counts = np.zeros((some.shape[0], n))
            counts[:, first] = some[:, 0]
            counts[np.arange(some.shape[0]), some[:, 1]] = n - some[:, 0]
            yield counts


def _in_parts(candidates: IntArray, n: int) -> Iterator[IntArray]:
    """So many candidates at a time as resamples are held at once."""
    at_once = max(1, CHUNK_DRAWS // n)
    for start in range(0, candidates.shape[0], at_once):
        yield candidates[start : start + at_once]


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


def paired_bootstrap(
    differences: Differences,
    *,
    method: Method = "auto",
    n_resamples: int = 9999,
    resample_size: int | None = None,
    estimator: Estimator = "add-one",
    confidence_level: float = 0.95,
    interval: IntervalKind = "basic",
    rng: np.random.Generator,
    keep_going: KeepGoing = None,
) -> Outcome:
    """Chance that a resample's mean difference is at least twice the observed one.

    Parameters
    ----------
    differences : Differences
        Of n examples.
    method : {"auto", "exact", "monte-carlo"}
        Exact where differences lie on a lattice of at most 2**22 bins.
    n_resamples : int
        Of Monte Carlo, b.
    resample_size : int, optional
        Draws in a resample, n by default. Any other is for reproduction.
    estimator : {"add-one", "berg-kirkpatrick"}
        "add-one": the event is δ* >= 2δ (two-sided |δ* − δ| >= |δ|), p = (s + 1)/(b + 1),
        exact P(event). "berg-kirkpatrick": strictly, p = s/b.
    confidence_level : float
        Of the interval.
    interval : {"basic", "percentile", "bca"}
        Its kind, as `significance.intervals` has them.

    Raises
    ------
    ValueError
        If "exact" is asked for and the differences allow no exact distribution.
    Stopped
        If `keep_going` says so.

    References
    ----------
    Berg-Kirkpatrick, Burkett and Klein (EMNLP-CoNLL 2012), section 2 and figure
    1; (s + 1)/(b + 1) and the basic interval: Davison and Hinkley (1997),
    equations 4.11 and 5.6.
    """
    check_choice(method, METHODS, name="method")
    check_choice(estimator, ESTIMATORS, name="estimator")
    size = differences.n if resample_size is None else resample_size
    strict = estimator == "berg-kirkpatrick"
    exact, why_not = _exact_sum(differences, size, keep_going)
    if method == "exact" and exact is None:
        raise ValueError(f"`method` 'exact' must have differences on a lattice; {why_not}.")
    notes = [*size_notes(size, differences)]
    # Of equal systems every resample is the same: none need be drawn.
    is_drawn = exact is None or (method == "monte-carlo" and bool(differences.values.any()))
    if exact is not None and not is_drawn:
        p_values = _exact_p_values(exact, _whole_thresholds(differences, size, strict))
        notes += _reach_notes(differences, strict, p_values)
        ends, more = exact_interval(differences, exact, size, confidence_level, interval)
        return Outcome(
            p_values=p_values,
            exact=True,
            statistic=differences.mean,
            interval=ends,
            notes=(*notes, *more),
            unreachable=_unreachable(differences, strict),
        )
    if why_not:
        notes.append(f"Monte Carlo: {why_not}")
    sums, thresholds, unit = _drawn(
        differences, size, n_resamples, strict=strict, rng=rng, keep_going=keep_going
    )
    extreme = Sides(
        int(np.count_nonzero(sums >= thresholds.greater)),
        int(np.count_nonzero(sums <= thresholds.less)),
        int(np.count_nonzero((sums >= thresholds.high) | (sums <= thresholds.low))),
    )
    added = 0 if strict else 1
    p_values = Sides(*((s + added) / (n_resamples + added) for s in extreme))
    notes += _reach_notes(differences, strict, p_values)
    ends, more = drawn_interval(differences, sums * (unit / size), confidence_level, interval)
    return Outcome(
        p_values=p_values,
        exact=False,
        statistic=differences.mean,
        n_resamples=n_resamples,
        n_extreme=extreme,
        interval=ends,
        notes=(*notes, *more),
        unreachable=_unreachable(differences, strict),
    )


def bootstrap_interval(
    differences: Differences,
    *,
    confidence_level: float,
    interval: IntervalKind,
    n_resamples: int,
    rng: np.random.Generator,
    keep_going: KeepGoing = None,
) -> tuple[Interval, tuple[str, ...]]:
    """Bootstrap interval of the mean difference, exact where a lattice allows, and its notes.

    None where differences do not vary, or where the resamples are too few for
    the level.

    Raises
    ------
    Stopped
        If `keep_going` says so.
    """
    exact, _ = _exact_sum(differences, differences.n, keep_going)
    if exact is not None:
        return exact_interval(differences, exact, differences.n, confidence_level, interval)
    sums, _, unit = _drawn(
        differences, differences.n, n_resamples, strict=False, rng=rng, keep_going=keep_going
    )
    return drawn_interval(differences, sums * (unit / differences.n), confidence_level, interval)


def has_exact_interval(differences: Differences) -> bool:
    """Whether the interval needs no resamples."""
    return _exact_sum(differences, differences.n)[0] is not None


def _exact_sum(
    differences: Differences, size: int, keep_going: KeepGoing = None
) -> tuple[DrawSum | None, str]:
    if differences.integers is None:
        return None, "the differences are not multiples of one step"
    drawn = DrawSum(differences.integers, size, keep_going)
    if drawn.n_bins > MAX_BINS:
        return None, f"the exact distribution would have {drawn.n_bins:,} bins, above {MAX_BINS:,}"
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
    differences: Differences,
    size: int,
    n_resamples: int,
    *,
    strict: bool,
    rng: np.random.Generator,
    keep_going: KeepGoing,
) -> tuple[FloatArray, Thresholds, float]:
    """Sums of resamples, the thresholds in their unit, and the unit."""
    whole = differences.integers
    if whole is not None and float(np.abs(whole).max()) * size < 2.0**53:
        sums = draw_sums(whole.astype(np.float64), size, n_resamples, rng, keep_going)
        assert differences.step is not None
        return sums, _whole_thresholds(differences, size, strict), differences.step
    sums = draw_sums(differences.values, size, n_resamples, rng, keep_going)
    return sums, _float_thresholds(differences, size, strict), 1.0


def _reach_notes(differences: Differences, strict: bool, p_values: Sides) -> tuple[str, ...]:
    if not differences.values.any():
        return (STRICT_ON_EQUALS,) if strict else ()
    if _unreachable(differences, strict) is not None:
        instead = "McNemar or randomization" if differences.unit == "examples" else "randomization"
        return (out_of_reach(instead),)
    return (TOO_FEW_RESAMPLES,) if strict and min(p_values) == 0.0 else ()


def _unreachable(differences: Differences, strict: bool) -> Direction | None:
    """The direction of the observed difference, if no resample can reach twice of it."""
    values, mean = differences.values, differences.mean
    if mean == 0.0:
        return None
    room = TIE_TOLERANCE * float(np.abs(values).mean())
    ahead, farthest = (mean, float(values.max())) if mean > 0 else (-mean, -float(values.min()))
    # A tie at twice the difference is reached, but not under the strict rule.
    short = farthest - 2.0 * ahead
    if short < -room or (strict and short <= room):
        return "greater" if mean > 0 else "less"
    return None
