"""Wilcoxon's test of many pairs, which share the distribution of ranks without ties."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.significance.differences import Differences
from core.significance.stopping import KeepGoing, check_going
from core.significance.wilcoxon import EXACT_UP_TO, wilcoxon
from core.types import FloatArray

# Distributions kept: 2 MiB each at 1,000 examples.
_MOST_KEPT = 16
_ASKED_EVERY = 64


class SignedRanks:
    """Wilcoxon's exact test, with one distribution for all pairs of as many examples without ties.

    Pairs with ties among their sizes have a distribution each, and are tested as
    a single pair is.
    """

    def __init__(self) -> None:
        self._known: dict[int, FloatArray] = {}

    def p_values(
        self, differences: Differences, *, exact: bool = False, keep_going: KeepGoing = None
    ) -> tuple[float, float, bool]:
        """P-values of "A is better" and of "B is better", and whether they are exact.

        Parameters
        ----------
        differences : Differences
            Of A and B.
        exact : bool
            Whether they have to be, however many examples differ.

        Raises
        ------
        ValueError
            If "exact" is asked for in vain.
        Stopped
            If `keep_going` says so.
        """
        values = differences.values[differences.values != 0.0]
        order = np.argsort(np.abs(values))
        sizes = np.abs(values[order])
        tied = bool((sizes[1:] == sizes[:-1]).any())
        if tied or not 0 < values.size <= EXACT_UP_TO:
            found = wilcoxon(
                differences, method="exact" if exact else "auto", keep_going=keep_going
            )
            return found.p_values.greater, found.p_values.less, found.approximation is None
        won = int((np.flatnonzero(values[order] > 0.0) + 1).sum())
        greater, less = self._tails(won, values.size, keep_going)
        return greater, less, True

    def _tails(self, won: int, n: int, keep_going: KeepGoing) -> tuple[float, float]:
        """P(sum of the ranks won ≥ `won`) and P(≤ `won`)."""
        at_most = self._known.get(n)
        if at_most is None:
            while len(self._known) >= _MOST_KEPT:
                del self._known[next(iter(self._known))]
            at_most = self._known[n] = chances_of_rank_sums(n, keep_going)
        mirrored = n * (n + 1) // 2 - won
        fewer = min(won, mirrored)
        tail = float(at_most[fewer])
        point = tail - float(at_most[fewer - 1]) if fewer else tail
        other = min(1.0, 1.0 - tail + point)
        return (tail, other) if won >= mirrored else (other, tail)


def chances_of_rank_sums(n: int, keep_going: KeepGoing = None) -> FloatArray:
    """P(S ≤ s) for s up to half of n(n + 1)/2, S being the sum of those of 1..n a fair coin picks.

    Ways to reach a sum are only ever added, so that every one keeps its digits
    however rare it is; up to 1,000 ranks they fit into floats.

    Raises
    ------
    Stopped
        If `keep_going` says so.
    """
    half = n * (n + 1) // 4
    ways: npt.NDArray[np.float64] = np.zeros(half + 1)
    ways[0] = 1.0
    for rank in range(1, n + 1):
        if rank % _ASKED_EVERY == 0:
            check_going(keep_going)
        # Of ranks up to this one no sum is larger.
        top = min(half, rank * (rank + 1) // 2)
        ways[rank : top + 1] += ways[: top + 1 - rank]
    return np.ldexp(np.cumsum(ways), -n)
