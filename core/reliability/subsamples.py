"""Random subsamples of a dataset's units, and the p-value of each.

Each is what `run_significance_test` gives on the subsample's own examples, by the method and from
the stream that are asked for, which begins anew each time. Differences are formed once, on the
whole dataset, so that whether two of them tie does not depend on what else was drawn.

The bootstrap draws its resamples once for all subsamples of a size and applies them
place by place: the sums of all subsamples are then one product of matrices
(Berg-Kirkpatrick et al. 2012, footnote 5). The subsamples share their noise: their
spread is hardly affected, their common level is off by what one run of so many
resamples is off.

Vocabulary
----------
unit
    What is drawn: an example, or a cluster of examples where the set has such.
order
    A random order of a dataset's units. Its first units are the subsamples of all
    sizes: within one order the larger contain the smaller.
places
    The units of subsamples of one size, shape (rows, size).
"""

import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from ..data.result_set import ResultSet
from ..metrics.per_example import other_than_binary, per_example_scores
from ..metrics.registry import MEAN, StatisticMetric, is_counted, statistic_metric
from ..significance.compare import ratios_of
from ..significance.counting import SIGN
from ..significance.differences import (
    TIE_TOLERANCE,
    Clusters,
    Differences,
    clusters_of,
    turned_differences,
)
from ..significance.known_tests import significance_test_named
from ..significance.lattice import MAX_BINS, Integers, Terms, half_window, tails_of
from ..significance.paired_tests import signed_ranks, student, swapped
from ..significance.plan import Given, PlannedTest, given_on
from ..significance.resamples import (
    CHUNK_DRAWS,
    COUNT_COST,
    DRAWN_INDICES,
    drawn_counts,
    product,
    row_codes,
)
from ..significance.settings import (
    TEST_ALTERNATIVES,
    Asked,
    MethodUsed,
    TestAlternative,
    dataset_stream,
)
from ..significance.stopping import check_going
from ..significance.summed_statistics import (
    SummedStatistics,
    counted_statistics,
    has_witness,
    scale_of,
)
from ..types import BoolArray, FloatArray, IntArray

# A convolution for each subsample: above, a hundred of them take longer than all else together,
# and around the usual levels the normal approximation is off by less than .002.
WILCOXON_EXACT_UP_TO = 50
# Exact distributions take longer than resamples where nearly all of their chance lies on more
# bins than so many, or on so many by distinct values.
_LONGEST_WINDOW, _LARGEST_TABLE = 1 << 16, 1 << 20
# Swaps of one subsample at a time are quicker where bins by distinct sizes are more than so many
# for each of its units.
_SWAPS_TABLE = 1 << 9
# Subsamples swapped at once: their tables of sums take 16 MiB.
_SWAPPED = 16
# Sums of resamples held at once: 16 MiB.
_SUMS_HELD = 1 << 21


class RowPValues(NamedTuple):
    """P-values of subsamples, nan without a score; and where no resample is extreme."""

    p_values: FloatArray
    out_of_reach: BoolArray


def drawn_units(
    given: Given, test: str, clusters: Clusters | None
) -> Differences | SummedStatistics | None:
    """What subsamples are drawn from; None where each is given to the test as it is."""
    known, higher = significance_test_named(test), given.higher_is_better
    a, b = given.first_two
    if given.kind == MEAN:
        scores = per_example_scores(a, b, metric="mean", gold=None)
        differences = turned_differences(*scores, higher_is_better=higher)
        if clusters is None:
            return differences
        summed = clusters.summed_differences(differences)
        # The mean of clusters of several sizes is a ratio; swaps leave its denominator as it is.
        return (
            ratios_of(summed, clusters) if known.bootstraps and not clusters.of_one_size else summed
        )
    if not is_counted(given.kind):
        return None
    statistics, _ = counted_statistics(
        statistic_metric(given.kind),
        *(own if clusters is None else clusters.summed(own) for own in (a, b)),
        higher_is_better=higher,
        unit="examples" if clusters is None else "clusters",
    )
    if known.bootstraps:
        return statistics
    # Swaps leave totals as they are where both systems have the same ones.
    same = bool((a[:, 1] == b[:, 1]).all() and (a[:, 1] > 0.0).all())
    if known.exchanges and statistics.shared is not None and same:
        return statistics.shared
    return None


# Places of units held at once: 16 MiB.
_HELD = 1 << 21


def random_orders(n_units: int, n_orders: int, *, seed: int, dataset: str) -> Iterator[IntArray]:
    """Random orders of a dataset's units, in chunks of shape (orders, n_units).

    Fewer are the first of more.
    """
    rng = dataset_stream(seed, dataset, "subsamples")
    held = max(1, _HELD // n_units)
    kind = np.int32 if n_units < 2**31 else np.int64
    for start in range(0, n_orders, held):
        rows = np.tile(np.arange(n_units, dtype=kind), (min(held, n_orders - start), 1))
        yield rng.permuted(rows, axis=1, out=rows).astype(np.intp)


def resampling_stream(seed: int, dataset: str, test: str, n_units: int) -> np.random.Generator:
    """The stream of the resamples that all subsamples of a size share."""
    return dataset_stream(seed, dataset, f"{test}|subsamples of {n_units}")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Subsampled:
    """One dataset as it is subsampled; `units` are None where each subsample is tested on its own."""

    given: Given
    test: str
    clusters: Clusters | None
    units: Differences | SummedStatistics | None
    members: tuple[IntArray, ...]

    @property
    def n_examples(self) -> int:
        """Examples in the dataset."""
        return int(np.shape(self.given.first_two[0])[0])

    @property
    def n_units(self) -> int:
        """Examples, or clusters, in the dataset."""
        return self.n_examples if self.clusters is None else self.clusters.n_clusters

    @property
    def averaged(self) -> bool:
        """Whether the score is a mean over examples."""
        return self.given.kind == MEAN

    @property
    def binary(self) -> bool:
        """Whether what is averaged is 0 or 1 on each example."""
        return self.averaged and not any(map(other_than_binary, self.given.first_two))

    def n_examples_of(self, places: IntArray) -> IntArray:
        """How many examples each subsample has, shape (rows,)."""
        if self.clusters is None:
            return np.full(places.shape[0], places.shape[1], dtype=np.intp)
        sizes: IntArray = self.clusters.sizes[places].sum(axis=1)
        return sizes

    def examples_of(self, order: IntArray) -> IntArray:
        """The examples of the units of one subsample."""
        if self.clusters is None:
            return order
        return np.concatenate([self.members[unit] for unit in order.tolist()])

    def method_of(self, size: int) -> MethodUsed | None:
        """How p-values of so many units are computed; None: as each test does on its own."""
        if isinstance(self.units, SummedStatistics):
            return "monte-carlo"
        return None if self.units is None else method_of_rows(self.units, size, self.test)

    @property
    def standard_deviation(self) -> float | None:
        """Of the differences, n − 1 below; None where scores are not averaged, or of one example."""
        units = self.units if self.averaged and isinstance(self.units, Differences) else None
        if units is None or self.clusters is not None or units.n < 2:
            return None
        return float(units.values.std(ddof=1))

    def p_values(self, places: IntArray, asked: Asked) -> RowPValues:
        """P-values of subsamples given by their units, by the method that is asked for."""
        units = self.units
        if units is None or self.method_of(places.shape[1]) is None:
            return self._one_by_one(places, asked)
        if isinstance(units, Differences):
            return p_values_of_rows(units, places, asked, test=self.test)
        few = _few_kinds(units, places)
        if self.averaged and self.clusters is not None:
            # Clusters that happen to have one size are tested by their means.
            sizes = self.clusters.sizes[places]
            few |= (sizes == sizes[:, :1]).all(axis=1)
        metric = None if self.averaged else statistic_metric(self.given.kind)
        found = RowPValues(np.empty(few.size), np.zeros(few.size, dtype=np.bool_))
        for some, own in (
            (few, self._one_by_one(places[few], asked)),
            (~few, _bootstrapped_sums(units, places[~few], asked, metric)),
        ):
            found.p_values[some], found.out_of_reach[some] = own
        return found

    def _one_by_one(self, places: IntArray, asked: Asked) -> RowPValues:
        p_values = np.full(places.shape[0], np.nan)
        out_of_reach = np.zeros(places.shape[0], dtype=np.bool_)
        for row, order in enumerate(places):
            check_going(asked.keep_going)
            own = self.given.part(self.examples_of(order))
            try:
                result = own.tested(
                    self.test, asked.settings, rng=_stream(asked), keep_going=asked.keep_going
                )
            except ValueError:
                # The whole dataset passed: on these examples a score is not defined.
                continue
            p_values[row] = result.p_value
            out_of_reach[row] = result.is_out_of_reach(result.alternative)
        return RowPValues(p_values, out_of_reach)


def subsampled(
    result_set: ResultSet, dataset: str, plan: PlannedTest, *, a: str, b: str
) -> Subsampled:
    """One dataset, made ready to be subsampled."""
    clusters, codes = None, None
    members: tuple[IntArray, ...] = ()
    if plan.clusters is not None:
        clusters = clusters_of(plan.clusters, n_examples=result_set.n_examples(dataset))
        codes = clusters.codes
        order = np.argsort(codes, kind="stable")
        members = tuple(np.split(order, np.cumsum(clusters.sizes)[:-1]))
    given = given_on(result_set, dataset, (a, b), plan.metric, clusters=codes)
    return Subsampled(
        given=given,
        test=plan.test,
        clusters=clusters,
        units=drawn_units(given, plan.test, clusters),
        members=members,
    )


def method_of_rows(differences: Differences, size: int, test: str) -> MethodUsed | None:
    """How p-values of subsamples of so many units are computed; None where each is tested alone."""
    known, whole = significance_test_named(test), differences.integers
    if known.counting is not None:
        return known.counting.method
    if known.of_scores is student:
        return "student"
    if known.of_scores is signed_ranks:
        one_size = np.unique(np.abs(differences.values[differences.values != 0.0])).size <= 1
        return "exact" if one_size or size <= WILCOXON_EXACT_UP_TO else "normal"
    if known.exchanges:
        return _of_lattice(None if whole is None else np.abs(whole[whole != 0]), size, least=0)
    if known.bootstraps:
        return _of_lattice(whole, size)
    return None


def _of_lattice(whole: Integers | None, size: int, *, least: int | None = None) -> MethodUsed:
    """Whether the sum of so many whole numbers, the least one given or theirs, is soon counted."""
    if whole is None:
        return "monte-carlo"
    values = np.unique(whole)
    if values.size == 0:
        return "exact"
    breadth = float(values[-1] - (values[0] if least is None else least))
    width = _window(breadth, size)
    soon = width <= _LONGEST_WINDOW and width * values.size <= _LARGEST_TABLE
    return "exact" if soon and size * breadth + 1.0 <= MAX_BINS else "monte-carlo"


def _soon(whole: Integers, size: int) -> bool:
    """Whether swaps of all subsamples at once are quicker than of one at a time."""
    sizes = np.unique(np.abs(whole))
    return bool(sizes.size * _window(float(sizes[-1]), size) <= _SWAPS_TABLE * size)


def _window(breadth: float, size: int) -> float:
    """On how many bins nearly all chance of a sum of so many terms of this breadth lies."""
    return min(2.0 * half_window(breadth, 0.25 * size * breadth**2), size * breadth + 1.0)


def _stream(asked: Asked) -> np.random.Generator:
    """The stream of resamples from its beginning, as all subsamples of a size share it."""
    return copy.deepcopy(asked.rng)


def p_values_of_rows(
    differences: Differences, places: IntArray, asked: Asked, *, test: str
) -> RowPValues:
    """P-values of subsamples of a dataset's units."""
    known, alternative = significance_test_named(test), asked.settings.alternative
    counting, exchanges, bootstraps = known.counting, known.exchanges, known.bootstraps
    check_going(asked.keep_going)
    drawn = asked.settings.method == "monte-carlo"
    whole = differences.integers if asked.settings.method == "exact" else None
    if exchanges and whole is not None and np.abs(whole).max() <= 1:
        # Fair signs of differences of one size are those of the sign test.
        counting = SIGN
    if counting is not None:
        signs = np.sign(differences.values).astype(np.int8)[places]
        wins, losses = (np.count_nonzero(signs == sign, axis=1) for sign in (1, -1))
        p_values = counting.p_of_counts(wins, losses, alternative=alternative)
    elif exchanges and whole is not None and _soon(whole, places.shape[1]):
        p_values = _of_swaps(whole, places, asked)
    elif exchanges and drawn and not differences.ties:
        p_values = _of_random_swaps(differences, places, asked)
    elif bootstraps and drawn:
        p_values = _bootstrapped_means(differences, places, asked, test)
    elif bootstraps and whole is not None and alternative != "two-sided":
        p_values = _of_draws(whole if alternative == "greater" else -whole, places, asked)
    else:
        p_values = _by_row(differences, places, asked, test)
    if not bootstraps:
        return RowPValues(p_values, np.zeros(p_values.size, dtype=np.bool_))
    beyond = _out_of_reach(differences, places, alternative)
    return RowPValues(p_values, beyond | (p_values == 0.0))


def _of_swaps(whole: Integers, places: IntArray, asked: Asked) -> FloatArray:
    """Chances that fair signs give sums as extreme as those of subsamples."""
    sizes, counts = _counted(np.abs(whole), places)
    rows = whole[places]
    won, lost = np.maximum(rows, 0).sum(axis=1), np.maximum(-rows, 0).sum(axis=1)
    picks = Terms.of_picks(sizes, counts)
    tails, points = tails_of(picks, np.maximum(won, lost), keep_going=asked.keep_going)
    if asked.settings.alternative == "two-sided":
        return np.minimum(2.0 * tails, 1.0)
    leads = won >= lost if asked.settings.alternative == "greater" else lost >= won
    return np.where(leads, tails, np.minimum(1.0 - tails + points, 1.0))


def _of_random_swaps(differences: Differences, places: IntArray, asked: Asked) -> FloatArray:
    """The same of random signs, which all subsamples share as no difference is 0."""
    p_values = np.empty(places.shape[0])
    side = TEST_ALTERNATIVES.index(asked.settings.alternative)
    for start in range(0, places.shape[0], _SWAPPED):
        part = slice(start, start + _SWAPPED)
        columns = differences.values[places[part].T]
        extreme = swapped(columns, asked.settings.n_resamples, _stream(asked), asked.keep_going)[
            side
        ]
        p_values[part] = (np.count_nonzero(extreme, axis=0) + 1) / (asked.settings.n_resamples + 1)
    return p_values


def _of_draws(whole: Integers, places: IntArray, asked: Asked) -> FloatArray:
    """Chances that resamples of subsamples have at least twice their sums."""
    p_values = np.empty(places.shape[0])
    leads = whole[places].sum(axis=1) >= 0
    for side, sign in ((leads, 1), (~leads, -1)):
        values, counts = _counted(sign * whole, places[side])
        twice = 2 * counts @ values
        drawn = Terms.of_draws(values, counts)
        tails, points = tails_of(drawn, twice, keep_going=asked.keep_going)
        p_values[side] = tails if sign == 1 else np.minimum(1.0 - tails + points, 1.0)
    return p_values


def _counted(whole: Integers, places: IntArray) -> tuple[Integers, IntArray]:
    values, codes = np.unique(whole, return_inverse=True)
    rows = codes.astype(np.int32)[places] + values.size * np.arange(places.shape[0])[:, np.newaxis]
    counts = np.bincount(rows.ravel(), minlength=places.shape[0] * values.size)
    return values, counts.reshape(-1, values.size)


def _by_row(differences: Differences, places: IntArray, asked: Asked, test: str) -> FloatArray:
    known, drawn = significance_test_named(test), asked.settings.method == "monte-carlo"
    p_values = np.empty(places.shape[0])
    for row, own in enumerate(places):
        check_going(asked.keep_going)
        # What is computed without resamples draws nothing.
        one = replace(asked, rng=_stream(asked)) if drawn else asked
        outcome = known.of_scores(differences.part(own), one)
        p_values[row] = outcome.p_values.of(asked.settings.alternative)
    return p_values


def _out_of_reach(
    differences: Differences, places: IntArray, alternative: TestAlternative
) -> BoolArray:
    rows = differences.values[places]
    means = rows.mean(axis=1)
    room = TIE_TOLERANCE * np.abs(rows).mean(axis=1)
    ahead = (means > room) & (rows.max(axis=1) - 2.0 * means < -room)
    behind = (means < -room) & (2.0 * means - rows.min(axis=1) < -room)
    if alternative == "two-sided":
        return np.asarray(ahead | behind)
    return np.asarray(ahead if alternative == "greater" else behind)


def _bootstrapped_means(
    differences: Differences, places: IntArray, asked: Asked, test: str
) -> FloatArray:
    size, whole = places.shape[1], differences.integers
    values = differences.values if whole is None else whole.astype(np.float64)
    # Of few distinct values the test draws how often each comes, so that nothing can be shared.
    ordered = np.sort(values[places], axis=1)
    few = 1 + np.count_nonzero(np.diff(ordered, axis=1), axis=1) < size / COUNT_COST
    p_values = np.empty(places.shape[0])
    p_values[few] = _by_row(differences, places[few], asked, test)
    # A tie is a tie; whole numbers add up without rounding.
    sizes = np.abs(values[places[~few]]).sum(axis=1) * (whole is None)
    p_values[~few], _, _ = _shared_resamples(
        values[:, np.newaxis],
        places[~few],
        asked,
        deltas_of=lambda sums: sums[..., 0],
        room=TIE_TOLERANCE * sizes,
        narrow=True,
    )
    return p_values


def _few_kinds(statistics: SummedStatistics, places: IntArray) -> BoolArray:
    """Of each subsample whether the test draws how often each distinct row comes."""
    kinds = row_codes(np.hstack([statistics.a, statistics.b]), at_most=statistics.n)
    assert kinds is not None
    there = np.zeros((places.shape[0], int(kinds.max()) + 1), dtype=np.bool_)
    np.put_along_axis(there, kinds[places], True, axis=1)
    few: BoolArray = np.count_nonzero(there, axis=1) <= places.shape[1] // COUNT_COST
    return few


def _bootstrapped_sums(
    statistics: SummedStatistics, places: IntArray, asked: Asked, metric: StatisticMetric | None
) -> RowPValues:
    """P-values (s + 1)/(b + 1) of subsamples; roundings are judged by the metric, or the whole."""
    width = statistics.a.shape[1]
    scores = [statistics.score(own[places].sum(axis=1)) for own in (statistics.a, statistics.b)]
    pairs = zip(*scores, strict=True)
    scales = [statistics.scale if metric is None else scale_of(metric, pair) for pair in pairs]
    room = TIE_TOLERANCE * np.array(scales)
    p_values, delta, ahead = _shared_resamples(
        np.hstack([statistics.a, statistics.b]),
        places,
        asked,
        deltas_of=lambda sums: statistics.deltas(sums[..., :width], sums[..., width:]),
        room=room,
    )
    defined = np.isfinite(scores).all(axis=0)
    sides = {"greater": delta > room, "less": delta < -room, "two-sided": np.abs(delta) > room}
    doubtful = defined & sides[asked.settings.alternative] & (ahead == 0)
    doubtful &= ~_reached_alone(statistics, places, delta, room)
    out_of_reach = np.zeros(places.shape[0], dtype=np.bool_)
    for row in np.flatnonzero(doubtful).tolist():
        check_going(asked.keep_going)
        own = places[row]
        part = replace(
            statistics, a=statistics.a[own], b=statistics.b[own], scale=scales[row], shared=None
        )
        out_of_reach[row] = not has_witness(part)
    return RowPValues(p_values=np.where(defined, p_values, np.nan), out_of_reach=out_of_reach)


def _reached_alone(
    statistics: SummedStatistics, places: IntArray, delta: FloatArray, room: FloatArray
) -> BoolArray:
    """Whether one unit, drawn again and again, has twice the observed difference."""
    with np.errstate(divide="ignore", invalid="ignore"):
        alone = statistics.deltas(statistics.a, statistics.b)
    high = np.where(np.isfinite(alone), alone, -np.inf)[places].max(axis=1)
    low = np.where(np.isfinite(alone), alone, np.inf)[places].min(axis=1)
    reached: BoolArray = np.where(delta > 0.0, high >= 2 * delta - room, low <= 2 * delta + room)
    return reached


def _shared_resamples(
    rows: FloatArray,
    places: IntArray,
    asked: Asked,
    *,
    deltas_of: Callable[[FloatArray], FloatArray],
    room: FloatArray,
    narrow: bool = False,
) -> tuple[FloatArray, FloatArray, IntArray]:
    """P-values, observed differences, and in how many resamples twice of them is reached.

    `rows`, shape (n_units, c), are what is known of each unit; `narrow` as draws of means are.
    """
    n_rows, size = places.shape
    width = rows.shape[1]
    delta = deltas_of(rows[places].sum(axis=1))
    extreme, ahead = np.zeros((2, n_rows), dtype=np.int64)
    at_once = max(1, _SUMS_HELD // (width * size))
    for left in range(0, n_rows, at_once):
        part = slice(left, left + at_once)
        columns = rows[places[part]].transpose(1, 0, 2).reshape(size, -1)
        for counts in _draw_counts(size, asked, narrow=narrow):
            sums = product(counts, columns).reshape(counts.shape[0], -1, width)
            drawn = deltas_of(sums)
            unknown = np.isnan(drawn)
            far, reached = _far(drawn, delta[part], room[part], asked.settings.alternative)
            # What has no score counts against the evidence, and shows no reach.
            extreme[part] += np.count_nonzero(far | unknown, axis=0)
            ahead[part] += np.count_nonzero(reached & ~unknown, axis=0)
    return (extreme + 1) / (asked.settings.n_resamples + 1), delta, ahead


def _draw_counts(size: int, asked: Asked, *, narrow: bool) -> Iterator[FloatArray]:
    """How often each place is in each resample, in chunks of shape (resamples, size)."""
    rng, n_resamples = _stream(asked), asked.settings.n_resamples
    kind: type[np.integer[Any]] = np.int64
    most, piece = CHUNK_DRAWS, size
    if narrow:
        kind = np.uint16 if size <= 1 << 16 else np.uint32
        most = piece = DRAWN_INDICES
    held = max(1, most // size)
    for start in range(0, n_resamples, held):
        part = min(held, n_resamples - start)
        counts = np.zeros((part, size))
        for first in range(0, size, piece):
            check_going(asked.keep_going)
            counts += drawn_counts(size, min(piece, size - first), part, rng, kind=kind)
        yield counts


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
