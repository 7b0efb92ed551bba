"""Tests of metrics of counted statistics, exact where a ratio's totals are shared.

With the same total for both systems on each example, the difference of the
ratios of a resample is Σd*/Σt*, d being the difference of the corrects and t the
total. Let D = Σd and T = Σt. Swaps leave T as it is, so that randomization is
that of d; a bootstrap sample has δ* >= 2δ where Σ(T·d − 2D·t)* >= 0.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.metrics.registry import STATISTIC_METRICS
from core.significance.comparison import Comparison
from core.significance.differences import paired_differences
from core.significance.lattice import MAX_BINS, DrawSum
from core.significance.randomization import ENUMERATED_UP_TO, approximate_randomization
from core.significance.resamples import basic_interval_of
from core.significance.result import NO_INTERVAL, Outcome, Sides
from core.significance.settings import Settings
from core.significance.stopping import KeepGoing
from core.significance.sums import (
    OUT_OF_REACH,
    SummedStatistics,
    bootstrap_of_sums,
    drawn_deltas,
    equal_under_bootstrap,
    randomization_of_sums,
    unreachable_direction,
)
from core.types import FloatArray

# Draws for an interval beside another test's p-value: about two seconds of them.
MAX_INTERVAL_DRAWS = 1 << 27


def compare_counts(
    metric: str,
    a: FloatArray,
    b: FloatArray,
    settings: Settings,
    *,
    higher_is_better: bool,
    rng: np.random.Generator,
    keep_going: KeepGoing,
) -> tuple[Comparison, Outcome]:
    """Test two systems' counted statistics, shape (n, s).

    Raises
    ------
    ValueError
        If a system's score is not defined, or "exact" is asked for in vain.
    Stopped
        If `keep_going` says so.
    """
    statistics, scores = _statistics(metric, a, b, higher_is_better=higher_is_better)
    comparison = statistics.compared(*scores)
    shared = metric == "ratio" and bool((a[:, 1] == b[:, 1]).all())
    if settings.test == "paired-bootstrap":
        outcome = _bootstrap(statistics, settings, shared=shared, rng=rng, keep_going=keep_going)
    else:
        outcome = _randomization(
            statistics, settings, shared=shared, rng=rng, keep_going=keep_going
        )
    if outcome.exact or settings.test != "paired-bootstrap":
        outcome = _with_interval(outcome, statistics, settings, rng=rng, keep_going=keep_going)
    # The difference as reported, not as the sum of what the lattice counts.
    return comparison, replace(outcome, statistic=comparison.difference)


def _statistics(
    metric: str, a: FloatArray, b: FloatArray, *, higher_is_better: bool
) -> tuple[SummedStatistics, tuple[float, float]]:
    known = STATISTIC_METRICS[metric]
    scores = tuple(float(known.score(counted.sum(axis=0))) for counted in (a, b))
    for name, score in zip("ab", scores, strict=True):
        if np.isnan(score):
            raise ValueError(
                f"`{name}` must have a defined score; what its {known.name} is divided by adds up "
                "to 0."
            )
    sign = 1.0 if higher_is_better else -1.0
    statistics = SummedStatistics(
        a=a,
        b=b,
        score=known.score,
        sign=sign,
        scale=max(scores),
        farthest=_farthest(metric, a, b, ahead=sign * (scores[0] - scores[1]), sign=sign),
    )
    return statistics, (scores[0], scores[1])


def _farthest(metric: str, a: FloatArray, b: FloatArray, *, ahead: float, sign: float) -> float:
    """A bound of the difference in the direction of the observed one, whatever is drawn."""
    known = STATISTIC_METRICS[metric]
    if metric == "bleu":
        assert known.largest is not None
        return known.largest
    if metric == "ratio" and any(bool((x[x[:, 1] == 0.0, 0] > 0.0).any()) for x in (a, b)):
        return np.inf
    own_a, own_b = sign * known.score(a), sign * known.score(b)
    if metric == "ratio" and bool((a[:, 1] == b[:, 1]).all()):
        differences = (own_a - own_b) * (1.0 if ahead > 0.0 else -1.0)
        return float(np.nanmax(differences))
    # A ratio of sums lies between the smallest and the largest ratio.
    front, back = (own_a, own_b) if ahead > 0.0 else (own_b, own_a)
    return float(np.nanmax(front) - np.nanmin(back))


def _bootstrap(
    statistics: SummedStatistics,
    settings: Settings,
    *,
    shared: bool,
    rng: np.random.Generator,
    keep_going: KeepGoing,
) -> Outcome:
    if statistics.alike:
        return equal_under_bootstrap(settings)
    why_not = ""
    if settings.method != "monte-carlo":
        exact, why_not = (
            _exact_bootstrap(statistics, settings, keep_going=keep_going)
            if shared
            else (None, "exact is only a ratio with the same totals for both systems")
        )
        if exact is not None:
            return exact
        if settings.method == "exact":
            raise ValueError(f"`method` 'exact' must have an exact distribution; {why_not}.")
    outcome = bootstrap_of_sums(statistics, settings, rng=rng, keep_going=keep_going)
    size = settings.resample_size or statistics.n
    notes = (*size_notes(size, statistics.n), *((f"Monte Carlo: {why_not}",) if why_not else ()))
    return replace(outcome, notes=(*notes, *outcome.notes))


def size_notes(size: int, n: int) -> tuple[str, ...]:
    """A note on resamples of another size than the dataset."""
    if size == n:
        return ()
    note = f"resamples of {size} from n = {n} examples: for reproduction of published numbers only"
    return (f"{note}; with more draws than examples p is too small" if size > n else note,)


def _exact_bootstrap(
    statistics: SummedStatistics, settings: Settings, *, keep_going: KeepGoing
) -> tuple[Outcome | None, str]:
    d = statistics.sign * (statistics.a[:, 0] - statistics.b[:, 0])
    t = statistics.a[:, 1]
    if bool((d != np.rint(d)).any() or (t != np.rint(t)).any()):
        return None, "the counts are not whole numbers"
    if bool((t == 0.0).any()):
        return None, "an example has a total of 0, so that a resample may have no score"
    ahead, total = int(d.sum()), int(t.sum())
    if total * int(np.abs(d).max()) + 2 * abs(ahead) * int(t.max()) >= 2**62:
        return None, "the counts are too large"
    whole_d, whole_t = d.astype(np.int64), t.astype(np.int64)
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
    notes = size_notes(size, statistics.n)
    return Outcome(
        p_values=Sides(greater, less, two_sided),
        exact=True,
        statistic=statistics.delta,
        notes=notes if unreachable is None else (*notes, OUT_OF_REACH),
        unreachable=unreachable,
    ), ""


def _randomization(
    statistics: SummedStatistics,
    settings: Settings,
    *,
    shared: bool,
    rng: np.random.Generator,
    keep_going: KeepGoing,
) -> Outcome:
    if shared:
        turned = [statistics.sign * counted[:, 0] + 0.0 for counted in (statistics.a, statistics.b)]
        return approximate_randomization(
            paired_differences(*turned),
            method=settings.method,
            n_resamples=settings.n_resamples,
            alternative=settings.alternative,
            rng=rng,
            keep_going=keep_going,
        )
    outcome = randomization_of_sums(statistics, settings, rng=rng, keep_going=keep_going)
    if outcome.exact or settings.method == "monte-carlo":
        return outcome
    why = f"more than {ENUMERATED_UP_TO} examples differ, too many to try all swaps"
    return replace(outcome, notes=(f"Monte Carlo: {why}", *outcome.notes))


def _with_interval(
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
    interval = basic_interval_of(
        deltas, statistics.delta, confidence_level=settings.confidence_level
    )
    return replace(outcome, interval=interval)
