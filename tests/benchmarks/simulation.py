"""Speed of simulated counts beside what numpy needs to draw, sort and log as many numbers."""

import os
import time
from functools import partial

import numpy as np
from scipy.special import ndtr

from core.simulation.runs import simulate_k_hat
from core.simulation.scenarios import TOY_DEPENDENT, TOY_INDEPENDENT, Block, PValueSource, Scenario
from tests.benchmarks.timing import line, medians

ROUNDS = 5
REPETITIONS = 200_000
# As many rows at once as a simulation takes, so that both work from the same cache.
ROWS = 1310
INDEPENDENT_AT_MOST = 2.5
DEPENDENT_AT_MOST = 1.5
HALF = "100, 50 of them with an effect"


def numpy_alone() -> None:
    """Draw, sort and log, without counting anything."""
    rng = np.random.default_rng(1)
    # In place, in memory taken once: the quickest that numpy can be asked to do it.
    table = np.empty((ROWS, 100))
    for start in range(0, REPETITIONS, ROWS):
        p_values = table[: min(ROWS, REPETITIONS - start)]
        rng.random(out=p_values)
        p_values.sort(axis=1)
        np.log(p_values, out=p_values)


def normals_alone() -> None:
    """Draw normals and take their tail."""
    rng = np.random.default_rng(1)
    table = np.empty((ROWS, 100))
    for start in range(0, REPETITIONS, ROWS):
        z = table[: min(ROWS, REPETITIONS - start)]
        rng.standard_normal(out=z)
        ndtr(z, out=z)


def main() -> None:
    """Print times and ratios of medians."""
    print(f"Load of the machine while simulations are timed: {os.getloadavg()[0]:.1f}")
    independent = "100 independent"
    scenarios: dict[str, PValueSource] = {
        independent: TOY_INDEPENDENT.scenario,
        "100, two blocks dependent": TOY_DEPENDENT.scenario,
        "100 in one block": Scenario((Block(100, rho=0.8),)),
        "100, one factor over all": Scenario((Block(100, rho=0.5),), one_factor=True),
        HALF: Scenario((Block(50, effect=3.0), Block(50))),
    }
    # Of one core its own time, which other work on the machine changes less.
    for n_threads, clock, of in (
        (1, time.process_time, "one core (processor time)"),
        (None, time.perf_counter, "both cores"),
    ):
        for title, scenario in scenarios.items():
            ours = partial(
                simulate_k_hat, scenario, n_repetitions=REPETITIONS, rng=1, n_threads=n_threads
            )
            own, alone, normals = medians(
                ours, numpy_alone, normals_alone, rounds=ROUNDS, clock=clock
            )
            most: float | None = None
            if title == independent:
                ratio, peer, most = own / alone, "times random, sort and log", INDEPENDENT_AT_MOST
            elif n_threads is None:
                # What one core takes cannot be taken from what two took.
                ratio, peer = own / (alone + normals), "times that and normals, on one core"
            else:
                ratio, peer = (own - normals) / alone, "times that, beyond normals and their tail"
                most = None if title == HALF else DEPENDENT_AT_MOST
            line(f"{REPETITIONS:,} x {title}, {of}", own, ratio, peer, at_most=most)
