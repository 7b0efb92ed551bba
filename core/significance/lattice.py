"""Exact distributions of sums of whole numbers, with tails to their last digit.

Vocabulary
----------
lattice
    The multiples of one step. Differences of 0/1 outcomes or of printed scores
    lie on one, and so do their sums.
bins
    The points of the lattice that a sum can reach, counted from the lowest to
    the highest.
tilt
    Weights exp(θ·s) that move the centre of a distribution into its tail. A
    Fourier transform errs by 1e-16 of the highest bin: untilted, a tail of 1e-50
    drowns in that; tilted, the tail is the highest bin (Esscher 1932; the θ is
    that of the saddlepoint method, Daniels 1954).

`DrawSum` and `SignSum` find one tail to its last digit, with every bin; `upper_tails_of` gives all
tails of a sum under fair signs at once, each to about 1e-12. `tails_of` finds those of many samples
of one lattice at once: only a window around where a tail begins is transformed, outside of which
less than 1e-15 of a tilted sum lies (Bernstein's inequality).
"""

from __future__ import annotations

import heapq
import math
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import count

import numpy as np
import numpy.typing as npt

from ..types import BoolArray, FloatArray, IntArray
from .resamples import product
from .stopping import KeepGoing, check_going

Integers = npt.NDArray[np.int64]

# 32 MiB of floats for one array of bins; a transform holds three such at once.
MAX_BINS = 1 << 22
# The same words on every dataset: a page leaves out notes that all have.
TOO_MANY_BINS = f"the exact distribution would need more than {MAX_BINS:,} bins"
# Above this a plain transform still has nine digits, so that it need not be tilted.
_PLAIN_ENOUGH = 1e-3
# Sums of few terms are convolved one by one while they fit the processor's cache, and so are
# however long ones of few values.
_BLOCK = 1 << 14
_FEW_VALUES = 64
# A sum of independent terms lies farther from its mean than this times the root of its terms'
# squared ranges with chance 1e-20 at most (Hoeffding 1963, theorem 2).
_REACH = 4.83
# A possible event never gets probability 0, however small it is.
SMALLEST = sys.float_info.min


class DrawSum:
    """Sum of independent draws, with replacement, from given whole numbers, on `n_bins` bins."""

    def __init__(self, integers: Integers, n_draws: int, keep_going: KeepGoing = None) -> None:
        self._integers, self._keep_going = integers, keep_going
        values, counts = np.unique(integers, return_counts=True)
        self.n_draws = n_draws
        self.lowest = int(values[0])
        offsets = values - self.lowest
        self.stride = max(1, int(np.gcd.reduce(offsets)))
        self._offsets: Integers = offsets // self.stride
        self._chances: FloatArray = counts / integers.size
        self._top = n_draws * int(self._offsets[-1])
        self.n_bins = self._top + 1

    def at_least(self, total: int) -> float:
        """P(sum >= total), to a relative 1e-6 however small; 0 only where no sum reaches it."""
        first = -((self.n_draws * self.lowest - total) // self.stride)
        if first <= 0:
            return 1.0
        if first > self._top:
            return 0.0
        plain = float(self._plain[first:].sum())
        if plain > _PLAIN_ENOUGH:
            return min(plain, 1.0)
        return max(self._tilted_tail(first), SMALLEST)

    def at_most(self, total: int) -> float:
        """P(sum <= total), as `at_least`."""
        return self._mirrored.at_least(-total)

    def quantiles(self, tail: float, upper_tail: float | None = None) -> tuple[int, int]:
        """The largest s with P(sum >= s) >= 1 - tail, the smallest with P(sum <= s) >= 1 - tail."""
        # Room for the rounding of the sums, so that a tie is a tie.
        enough, enough_above = (
            (1.0 - one) * (1.0 - 1e-12)
            for one in (tail, tail if upper_tail is None else upper_tail)
        )
        high = int(np.argmax(np.cumsum(self._plain) >= enough_above))
        low = self._top - int(np.argmax(np.cumsum(self._plain[::-1]) >= enough))
        base = self.n_draws * self.lowest
        return base + low * self.stride, base + high * self.stride

    @cached_property
    def _mirrored(self) -> DrawSum:
        mirrored = DrawSum(-self._integers, self.n_draws, self._keep_going)
        mirrored.__dict__["_plain"] = self._plain[::-1]
        return mirrored

    @cached_property
    def _plain(self) -> FloatArray:
        return self._distribution(self._chances)

    def _distribution(self, chances: FloatArray) -> FloatArray:
        from scipy.fft import irfft, next_fast_len, rfft

        check_going(self._keep_going)
        mean = float(self._offsets @ chances)
        # Bins out of reach are left at 0: a transform without them folds what they hold, which is
        # less than a float's last digit, onto the others.
        reach = _REACH * math.sqrt(self.n_draws) * float(self._offsets[-1]) + 1.0
        lowest = max(0, math.floor(self.n_draws * mean - reach))
        highest = min(self._top, math.ceil(self.n_draws * mean + reach))
        length = next_fast_len(highest - lowest + 1, real=True)
        # Counted from the mean on, the transform turns slowly where it is large,
        # and raising it to a high power costs no digits.
        centre = round(mean)
        one_draw = np.zeros(length)
        one_draw[(self._offsets - centre) % length] = chances
        all_draws: FloatArray = irfft(rfft(one_draw) ** self.n_draws, n=length)
        rolled = np.roll(all_draws, (self.n_draws * centre - lowest) % length)
        kept = np.zeros(self.n_bins)
        np.maximum(rolled[: highest - lowest + 1], 0.0, out=kept[lowest : highest + 1])
        # Chances that add up to 1 + 1e-16 would do so n times over.
        kept /= kept.sum()
        return kept

    def _tilted_tail(self, first: int) -> float:
        below_top = self._offsets - self._offsets[-1]
        if first == self._top:
            return float(np.exp(self.n_draws * np.log(self._chances[-1])))

        def tilted(theta: float) -> tuple[FloatArray, float]:
            weights = self._chances * np.exp(theta * below_top)
            total = float(weights.sum())
            return weights / total, total

        target = first / self.n_draws
        theta = _root(
            lambda t: float(tilted(t)[0] @ self._offsets) - target, 1.0 / float(self._offsets[-1])
        )
        chances, total = tilted(theta)
        tail = self._distribution(chances)[first:]
        log_scale = theta * (self._top - first) + self.n_draws * np.log(total)
        return float((tail * np.exp(-theta * np.arange(tail.size))).sum() * np.exp(log_scale))


class SignSum:
    """Sum over those of given whole numbers, none below 0, that a fair coin each picks.

    It is on `n_bins` bins. Of sizes of differences, twice this sum less their total is the sum
    under random signs.
    """

    def __init__(self, integers: Integers) -> None:
        values, counts = np.unique(integers[integers != 0], return_counts=True)
        self.stride = max(1, int(np.gcd.reduce(values)))
        self._values: Integers = values // self.stride
        self._counts: Integers = counts.astype(np.int64)
        self._top = int(self._values @ self._counts)
        self.n_bins = self._top + 1

    def tails(self, total: int, keep_going: KeepGoing = None) -> tuple[float, float]:
        """P(sum >= total) and P(sum <= total), the smaller one to a relative 1e-6 or better."""
        low = -(-total // self.stride)
        high = total // self.stride
        if low > self._top:
            return 0.0, 1.0
        if high < 0:
            return 1.0, 0.0
        if 2 * low >= self._top:
            tail, point = self._upper(low, keep_going)
            return tail, min(1.0, 1.0 - tail + (point if low == high else 0.0))
        # The distribution is symmetric: at most s is at least top - s.
        tail, point = self._upper(self._top - high, keep_going)
        return min(1.0, 1.0 - tail + (point if low == high else 0.0)), tail

    @property
    def points(self) -> FloatArray:
        """P(sum = 0), ..., P(sum = total), each to about 1e-12."""
        part = self._distribution(np.full(self._values.size, 0.5), None)
        points = np.zeros(self._top * self.stride + 1)
        first = part.lowest * self.stride
        points[first : first + part.chances.size * self.stride : self.stride] = part.chances
        return np.asarray(points / points.sum(), dtype=np.float64)

    def _upper(self, first: int, keep_going: KeepGoing) -> tuple[float, float]:
        """P(sum >= first) and P(sum = first) for `first` in the upper half."""
        if first == self._top:
            smallest = max(2.0 ** -float(self._counts.sum()), SMALLEST)
            return smallest, smallest
        values = self._values.astype(np.float64)

        def chances(theta: float) -> FloatArray:
            return 1.0 / (1.0 + np.exp(-theta * values))

        theta = _root(
            lambda t: float((values * self._counts) @ chances(t)) - first, 1.0 / float(values[-1])
        )
        part = self._distribution(chances(theta), keep_going)
        # Tilted, the mean is `first`: never below what is kept.
        sums = part.chances[first - part.lowest :]
        log_scale = theta * (self._top - first) + float(
            self._counts @ (np.log1p(np.exp(-theta * values)) - np.log(2.0))
        )
        scale = float(np.exp(log_scale))
        tail = float((sums * np.exp(-theta * np.arange(sums.size))).sum()) * scale
        return min(1.0, max(tail, SMALLEST)), float(sums[0]) * scale

    def _distribution(self, chances: FloatArray, keep_going: KeepGoing) -> _Sum:
        order = count()
        parts: list[tuple[int, int, _Sum]] = []
        few = self._values.size <= _FEW_VALUES
        block = _Sum(lowest=0, chances=np.ones(1), mean=0.0, squares=0.0)

        def push(part: _Sum) -> None:
            heapq.heappush(parts, (part.chances.size, next(order), part))

        for value, number, chance in zip(
            self._values.tolist(), self._counts.tolist(), chances.tolist(), strict=True
        ):
            if number <= 4 and (few or block.chances.size + number * value <= _BLOCK):
                if few:
                    check_going(keep_going)
                block = block.with_coins(value, number, chance)
            elif number == 1:
                push(block)
                block = _Sum.of_coins(value, number, chance)
            else:
                push(_Sum.of_coins(value, number, chance))
        push(block)
        # The two shortest first, so that long transforms are few.
        while len(parts) > 1:
            check_going(keep_going)
            first, second = heapq.heappop(parts)[2], heapq.heappop(parts)[2]
            push(first.plus(second))
        return parts[0][2]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Sum:
    """The distribution of a sum of independent terms, but for what is too far out to matter.

    `chances` are those of the sum `lowest` and of each later one; `squares` is the sum of the
    terms' squared ranges.
    """

    lowest: int
    chances: FloatArray
    mean: float
    squares: float

    @classmethod
    def of_coins(cls, value: int, number: int, chance: float) -> _Sum:
        """So many terms that are `value` with this chance, else 0."""
        spread = np.zeros(number * value + 1)
        spread[::value] = _binomial(number, chance)
        whole = cls(
            lowest=0,
            chances=spread,
            mean=number * value * chance,
            squares=float(number) * float(value) ** 2,
        )
        return whole._within_reach()

    def with_coins(self, value: int, number: int, chance: float) -> _Sum:
        """The sum with those terms, convolved one by one: every probability keeps its digits."""
        joined = np.zeros(self.chances.size + number * value)
        for times, share in enumerate(_binomial(number, chance).tolist()):
            joined[times * value : times * value + self.chances.size] += share * self.chances
        return _Sum(
            lowest=self.lowest,
            chances=joined,
            mean=self.mean + number * value * chance,
            squares=self.squares + float(number) * float(value) ** 2,
        )

    def plus(self, other: _Sum) -> _Sum:
        """The sum of both, by a transform."""
        joined = _Sum(
            lowest=self.lowest + other.lowest,
            chances=_convolve(self.chances, other.chances),
            mean=self.mean + other.mean,
            squares=self.squares + other.squares,
        )
        return joined._within_reach()

    def _within_reach(self) -> _Sum:
        reach = _REACH * self.squares**0.5
        first = max(0, int(self.mean - reach) - self.lowest)
        last = int(self.mean + reach) + 2 - self.lowest
        return replace(
            self, lowest=self.lowest + first, chances=self.chances[first : max(last, first + 1)]
        )


def _convolve(first: FloatArray, second: FloatArray) -> FloatArray:
    if min(first.size, second.size) <= 64:
        return np.convolve(first, second)
    from scipy.fft import irfft, next_fast_len, rfft

    size = first.size + second.size - 1
    length = next_fast_len(size, real=True)
    joined: FloatArray = irfft(rfft(first, length) * rfft(second, length), n=length)[:size]
    return np.maximum(joined, 0.0, out=joined)


def _binomial(number: int, chance: float) -> FloatArray:
    if number == 1:
        return np.array([1.0 - chance, chance])
    if chance >= 1.0:
        certain = np.zeros(number + 1)
        certain[-1] = 1.0
        return certain
    successes = np.arange(number, dtype=np.float64)
    # ln P(k+1)/P(k), added up from the mode in both directions.
    steps = np.log((number - successes) / (successes + 1.0)) + np.log(chance) - np.log1p(-chance)
    mode = min(number, int((number + 1) * chance))
    logs = np.empty(number + 1)
    logs[mode] = 0.0
    logs[mode + 1 :] = np.cumsum(steps[mode:])
    logs[:mode] = -np.cumsum(steps[:mode][::-1])[::-1]
    weights = np.exp(logs)
    normed: FloatArray = weights / weights.sum()
    return normed


def _root(function: Callable[[float], float], start: float) -> float:
    """The θ >= 0 at which a rising function crosses 0, or 0 where it starts above."""
    if function(0.0) >= 0.0:
        return 0.0
    low, high = 0.0, start
    while function(high) < 0.0:
        low, high = high, 2.0 * high
    # Any θ gives the same tail; this near the root it has all digits that it can have.
    for _ in range(12):
        middle = 0.5 * (low + high)
        if function(middle) < 0.0:
            low = middle
        else:
            high = middle
    return high


# Whole numbers are taken as they are where their distribution takes so few steps.
MOST_BINS = 1 << 18
MOST_STEPS = 1 << 23
# Else they, or floats, are rounded, so finely that it takes about so many; to a mean size of
# as many steps as these at least and at most.
_STEPS = 1 << 21
_COARSEST, _FINEST = 8.0, 1024.0
# Below about this a transform's tail is nothing but rounding.
_LEAST_TAIL = 1e-13


def whole_numbers(values: FloatArray, integers: Integers | None = None) -> tuple[Integers, bool]:
    """Differences, or their `integers`, as whole numbers; whether these are not rounded."""
    if integers is not None:
        divisor = max(1, int(np.gcd.reduce(integers))) if integers.size else 1
        reduced = integers // divisor
        sizes = np.abs(reduced)
        total = int(sizes.sum())
        if total <= MOST_BINS and np.unique(sizes).size * total <= MOST_STEPS:
            return reduced, True
    sizes = np.abs(values)
    n = int(np.count_nonzero(sizes))
    if n == 0:
        return np.zeros(values.size, dtype=np.int64), True
    # Half of n·level bins for each different size, of which rounding leaves some four times level.
    n_sizes = np.unique(sizes).size
    level = max(2.0 * _STEPS / (n_sizes * n), math.sqrt(_STEPS / (2.0 * n)))
    level = min(max(level, _COARSEST), _FINEST)
    step = float(sizes.sum()) / (n * level)
    return np.rint(values / step).astype(np.int64), False


def upper_tails_of(points: FloatArray) -> FloatArray:
    """P(sum >= s) for each s, from the probabilities of all points."""
    tails = np.cumsum(points[::-1])[::-1]
    # Summed from below where that is the shorter way, so that no p-value is too small.
    below = np.concatenate([[0.0], np.cumsum(points)[:-1]])
    joined = np.where(tails > 0.5, 1.0 - below, tails)
    clipped: FloatArray = np.clip(joined, _LEAST_TAIL, 1.0)
    return clipped


# Below this share of the squares a spread is nothing but rounding.
_ROUNDING = 1e-12


def lattice_of(integers: Integers | None) -> tuple[float, float]:
    """Where sums of n of these lie: n times the first number and any number of the second, or of 0."""
    if integers is None or integers.size == 0:
        return 0.0, 0.0
    first = int(integers[0])
    return float(first), float(np.gcd.reduce(integers - first))


def spread_of(n: FloatArray, sums: FloatArray, squares: FloatArray) -> tuple[FloatArray, BoolArray]:
    """Sum of the squared deviations from the mean, 1 where there is none; whether some."""
    spread = squares - sums * sums / np.maximum(n, 1.0)
    varies = spread > _ROUNDING * squares
    return np.where(varies, spread, 1.0), varies


# ln of what may lie outside the window, or drown in the rounding of a transform's peak.
_LOG_OUTSIDE = 37.0
# Samples transformed at once: so many, and of all their terms so many points of transforms, which
# take 16 MiB and a fraction of a second.
_SAMPLES, _POINTS = 128, 1 << 21
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
    return max(1, min(_SAMPLES, int(_POINTS / (terms.values.shape[0] * (window + 1.0)))))


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
