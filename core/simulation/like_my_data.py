"""Studies like one's own, in which no dataset has a difference: A and B change places at random.

Each example counts by how much it speaks for A: what changes its sign when A and B
change places. Means have the difference of scores itself. Of a metric of sums it is the
score's difference in first order, by its slope where the two systems' sums are averaged,
which no change of places moves. So it is of correlations, whose standings change
places: ranks for Spearman's, standardised scores for Pearson's.

Vocabulary
----------
unit
    Examples that change places together: one example in all datasets that hold
    it, and where there are clusters all examples of a cluster.
flip
    A fair coin that makes A and B change places on a unit, in every dataset that
    holds it: shared examples keep their dependence.
contribution
    By how much a unit speaks for A on a dataset.
pattern
    A unit's contributions to all datasets; equal ones are drawn together.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from ..data.overlap.find import Overlap, find_overlap, units_as_known
from ..data.overlap.signs import MAX_MATRIX
from ..data.result_set import ResultSet
from ..metrics.per_example import LABEL_METRICS, label_statistics
from ..metrics.registry import (
    CORRELATIONS,
    MEAN,
    StatisticMetric,
    correlation_of,
    standing,
    statistic_metric,
)
from ..replicability.combinations import combinations_under
from ..signature import short_fingerprint
from ..significance.differences import Clusters, Differences, paired_differences
from ..significance.lattice import SignSum, upper_tails_of, whole_numbers
from ..significance.stopping import check_going, goes_on
from ..types import BoolArray, FloatArray, IntArray
from .scenarios import CHUNK_ENTRIES, Source


def _may_share_more(overlap: Overlap) -> bool:
    """Whether datasets may share examples beyond those known to be the same, which all are known."""
    return (
        not overlap.conclusive.all()
        or bool(overlap.translations or overlap.texts.first.size)
        # Not all of their texts are compared then.
        or overlap.n_datasets > MAX_MATRIX
    )


def _patterns_of(
    dataset: IntArray, unit: IntArray, value: IntArray
) -> tuple[list[tuple[tuple[int, int], ...]], IntArray]:
    """The different patterns of shared units, one with its opposite, and how many have each."""
    order = np.lexsort((dataset, unit))
    starts = np.flatnonzero(np.diff(unit[order], prepend=-1))
    pairs = list(zip(dataset[order].tolist(), value[order].tolist(), strict=True))
    numbers: dict[tuple[tuple[int, int], ...], int] = {}
    for start, stop in pairwise([*starts.tolist(), len(pairs)]):
        pattern = tuple(pairs[start:stop])
        if pattern[0][1] < 0:
            pattern = tuple((d, -v) for d, v in pattern)
        numbers[pattern] = numbers.get(pattern, 0) + 1
    return list(numbers), np.array(list(numbers.values()), dtype=np.intp)


# Its square is 0 in floats, so that it never changes a sum.
_STEP = 1e-162


class NoSlope(ValueError):
    """No example of a dataset adds to a score: a denominator of the metric is zero."""


def contributions(
    result_set: ResultSet, dataset: str, system_a: str, system_b: str, metric: str | None
) -> Differences:
    """By how much each example speaks for A; `NoSlope` where a denominator is zero."""
    kind = result_set.kind_of(metric)
    sign = 1.0 if result_set.is_higher_better(metric) else -1.0
    if kind == MEAN:
        return paired_differences(
            result_set.oriented(dataset, system_a, metric),
            result_set.oriented(dataset, system_b, metric),
        )
    if kind in CORRELATIONS:
        right, stands_a, stands_b = (
            stands / np.sqrt(float(stands @ stands) / stands.size)
            for stands in standings(result_set, dataset, system_a, system_b, metric)
        )
        # Exchanged, they keep gold's spread but not their own: that is the second part.
        middle = 0.5 * float(right @ (stands_a + stands_b)) / right.size
        values: FloatArray = right * (stands_a - stands_b)
        values -= 0.5 * middle * (stands_a**2 - stands_b**2)
        return _of_values(sign * values)
    if kind in LABEL_METRICS:
        given_a = result_set.predictions(dataset, system_a)
        given_b = result_set.predictions(dataset, system_b)
        # There is no such metric without them.
        assert given_a is not None
        assert given_b is not None
        known, a, b = label_statistics(given_a, given_b, result_set.gold(dataset), metric=kind)
    else:
        known = statistic_metric(kind)
        a, b = (result_set.scores(dataset, system, metric) for system in (system_a, system_b))
    middle = 0.5 * (a.sum(axis=0) + b.sum(axis=0))
    slope = _slope(known, middle)
    if not np.isfinite([known.score(middle), *slope]).all():
        raise NoSlope(
            f"The {known.name} of dataset '{dataset}' has no slope: a denominator is zero. Leave "
            "the dataset out, or take another metric."
        )
    differing = np.flatnonzero((a != b).any(axis=0))
    if differing.size == 1:
        # As where both have the same totals: then it is a multiple of one statistic's difference.
        one, slope_of_one = int(differing[0]), sign * float(slope[differing[0]])
        differences = paired_differences(a[:, one], b[:, one])
        if differences.integers is not None and slope_of_one != 0.0:
            assert differences.step is not None
            turn = 1 if slope_of_one > 0.0 else -1
            # One step for both, which what is found in the products alone need not be.
            return _of_values(
                slope_of_one * differences.values,
                turn * differences.integers,
                abs(slope_of_one) * differences.step,
            )
    return _of_values(sign * ((a - b) @ slope))


def _of_values(
    values: FloatArray, integers: IntArray | None = None, step: float | None = None
) -> Differences:
    mean = float(values.mean())
    return Differences(
        values=values, integers=integers, step=step, score_a=mean, score_b=0.0, mean=mean
    )


def standings(
    result_set: ResultSet, dataset: str, system_a: str, system_b: str, metric: str | None
) -> FloatArray:
    """Where gold and both systems' scores place each example, shape (3, n)."""
    kind = correlation_of(result_set.kind_of(metric))
    gold = np.asarray(result_set.gold(dataset), dtype=np.float64)
    given = [gold, *(result_set.scores(dataset, system, metric) for system in (system_a, system_b))]
    stands = [one for scores in given if (one := standing(scores, kind=kind)) is not None]
    if len(stands) < len(given):
        raise ValueError(
            f"The correlation on dataset '{dataset}' is not defined: gold or a system's scores "
            "are the same for every example. Leave the dataset out, or take another metric."
        )
    return np.stack(stands)


def _slope(metric: StatisticMetric, sums: FloatArray) -> FloatArray:
    # Imaginary steps, of which nothing is subtracted (Squire and Trapp, SIAM Review 1998); to both
    # sides, as penalties and denominators begin at some sums.
    steps: Any = 1j * _STEP * np.eye(sums.size)
    with np.errstate(divide="ignore", invalid="ignore"):
        rise = metric.score(sums + steps) - metric.score(sums - steps)
    slope: FloatArray = rise.imag / (2.0 * _STEP)
    return slope


# Coins thrown at once, 8 bytes each where they are added up.
_COINS = 1 << 20
# Coins of one stream: more are thrown for fewer studies at once.
_COINS_OF_A_CHUNK = 1 << 22


@dataclass(frozen=True, kw_only=True, eq=False)
class LikeMyData(Source):
    """The null hypothesis of randomization tests, on all datasets at once.

    Each p-value is P(sum under random signs >= its sum) by the dataset's own exact distribution, so
    that P(p <= t) <= t; with 0/1 outcomes McNemar's. `observed_p_values` are those of the data. A and
    B differ on `n_units` units of each dataset, and on `n_shared` in more than one; where they
    `may_share_more` without the file telling which, these are drawn as different ones. The sum
    `is_exact` where it is that of the differences themselves; else it is of differences rounded to
    steps, which is correlated with it by more than .999, or of a metric's slope.
    """

    n_units: IntArray
    n_shared: int
    may_share_more: bool
    is_exact: BoolArray
    observed_p_values: FloatArray


def _shared_sums(patterns: Any, times: IntArray, rng: np.random.Generator, n: int) -> IntArray:
    """Sums of the shared units' contributions under random signs, shape (N, n)."""
    n_datasets, n_patterns = patterns.shape
    sums = np.zeros((n_datasets, n), dtype=np.intp)
    step = max(1, _COINS // max(1, n_patterns))
    many = np.flatnonzero(times != 1)
    for start in range(0, n if n_patterns else 0, step):
        size = min(step, n - start)
        signs = np.empty((n_patterns, size))
        coins = np.unpackbits(
            np.frombuffer(rng.bytes(-(-n_patterns * size // 8)), dtype=np.uint8),
            count=n_patterns * size,
        )
        np.multiply(coins.reshape(n_patterns, size), 2.0, out=signs)
        signs -= 1.0
        if many.size:
            alike = times[many, np.newaxis]
            signs[many] = 2 * rng.binomial(alike, 0.5, size=(many.size, size)) - alike
        sums[:, start : start + size] = np.rint(patterns @ signs)
    return sums


def like_my_data(
    result_set: ResultSet,
    *,
    a: str,
    b: str,
    metric: str | None = None,
    without: Collection[str] = (),
    on_progress: Callable[[int, int], object] | None = None,
) -> LikeMyData:
    """Make a scenario like one's own data, in which every null hypothesis is true.

    Progress counts datasets, after a first pass over all of them, which counts as 0. Raises
    Stopped if `on_progress` says so: half a scenario is none.
    """
    from scipy import sparse

    datasets = tuple(name for name in result_set.datasets if name not in without)
    units, all_known = units_as_known(result_set, left_out=without)
    rows, columns, values, exact, differing = [], [], [], [], []
    for index, name in enumerate(datasets):
        check_going(lambda: goes_on(on_progress, 0, len(datasets)))
        held, place = np.unique(units.codes[index], return_inverse=True)
        together = Clusters(codes=place, n_clusters=held.size)
        sums = together.summed_differences(contributions(result_set, name, a, b, metric))
        rounded, are_whole = whole_numbers(sums.values, sums.integers)
        # Some are too small for a step of their own, and so for the sum.
        differing.append(held[sums.values != 0.0])
        speaks = rounded != 0
        rows.append(np.full(int(speaks.sum()), index))
        columns.append(held[speaks])
        values.append(rounded[speaks])
        exact.append(are_whole and sums.integers is not None)
    n_shared = int(np.count_nonzero(np.bincount(np.concatenate(differing)) > 1))
    # Where some are known to be shared no more is proved of those that are not.
    more = len(datasets) > 1 and not all_known
    if len(datasets) > 1 and all_known and not n_shared:
        more = _may_share_more(find_overlap(result_set, left_out=without))
    signature = (
        f"like {short_fingerprint(result_set.fingerprint)}: {a} and {b} "
        f"exchanged by {metric or result_set.metrics[0]}"
    )
    if len(datasets) < result_set.n_datasets:
        places = [str(i) for i, name in enumerate(result_set.datasets, 1) if name in without]
        # By their places in the file, as names may be long.
        signature += f", without {','.join(places)}"
    n_datasets = len(datasets)
    dataset, unit, value = map(np.concatenate, (rows, columns, values))
    n_holders = np.bincount(unit, minlength=1)
    shared = n_holders[unit] > 1
    # Of each dataset the chances that its own units' sum is at most 0, 1, ..., and tails of all.
    own, tails, observed = [], [], []
    # Datasets come one after the other.
    bounds = np.searchsorted(dataset, np.arange(n_datasets + 1))
    for start, stop in pairwise(bounds.tolist()):
        signed, alone = value[start:stop], ~shared[start:stop]
        points = SignSum(np.abs(signed)).points
        tails.append(upper_tails_of(points))
        picked = (int(signed.sum()) + int(np.abs(signed).sum())) // 2
        observed.append(float(tails[-1][picked]))
        if not alone.all():
            points = SignSum(np.abs(signed[alone])).points
        own.append(np.cumsum(points))
        check_going(lambda: goes_on(on_progress, len(own), n_datasets))
    patterns, times = _patterns_of(dataset[shared], unit[shared], value[shared])
    # A sparse table, shape (N, patterns); so many units, `times`, have each of them.
    table = sparse.csc_array(
        (
            np.array([v for pattern in patterns for _, v in pattern], dtype=np.float64),
            np.array([d for pattern in patterns for d, _ in pattern], dtype=np.int64),
            np.cumsum([0, *(len(pattern) for pattern in patterns)]),
        ),
        shape=(n_datasets, len(patterns)),
    ).tocsr()

    def draw(rng: np.random.Generator, n: int) -> FloatArray:
        p_values = np.empty((n, n_datasets))
        sums = _shared_sums(table, times, rng, n)
        for index, (chances, of_sum) in enumerate(zip(own, tails, strict=True)):
            # How many steps the units of this dataset alone add: by inversion, all at once.
            picked = np.zeros(n, dtype=np.intp)
            if chances.size > 1:
                picked = np.searchsorted(chances, rng.random(n), side="right")
                picked = np.minimum(picked, chances.size - 1)
            signed = 2 * picked - (chances.size - 1) + sums[index]
            p_values[:, index] = of_sum[(signed + of_sum.size - 1) // 2]
        return p_values

    return LikeMyData(
        signature=signature,
        truly_better=np.zeros(n_datasets, dtype=np.bool_),
        # All counts where it is known that no unit is shared.
        proved=combinations_under("not-known" if n_shared or more else "independent"),
        draw=draw,
        n_at_once=min(_COINS_OF_A_CHUNK // max(1, times.size), CHUNK_ENTRIES // n_datasets),
        n_units=np.array([one.size for one in differing]),
        n_shared=n_shared,
        may_share_more=more,
        is_exact=np.array(exact, dtype=np.bool_),
        observed_p_values=np.array(observed),
    )
