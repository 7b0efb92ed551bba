"""What simulated counts and names come to: rates, means, power and histograms, each with its interval."""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from ..replicability.identification import procedure_named
from ..signature import signature_line
from ..types import FloatArray, IntArray
from ..validation import check_choice
from .batch import CountArray

CONFIDENCE_LEVEL = 0.95
_TAIL = (1.0 - CONFIDENCE_LEVEL) / 2.0

Position = Literal["below", "around", "above"]
Interval = tuple[float, float]


def clopper_pearson(count: float, n: int) -> Interval:
    """Clopper and Pearson's exact 95% interval of a probability, from `count` of `n`."""
    from scipy.special import betaincinv

    low = float(betaincinv(count, n - count + 1, _TAIL)) if count > 0 else 0.0
    high = float(betaincinv(count + 1, n - count, 1.0 - _TAIL)) if count < n else 1.0
    return low, high


def position_of(interval: Interval, level: float) -> Position:
    """Where an interval lies: below a level, above it, or around it, which is not decided."""
    low, high = interval
    if high < level:
        return "below"
    return "above" if low > level else "around"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """In `count` of `n` repetitions something happened."""

    count: int
    n: int

    @property
    def rate(self) -> float:
        """The share of repetitions; nan of none."""
        return self.count / self.n if self.n else float("nan")

    @property
    def confidence_interval(self) -> Interval:
        """Clopper and Pearson's exact 95% interval of the probability."""
        return clopper_pearson(self.count, self.n)


@dataclass(frozen=True, slots=True, kw_only=True)
class OvercountRate(Rate):
    """How often an estimator counted too many datasets, held against the level."""

    estimator: str
    alpha: float

    @property
    def position(self) -> Position:
        """Where the interval lies beside alpha; "around": so many repetitions do not decide."""
        return position_of(self.confidence_interval, self.alpha)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mean:
    """Mean of a number that each of n repetitions has, between 0 and `largest`."""

    value: float
    standard_error: float
    n: int
    largest: float

    @property
    def confidence_interval(self) -> Interval:
        """95% interval by the normal approximation, within what is possible."""
        from scipy.special import ndtri

        # The spread of equal numbers says nothing: then as if each were 0 or the largest, which
        # spreads no less than anything between.
        if self.standard_error == 0.0:
            low, high = clopper_pearson(self.value / self.largest * self.n, self.n)
            return self.largest * low, self.largest * high
        margin = -float(ndtri(_TAIL)) * self.standard_error
        return max(0.0, self.value - margin), min(self.largest, self.value + margin)


def mean_of(values: npt.NDArray[np.number], *, largest: float) -> Mean:
    """The mean of a number that each repetition has, as its sum and the sum of its squares give it."""
    numbers, n = values.astype(np.float64), values.size
    total, squares = float(numbers.sum()), float(numbers @ numbers)
    value = total / n
    spread = max(0.0, squares - total * value)
    # What rounding leaves of numbers that are all the same.
    if spread <= 1e-12 * squares:
        spread = 0.0
    return Mean(
        value=value,
        standard_error=math.sqrt(spread / (n - 1) / n) if n > 1 else 0.0,
        n=n,
        largest=largest,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SimulatedStudies:
    """Which studies were drawn; fewer repetitions of a seed are the first of more."""

    k: int
    n_datasets: int
    alpha: float
    n_repetitions: int
    n_asked: int
    seed: int
    scenario: str

    @property
    def complete(self) -> bool:
        """Whether all repetitions asked for were done."""
        return self.n_repetitions == self.n_asked

    @property
    def signature(self) -> str:
        """The one line that names everything the results depend on."""
        return signature_line(
            scenario=self.scenario,
            datasets=self.n_datasets,
            k=self.k,
            **self._asked,
            alpha=self.alpha,
            repetitions=self.n_asked,
            done=None if self.complete else self.n_repetitions,
            seed=self.seed,
        )

    @property
    def _asked(self) -> dict[str, str]:
        return {}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Simulation(SimulatedStudies):
    """Counts of simulated studies.

    Attributes
    ----------
    k_hat : mapping of estimator to ndarray of int16, shape (n_repetitions,)
        "count" is the common practice #{p <= alpha}; the others have a guarantee.
    proved : tuple of str
        For which counts theory proves P(k̂ > k) <= alpha in this scenario.
    """

    k_hat: Mapping[str, CountArray]
    proved: tuple[str, ...] = ()

    @property
    def estimators(self) -> tuple[str, ...]:
        """What counted, in order of display."""
        return tuple(self.k_hat)

    @property
    def guaranteed(self) -> tuple[str, ...]:
        """Those that have a guarantee: all but the common practice."""
        return tuple(name for name in self.k_hat if name != "count")

    def _counts(self, estimator: str) -> CountArray:
        return self.k_hat[check_choice(estimator, self.estimators, name="estimator")]

    def overcount(self, estimator: str, beyond: int | None = None) -> OvercountRate:
        """How often the count exceeded the truth, or another number."""
        most = self.k if beyond is None else operator.index(beyond)
        return OvercountRate(
            estimator=estimator,
            count=int(np.count_nonzero(self._counts(estimator) > most)),
            n=self.n_repetitions,
            alpha=self.alpha,
        )

    def power(self, estimator: str, at_least: int) -> Rate:
        """How often the count reached `at_least` datasets: P(k̂ >= m)."""
        reached = int(np.count_nonzero(self._counts(estimator) >= operator.index(at_least)))
        return Rate(count=reached, n=self.n_repetitions)

    def histogram(self, estimator: str) -> IntArray:
        """In how many repetitions k̂ was 0, 1, ..., N; shape (N + 1,)."""
        return np.bincount(self._counts(estimator), minlength=self.n_datasets + 1)

    def reached(self, estimator: str) -> FloatArray:
        """The share of repetitions with k̂ >= m for m = 1, ..., N; shape (N,)."""
        at_least = np.cumsum(self.histogram(estimator)[::-1])[::-1]
        return np.asarray(at_least[1:] / self.n_repetitions)

    def mean_k_hat(self, estimator: str) -> Mean:
        """What the counts of one estimator are on average."""
        return mean_of(self._counts(estimator), largest=float(self.n_datasets))


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcedureSummary:
    """What one procedure's names come to.

    `family_wise_error` counts repetitions with a wrong name; the proportion is that of wrong names, 0
    where none is named. `power` is the share of the datasets on which A is better that are named;
    None where there is no such dataset.
    """

    procedure: str
    alpha: float
    family_wise_error: Rate
    false_discovery_proportion: Mean
    power: Mean | None
    mean_named: Mean

    @property
    def position(self) -> Position:
        """Where the error that the procedure bounds lies beside its level."""
        error: Rate | Mean = self.family_wise_error
        if not procedure_named(self.procedure).bounds_each_list:
            error = self.false_discovery_proportion
        return position_of(error.confidence_interval, self.alpha)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class IdentificationSimulation(SimulatedStudies):
    """Names of simulated studies; of the `proved` theory proves the promise."""

    summaries: Mapping[str, ProcedureSummary]
    proved: tuple[str, ...] = ()

    @property
    def _asked(self) -> dict[str, str]:
        return {"procedures": ",".join(self.summaries)}
