"""Claims at a margin: what a test of the shifted differences says, and where there is none.

Whether A is not worse by m is whether A with m added to each of its differences is
better. So a test of means is run on the differences plus m, for A, and less m, for B;
of metrics that are no means the bootstrap's differences are shifted. 0/1 outcomes have
tests of their own (`significance.counting`). Equivalence takes the larger of the
two one-sided p-values.

Where most differences are 0, a loss that is rare and large may not be among so few
examples: flips, t and bootstrap all reject .37 of true nulls at n = 100, a margin of .01
and losses of 1. From n·m/R = 20 on, R being the largest possible loss, the level is up to
about .07.
"""

import copy
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..comparison import BETTER, Comparison, comparison_named
from ..types import FloatArray
from .bootstrap import OUT_OF_REACH
from .counting import PAtMargin
from .differences import Clusters, Differences
from .lattice import SMALLEST
from .outcome import ONLY_SOME, Outcome, Sides, odds_ratio
from .settings import OWN, Asked, Settings

# Of losses of the largest size, so many must be expected where A is worse by the margin.
FEWEST_LOSSES = 20.0
NO_RESAMPLE = (
    "no resample can be as extreme as asked at this margin, so that nothing is counted (p = 1)"
)
OF_PSEUDO_MEDIAN = "the margin is one of the pseudo-median, the centre of ranked differences"
OF_BOOTSTRAP = (
    "the interval is the bootstrap's: without an exact distribution the test gives none of its own"
)
# The level of the intervals that are held against the margin: they go with tests at .05.
BAND_LEVEL = 0.90
# From a bound and a side to the p-value of "the difference is at most that" (side 0) or "at least
# that" (side 1); None where it cannot be computed.
PValueOf = Callable[[float, int], float | None]
# A shifted run, from the shift.
Run = Callable[[float, Asked], Outcome]


@dataclass(frozen=True, slots=True, kw_only=True)
class Inversion:
    """Where an interval's ends are looked for: at multiples of 1/points, none beyond the limit."""

    difference: float
    error: float
    points: float
    limit: float = math.inf


# Bounds lie this share of a standard error apart; a whole one where sums would have more bins than
# so many, and the differences' own step where they would have the larger number. Scores of
# probability are close enough to linear there that an end moves by about .02 of the error at most.
_FINE, _MANY_BINS, _TOO_MANY_BINS = 1 / 256, 1 << 16, 1 << 19
# From the difference to an end at 90%, in standard errors: where the search begins.
_TO_END = 1.645
# Of a bound as a number of points.
_ROUNDING = 1e-6
# Bounds looked at; each one farther out doubles the way.
_MOST_LOOKS = 60


def inversion_of(
    differences: Differences, units: Differences, sizes: FloatArray
) -> Inversion | None:
    """Where the ends are, of a mean over units of these sizes; None where nothing varies."""
    apart = units.values - differences.mean * sizes
    error = math.sqrt(float(apart @ apart) * units.n / max(units.n - 1, 1)) / differences.n
    if error <= 1e-12 * float(np.abs(units.values).max()):
        return None
    step = differences.step
    if step is None:
        return Inversion(difference=differences.mean, error=error, points=1.0 / (_FINE * error))
    bins = float(np.abs(apart).sum()) / step
    points = 1.0 / step
    for more in (float(times * 10**power) for power in range(12) for times in (1, 2, 5)):
        share = _FINE if more * bins < _MANY_BINS else 1.0
        if more > 1.0 and more * bins > _TOO_MANY_BINS:
            break
        points = more / step
        if step <= more * error * share:
            break
    return Inversion(difference=differences.mean, error=error, points=points)


def shifted_outcome(run: Run, asked: Asked, *, inversion: Inversion | None = None) -> Outcome:
    """At a margin above 0, of two shifted runs on the same resamples; with its own interval."""
    settings = asked.settings
    comparison = comparison_named(settings.claim)
    shift = comparison.shift * settings.margin

    def shifted_by(by: float, own: Settings) -> Outcome:
        return run(by, replace(asked, settings=own, rng=copy.deepcopy(asked.rng)))

    own = replace(settings, claim=BETTER, margin=0.0, with_interval=False)
    for_a, for_b = (shifted_by(by, own) for by in (shift, -shift))
    interval, by_inversion = None, False
    if inversion is not None and for_a.exact and for_b.exact and settings.with_interval:
        at = {-shift: for_a, shift: for_b}

        def p_value(bound: float, side: int) -> float | None:
            if bound not in at:
                at[bound] = shifted_by(-bound, own)
            return at[bound].p_values[side] if at[bound].exact else None

        interval = not_rejected(p_value, inversion, tuple(at), settings.confidence_level)
        by_inversion = all(found.exact for found in at.values())
    if for_a.exact != for_b.exact:
        # One lattice is too fine: both are drawn, so that one number of resamples is told.
        drawn = replace(own, method="monte-carlo")
        for_a, for_b = (shifted_by(by, drawn) for by in (shift, -shift))
    # What is out of the bootstrap's reach says nothing of the evidence.
    out = for_a.unreachable == "greater", for_b.unreachable == "less"
    notes = [
        note
        for found, beyond in zip((for_a, for_b), out, strict=True)
        for note in (() if beyond else found.notes)
        # These would be said of the differences as shifted, not as they are.
        if not note.startswith((ONLY_SOME, OUT_OF_REACH))
    ]
    extreme = None
    if for_a.extreme is not None and for_b.extreme is not None:
        extreme = _sides(for_a.extreme.greater, for_b.extreme.less, comparison)
    return replace(
        for_a,
        p_values=_sides(
            1.0 if out[0] else for_a.p_values.greater,
            1.0 if out[1] else for_b.p_values.less,
            comparison,
        ),
        extreme=extreme,
        confidence_interval=interval,
        interval_kind=OWN if by_inversion else None,
        effect_size=None,
        notes=(NO_RESAMPLE,) if all(out) else (*dict.fromkeys(notes), *[NO_RESAMPLE] * any(out)),
        unreachable=None,
    )


def outcome_of_counts(
    p_at_margin: PAtMargin, differences: Differences, settings: Settings
) -> Outcome:
    """The outcome at a margin of a test of 0/1 outcomes that has one, with its own interval."""
    comparison = comparison_named(settings.claim)
    n, wins, losses = differences.n, differences.wins, differences.losses

    def p_value(bound: float, side: int) -> float:
        """Of "the difference is at most that" (side 0), or "at least that"."""
        counts, towards = ((wins, losses), bound) if side == 0 else ((losses, wins), -bound)
        claim = "not-worse" if towards < 0.0 else "better-by"
        return float(p_at_margin(*counts, n, margin=abs(bound), claim=claim))

    shift = comparison.shift * settings.margin
    interval = None
    if settings.with_interval:
        # With one more that differs, so that it is above 0.
        error = math.sqrt(wins + losses + 1.0) / n
        points = 10.0 ** math.ceil(-math.log10(_FINE * error))
        where = Inversion(difference=(wins - losses) / n, error=error, points=points, limit=1.0)
        tested = -settings.margin, settings.margin
        interval = not_rejected(p_value, where, tested, settings.confidence_level)
    return Outcome(
        p_values=_sides(p_value(-shift, 0), p_value(shift, 1), comparison),
        statistic=float(wins),
        confidence_interval=interval,
        interval_kind=OWN,
        effect_size=odds_ratio(wins, losses),
    )


def outcome_of_identical(n: int, settings: Settings, *, largest: float) -> Outcome:
    """Of 0/1 outcomes that never differ: (1 − m/R)ⁿ, the chance that n units show no loss."""
    comparison = comparison_named(settings.claim)
    spared = max(max(0.0, 1.0 - settings.margin / largest) ** n, SMALLEST)
    p = spared if comparison.shift > 0 else 1.0
    lost = 1.0 - (0.5 * (1.0 - settings.confidence_level)) ** (1.0 / n)
    farthest = min(1.0, largest * lost)
    return Outcome(
        p_values=_sides(p, p, comparison),
        statistic=0.0,
        confidence_interval=(-farthest, farthest) if settings.with_interval else None,
        interval_kind=OWN,
    )


def not_rejected(
    p_value: PValueOf, where: Inversion, tested: Sequence[float], confidence_level: float
) -> tuple[float, float] | None:
    """The interval of the differences that a test's one-sided forms do not reject.

    Each form has half of what the level leaves; a bound that was `tested` lies beyond an end just
    where it is rejected. None where an end is not found, as so few examples never reject.
    """
    from scipy.special import ndtri

    tail = 0.5 * (1.0 - confidence_level)
    edge = float(ndtri(tail))

    def lower_end(side: int, sign: float) -> float | None:
        def score(bound: float) -> float | None:
            p = p_value(sign * bound, side)
            if p is None:
                return None
            z = float(ndtri(min(max(p, SMALLEST), 1.0 - 1e-15))) - edge
            return min(z, 0.0) if p <= tail * (1.0 + 1e-12) else max(z, SMALLEST)

        turned = replace(where, difference=sign * where.difference)
        return _crossing(score, turned, [sign * bound for bound in tested])

    # The upper end is the lower one of the differences turned.
    low, high = lower_end(0, 1.0), lower_end(1, -1.0)
    return None if low is None or high is None else (low, -high)


def _crossing(
    score: Callable[[float], float | None], where: Inversion, tested: Sequence[float]
) -> float | None:
    """Where a rising score leaves 0."""
    seen: dict[float, float] = {}

    def looked_at(bound: float) -> bool:
        z = score(bound)
        if z is not None:
            seen[bound] = z
        return z is not None

    if not all(looked_at(bound) for bound in tested):
        return None
    reach = 0.5 * where.error
    start = where.difference - _TO_END * where.error
    for look in range(_MOST_LOOKS):
        kept = min((at for at, z in seen.items() if z > 0.0), default=math.inf)
        rejected = max((at for at, z in seen.items() if z <= 0.0 and at < kept), default=-math.inf)
        if look == 0 and rejected < start < kept:
            bound = start
        elif math.isfinite(kept - rejected):
            share = -seen[rejected] / (seen[kept] - seen[rejected])
            between = rejected + share * (kept - rejected)
            first = math.floor(rejected * where.points + _ROUNDING) + 1
            last = math.ceil(kept * where.points - _ROUNDING) - 1
            if first > last:
                return between
            # Now and then the middle, where steps of the score lead astray.
            aim = 0.5 * (first + last) / where.points if look % 3 == 2 else between
            bound = min(max(aim, first / where.points), last / where.points)
        else:
            bound = kept - reach if math.isfinite(kept) else rejected + reach
            reach *= 2.0
        bound = round(bound * where.points) / where.points
        if abs(bound) >= where.limit:
            bound = math.copysign(where.limit - 1.0 / where.points, bound)
            if bound in seen:
                return math.copysign(where.limit, bound)
        if not looked_at(bound):
            return None
    return None


def largest_loss(
    a: FloatArray, b: FloatArray, *, zero_one: bool, clusters: Clusters | None
) -> float:
    """R, the largest loss there can be; of a cluster on all examples, over the mean size."""
    spread = 1.0 if zero_one else float(max(a.max(), b.max()) - min(a.min(), b.min()))
    uneven = 1.0 if clusters is None else float(clusters.sizes.max() / clusters.sizes.mean())
    return spread * uneven


def refused_at_margin(
    differences: Differences, *, margin: float, zero_one: bool, largest: float
) -> str:
    """Why differences that are averaged allow no test at this margin; empty where they do."""
    n, zeros = differences.n, differences.ties
    if zeros == n:
        if zero_one:
            return ""
        return (
            "the two systems never differ, and how large a loss can be is not known, so that "
            "there is no test at this margin"
        )
    if 2 * zeros > n and n * margin < FEWEST_LOSSES * largest:
        fewest = math.ceil(FEWEST_LOSSES * largest / margin)
        return (
            f"the two systems differ on {n - zeros} of {n} {differences.unit}, too few "
            f"{differences.unit} for this margin: it takes {fewest:,}"
        )
    return ""


def _sides(greater: float, less: float, comparison: Comparison) -> Sides:
    if comparison.both_sides:
        greater = less = max(greater, less)
    return Sides(greater, less, math.nan)
