"""Speed of simulated counts beside what numpy needs to draw, sort and log as many numbers."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import numpy as np

from core.simulation import TOY_DEPENDENT, TOY_INDEPENDENT, Block, Scenario, simulate_k_hat

ROUNDS = 7
REPETITIONS = 200_000
# As many rows at once as a simulation takes, so that both work from the same cache.
ROWS = 1310


def numpy_alone(n_repetitions: int, n_datasets: int) -> None:
    """Draw, sort and log, without counting anything."""
    rng = np.random.default_rng(1)
    # In place, in memory taken once: the quickest that numpy can be asked to do it.
    table = np.empty((ROWS, n_datasets))
    for start in range(0, n_repetitions, ROWS):
        p_values = table[: min(ROWS, n_repetitions - start)]
        rng.random(out=p_values)
        p_values.sort(axis=1)
        np.log(p_values, out=p_values)


def medians(*calls: Callable[[], object], rounds: int = ROUNDS) -> list[float]:
    """Time the calls in turn and return each one's median in seconds."""
    times: list[list[float]] = [[] for _ in calls]
    for call in calls:
        call()
    for _ in range(rounds):
        for call, spent in zip(calls, times, strict=True):
            start = time.perf_counter()
            call()
            spent.append(time.perf_counter() - start)
    return [statistics.median(spent) for spent in times]


def main() -> None:
    """Print times and ratios of medians."""
    scenarios = {
        "100 independent": TOY_INDEPENDENT.scenario,
        "100, two blocks dependent": TOY_DEPENDENT.scenario,
        "100, 50 of them with an effect": Scenario((Block(50, effect=3.0), Block(50))),
    }
    (short,) = medians(
        lambda: simulate_k_hat(TOY_INDEPENDENT.scenario, n_repetitions=1000, rng=1), rounds=51
    )
    print(f"{'1,000 repetitions of 100 independent':46} {1e3 * short:9.3f} ms")
    for title, scenario in scenarios.items():

        def ours(scenario: Scenario = scenario) -> object:
            return simulate_k_hat(scenario, n_repetitions=REPETITIONS, rng=1)

        own, alone = medians(ours, lambda: numpy_alone(REPETITIONS, 100))
        print(
            f"{f'{REPETITIONS:,} x {title}':46} {1e3 * own:9.3f} ms   "
            f"{'random, sort and log':30} {1e3 * alone:9.3f} ms   "
            f"{own / alone:7.2f} times as long"
        )


if __name__ == "__main__":
    main()
