"""Shares and means of simulated events, each with its interval and where that lies."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from scipy.special import betaincinv, ndtri

CONFIDENCE_LEVEL = 0.95
_TAIL = (1.0 - CONFIDENCE_LEVEL) / 2.0

Position = Literal["below", "around", "above"]
Interval = tuple[float, float]


def clopper_pearson(count: float, n: int) -> Interval:
    """Clopper and Pearson's exact 95% interval of a probability, from `count` of `n`."""
    low, high = 0.0, 1.0
    if count > 0:
        low = float(betaincinv(count, n - count + 1, _TAIL))
    if count < n:
        high = float(betaincinv(count + 1, n - count, 1.0 - _TAIL))
    return low, high


def position_of(interval: Interval, level: float) -> Position:
    """Where an interval lies: below a level, above it, or around it, which is not decided."""
    low, high = interval
    if high < level:
        return "below"
    return "above" if low > level else "around"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """In how many repetitions something happened.

    Attributes
    ----------
    count, n : int
        In `count` of `n` repetitions.
    """

    count: int
    n: int

    @property
    def rate(self) -> float:
        """The share of repetitions."""
        return self.count / self.n

    @property
    def confidence_interval(self) -> Interval:
        """Clopper and Pearson's exact 95% interval of the probability."""
        return clopper_pearson(self.count, self.n)

    def position_beside(self, level: float) -> Position:
        """Where the interval lies: below `level`, above it, or around it."""
        return position_of(self.confidence_interval, level)


@dataclass(frozen=True, slots=True, kw_only=True)
class OvercountRate(Rate):
    """How often an estimator counted more than so many datasets.

    Attributes
    ----------
    estimator : str
        What counted.
    beyond : int
        The event is k̂ > beyond.
    count, n : int
        In `count` of `n` repetitions.
    alpha : float
        The level of the simulation, that the rate is held against.
    """

    estimator: str
    beyond: int
    alpha: float

    @property
    def position(self) -> Position:
        """Where the interval lies: below alpha, above it, or around it.

        "around" says that so many repetitions do not decide.
        """
        return self.position_beside(self.alpha)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mean:
    """Mean of a number that each repetition has.

    Attributes
    ----------
    value : float
        The mean.
    standard_error : float
        Of the mean.
    n : int
        Repetitions.
    largest : float
        What the number cannot exceed; it cannot be below 0.
    """

    value: float
    standard_error: float
    n: int
    largest: float

    @property
    def confidence_interval(self) -> Interval:
        """95% interval by the normal approximation, within what is possible.

        Where all repetitions gave the same number their spread says nothing:
        then Clopper and Pearson's, as if each were 0 or the largest, which
        spreads no less than anything between.
        """
        if self.standard_error == 0.0:
            low, high = clopper_pearson(self.value / self.largest * self.n, self.n)
            return self.largest * low, self.largest * high
        margin = -float(ndtri(_TAIL)) * self.standard_error
        return max(0.0, self.value - margin), min(self.largest, self.value + margin)

    def position_beside(self, level: float) -> Position:
        """Where the interval lies: below `level`, above it, or around it."""
        return position_of(self.confidence_interval, level)


def mean_of_sums(total: float, squares: float, n: int, *, largest: float) -> Mean:
    """The mean of n numbers from their sum and the sum of their squares."""
    value = total / n
    spread = max(0.0, squares - total * value)
    # What rounding leaves of numbers that are all the same.
    if n < 2 or spread <= 1e-12 * squares:
        spread = 0.0
    return Mean(
        value=value,
        standard_error=math.sqrt(spread / (n - 1) / n) if n > 1 else 0.0,
        n=n,
        largest=largest,
    )
