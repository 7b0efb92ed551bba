"""In how many cases a sign found on one dataset holds on another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.simulation.rates import clopper_pearson

PAIRS_ARE_DEPENDENT = (
    "The interval takes the pairs to be independent; they share systems, so it is too narrow."
)

OF_TEST_SETS = (
    "The interval goes by how the test sets differ, since tests of one test set share its examples and "
    "systems and the same pairs come again in many. It holds for these systems on this dataset, not for "
    "others."
)
NO_INTERVAL = (
    "There is no interval: it goes by how the test sets differ, and needs at least ten with such tests, "
    "and some tests that disagree. The tests are not independent: they share systems and examples."
)
# Fewer say little of how far others would differ.
FEWEST_TEST_SETS = 10


def interval_of_sets(n_held: npt.ArrayLike, n: npt.ArrayLike) -> tuple[float, float] | None:
    """95% interval of a share whose cases come in test sets, which are independent of each other.

    The ratio's standard error by linearization over test sets, on the scale of
    log odds, with Student's quantile.

    Parameters
    ----------
    n_held, n : array_like of int, shape (k,)
        Of each test set, its cases that held and all of them.

    Returns
    -------
    (float, float) or None
        None of fewer than ten test sets with cases, or where all of them agree.
    """
    from scipy.special import expit, stdtrit

    held, cases = np.asarray(n_held, dtype=np.float64), np.asarray(n, dtype=np.float64)
    k = int(np.count_nonzero(cases))
    if k < FEWEST_TEST_SETS:
        return None
    share = float(held.sum() / cases.sum())
    apart = held - share * cases
    variance = k / (k - 1.0) * float(apart @ apart) / float(cases.sum()) ** 2
    if not 0.0 < share < 1.0 or variance <= 0.0:
        return None
    odds = np.log(share / (1.0 - share))
    room = float(stdtrit(k - 1, 0.975)) * np.sqrt(variance) / (share * (1.0 - share))
    return float(expit(odds - room)), float(expit(odds + room))


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldShare:
    """In how many of n cases the sign held.

    Attributes
    ----------
    n, n_held : int
        Cases, and those in which it held.
    """

    n: int
    n_held: int

    @property
    def share(self) -> float | None:
        """`n_held` / `n`, None of no cases."""
        return self.n_held / self.n if self.n else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Clopper and Pearson's 95% interval, as if cases were independent; None of no cases."""
        return clopper_pearson(self.n_held, self.n) if self.n else None
