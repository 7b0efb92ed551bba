"""Many datasets on two threads beside one, and what one dataset's resamples hold."""

from __future__ import annotations

import os

import numpy as np

from core import ResultSet, run_dataset_tests
from tests.benchmarks.timing import compare, grown_by, verdict

N_DATASETS, N_EXAMPLES, N_RESAMPLES = 100, 2_000, 10_000
# Each takes a second or more, so that few rounds do.
ROUNDS = 3
# What resamples may hold beside the scores.
MOST_MIB = 64
_PROGRAM = """
import numpy as np
from core import run_significance_test
def run(n, n_resamples):
    rng = np.random.default_rng(0)
    a, b = rng.normal(0.001, 1, n), rng.normal(0, 1, n)
    run_significance_test(a, b, test="paired-bootstrap", n_resamples=n_resamples, rng=0)
run(50, 99)
"""


def compare_threads() -> None:
    """Real-valued scores of many datasets, on two threads and on one."""
    rng = np.random.default_rng(1979)
    results = ResultSet.from_scores(
        {
            f"dataset {i}": {
                "ours": rng.normal(0.03, 1, N_EXAMPLES),
                "theirs": rng.normal(0, 1, N_EXAMPLES),
            }
            for i in range(N_DATASETS)
        }
    )

    def run(n_threads: int) -> list[float]:
        table = run_dataset_tests(
            results,
            a="ours",
            b="theirs",
            test="paired-bootstrap",
            n_resamples=N_RESAMPLES,
            n_threads=n_threads,
        )
        found: list[float] = table.p_values.tolist()
        return found

    assert run(1) == run(2), "the number of threads must not change a p-value"
    compare(
        f"{N_DATASETS} datasets x {N_EXAMPLES:,} x {N_RESAMPLES:,}, two threads",
        lambda: run(2),
        "one thread",
        lambda: run(1),
        # More than there are processors cannot be asked for.
        at_least=1.7 if (os.cpu_count() or 1) > 1 else None,
        rounds=ROUNDS,
    )


def main() -> None:
    """Time and memory."""
    compare_threads()
    for n, n_resamples in ((2_000, 1_000_000), (1_000_000, 10_000)):
        held = grown_by("run(*map(int, sys.argv[1:]))", n, n_resamples, before=_PROGRAM)
        print(
            f"{f'memory of a bootstrap, n = {n:,}, {n_resamples:,} resamples':66} "
            f"{held:6.1f} MiB   asked for: at most {MOST_MIB}, "
            f"{verdict(held <= MOST_MIB)}"
        )
