"""From printed p-values and differences to those of "A better" and "B better", and to papers' wins.

Vocabulary
----------
difference
    score(A) - score(B), turned so that higher is better.
reading
    What a table's p-values are taken to speak for: "greater" (for A), "less"
    (for B), "two-sided", or "toward-higher-score" (one-sided for the system
    ahead).
complement
    1 - p, for the direction that a one-sided p-value does not speak for.
common practice
    What papers count as wins: small p-values, by direction, without any guarantee.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from ..types import EXCHANGED, Alternative, BoolArray, FloatArray, IntArray
from ..validation import at_most, check_choice, check_p_values, check_same_order, floats_of
from .counting import chance_of_a_false_win

# A one-sided p-value lies below one half exactly when its system is ahead, if
# test and score use the same unit. The margins leave room for those that do
# not, and for discrete tests, whose p-value can exceed one half a little.
NEAR_ZERO = 0.1
NEAR_ONE = 0.9
# One or two datasets on the wrong side of one half are no pattern.
FEWEST_OF_MOST = 3

# What a sum of probabilities that is exactly 1 may come to in floats.
CERTAIN = 1.0 - 1e-9

ONE_SIDED: tuple[Alternative, ...] = ("greater", "less")
READINGS: tuple[Alternative, ...] = ("greater", "less", "toward-higher-score", "two-sided")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RuledOut:
    """A reading that the numbers do not allow, and the datasets that say so.

    They have a `small` p-value beside the wrong score (a lower one of A for "greater", a higher
    one for "less"), or a `large` one, near 1, where this reading allows none.
    """

    alternative: Alternative
    small: IntArray
    large: IntArray


def one_sided_p_values(two_sided_p_values: npt.ArrayLike, differences: npt.ArrayLike) -> FloatArray:
    """P-values of "A better" from two-sided ones and the signs of the differences.

    Parameters
    ----------
    two_sided_p_values : array_like, shape (N,)
        In [0, 1].
    differences : array_like, shape (N,)
        score(A) - score(B), higher better; only the sign matters.

    Returns
    -------
    ndarray, shape (N,)
        p/2 where A is ahead; 1 - p/2 where A is behind or level. For a discrete test 1 - p/2 is
        only a lower bound of A's own one-sided p-value.

    Raises
    ------
    ValueError
        If the shapes differ, a p-value lies outside [0, 1] or a difference is not a number.

    Examples
    --------
    >>> from replicability import one_sided_p_values
    >>> one_sided_p_values([.04, .04, .5], [1.5, -1.5, 0.]).tolist()
    [0.02, 0.98, 0.75]
    """
    check_same_order(two_sided_p_values=two_sided_p_values, differences=differences)
    p_values = check_p_values(two_sided_p_values, name="two_sided_p_values")
    ahead = check_differences(differences, p_values.size) > 0.0
    return np.where(ahead, p_values / 2.0, 1.0 - p_values / 2.0)


def p_values_toward_a(
    p_values: npt.ArrayLike, differences: npt.ArrayLike | None, *, alternative: Alternative
) -> FloatArray:
    """P-values of "A better" under one reading; "greater" and "less" need no differences."""
    values = check_p_values(p_values)
    check_choice(alternative, READINGS, name="alternative")
    if alternative == "greater":
        return values
    if alternative == "less":
        return complements(values)
    if differences is None:
        raise ValueError(f"`differences` must be given to read p-values as '{alternative}'.")
    if alternative == "two-sided":
        return one_sided_p_values(values, differences)
    signs = check_differences(differences, values.size)
    # Where both are level nobody can tell toward whom p points.
    level = np.maximum(values, 1.0 - values / 2.0)
    return np.where(signs > 0.0, values, np.where(signs < 0.0, complements(values), level))


def p_values_toward_b(
    p_values: npt.ArrayLike, differences: npt.ArrayLike | None, *, alternative: Alternative
) -> FloatArray:
    """P-values of "B better" under one reading: as `p_values_toward_a` with A and B exchanged."""
    check_choice(alternative, READINGS, name="alternative")
    exchanged = EXCHANGED.get(alternative, alternative)
    turned = None if differences is None else -np.asarray(differences, dtype=np.float64)
    return p_values_toward_a(p_values, turned, alternative=exchanged)


def complements(p_values: FloatArray) -> FloatArray:
    """1 - p, for a discrete test a lower bound of the other direction's; 1 for systems that never differ."""
    return np.where(p_values < CERTAIN, 1.0 - p_values, 1.0)


def small_beside_lower_score(
    p_values: FloatArray, differences: FloatArray | None, *, alpha: float
) -> BoolArray:
    """Where p <= alpha goes with a lower score of A: counting it as a win of A is wrong."""
    if differences is None:
        return np.zeros(p_values.size, dtype=np.bool_)
    return at_most(p_values, alpha) & (differences < 0.0)


def readings_ruled_out(
    p_values: FloatArray, differences: FloatArray | None, *, alpha: float
) -> tuple[RuledOut, ...]:
    """Which readings the numbers do not allow, with the datasets that say so.

    A p-value near 1 rules out "toward-higher-score". A small one with a lower score of A, or one near
    1 beside a higher score, rules out "greater", and so do p-values on the wrong side of one half on
    most and at least three datasets; "less" likewise. Nothing rules out "two-sided".
    """
    if differences is None:
        return ()
    small = p_values <= max(NEAR_ZERO, alpha)
    large = p_values >= NEAR_ONE
    ahead, behind = differences > 0.0, differences < 0.0
    low, high = p_values < 0.5, p_values > 0.5
    nowhere = np.zeros_like(small)
    against_a = (low & behind), (high & ahead)
    against_b = (low & ahead), (high & behind)
    found: tuple[tuple[Alternative, BoolArray, BoolArray], ...] = (
        ("greater", *(against_a if _most(*against_a) else (small & behind, large & ahead))),
        ("less", *(against_b if _most(*against_b) else (small & ahead, large & behind))),
        ("toward-higher-score", nowhere, large & (ahead | behind)),
    )
    return tuple(
        RuledOut(
            alternative=reading, small=np.flatnonzero(too_small), large=np.flatnonzero(too_large)
        )
        for reading, too_small, too_large in found
        if too_small.any() or too_large.any()
    )


def _most(one: BoolArray, other: BoolArray) -> bool:
    count = int(np.count_nonzero(one | other))
    return count >= FEWEST_OF_MOST and 2 * count > one.size


def check_differences(
    differences: npt.ArrayLike, n: int, *, some_missing: bool = False
) -> FloatArray:
    """Differences as an array with one number for each of n p-values, or some missing."""
    values = floats_of(differences, name="differences")
    if values.shape != (n,):
        raise ValueError(
            f"`differences` must hold one number a p-value; got shape {values.shape} for {n}."
        )
    wrong = np.flatnonzero(np.isnan(values))
    if wrong.size and not some_missing:
        raise ValueError(
            "`differences` must be numbers unless p-values are one-sided; got nan at index "
            f"{int(wrong[0])}."
        )
    return values


Sidedness = Literal["one-sided", "two-sided", "not-stated"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CommonPractice:
    """The datasets that the common practice counts as wins of a system, without any guarantee.

    The sidedness is of the p-values that are compared with alpha. If `ahead`, the better score
    decides whose win a small p-value is; if `either`, it counts whichever system is ahead. `neither`
    is where p <= alpha, but the test, of ranks or signs, speaks for a system that is not ahead; None
    where its direction is not known.
    """

    wins: BoolArray
    alpha: float
    sidedness: Sidedness
    ahead: bool = False
    either: bool = False
    neither: BoolArray | None = None

    @property
    def n(self) -> int:
        """How many datasets it counts."""
        return int(np.count_nonzero(self.wins))

    def chance_of_a_false_win(
        self, *, of_both: bool = False, sidedness: Sidedness | None = None
    ) -> float:
        """The chance that N independent datasets without a difference show at least one win.

        Where nobody says the sidedness, it is what gives the larger chance, and two-sided where
        either system's wins count.
        """
        known = sidedness or self.sidedness
        return chance_of_a_false_win(
            self.wins.size,
            alpha=self.alpha,
            two_sided=known == "two-sided" or (known == "not-stated" and self.either),
            either=of_both or self.either,
        )


class Practices(NamedTuple):
    """The common practice for each of three claims."""

    a_better: CommonPractice
    b_better: CommonPractice
    differ: CommonPractice


def practices_of_tests(
    p_values: FloatArray,
    p_values_b: FloatArray,
    two_sided: FloatArray | None,
    differences: FloatArray | None,
    *,
    alpha: float,
) -> Practices:
    """The common practice on one-sided tests of both directions.

    A win needs the smaller one-sided p-value and the better score; without differences the system
    with the smaller one is ahead. Without two-sided p-values one-sided ones are counted.
    """
    if two_sided is None:
        a, b = (_small(own, alpha) for own in (p_values, p_values_b))
        return Practices(a, b, _differ(2.0 * np.minimum(p_values, p_values_b), alpha))
    favoured = np.sign(p_values_b - p_values)
    ahead = favoured if differences is None else np.sign(differences)
    agreed = np.where(favoured == ahead, ahead, 0.0)
    found = _by_score(two_sided, agreed, alpha, "two-sided")
    neither = found.differ.wins & (agreed == 0.0)
    return Practices(
        replace(found.a_better, neither=neither),
        replace(found.b_better, neither=neither),
        found.differ,
    )


def practices_of_printed(
    p_values: FloatArray,
    differences: FloatArray | None,
    *,
    alpha: float,
    known: Alternative,
) -> Practices:
    """The common practice on a published table's p-values; differences are 0 without a score."""
    if known in ("greater", "less"):
        tested, other = _small(p_values, alpha), _small(complements(p_values), alpha)
        a, b = (tested, other) if known == "greater" else (other, tested)
        return Practices(a, b, _differ(p_values, alpha, "not-stated"))
    if known == "toward-higher-score":
        found = _by_score(p_values, differences, alpha, "one-sided")
        return found._replace(differ=_differ(2.0 * p_values, alpha))
    sidedness: Sidedness = "two-sided" if known == "two-sided" else "not-stated"
    return _by_score(p_values, differences, alpha, sidedness)


def _small(p_values: FloatArray, alpha: float) -> CommonPractice:
    return CommonPractice(wins=at_most(p_values, alpha), alpha=alpha, sidedness="one-sided")


def _differ(
    p_values: FloatArray, alpha: float, sidedness: Sidedness = "two-sided"
) -> CommonPractice:
    return CommonPractice(
        wins=at_most(p_values, alpha), alpha=alpha, sidedness=sidedness, either=True
    )


def _by_score(
    p_values: FloatArray, differences: FloatArray | None, alpha: float, sidedness: Sidedness
) -> Practices:
    """Small p-values as wins of whichever system is ahead; nobody's where both are level."""
    differ = _differ(p_values, alpha, sidedness)
    signs = np.zeros(p_values.size) if differences is None else differences
    a = CommonPractice(
        wins=differ.wins & (signs > 0.0), alpha=alpha, sidedness=sidedness, ahead=True
    )
    return Practices(a, replace(a, wins=differ.wins & (signs < 0.0)), differ)
