"""The bootstrap's exact p-values of 0/1 outcomes, for many samples at once."""

from __future__ import annotations

import numpy as np

from ..types import FloatArray, IntArray
from .lattice import SMALLEST
from .stopping import KeepGoing, check_going

# Pairs of wins and losses transformed at once: some 2 MiB, which a cache holds.
_BLOCK = 128


def outcomes_at_least(
    wins: IntArray, losses: IntArray, n: int, *, keep_going: KeepGoing = None
) -> FloatArray:
    """P(sum of n draws >= 2(wins − losses)) from so many 1, −1 and else 0, elementwise.

    The bootstrap's p-value of 0/1 outcomes. 0 where no n draws come so far.
    """
    # In one order, so that a sample and its mirror are one computation.
    more, fewer = np.maximum(wins, losses), np.minimum(wins, losses)
    codes, which = np.unique(more * (n + 1) + fewer, return_inverse=True)
    tails = np.empty((codes.size, 2))
    for start in range(0, codes.size, _BLOCK):
        check_going(keep_going)
        part = codes[start : start + _BLOCK]
        tails[start : start + _BLOCK] = _tails_of_outcomes(part // (n + 1), part % (n + 1), n)
    found = tails[which.reshape(wins.shape)]
    return np.where(wins >= losses, found[..., 0], found[..., 1])


def _tails_of_outcomes(more: IntArray, fewer: IntArray, n: int) -> FloatArray:
    """The tails of `more` wins and `fewer` losses, and of the reverse, shape (k, 2).

    The sum of n draws of 1, 0 and −1 is tilted by x to its power so that its mean is
    t = 2(more − fewer). The tilt of three points has a closed form, and some eight
    standard deviations to either side of t are all that one transform must hold.
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
