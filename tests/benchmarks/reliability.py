"""Speed of a study of subsamples beside the one analysis of the whole datasets: ratios of medians."""

from functools import partial

from core.reliability.sample_size import SHARES, subsample_significance
from core.significance.run import run_dataset_tests
from tests.benchmarks.timing import compare
from tests.calibration.scenarios import MEASURES, OUTCOMES, RATINGS
from tests.core.made import counts_of, set_of

ROUNDS = 5
N_DATASETS, N_EXAMPLES, N_SUBSAMPLES, N_RESAMPLES = 20, 2_000, 100, 1_000
# A study takes at most so many times as long as the one analysis.
AT_MOST = 20


def main() -> None:
    """Run the benchmarks of this room."""
    print(
        f"Medians of {ROUNDS} rounds: {N_SUBSAMPLES} subsamples, {len(SHARES)} sizes, {N_DATASETS} "
        f"datasets, n = {N_EXAMPLES:,}; {N_RESAMPLES:,} resamples where a test draws them. "
        f"Asked for: at most {AT_MOST} times as long."
    )
    resampling = ("paired-bootstrap", "approximate-randomization")
    for kind, tests in (
        # Of 0/1 every test is exact; ratings are on a lattice, so that resampling tests are, too.
        (OUTCOMES, ("mcnemar", "sign", *resampling)),
        (RATINGS, ("wilcoxon", *resampling)),
        (MEASURES, ("wilcoxon", "paired-t", *resampling)),
        # Right words of sentences.
        ("ratio", resampling),
    ):
        drawn = (counts_of(kind, N_EXAMPLES, seed=i) for i in range(N_DATASETS))
        names = [f"set {i}" for i in range(N_DATASETS)]
        metric = kind if kind == "ratio" else "mean"
        results = set_of(metric, *drawn, datasets=names)
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
