"""Bootstrap p-values of many subsamples, of metrics that are functions of summed statistics.

As `core.significance.shared_noise`: a resample is drawn once and applied to every
subsample, so that the sums of all are one product of matrices. Each p-value is
the Monte Carlo one of its own test from the same stream, also where the test
would look for an exact one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from core.significance.differences import TIE_TOLERANCE
from core.significance.reach import has_witness
from core.significance.resamples import CHUNK_DRAWS
from core.significance.result import TEST_ALTERNATIVES, TestAlternative
from core.significance.shared_noise import tiled_product
from core.significance.stopping import KeepGoing, check_going
from core.significance.summed_statistics import SummedStatistics
from core.types import BoolArray, FloatArray, IntArray
from core.validation import check_choice

# As the test itself draws: of few distinct rows it draws how often each comes.
_COUNT_COST = 16
# Sums of resamples held at once: 16 MiB.
_HELD = 1 << 21


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class UnitStatistics:
    """Both systems' statistics on each unit of a dataset.

    Attributes
    ----------
    a, b : ndarray, shape (n_units, s)
        In the same order.
    score : callable
        Sums of shape (..., s) to scores of shape (...); nan where undefined.
    sign : float
        1 where a higher score is better, else -1.
    scale_of : callable
        From two scores to the size beside which rounding is judged.
    """

    a: FloatArray
    b: FloatArray
    score: Callable[[FloatArray], FloatArray]
    sign: float
    scale_of: Callable[[float, float], float]

    def kinds(self) -> IntArray:
        """A number for each unit, equal where all statistics are, shape (n_units,)."""
        _, which = np.unique(np.hstack([self.a, self.b]), axis=0, return_inverse=True)
        kinds: IntArray = which.ravel().astype(np.intp)
        return kinds

    def of(self, units: IntArray) -> SummedStatistics:
        """Those of one subsample."""
        a, b = self.a[units], self.b[units]
        scores = [float(self.score(own.sum(axis=0))) for own in (a, b)]
        return SummedStatistics(
            a=a,
            b=b,
            score=self.score,
            sign=self.sign,
            scale=self.scale_of(scores[0], scores[1]),
            farthest=np.inf,
        )


def few_kinds(kinds: IntArray, places: IntArray) -> BoolArray:
    """Of each subsample whether the test draws how often each distinct row comes."""
    n_kinds = int(kinds.max()) + 1
    there = np.zeros((places.shape[0], n_kinds), dtype=np.bool_)
    np.put_along_axis(there, kinds[places], True, axis=1)
    few: BoolArray = np.count_nonzero(there, axis=1) <= places.shape[1] // _COUNT_COST
    return few


def bootstrapped_sums(
    statistics: UnitStatistics,
    places: IntArray,
    alternative: TestAlternative,
    n_resamples: int,
    stream: Callable[[], np.random.Generator],
    keep_going: KeepGoing,
) -> tuple[FloatArray, BoolArray]:
    """P-values (s + 1)/(b + 1) of subsamples, and where they are out of reach, shape (rows,).

    The p-value is nan where a score is not defined.

    Raises
    ------
    Stopped
        If `keep_going` says so.
    """
    check_choice(alternative, TEST_ALTERNATIVES, name="alternative")
    n_rows, size = places.shape
    width = statistics.a.shape[1]
    both = np.hstack([statistics.a, statistics.b])
    sums_a, sums_b = (own[places].sum(axis=1) for own in (statistics.a, statistics.b))
    scores_a, scores_b = statistics.score(sums_a), statistics.score(sums_b)
    delta = statistics.sign * (scores_a - scores_b)
    defined = np.isfinite(scores_a) & np.isfinite(scores_b)
    room = TIE_TOLERANCE * np.array(
        [statistics.scale_of(*pair) for pair in zip(scores_a, scores_b, strict=True)]
    )
    extreme = np.zeros(n_rows, dtype=np.int64)
    ahead = np.zeros(n_rows, dtype=np.int64)
    at_once = max(1, _HELD // (2 * width * size))
    for left in range(0, n_rows, at_once):
        part = slice(left, left + at_once)
        own = places[part]
        columns = both[own].transpose(1, 0, 2).reshape(size, -1)
        for counts in _counts(size, n_resamples, stream(), keep_going):
            sums = tiled_product(counts, columns).reshape(counts.shape[0], own.shape[0], 2 * width)
            drawn = statistics.sign * (
                statistics.score(sums[:, :, :width]) - statistics.score(sums[:, :, width:])
            )
            unknown = np.isnan(drawn)
            far, reached = _far(drawn, delta[part], room[part], alternative)
            # What has no score counts against the evidence, and shows no reach.
            extreme[part] += np.count_nonzero(far | unknown, axis=0)
            ahead[part] += np.count_nonzero(reached & ~unknown, axis=0)
    p_values = np.where(defined, (extreme + 1) / (n_resamples + 1), np.nan)
    sides = {"greater": delta > room, "less": delta < -room, "two-sided": np.abs(delta) > room}
    doubtful = defined & sides[alternative] & (ahead == 0)
    doubtful &= ~_reached_alone(statistics, places, delta, room)
    out_of_reach = np.zeros(n_rows, dtype=np.bool_)
    for row in np.flatnonzero(doubtful).tolist():
        check_going(keep_going)
        out_of_reach[row] = not has_witness(statistics.of(places[row]))
    return p_values, out_of_reach


def _far(
    drawn: FloatArray, delta: FloatArray, room: FloatArray, alternative: TestAlternative
) -> tuple[BoolArray, BoolArray]:
    """Which resamples are extreme, and which reach twice the observed difference."""
    with np.errstate(invalid="ignore"):
        high, low = drawn >= 2.0 * delta - room, drawn <= 2.0 * delta + room
        reached = np.where(delta > 0.0, high, low)
        if alternative == "two-sided":
            far = (drawn >= delta + np.abs(delta) - room) | (drawn <= delta - np.abs(delta) + room)
            return far, reached
    return (high if alternative == "greater" else low), reached


def _reached_alone(
    statistics: UnitStatistics, places: IntArray, delta: FloatArray, room: FloatArray
) -> BoolArray:
    """Whether one unit, drawn again and again, has twice the observed difference."""
    with np.errstate(divide="ignore", invalid="ignore"):
        alone = statistics.sign * (statistics.score(statistics.a) - statistics.score(statistics.b))
    high = np.where(np.isfinite(alone), alone, -np.inf)[places].max(axis=1)
    low = np.where(np.isfinite(alone), alone, np.inf)[places].min(axis=1)
    reached: BoolArray = np.where(delta > 0.0, high >= 2 * delta - room, low <= 2 * delta + room)
    return reached


def _counts(
    size: int, n_resamples: int, rng: np.random.Generator, keep_going: KeepGoing
) -> Iterator[FloatArray]:
    """How often each place is in each resample, in chunks as the test draws them."""
    rows = max(1, CHUNK_DRAWS // size)
    for start in range(0, n_resamples, rows):
        check_going(keep_going)
        part = min(rows, n_resamples - start)
        drawn = rng.integers(0, size, size=(part, size), dtype=np.int64)
        drawn += size * np.arange(part)[:, np.newaxis]
        yield (
            np.bincount(drawn.ravel(), minlength=part * size).reshape(part, size).astype(np.float64)
        )
