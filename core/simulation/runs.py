"""Simulated studies: how often each estimator counts more datasets than have an effect.

Vocabulary
----------
repetition
    One simulated study: N p-values, and a count of them by each estimator.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from core.simulation.batch import BatchCounter, estimator_names
from core.simulation.chunks import Workers, run_chunks
from core.simulation.rates import CONFIDENCE_LEVEL, OvercountRate, Position
from core.simulation.results import Simulation
from core.simulation.sources import (
    PValueSource,
    checked_k,
    chunk_size,
    drawn_chunk,
    drawn_minus_z,
    name_of,
    positive_whole,
    proved_of,
    seed_of,
    width_of,
)
from core.validation import check_alpha

__all__ = [
    "CONFIDENCE_LEVEL",
    "OvercountRate",
    "PValueSource",
    "Position",
    "Simulation",
    "extend_simulation",
    "simulate_k_hat",
]


def simulate_k_hat(
    scenario: PValueSource,
    *,
    n_repetitions: int,
    alpha: float = 0.05,
    rng: int | np.random.Generator | None = None,
    n_threads: int | None = None,
    on_progress: Callable[[int, int], object] | None = None,
) -> Simulation:
    """Draw studies from a scenario and count the datasets of each.

    Parameters
    ----------
    scenario : Scenario
        Or any object with ``draw(rng, n)``, giving p-values of shape (n, N), and ``k``.
    n_repetitions : int
        How many studies, at least 1.
    alpha : float
        In (0, 1). The same seed draws the same p-values at every alpha.
    rng : int, numpy.random.Generator or None
        A seed, 0 included; a generator, from which a seed is drawn; None for a
        seed that differs each time. Simulation.seed gives the same again.
    n_threads : int, optional
        How many work at once on a long run, by default both cores; it changes
        no result.
    on_progress : callable, optional
        Called as ``on_progress(done, total)`` every few milliseconds, from the
        calling thread. When it returns False the run stops and keeps what it has.

    Returns
    -------
    Simulation
        Depends on nothing but the seed, the scenario, `n_repetitions` and
        `alpha`. With the same seed fewer repetitions are the first of more.

    Raises
    ------
    ValueError
        If an argument is out of its range, or the scenario draws something else
        than p-values of shape (n, N).

    References
    ----------
    Dror et al. (TACL 2017), section 5 and Figure 1.

    Examples
    --------
    >>> from core.simulation.scenarios import Block, Scenario
    >>> nothing = Scenario((Block(100),))
    >>> simulation = simulate_k_hat(nothing, n_repetitions=10_000, rng=0)
    >>> simulation.overcount("count").position, simulation.overcount("bonferroni").position
    ('above', 'around')
    """
    level = check_alpha(alpha)
    total = positive_whole(n_repetitions, name="n_repetitions")
    seed = seed_of(rng)
    n_datasets = width_of(scenario, seed)
    nothing = Simulation(
        k_hat={estimator: np.empty(0, dtype=np.int16) for estimator in estimator_names()},
        k=checked_k(scenario, n_datasets),
        n_datasets=n_datasets,
        alpha=level,
        n_repetitions=0,
        n_asked=0,
        seed=seed,
        scenario=name_of(scenario),
        proved=proved_of(scenario),
    )
    return _continued(nothing, scenario, total, n_threads, on_progress)


def extend_simulation(
    simulation: Simulation,
    scenario: PValueSource,
    *,
    n_repetitions: int,
    n_threads: int | None = None,
    on_progress: Callable[[int, int], object] | None = None,
) -> Simulation:
    """Add repetitions to a simulation, also to one that was stopped.

    Parameters
    ----------
    simulation : Simulation
        Stays as it is.
    scenario : Scenario
        The one that it was made from.
    n_repetitions : int
        How many more than were done, at least 1.
    n_threads, on_progress : optional
        As for `simulate_k_hat`; the repetitions done before count as done.

    Returns
    -------
    Simulation
        What `simulate_k_hat` gives at once for as many repetitions in all.

    Raises
    ------
    ValueError
        If it is another scenario, or as `simulate_k_hat`.
    """
    more = positive_whole(n_repetitions, name="n_repetitions")
    n_datasets = width_of(scenario, simulation.seed)
    given = (name_of(scenario), n_datasets, checked_k(scenario, n_datasets))
    if given != (simulation.scenario, simulation.n_datasets, simulation.k):
        raise ValueError(
            f"`scenario` must be the simulation's own, '{simulation.scenario}'; got '{given[0]}'."
        )
    total = simulation.n_repetitions + more
    return _continued(simulation, scenario, total, n_threads, on_progress)


def _continued(
    earlier: Simulation,
    scenario: PValueSource,
    total: int,
    n_threads: int | None,
    on_progress: Callable[[int, int], object] | None,
) -> Simulation:
    """The simulation with so many repetitions in all."""
    n_datasets, seed, alpha = earlier.n_datasets, earlier.seed, earlier.alpha
    first = earlier.n_repetitions
    counters = Workers(lambda: BatchCounter(n_datasets, alpha=alpha))
    size = chunk_size(scenario, n_datasets)
    k_hat = {estimator: np.empty(total, dtype=np.int16) for estimator in estimator_names()}
    for estimator in estimator_names():
        k_hat[estimator][:first] = earlier.k_hat[estimator]

    def count(number: int, start: int, stop: int) -> None:
        minus_z = drawn_minus_z(scenario, seed, number, size)
        drawn = drawn_chunk(scenario, seed, number, size) if minus_z is None else minus_z
        chunk = slice(start - number * size, stop - number * size)
        with counters.one() as counter:
            counted = counter.k_hat(drawn[chunk], minus_z=minus_z is not None)
        for estimator, counts in counted.items():
            k_hat[estimator][start:stop] = counts

    done = run_chunks(
        count, total=total, size=size, first=first, n_threads=n_threads, on_progress=on_progress
    )
    for estimator in estimator_names():
        # A copy of what was done, so that a stopped run does not hold the room of a whole one.
        kept = k_hat[estimator] if done == total else k_hat[estimator][:done].copy()
        kept.flags.writeable = False
        k_hat[estimator] = kept
    return Simulation(
        k_hat=k_hat,
        k=earlier.k,
        n_datasets=n_datasets,
        alpha=alpha,
        n_repetitions=done,
        n_asked=total,
        seed=seed,
        scenario=earlier.scenario,
        proved=earlier.proved,
    )
