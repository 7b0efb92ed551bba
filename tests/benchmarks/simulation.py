"""Speed of simulated counts beside what numpy needs to draw, sort and log as many numbers."""

from __future__ import annotations

import os
import time

import numpy as np
from scipy.special import ndtr

from core.simulation.families import OneFactor
from core.simulation.identification import simulate_identification
from core.simulation.runs import simulate_k_hat
from core.simulation.scenarios import TOY_DEPENDENT, TOY_INDEPENDENT, Block, Scenario
from core.simulation.sources import PValueSource
from tests.benchmarks.timing import grown_by, line, medians, verdict

ROUNDS = 5
REPETITIONS = 200_000
# As many rows at once as a simulation takes, so that both work from the same cache.
ROWS = 1310
INDEPENDENT_AT_MOST = 2.5
DEPENDENT_AT_MOST = 1.5
MEBIBYTES_AT_MOST = 256
HALF = "100, 50 of them with an effect"
_PROGRAM = """
from core.simulation.batch import estimator_names
from core.simulation.runs import simulate_k_hat
from core.simulation.scenarios import Block, Scenario
def run(n_repetitions):
    done = simulate_k_hat(Scenario((Block(5),)), n_repetitions=n_repetitions, rng=1)
    [done.summary(name) for name in estimator_names()]
run(1000)
"""
_WORK = "run(int(sys.argv[1]))"


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


def normals_alone(n_repetitions: int, n_datasets: int) -> None:
    """Draw normals and take their tail."""
    rng = np.random.default_rng(1)
    table = np.empty((ROWS, n_datasets))
    for start in range(0, n_repetitions, ROWS):
        z = table[: min(ROWS, n_repetitions - start)]
        rng.standard_normal(out=z)
        ndtr(z, out=z)


def main(n_repetitions: int = REPETITIONS) -> None:
    """Print times and ratios of medians."""
    print(f"Load of the machine while simulations are timed: {os.getloadavg()[0]:.1f}")
    (short,) = medians(
        lambda: simulate_k_hat(TOY_INDEPENDENT.scenario, n_repetitions=1000, rng=1), rounds=51
    )
    print(f"{'1,000 repetitions of 100 independent':66} {1e3 * short:9.1f} ms")
    independent: dict[str, PValueSource] = {"100 independent": TOY_INDEPENDENT.scenario}
    dependent: dict[str, PValueSource] = {
        "100, two blocks dependent": TOY_DEPENDENT.scenario,
        "100 in one block": Scenario((Block(100, rho=0.8),)),
        "100, one factor over all": OneFactor((Block(100, rho=0.5),)),
    }
    half = Scenario((Block(50, effect=3.0), Block(50)))
    for n_threads in (1, None):
        # Of one core its own time, which other work on the machine changes less.
        clock = time.process_time if n_threads == 1 else time.perf_counter
        of = "one core (processor time)" if n_threads == 1 else "both cores"
        for title, scenario in (independent | dependent | {HALF: half}).items():

            def ours(
                scenario: PValueSource = scenario, n_threads: int | None = n_threads
            ) -> object:
                return simulate_k_hat(
                    scenario, n_repetitions=n_repetitions, rng=1, n_threads=n_threads
                )

            own, alone, normals = medians(
                ours,
                lambda: numpy_alone(n_repetitions, 100),
                lambda: normals_alone(n_repetitions, 100),
                rounds=ROUNDS,
                clock=clock,
            )
            whole = f"{n_repetitions:,} x {title}, {of}"
            most: float | None = None
            if title in independent:
                ratio, peer, most = own / alone, "times random, sort and log", INDEPENDENT_AT_MOST
            elif n_threads is None:
                # What one core takes cannot be taken from what two took.
                ratio, peer = own / (alone + normals), "times that and normals, on one core"
            else:
                ratio, peer = (own - normals) / alone, "times that, beyond normals and their tail"
                most = None if title == HALF else DEPENDENT_AT_MOST
            line(
                whole, own, ratio, peer, None if most is None else ratio <= most, f"at most {most}"
            )
    names, alone = medians(
        lambda: simulate_identification(half, n_repetitions=n_repetitions // 10, rng=1),
        lambda: numpy_alone(n_repetitions // 10, 100),
        rounds=3,
    )
    title = f"{n_repetitions // 10:,} x names by all seven procedures"
    line(title, names, names / alone, "times random, sort and log")
    peak = grown_by(_WORK, 10_000_000, before=_PROGRAM)
    print(
        f"10,000,000 x 5 datasets: {peak:.0f} MiB at most beyond the start; asked for: "
        f"at most {MEBIBYTES_AT_MOST}, {verdict(peak <= MEBIBYTES_AT_MOST)}"
    )


if __name__ == "__main__":
    main()
