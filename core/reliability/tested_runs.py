"""The tests of a study of runs: of each pair of runs, and of all runs together.

Arguments are checked in `core.reliability.repeated_runs`, whose words these are.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.reliability.run_variance import parts_of_mean_difference
from core.significance.clusters import Clusters
from core.significance.result import TestAlternative
from core.significance.single import run_significance_test
from core.significance.stopping import KeepGoing, check_going
from core.significance.streams import dataset_stream
from core.types import BoolArray, FloatArray

# Farther out SciPy's quantiles of Student's t are lost.
_SMALLEST_P = 1e-200


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AskedOfRuns:
    """How pairs of runs are tested, and all runs together."""

    test: str
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
    """What all runs and examples together say; where nothing varies p is 1, without an interval."""

    p_value: float
    confidence_interval: tuple[float, float] | None


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
        check_going(keep_going)
        result = run_significance_test(
            a[:, i],
            b[:, j],
            test=asked.test,
            alternative=asked.alternative,
            higher_is_better=asked.higher_is_better,
            clusters=asked.labels,
            n_resamples=asked.n_resamples,
            with_interval=False,
            # The same resamples for all pairs: what differs is the runs.
            rng=dataset_stream(asked.seed, "", f"{asked.test}|pairs of runs"),
            keep_going=keep_going,
        )
        pairs.p_values[i, j] = result.p_value
        pairs.out_of_reach[i, j] = result.is_out_of_reach(asked.alternative)
        pairs.differences[i, j] = result.difference


def test_all_together(a: FloatArray, b: FloatArray, asked: AskedOfRuns) -> RunsTogether:
    """Test the mean difference over all runs and examples, both being random.

    The squared difference is held against Σ t_i² v_i, where v_i is the part that
    runs of A, runs of B or examples have in its variance, and t_i Student's
    quantile for the degrees of freedom of that part. Let the parts be normal and
    w_i their shares of the true variance. The distribution function G of a
    squared standard normal is concave, so that a squared difference is at most
    Σ t_i² v_i with probability E G(Σ w_i t_i² v_i/E v_i) >= Σ w_i E G(t_i² v_i/E v_i),
    and each of these means is the probability that goes with t_i. So the test
    rejects in at most a share α of studies, however runs and examples share the
    variance; where one part is all of it, in exactly that share. p is the
    smallest level at which it rejects, down to 1e-200.
    """
    from scipy.special import stdtrit

    difference = asked.sign * float(a.mean() - b.mean())
    parts = parts_of_mean_difference(a, b, asked.clusters)
    deviations = np.sqrt([part.variance for part in parts])
    freedom = np.array([part.degrees_of_freedom for part in parts], dtype=np.float64)

    def reach(tail: float) -> float:
        """How far above 0 the difference lies with at most this probability."""
        return math.hypot(*(stdtrit(freedom, tail) * deviations))

    n_units = a.shape[0] if asked.clusters is None else asked.clusters.n_clusters
    if n_units == 1 or not deviations.any():
        return RunsTogether(p_value=1.0, confidence_interval=None)
    # Beside the largest, so that the farthest quantiles do not overflow.
    scale = float(deviations.max())
    deviations /= scale
    tail = _smallest_tail(abs(difference) / scale, reach)
    sides = {"greater": tail, "less": 1.0 - tail}
    if difference < 0.0:
        sides = {"greater": 1.0 - tail, "less": tail}
    sides["two-sided"] = 2.0 * tail
    width = scale * reach(0.5 * (1.0 - asked.confidence_level))
    return RunsTogether(
        p_value=sides[asked.alternative],
        confidence_interval=(difference - width, difference + width),
    )


def _smallest_tail(distance: float, reach: Callable[[float], float]) -> float:
    """The probability in (0, 1/2] whose reach is this far."""
    from scipy.optimize import brentq

    if distance == 0.0:
        return 0.5
    if reach(_SMALLEST_P) <= distance:
        return _SMALLEST_P
    # In logarithms, so that small tails keep their digits.
    found = brentq(
        lambda log: reach(math.exp(log)) - distance,
        math.log(_SMALLEST_P),
        math.log(0.5),
        xtol=1e-13,
        rtol=1e-13,
    )
    return math.exp(found)
