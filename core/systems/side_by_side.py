"""What a test needs of all systems on one dataset, each in a column.

Vocabulary
----------
unit
    What a resample draws: an example, or a whole cluster of them.
whole numbers
    Scores as multiples of one step, so that sums of them are exact and ties
    stay ties.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..data.result_set import ResultSet
from ..metrics.registry import STATISTIC_METRICS, statistic_metric
from ..significance.differences import TIE_TOLERANCE, Clusters, Differences, paired_differences
from ..significance.summed_statistics import scale_of
from ..types import FloatArray

_LOOK = 64


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AveragedColumns:
    """Scores that are averaged, higher being better, a column a system, shape (n, m).

    They are whole numbers where there is a step, which is what one unit stands for; means are of
    scores.
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
    """Statistics that are added up before a score is made of them, higher being better.

    `values`, shape (n, m · s), have the statistics of the first system, then of the second, ...;
    the score takes sums of shape (..., s); two differences no farther apart than `room` are a tie.
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
    if paired_differences(few, np.zeros_like(few)).integers is not None:
        flat = scores.ravel()
        found = paired_differences(flat, np.zeros_like(flat))
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
        summed = np.column_stack([clusters.summed(column) for column in columns.values.T])
        return SummedColumns(
            values=summed,
            n_systems=columns.n_systems,
            score=columns.score,
            sign=columns.sign,
            scores=columns.scores,
            room=columns.room,
        )
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
