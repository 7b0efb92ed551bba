"""Three tests of paired scores: approximate randomization, Wilcoxon's signed ranks, Student's t.

Null hypotheses
---------------
approximate randomization
    The two systems' scores, or statistics, on an example may be exchanged, so that each difference
    of scores has a fair sign. Under it the test is exact. That the mean difference is 0 is less:
    where differences with mean 0 are skewed, it rejects at α = .05 as often as the t-test does, with
    losses rarer and larger than gains .13 to .28 at n = 12, .10 to .18 at n = 30, .06 to .07 at
    n = 400 (rates in `significance.choose.choose_test`).
Wilcoxon
    Differences are symmetric around zero. It is not about the mean: systems with the same mean and
    skewed differences have p <= .05 in .16 to .66 of studies at n = 12, in .94 and more at n = 400
    (the same rates).
Student
    The mean difference is zero, the differences being normal (or n large enough for their mean to
    be). Of outcomes and ratings it rejects at α = .05 (.01) more often than α by at most .010 (.005)
    for n = 50, .005 (.003) for n = 200, .005 (.003) for n = 1,000. Of skewed differences with mean 0
    it rejects more often: with losses rarer and larger than gains .10 to .18 at n = 30, .07 to .09
    at n = 100, .06 to .07 at n = 400.

All swaps are counted of averaged scores on a lattice, and of ratios with the same total for
both systems on each example, as swaps leave the sum of totals as it is; of up to 20 examples
that differ they are tried. A random swap's score of summed statistics needs their sums alone
(Berg-Kirkpatrick et al. 2012, footnote 4).

Vocabulary
----------
midrank
    Of equal sizes, the mean of the ranks that they share. Doubled, it is whole.
zeros
    "wilcox": zero differences are dropped before ranking. "pratt": they are
    ranked, then dropped. "zsplit": half of their ranks go to either side.
"""

import math
from dataclasses import replace
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ..types import BoolArray, FloatArray, IntArray
from .counting import SIGN
from .differences import TIE_TOLERANCE, Differences
from .lattice import MAX_BINS, SMALLEST, TOO_MANY_BINS, Integers, SignSum, spread_of, whole_numbers
from .outcome import NO_EVIDENCE, RANK_BISERIAL, EffectSize, Outcome, Sides, attainable, d_z
from .resamples import all_swaps, random_swaps
from .settings import Asked, Method, TestAlternative, Zeros
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


# Differences that are not zero: a tenth of a second. Above, the normal
# approximation is off by less than .0001, and by less than 4% down to p = .00003;
# farther out it is too large, and so it is anywhere beside many zeros that are split.
EXACT_UP_TO = 1_000


def wilcoxon(
    differences: Differences,
    *,
    zeros: Zeros = "wilcox",
    method: Method = "auto",
    alternative: TestAlternative = "greater",
    keep_going: KeepGoing = None,
) -> Outcome:
    """Sum of the ranks of wins, under random signs, with the rank-biserial correlation.

    "exact", for up to 10,000 differences that are not zero or of one size, convolves the doubled
    midranks, ties included; "normal" has the variance corrected for ties and no continuity
    correction, and as in SciPy split zeros add to it, which is cautious beside many of them; "auto"
    is exact up to 1,000 differences that are not zero, and however many there are where all have
    one size, which makes it the sign test. Of zeros that are split the correlation counts the
    ranks, half for either side. Wilcoxon (1945); Pratt (JASA 1959); ties: Hollander and Wolfe
    (1999), section 3.1.
    """
    values = differences.values
    differs = values != 0.0
    kept = values[differs] if zeros == "wilcox" else values
    doubled = doubled_midranks(np.abs(kept))
    signed = doubled if zeros == "wilcox" else doubled[differs]
    won = int(doubled[kept > 0.0].sum())
    dropped = int(doubled.sum()) - int(signed.sum())
    statistic = 0.5 * won + (0.25 * dropped if zeros == "zsplit" else 0.0)
    if signed.size == 0:
        return Outcome(p_values=NO_EVIDENCE, statistic=statistic)
    lost = int(signed.sum()) - won
    total = won + lost + (dropped if zeros == "zsplit" else 0)
    effect = EffectSize(name=RANK_BISERIAL, value=(won - lost) / total)
    equal_sizes = bool((signed == signed[0]).all())
    if method == "exact" and signed.size > 10 * EXACT_UP_TO and not equal_sizes:
        raise ValueError(
            f"`method` 'exact' is for up to {10 * EXACT_UP_TO:,} differences that are not zero in "
            f"Wilcoxon's test; got {signed.size:,}. Take 'auto'."
        )
    if method == "exact" or (method == "auto" and (equal_sizes or signed.size <= EXACT_UP_TO)):
        return Outcome(
            p_values=Sides.of_tails(*exact_tails(signed, won, keep_going)),
            statistic=statistic,
            notes=attainable(alternative, n_differing=signed.size, n=differences.n),
            effect_size=effect,
        )
    from scipy.special import ndtr

    # Each rank has a fair sign: mean Σr/2, variance Σr²/4. With midranks that
    # is the variance corrected for ties.
    ranks = 0.5 * (doubled if zeros == "zsplit" else signed)
    z = (statistic - 0.5 * float(ranks.sum())) / (0.5 * math.sqrt(float(ranks @ ranks)))
    why = f"above {EXACT_UP_TO:,} differing examples: normal approximation, corrected for ties"
    return Outcome(
        p_values=Sides.of_statistic(z, ndtr),
        method="normal",
        statistic=statistic,
        notes=(why,) if method == "auto" else ("normal approximation, corrected for ties",),
        effect_size=effect,
    )


def exact_tails(
    signed: npt.NDArray[np.int64], won: int, keep_going: KeepGoing = None
) -> tuple[float, float]:
    """P(sum >= won) and P(sum <= won) of the doubled midranks that a fair coin each picks."""
    n = signed.size
    if (signed == signed[0]).all():
        # With one size there is one rank, and the sum of ranks counts wins: scores of 0 and 100
        # get the p-value of 0 and 1, however many they are.
        wins = won // int(signed[0])
        return SIGN.sides(wins, n - wins)[:2]
    # Zeros that were ranked make ranks add up to more than 1 + ... + n, ties their squares to less.
    sums = int(signed.sum()), 3 * int(signed @ signed)
    if n > EXACT_UP_TO or sums != (n * (n + 1), 2 * n * (n + 1) * (2 * n + 1)):
        return SignSum(signed).tails(won, keep_going)
    at_most = chances_of_rank_sums(n)
    own, mirrored = won // 2, n * (n + 1) // 2 - won // 2
    fewer = min(own, mirrored)
    tail = float(at_most[fewer])
    point = tail - float(at_most[fewer - 1]) if fewer else tail
    other = min(1.0, 1.0 - tail + point)
    return (tail, other) if own >= mirrored else (other, tail)


# 2 MiB each at 1,000 differences.
@lru_cache(maxsize=16)
def chances_of_rank_sums(n: int) -> FloatArray:
    """P(S <= s) up to n(n + 1)/4, S the sum of those of 1..n that a fair coin picks."""
    half = n * (n + 1) // 4
    ways: FloatArray = np.zeros(half + 1)
    ways[0] = 1.0
    for rank in range(1, n + 1):
        # Of ranks up to this one no sum is larger.
        top = min(half, rank * (rank + 1) // 2)
        ways[rank : top + 1] += ways[: top + 1 - rank]
    chances = np.ldexp(np.cumsum(ways), -n)
    chances.flags.writeable = False
    return chances


def doubled_midranks(sizes: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """Twice the midrank of each size, which is whole."""
    _, which, counts = np.unique(sizes, return_inverse=True, return_counts=True)
    doubled: npt.NDArray[np.int64] = (2 * np.cumsum(counts) - counts + 1)[which]
    return doubled


def signed_ranks(differences: Differences, asked: Asked) -> Outcome:
    """As `wilcoxon`, by what is asked."""
    own = asked.settings
    return wilcoxon(
        differences,
        zeros=own.zeros,
        method=own.method,
        alternative=own.alternative,
        keep_going=asked.keep_going,
    )


def signed_midranks(values: FloatArray, integers: IntArray | None) -> tuple[IntArray, bool]:
    """Doubled midranks with the signs of the differences; their sums are counted up to 1,000."""
    exact = values if integers is None else integers.astype(np.float64)
    differs = exact != 0.0
    ranks = np.zeros(exact.size, dtype=np.int64)
    ranks[differs] = doubled_midranks(np.abs(exact[differs]))
    counted = int(np.count_nonzero(differs)) <= EXACT_UP_TO
    return np.where(exact > 0.0, ranks, -ranks), counted


def student(differences: Differences, _asked: Asked | None = None) -> Outcome:
    """Mean difference over its standard error, n − 1 degrees of freedom.

    Where differences do not vary (n = 1 among those), t is undefined and every p-value is 1: no
    variance can be guessed from none. Student (Biometrika 1908); Dror et al. (ACL 2018), section
    3.1.
    """
    n = differences.n
    # By a power of two, so that squares neither overflow nor vanish.
    scale = 2.0 ** -math.frexp(float(np.abs(differences.values).max()))[1]
    deviation = 0.0 if differences.constant else float((differences.values * scale).std(ddof=1))
    if deviation == 0.0:
        reason = "n = 1" if n == 1 else "the differences do not vary"
        return Outcome(
            p_values=NO_EVIDENCE,
            method="student",
            statistic=None,
            notes=(f"{reason}: t is undefined, p = 1",),
            effect_size=d_z(differences),
        )
    from scipy.special import stdtr

    t = differences.mean * scale * math.sqrt(n) / deviation
    return Outcome(
        p_values=Sides.of_statistic(t, lambda value: float(stdtr(n - 1, value))),
        method="student",
        statistic=t,
        effect_size=d_z(differences),
    )


def student_of_moments(
    n: FloatArray,
    sums: FloatArray,
    squares: FloatArray,
    integers: Integers | None = None,
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
