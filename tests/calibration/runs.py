"""How often the test of all runs together rejects, with few runs and runs that vary much."""

from collections.abc import Callable
from itertools import product

import numpy as np
from scipy.stats import binomtest

from core.reliability.repeated_runs import all_together

CONFIDENCE = 0.999
N_EXAMPLES = 30
ALPHA = 0.05
# Run-to-run variance of a pair's difference, as a multiple of what examples add to it.
RATIOS = (0.0, 1.0, 10.0, 100.0, 10_000.0)
# The share of it that is A's.
SHARES = (0.5, 0.9, 1.0)
N_RUNS = ((2, 2), (3, 3), (5, 5), (10, 10), (2, 10))
N_REPETITIONS = 4_000


def rejected(
    n_runs: tuple[int, int],
    ratio: float,
    share_of_a: float,
    *,
    repetitions: int,
    ahead: float = 0.0,
) -> int:
    """In how many of seeded repetitions p <= .05; A is ahead by so many standard errors."""
    rng = np.random.default_rng([2017, *n_runs, int(ratio), int(10 * share_of_a)])
    of_runs = ratio * np.array([share_of_a, 1.0 - share_of_a])
    error = np.sqrt(1.0 + float(np.sum(of_runs / np.array(n_runs))))
    found = 0
    for _ in range(repetitions):
        # Of a pair's difference examples add a variance of 1 to the mean.
        a, b = (
            rng.normal(0.0, np.sqrt(0.3 * N_EXAMPLES), (N_EXAMPLES, 1))
            + rng.normal(0.0, np.sqrt(own), runs)
            + rng.normal(0.0, np.sqrt(0.2 * N_EXAMPLES), (N_EXAMPLES, runs))
            for own, runs in zip(of_runs, n_runs, strict=True)
        )
        found += all_together(a + ahead * error, b)[0] <= ALPHA
    return found


def run(say: Callable[[str], object] = print) -> int:
    """Print a row for each case; the number of those above α."""
    say(
        f"All runs together, {N_EXAMPLES} normal examples: share of p <= {ALPHA} where systems do "
        f"not differ, with Clopper and Pearson's interval at {CONFIDENCE}, and of a difference of "
        "three standard errors."
    )
    say(f"{'runs':>8}{'runs : examples':>17}{'share of A':>12}   rejected{'found':>25}")
    broken = 0
    for n_runs, share, ratio in product(N_RUNS, SHARES, RATIOS):
        judged = binomtest(rejected(n_runs, ratio, share, repetitions=N_REPETITIONS), N_REPETITIONS)
        planted = rejected(n_runs, ratio, share, repetitions=N_REPETITIONS // 10, ahead=3.0)
        low, high = judged.proportion_ci(CONFIDENCE, method="exact")
        broken += int(low > ALPHA)
        say(
            f"{f'{n_runs[0]}, {n_runs[1]}':>8}{ratio:17,.0f}{share:12.1f}   {judged.statistic:.4f} "
            f"[{low:.4f}, {high:.4f}]{'!' if low > ALPHA else ' '}{planted * 10 / N_REPETITIONS:10.3f}"
        )
    say(f"! more often than {ALPHA}: {broken}")
    return broken
