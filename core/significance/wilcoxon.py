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

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from ..types import FloatArray, IntArray
from ..validation import check_choice
from .counting import fair_coin
from .differences import Differences
from .effect_sizes import RANK_BISERIAL
from .lattice import SMALLEST, SignSum
from .outcome import EffectSize, Outcome, Sides, attainable
from .settings import METHODS, TEST_ALTERNATIVES, ZEROS, Method, Settings, TestAlternative, Zeros
from .stopping import KeepGoing

# Differences that are not zero: a tenth of a second. Above, the normal
# approximation is off by less than .0001, and by less than 4% down to p = .00003;
# farther out it is too large.
EXACT_UP_TO = 1_000


def wilcoxon(
    differences: Differences,
    *,
    zeros: Zeros = "wilcox",
    method: Method = "auto",
    alternative: TestAlternative = "greater",
    keep_going: KeepGoing = None,
) -> Outcome:
    """Sum of the ranks of wins, under random signs.

    Parameters
    ----------
    differences : Differences
        Of n examples.
    zeros : {"wilcox", "pratt", "zsplit"}
        What becomes of zero differences.
    method : {"auto", "exact", "normal"}
        "exact" convolves the doubled midranks, ties included; "normal" has the
        variance corrected for ties and no continuity correction; "auto" is
        exact up to 1,000 differences that are not zero, and however many there
        are where all have one size, which makes it the sign test.
    alternative : {"greater", "less", "two-sided"}
        For the note on the smallest attainable p-value.

    Raises
    ------
    ValueError
        If "exact" is asked for above 10,000 differences that are not zero, of
        more than one size.
    Stopped
        If `keep_going` says so.

    References
    ----------
    Wilcoxon (1945); Pratt (JASA 1959); ties: Hollander and Wolfe (1999), section 3.1.
    """
    check_choice(zeros, ZEROS, name="zeros")
    check_choice(method, METHODS, name="method")
    check_choice(alternative, TEST_ALTERNATIVES, name="alternative")
    values = differences.values
    kept = values[values != 0.0] if zeros == "wilcox" else values
    doubled = doubled_midranks(np.abs(kept))
    won = int(doubled[kept > 0.0].sum())
    dropped = int(doubled[kept == 0.0].sum())
    signed = doubled[kept != 0.0]
    statistic = 0.5 * won + (0.25 * dropped if zeros == "zsplit" else 0.0)
    if signed.size == 0:
        return Outcome(p_values=Sides(1.0, 1.0, 1.0), exact=True, statistic=statistic)
    equal_sizes = not np.ptp(signed)
    if method == "exact" and signed.size > 10 * EXACT_UP_TO and not equal_sizes:
        raise ValueError(
            f"`method` 'exact' is for up to {10 * EXACT_UP_TO:,} differences that are not zero in "
            f"Wilcoxon's test; got {signed.size:,}. Take 'auto'."
        )
    if method == "exact" or (method == "auto" and (equal_sizes or signed.size <= EXACT_UP_TO)):
        greater, less = _exact_tails(signed, won, equal_sizes, keep_going)
        return Outcome(
            p_values=Sides(greater, less, min(1.0, 2.0 * min(greater, less))),
            exact=True,
            statistic=statistic,
            notes=attainable(alternative, n_differing=signed.size, n=differences.n),
        )
    return _normal(statistic, doubled if zeros == "zsplit" else signed, method)


def _exact_tails(
    signed: npt.NDArray[np.int64], won: int, equal_sizes: bool, keep_going: KeepGoing
) -> tuple[float, float]:
    # With one size there is one rank, and the sum of ranks counts wins: scores of 0 and 100 get
    # the p-value of 0 and 1, however many they are.
    if equal_sizes:
        wins = won // int(signed[0])
        return fair_coin(wins, signed.size - wins)[:2]
    return SignSum(signed).tails(won, keep_going)


def _normal(statistic: float, doubled: npt.NDArray[np.int64], method: Method) -> Outcome:
    from scipy.special import ndtr

    # Each rank has a fair sign: mean Σr/2, variance Σr²/4. With midranks that
    # is the variance corrected for ties.
    ranks = 0.5 * doubled
    z = (statistic - 0.5 * float(ranks.sum())) / (0.5 * math.sqrt(float(ranks @ ranks)))
    greater, less, two_sided = (
        max(float(tail), SMALLEST) for tail in (ndtr(-z), ndtr(z), 2.0 * ndtr(-abs(z)))
    )
    why = f"above {EXACT_UP_TO:,} differing examples: normal approximation, corrected for ties"
    return Outcome(
        p_values=Sides(greater, less, two_sided),
        exact=True,
        statistic=statistic,
        approximation="normal",
        notes=(why,) if method == "auto" else ("normal approximation, corrected for ties",),
    )


def doubled_midranks(sizes: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """Twice the midrank of each size, which is whole."""
    _, which, counts = np.unique(sizes, return_inverse=True, return_counts=True)
    doubled: npt.NDArray[np.int64] = (2 * np.cumsum(counts) - counts + 1)[which]
    return doubled


def rank_biserial(differences: Differences, *, zeros: str = "wilcox") -> EffectSize | None:
    """The matched-pairs rank-biserial correlation; None where nothing differs.

    Parameters
    ----------
    zeros : {"wilcox", "pratt", "zsplit"}
        "zsplit" counts the zeros' ranks, half for either side.

    Raises
    ------
    ValueError
        If there are no such zeros.
    """
    check_choice(zeros, ZEROS, name="zeros")
    values = differences.values
    kept = values[values != 0.0] if zeros == "wilcox" else values
    ranks = doubled_midranks(np.abs(kept))
    won, lost = int(ranks[kept > 0.0].sum()), int(ranks[kept < 0.0].sum())
    total = int(ranks.sum()) if zeros == "zsplit" else won + lost
    if won + lost == 0:
        return None
    return EffectSize(name=RANK_BISERIAL, value=(won - lost) / total)


class SignedRankTest:
    """The kernel of Wilcoxon's test."""

    def of_differences(
        self,
        differences: Differences,
        settings: Settings,
        *,
        rng: np.random.Generator,
        keep_going: KeepGoing,
    ) -> Outcome:
        """As `wilcoxon`, with the rank-biserial correlation."""
        outcome = wilcoxon(
            differences,
            zeros=settings.zeros,
            method=settings.method,
            alternative=settings.alternative,
            keep_going=keep_going,
        )
        return replace(outcome, effect_size=rank_biserial(differences, zeros=settings.zeros))

    def signed_weights(
        self, values: FloatArray, integers: IntArray | None
    ) -> tuple[IntArray, bool]:
        """Doubled midranks with the signs of the differences; their sums are counted up to 1,000."""
        exact = values if integers is None else integers.astype(np.float64)
        differs = exact != 0.0
        ranks = np.zeros(exact.size, dtype=np.int64)
        ranks[differs] = doubled_midranks(np.abs(exact[differs]))
        counted = int(np.count_nonzero(differs)) <= EXACT_UP_TO
        return np.where(exact > 0.0, ranks, -ranks), counted


SIGNED_RANKS = SignedRankTest()
