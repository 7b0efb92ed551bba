"""Tests of each pair of runs and of all runs together, and what adds to the variance of a difference.

Arguments are checked in `reliability.repeated_runs`, whose words these are.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..significance.differences import TIE_TOLERANCE, Clusters
from ..significance.settings import TestAlternative, dataset_stream
from ..significance.single import run_significance_test
from ..significance.stopping import KeepGoing, check_going
from ..types import BoolArray, FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RunVariance:
    """Where the variance of a difference between one run of A and one of B comes from.

    Estimated for each system from the mean squares of examples × runs, both
    random, without repetition: σ²_run = (MS_run − MS_rest)/n and
    σ²_rest = MS_rest (with clusters, what clusters × runs add takes the place
    of MS_rest/n), so that the law of total variance splits the variance of
    one pair's difference into σ²_run(A) + σ²_run(B), run to run, and
    (σ²_example + σ²_rest(A) + σ²_rest(B))/n, of examples.

    Attributes
    ----------
    run_a, run_b : float or None
        σ²_run of each system, at least 0; None with one run, of which nothing
        is known. Runs that are the same give 0.
    unbounded_run_a, unbounded_run_b : float or None
        The same estimates before negative ones became 0.
    examples : float
        Variance of one pair's difference that comes from examples, at least 0.
    """

    run_a: float | None
    run_b: float | None
    unbounded_run_a: float | None
    unbounded_run_b: float | None
    examples: float

    @property
    def runs(self) -> float | None:
        """Run-to-run variance of the difference; None where a system has one run."""
        if self.run_a is None or self.run_b is None:
            return None
        return self.run_a + self.run_b

    @property
    def share_of_runs(self) -> float | None:
        """Run-to-run part of the variance of one pair's difference, in 0..1.

        None where a system has one run; 0 where nothing varies.
        """
        if self.runs is None:
            return None
        total = self.runs + self.examples
        return self.runs / total if total > 0.0 else 0.0


def _of_units(rows: FloatArray, clusters: Clusters | None) -> tuple[FloatArray, FloatArray]:
    """Sums of each unit that is drawn, an example or a cluster, and how many examples it has."""
    if clusters is None:
        return rows, np.ones(rows.shape[0])
    return clusters.summed(rows), clusters.sizes.astype(np.float64)


def _variance_of_mean(centred: FloatArray, clusters: Clusters | None) -> float:
    """Of the means of columns that sum to 0, added up over the columns."""
    sums, _ = _of_units(centred, clusters)
    n, n_units = int(centred.shape[0]), int(sums.shape[0])
    if n_units == 1:
        return 0.0
    squares = float((sums**2).sum()) / (n * n)
    return squares * n_units / (n_units - 1)


def _run_and_rest(scores: FloatArray, clusters: Clusters | None) -> tuple[float | None, float]:
    """σ²_run before it is kept from being negative, None with one run, and what the rest adds.

    The rest's is its part in the variance of one run's mean, σ²_rest/n.
    """
    n_runs = scores.shape[1]
    if n_runs == 1:
        return None, 0.0
    of_runs, of_examples = scores.mean(axis=0), scores.mean(axis=1)
    grand = float(scores.mean())
    # Runs that are the same vary by nothing, not by a rounding.
    if bool((scores == scores[:, :1]).all()):
        return 0.0, 0.0
    between = float(((of_runs - grand) ** 2).sum()) / (n_runs - 1)
    rest = scores - of_examples[:, np.newaxis] - of_runs + grand
    of_rest = _variance_of_mean(rest, clusters) / (n_runs - 1)
    return between - of_rest, of_rest


def split_variance(a: FloatArray, b: FloatArray, clusters: Clusters | None = None) -> RunVariance:
    """The split, from scores of shape (n, R_A) and (n, R_B); with clusters, those are drawn."""
    (run_a, rest_a), (run_b, rest_b) = _run_and_rest(a, clusters), _run_and_rest(b, clusters)
    averaged = a.mean(axis=1) - b.mean(axis=1)
    spread = _variance_of_mean((averaged - averaged.mean())[:, np.newaxis], clusters)
    # The average over runs has 1/R of what runs add on each example; one pair has all of it.
    of_examples = spread + rest_a * (1.0 - 1.0 / a.shape[1]) + rest_b * (1.0 - 1.0 / b.shape[1])
    return RunVariance(
        run_a=None if run_a is None else max(0.0, run_a),
        run_b=None if run_b is None else max(0.0, run_b),
        unbounded_run_a=run_a,
        unbounded_run_b=run_b,
        examples=of_examples,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class VariancePart:
    """One source's part in the variance of the mean difference over all runs and examples.

    Attributes
    ----------
    variance : float
        At least 0.
    degrees_of_freedom : int
        Of the estimate, at least 1.
    """

    variance: float
    degrees_of_freedom: int


def parts_of_mean_difference(
    a: FloatArray, b: FloatArray, clusters: Clusters | None = None
) -> tuple[VariancePart, ...]:
    """The parts of A's runs, of B's runs and of the examples, or clusters.

    With R runs of a system s²/R, s² being the variance between the means of its
    runs, with R − 1 degrees of freedom; with one run nothing is known and its
    part is left out. Of examples the variance of the mean of differences that
    were averaged over runs, with one degree of freedom less than there are
    examples or clusters. What is of neither runs nor examples alone is in both
    parts, so that the sum is somewhat too large. Differences that are no more
    than rounding do not vary.
    """
    room = TIE_TOLERANCE * max(float(np.abs(a).max()), float(np.abs(b).max()))
    parts = []
    for scores in (a, b):
        means, n_runs = scores.mean(axis=0), scores.shape[1]
        if n_runs > 1:
            variance = float(means.var(ddof=1)) / n_runs if np.ptp(means) > room else 0.0
            parts.append(VariancePart(variance=variance, degrees_of_freedom=n_runs - 1))
    averaged = a.mean(axis=1) - b.mean(axis=1)
    n_units = averaged.size if clusters is None else clusters.n_clusters
    if n_units > 1:
        centred = (averaged - averaged.mean())[:, np.newaxis]
        variance = _variance_of_mean(centred, clusters) if np.ptp(averaged) > room else 0.0
        parts.append(VariancePart(variance=variance, degrees_of_freedom=n_units - 1))
    return tuple(parts)


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
