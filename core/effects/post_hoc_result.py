"""What comparing systems after Friedman's test gives: p-values, what is separated, groups."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from core.effects.critical_difference import (
    MOST_LETTERS,
    bonferroni_dunn_quantile,
    groups_not_separated,
    letters,
    nemenyi_quantile,
)
from core.effects.friedman_result import Friedman
from core.replicability.decision import at_most
from core.signature import short_fingerprint, signature_line
from core.types import BoolArray, FloatArray, IntArray
from core.validation import check_alpha, check_choice

if TYPE_CHECKING:
    import pandas as pd

Adjustment = Literal["holm", "hochberg", "hommel", "bonferroni", "benjamini-hochberg"]
ADJUSTMENTS: tuple[Adjustment, ...] = get_args(Adjustment)
PostHocProcedure = Literal["nemenyi", "bonferroni-dunn"] | Adjustment
Comparison = Literal["mean-ranks", "wilcoxon"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PostHoc:
    """Comparisons of systems with each other, or with one control.

    Attributes
    ----------
    friedman : Friedman
        Ranks that are compared.
    procedure : str
        "nemenyi", "bonferroni-dunn", or how p-values are adjusted: "holm", …
    comparison : {"mean-ranks", "wilcoxon"}
        What each pair is compared by.
    variant : str
        Where the p-values come from.
    alpha : float
        Level for all comparisons jointly.
    control : str or None
        The system that all others are compared with; None for all pairs.
    critical_difference : float or None
        Mean ranks at least so far apart are separated; None where the
        procedure has no single one.
    z : ndarray, shape (k, k), or None
        Difference of mean ranks in standard errors, row − column: negative
        where the row ranks better. None for Wilcoxon's test.
    p_values, adjusted_p_values : ndarray, shape (k, k)
        Two-sided, symmetric; nan on the diagonal and for pairs not compared.
    separated : ndarray of bool, shape (k, k)
        Where the adjusted p-value is at most `alpha`.
    n_comparisons : int
        How many pairs are compared.
    """

    friedman: Friedman
    procedure: PostHocProcedure
    comparison: Comparison
    variant: str
    alpha: float
    control: str | None
    critical_difference: float | None
    z: FloatArray | None
    p_values: FloatArray
    adjusted_p_values: FloatArray
    separated: BoolArray
    n_comparisons: int

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems, in the order of the matrices."""
        return self.friedman.systems

    @property
    def mean_ranks(self) -> FloatArray:
        """Each system's mean rank, 1 being the best."""
        return self.friedman.mean_ranks

    @property
    def order(self) -> tuple[int, ...]:
        """The systems' places, best mean rank first."""
        return self.friedman.order

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """Maximal sets of systems no two of which are separated; none with a control."""
        if self.control is not None:
            return ()
        return groups_not_separated(self.separated, order=self.order)

    @property
    def letters(self) -> tuple[str, ...]:
        """Each system's letters, one a group; '' with a control."""
        return letters(self.groups, len(self.systems))

    @property
    def lettered(self) -> tuple[tuple[int, ...], ...] | None:
        """The groups where letters from a to z name them all, None where there are more."""
        if self.control is not None:
            return ()
        try:
            return groups_not_separated(self.separated, order=self.order, most=MOST_LETTERS)
        except ValueError:
            return None

    @property
    def n_not_separated(self) -> tuple[int, ...]:
        """From how many others each system is compared with and not separated."""
        together = ~self.separated & np.isfinite(self.adjusted_p_values)
        return tuple(together.sum(axis=1).tolist())

    @property
    def signature(self) -> str:
        """The line that names everything the verdicts depend on."""
        return signature_line(
            across=self.procedure,
            metric=self.friedman.metric,
            by=self.comparison,
            alpha=self.alpha,
            control=self.control,
            comparisons=self.n_comparisons,
            datasets=self.friedman.n_datasets,
            systems=self.friedman.n_systems,
            scores=short_fingerprint(self.friedman.content),
            data=short_fingerprint(self.friedman.fingerprint)
            if self.friedman.fingerprint
            else None,
        )

    def at(self, alpha: float) -> PostHoc:
        """The same comparisons decided at another level."""
        level = check_alpha(alpha)
        return replace(
            self,
            alpha=level,
            critical_difference=critical_difference_of(self.procedure, self.friedman, level),
            separated=separated_of(self.adjusted_p_values, level),
        )

    def to_frame(self) -> pd.DataFrame:
        """A row for each pair compared, the better mean rank first in it."""
        import pandas as pd

        place = np.empty(len(self.systems), dtype=np.intp)
        place[list(self.order)] = np.arange(len(self.systems))
        first, second = compared_pairs(self.friedman, self.control)
        swap = place[first] > place[second]
        better, worse = np.where(swap, second, first), np.where(swap, first, second)
        rows = np.lexsort((place[worse], place[better]))
        better, worse = better[rows], worse[rows]
        names = np.array(self.systems, dtype=object)
        return pd.DataFrame(
            {
                "system": names[better],
                "compared_with": names[worse],
                "mean_rank": self.mean_ranks[better],
                "mean_rank_compared": self.mean_ranks[worse],
                "difference": self.mean_ranks[worse] - self.mean_ranks[better],
                "p_value": self.p_values[better, worse],
                "adjusted_p_value": self.adjusted_p_values[better, worse],
                "separated": self.separated[better, worse],
            }
        )


def compared_pairs(friedman: Friedman, control: str | None) -> tuple[IntArray, IntArray]:
    """Places of the systems compared: all pairs, or the control with each other one."""
    k = friedman.n_systems
    if control is None:
        return np.triu_indices(k, 1)
    place = friedman.systems.index(check_choice(control, friedman.systems, name="control"))
    others = np.delete(np.arange(k), place)
    return np.full(k - 1, place), others


def separated_of(adjusted: FloatArray, alpha: float) -> BoolArray:
    """Which pairs an adjusted p-value separates at a level."""
    # nan is at most nothing: pairs not compared are not separated.
    separated = at_most(adjusted, alpha)
    separated.flags.writeable = False
    return separated


def critical_difference_of(
    procedure: PostHocProcedure, friedman: Friedman, alpha: float
) -> float | None:
    """How far mean ranks must lie apart, where the procedure has one distance for all pairs."""
    if procedure == "nemenyi":
        return nemenyi_quantile(alpha, friedman.n_systems) * friedman.standard_error
    if procedure == "bonferroni-dunn":
        return bonferroni_dunn_quantile(alpha, friedman.n_systems) * friedman.standard_error
    check_choice(procedure, ADJUSTMENTS, name="procedure")
    return None
