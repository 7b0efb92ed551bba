"""What would change an answer: described, not guaranteed.

Vocabulary
----------
critical p-value
    The largest p-value with which a dataset would be named, all others as they are.
descriptive
    Looked at after the fact. No statement of this module carries the guarantee
    of the count it is about.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.replicability.closed_testing import closed_names
from core.replicability.combinations import combination_named
from core.replicability.counting import Counting, count_datasets
from core.replicability.decision import at_most
from core.replicability.local_tests import of_every_rank
from core.replicability.partial_conjunction import partial_conjunction_p_values
from core.types import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sensitivity:
    """What would change a count and the names of the same closed test.

    Attributes
    ----------
    counting : Counting
        The count in question.
    named : ndarray of bool, shape (N,)
        By the same closed test.
    critical_p_values : ndarray, shape (N,)
        In the order of the p-values.
    levels : ndarray, shape (N,)
        Entry ``u - 1``: the smallest alpha at which the count is at least u.
    k_hat_without : ndarray of int, shape (N,)
        The count of the other N - 1 datasets; 0 where there are none.
    """

    counting: Counting
    named: BoolArray
    critical_p_values: FloatArray
    levels: FloatArray
    k_hat_without: IntArray

    @property
    def hangs_on(self) -> IntArray:
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
    """Find what would change a count and its names.

    Parameters
    ----------
    p_values : array_like, shape (N,)
        As for `count_datasets`.
    alpha : float
        In (0, 1).
    combination : str
        As for `count_datasets`.

    Returns
    -------
    Sensitivity

    Raises
    ------
    ValueError
        As `count_datasets`.
    """
    counting = count_datasets(p_values, alpha=alpha, combination=combination)
    values, level = counting.p_values, counting.alpha
    named = closed_names(values, alpha=level, combination=combination)
    found = np.array(combination_named(combination).local.critical(values, level))
    without = _counts_without(values, level, combination)
    for array in (found, without, named):
        array.flags.writeable = False
    return Sensitivity(
        counting=counting,
        named=named,
        critical_p_values=found,
        levels=counting.partial_conjunction_p_values,
        k_hat_without=without,
    )


def _counts_without(values: FloatArray, alpha: float, combination: str) -> IntArray:
    """The count with each dataset left out in turn."""
    ordered = np.sort(values)
    if ordered.size == 1:
        return np.zeros(1, dtype=np.intp)

    def count_without(rank: int) -> int:
        rest = np.delete(ordered, rank)
        claims = partial_conjunction_p_values(rest, combination=combination)
        return int(np.count_nonzero(at_most(claims, alpha)))

    by_rank = of_every_rank(ordered.size, count_without)
    return by_rank[np.searchsorted(ordered, values)]
