"""What runs and examples each add to the variance of a difference.

The words are those of `core.reliability.repeated_runs`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.significance.clusters import Clusters
from core.significance.differences import TIE_TOLERANCE
from core.types import FloatArray


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
