"""P-values of "A is better" for many arrangements of the same differences at once.

Under random signs, in random orders or for growing parts, a test's p-value depends
on a few sums only; here are the p-values as functions of those, elementwise.
They are those of `core.significance` by another route, and tested to be.

Vocabulary
----------
wins, losses
    Examples on which A is better, B is better.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.significance.lattice import SMALLEST
from core.types import FloatArray

# Below this share of the squares a spread is nothing but rounding.
_ROUNDING = 1e-12


def p_values_of_sums(n: FloatArray, sums: FloatArray, squares: FloatArray) -> FloatArray:
    """P-values of the paired t-test; 1 where differences do not vary.

    Parameters
    ----------
    n, sums, squares : ndarray
        Number of examples, sum of their differences and of the differences'
        squares. Whole numbers where there is a step, so that they are exact.
    """
    from scipy.special import stdtr

    of = np.maximum(n, 1.0)
    spread = squares - sums * sums / of
    varies = (n >= 2.0) & (spread > _ROUNDING * squares)
    variance = np.where(varies, spread, 1.0) / np.maximum(of - 1.0, 1.0)
    t = sums / np.sqrt(of * variance)
    tails: FloatArray = np.maximum(stdtr(np.maximum(of - 1.0, 1.0), -t), SMALLEST)
    return np.where(varies, tails, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lattice:
    """Where sums of n draws can lie: n · first and any number of steps from there.

    Attributes
    ----------
    first : float
        One of the values.
    step : float
        The largest that leads from any value to any other; 0 for no lattice.
    """

    first: float = 0.0
    step: float = 0.0


def lattice_of(integers: npt.NDArray[np.int64] | None) -> Lattice:
    """That of differences as whole numbers; none without them."""
    if integers is None or integers.size == 0:
        return Lattice()
    first = int(integers[0])
    return Lattice(first=float(first), step=float(np.gcd.reduce(integers - first)))


def p_values_of_bootstrap(
    n: FloatArray, sums: FloatArray, squares: FloatArray, lattice: Lattice
) -> FloatArray:
    """P-values that the paired bootstrap tends to: normal, with the spread over n.

    The event is that n draws add up to at least twice the observed sum. On a
    lattice the first sum that does counts from half a step before. 1 where
    differences do not vary.
    """
    from scipy.special import ndtr

    of = np.maximum(n, 1.0)
    spread = squares - sums * sums / of
    varies = spread > _ROUNDING * squares
    beyond = sums
    if lattice.step > 0.0:
        onward = np.mod(n * lattice.first - 2.0 * sums, lattice.step)
        beyond = sums + onward - 0.5 * lattice.step
    z = beyond / np.sqrt(np.where(varies, spread, 1.0))
    tails: FloatArray = np.maximum(ndtr(-z), SMALLEST)
    return np.where(varies, tails, 1.0)
