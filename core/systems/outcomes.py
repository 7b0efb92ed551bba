"""Exact p-values of all pairs from how many examples either system alone has right.

Of outcomes that are right or wrong a pair is two numbers, wins and losses: one
product of matrices gives them for all pairs, and pairs with the same two
numbers have the same p-value.
"""

from __future__ import annotations

import numpy as np

from core.significance.lattice import SMALLEST
from core.significance.stopping import KeepGoing, check_going
from core.systems.products import Product
from core.types import FloatArray, IntArray

# Pairs transformed at once: some 2 MiB, which a cache holds.
_BLOCK = 128


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
    digits however small it is (see `core.significance.lattice`). The tilt of three
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
