"""Two systems' statistics on each example or cluster, what their sums say, and how far resamples reach.

Vocabulary
----------
witness
    A resample that is as extreme as asked. Finding one proves that they exist;
    finding none among those tried is taken for a sign that there is none.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations, combinations_with_replacement, islice
from typing import Self

import numpy as np

from ..metrics.registry import STATISTIC_METRICS, StatisticMetric
from ..types import BoolArray, FloatArray, IntArray
from .differences import TIE_TOLERANCE, Differences, Unit, paired_differences
from .outcome import ALL_ZERO, Compared
from .resamples import CHUNK_DRAWS, COUNT_COST, DeltasOf, bootstrap_deltas, distinct_rows, product
from .settings import Asked


def scale_of(metric: StatisticMetric, scores: Iterable[float]) -> float:
    """The size beside which rounding of such scores is judged."""
    size = max(abs(score) for score in scores)
    # Ratios keep their digits however small they are; others are off by roundings of what may be.
    if metric.between or metric.smallest is None or metric.largest is None:
        return size
    return max(size, metric.largest - metric.smallest)


# Draws for an interval beside another test's p-value: about two seconds of them.
_MAX_INTERVAL_DRAWS = 1 << 27


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SummedStatistics:
    """Statistics of both systems, shape (n, s), and the score that their sums have.

    The score takes sums of shape (..., s); the sign is 1 where higher is better, else -1; no resample
    has a difference larger than `farthest`. Of ratios whose totals both systems share, `shared` are
    the differences of the numerators. The shift is added to every difference: a claim at a margin.
    `never_exact` says why its bootstrap is not, whatever the scores.
    """

    a: FloatArray
    b: FloatArray
    score: Callable[[FloatArray], FloatArray]
    sign: float
    scale: float
    farthest: float
    shared: Differences | None = None
    unit: Unit = "examples"
    shift: float = 0.0
    never_exact: str = ""

    @property
    def n(self) -> int:
        """Number of examples, or of clusters."""
        return int(self.a.shape[0])

    @property
    def room(self) -> float:
        """How far apart two differences may be and still be a tie."""
        return TIE_TOLERANCE * self.scale

    @property
    def delta(self) -> float:
        """The observed difference, by the same sums as those of resamples."""
        return float(self.deltas(self.a.sum(axis=0), self.b.sum(axis=0)))

    @property
    def alike(self) -> bool:
        """Whether the two systems have the same statistics on every example."""
        return bool((self.a == self.b).all())

    @property
    def constant(self) -> bool:
        """Whether all examples are the same, so that all resamples are."""
        return bool((self.a == self.a[0]).all() and (self.b == self.b[0]).all())

    def shifted(self, by: float) -> Self:
        """The same with a number added to every difference, which has no exact distribution."""
        return replace(self, shift=by, shared=None, farthest=np.inf)

    def deltas(self, sums_a: FloatArray, sums_b: FloatArray) -> FloatArray:
        """Differences of the scores of sums, shape (..., s) to (...), higher being better."""
        apart = self.sign * (self.score(sums_a) - self.score(sums_b))
        return apart + self.shift if self.shift else apart

    def drawn(self, asked: Asked) -> FloatArray:
        """Differences of bootstrap samples, shape (n_resamples,)."""
        width = self.a.shape[1]

        def deltas_from(rows: FloatArray) -> DeltasOf:
            def deltas_of(counts: FloatArray) -> FloatArray:
                sums = product(counts, rows)
                return self.deltas(sums[:, :width], sums[:, width:])

            return deltas_of

        return bootstrap_deltas(
            np.hstack([self.a, self.b]),
            deltas_from,
            size=asked.settings.resample_size or self.n,
            n_resamples=asked.settings.n_resamples,
            rng=asked.rng,
            keep_going=asked.keep_going,
        )

    def differing(self) -> BoolArray:
        """On which units the two systems differ, shape (n,): swapping equal statistics does nothing."""
        return np.asarray((self.a != self.b).any(axis=1))

    def swapping(self, *, everything: bool) -> tuple[IntArray, DeltasOf]:
        """How many units each column of swaps stands for, and from swaps to differences."""
        moved = (self.b - self.a)[self.differing()]
        numbers: IntArray = np.ones(moved.shape[0], dtype=np.intp)
        if not everything:
            first, counts = distinct_rows(moved, at_most=moved.shape[0] // COUNT_COST)
            if first is not None and counts is not None:
                moved, numbers = moved[first], counts
        sums_a, sums_b = self.a.sum(axis=0), self.b.sum(axis=0)

        def deltas_of(swapped: FloatArray) -> FloatArray:
            exchanged = product(swapped, moved[: swapped.shape[1]])
            return self.deltas(sums_a + exchanged, sums_b - exchanged)

        return numbers, deltas_of

    def takes_long(self, n_resamples: int) -> bool:
        """Whether so many resamples take longer than an interval is worth."""
        return self.n * n_resamples > _MAX_INTERVAL_DRAWS

    def jackknife(self) -> FloatArray:
        """The difference without each row, shape (n,)."""
        return self.deltas(self.a.sum(axis=0) - self.a, self.b.sum(axis=0) - self.b)

    def compared(self, score_a: float, score_b: float) -> Compared:
        """What is known before; A wins where exchanging an example lowers its lead."""
        moved = self.b - self.a
        exchanged = self.deltas(self.a.sum(axis=0) + moved, self.b.sum(axis=0) - moved)
        change = exchanged - self.delta
        # Where a score would be undefined nothing is known of the example.
        wins = int(np.count_nonzero(change < -self.room))
        losses = int(np.count_nonzero(change > self.room))
        return Compared(
            n_examples=self.n,
            score_a=score_a,
            score_b=score_b,
            difference=self.sign * (score_a - score_b) + 0.0,
            wins=wins,
            ties=self.n - wins - losses,
            losses=losses,
            alike=ALL_ZERO if self.alike else "",
        )


# Two systems' scores as they are drawn and exchanged.
Scored = Differences | SummedStatistics
_RATIO = STATISTIC_METRICS["ratio"]


def counted_statistics(
    metric: StatisticMetric,
    a: FloatArray,
    b: FloatArray,
    *,
    higher_is_better: bool,
    unit: Unit = "examples",
) -> tuple[SummedStatistics, tuple[float, float]]:
    """Two systems' statistics of n units, shape (n, s), and their scores as the metric has them."""
    scores = _scores(metric, a, b)
    sign = 1.0 if higher_is_better else -1.0
    shared = None
    if metric is _RATIO and bool((a[:, 1] == b[:, 1]).all()):
        turned = [sign * counted[:, 0] + 0.0 for counted in (a, b)]
        shared = replace(paired_differences(*turned), unit=unit)
    statistics = SummedStatistics(
        a=a,
        b=b,
        score=metric.score,
        sign=sign,
        scale=scale_of(metric, scores),
        farthest=_farthest(metric, a, b, ahead=sign * (scores[0] - scores[1]), sign=sign),
        shared=shared,
        unit=unit,
    )
    return statistics, (scores[0], scores[1])


def _scores(metric: StatisticMetric, a: FloatArray, b: FloatArray) -> tuple[float, float]:
    sums = np.stack([a.sum(axis=0), b.sum(axis=0)])
    # In two dimensions more, so that a score of one sum alone cannot pass for it.
    many = np.asarray(metric.score(np.stack([sums, sums, sums], axis=1)))
    if many.shape != (2, 3):
        raise ValueError(
            f"`metric` must turn sums of shape (..., {sums.shape[1]}) into scores of shape (...): "
            f"those of shape (2, 3, {sums.shape[1]}) into (2, 3); got {many.shape} from "
            f"'{metric.key}'."
        )
    score_a, score_b = (float(metric.score(own)) for own in sums)
    for name, score in (("a", score_a), ("b", score_b)):
        if not np.isfinite(score):
            why = (
                f"what its {metric.name} is divided by adds up to 0"
                if np.isnan(score)
                else f"its {metric.name} is infinite"
            )
            raise ValueError(f"`{name}` must have a defined score; {why}.")
    return score_a, score_b


def _farthest(
    metric: StatisticMetric, a: FloatArray, b: FloatArray, *, ahead: float, sign: float
) -> float:
    """A bound of the difference in the observed direction, reached where totals are shared."""
    # Something counted out of a total of 0 would have no ratio.
    out_of_none = any(bool((x[x[:, 1] == 0.0, 0] > 0.0).any()) for x in (a, b))
    if metric is _RATIO and bool((a[:, 1] == b[:, 1]).all()) and not out_of_none:
        own_a, own_b = sign * metric.score(a), sign * metric.score(b)
        return float(np.nanmax((own_a - own_b) * (1.0 if ahead > 0.0 else -1.0)))
    if metric.smallest is None or metric.largest is None:
        return np.inf
    return metric.largest - metric.smallest


# Up to so many rows every resample is tried: 6,435 of them.
ALL_TRIED_UP_TO = 8
# Of more rows, mixtures of any two among so many of those that speak most for the difference, in
# these proportions, and the first k of them for so many k.
_MIXED, _PARTS, _LEADING = 24, 8, 60


def has_witness(statistics: SummedStatistics, *, strict: bool = False) -> bool:
    """Whether a resample is found whose difference is at least twice the observed one."""
    delta, room = statistics.delta, statistics.room
    direction = 1.0 if delta > 0.0 else -1.0
    needed = 2.0 * abs(delta) + (room if strict else -room)
    for counts in _candidates(statistics, direction):
        deltas = direction * statistics.deltas(counts @ statistics.a, counts @ statistics.b)
        if bool((deltas > needed if strict else deltas >= needed).any()):
            return True
    return False


def _candidates(statistics: SummedStatistics, direction: float) -> Iterator[FloatArray]:
    """How often each row is drawn, an array of shape (n_candidates, n) at a time."""
    n = statistics.n
    if n <= ALL_TRIED_UP_TO:
        every = np.array(list(combinations_with_replacement(range(n), n)))
        yield (every[:, :, np.newaxis] == np.arange(n)).sum(axis=1).astype(np.float64)
        return
    mixtures = _mixtures(statistics, direction)
    # No more at a time than resamples are held at once.
    while some := list(islice(mixtures, max(1, min(_LEADING, CHUNK_DRAWS // n)))):
        counts = np.zeros((len(some), n))
        for own, (rows, times) in zip(counts, some, strict=True):
            own[rows] = times
        yield counts


def _mixtures(
    statistics: SummedStatistics, direction: float
) -> Iterator[tuple[IntArray, IntArray]]:
    """Rows that speak most for the difference, by their influence and by themselves; how often each."""
    n = statistics.n
    with np.errstate(invalid="ignore"):
        influence = direction * (statistics.delta - statistics.jackknife())
        alone = direction * statistics.deltas(statistics.a, statistics.b)
    sizes = np.unique(np.geomspace(1, n, num=min(n, _LEADING)).astype(np.intp))
    shares = np.unique(np.rint(np.linspace(0, n, _PARTS + 1)[1:-1])).astype(np.intp)
    for merit in (influence, alone):
        order = np.argsort(-np.nan_to_num(merit, nan=-np.inf), kind="stable")
        for k in sizes.tolist():
            yield order[:k], n // k + (np.arange(k) < n % k)
        for first, second in combinations(order[:_MIXED].tolist(), 2):
            for share in shares.tolist():
                yield np.array([first, second]), np.array([share, n - share])
