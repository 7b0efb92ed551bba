"""P-values of the subsamples of one size, and what the whole dataset's alone foretells of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from core.replicability.decision import at_most
from core.significance.result import MethodUsed
from core.simulation.rates import Interval, clopper_pearson
from core.types import BoolArray, FloatArray

_BAND = (0.1, 0.9)

PointMethod = MethodUsed | Literal["one-by-one"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SubsamplePoint:
    """P-values of the subsamples of one size.

    Attributes
    ----------
    share : float
        Of the dataset, in (0, 1].
    n_units : int
        Units in each subsample: examples, or clusters where there are such.
    n_examples : int
        Examples in each; with clusters of several sizes the median.
    p_values : ndarray, shape (n_subsamples,)
        One a subsample, as its test gives it; nan where it has no defined score.
        Of the whole dataset, its one p-value.
    out_of_reach : ndarray of bool, shape (n_subsamples,)
        Where the bootstrap's p-value says nothing, as no resample can be as
        extreme as asked. Such a subsample is not significant.
    method : {"exact", "monte-carlo", "normal", "student", "one-by-one"}
        How the p-values are computed; "one-by-one": each by the test itself.
    alpha : float
        The level at which subsamples are significant.
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
        """Clopper and Pearson's 95% interval of that share over all subsamples of the size.

        It is about this dataset's subsamples, not about further data. None for
        the whole dataset, of which there is one.
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
    """What share of subsamples is significant if the whole has this p-value, by normal theory."""
    from scipy.special import ndtr, ndtri

    smallest = float(np.finfo(np.float64).tiny)
    p = min(max(p_value, smallest), 1.0 - 1e-16)
    z = -float(ndtri(p / 2.0 if two_sided else p))
    edge = -float(ndtri(alpha / 2.0 if two_sided else alpha))
    found = []
    for share in shares:
        if share == 1.0:
            found.append(float(at_most(np.array([p_value]), alpha)[0]))
            continue
        centre, spread = np.sqrt(share) * z, np.sqrt(1.0 - share)
        other = float(ndtr((-edge - centre) / spread)) if two_sided else 0.0
        found.append(float(ndtr((centre - edge) / spread)) + other)
    return tuple(found)
