"""Exact p-values of all pairs at once: of outcomes from wins and losses, and of signed ranks.

Of outcomes that are right or wrong a pair is two numbers, wins and losses: one
product of matrices gives them for all pairs, and pairs with the same two
numbers have the same p-value. Wilcoxon's tests of pairs without ties share the
distribution of the rank sum.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..significance.differences import Differences
from ..significance.lattice import SMALLEST
from ..significance.stopping import KeepGoing, check_going
from ..significance.wilcoxon import EXACT_UP_TO, wilcoxon
from ..types import FloatArray, IntArray
from .bootstrap import Product

# Pairs transformed at once: some 2 MiB, which a cache holds.
_BLOCK = 128
# Distributions kept: 2 MiB each at 1,000 examples.
_MOST_KEPT = 16
_ASKED_EVERY = 64


def wins_of_outcomes(outcomes: FloatArray) -> IntArray:
    """On how many examples the row is right and the column wrong, shape (m, m).

    Parameters
    ----------
    outcomes : ndarray, shape (n, m)
        0 or 1.
    """
    # Whole numbers below 2**24 are exact in 32-bit floats, which multiply quicker.
    wrong = 1.0 - outcomes
    if outcomes.shape[0] < 1 << 24:
        product = Product(wrong.astype(np.float32)).of(outcomes.T.astype(np.float32))
    else:
        product = Product(wrong).of(np.ascontiguousarray(outcomes.T))
    wins: IntArray = np.rint(product).astype(np.intp)
    return wins


def bootstrap_of_outcomes(
    wins: IntArray, n_examples: int, *, keep_going: KeepGoing = None
) -> FloatArray:
    """The exact bootstrap's P(δ* ≥ 2δ) for each ordered pair, shape (m, m).

    0 where no resample reaches twice the observed difference.

    Raises
    ------
    Stopped
        If `keep_going` says so.
    """
    m = wins.shape[0]
    first, second = np.triu_indices(m, 1)
    splits = np.column_stack([wins[first, second], wins[second, first]])
    # In one order, so that a pair and its mirror are one computation.
    distinct, which = np.unique(np.sort(splits, axis=1), axis=0, return_inverse=True)
    tails = np.empty((distinct.shape[0], 2))
    for start in range(0, distinct.shape[0], _BLOCK):
        check_going(keep_going)
        part = distinct[start : start + _BLOCK]
        tails[start : start + _BLOCK] = _tails(part[:, 1], part[:, 0], n_examples)
    found = tails[which.ravel()]
    turned = splits[:, 0] < splits[:, 1]
    p_values = np.ones((m, m))
    p_values[first, second] = np.where(turned, found[:, 1], found[:, 0])
    p_values[second, first] = np.where(turned, found[:, 0], found[:, 1])
    return p_values


def _tails(more: IntArray, fewer: IntArray, n: int) -> FloatArray:
    """P-values of the systems ahead by `more` to `fewer`, and of the others, shape (k, 2).

    The sum D* of n draws of 1, 0 and −1 is tilted by x^D* so that its mean is
    t = 2(more − fewer): the tail from t on then begins at the peak and keeps its
    digits however small it is (see `significance.lattice`). The tilt of three
    points has a closed form, and some eight standard deviations to either side
    of t are all that one transform must hold.
    """
    from scipy.fft import irfft, next_fast_len

    found = np.ones((more.size, 2))
    t = 2 * (more - fewer)
    found[t > n, 0] = 0.0
    only_all = (t == n) & (more > 0)
    # Nothing but the best example n times.
    found[only_all, 0] = np.maximum((more[only_all] / n) ** float(n), SMALLEST)
    inner = np.flatnonzero((t < n) & (more > 0))
    if not inner.size:
        return found
    w, loss = (one[inner].astype(np.float64) for one in (more, fewer))
    equal = n - w - loss
    target = t[inner] / n
    a = w * (1.0 - target)
    b = target * equal
    x = (b + np.sqrt(b * b + 4.0 * a * loss * (1.0 + target))) / (2.0 * a)
    with np.errstate(divide="ignore"):
        up, down = w * x, loss / x
    total = up + equal + down
    variance = n * ((up + down) / total - target**2)
    width = int(min(n, np.ceil(8.0 * np.sqrt(float(variance.max())) + 30.0)))
    length = next_fast_len(2 * width + 1, real=True)
    angles = 2.0 * np.pi / length * np.arange(length // 2 + 1)
    real = (equal[:, np.newaxis] + np.outer(up + down, np.cos(angles))) / total[:, np.newaxis]
    imaginary = np.outer((down - up) / total, np.sin(angles))
    # Elsewhere the n-th power of the transform drowns in the rounding of its peak.
    row, column = np.nonzero(real * real + imaginary * imaginary > np.exp(-100.0 / n))
    logs = n * np.log(real[row, column] + 1j * imaginary[row, column])
    transform = np.zeros(real.shape, dtype=np.complex128)
    transform[row, column] = np.exp(logs + 1j * (t[inner][row] * angles[column]))
    chances = np.maximum(irfft(transform, n=length, axis=1)[:, : width + 1], 0.0)
    log_x = np.log(x)
    beyond_t = np.arange(width + 1)
    # No sum exceeds n; what stands there are the lowest sums, once around.
    chances[beyond_t > n - t[inner][:, np.newaxis]] = 0.0
    scaled = chances * np.exp(-np.outer(log_x, beyond_t))
    size = np.exp(n * np.log(total / n) - t[inner] * log_x)
    tail = scaled.sum(axis=1) * size
    beyond = scaled[:, 1:].sum(axis=1) * size
    found[inner, 0] = np.clip(tail, SMALLEST, 1.0)
    found[inner, 1] = np.clip(1.0 - beyond, 0.0, 1.0)
    return found


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
