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
from ..significance.stopping import KeepGoing, check_going
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
    few = scores[:_LOOK, 0]
    if paired_differences(few, np.zeros(1)).integers is not None:
        flat = scores.ravel()
        found = paired_differences(flat, np.zeros(1))
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
    scores = columns.values.mean(axis=0)
    return SummedColumns(
        values=np.column_stack(parts),
        n_systems=columns.values.shape[1],
        score=STATISTIC_METRICS["ratio"].score,
        sign=1.0,
        scores=scores,
        room=TIE_TOLERANCE * float(np.abs(columns.values).max(initial=0.0)),
    )


def oriented_scores(
    result_set: ResultSet, dataset: str, systems: Sequence[str], metric: str
) -> FloatArray:
    """Scores that are averaged, shape (n, m), higher being better."""
    return np.column_stack(
        [np.asarray(result_set.oriented(dataset, system, metric)) for system in systems]
    )


# Units drawn at once: their indices and counts stay in a processor's cache.
_CHUNK_DRAWS = 1 << 16
# Resamples whose counts are multiplied at once: enough for BLAS, few enough for memory.
_MOST_ROWS = 256
_COUNTED_AT_ONCE = 1 << 21


def orders(standings: FloatArray, room: float) -> IntArray:
    """In how many of fewer than 65,536 resamples each system stands as high as each other, (m, m).

    A pair with an undefined score counts both ways. `room`: how far below another is still a tie.
    """
    held: npt.NDArray[Any] = np.ascontiguousarray(standings.T)
    lower = [(own < held).sum(axis=1, dtype=np.uint16) for own in held + room]
    counts: IntArray = held.shape[1] - np.array(lower, dtype=np.intp)
    return counts


def resample_counts(
    n: int, n_resamples: int, rng: np.random.Generator, *, keep_going: KeepGoing = None
) -> Iterator[FloatArray]:
    """Counts of bootstrap samples of n units, in parts of shape (rows, n) that sum to n a row.

    A part is overwritten by the next one.
    """
    rows = int(np.clip(_COUNTED_AT_ONCE // n, 1, _MOST_ROWS))
    drawn_rows = int(np.clip(_CHUNK_DRAWS // n, 1, rows))
    # Narrow indices are quicker to draw.
    narrow = np.uint16 if n <= 1 << 16 else np.uint32
    held = np.empty((min(rows, n_resamples), n))
    for start in range(0, n_resamples, rows):
        part = held[: min(rows, n_resamples - start)]
        for first in range(0, part.shape[0], drawn_rows):
            check_going(keep_going)
            own = part[first : first + drawn_rows]
            own[:] = drawn_counts(n, n, len(own), rng, kind=narrow)
        yield part


def times_at_least_twice(
    columns: AveragedColumns | SummedColumns,
    n_resamples: int,
    rng: np.random.Generator,
    *,
    keep_going: KeepGoing = None,
    on_share: Callable[[float], None] = lambda _: None,
) -> IntArray:
    """In how many resamples each ordered pair has δ* ≥ 2δ, shape (m, m).

    `on_share` is called with the share of the resamples done.
    """
    standings_of, room = _standings(columns)
    found: IntArray | int = 0
    done = 0
    for part in resample_counts(columns.values.shape[0], n_resamples, rng, keep_going=keep_going):
        found = found + orders(standings_of(part), room)
        done += part.shape[0]
        on_share(done / n_resamples)
    return np.asarray(found)


def _standings(
    columns: AveragedColumns | SummedColumns,
) -> tuple[Callable[[FloatArray], FloatArray], float]:
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
    room = 0.0 if whole else TIE_TOLERANCE * columns.n * float(np.abs(values).mean())
    return lambda counts: product(counts, values) - twice, room


def _beyond(
    columns: AveragedColumns | SummedColumns, unseen: np.ndarray, *, keep_going: KeepGoing
) -> IntArray:
    """The ordered pairs `unseen` in extreme resamples that can have none, shape (k, 2)."""
    if isinstance(columns, AveragedColumns):
        values, n = np.ascontiguousarray(columns.values.T), columns.n
        totals = values.sum(axis=1)
        room = 0.0 if columns.step is not None else TIE_TOLERANCE * float(np.abs(values).sum())

        def is_beyond(i: int, j: int) -> bool:
            farthest = n * float((values[i] - values[j]).max())
            return farthest < 2.0 * float(totals[i] - totals[j]) - room

    else:
        sums = columns

        def is_beyond(i: int, j: int) -> bool:
            statistics = SummedStatistics(
                a=sums.of(i),
                b=sums.of(j),
                score=sums.score,
                sign=sums.sign,
                scale=sums.room / TIE_TOLERANCE,
                farthest=np.inf,
            )
            return not has_witness(statistics)

    found: list[tuple[int, int]] = []
    for i, j in np.argwhere(unseen).tolist():
        check_going(keep_going)
        if is_beyond(i, j):
            found.append((i, j))
    return np.array(found, dtype=np.intp).reshape(-1, 2)


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
    unseen = extreme == 0
    beyond = _beyond(columns, unseen, keep_going=keep_going)
    return PairsOfOneDataset(
        p_values=p_values, method="monte-carlo", n_resamples=b, shared=True, out_of_reach=beyond
    )


def wins_of(columns: AveragedColumns) -> IntArray:
    """On how many examples the row is right and the column wrong, shape (m, m), of outcomes."""
    lowest, highest = float(columns.values.min()), float(columns.values.max())
    right = (columns.values - lowest) / max(highest - lowest, 1.0)
    return np.rint(product(right.T, 1.0 - right)).astype(np.intp)
