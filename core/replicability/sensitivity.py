"""What would change an answer, described and not guaranteed; what more resamples may still change.

Vocabulary
----------
critical p-value
    The largest p-value with which a dataset would be named, all others as they are.
descriptive
    Looked at after the fact. No statement of this module carries the guarantee
    of the count it is about.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..types import BoolArray, FloatArray, IntArray, frozen
from ..validation import at_most, check_p_values
from .combinations import combination_named
from .counting import Counting, closed_names, count_datasets, partial_conjunction_p_values
from .identification import named_by
from .local_tests import of_every_rank


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Unsettled:
    """What is open as long as p-values are known only to lie in an interval; arrays of shape (N,).

    `at_alpha` and `marks` are where p may lie on either side of alpha, and where the procedure may
    name or not. More resamples are needed of the datasets `to_extend`: those of open decisions, or
    all with an interval, where a decision depends on p-values of which nothing is open by itself.
    """

    at_alpha: BoolArray
    marks: BoolArray
    k_hat_range: tuple[int, int]
    to_extend: BoolArray

    @property
    def settled(self) -> bool:
        """Whether nothing is open."""
        fewest, most = self.k_hat_range
        return fewest == most and not self.at_alpha.any() and not self.marks.any()


def find_unsettled(
    p_values_low: npt.ArrayLike,
    p_values_high: npt.ArrayLike,
    *,
    alpha: float = 0.05,
    combination: str = "bonferroni",
    procedure: str = "holm",
) -> Unsettled:
    """What may change while p-values lie between two ends; all answers are monotone in them."""
    low = check_p_values(p_values_low, name="p_values_low")
    high = check_p_values(p_values_high, name="p_values_high")

    def answer(values: FloatArray) -> tuple[BoolArray, int]:
        counting = count_datasets(values, alpha=alpha, combination=combination)
        return named_by(values, alpha=alpha, procedure=procedure), counting.k_hat

    def open_between(lower: FloatArray, upper: FloatArray) -> tuple[BoolArray, tuple[int, int]]:
        (most_names, most), (fewest_names, fewest) = answer(lower), answer(upper)
        return most_names != fewest_names, (fewest, most)

    at_alpha: BoolArray = at_most(low, alpha) != at_most(high, alpha)
    marks, k_hat_range = open_between(low, high)
    has_interval = low < high
    part = (at_alpha | marks) & has_interval
    to_extend = part
    # Were those certain: would the others still leave something open?
    for end in (low, high):
        others, counts = open_between(np.where(part, end, low), np.where(part, end, high))
        if others.any() or counts[0] < counts[1]:
            to_extend = has_interval
    return Unsettled(
        at_alpha=frozen(at_alpha),
        marks=frozen(marks),
        k_hat_range=k_hat_range,
        to_extend=frozen(to_extend),
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sensitivity:
    """What would change a count and the names of the same closed test; arrays have shape (N,).

    Entry ``u - 1`` of `levels` is the smallest alpha at which the count is at least u;
    `k_hat_without` is the count of the other N - 1 datasets, 0 where there are none.
    """

    counting: Counting
    named: BoolArray
    critical_p_values: FloatArray
    levels: FloatArray
    k_hat_without: IntArray

    @property
    def depends_on(self) -> IntArray:
        """Datasets without which nothing would be counted though now something is."""
        if self.counting.k_hat == 0:
            return np.empty(0, dtype=np.intp)
        return np.flatnonzero(self.k_hat_without == 0).astype(np.intp)

    @property
    def next_level_up(self) -> float | None:
        """The smallest alpha at which the count would be larger; None where it is N already."""
        k_hat = self.counting.k_hat
        return float(self.levels[k_hat]) if k_hat < self.levels.size else None

    @property
    def next_level_down(self) -> float | None:
        """The alpha below which the count would be smaller; None where it is 0 already."""
        k_hat = self.counting.k_hat
        return float(self.levels[k_hat - 1]) if k_hat else None


def find_sensitivity(
    p_values: npt.ArrayLike, *, alpha: float = 0.05, combination: str = "bonferroni"
) -> Sensitivity:
    """Find what would change a count and its names."""
    counting = count_datasets(p_values, alpha=alpha, combination=combination)
    values, level = counting.p_values, counting.alpha
    critical = combination_named(combination).local.critical(values, level)
    return Sensitivity(
        counting=counting,
        named=frozen(closed_names(values, alpha=level, combination=combination)),
        critical_p_values=frozen(np.array(critical)),
        levels=counting.partial_conjunction_p_values,
        k_hat_without=frozen(_counts_without(values, level, combination)),
    )


def _counts_without(values: FloatArray, alpha: float, combination: str) -> IntArray:
    ordered = np.sort(values)
    if ordered.size == 1:
        return np.zeros(1, dtype=np.intp)

    def count_without(rank: int) -> int:
        rest = np.delete(ordered, rank)
        claims = partial_conjunction_p_values(rest, combination=combination)
        return int(np.count_nonzero(at_most(claims, alpha)))

    by_rank = of_every_rank(ordered.size, count_without)
    return by_rank[np.searchsorted(ordered, values)]
