"""The tests of a study of runs: of each pair of runs, and of all runs together.

Arguments are checked in `core.reliability.repeated_runs`, whose words these are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.reliability.run_variance import (
    furthest_resamples,
    judged_runs,
    out_of_reach,
    resampled_runs,
)
from core.significance.choose import RESAMPLING_TESTS, SignificanceTest
from core.significance.clusters import Clusters
from core.significance.result import TestAlternative
from core.significance.single import run_significance_test
from core.significance.stopping import KeepGoing
from core.significance.streams import dataset_stream
from core.types import BoolArray, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AskedOfRuns:
    """How pairs of runs are tested, and all runs together."""

    test: SignificanceTest
    alternative: TestAlternative
    higher_is_better: bool
    labels: npt.ArrayLike | None
    clusters: Clusters | None
    n_resamples: int
    confidence_level: float
    seed: int

    @property
    def sign(self) -> float:
        """What scores are multiplied by so that higher is better."""
        return 1.0 if self.higher_is_better else -1.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairsOfRuns:
    """What is known so far of each pair of runs, shape (R_A, R_B); p is nan until it is tested."""

    p_values: FloatArray
    out_of_reach: BoolArray
    differences: FloatArray

    @property
    def n_done(self) -> int:
        """Pairs that are tested."""
        return int(np.count_nonzero(~np.isnan(self.p_values)))


@dataclass(frozen=True, slots=True, kw_only=True)
class RunsTogether:
    """What runs and examples resampled together say; nothing where it was stopped before."""

    p_value: float | None = None
    confidence_interval: tuple[float, float] | None = None
    out_of_reach: bool = False


def untested_pairs(a: FloatArray, b: FloatArray, asked: AskedOfRuns) -> PairsOfRuns:
    """Every pair of runs with its difference of means, and no p-value yet."""
    differences = asked.sign * (a.mean(axis=0)[:, np.newaxis] - b.mean(axis=0)[np.newaxis, :])
    return PairsOfRuns(
        p_values=np.full(differences.shape, np.nan),
        out_of_reach=np.zeros(differences.shape, dtype=np.bool_),
        differences=differences,
    )


def test_each_pair(
    pairs: PairsOfRuns, a: FloatArray, b: FloatArray, asked: AskedOfRuns, keep_going: KeepGoing
) -> None:
    """Test each pair of runs in turn; what was done stays where it is stopped."""
    for i, j in np.ndindex(pairs.p_values.shape):
        result = run_significance_test(
            a[:, i],
            b[:, j],
            test=asked.test,
            alternative=asked.alternative,
            higher_is_better=asked.higher_is_better,
            clusters=asked.labels,
            # Of other tests only the interval beside the p-value would be resampled.
            n_resamples=asked.n_resamples if asked.test in RESAMPLING_TESTS else 1,
            # The same resamples for all pairs: what differs is the runs.
            rng=dataset_stream(asked.seed, "", f"{asked.test}|pairs of runs"),
            keep_going=keep_going,
        )
        pairs.p_values[i, j] = result.p_value
        pairs.out_of_reach[i, j] = result.is_out_of_reach(asked.alternative)
        pairs.differences[i, j] = result.difference


def test_all_together(
    a: FloatArray, b: FloatArray, asked: AskedOfRuns, keep_going: KeepGoing
) -> RunsTogether:
    """Resample runs and examples together."""
    a, b = asked.sign * a, asked.sign * b
    deltas, delta, room = resampled_runs(
        a,
        b,
        n_resamples=asked.n_resamples,
        rng=dataset_stream(asked.seed, "", "runs and examples together"),
        keep_going=keep_going,
        clusters=asked.clusters,
    )
    p_value, interval = judged_runs(deltas, delta, room, asked.alternative, asked.confidence_level)
    ends = furthest_resamples(a, b, asked.clusters)
    beyond = out_of_reach(ends, delta, room, asked.alternative)
    return RunsTogether(
        p_value=1.0 if beyond else p_value, confidence_interval=interval, out_of_reach=beyond
    )
