"""What runs and examples each add to the variance of a difference, and resampling both.

The words are those of `core.reliability.repeated_runs`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.significance.products import product
from core.significance.result import TestAlternative
from core.significance.stopping import KeepGoing, check_going
from core.types import FloatArray

# Resamples drawn at once times examples: 16 MiB.
_HELD = 1 << 21
_TOLERANCE = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RunVariance:
    """Where the variance of a difference between one run of A and one of B comes from.

    Estimated for each system from the mean squares of examples × runs, both
    random, without repetition: σ²_run = (MS_run − MS_rest)/n and
    σ²_rest = MS_rest, so that the law of total variance splits the variance of
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


def _mean_squares(scores: FloatArray) -> tuple[float | None, float]:
    """σ²_run before it is kept from being negative, None with one run, and σ²_rest."""
    n, n_runs = scores.shape
    if n_runs == 1:
        return None, 0.0
    of_runs, of_examples = scores.mean(axis=0), scores.mean(axis=1)
    grand = float(scores.mean())
    # Runs that are the same vary by nothing, not by a rounding.
    if bool((scores == scores[:, :1]).all()):
        return 0.0, 0.0
    run = n * float(((of_runs - grand) ** 2).sum()) / (n_runs - 1)
    if n == 1:
        return run, 0.0
    rest = scores - of_examples[:, np.newaxis] - of_runs + grand
    mean_rest = float((rest**2).sum()) / ((n - 1) * (n_runs - 1))
    return (run - mean_rest) / n, mean_rest


def split_variance(a: FloatArray, b: FloatArray) -> RunVariance:
    """The split, from scores of shape (n, R_A) and (n, R_B)."""
    n = a.shape[0]
    (run_a, rest_a), (run_b, rest_b) = _mean_squares(a), _mean_squares(b)
    averaged = a.mean(axis=1) - b.mean(axis=1)
    spread = float(averaged.var(ddof=1)) if n > 1 else 0.0
    # The average over runs has 1/R of what runs add on each example; one pair has all of it.
    of_examples = spread + rest_a * (1.0 - 1.0 / a.shape[1]) + rest_b * (1.0 - 1.0 / b.shape[1])
    return RunVariance(
        run_a=None if run_a is None else max(0.0, run_a),
        run_b=None if run_b is None else max(0.0, run_b),
        unbounded_run_a=run_a,
        unbounded_run_b=run_b,
        examples=of_examples / n,
    )


def resampled_runs(
    a: FloatArray,
    b: FloatArray,
    *,
    n_resamples: int,
    rng: np.random.Generator,
    keep_going: KeepGoing,
) -> tuple[FloatArray, float, float]:
    """Differences of resamples, the observed one, and how far apart two may be and still tie."""
    n, (n_a, n_b) = a.shape[0], (a.shape[1], b.shape[1])
    # Beside their own mean: what is large and common must not hide small differences.
    centre = float(a.mean())
    both = np.hstack([a - centre, b - centre])
    delta = float(both[:, :n_a].mean() - both[:, n_a:].mean())
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
        sums = product(counts.astype(np.float64), both)
        part[:] = (
            (sums[:, :n_a] * runs_a).sum(axis=1) / n_a - (sums[:, n_a:] * runs_b).sum(axis=1) / n_b
        ) / n
    return deltas, delta, _TOLERANCE * float(np.abs(both).mean())


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
