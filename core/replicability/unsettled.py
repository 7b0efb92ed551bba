"""Which decisions on N datasets more resamples may still change; arrays only."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.replicability.combinations import combination_names
from core.replicability.counting import count_datasets
from core.replicability.decision import at_most
from core.replicability.identification import named_by
from core.replicability.procedures import procedure_names
from core.types import BoolArray, FloatArray
from core.validation import check_alpha, check_choice, check_p_values


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Unsettled:
    """What is open as long as p-values are known only to lie in an interval.

    Attributes
    ----------
    at_alpha : ndarray of bool, shape (N,)
        Where p may lie on either side of alpha.
    marks : ndarray of bool, shape (N,)
        Where the procedure may name the dataset or not.
    k_hat_range : (int, int)
        The smallest and the largest count that there may be.
    to_extend : ndarray of bool, shape (N,)
        The datasets that more resamples are needed of: with an interval, and
        part of an open decision. All with an interval, where a decision hangs
        on p-values of which nothing is open by itself. False everywhere only
        where everything is settled.
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
    """Find what may change while each p-value lies anywhere between two ends.

    Every count and every procedure here is monotone in all p-values: a smaller
    one takes no dataset from the count or from the names. Step-down and step-up
    procedures compare ordered p-values with fixed steps; the other
    names come from closed tests of which each single test is monotone. So with
    all p-values at their low ends there are the most names and with all at
    their high ends the fewest; a dataset is named at one and not at the other
    exactly where its mark is open. For k̂ the same, although not every number
    in the range need be reached, and not every list of names between the two.

    Parameters
    ----------
    p_values_low, p_values_high : array_like, shape (N,)
        The ends of each p-value, both included; equal where it is certain.
    alpha : float
        In (0, 1).
    combination : str
        Of the count.
    procedure : str
        That names, as `identify_datasets` has them.

    Returns
    -------
    Unsettled

    Raises
    ------
    ValueError
        If an argument is not as described or a low end lies above its high end.
    """
    level = check_alpha(alpha)
    check_choice(combination, combination_names(), name="combination")
    check_choice(procedure, procedure_names(), name="procedure")
    low = check_p_values(p_values_low, name="p_values_low")
    high = check_p_values(p_values_high, name="p_values_high")
    if low.shape != high.shape:
        raise ValueError(
            f"`p_values_low` and `p_values_high` must be as many; got {low.size} and {high.size}."
        )
    wrong = np.flatnonzero(low > high)
    if wrong.size:
        i = int(wrong[0])
        raise ValueError(
            "`p_values_low` must not lie above `p_values_high`; got "
            f"{float(low[i])!r} above {float(high[i])!r} at index {i}."
        )

    def answer(values: FloatArray) -> tuple[BoolArray, int]:
        counting = count_datasets(values, alpha=level, combination=combination)
        return named_by(values, alpha=level, procedure=procedure), counting.k_hat

    def open_between(lower: FloatArray, upper: FloatArray) -> tuple[BoolArray, tuple[int, int]]:
        (most_names, most), (fewest_names, fewest) = answer(lower), answer(upper)
        return most_names != fewest_names, (fewest, most)

    at_alpha: BoolArray = at_most(low, level) != at_most(high, level)
    marks, k_hat_range = open_between(low, high)
    has_interval = low < high
    part = (at_alpha | marks) & has_interval
    to_extend = part
    # Were those certain: would the others still leave something open?
    for end in (low, high):
        others, counts = open_between(np.where(part, end, low), np.where(part, end, high))
        if others.any() or counts[0] < counts[1]:
            to_extend = has_interval
    for array in (at_alpha, marks, to_extend):
        array.flags.writeable = False
    return Unsettled(at_alpha=at_alpha, marks=marks, k_hat_range=k_hat_range, to_extend=to_extend)
