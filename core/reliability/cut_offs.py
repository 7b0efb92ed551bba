"""What p-values along a covariate come to, beside what chance alone gives."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from core.replicability.decision import at_most
from core.signature import signature_line
from core.significance.differences import TIE_TOLERANCE, Unit
from core.types import FloatArray, IntArray
from core.validation import check_alpha

if TYPE_CHECKING:
    import pandas as pd

Side = Literal["at most", "at least"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CutOffCurve:
    """P-values of the parts on one side of each cut-off.

    Attributes
    ----------
    side : {"at most", "at least"}
        Which part.
    cut_offs : ndarray, shape (n_cut_offs,)
        Rising.
    n_examples : ndarray of int, shape (n_cut_offs,)
        In each part.
    differences : ndarray, shape (n_cut_offs,)
        Mean difference A − B of each part.
    p_values : ndarray, shape (n_cut_offs,)
        Of "A is better" on each part.
    low, middle, high : ndarray, shape (n_cut_offs,)
        5%, 50% and 95% of the p-values of random parts of the same size.
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
class CutOffStudy:
    """P-values against the cut-off of a covariate, both ways, with what chance gives.

    Attributes
    ----------
    dataset, covariate, metric : str
        Names, "" where not given.
    test : str
        Of each part.
    unit : {"examples", "clusters"}
        What the covariate orders.
    alpha : float
        In (0, 1).
    n_examples, n_missing : int
        Of the whole, and without a value of the covariate: these are in no part.
    p_value_of_all : float
        Of the whole.
    at_most, at_least : CutOffCurve
        The two curves.
    smallest_of_random : ndarray, shape (n_random,)
        The smallest p-value of either curve, of each random order.
    contrasts : ndarray, shape (n_cut_offs,)
        How far apart the mean differences of the examples with at most a
        cut-off and of all others are, in standard errors.
    largest_contrast_of_random : ndarray, shape (n_random,)
        The largest of these, of each random order.
    n_asked : int
        Random orders asked for.
    n_resamples : int or None
        Of a test that resamples.
    seed : int
        Gives the same again.
    notes : tuple of str
        What is an approximation.
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
    n_resamples: int | None
    seed: int
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
    def chance_p_value(self) -> float:
        """How often a random order has a smallest p-value as small: (s + 1)/(R + 1).

        A p-value, for all cut-offs together, of "the difference does not depend
        on the covariate". It does not say whether A is better.
        """
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
        is not drowned where A is better or worse everywhere.
        """
        observed = float(self.contrasts.max()) * (1.0 - TIE_TOLERANCE)
        as_far = np.count_nonzero(self.largest_contrast_of_random >= observed)
        return (int(as_far) + 1) / (self.n_random + 1)

    @property
    def depends(self) -> bool:
        """Whether `dependence_p_value` is at most alpha."""
        return bool(at_most(np.array(self.dependence_p_value), self.alpha))

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
            cut_offs=self.cut_offs.size,
            random=self.n_asked,
            done=None if self.complete else self.n_random,
            resamples=self.n_resamples,
            seed=self.seed,
            n=self.n_examples,
            missing=self.n_missing or None,
        )

    def at_level(self, alpha: float) -> CutOffStudy:
        """The same p-values held against another level.

        Raises
        ------
        ValueError
            If `alpha` does not lie strictly between 0 and 1.
        """
        return replace(self, alpha=check_alpha(alpha))

    def to_frame(self) -> pd.DataFrame:
        """A row for each side and cut-off."""
        import pandas as pd

        return pd.concat(
            [
                pd.DataFrame(
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
            ],
            ignore_index=True,
        )
