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

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from core.metrics.registry import MEAN
from core.reliability.subsample_units import unit_differences, unit_statistics
from core.significance.clusters import Clusters, clusters_of
from core.significance.differences import Differences
from core.significance.plan import ComparedSystems, PlannedTest, given_of, gold_for
from core.significance.result import TEST_ALTERNATIVES, Method, MethodUsed, TestAlternative
from core.significance.rows import RowPValues, method_of_rows, p_values_of_rows
from core.significance.shared_sums import UnitStatistics, bootstrapped_sums, few_kinds
from core.significance.single import run_significance_test
from core.significance.stopping import KeepGoing, check_going
from core.significance.streams import dataset_stream
from core.types import IntArray
from core.validation import check_choice

# Places of units held at once: 16 MiB.
_HELD = 1 << 21


def random_orders(n_units: int, n_orders: int, *, seed: int, dataset: str) -> Iterator[IntArray]:
    """Random orders of a dataset's units, in chunks of shape (orders, n_units).

    They depend on the seed, the dataset's name and its number of units alone;
    fewer are the first of more.
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
    """One dataset as it is subsampled.

    Attributes
    ----------
    dataset : str
        Its name.
    plan : PlannedTest
        Test, metric and clusters.
    a, b : ndarray
        What the test is given of the two systems.
    gold : ndarray or None
        The gold, where the metric is of it.
    clusters : Clusters or None
        Which cluster each example is in.
    differences : Differences or None
        Of the units, where p-values of many subsamples are computed at once;
        None where they are of sums or each subsample is tested on its own.
    statistics : UnitStatistics or None
        Of the units, where p-values of many bootstraps of sums are.
    members : tuple of ndarray
        The examples of each cluster; empty without clusters.
    """

    dataset: str
    plan: PlannedTest
    a: Any
    b: Any
    gold: Any
    clusters: Clusters | None
    differences: Differences | None
    statistics: UnitStatistics | None
    members: tuple[IntArray, ...]

    @property
    def n_examples(self) -> int:
        """Examples in the dataset."""
        return int(np.shape(self.a)[0])

    @property
    def n_units(self) -> int:
        """Examples, or clusters, in the dataset."""
        return self.n_examples if self.clusters is None else self.clusters.n_clusters

    @property
    def averaged(self) -> bool:
        """Whether the score is a mean over examples."""
        return self.plan.kind == MEAN

    @property
    def binary(self) -> bool:
        """Whether what is averaged is 0 or 1 on each example."""
        if self.plan.kind != MEAN:
            return False
        return all(
            bool(((own == 0) | (own == 1)).all()) for own in map(np.asarray, (self.a, self.b))
        )

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
        if self.statistics is not None:
            return "monte-carlo"
        if self.differences is None:
            return None
        return method_of_rows(self.differences, size, self.plan.test)

    def p_values(
        self,
        places: IntArray,
        *,
        alternative: TestAlternative,
        n_resamples: int,
        seed: int,
        keep_going: KeepGoing,
    ) -> RowPValues:
        """P-values of subsamples given by their units, shape (rows, size).

        Raises
        ------
        Stopped
            If `keep_going` says so.
        """
        check_choice(alternative, TEST_ALTERNATIVES, name="alternative")
        size = places.shape[1]
        stream = partial(resampling_stream, seed, self.dataset, self.plan.test, size)
        if self.statistics is not None:
            return self._of_sums(places, alternative, n_resamples, stream, keep_going)
        method = self.method_of(size)
        if self.differences is None or method is None:
            return self._one_by_one(
                places, alternative, n_resamples, stream, keep_going, method="auto"
            )
        return p_values_of_rows(
            self.differences,
            places,
            test=self.plan.test,
            method=method,
            alternative=alternative,
            n_resamples=n_resamples,
            stream=stream,
            keep_going=keep_going,
        )

    def _of_sums(
        self,
        places: IntArray,
        alternative: TestAlternative,
        n_resamples: int,
        stream: Callable[[], np.random.Generator],
        keep_going: KeepGoing,
    ) -> RowPValues:
        assert self.statistics is not None
        few = few_kinds(self.statistics.kinds(), places)
        if self.averaged and self.clusters is not None:
            # Clusters that happen to have one size are tested by their means.
            sizes = self.clusters.sizes[places]
            few |= (sizes == sizes[:, :1]).all(axis=1)
        p_values = np.empty(places.shape[0])
        out_of_reach = np.zeros(places.shape[0], dtype=np.bool_)
        if few.any():
            alone = self._one_by_one(
                places[few], alternative, n_resamples, stream, keep_going, method="monte-carlo"
            )
            p_values[few], out_of_reach[few] = alone.p_values, alone.out_of_reach
        if not few.all():
            p_values[~few], out_of_reach[~few] = bootstrapped_sums(
                self.statistics, places[~few], alternative, n_resamples, stream, keep_going
            )
        return RowPValues(p_values=p_values, out_of_reach=out_of_reach)

    def _one_by_one(
        self,
        places: IntArray,
        alternative: TestAlternative,
        n_resamples: int,
        stream: Callable[[], np.random.Generator],
        keep_going: KeepGoing,
        *,
        method: Method,
    ) -> RowPValues:
        p_values = np.full(places.shape[0], np.nan)
        out_of_reach = np.zeros(places.shape[0], dtype=np.bool_)
        for row, order in enumerate(places):
            check_going(keep_going)
            own = self.examples_of(order)
            try:
                result = run_significance_test(
                    self.a[own],
                    self.b[own],
                    test=self.plan.test,
                    metric=self.plan.kind,
                    alternative=alternative,
                    gold=None if self.gold is None else self.gold[own],
                    clusters=None if self.clusters is None else self.clusters.codes[own],
                    higher_is_better=self.plan.higher_is_better,
                    method=method,
                    n_resamples=n_resamples,
                    with_interval=False,
                    rng=stream(),
                    keep_going=keep_going,
                )
            except ValueError:
                # The whole dataset passed: on these examples a score is not defined.
                continue
            p_values[row] = result.p_value
            out_of_reach[row] = result.is_out_of_reach(alternative)
        return RowPValues(p_values=p_values, out_of_reach=out_of_reach)


def subsampled(
    result_set: ComparedSystems, dataset: str, plan: PlannedTest, *, a: str, b: str
) -> Subsampled:
    """One dataset, made ready to be subsampled."""
    first, second = (
        given_of(result_set, dataset, system, metric=plan.metric, kind=plan.kind)
        for system in (a, b)
    )
    clusters = None
    if plan.clusters is not None:
        clusters = clusters_of(plan.clusters, n_examples=int(np.shape(first)[0]))
    return Subsampled(
        dataset=dataset,
        plan=plan,
        a=first,
        b=second,
        gold=gold_for(result_set, dataset, plan.kind),
        clusters=clusters,
        differences=unit_differences(plan, first, second, clusters),
        statistics=unit_statistics(plan, first, second, clusters),
        members=() if clusters is None else _members(clusters),
    )


def _members(clusters: Clusters) -> tuple[IntArray, ...]:
    order = np.argsort(clusters.codes, kind="stable")
    return tuple(np.split(order, np.cumsum(clusters.sizes)[:-1]))
