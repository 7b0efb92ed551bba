"""Exact tails of sums of whole numbers, for many samples of one lattice at once.

As in `significance.lattice`, which does the same for one sample with every bin, sums are
tilted so that their mean is where the tail begins. Here only a window around it is
transformed, outside of which less than 1e-15 of a tilted sum lies (Bernstein's inequality).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..types import BoolArray, FloatArray, IntArray
from .lattice import SMALLEST, Integers
from .resamples import product
from .stopping import KeepGoing, check_going

# ln of what may lie outside the window, or drown in the rounding of a transform's peak.
_LOG_OUTSIDE = 37.0
# Samples transformed at once: so many, and of all their terms so many points of transforms, which
# take 16 MiB and a fraction of a second.
_BLOCK, _POINTS = 128, 1 << 21
# Any tilt gives the same tail; this near the root its sum has all digits that it can have.
_NEAR = 1 / 64


def half_window(breadth: float, variance: float) -> float:
    """How far from its mean a sum of terms of this breadth may lie (Bernstein)."""
    third = breadth * _LOG_OUTSIDE / 3.0
    return third + math.sqrt(third**2 + 2.0 * _LOG_OUTSIDE * variance)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Terms:
    """Of each sample the independent terms whose sum is asked about, in groups of equal ones.

    `values`, shape (groups, k), rising, are what a term may be, with these `weights`, shape (rows,
    groups, k), 0 for what it cannot be; there are so many, `times`, shape (rows, groups).
    """

    values: Integers
    weights: FloatArray
    times: IntArray

    @classmethod
    def of_draws(cls, values: Integers, counts: IntArray) -> Terms:
        """As many draws with replacement from each row as it has: `counts` of each value."""
        n = counts.sum(axis=1, keepdims=True)
        return cls(values=values[np.newaxis], weights=counts[:, np.newaxis, :] / 1.0, times=n)

    @classmethod
    def of_picks(cls, sizes: Integers, counts: IntArray) -> Terms:
        """Those of each row, `counts` of each size, that a fair coin each picks."""
        values = np.stack([np.zeros_like(sizes), sizes], axis=1)
        weights = np.ones((counts.shape[0], *values.shape))
        return cls(values=values, weights=weights, times=counts)

    def part(self, rows: IntArray | BoolArray) -> Terms:
        """Some of the samples."""
        return Terms(values=self.values, weights=self.weights[rows], times=self.times[rows])

    def ends(self) -> tuple[Integers, Integers]:
        """The lowest and the highest sum of each sample."""
        there = self.weights > 0.0
        lowest = np.where(there, self.values, self.values[:, -1:]).min(axis=2)
        return (lowest * self.times).sum(axis=1), (self._highest() * self.times).sum(axis=1)

    def _highest(self) -> Integers:
        highest: Integers = np.where(self.weights > 0.0, self.values, self.values[:, :1]).max(
            axis=2
        )
        return highest

    def chance_of_highest(self) -> FloatArray:
        """P(sum is the highest) of each sample."""
        is_highest = self.values == self._highest()[:, :, np.newaxis]
        shares = (self.weights * is_highest).sum(axis=2) / self.weights.sum(axis=2)
        chances: FloatArray = np.exp((self.times * np.log(shares)).sum(axis=1))
        return np.maximum(chances, SMALLEST)

    def tilted(self, theta: FloatArray) -> tuple[Terms, FloatArray]:
        """Weights times exp(θ·value), normed to chances, and the log of what the sums' norm is."""
        highest = self._highest()
        # What a term cannot be may lie above all that it can.
        below = np.minimum(self.values - highest[:, :, np.newaxis], 0)
        weights = self.weights * np.exp(theta[:, np.newaxis, np.newaxis] * below)
        norms, own = weights.sum(axis=2), self.weights.sum(axis=2)
        chances = weights / norms[:, :, np.newaxis]
        logs = np.log(norms / own) + theta[:, np.newaxis] * highest
        return (
            Terms(values=self.values, weights=chances, times=self.times),
            (self.times * logs).sum(axis=1),
        )

    def moments(self) -> tuple[FloatArray, FloatArray]:
        """Mean and variance of each sum; weights are chances."""
        means = (self.weights * self.values).sum(axis=2)
        deviations = self.values - means[:, :, np.newaxis]
        variances = (self.weights * deviations**2).sum(axis=2)
        return (self.times * means).sum(axis=1), (self.times * variances).sum(axis=1)


def tails_of(
    terms: Terms, totals: IntArray, *, keep_going: KeepGoing = None
) -> tuple[FloatArray, FloatArray]:
    """P(sum >= total), to a relative 1e-6 however small, and P(sum = total) of each sample."""
    bottom, top = terms.ends()
    tails: FloatArray = np.where(totals < bottom, 1.0, 0.0)
    points: FloatArray = np.zeros(totals.size)
    at_top = totals == top
    tails[at_top] = points[at_top] = terms.part(at_top).chance_of_highest()
    within = np.flatnonzero((totals >= bottom) & (totals < top))
    if not within.size:
        return tails, points
    inner = terms.part(within)
    theta, step = _tilts(inner, totals[within]), _at_once(inner)
    for start in range(0, within.size, step):
        check_going(keep_going)
        own = slice(start, start + step)
        rows = within[own]
        tails[rows], points[rows] = _tails_within(terms.part(rows), totals[rows], theta[own])
    return tails, points


def _at_once(terms: Terms) -> int:
    bottom, top = terms.ends()
    breadths = (terms.values[:, -1] - terms.values[:, 0]).astype(np.float64)
    # No variance is larger than that of the ends alone.
    variance = 0.25 * float((terms.times @ breadths**2).max())
    window = min(2.0 * half_window(float(breadths.max()), variance), float((top - bottom).max()))
    return max(1, min(_BLOCK, int(_POINTS / (terms.values.shape[0] * (window + 1.0)))))


def _tails_within(
    terms: Terms, totals: IntArray, theta: FloatArray
) -> tuple[FloatArray, FloatArray]:
    from scipy.fft import irfft, next_fast_len

    tilted, log_norm = terms.tilted(theta)
    means, variances = tilted.moments()
    bottom, top = terms.ends()
    breadth = float((terms.values[:, -1] - terms.values[:, 0]).max())
    far = half_window(breadth, float(variances.max())) + float(np.abs(means - totals).max())
    width = math.ceil(far)
    length = next_fast_len(min(2 * width, int((top - bottom).max())) + 1, real=True)
    beyond = np.arange(min(width, int((top - totals).max())) + 1)
    chances = irfft(_transform(tilted, totals, length), n=length, axis=1)[:, : beyond.size]
    # What stands above the highest sum are the lowest ones, once around.
    chances[(chances < 0.0) | (beyond > (top - totals)[:, np.newaxis])] = 0.0
    chances *= np.exp(-np.outer(theta, beyond))
    scale = np.exp(log_norm - theta * totals)
    tails: FloatArray = np.clip(chances.sum(axis=1) * scale, SMALLEST, 1.0)
    return tails, chances[:, 0] * scale


def _transform(tilted: Terms, totals: IntArray, length: int) -> npt.NDArray[np.complex128]:
    """Of the chances of each sum from the total on, for `irfft`."""
    frequencies = np.arange(length // 2 + 1)
    # Whole turns are left out, so that angles have all digits.
    angles = 2.0 * np.pi / length * ((tilted.values[:, :, np.newaxis] * frequencies) % length)
    one = [
        product(own, np.cos(angle)) - 1j * product(own, np.sin(angle))
        for own, angle in zip(tilted.weights.transpose(1, 0, 2), angles, strict=True)
    ]
    sizes = np.zeros(one[0].shape)
    for term, times in zip(one, tilted.times.T, strict=True):
        squares = np.maximum(term.real**2 + term.imag**2, SMALLEST)
        sizes += times[:, np.newaxis] * np.log(squares)
    row, column = np.nonzero(sizes > -2.0 * _LOG_OUTSIDE)
    turned = (totals[row] * frequencies[column]) % length
    logs = 2j * np.pi / length * turned
    for term, times in zip(one, tilted.times.T, strict=True):
        logs = logs + times[row] * np.log(term[row, column])
    transform = np.zeros(sizes.shape, dtype=np.complex128)
    transform[row, column] = np.exp(logs)
    return transform


def _tilts(terms: Terms, totals: IntArray) -> FloatArray:
    """Of each sample the θ >= 0 at which its mean is the total, or 0 where it starts above."""

    def mean_at(theta: FloatArray) -> FloatArray:
        return terms.tilted(theta)[0].moments()[0]

    low = np.zeros(totals.size)
    mean, variance = terms.tilted(low)[0].moments()
    starts_below = mean < totals
    # That of a normal distribution.
    high = np.where(starts_below, totals - mean, 0.0) / np.where(variance > 0.0, variance, 1.0)
    while (short := starts_below & (mean_at(high) < totals)).any():
        low, high = np.where(short, high, low), np.where(short, 2.0 * high, high)
    while (high - low > _NEAR * high).any():
        middle = 0.5 * (low + high)
        short = mean_at(middle) < totals
        low, high = np.where(short, middle, low), np.where(short, high, middle)
    return np.where(starts_below, high, 0.0)


def outcomes_at_least(
    wins: IntArray, losses: IntArray, n: int, *, keep_going: KeepGoing = None
) -> FloatArray:
    """P(sum of n draws >= 2(wins − losses)), elementwise: bootstrapped 0/1 outcomes."""
    # In one order, so that a sample and its mirror are one computation.
    more, fewer = np.maximum(wins, losses), np.minimum(wins, losses)
    codes, which = np.unique(more * (n + 1) + fewer, return_inverse=True)
    more, fewer = np.divmod(codes, n + 1)
    counts = np.stack([fewer, n - more - fewer, more], axis=1)
    drawn = Terms.of_draws(np.array([-1, 0, 1]), counts)
    tails, points = tails_of(drawn, 2 * (more - fewer), keep_going=keep_going)
    which = which.reshape(wins.shape)
    return np.where(wins >= losses, tails[which], np.clip(1.0 - tails + points, 0.0, 1.0)[which])
