"""P-values that depend on how many differences there are, their sum and their squares' sum.

Under random signs, in random orders or for growing parts of the same differences
these are a few cumulative sums, so that thousands of p-values are computed at once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.types import BoolArray, FloatArray

# Below this share of the squares a spread is nothing but rounding.
_ROUNDING = 1e-12


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


def spread_of(n: FloatArray, sums: FloatArray, squares: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Sum of the squared deviations from the mean, 1 where there is none, and where there is some.

    Parameters
    ----------
    n, sums, squares : ndarray
        Number of examples, sum of their differences and of the differences'
        squares. Whole numbers where there is a step, so that they are exact.
    """
    spread = squares - sums * sums / np.maximum(n, 1.0)
    varies = spread > _ROUNDING * squares
    return np.where(varies, spread, 1.0), varies
