"""What two systems score on one dataset, and what a test finds there, at a margin too.

A test of averaged scores is given differences. Where examples come in clusters, the
mean of a resample of clusters is a ratio, the sum of the clusters' scores over the
number of their examples; where all clusters have the same size it is the mean of the
clusters' means, and whole clusters are tested as examples are.

Whether A is not worse by a margin m is whether A with m added to each of its differences is
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
from ..metrics.per_example import other_than_binary
from ..metrics.registry import STATISTIC_METRICS, Correlation, StatisticMetric
from ..types import FloatArray
from .bootstrap import OUT_OF_REACH, with_interval
from .correlation import predictions_of
from .counting import PAtMargin
from .differences import SAME_SUMS, Clusters, Differences, shifted, turned_differences
from .known_tests import SignificanceTest
from .lattice import SMALLEST
from .outcome import ALL_ZERO, ONLY_SOME, Compared, Outcome, Sides, cohens_q, odds_ratio
from .settings import OWN, Asked, Settings
from .summed_statistics import Scored, SummedStatistics, counted_statistics


def compare_means(
    a: FloatArray,
    b: FloatArray,
    by: SignificanceTest,
    asked: Asked,
    *,
    higher_is_better: bool,
    clusters: Clusters | None,
) -> tuple[Compared, Outcome]:
    """Test two systems' scores, shape (n,), that are averaged."""
    settings = asked.settings
    differences = turned_differences(a, b, higher_is_better=higher_is_better)
    zero_one = not (other_than_binary(a) or other_than_binary(b))
    units = differences if clusters is None else clusters.summed_differences(differences)
    # The differences were turned where lower is better: 0 − x, as −x would make a zero negative.
    means = (differences.score_a, differences.score_b)
    score_a, score_b = means if higher_is_better else (0.0 - means[0], 0.0 - means[1])
    comparison = Compared(
        n_examples=differences.n,
        score_a=score_a,
        score_b=score_b,
        difference=differences.mean,
        wins=differences.wins,
        ties=differences.ties,
        losses=differences.losses,
        alike="" if differences.values.any() else ALL_ZERO,
        skewness=None if not by.of_mean or (clusters is None and zero_one) else units.skewness,
    )
    same_sums = not comparison.alike and not units.values.any()
    if settings.margin:
        outcome = _means_at_margin(
            differences,
            units,
            by,
            asked,
            zero_one=zero_one,
            largest=largest_loss(a, b, zero_one=zero_one, clusters=clusters),
            clusters=clusters,
        )
    else:
        outcome = by.of_scores(_drawn_units(units, clusters), asked)
    if _lacks_interval(by, settings, outcome):
        outcome = with_interval(outcome, _drawn_units(units, clusters), asked)
        if settings.margin and not by.gives_interval:
            outcome = replace(outcome, notes=(*outcome.notes, OF_BOOTSTRAP))
    if clusters is not None and not clusters.of_one_size:
        outcome = replace(outcome, statistic=differences.mean)
    if same_sums:
        outcome = replace(outcome, notes=(SAME_SUMS, *outcome.notes))
    return comparison, outcome


def _means_at_margin(
    differences: Differences,
    units: Differences,
    by: SignificanceTest,
    asked: Asked,
    *,
    zero_one: bool,
    largest: float,
    clusters: Clusters | None,
) -> Outcome:
    settings = asked.settings
    if zero_one and by.p_at_margin is not None:
        return outcome_of_counts(by.p_at_margin, differences, settings)
    why_not = refused_at_margin(units, margin=settings.margin, zero_one=zero_one, largest=largest)
    if why_not:
        raise ValueError(f"`margin` must have a test on these scores; {why_not}.")
    if not units.values.any():
        return outcome_of_identical(units.n, settings, largest=largest)

    def run(shift: float, own: Asked) -> Outcome:
        moved = shifted(differences, shift)
        if clusters is not None:
            moved = clusters.summed_differences(moved)
        outcome: Outcome = by.of_scores(_drawn_units(moved, clusters), own)
        return outcome

    sizes = np.ones(units.n) if clusters is None else clusters.sizes.astype(np.float64)
    inversion = None if by.gives_interval else inversion_of(differences, units, sizes)
    outcome = shifted_outcome(run, asked, inversion=inversion)
    if by.of_tendency:
        return replace(outcome, notes=(OF_PSEUDO_MEDIAN, *outcome.notes))
    return outcome


def compare_counts(
    metric: StatisticMetric,
    a: FloatArray,
    b: FloatArray,
    by: SignificanceTest,
    asked: Asked,
    *,
    higher_is_better: bool,
    clusters: Clusters | None = None,
) -> tuple[Compared, Outcome]:
    """Test two systems' counted statistics, shape (n, s); those of a cluster are added up."""
    statistics, scores = counted_statistics(metric, a, b, higher_is_better=higher_is_better)
    comparison = statistics.compared(*scores)
    if clusters is not None:
        summed = (clusters.summed(a), clusters.summed(b))
        statistics, _ = counted_statistics(
            metric, *summed, higher_is_better=higher_is_better, unit="clusters"
        )
    outcome = _of_no_means(statistics, by, asked)
    if statistics.alike and not comparison.alike:
        outcome = replace(outcome, notes=(SAME_SUMS, *outcome.notes))
    # The difference as reported, not as the sum of what the lattice counts.
    return comparison, replace(outcome, statistic=comparison.difference)


def compare_predictions(
    a: FloatArray,
    b: FloatArray,
    gold: FloatArray,
    by: SignificanceTest,
    asked: Asked,
    *,
    kind: Correlation,
    higher_is_better: bool,
    clusters: Clusters | None = None,
) -> tuple[Compared, Outcome]:
    """Test two systems' predictions, shape (n,), by their correlations with gold."""
    predictions = predictions_of(
        a, b, gold, kind=kind, higher_is_better=higher_is_better, clusters=clusters
    )
    comparison = predictions.comparison
    outcome = _of_no_means(predictions, by, asked)
    pair = (comparison.score_a, comparison.score_b)
    effect_size = cohens_q(*(pair if higher_is_better else pair[::-1]))
    return comparison, replace(outcome, effect_size=effect_size)


def _of_no_means(scored: SummedStatistics, by: SignificanceTest, asked: Asked) -> Outcome:
    if asked.settings.margin:
        outcome = shifted_outcome(
            lambda shift, own: by.of_scores(scored.shifted(shift), own), asked
        )
    else:
        outcome = by.of_scores(scored, asked)
    if _lacks_interval(by, asked.settings, outcome):
        return with_interval(outcome, scored, asked)
    return outcome


def _lacks_interval(by: SignificanceTest, settings: Settings, outcome: Outcome) -> bool:
    """Whether an interval is still to be drawn: one from shifted resamples would be shifted, too."""
    comes_along = outcome.interval_kind == OWN if settings.margin else by.gives_interval
    return settings.with_interval and not comes_along


def _drawn_units(units: Differences, clusters: Clusters | None) -> Scored:
    """Examples as they are; the means of clusters of one size, the ratios of others."""
    if clusters is None:
        return units
    if not clusters.of_one_size:
        return ratios_of(units, clusters)
    size = int(clusters.sizes[0])
    return replace(
        units,
        values=units.values / size,
        step=None if units.step is None else units.step / size,
    )


def ratios_of(summed: Differences, clusters: Clusters) -> SummedStatistics:
    """Means of clusters as ratios of which A has all of the difference, so that sums keep digits."""
    sizes = clusters.sizes.astype(np.float64)
    means = summed.values / sizes
    return SummedStatistics(
        a=np.column_stack([summed.values, sizes]),
        b=np.column_stack([np.zeros(sizes.size), sizes]),
        score=STATISTIC_METRICS["ratio"].score,
        sign=1.0,
        scale=float(np.abs(means).max()),
        farthest=float((means if summed.mean > 0.0 else -means).max()),
        shared=summed,
        unit="clusters",
    )


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
