"""Claims at a margin: what a test of the shifted differences says, and where there is none.

Whether A is not worse by m is whether A with m added to each of its differences is
better. So a test of means is run on the differences plus m, for A, and less m, for B;
of metrics that are no means the bootstrap's differences are shifted. 0/1 outcomes have
tests of their own (`significance.margins`). Equivalence takes the larger of the
two one-sided p-values.

Where most differences are 0, a loss that is rare and large may not be among so few
examples: flips, t and bootstrap all reject .37 of true nulls at n = 100, a margin of .01
and losses of 1. From n·m/R = 20 on, R being the largest possible loss, the level is up to
about .07.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ..comparison import BETTER, Comparison, comparison_named
from .differences import Differences
from .effect_sizes import odds_ratio
from .lattice import SMALLEST
from .result import Outcome, Sides
from .settings import Settings
from .significance_test import HasMargin

# Of losses of the largest size, so many must be expected where A is worse by the margin.
FEWEST_LOSSES = 20.0
NO_RESAMPLE = (
    "no resample can be as extreme as asked at this margin, so that nothing is counted (p = 1)"
)
OF_PSEUDO_MEDIAN = "the margin is one of the pseudo-median, the centre of ranked differences"
# The level of the intervals that are held against the margin: they go with tests at .05.
BAND_LEVEL = 0.90
# A shifted run: the shift, the settings and the resamples' generator.
Run = Callable[[float, Settings, np.random.Generator], Outcome]


def shifted_outcome(run: Run, settings: Settings, rng: np.random.Generator) -> Outcome:
    """The outcome at a margin, of two shifted runs on the same resamples; without an interval.

    Parameters
    ----------
    run : callable
        From a shift of the differences to what the test finds there.
    settings : Settings
        With a claim at a margin above 0.
    rng : Generator
        Left as it is.
    """
    comparison = comparison_named(settings.claim)
    shift = comparison.shift * settings.margin

    def both(own: Settings) -> list[Outcome]:
        return [run(by, own, copy.deepcopy(rng)) for by in (shift, -shift)]

    own = replace(settings, claim=BETTER, margin=0.0, with_interval=False)
    for_a, for_b = both(own)
    if for_a.exact != for_b.exact:
        # One lattice is too fine: both are drawn, so that one number of resamples is told.
        for_a, for_b = both(replace(own, method="monte-carlo"))
    # What is out of the bootstrap's reach says nothing of the evidence.
    out = for_a.unreachable == "greater", for_b.unreachable == "less"
    notes = for_b.notes if out[0] else for_a.notes if out[1] else (*for_a.notes, *for_b.notes)
    extreme = None
    if for_a.n_extreme is not None and for_b.n_extreme is not None:
        extreme = _sides(for_a.n_extreme.greater, for_b.n_extreme.less, comparison)
    return replace(
        for_a,
        p_values=_sides(
            1.0 if out[0] else for_a.p_values.greater,
            1.0 if out[1] else for_b.p_values.less,
            comparison,
        ),
        n_extreme=extreme,
        interval=None,
        effect_size=None,
        notes=(NO_RESAMPLE,) if all(out) else (*dict.fromkeys(notes), *[NO_RESAMPLE] * any(out)),
        unreachable=None,
    )


def outcome_of_counts(kernel: HasMargin, differences: Differences, settings: Settings) -> Outcome:
    """The outcome at a margin of a test of 0/1 outcomes that has one, with its own interval."""
    comparison = comparison_named(settings.claim)
    wins, losses = differences.wins, differences.losses
    greater, less = kernel.p_at_margin(
        [wins, losses],
        [losses, wins],
        differences.n,
        margin=settings.margin,
        claim="not-worse" if comparison.shift > 0 else "better-by",
    ).tolist()
    return Outcome(
        p_values=_sides(greater, less, comparison),
        exact=True,
        statistic=float(wins),
        interval=(
            interval_of_counts(kernel, differences, confidence_level=settings.confidence_level)
            if settings.with_interval
            else None
        ),
        effect_size=odds_ratio(wins, losses),
    )


def interval_of_counts(
    kernel: HasMargin, differences: Differences, *, confidence_level: float
) -> tuple[float, float]:
    """The differences of the accuracies that the test does not reject, to 1e-5.

    It goes with the one-sided tests at half of the rest: its lower end lies above −m
    where A is found not worse by m, and above m where it is found better by m.
    """
    from scipy.optimize import brentq
    from scipy.special import ndtri

    n, unit = differences.n, 1.0 if differences.step is None else differences.step
    edge = float(ndtri(0.5 * (1.0 - confidence_level)))

    def lower(wins: int, losses: int) -> float:
        def beyond(bound: float) -> float:
            claim = "not-worse" if bound < 0.0 else "better-by"
            p = kernel.p_at_margin(wins, losses, n, margin=abs(bound), claim=claim)
            return float(ndtri(min(float(p), 1.0 - 1e-15))) - edge

        observed, farthest = (wins - losses) / n, -1.0 + 1e-9
        if beyond(farthest) >= 0.0:
            return -1.0
        # At what was observed nothing is found, but where all examples are wins.
        nearest = min(observed, 1.0 - 1e-9)
        if beyond(nearest) <= 0.0:
            return nearest
        return float(brentq(beyond, farthest, nearest, xtol=1e-5))

    wins, losses = differences.wins, differences.losses
    return unit * lower(wins, losses), -unit * lower(losses, wins)


def outcome_of_identical(n: int, largest_loss: float, settings: Settings) -> Outcome:
    """Of systems that never differ: the chance that n examples show no loss of the largest size.

    Where the loss is always the largest possible one, it occurs on a share m/R of examples
    at least, so that all n are spared with chance (1 − m/R)^n at most.
    """
    comparison = comparison_named(settings.claim)
    share = min(1.0, settings.margin / largest_loss)
    spared = max((1.0 - share) ** n, SMALLEST)
    p = spared if comparison.shift > 0 else 1.0
    return Outcome(p_values=_sides(p, p, comparison), exact=True, statistic=0.0)


def refused_at_margin(
    differences: Differences, *, margin: float, largest_loss: float | None, spread: float
) -> str:
    """Why differences that are averaged allow no test at this margin; empty where they do.

    Parameters
    ----------
    differences : Differences
        As they are, of examples or clusters.
    largest_loss : float or None
        R, where it is known.
    spread : float
        How far apart the scores are, which R is at least.
    """
    n, zeros = differences.n, differences.ties
    if zeros == n:
        if largest_loss is None:
            return (
                "the two systems never differ, and how large a loss can be is not known, so that "
                "there is no test at this margin"
            )
        return ""
    largest = spread if largest_loss is None else largest_loss
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
