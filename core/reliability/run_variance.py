"""What runs and examples each add to the variance of a difference, and resampling both.

The words are those of `core.reliability.repeated_runs`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.significance.clusters import Clusters
from core.significance.differences import TIE_TOLERANCE
from core.significance.products import product
from core.significance.result import TestAlternative
from core.significance.stopping import KeepGoing, check_going
from core.types import FloatArray, IntArray

# Resamples drawn at once times examples: 16 MiB.
_HELD = 1 << 21


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


def _widened(n_runs: int) -> float:
    """By what deviations of drawn runs are multiplied, so that their variance is seen whole.

    Of R runs drawn with replacement the mean varies by (R − 1)/R of what it should.
    """
    return float(np.sqrt(n_runs / (n_runs - 1))) if n_runs > 1 else 1.0


def resampled_runs(
    a: FloatArray,
    b: FloatArray,
    *,
    n_resamples: int,
    rng: np.random.Generator,
    keep_going: KeepGoing,
    clusters: Clusters | None = None,
) -> tuple[FloatArray, float, float]:
    """Differences of resamples, the observed one, and how far apart two may be and still tie.

    Examples, or whole clusters, and runs are drawn. How far the runs drawn lie
    from all runs counts √(R/(R − 1)) times.
    """
    n_a, n_b = a.shape[1], b.shape[1]
    # Beside their own mean: what is large and common must not hide small differences.
    centre = float(a.mean())
    both = np.hstack([a - centre, b - centre])
    delta = float(both[:, :n_a].mean() - both[:, n_a:].mean())
    units, sizes = _of_units(both, clusters)
    n = units.shape[0]
    deltas = np.empty(n_resamples)
    rows = max(1, _HELD // n)
    for start in range(0, n_resamples, rows):
        check_going(keep_going)
        part = deltas[start : start + rows]
        drawn = rng.integers(0, n, size=(part.size, n), dtype=np.int64)
        drawn += n * np.arange(part.size)[:, np.newaxis]
        counts = np.bincount(drawn.ravel(), minlength=part.size * n).reshape(part.size, n)
        runs_a = rng.multinomial(n_a, np.full(n_a, 1.0 / n_a), size=part.size)
        runs_b = rng.multinomial(n_b, np.full(n_b, 1.0 / n_b), size=part.size)
        weights = counts.astype(np.float64)
        means = product(weights, units) / (weights @ sizes)[:, np.newaxis]
        part[:] = _drawn_mean(means[:, :n_a], runs_a) - _drawn_mean(means[:, n_a:], runs_b)
    return deltas, delta, TIE_TOLERANCE * float(np.abs(both).mean())


def _drawn_mean(means: FloatArray, drawn: IntArray) -> FloatArray:
    """Of runs drawn so often, shape (resamples, R): their mean, its deviation widened."""
    n_runs = means.shape[1]
    of_all = means.mean(axis=1)
    of_drawn = (means * drawn).sum(axis=1) / n_runs
    found: FloatArray = of_all + _widened(n_runs) * (of_drawn - of_all)
    return found


def furthest_resamples(
    a: FloatArray, b: FloatArray, clusters: Clusters | None = None
) -> tuple[float, float]:
    """The smallest and the largest difference that any resample of `resampled_runs` has.

    A mean over what is drawn lies between those of single units, and of single
    runs: the ends are those of one unit and one run of each system, drawn again
    and again.
    """
    n_a = a.shape[1]
    sums, sizes = _of_units(np.hstack([a, b]) - float(a.mean()), clusters)
    means = sums / sizes[:, np.newaxis]
    low, high = [], []
    for own in (means[:, :n_a], means[:, n_a:]):
        of_all, wider = own.mean(axis=1), _widened(own.shape[1])
        low.append(of_all + wider * (own.min(axis=1) - of_all))
        high.append(of_all + wider * (own.max(axis=1) - of_all))
    return float((low[0] - high[1]).min()), float((high[0] - low[1]).max())


def out_of_reach(
    ends: tuple[float, float], delta: float, room: float, alternative: TestAlternative
) -> bool:
    """Whether no resample between these ends can be as extreme as the p-value asks.

    As for the bootstrap of one pair: the p-value then says nothing about the
    strength of evidence. A p-value that speaks against the observed direction
    is always within reach.
    """
    low, high = ends
    reaches_high, reaches_low = high >= 2.0 * delta - room, low <= 2.0 * delta + room
    if alternative == "greater":
        return not reaches_high
    if alternative == "less":
        return not reaches_low
    return not (reaches_high if delta > 0.0 else reaches_low)


def judged_runs(
    deltas: FloatArray,
    delta: float,
    room: float,
    alternative: TestAlternative,
    confidence_level: float,
) -> tuple[float, tuple[float, float]]:
    """The p-value (s + 1)/(b + 1) and the basic interval of resampled differences."""
    if alternative == "greater":
        far = deltas >= 2.0 * delta - room
    elif alternative == "less":
        far = deltas <= 2.0 * delta + room
    else:
        far = np.abs(deltas - delta) >= abs(delta) - room
    tail = (1.0 - confidence_level) / 2.0
    low, high = np.quantile(deltas, [tail, 1.0 - tail]).tolist()
    p = (int(np.count_nonzero(far)) + 1) / (deltas.size + 1)
    return p, (2.0 * delta - high, 2.0 * delta - low)
