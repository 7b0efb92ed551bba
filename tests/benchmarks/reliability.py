"""Speed of a study of subsamples beside the one analysis of the whole datasets: ratios of medians."""

from __future__ import annotations

from functools import partial

import numpy as np

from core.data.result_set import ResultSet
from core.reliability.sample_size import SHARES, subsample_significance
from core.significance import run_dataset_tests
from tests.benchmarks.timing import compare

ROUNDS = 5
N_DATASETS, N_EXAMPLES, N_SUBSAMPLES, N_RESAMPLES = 20, 2_000, 100, 1_000
# A study takes at most so many times as long as the one analysis.
AT_MOST = 20


def outcomes(rng: np.random.Generator) -> ResultSet:
    """Of 0/1: every test is exact."""
    scores = {}
    for i in range(N_DATASETS):
        right = rng.random(N_EXAMPLES) < 0.72
        other = np.where(rng.random(N_EXAMPLES) < 0.15, ~right, right)
        scores[f"set {i}"] = {"A": right * 1.0, "B": other * 1.0}
    return ResultSet.from_scores(scores)


def ratings(rng: np.random.Generator) -> ResultSet:
    """Of 1 to 5: on a lattice, so that resampling tests are exact."""
    return ResultSet.from_scores(
        {
            f"set {i}": {name: rng.integers(1, 6, N_EXAMPLES) * 1.0 for name in "AB"}
            for i in range(N_DATASETS)
        }
    )


def measurements(rng: np.random.Generator) -> ResultSet:
    """Off any lattice: resampling tests draw 1,000 resamples."""
    return ResultSet.from_scores(
        {
            f"set {i}": {name: rng.normal(0, 1, N_EXAMPLES) for name in "AB"}
            for i in range(N_DATASETS)
        }
    )


def words(rng: np.random.Generator) -> ResultSet:
    """Right words of sentences: ratios of sums, by 1,000 resamples."""
    datasets = tuple(f"set {i}" for i in range(N_DATASETS))
    counted = []
    for _ in datasets:
        totals = rng.integers(3, 40, N_EXAMPLES)
        systems = [np.column_stack([rng.binomial(totals, p), totals]) for p in (0.8, 0.79)]
        counted.append(np.stack(systems, axis=1).astype(np.float64))
    return ResultSet(
        datasets=datasets,
        systems=("A", "B"),
        values={"accuracy": tuple(counted)},
        higher_is_better={"accuracy": True},
        kinds={"accuracy": "ratio"},
    )


def main() -> None:
    """Run the benchmarks of this room."""
    print(
        f"Medians of {ROUNDS} rounds: {N_SUBSAMPLES} subsamples, {len(SHARES)} sizes, {N_DATASETS} "
        f"datasets, n = {N_EXAMPLES:,}; {N_RESAMPLES:,} resamples where a test draws them. "
        f"Asked for: at most {AT_MOST} times as long."
    )
    rng = np.random.default_rng(2014)
    resampling = ("paired-bootstrap", "approximate-randomization")
    kinds = (
        ("0/1", outcomes(rng), ("mcnemar", "sign", *resampling)),
        ("ratings", ratings(rng), ("wilcoxon", *resampling)),
        ("measurements", measurements(rng), ("wilcoxon", "paired-t", *resampling)),
        ("words of sentences", words(rng), resampling),
    )
    for kind, results, tests in kinds:
        for test in tests:
            given = {"a": "A", "b": "B", "test": test, "n_resamples": N_RESAMPLES}
            compare(
                f"subsamples of {kind}: {test}",
                partial(subsample_significance, results, n_subsamples=N_SUBSAMPLES, **given),  # type: ignore[arg-type]
                "the one analysis",
                partial(run_dataset_tests, results, **given),  # type: ignore[arg-type]
                at_least=1 / AT_MOST,
                rounds=ROUNDS,
            )
