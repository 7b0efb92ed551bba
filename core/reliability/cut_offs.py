"""What p-values along a covariate come to: those of the parts of a dataset that lie on either side of cut-offs, for any order of it.

Vocabulary
----------
order
    An arrangement of the examples along the covariate: its own, or a random one.
sides
    The examples with at most a cut-off and those with at least it: so many first
    and so many last ones of an order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ..shown import DataFrame, frame_of, stacked
from ..signature import listed, signature_line
from ..significance.counting import CountingTest
from ..significance.differences import TIE_TOLERANCE, Differences, Unit
from ..significance.known_tests import significance_test_named
from ..significance.lattice import lattice_of
from ..significance.significance_test import OfMoments
from ..types import FloatArray, IntArray
from ..validation import HeldAgainst, at_most, is_at_most

# One squared deviation of the size usual among all examples stands beside a side's own.
_BORROWED = 1.0


def rate_columns(sums: FloatArray, sizes: FloatArray) -> tuple[FloatArray, ...]:
    """What units add up to, for the rate Σsums/Σsizes of any set of them and its variance."""
    return sums, sizes, sums**2, sums * sizes, sizes**2


def squared_residuals(
    rate: FloatArray, squares: FloatArray, crossed: FloatArray, squared_sizes: FloatArray
) -> FloatArray:
    """Σe², with e a unit's sum less its size times the rate, from sums of `rate_columns`.

    Of k units the rate's variance is Σe² · k/(k − 1)/size²; with one more square beside them,
    so that few units that happen to be alike are not endlessly far from the rest, k − 1
    becomes k.
    """
    return np.maximum(0.0, squares - 2.0 * rate * crossed + rate**2 * squared_sizes)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CutOffTest:
    """A test of all parts, which needs sums only, for the differences in a given order.

    `sizes`, shape (n,): examples in each cluster, or how much each example counts in a metric of
    sums; differences of a part are sums over sums of these. `n_at_most` and `n_at_least`, shape
    (n_cut_offs,): examples on either side.
    """

    differences: Differences
    sizes: FloatArray
    test: str
    n_at_most: IntArray
    n_at_least: IntArray

    @property
    def exact(self) -> FloatArray:
        """Differences as whole numbers where there is a step."""
        whole = self.differences.integers
        return self.differences.values if whole is None else whole.astype(np.float64)

    def sums(self, rows: FloatArray) -> FloatArray:
        """Sums of either side, shape (..., 2, n_cut_offs), for rows of shape (..., n) in order."""
        n = rows.shape[-1]
        before = np.zeros((*rows.shape[:-1], n + 1))
        np.cumsum(rows, axis=-1, out=before[..., 1:])
        at_least = before[..., -1:] - before[..., n - self.n_at_least]
        return np.stack([before[..., self.n_at_most], at_least], axis=-2)

    def p_values(self, orders: IntArray) -> FloatArray:
        """P-values of "A is better" on either side, shape (k, 2, n_cut_offs), for orders of shape (k, n).

        p is 1 where there is no example.
        """
        kernel, rows = significance_test_named(self.test).kernel, self.exact[orders]
        if isinstance(kernel, OfMoments):
            n = np.stack([self.n_at_most, self.n_at_least]).astype(np.float64)
            lattice = lattice_of(self.differences.integers)
            return kernel.p_of_moments(n, self.sums(rows), self.sums(rows**2), lattice)
        assert isinstance(kernel, CountingTest)
        wins, losses = (self.sums(one.astype(np.float64)) for one in (rows > 0.0, rows < 0.0))
        return kernel.p_of_counts(wins, losses, alternative="greater")

    def contrasts(self, orders: IntArray) -> FloatArray:
        """How far apart the two sides' differences are, in standard errors.

        Of the examples with at most a cut-off against all others, so that the
        two have none in common; 0 where one has none. A side's difference is the
        sum of its differences over the sum of its sizes, so that a side of larger
        units is not further ahead for its size. Each side has its own variance,
        as in Welch's t, so that differences that merely spread more on one side do
        not count as differing in the mean; beside a side's own squares stands one
        of all examples', so that few examples that happen to be alike are not
        endlessly far from the rest. Shape (k, n_cut_offs).
        """
        exact, sizes = self.exact, self.sizes
        centred = exact - exact.sum() / sizes.sum() * sizes
        largest = float(np.abs(exact).max())
        if not bool((np.abs(centred) > TIE_TOLERANCE * largest).any()):
            return np.zeros((orders.shape[0], self.n_at_most.size))
        # A mean square of 1 beside the n - 1 that are free, as of a variance.
        centred = centred / np.sqrt(float(centred @ centred) / max(1, exact.size - 1))
        columns = rate_columns(centred, sizes)
        below = [self.sums(column[orders])[:, 0] for column in columns]
        above = [column.sum() - part for column, part in zip(columns, below, strict=True)]
        apart = np.zeros_like(below[0])
        variance = np.zeros_like(apart)
        inside = np.ones(apart.shape, dtype=np.bool_)
        for sign, (sums, size, squares, crossed, squared_sizes) in ((1.0, below), (-1.0, above)):
            inside &= size > TIE_TOLERANCE * sizes.sum()
            held = np.where(inside, size, 1.0)
            rate = sums / held
            own = squared_residuals(rate, squares, crossed, squared_sizes)
            variance += (own + _BORROWED) / held**2
            apart += sign * rate
        found: FloatArray = np.where(inside, np.abs(apart) / np.sqrt(variance), 0.0)
        return found


Side = Literal["at most", "at least"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CutOffCurve:
    """P-values of the parts on one side of each cut-off; arrays have shape (n_cut_offs,).

    Differences A − B of each part are of means, or of a metric of sums to first order; `low`,
    `middle` and `high` are 5%, 50% and 95% of the p-values of random parts of the same size.
    """

    side: Side
    cut_offs: FloatArray
    n_examples: IntArray
    differences: FloatArray
    p_values: FloatArray
    low: FloatArray
    middle: FloatArray
    high: FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CutOffStudy(HeldAgainst):
    """P-values against the cut-off of a covariate, both ways, with what chance gives.

    The covariate orders units; `n_missing` have no value of it and are in no part. Of each random
    order there are the smallest p-value of either curve, and the largest contrast, shape (n_random,);
    `contrasts` are as `CutOffTest.contrasts`. `same_sizes`: all clusters, or all examples of a metric
    of sums, count the same. `notes` say what is an approximation.
    """

    dataset: str
    covariate: str
    metric: str
    test: str
    unit: Unit
    alpha: float
    n_examples: int
    n_missing: int
    p_value_of_all: float
    at_most: CutOffCurve
    at_least: CutOffCurve
    smallest_of_random: FloatArray
    contrasts: FloatArray
    largest_contrast_of_random: FloatArray
    n_asked: int
    seed: int
    same_sizes: bool
    notes: tuple[str, ...] = ()

    @property
    def cut_offs(self) -> FloatArray:
        """The values, rising, shape (n_cut_offs,)."""
        return self.at_most.cut_offs

    @property
    def n_random(self) -> int:
        """Random orders done."""
        return self.smallest_of_random.size

    @property
    def complete(self) -> bool:
        """Whether all random orders asked for were done."""
        return self.n_random == self.n_asked

    @property
    def smallest_p_value(self) -> float:
        """The smallest of both curves: what a free choice of the cut-off finds."""
        return min(float(curve.p_values.min()) for curve in (self.at_most, self.at_least))

    @property
    def smallest_at(self) -> tuple[Side, float]:
        """Side and cut-off of the smallest p-value, the first where there are several."""
        curve = self.at_most
        if float(self.at_least.p_values.min()) < float(curve.p_values.min()):
            curve = self.at_least
        return curve.side, float(curve.cut_offs[int(np.argmin(curve.p_values))])

    @property
    def chance_p_value(self) -> float | None:
        """How often a random order has a smallest p-value as small: (s + 1)/(R + 1).

        A p-value, for all cut-offs together, of "the difference does not depend
        on the covariate". It does not say whether A is better. None where sizes
        differ: with the same difference everywhere, a part of large units then has
        smaller p-values than a random one.
        """
        if not self.same_sizes:
            return None
        as_small = np.count_nonzero(at_most(self.smallest_of_random, self.smallest_p_value))
        return (int(as_small) + 1) / (self.n_random + 1)

    @property
    def largest_contrast_at(self) -> float:
        """The cut-off whose two sides differ most."""
        return float(self.cut_offs[int(np.argmax(self.contrasts))])

    @property
    def dependence_p_value(self) -> float:
        """How often a random order has two sides as far apart at some cut-off: (s + 1)/(R + 1).

        Of the same null hypothesis as `chance_p_value`, and the better test of
        it: it looks at the contrast of the two sides, in either direction, and
        is not drowned where A is better or worse everywhere. Approximate where
        sizes differ.
        """
        observed = float(self.contrasts.max()) * (1.0 - TIE_TOLERANCE)
        as_far = np.count_nonzero(self.largest_contrast_of_random >= observed)
        return (int(as_far) + 1) / (self.n_random + 1)

    @property
    def depends(self) -> bool:
        """Whether `dependence_p_value` is at most alpha."""
        return is_at_most(self.dependence_p_value, self.alpha)

    @property
    def verdict_changes(self) -> bool:
        """Whether p <= alpha holds of some parts or the whole, and not of others.

        With small parts that is common: they have less power. `depends` says
        whether it is more than random parts do.
        """
        parts = np.concatenate([self.at_most.p_values, self.at_least.p_values])
        below = at_most(np.append(parts, self.p_value_of_all), self.alpha)
        return bool(below.any() and not below.all())

    @property
    def signature(self) -> str:
        """The one line that names everything the numbers depend on, but for the data."""
        return signature_line(
            study="cut-off",
            dataset=self.dataset or None,
            covariate=self.covariate or None,
            metric=self.metric or None,
            test=self.test,
            alt="greater",
            alpha=self.alpha,
            cut_offs=listed(self.cut_offs.tolist()),
            random=self.n_asked,
            done=None if self.complete else self.n_random,
            seed=self.seed,
            n=self.n_examples,
            missing=self.n_missing or None,
        )

    def to_frame(self) -> DataFrame:
        """A row for each side and cut-off."""
        return stacked(
            [
                frame_of(
                    {
                        "dataset": self.dataset,
                        "covariate": self.covariate,
                        "side": curve.side,
                        "cut_off": curve.cut_offs,
                        "n_examples": curve.n_examples,
                        "difference": curve.differences,
                        "p_value": curve.p_values,
                        "chance_low": curve.low,
                        "chance_middle": curve.middle,
                        "chance_high": curve.high,
                    }
                )
                for curve in (self.at_most, self.at_least)
            ]
        )
