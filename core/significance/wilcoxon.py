"""Wilcoxon's signed-rank test.

Null hypothesis: differences are symmetric around zero. It is not about the
mean: systems with the same mean and skewed differences are told apart, in .16 to
.66 of studies at n = 12 and α = .05, in .95 and more at n = 400 (rates in
`significance.choose.choose_test`).

Vocabulary
----------
midrank
    Of equal sizes, the mean of the ranks that they share. Doubled, it is whole.
zeros
    "wilcox": zero differences are dropped before ranking. "pratt": they are
    ranked, then dropped. "zsplit": half of their ranks go to either side.
"""

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ..types import FloatArray, IntArray
from .counting import SIGN
from .differences import Differences
from .lattice import SignSum
from .outcome import NO_EVIDENCE, RANK_BISERIAL, EffectSize, Outcome, Sides, attainable
from .settings import Asked, Method, TestAlternative, Zeros
from .stopping import KeepGoing

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
