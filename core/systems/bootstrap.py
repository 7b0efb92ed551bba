"""What a test needs of all systems on one dataset, each in a column; the paired bootstrap of all pairs.

With S_i the sum of a system's scores in a resample and T_i in the data, the
event of a pair, δ* ≥ 2δ, is S_i − S_j ≥ 2(T_i − T_j), that is u_i ≥ u_j with
u = S − 2T. So each resample puts the systems in an order, and a pair's p-value
is how often the order has i at or before j: one product of counts and scores
for all systems, and comparisons of columns (Berg-Kirkpatrick et al. 2012,
footnotes 4 and 5). Of some pairs no resample can be extreme, so that their p-values
say nothing: they are found out.

Vocabulary
----------
counts
    How often each unit is in a resample, a row a resample.
standing
    u above: of averages from sums of whole numbers, of other metrics from scores.
unit
    What a resample draws: an example, or a whole cluster of them.
whole numbers
    Scores as multiples of one step, so that sums of them are exact and ties
    stay ties.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ..data.result_set import ResultSet
from ..metrics.registry import STATISTIC_METRICS, statistic_metric
from ..significance.differences import TIE_TOLERANCE, Clusters, Differences, paired_differences
from ..significance.lattice import outcomes_at_least
from ..significance.resamples import drawn_counts, product
from ..significance.settings import Settings
from ..significance.stopping import KeepGoing, Stopped, check_going, in_turn, run_pieces
from ..significance.summed_statistics import SummedStatistics, has_witness, scale_of
from ..types import FloatArray, IntArray

_LOOK = 64


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AveragedColumns:
    """Scores that are averaged.

    Higher being better, a column a system, as multiples of a step if there is one.
    """

    values: FloatArray
    step: float | None
    means: FloatArray

    @property
    def n(self) -> int:
        """Number of examples."""
        return int(self.values.shape[0])

    @property
    def binary(self) -> bool:
        """Whether there are two scores only: outcomes that are right or wrong."""
        low, high = self.values.min(), self.values.max()
        return self.step is not None and bool(((self.values == low) | (self.values == high)).all())

    def differences(self, i: int, j: int) -> Differences:
        """Of two systems, as the single test makes them."""
        if self.step is None:
            return paired_differences(self.values[:, i], self.values[:, j])
        whole = (self.values[:, i] - self.values[:, j]).astype(np.int64)
        divisor = max(1, int(np.gcd.reduce(whole)))
        return Differences(
            values=(whole * self.step).astype(np.float64),
            integers=whole // divisor,
            step=self.step * divisor,
            score_a=float(self.means[i]),
            score_b=float(self.means[j]),
            mean=int(whole.sum()) * self.step / self.n,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SummedColumns:
    """Statistics that are added up before a score is made of them.

    Shape (n, m · s), higher being better. The score takes sums of shape (..., s); two differences
    no farther apart than `room` are a tie.
    """

    values: FloatArray
    n_systems: int
    score: Callable[[FloatArray], FloatArray]
    sign: float
    scores: FloatArray
    room: float

    def of(self, i: int) -> FloatArray:
        """One system's statistics, shape (n, s)."""
        width = self.values.shape[1] // self.n_systems
        return self.values[:, i * width : (i + 1) * width]

    def scores_of(self, sums: FloatArray) -> FloatArray:
        """Sums of shape (k, m · s) to scores of shape (k, m), higher being better."""
        return self.sign * self.score(sums.reshape(sums.shape[0], self.n_systems, -1))


def averaged_columns(scores: FloatArray) -> AveragedColumns:
    """Columns of scores, shape (n, m), higher being better, as whole numbers where they are such."""
    # A few scores rule out a step where there is none.
    if paired_differences(scores[:_LOOK, 0], np.zeros(1)).integers is not None:
        found = paired_differences(scores.ravel(), np.zeros(1))
        if found.integers is not None and found.step is not None:
            whole = found.integers.reshape(scores.shape).astype(np.float64)
            means = whole.sum(axis=0) * found.step / scores.shape[0]
            return AveragedColumns(values=whole, step=found.step, means=means)
    return AveragedColumns(values=scores, step=None, means=scores.mean(axis=0))


def summed_columns(
    result_set: ResultSet, dataset: str, systems: Sequence[str], *, metric: str
) -> SummedColumns:
    """The statistics of a metric that is made of sums, as a set of results has them."""
    kind = result_set.kind_of(metric)
    known = statistic_metric(kind)
    given = [result_set.scores(dataset, system, metric) for system in systems]
    sign = 1.0 if result_set.is_higher_better(metric) else -1.0
    scores = np.array([float(known.score(one.sum(axis=0))) for one in given])
    return SummedColumns(
        values=np.hstack(given),
        n_systems=len(systems),
        score=known.score,
        sign=sign,
        scores=sign * scores,
        room=TIE_TOLERANCE * scale_of(known, scores.tolist()),
    )


def summed_over_clusters(
    columns: AveragedColumns | SummedColumns, clusters: Clusters
) -> SummedColumns:
    """The same with a row a cluster; a mean becomes the sum of scores over the number of examples."""
    if isinstance(columns, SummedColumns):
        return replace(columns, values=clusters.summed(columns.values))
    sizes = clusters.sizes.astype(np.float64)
    parts = [part for column in columns.values.T for part in (clusters.summed(column), sizes)]
    return SummedColumns(
        values=np.column_stack(parts),
        n_systems=columns.values.shape[1],
        score=STATISTIC_METRICS["ratio"].score,
        sign=1.0,
        scores=columns.values.mean(axis=0),
        room=TIE_TOLERANCE * float(np.abs(columns.values).max(initial=0.0)),
    )


def oriented_scores(
    result_set: ResultSet, dataset: str, systems: Sequence[str], metric: str
) -> FloatArray:
    """Scores that are averaged, shape (n, m), higher being better."""
    columns = [result_set.oriented(dataset, system, metric) for system in systems]
    return np.column_stack(columns)


# Units drawn at once or differences looked at, and systems compared: they stay in a processor's cache.
_IN_CACHE, _COMPARED_AT_ONCE = 1 << 16, 8
# Resamples whose counts are multiplied at once: enough for BLAS, few enough for memory.
_MOST_ROWS = 256
_COUNTED_AT_ONCE = 1 << 21
# Multiplications and comparisons below which threads take longer to begin than they save.
_THREADS_FROM = 1 << 26


def orders(standings: npt.NDArray[Any], room: float) -> IntArray:
    """In how many of fewer than 65,536 resamples each system stands as high as each other, (m, m).

    A pair with an undefined score counts both ways. `room`: how far below another is still a tie.
    """
    held = np.ascontiguousarray(standings.T)
    m, n_resamples = held.shape
    high = (held + room if room else held)[:, np.newaxis]
    below = np.empty((_COMPARED_AT_ONCE, m, n_resamples), dtype=np.bool_)
    counts = np.full((m, m), n_resamples, dtype=np.intp)
    for first in range(0, m, _COMPARED_AT_ONCE):
        own = slice(first, first + _COMPARED_AT_ONCE)
        lower = np.less(high[own], held, out=below[: m - first])
        counts[own] -= lower.sum(axis=2, dtype=np.uint16)
    return counts


def resample_counts(
    n: int, n_resamples: int, rng: np.random.Generator
) -> tuple[int, Iterator[npt.NDArray[np.float32]]]:
    """Counts of bootstrap samples of n units: how many parts, and these, (rows, n), n in each row."""
    rows = int(np.clip(_COUNTED_AT_ONCE // n, 1, _MOST_ROWS))
    drawn_rows = int(np.clip(_IN_CACHE // n, 1, rows))
    # Narrow indices are quicker to draw.
    narrow = np.uint16 if n <= 1 << 16 else np.uint32

    def drawn(start: int) -> npt.NDArray[np.float32]:
        part = np.empty((min(rows, n_resamples - start), n), dtype=np.float32)
        for first in range(0, part.shape[0], drawn_rows):
            own = part[first : first + drawn_rows]
            own[:] = drawn_counts(n, n, len(own), rng, kind=narrow)
        return part

    starts = range(0, n_resamples, rows)
    return len(starts), map(drawn, starts)


def times_at_least_twice(
    columns: AveragedColumns | SummedColumns,
    n_resamples: int,
    rng: np.random.Generator,
    *,
    keep_going: KeepGoing = None,
    on_share: Callable[[float], None] = lambda _: None,
) -> IntArray:
    """In how many resamples each ordered pair has δ* ≥ 2δ, shape (m, m).

    `on_share` is called with the share of the resamples done. No number depends on threads.
    """
    standings_of, room = _standings(columns)
    n, width = columns.values.shape
    n_parts, parts = resample_counts(n, n_resamples, rng)
    next_part, done = in_turn(parts), 0
    found: IntArray | int = 0

    def add(_: int, own: IntArray) -> None:
        nonlocal found, done
        found, done = found + own, done + 1
        on_share(done / n_parts)

    enough = width * (n + width) * n_resamples >= _THREADS_FROM
    run_pieces(
        [lambda _: orders(standings_of(next_part()), room)] * n_parts,
        n_threads=min(2, os.cpu_count() or 1) if enough else 1,
        bytes_held=lambda _: 0,
        keep_going=keep_going or (lambda: True),
        on_done=add,
    )
    if done < n_parts:
        raise Stopped("The comparisons were stopped before all resamples were counted.")
    return np.asarray(found)


def _standings(
    columns: AveragedColumns | SummedColumns,
) -> tuple[Callable[[npt.NDArray[Any]], npt.NDArray[Any]], float]:
    """From counts to standings, and how far two may be apart and still be a tie."""
    if isinstance(columns, SummedColumns):
        sums = columns
        # By the same function and sums as those of resamples.
        twice = 2.0 * sums.scores_of(sums.values.sum(axis=0)[np.newaxis])
        return lambda counts: sums.scores_of(product(counts, sums.values)) - twice, sums.room
    whole = columns.step is not None
    # The same shift of all systems shifts all standings alike, and keeps numbers small; what all
    # have in common on an example does not change a difference, and without it less is rounded.
    common = columns.values.min() if whole else columns.values.mean(axis=1, keepdims=True)
    values = columns.values - common
    twice = 2.0 * values.sum(axis=0)
    largest = 2.0 * columns.n * float(np.abs(values).max())
    if whole and largest < 2.0**24:
        # No sum is rounded in half the bits; and whole numbers are compared as narrow as they are.
        narrow, held = values.astype(np.float32), np.min_scalar_type(-int(largest))
        return lambda counts: (product(counts, narrow) - twice).astype(held), 0.0
    room = 0.0 if whole else TIE_TOLERANCE * columns.n * float(np.abs(values).mean())
    return lambda counts: product(counts, values) - twice, room


def _beyond(
    columns: AveragedColumns | SummedColumns, unseen: np.ndarray, *, keep_going: KeepGoing
) -> IntArray:
    """The ordered pairs `unseen` in extreme resamples that can have none, shape (k, 2)."""
    pairs = np.argwhere(unseen)
    if isinstance(columns, SummedColumns):
        within = np.zeros(len(pairs), dtype=np.bool_)
        for place, (i, j) in enumerate(pairs.tolist()):
            check_going(keep_going)
            statistics = SummedStatistics(
                a=columns.of(i),
                b=columns.of(j),
                score=columns.score,
                sign=columns.sign,
                scale=columns.room / TIE_TOLERANCE,
                farthest=np.inf,
            )
            within[place] = has_witness(statistics)
        return pairs[~within]
    values, n, start = np.ascontiguousarray(columns.values.T), columns.n, 0
    totals = values.sum(axis=1)
    room = 0.0 if columns.step is not None else TIE_TOLERANCE * float(np.abs(values).sum())
    # Of most pairs a few examples tell that one drawn again and again is extreme.
    while start < n and pairs.size:
        check_going(keep_going)
        ahead, behind = pairs.T
        few = slice(start, start + max(1, _IN_CACHE // ahead.size))
        farthest = n * (values[ahead, few] - values[behind, few]).max(axis=1)
        pairs, start = pairs[farthest < 2.0 * (totals[ahead] - totals[behind]) - room], few.stop
    return pairs


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairsOfOneDataset:
    """What is known of all pairs on one dataset.

    Entry (i, j) of the p-values, shape (m, m), is of "i is better than j", nan on the diagonal; the
    method is "mixed" where pairs differ. Pairs `out_of_reach`, shape (k, 2), say nothing about the
    evidence.
    """

    p_values: FloatArray
    method: str
    n_resamples: int | None = None
    shared: bool = False
    out_of_reach: IntArray = field(default_factory=lambda: np.empty((0, 2), dtype=np.intp))

    def __post_init__(self) -> None:
        np.fill_diagonal(self.p_values, np.nan)


def bootstrap_pairs(
    columns: AveragedColumns | SummedColumns,
    *,
    settings: Settings,
    rng: np.random.Generator,
    keep_going: KeepGoing,
    on_share: Callable[[float], None],
) -> PairsOfOneDataset:
    """The paired bootstrap of all pairs: exact of outcomes, else on shared resamples."""
    if settings.method == "auto" and isinstance(columns, AveragedColumns) and columns.binary:
        wins = wins_of(columns)
        p_values = outcomes_at_least(wins, wins.T, columns.n, keep_going=keep_going)
        return PairsOfOneDataset(
            p_values=p_values, method="exact", out_of_reach=np.argwhere(p_values == 0.0)
        )
    b = settings.n_resamples
    extreme = times_at_least_twice(columns, b, rng, keep_going=keep_going, on_share=on_share)
    p_values = ((extreme + 1.0) / (b + 1.0)).astype(np.float64)
    beyond = _beyond(columns, extreme == 0, keep_going=keep_going)
    return PairsOfOneDataset(
        p_values=p_values, method="monte-carlo", n_resamples=b, shared=True, out_of_reach=beyond
    )


def wins_of(columns: AveragedColumns) -> IntArray:
    """On how many examples the row is right and the column wrong, shape (m, m), of outcomes."""
    lowest, highest = float(columns.values.min()), float(columns.values.max())
    right = (columns.values - lowest) / max(highest - lowest, 1.0)
    return np.asarray(np.rint(product(right.T, 1.0 - right)), dtype=np.intp)
