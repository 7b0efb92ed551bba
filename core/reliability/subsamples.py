"""Random subsamples of a dataset, and the p-value of each.

Vocabulary
----------
unit
    What is drawn: an example, or a cluster of examples where the set has such.
order
    A random order of a dataset's units. Its first units are the subsamples of all
    sizes: within one order the larger contain the smaller.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..data.result_set import ResultSet
from ..metrics.per_example import other_than_binary, per_example_scores
from ..metrics.registry import MEAN, is_counted, statistic_metric
from ..significance.compare import ratios_of
from ..significance.differences import Clusters, Differences, clusters_of, turned_differences
from ..significance.known_tests import PairedBootstrap, Randomization, significance_test_named
from ..significance.plan import Given, PlannedTest, given_on
from ..significance.rows import (
    AskedOfRows,
    RowPValues,
    bootstrapped_sums,
    few_kinds,
    method_of_rows,
    p_values_of_rows,
)
from ..significance.settings import Method, MethodUsed, Settings, dataset_stream
from ..significance.stopping import check_going
from ..significance.summed_statistics import SummedStatistics, counted_statistics
from ..simulation.results import Interval, clopper_pearson
from ..types import BoolArray, FloatArray, IntArray
from ..validation import at_most, is_at_most

_BAND = (0.1, 0.9)

PointMethod = MethodUsed | Literal["one-by-one"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SubsamplePoint:
    """P-values of the subsamples of one size, which is a share of the dataset, in (0, 1].

    With clusters of several sizes `n_examples` is the median. `p_values` are nan where a subsample
    has no defined score; the whole dataset has one. `out_of_reach`: no resample can be as extreme
    as asked; such a subsample is not significant. By the `method` "one-by-one" each is of the test
    itself.
    """

    share: float
    n_units: int
    n_examples: int
    p_values: FloatArray
    out_of_reach: BoolArray
    method: PointMethod
    alpha: float

    @property
    def n_subsamples(self) -> int:
        """How many there are."""
        return int(self.p_values.size)

    @property
    def n_undefined(self) -> int:
        """How many have no defined score. They are not significant."""
        return int(np.count_nonzero(np.isnan(self.p_values)))

    @property
    def n_out_of_reach(self) -> int:
        """How many have a p-value that says nothing."""
        return int(np.count_nonzero(self.out_of_reach))

    @property
    def n_significant(self) -> int:
        """How many have p <= alpha."""
        counted = at_most(np.where(np.isnan(self.p_values), 1.0, self.p_values), self.alpha)
        return int(np.count_nonzero(counted & ~self.out_of_reach))

    @property
    def share_significant(self) -> float:
        """The share with p <= alpha; of the whole dataset 0 or 1."""
        return self.n_significant / self.n_subsamples

    @property
    def confidence_interval(self) -> Interval | None:
        """Clopper and Pearson's 95% interval of that share over all such subsamples, not about further data.

        None of the whole.
        """
        if self.share == 1.0:
            return None
        return clopper_pearson(self.n_significant, self.n_subsamples)

    @property
    def median(self) -> float:
        """Median of the p-values that are defined and in reach; nan without any."""
        return self._quantile(0.5)

    @property
    def band(self) -> Interval:
        """Their 10th and 90th percentile."""
        return self._quantile(_BAND[0]), self._quantile(_BAND[1])

    def _quantile(self, level: float) -> float:
        told = self.p_values[~(np.isnan(self.p_values) | self.out_of_reach)]
        return float(np.quantile(told, level)) if told.size else float("nan")


def shares_given_full(
    p_value: float, shares: list[float], *, alpha: float, two_sided: bool = False
) -> tuple[float, ...]:
    """What share of subsamples is significant if the whole has this p-value, by normal theory.

    Subsamples of a share s have about z_s = √s·z + √(1 − s)·e, z being the normal quantile of the
    whole's p-value and e a standard normal number.
    """
    from scipy.special import ndtr, ndtri

    smallest = float(np.finfo(np.float64).tiny)
    p = min(max(p_value, smallest), 1.0 - 1e-16)
    z = -float(ndtri(p / 2.0 if two_sided else p))
    edge = -float(ndtri(alpha / 2.0 if two_sided else alpha))
    found = []
    for share in shares:
        if share == 1.0:
            found.append(float(is_at_most(p_value, alpha)))
            continue
        centre, spread = np.sqrt(share) * z, np.sqrt(1.0 - share)
        other = float(ndtr((-edge - centre) / spread)) if two_sided else 0.0
        found.append(float(ndtr((centre - edge) / spread)) + other)
    return tuple(found)


def drawn_units(
    given: Given, test: str, clusters: Clusters | None
) -> Differences | SummedStatistics | None:
    """What subsamples are drawn from; None where each is given to the test as it is."""
    kernel = significance_test_named(test).kernel
    bootstraps, higher = isinstance(kernel, PairedBootstrap), given.higher_is_better
    a, b = given.first_two
    if given.kind == MEAN:
        scores = per_example_scores(a, b, metric="mean", gold=None)
        differences = turned_differences(*scores, higher_is_better=higher)
        if clusters is None:
            return differences
        summed = clusters.summed_differences(differences)
        # The mean of clusters of several sizes is a ratio; swaps leave its denominator as it is.
        return ratios_of(summed, clusters) if bootstraps and not clusters.of_one_size else summed
    if not is_counted(given.kind):
        return None
    statistics, _ = counted_statistics(
        statistic_metric(given.kind),
        *(own if clusters is None else clusters.summed(own) for own in (a, b)),
        higher_is_better=higher,
        unit="examples" if clusters is None else "clusters",
    )
    if bootstraps:
        return statistics
    # Swaps leave totals as they are where both systems have the same ones.
    same = bool((a[:, 1] == b[:, 1]).all() and (a[:, 1] > 0.0).all())
    if isinstance(kernel, Randomization) and statistics.shared is not None and same:
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

    def p_values(self, places: IntArray, asked: AskedOfRows) -> RowPValues:
        """P-values of subsamples given by their units, shape (rows, size)."""
        if isinstance(self.units, SummedStatistics):
            return self._of_sums(self.units, places, asked)
        method = self.method_of(places.shape[1])
        if self.units is None or method is None:
            return self._one_by_one(places, asked, method="auto")
        return p_values_of_rows(self.units, places, asked, test=self.test, method=method)

    def _of_sums(
        self, statistics: SummedStatistics, places: IntArray, asked: AskedOfRows
    ) -> RowPValues:
        few = few_kinds(statistics, places)
        if self.averaged and self.clusters is not None:
            # Clusters that happen to have one size are tested by their means.
            sizes = self.clusters.sizes[places]
            few |= (sizes == sizes[:, :1]).all(axis=1)
        p_values = np.empty(places.shape[0])
        out_of_reach = np.zeros(places.shape[0], dtype=np.bool_)
        metric = None if self.averaged else statistic_metric(self.given.kind)
        for some, found in (
            (few, self._one_by_one(places[few], asked, method="monte-carlo")),
            (~few, bootstrapped_sums(statistics, places[~few], asked, metric=metric)),
        ):
            p_values[some], out_of_reach[some] = found.p_values, found.out_of_reach
        return RowPValues(p_values=p_values, out_of_reach=out_of_reach)

    def _one_by_one(self, places: IntArray, asked: AskedOfRows, *, method: Method) -> RowPValues:
        p_values = np.full(places.shape[0], np.nan)
        out_of_reach = np.zeros(places.shape[0], dtype=np.bool_)
        settings = Settings(
            alternative=asked.alternative,
            method=method,
            n_resamples=asked.n_resamples,
            with_interval=False,
        )
        for row, order in enumerate(places):
            check_going(asked.keep_going)
            own = self.given.part(self.examples_of(order))
            try:
                result = own.tested(
                    self.test, settings, rng=asked.stream(), keep_going=asked.keep_going
                )
            except ValueError:
                # The whole dataset passed: on these examples a score is not defined.
                continue
            p_values[row] = result.p_value
            out_of_reach[row] = result.is_out_of_reach(asked.alternative)
        return RowPValues(p_values=p_values, out_of_reach=out_of_reach)


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
