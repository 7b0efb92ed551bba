"""Tests of the mean difference: approximate randomization, and Student's paired t-test.

Approximate randomization: A and B change places on random examples. Null hypothesis: the
two systems' scores on an example may be exchanged, so that each difference has a fair sign.
Under it the test is exact. That the mean difference is 0 is less: where differences with
mean 0 are skewed, it rejects at α = .05 as often as the t-test does, with losses rarer and
larger than gains .13 to .27 at n = 12, .10 to .18 at n = 30, .06 to .07 at n = 400 (rates
in `significance.choose.choose_test`).

Student's t. Null hypothesis: the mean difference is zero, the differences being normal (or
n large enough for their mean to be). Of outcomes and ratings it rejects at α = .05 (.01)
more often than α by at most .010 (.005) for n = 50, .005 (.003) for n = 200, .005 (.003)
for n = 1,000. Of skewed differences with mean 0 it rejects more often: with losses rarer
and larger than gains .10 to .18 at n = 30, .07 to .09 at n = 100, .06 to .07 at n = 400.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from ..types import BoolArray, FloatArray
from .differences import TIE_TOLERANCE, Differences
from .lattice import MAX_BINS, SMALLEST, TOO_MANY_BINS, Lattice, SignSum, spread_of
from .outcome import NO_EVIDENCE, Outcome, Sides, attainable, d_z
from .settings import Asked
from .stopping import KeepGoing, check_going

# All 2**20 assignments of signs are 8 MiB of sums.
ENUMERATED_UP_TO = 20
# Eight signs come from one random byte: a table holds the sum for each of its
# 256 values. A block of 512 such tables is 1 MiB and fits a processor's cache.
_TABLES = 512
# Bytes drawn at once.
_CHUNK_BYTES = 1 << 22


def is_exact(differences: Differences) -> bool:
    """Whether all swaps can be counted, so that "auto" needs no resamples.

    So it is on a lattice of at most 2**22 bins, and with up to 20 differences
    that are not zero.
    """
    if differences.n - differences.ties <= ENUMERATED_UP_TO:
        return True
    signs = _sign_sum(differences)
    return signs is not None and signs.n_bins <= MAX_BINS


def approximate_randomization(differences: Differences, asked: Asked) -> Outcome:
    """Chance that random swaps give a mean difference at least as large as the observed one.

    Exact by convolution on a lattice of at most 2**22 bins, or by trying all signs of up to 20
    differences that are not zero; p is then the share of the assignments with δ* >= δ (two-sided
    |δ*| >= |δ|). Else p = (s + 1)/(R + 1).

    Raises ValueError if "exact" is asked for and neither way is open.

    References
    ----------
    Noreen (1989), chapter 2; Fisher (1935), section 21.
    """
    settings, keep_going = asked.settings, asked.keep_going
    n_resamples = settings.n_resamples
    values = differences.values[differences.values != 0.0]
    if values.size == 0:
        return Outcome(p_values=NO_EVIDENCE, exact=True, statistic=0.0)
    notes = attainable(
        settings.alternative, n_differing=values.size, n=differences.n, unit=differences.unit
    )
    why_not = ""
    if settings.method != "monte-carlo":
        exact, why_not = _exact(differences, values, keep_going)
        if exact is not None:
            return Outcome(p_values=exact, exact=True, statistic=differences.mean, notes=notes)
        if settings.method == "exact":
            raise ValueError(f"`method` 'exact' must have differences on a lattice; {why_not}.")
        notes = (*notes, f"Monte Carlo: {why_not}")
    extreme = swapped(values, n_resamples, asked.rng, keep_going)
    return Outcome.of_resamples(*extreme, statistic=differences.mean, notes=notes)


def swapped(
    values: FloatArray, n_resamples: int, rng: np.random.Generator, keep_going: KeepGoing = None
) -> tuple[BoolArray, BoolArray, BoolArray]:
    """Which random swaps are as extreme as what was observed, shape (n_resamples, ...).

    For "A is better", "B is better" and two-sided.

    `values`, shape (n, ...): differences, none of them 0; of one sample, or of a column each.
    """
    room = TIE_TOLERANCE * np.abs(values).sum(axis=0)
    observed = values.sum(axis=0)
    # Of random signs the sum is twice that of the differences which are picked, less the total.
    # With A and B exchanged, the same ones are picked and every sum changes its sign alone.
    picked = _random_sums(values, n_resamples, rng, keep_going)
    high = picked >= observed - room
    low = picked <= observed + room
    outer = picked >= np.maximum(observed, 0.0) - room
    outer |= picked <= np.minimum(observed, 0.0) + room
    return high, low, outer


def _exact(
    differences: Differences, values: FloatArray, keep_going: KeepGoing
) -> tuple[Sides | None, str]:
    signs = _sign_sum(differences)
    if signs is not None:
        assert differences.integers is not None
        if signs.n_bins <= MAX_BINS:
            won = int(np.maximum(differences.integers, 0).sum())
            return Sides.of_tails(*signs.tails(won, keep_going)), ""
        why_not = TOO_MANY_BINS
    else:
        why_not = "the differences are not multiples of one step"
    if values.size > ENUMERATED_UP_TO:
        return None, why_not
    check_going(keep_going)
    sizes = np.abs(values)
    sums = np.zeros(1)
    for size in sizes.tolist():
        sums = np.concatenate([sums, sums + size])
    observed = float(sizes[values > 0.0].sum())
    room = TIE_TOLERANCE * float(sizes.sum())
    greater = float(np.count_nonzero(sums >= observed - room)) / sums.size
    less = float(np.count_nonzero(sums <= observed + room)) / sums.size
    return Sides.of_tails(greater, less), ""


def _sign_sum(differences: Differences) -> SignSum | None:
    """The sum of the differences under random signs, where they are multiples of one step."""
    whole = differences.integers
    return None if whole is None else SignSum(np.abs(whole[whole != 0]))


def random_bytes(
    n_bytes: int, n_resamples: int, rng: np.random.Generator, keep_going: KeepGoing
) -> Iterator[tuple[int, int, npt.NDArray[np.uint8]]]:
    """Random bytes of resamples in pieces, each with its first byte and its first resample.

    More of them begin with the same ones: a row's bytes are drawn together, and
    each block of bytes has its own stream.
    """
    blocks = range(0, n_bytes, _TABLES)
    streams = [rng]
    if len(blocks) > 1:
        seeds = rng.integers(2**63, size=len(blocks)).tolist()
        streams = [np.random.default_rng(seed) for seed in seeds]
    for first, stream in zip(blocks, streams, strict=True):
        width = min(_TABLES, n_bytes - first)
        rows = max(1, _CHUNK_BYTES // width)
        for start in range(0, n_resamples, rows):
            check_going(keep_going)
            shape = (min(rows, n_resamples - start), width)
            yield first, start, stream.integers(0, 256, size=shape, dtype=np.uint8)


def _random_sums(
    values: FloatArray, n_resamples: int, rng: np.random.Generator, keep_going: KeepGoing
) -> FloatArray:
    """Sums over random halves of `values`, shape (n_resamples, ...)."""
    n, columns = values.shape[0], values.shape[1:]
    sums = np.zeros((n_resamples, *columns))
    bits = ((np.arange(256)[np.newaxis, :] >> np.arange(8)[:, np.newaxis]) & 1).astype(np.float64)
    padded = np.zeros((-(-n // 8) * 8, *columns))
    padded[:n] = values
    eights = np.moveaxis(padded.reshape(-1, 8, *columns), 1, -1)
    for first, start, drawn in random_bytes(eights.shape[0], n_resamples, rng, keep_going):
        if start == 0:
            tables = np.moveaxis(eights[first : first + drawn.shape[1]] @ bits, -1, 1)
        part = sums[start : start + drawn.shape[0]]
        for table, picked in zip(tables, np.ascontiguousarray(drawn.T), strict=True):
            part += np.ascontiguousarray(table)[picked]
    return sums


def paired_t(differences: Differences) -> Outcome:
    """Mean difference over its standard error, n − 1 degrees of freedom.

    Where differences do not vary (n = 1 among those), t is undefined and every
    p-value is 1: no variance can be guessed from none.

    References
    ----------
    Student (Biometrika 1908); Dror et al. (ACL 2018), section 3.1.
    """
    n = differences.n
    # By a power of two, so that squares neither overflow nor vanish.
    scale = 2.0 ** -math.frexp(float(np.abs(differences.values).max()))[1]
    deviation = 0.0 if differences.constant else float((differences.values * scale).std(ddof=1))
    if deviation == 0.0:
        reason = "n = 1" if n == 1 else "the differences do not vary"
        return Outcome(
            p_values=NO_EVIDENCE,
            exact=True,
            statistic=None,
            notes=(f"{reason}: t is undefined, p = 1",),
            approximation="student",
            effect_size=d_z(differences),
        )
    from scipy.special import stdtr

    t = differences.mean * scale * math.sqrt(n) / deviation
    greater, less, two_sided = (
        max(float(tail), SMALLEST)
        for tail in (stdtr(n - 1, -t), stdtr(n - 1, t), 2.0 * stdtr(n - 1, -abs(t)))
    )
    return Outcome(
        p_values=Sides(greater, less, min(1.0, two_sided)),
        exact=True,
        statistic=t,
        approximation="student",
        effect_size=d_z(differences),
    )


class StudentTest:
    """The kernel of the paired t-test."""

    def of_differences(self, differences: Differences, asked: Asked) -> Outcome:
        """As `paired_t`."""
        return paired_t(differences)

    def p_of_moments(
        self,
        n: FloatArray,
        sums: FloatArray,
        squares: FloatArray,
        lattice: Lattice,
    ) -> FloatArray:
        """P-values of "A is better", elementwise; 1 where differences do not vary."""
        from scipy.special import stdtr

        spread, varies = spread_of(n, sums, squares)
        varies &= n >= 2.0
        freedom = np.maximum(n - 1.0, 1.0)
        variance = np.where(varies, spread, 1.0) / freedom
        t = sums / np.sqrt(np.maximum(n, 1.0) * variance)
        tails: FloatArray = np.maximum(stdtr(freedom, -t), SMALLEST)
        return np.where(varies, tails, 1.0)


STUDENT = StudentTest()
