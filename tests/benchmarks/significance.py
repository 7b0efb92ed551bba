"""Speed of the tests on one dataset beside scipy and plain numpy: ratios of medians."""

import importlib
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import stats as scipy_stats

from core.data import ResultSet
from core.significance.bootstrap import paired_bootstrap
from core.significance.differences import Differences, paired_differences
from core.significance.paired_tests import approximate_randomization
from core.significance.run import run_dataset_tests
from core.significance.settings import Asked, Settings
from core.significance.single import run_significance_test
from core.types import FloatArray
from tests.benchmarks.timing import compare, not_measured, within

# Its stubs want literals where a benchmark passes parameters.
stats: Any = scipy_stats
N_RESAMPLES = 9_999
Kernel = Callable[[Differences, Asked], object]
# What plain numpy holds at once: 64 MiB of differences.
_CHUNK_DRAWS = 1 << 23


def mean_of_difference(a: FloatArray, b: FloatArray, axis: int = -1) -> FloatArray:
    """The statistic, vectorised as scipy wants it."""
    mean: FloatArray = np.mean(a - b, axis=axis)
    return mean


def plain_bootstrap(differences: FloatArray, seed: int) -> float:
    """Resampling of differences as it is usually written, in chunks."""
    rng = np.random.default_rng(seed)
    n, extreme = differences.size, 0
    observed = differences.mean()
    rows = _CHUNK_DRAWS // n
    for start in range(0, N_RESAMPLES, rows):
        indices = rng.integers(0, n, (min(rows, N_RESAMPLES - start), n))
        extreme += int(np.count_nonzero(differences[indices].mean(axis=1) >= 2 * observed))
    return (extreme + 1) / (N_RESAMPLES + 1)


def ours(test: Kernel, differences: Differences) -> object:
    """A test by Monte Carlo, without what comes with a result."""
    settings = Settings(method="monte-carlo", n_resamples=N_RESAMPLES)
    return test(differences, Asked(settings=settings, rng=np.random.default_rng(0)))


_OF_SCIPY: dict[str, Any] = {
    "statistic": mean_of_difference,
    "vectorized": True,
    "n_resamples": N_RESAMPLES,
    "batch": 500,
    "rng": 0,
}


def scipy_bootstrap(a: FloatArray, b: FloatArray) -> object:
    """Only an interval; a p-value would come on top."""
    return stats.bootstrap((a, b), paired=True, method="basic", **_OF_SCIPY)


def scipy_permutation(a: FloatArray, b: FloatArray) -> object:
    """Paired swaps."""
    swaps: dict[str, Any] = {"permutation_type": "samples", "alternative": "greater"}
    return stats.permutation_test((a, b), **swaps, **_OF_SCIPY)


def ranx_randomization() -> Any:
    """Its Fisher randomization test, or None without ranx."""
    try:
        module = importlib.import_module("ranx.statistical_tests.fisher_randomization_test")
    except ImportError:
        return None
    return module.fisher_randomization_test


def bleu_statistics(rng: np.random.Generator, n: int, quality: float) -> npt.NDArray[np.int64]:
    """Lengths, matches and totals of n segments, in the order that both have them."""
    length = rng.integers(8, 50, n)
    reference = np.maximum(4, length + rng.integers(-3, 4, n))
    totals = np.maximum(length[:, np.newaxis] - np.arange(4), 0)
    matches = rng.binomial(totals, quality * np.array([0.6, 0.35, 0.2, 0.12]))
    return np.column_stack([length, reference, matches, totals])


def compare_bleu() -> None:
    """The bootstrap of BLEU from counts: p and interval against sacrebleu's own."""
    rng = np.random.default_rng(2002)
    a, b = (bleu_statistics(rng, 1_000, quality) for quality in (1.02, 1.0))
    title = "bootstrap of BLEU, 1,000 segments, p and interval"
    try:
        # Its resampling alone, by its own code, on the same statistics.
        sacrebleu: Any = importlib.import_module("sacrebleu.significance")
        metrics: Any = importlib.import_module("sacrebleu.metrics")
    except ImportError:
        not_measured(title, "sacrebleu")
        return
    bleu = metrics.BLEU(smooth_method="none")
    # Extracting n-grams from texts is left out of the time: what it gets is counted already.
    bleu._extract_corpus_statistics = lambda counted, _: counted
    base = {"BLEU": (b.tolist(), bleu._aggregate_and_compute(b.tolist()))}
    counted = a.tolist()
    compare(
        title,
        lambda: run_significance_test(
            a, b, test="paired-bootstrap", metric="bleu", n_resamples=1_000, rng=0
        ),
        "sacrebleu, p and interval",
        lambda: sacrebleu._paired_bs_test(
            base, "a", counted, None, {"BLEU": bleu}, n_samples=1_000, seed=0
        ),
        at_least=5,
    )


def at_margins(rng: np.random.Generator) -> None:
    """0/1 outcomes at a margin, with intervals: one large dataset, and a hundred."""

    def outcomes(n: int) -> dict[str, FloatArray]:
        a = (rng.random(n) < 0.8).astype(np.float64)
        return {"a": a, "b": np.where(rng.random(n) < 0.95, a, 1.0 - a)}

    at: dict[str, Any] = {"claim": "not-worse", "margin": 0.01}
    one = outcomes(10_000)
    exact = partial(run_significance_test, one["a"], one["b"], test="mcnemar", **at)
    title = "0/1 at a margin, exact, p, n = 10,000"
    within(title, lambda: exact(with_interval=False), seconds=0.05)
    hundred = ResultSet.from_scores({f"d{i}": outcomes(2_000) for i in range(100)})
    within(
        "0/1 at a margin, 100 datasets of 2,000, p and interval",
        lambda: run_dataset_tests(hundred, a="a", b="b", **at),
        seconds=3.0,
    )


def main() -> None:
    """Run the benchmarks of this room."""
    rng = np.random.default_rng(2012)
    n = 2_000
    right_a = (rng.random(n) < 0.72).astype(np.float64)
    right_b = (rng.random(n) < 0.70).astype(np.float64)
    score_a, score_b = rng.normal(0.03, 1, n), rng.normal(0, 1, n)
    measured = paired_differences(score_a, score_b)
    print(f"n = {n:,}, {N_RESAMPLES:,} resamples of a peer.")
    on_outcomes = partial(run_significance_test, right_a, right_b)
    compare(
        "bootstrap on 0/1, exact, p and interval",
        lambda: on_outcomes(test="paired-bootstrap"),
        "scipy.stats.bootstrap, interval",
        lambda: scipy_bootstrap(right_a, right_b),
        at_least=20,
    )
    compare(
        "randomization on 0/1, exact, p and interval",
        lambda: on_outcomes(test="approximate-randomization"),
        "scipy.stats.permutation_test, p",
        lambda: scipy_permutation(right_a, right_b),
        at_least=50,
    )
    compare(
        "bootstrap of measurements, p and interval",
        partial(ours, paired_bootstrap, measured),
        "plain numpy, p",
        lambda: plain_bootstrap(measured.values, 0),
        # At most 1.1 times as long, although it has no interval.
        at_least=round(1 / 1.1, 2),
    )

    title = "randomization of measurements, p"
    randomization = partial(ours, approximate_randomization, measured)
    compare(
        title,
        randomization,
        "scipy.stats.permutation_test, p",
        lambda: scipy_permutation(score_a, score_b),
        at_least=5,
    )
    if (ranx := ranx_randomization()) is None:
        not_measured(title, "ranx")
    else:
        peer = partial(ranx, score_a, score_b, N_RESAMPLES)
        compare(title, randomization, "ranx, compiled and warm, p", peer, at_least=2)
    compare_bleu()
    at_margins(rng)
    few = score_a[:500], score_b[:500]
    compare(
        "Wilcoxon, n = 500, exact, p and interval",
        lambda: run_significance_test(*few, test="wilcoxon", rng=0),
        "scipy.stats.wilcoxon, exact, p",
        lambda: stats.wilcoxon(*few, method="exact"),
    )
