"""A test on one dataset, told once: its names, its null hypothesis, what it suits, and its kernel.

A kernel is an object with as many of the methods below as its test has: a test of
averaged scores has `of_differences`, one of correlations `of_correlations`. That is
all a test needs. What else a kernel can do makes it quicker or says more of it:
p-values that depend on wins and losses alone, on a sum and its squares alone, or on
the signs of fixed weights are computed for many samples at once; a kernel that has
none of these is asked sample by sample.

Vocabulary
----------
unit
    What is drawn or exchanged: an example, or a whole cluster of them.
moments
    Of differences: how many they are, their sum, and the sum of their squares.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, Protocol, runtime_checkable

import numpy.typing as npt

from ..comparison import comparison_named
from ..types import FloatArray, IntArray
from .differences import Differences
from .lattice import Integers
from .outcome import Outcome
from .predictions import Predictions
from .settings import Asked, Method
from .summed_statistics import SummedStatistics

Asks = Literal["mean", "exchange", "tendency", "outcomes", "correlation"]


@runtime_checkable
class OfDifferences(Protocol):
    """Tests scores that are averaged."""

    def of_differences(self, differences: Differences, asked: Asked) -> Outcome:
        """P-values of the differences A − B of n units, with the effect size that goes with them.

        Raises ValueError if "exact" is asked for in vain.
        """


@runtime_checkable
class OfSums(Protocol):
    """Tests metrics of summed statistics, such as F1, and means of clusters of several sizes."""

    def of_sums(self, statistics: SummedStatistics, asked: Asked) -> Outcome:
        """P-values of the difference of two scores that are functions of sums over units."""


@runtime_checkable
class OfCorrelations(Protocol):
    """Tests correlations with gold."""

    def of_correlations(self, predictions: Predictions, asked: Asked) -> Outcome:
        """P-values of the difference of both systems' correlations with gold."""


@runtime_checkable
class OfMoments(OfDifferences, Protocol):
    """A test whose p-value depends on moments alone, or tends to one that does."""

    def p_of_moments(
        self, n: FloatArray, sums: FloatArray, squares: FloatArray, integers: Integers | None
    ) -> FloatArray:
        """P-values of "A is better", elementwise; 1 where differences do not vary.

        `integers` are the differences in whole steps, where they have one.
        """


@runtime_checkable
class OfSigns(OfDifferences, Protocol):
    """A test whose p-value is the chance that weights with fair signs add up to so much."""

    def signed_weights(
        self, values: FloatArray, integers: IntArray | None
    ) -> tuple[IntArray, bool]:
        """Whole weights of the units with the signs observed, and whether all sums are counted.

        Where they are too many to be counted, their sum is taken to be normal.
        """


@runtime_checkable
class HasMargin(Protocol):
    """Tests 0/1 outcomes at a margin by the numbers of wins and losses."""

    def p_at_margin(
        self,
        wins: npt.ArrayLike,
        losses: npt.ArrayLike,
        n: int,
        *,
        margin: float,
        claim: str,
    ) -> FloatArray:
        """P-values, elementwise, as `significance.counting.melded_p_values` takes them."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SignificanceTest:
    """A test of "A is better than B" on one dataset.

    Attributes
    ----------
    title, short_title : str
        As menus and tables have it, beginning small unless it is a name; where there is no room.
    called, full_title : str
        In the middle of a sentence, with its article; in a methods section.
    null_hypothesis : str
        What a small one-sided p-value speaks against, after "that".
    rule : str
        What is computed, when it is exact, and what it suits, in whole sentences.
    asks : {"mean", "exchange", "tendency", "outcomes", "correlation"}
        What it is about: the mean difference; the same by way of exchanging the
        two systems' outputs; who tends to score better, whatever the sizes of the
        differences; who is right on 0/1 outcomes; who correlates with gold.
    worth : str
        What a p-value without Monte Carlo error is, after "is": "exact", or what
        it approximates.
    gives_interval : bool
        Whether the interval of the difference comes with its p-value; beside the
        others one is drawn by the bootstrap.
    takes_clusters : bool
        Whether it can draw or exchange whole clusters; the others take units to be
        independent.
    shifts : bool
        Whether at a margin it tests the differences less the margin; a kernel that
        `HasMargin` has a test of its own, and the others have none.
    settings, methods : tuple of str
        Of "estimator", "resample_size" and "zeros" those that it has; ways to compute it that can
        be asked for, beside "auto".
    kernel : object
        At least one of `OfDifferences`, `OfSums`, `OfCorrelations` and `HasMargin`.
    at_margin, margin_references
        Its title at a margin, where that is another test, and references beside the others.
    """

    name: str
    title: str
    short_title: str
    called: str
    full_title: str
    null_hypothesis: str
    rule: str
    references: tuple[str, ...]
    asks: Asks
    kernel: object
    worth: str = "exact"
    suits_outcomes_only: bool = False
    gives_interval: bool = False
    takes_clusters: bool = False
    shifts: bool = False
    settings: tuple[str, ...] = ()
    methods: tuple[Method, ...] = ()
    at_margin: str = ""
    margin_references: tuple[str, ...] = ()

    def of_claim(self, claim: str) -> SignificanceTest:
        """The record as it is where this is claimed."""
        if not (self.at_margin and comparison_named(claim).takes_margin):
            return self
        return replace(
            self,
            title=self.at_margin,
            full_title=f"the {self.at_margin}",
            references=(*self.references, *self.margin_references),
        )

    @property
    def of_mean(self) -> bool:
        """Whether its statistic is the mean difference."""
        return self.asks in ("mean", "exchange")

    @property
    def of_tendency(self) -> bool:
        """Whether it asks who tends to score better, so that the mean may lie on the other side."""
        return self.asks == "tendency"

    @property
    def resamples(self) -> bool:
        """Whether it draws resamples where it is not exact."""
        return "monte-carlo" in self.methods
