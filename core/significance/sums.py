"""Tests of scores that are functions of summed statistics: ratios, F1, AER, BLEU, Pearson's r.

Null hypotheses: of the bootstrap, that the two scores are the same, its own
distribution being shifted there; of randomization, that the two systems'
statistics on an example may be exchanged.

A resample's score needs the resample's sums alone, which is a product of counts
and statistics (Berg-Kirkpatrick et al. 2012, footnote 4).

Where the null is true, the bootstrap rejects at α = .05 (.01) more often than α
by at most .020 (.010) for n = 50, .010 (.005) for n = 200, n being the number of
clusters where there are some.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..types import FloatArray, IntArray
from .bootstrap import (
    STRICT_ON_EQUALS,
    TOO_FEW_RESAMPLES,
    has_witness,
    out_of_reach,
)
from .intervals import Jackknife, interval_of
from .outcome import Outcome, Sides, attainable
from .randomization import ENUMERATED_UP_TO
from .resamples import (
    DeltasOf,
    all_swaps,
    bootstrap_deltas,
    bootstrap_outcome,
    distinct_rows,
    product,
    random_swaps,
    randomization_outcome,
)
from .settings import Direction, Settings
from .stopping import KeepGoing
from .summed_statistics import SummedStatistics


def bootstrap_of_sums(
    statistics: SummedStatistics,
    settings: Settings,
    *,
    rng: np.random.Generator,
    keep_going: KeepGoing,
) -> Outcome:
    """Chance that a resample's difference is at least twice the observed one, by Monte Carlo.

    Raises
    ------
    Stopped
        If `keep_going` says so.
    """
    deltas = drawn_deltas(statistics, settings, rng=rng, keep_going=keep_going)
    return judged(
        deltas,
        statistics.delta,
        settings,
        room=statistics.room,
        statistics=statistics,
        constant=statistics.constant,
        jackknife=statistics.jackknife,
    )


def drawn_deltas(
    statistics: SummedStatistics,
    settings: Settings,
    *,
    rng: np.random.Generator,
    keep_going: KeepGoing,
) -> FloatArray:
    """Differences of bootstrap samples, shape (n_resamples,).

    Raises
    ------
    Stopped
        If `keep_going` says so.
    """
    width = statistics.a.shape[1]

    def deltas_from(rows: FloatArray) -> DeltasOf:
        def deltas_of(counts: FloatArray) -> FloatArray:
            sums = product(counts, rows)
            return statistics.deltas(sums[:, :width], sums[:, width:])

        return deltas_of

    return bootstrap_deltas(
        np.hstack([statistics.a, statistics.b]),
        deltas_from,
        size=settings.resample_size or statistics.n,
        n_resamples=settings.n_resamples,
        rng=rng,
        keep_going=keep_going,
    )


def judged(
    deltas: FloatArray,
    delta: float,
    settings: Settings,
    *,
    room: float,
    statistics: SummedStatistics,
    constant: bool,
    jackknife: Jackknife,
) -> Outcome:
    """The outcome of bootstrap deltas, with an interval and what is to be said of reach.

    `statistics` are those among which a resample as extreme as asked is sought
    where none was drawn.
    """
    outcome = bootstrap_outcome(deltas, delta, room=room, strict=settings.strict)
    farthest = abs(delta) if constant else statistics.farthest
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
    if constant:
        return outcome
    return with_interval_of(deltas, delta, outcome, settings, room=room, jackknife=jackknife)


def with_interval_of(
    deltas: FloatArray,
    delta: float,
    outcome: Outcome,
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


def equal_under_bootstrap(settings: Settings) -> Outcome:
    """Of systems without any difference: every resample is a tie."""
    p = 0.0 if settings.strict else 1.0
    return Outcome(
        p_values=Sides(p, p, p),
        exact=True,
        statistic=0.0,
        notes=(STRICT_ON_EQUALS,) if settings.strict else (),
    )


def randomization_of_sums(
    statistics: SummedStatistics,
    settings: Settings,
    *,
    rng: np.random.Generator,
    keep_going: KeepGoing,
) -> Outcome:
    """Chance that random swaps give a difference at least as large as the observed one.

    Exact by trying all swaps where at most 20 examples differ; else, or by
    choice, Monte Carlo.

    Raises
    ------
    ValueError
        If "exact" is asked for and more examples differ.
    Stopped
        If `keep_going` says so.
    """
    if statistics.alike:
        return Outcome(p_values=Sides(1.0, 1.0, 1.0), exact=True, statistic=0.0)
    # Swapping equal statistics does nothing.
    differing = (statistics.a != statistics.b).any(axis=1)
    moved = (statistics.b - statistics.a)[differing]
    sums_a, sums_b = statistics.a.sum(axis=0), statistics.b.sum(axis=0)
    numbers: IntArray | None = None
    if not tries_all_swaps(moved.shape[0], statistics, settings):
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
        settings,
        numbers=numbers,
        rng=rng,
        keep_going=keep_going,
    )


def tries_all_swaps(n_differing: int, statistics: SummedStatistics, settings: Settings) -> bool:
    """Whether so few examples or clusters differ that every way to swap them is tried.

    Raises
    ------
    ValueError
        If "exact" is asked for and more differ.
    """
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
    settings: Settings,
    *,
    numbers: IntArray | None = None,
    rng: np.random.Generator,
    keep_going: KeepGoing,
) -> Outcome:
    """The outcome of swaps on what differs: all of them, or random ones.

    Parameters
    ----------
    deltas_of : callable
        From swaps, shape (resamples, n_differing), to differences. Where all are
        tried, the last one is left where it is and has no column.
    numbers : ndarray of int, optional
        How many examples a column stands for, by default 1 each.

    Raises
    ------
    ValueError
        As `tries_all_swaps`.
    Stopped
        If `keep_going` says so.
    """
    everything = tries_all_swaps(n_differing, statistics, settings)
    if everything:
        swaps = all_swaps(n_differing - 1, keep_going=keep_going)
    else:
        swaps = random_swaps(
            np.ones(n_differing, dtype=np.intp) if numbers is None else numbers,
            n_resamples=settings.n_resamples,
            rng=rng,
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
