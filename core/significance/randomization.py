"""Approximate randomization: A and B change places on random examples.

Null hypothesis: the two systems' scores, or statistics, on an example may be exchanged, so
that each difference of scores has a fair sign. Under it the test is exact. That the mean
difference is 0 is less: where differences with mean 0 are skewed, it rejects at α = .05 as
often as the t-test does, with losses rarer and larger than gains .13 to .27 at n = 12, .10 to
.18 at n = 30, .06 to .07 at n = 400 (rates in `significance.choose.choose_test`).

All swaps are counted of averaged scores on a lattice, and of ratios with the same total for
both systems on each example, as swaps leave the sum of totals as it is; of up to 20 examples
that differ they are tried. A random swap's score of summed statistics needs their sums alone
(Berg-Kirkpatrick et al. 2012, footnote 4).
"""

from dataclasses import replace

import numpy as np

from ..types import BoolArray, FloatArray, IntArray
from .differences import TIE_TOLERANCE, Differences
from .lattice import MAX_BINS, TOO_MANY_BINS, SignSum, whole_numbers
from .outcome import NO_EVIDENCE, Outcome, Sides, attainable
from .resamples import all_swaps, random_swaps
from .settings import Asked
from .stopping import KeepGoing, check_going
from .summed_statistics import Scored, SummedStatistics

# All 2**20 assignments of signs are 8 MiB of sums.
ENUMERATED_UP_TO = 20
# Eight signs come from one random byte: a table holds the sum for each of its
# 256 values. A block of 512 such tables is 1 MiB and fits a processor's cache.
_TABLES = 512
# Bytes drawn at once.
_CHUNK_BYTES = 1 << 22


def is_exact(differences: Differences) -> bool:
    """Whether all swaps can be counted, so that "auto" needs no resamples."""
    if differences.n - differences.ties <= ENUMERATED_UP_TO:
        return True
    signs = _sign_sum(differences)
    return signs is not None and signs.n_bins <= MAX_BINS


def signed_differences(values: FloatArray, integers: IntArray | None) -> tuple[IntArray, bool]:
    """The differences, rounded to steps where they have very many values; all sums are counted."""
    return whole_numbers(values, integers)[0], True


def approximate_randomization(scored: Scored, asked: Asked) -> Outcome:
    """Chance that random swaps give a difference at least as large as the observed one.

    Exact, the share of the swaps with δ* >= δ (two-sided |δ*| >= |δ|), of differences by convolution
    on a lattice of at most 2**22 bins, and by trying all swaps where up to 20 examples or clusters
    differ. Else p = (s + 1)/(R + 1). Noreen (1989), chapter 2; Fisher (1935), section 21.
    """
    if isinstance(scored, SummedStatistics) and scored.shared is not None:
        scored = scored.shared
    if scored.alike:
        return Outcome(p_values=NO_EVIDENCE, statistic=0.0)
    differing = scored.differing()
    notes = attainable(
        asked.settings.alternative,
        n_differing=int(np.count_nonzero(differing)),
        n=scored.n,
        unit=scored.unit,
    )
    if isinstance(scored, Differences):
        return _of_differences(scored, scored.values[differing], asked, notes)
    return _of_sums(scored, int(np.count_nonzero(differing)), asked, notes)


def _of_differences(
    differences: Differences, values: FloatArray, asked: Asked, notes: tuple[str, ...]
) -> Outcome:
    """Of averaged scores, of which these differences are not 0."""
    settings = asked.settings
    if settings.method != "monte-carlo":
        exact, why_not = _exact(differences, values, asked.keep_going)
        if exact is not None:
            return Outcome(p_values=exact, statistic=differences.mean, notes=notes)
        if settings.method == "exact":
            raise ValueError(f"`method` 'exact' must have differences on a lattice; {why_not}.")
        notes = (*notes, f"Monte Carlo: {why_not}")
    extreme = swapped(values, settings.n_resamples, asked.rng, asked.keep_going)
    return Outcome.of_resamples(*extreme, statistic=differences.mean, notes=notes)


def _of_sums(
    statistics: SummedStatistics, n_differing: int, asked: Asked, notes: tuple[str, ...]
) -> Outcome:
    """Of scores that are functions of sums: all swaps of what differs, or random ones."""
    settings, unit = asked.settings, statistics.unit
    few = n_differing <= ENUMERATED_UP_TO
    if settings.method == "exact" and not few:
        raise ValueError(
            f"`method` 'exact' must have at most {ENUMERATED_UP_TO} {unit} that differ, or a "
            f"ratio with the same totals for both systems; {n_differing:,} differ."
        )
    everything = few and settings.method != "monte-carlo"
    numbers, deltas_of = statistics.swapping(everything=everything)
    if everything:
        swaps = all_swaps(n_differing - 1, keep_going=asked.keep_going)
    else:
        swaps = random_swaps(
            numbers,
            n_resamples=settings.n_resamples,
            rng=asked.rng,
            keep_going=asked.keep_going,
        )
    deltas = np.concatenate([deltas_of(swapped) for swapped in swaps])
    if everything:
        # Swapping what was not swapped exchanges the two systems' scores.
        deltas = np.concatenate([deltas, -deltas])
    outcome = Outcome.of_swaps(
        deltas, statistics.delta, room=statistics.room, everything=everything
    )
    if not everything and settings.method != "monte-carlo":
        why = f"more than {ENUMERATED_UP_TO} {unit} differ, too many to try all swaps"
        notes = (f"Monte Carlo: {why}", *notes)
    return replace(outcome, notes=(*notes, *outcome.notes))


def swapped(
    values: FloatArray, n_resamples: int, rng: np.random.Generator, keep_going: KeepGoing = None
) -> tuple[BoolArray, BoolArray, BoolArray]:
    """Which random swaps of differences, none of them 0, are extreme, for each alternative."""
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
    whole = differences.integers
    return None if whole is None else SignSum(np.abs(whole))


def _random_sums(
    values: FloatArray, n_resamples: int, rng: np.random.Generator, keep_going: KeepGoing
) -> FloatArray:
    """Sums over random halves of `values`, shape (n_resamples, ...).

    More resamples begin with the same ones: a row's bytes are drawn together, and each block of
    bytes has its own stream.
    """
    n, columns = values.shape[0], values.shape[1:]
    sums = np.zeros((n_resamples, *columns))
    bits = ((np.arange(256)[np.newaxis, :] >> np.arange(8)[:, np.newaxis]) & 1).astype(np.float64)
    padded = np.zeros((-(-n // 8) * 8, *columns))
    padded[:n] = values
    eights = np.moveaxis(padded.reshape(-1, 8, *columns), 1, -1)
    blocks = range(0, eights.shape[0], _TABLES)
    streams = [rng]
    if len(blocks) > 1:
        seeds = rng.integers(2**63, size=len(blocks)).tolist()
        streams = [np.random.default_rng(seed) for seed in seeds]
    for first, stream in zip(blocks, streams, strict=True):
        tables = np.moveaxis(eights[first : first + _TABLES] @ bits, -1, 1)
        rows = max(1, _CHUNK_BYTES // tables.shape[0])
        for start in range(0, n_resamples, rows):
            check_going(keep_going)
            part = sums[start : start + rows]
            shape = (part.shape[0], tables.shape[0])
            drawn = stream.integers(0, 256, size=shape, dtype=np.uint8)
            for table, picked in zip(tables, np.ascontiguousarray(drawn.T), strict=True):
                part += np.ascontiguousarray(table)[picked]
    return sums
