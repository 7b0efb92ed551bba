"""Many datasets on two threads beside one."""

import os

import numpy as np

from core import ResultSet, run_dataset_tests
from tests.benchmarks.timing import compare

N_DATASETS, N_EXAMPLES, N_RESAMPLES = 100, 2_000, 10_000
# Each takes a second or more, so that few rounds do.
ROUNDS = 3


def main() -> None:
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
