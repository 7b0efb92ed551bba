"""What each count says of one simulated study, and how it fared so far."""

from __future__ import annotations

from ..replicability.combinations import combination_named
from ..replicability.decision import at_most
from ..simulation import Draw, Simulation, estimator_names
from .formatting import format_level
from .simulations import estimator_name
from .tiles import Tile


def draw_sentence(draw: Draw) -> str:
    """State which study it is and what is true in it."""
    n = draw.p_values.size
    small = int(at_most(draw.p_values, draw.alpha).sum())
    if draw.k == 0:
        truth = (
            "A is not better on it, so a counted win is wrong"
            if n == 1
            else "A is truly better on none of them, so every counted win is wrong"
        )
    elif n == 1:
        truth = "A is truly better on it"
    else:
        truth = f"A is truly better on {'all' if draw.k == n else draw.k} of them"
    datasets = "one dataset" if n == 1 else f"{n:,} datasets"
    return (
        f"Study {draw.repetition + 1:,} (seed {draw.seed}): {datasets}; {truth}. "
        f"{small:,} {'has' if small == 1 else 'have'} a one-sided p ≤ {format_level(draw.alpha)}."
    )


def draw_tiles(draw: Draw, simulation: Simulation) -> tuple[Tile, ...]:
    """What each count claims of the study, whether that is too much, and how often so far."""
    tiles = []
    for name in estimator_names():
        rate = simulation.overcount(name)
        counted = draw.k_hat[name]
        verdict = f"{counted - draw.k:,} too many" if counted > draw.k else "not too many"
        so_far = (
            f"too many in {rate.count:,} of {rate.n:,} stud{'y' if rate.n == 1 else 'ies'} so far"
        )
        if draw.k == draw.p_values.size:
            verdict, so_far = "not too many", "nothing can be too many"
        guaranteed = name != "count"
        claimed = f"at least {counted}" if counted else "none shown"
        tiles.append(
            Tile(
                heading=(
                    combination_named(name).title
                    if name != "count"
                    else estimator_name(name, alpha=draw.alpha).capitalize()
                ),
                figure=claimed if guaranteed else f"{counted:,} of {draw.p_values.size:,}",
                detail=f"{verdict} (truth: {draw.k:,}); {so_far}",
                claim=None,
                guaranteed=guaranteed,
            )
        )
    return tuple(tiles)


def draw_alt(draw: Draw) -> str:
    """The chart of one study in words."""
    counts = ", ".join(
        f"{combination_named(name).title} counts {draw.k_hat[name]}"
        for name in estimator_names()
        if name != "count"
    )
    return f"The p-values of one study, sorted, against α. {draw_sentence(draw)} {counts}."
