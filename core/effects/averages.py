"""Averages of effects that take no account of how certain each is."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from core.effects.heterogeneity import Interval
from core.effects.inputs import checked_effects, checked_sizes, checked_variances
from core.effects.meta_analysis import normal_interval, t_interval
from core.types import FloatArray, IntArray
from core.validation import check_open_share

AverageKind = Literal["macro", "micro"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Average:
    """A mean of effects.

    Attributes
    ----------
    kind : {"macro", "micro"}
        Each dataset the same, or each example the same.
    effects : ndarray, shape (M,)
        As given.
    n_examples : ndarray of int, shape (M,), or None
        Of "micro".
    estimate : float
        The mean.
    variance : float or None
        Of the mean; None where it is not known.
    confidence_interval : (float, float) or None
        Of "macro", with M >= 2: Student's, over datasets, as if they were drawn
        at random. Of "micro", where variances are given: normal, over examples,
        for these datasets and no others.
    confidence_level : float
        Of the interval.
    weights : ndarray, shape (M,)
        Each dataset's share; they add up to 1.
    """

    kind: AverageKind
    effects: FloatArray
    n_examples: IntArray | None
    estimate: float
    variance: float | None
    confidence_interval: Interval | None
    confidence_level: float
    weights: FloatArray

    @property
    def n_datasets(self) -> int:
        """Number of datasets, M."""
        return int(self.effects.size)

    @property
    def standard_error(self) -> float | None:
        """Square root of the variance; None where it is not known."""
        return None if self.variance is None else math.sqrt(self.variance)


def macro_average(effects: npt.ArrayLike, *, confidence_level: float = 0.95) -> Average:
    """The plain mean of the effects of M datasets, with Student's interval.

    The interval is None for M = 1, and without width where all effects are equal.

    Raises
    ------
    ValueError
        If there are no effects or one is not finite.
    """
    values = checked_effects(effects)
    level = check_open_share(confidence_level, name="confidence_level")
    n = values.size
    # From the first, so that equal effects have exactly that mean and no spread.
    apart = values - values[0]
    estimate = float(values[0] + apart.mean())
    variance = float(apart.var(ddof=1)) / n if n > 1 else None
    interval = None if variance is None else t_interval(estimate, variance, n - 1, level)
    weights = np.full(n, 1.0 / n)
    weights.flags.writeable = False
    return Average(
        kind="macro",
        effects=values,
        n_examples=None,
        estimate=estimate,
        variance=variance,
        confidence_interval=interval,
        confidence_level=level,
        weights=weights,
    )


def micro_average(
    effects: npt.ArrayLike,
    n_examples: npt.ArrayLike,
    variances: npt.ArrayLike | None = None,
    *,
    confidence_level: float = 0.95,
) -> Average:
    """The mean of the effects weighted by numbers of examples.

    For differences of means it is the difference over all examples put together.

    Parameters
    ----------
    effects, n_examples : array_like, shape (M,)
        Of each dataset.
    variances : array_like, shape (M,), optional
        Of each effect within its dataset; they may be 0. Without them there is no
        interval.

    Raises
    ------
    ValueError
        If an argument is not as described.
    """
    values = checked_effects(effects)
    sizes = checked_sizes(n_examples, n_effects=values.size)
    level = check_open_share(confidence_level, name="confidence_level")
    weights: FloatArray = sizes / float(sizes.sum())
    weights.flags.writeable = False
    estimate = float(values[0] + weights @ (values - values[0]))
    variance, interval = None, None
    if variances is not None:
        within = checked_variances(variances, n_effects=values.size, zero=True)
        variance = float(weights**2 @ within)
        interval = normal_interval(estimate, variance, level)
    return Average(
        kind="micro",
        effects=values,
        n_examples=sizes,
        estimate=estimate,
        variance=variance,
        confidence_interval=interval,
        confidence_level=level,
        weights=weights,
    )
