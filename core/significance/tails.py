"""Exact tails for many samples of one lattice at once.

Vocabulary
----------
row
    One sample, given by how often it has each of the lattice's values.
window
    The bins around the centre of a row's distribution outside which less than
    1e-15 of it lies (Bernstein's inequality): a transform as long as the window
    folds the rest onto it, which changes nothing that floats can hold.
tilt
    As in `significance.lattice`, which does the same for one sample with
    every bin.
frequency
    Of the transform: few of them are not 0 to the last digit, and only those are
    added up. The weights that make a tail of them are geometric sums.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from ..types import FloatArray, IntArray
from .counting import fair_coin_at_least
from .lattice import SMALLEST, Integers
from .resamples import product
from .stopping import KeepGoing, check_going

# ln of what may lie outside the window.
_LOG_OUTSIDE = 37.0
# Numbers held at once: 16 MiB as complex ones.
_HELD = 1 << 20
# A window above this takes longer than resampling does.
LONGEST_WINDOW = 1 << 16
# Distinct values times bins: the table of phases is then 16 MiB.
LARGEST_TABLE = 1 << 20
# Any tilt gives the same tail; this near the root its sum has all digits that it can have.
_HALVINGS = 12
_TINY = np.finfo(np.float64).tiny


def fits(values: Integers, n_draws: int, *, signs: bool) -> bool:
    """Whether exact tails of sums of `n_draws` are quicker than resamples.

    Parameters
    ----------
    values : ndarray of int64
        Distinct values.
    signs : bool
        Whether each value comes with a random sign, instead of being drawn.
    """
    breadth = float(np.abs(values).max()) if signs else float(values[-1] - values[0])
    width = min(2.0 * _half_width(breadth, n_draws * breadth**2 / 4.0), n_draws * breadth + 1.0)
    return width <= LONGEST_WINDOW and width * values.size <= LARGEST_TABLE


def draws_at_least(
    values: Integers, counts: Integers, n_draws: int, totals: Integers
) -> FloatArray:
    """P(sum of draws with replacement >= total) of each row, shape (rows,).

    0 only where no sum of so many draws reaches the total.

    Parameters
    ----------
    values : ndarray of int64, shape (k,)
        Rising.
    counts : ndarray of int64, shape (rows, k)
        How often a row has each value; each draw gives it with that share.
    n_draws : int
        How many are drawn and added.
    totals : ndarray of int64, shape (rows,)
        One a row.
    """
    tails = np.empty(totals.size)
    offsets = values - values[0]
    first = totals - n_draws * int(values[0])
    chances = counts / counts.sum(axis=1, keepdims=True)
    present = counts > 0
    top = offsets[values.size - 1 - np.argmax(present[:, ::-1], axis=1)]
    bottom = offsets[np.argmax(present, axis=1)]
    tails[first > n_draws * top] = 0.0
    tails[first <= n_draws * bottom] = 1.0
    at_top = first == n_draws * top
    all_top = np.flatnonzero(at_top & (top > bottom))
    of_top = np.take_along_axis(chances, np.searchsorted(offsets, top)[:, np.newaxis], axis=1)
    tails[all_top] = np.maximum(of_top[all_top, 0] ** n_draws, SMALLEST)
    open_rows = np.flatnonzero((first > n_draws * bottom) & (first < n_draws * top))
    if open_rows.size == 0:
        return tails
    below_top = (offsets - top[open_rows, np.newaxis]).astype(np.float64)
    # Values that a row does not have may lie above its top.
    below_top[below_top > 0.0] = 0.0
    weights = chances[open_rows]
    theta = _tilts(
        lambda t: _mean_of(weights * np.exp(t[:, np.newaxis] * below_top), offsets),
        first[open_rows] / n_draws,
        1.0 / float(offsets[-1]),
    )
    tilted = weights * np.exp(theta[:, np.newaxis] * below_top)
    sums = tilted.sum(axis=1)
    tilted /= sums[:, np.newaxis]
    scale = theta * (n_draws * top[open_rows] - first[open_rows]) + n_draws * np.log(sums)
    means = tilted @ offsets
    variances = np.maximum(tilted @ offsets.astype(np.float64) ** 2 - means**2, 0.0) * n_draws
    length, half = _length(float(offsets[-1]), variances, n_draws * int(offsets[-1]))
    centre = round(float(means.mean()))
    frequencies = np.arange(length // 2 + 1)
    turns = (frequencies[np.newaxis, :] * (offsets - centre)[:, np.newaxis]) % length
    phases = np.exp((-2j * np.pi / length) * turns)
    for part in _parts(open_rows.size, length):
        one_draw = product(tilted[part], phases.real) + 1j * product(tilted[part], phases.imag)
        squares = one_draw.real**2 + one_draw.imag**2
        heard = (n_draws * np.log(np.maximum(squares, _TINY)) > -2.0 * _LOG_OUTSIDE).any(axis=0)
        tails[open_rows[part]] = _tail(
            one_draw[:, heard] ** n_draws,
            frequencies[heard],
            base=np.maximum(np.floor(n_draws * means[part] - half).astype(np.int64), 0),
            origin=n_draws * centre,
            length=length,
            first=first[open_rows[part]],
            theta=theta[part],
            log_scale=scale[part],
        )
    return tails


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


def signs_at_least(sizes: Integers, counts: Integers, totals: Integers) -> FloatArray:
    """P(sum of those that a fair coin each picks >= total) of each row, shape (rows,).

    Parameters
    ----------
    sizes : ndarray of int64, shape (k,)
        Positive and rising.
    counts : ndarray of int64, shape (rows, k)
        How often a row has each size.
    totals : ndarray of int64, shape (rows,)
        One a row.
    """
    tops = counts @ sizes
    if sizes.size == 1:
        wins = -(-totals // sizes[0])
        return fair_coin_at_least(wins, counts[:, 0] - wins)
    tails = np.ones(totals.size)
    n_units = counts.sum(axis=1)
    tails[totals > tops] = 0.0
    at_top = (totals == tops) & (totals > 0)
    tails[at_top] = np.maximum(2.0 ** -n_units[at_top].astype(np.float64), SMALLEST)
    open_rows = np.flatnonzero((totals > 0) & (totals < tops))
    if open_rows.size == 0:
        return tails
    numbers, first = counts[open_rows], totals[open_rows]
    values = sizes.astype(np.float64)

    def picked(theta: FloatArray) -> FloatArray:
        return 1.0 / (1.0 + np.exp(-theta[:, np.newaxis] * values))

    weighted = numbers * values
    theta = _tilts(
        lambda t: (weighted * picked(t)).sum(axis=1), first.astype(np.float64), 1.0 / values[-1]
    )
    chances = picked(theta)
    log_ones = np.log1p(np.exp(-theta[:, np.newaxis] * values)) - np.log(2.0)
    scale = theta * (tops[open_rows] - first) + (numbers * log_ones).sum(axis=1)
    means = (weighted * chances).sum(axis=1)
    variances = (weighted * values * chances * (1.0 - chances)).sum(axis=1)
    length, half = _length(float(values[-1]), variances, int(tops.max()))
    frequencies = np.arange(length // 2 + 1)
    turns = (frequencies[np.newaxis, :] * sizes[:, np.newaxis]) % length
    phases = np.exp((-2j * np.pi / length) * turns)
    for part in _parts(open_rows.size, length):
        # |1 − c + c·e^{iφ}|² = 1 − 2c(1 − c)(1 − cos φ) <= exp of what is taken from 1.
        spread = numbers[part] * chances[part] * (1.0 - chances[part])
        heard = (product(spread, 1.0 - phases.real) < _LOG_OUTSIDE).any(axis=0)
        transform = np.ones((spread.shape[0], int(np.count_nonzero(heard))), dtype=np.complex128)
        for k, phase in enumerate(phases[:, heard]):
            chance = chances[part, k, np.newaxis]
            transform *= ((1.0 - chance) + chance * phase) ** numbers[part, k, np.newaxis]
        tails[open_rows[part]] = _tail(
            transform,
            frequencies[heard],
            base=np.maximum(np.floor(means[part] - half).astype(np.int64), 0),
            origin=0,
            length=length,
            first=first[part],
            theta=theta[part],
            log_scale=scale[part],
        )
    return tails


def _mean_of(weights: FloatArray, offsets: Integers) -> FloatArray:
    mean: FloatArray = (weights @ offsets) / weights.sum(axis=1)
    return mean


def _half_width(breadth: float, variance: float) -> float:
    """Bernstein: P(|S − μ| > t) <= 2·exp(−t² / (2·variance + 2·breadth·t/3))."""
    third = breadth * _LOG_OUTSIDE / 3.0
    return third + float(np.sqrt(third**2 + 2.0 * _LOG_OUTSIDE * variance))


def _length(breadth: float, variances: FloatArray, top: int) -> tuple[int, float]:
    """How many bins to transform, and how far they reach to either side of a row's centre."""
    half = np.ceil(_half_width(breadth, float(variances.max()))) + 1.0
    length = int(min(2.0 * half + 2.0, top + 1.0))
    # Odd, so that every frequency but 0 comes twice.
    return length + 1 - length % 2, float(half)


def _parts(n_rows: int, length: int) -> Iterator[slice]:
    held = max(1, _HELD // length)
    return (slice(start, start + held) for start in range(0, n_rows, held))


def _tilts(
    mean_at: Callable[[FloatArray], FloatArray], targets: FloatArray, start: float
) -> FloatArray:
    """Of each row the θ >= 0 at which its mean is the target, or 0 where it starts above."""
    low = np.zeros(targets.size)
    high = np.full(targets.size, start)
    below = mean_at(low) < targets
    while True:
        short = below & (mean_at(high) < targets)
        if not short.any():
            break
        low[short] = high[short]
        high[short] *= 2.0
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        short = mean_at(middle) < targets
        low = np.where(short, middle, low)
        high = np.where(short, high, middle)
    return np.where(below, high, 0.0)


def _tail(
    transform: npt.NDArray[np.complex128],
    frequencies: IntArray,
    *,
    base: Integers,
    origin: int,
    length: int,
    first: Integers,
    theta: FloatArray,
    log_scale: FloatArray,
) -> FloatArray:
    """Tails from the transforms of tilted rows, whose windows begin at `base`.

    The tail is Σ chance(s)·exp(−θ(s − first)) over the window from `first` on,
    times `exp(log_scale)`.
    """
    start = np.maximum(first, base)
    n_bins = base + length - start
    inside = n_bins > 0
    angle = 2.0 * np.pi / length
    turns = (frequencies[np.newaxis, :] * ((start - origin) % length)[:, np.newaxis]) % length
    ratio = np.exp(-theta[:, np.newaxis] + 1j * angle * frequencies[np.newaxis, :])
    bins = np.maximum(n_bins, 1)[:, np.newaxis]
    ends = (frequencies[np.newaxis, :] * bins) % length
    last = np.exp(-theta[:, np.newaxis] * bins + 1j * angle * ends)
    with np.errstate(divide="ignore", invalid="ignore"):
        sums = (1.0 - last) / (1.0 - ratio)
        plain = np.where(theta > 0.0, np.expm1(-theta * bins[:, 0]) / np.expm1(-theta), bins[:, 0])
    sums[:, frequencies == 0] = plain[:, np.newaxis]
    twice = np.where(frequencies == 0, 1.0, 2.0)
    terms = (transform * np.exp(1j * angle * turns) * sums).real
    with np.errstate(over="ignore", under="ignore"):
        shifted = np.exp(log_scale - theta * (start - first))
        tails = (terms @ twice) / length * shifted
    kept: FloatArray = np.minimum(1.0, np.maximum(np.where(inside, tails, 0.0), SMALLEST))
    return kept
