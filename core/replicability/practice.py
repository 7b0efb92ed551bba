"""What papers count as wins: small p-values, by direction, without any guarantee."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, get_args

import numpy as np

from ..types import ALTERNATIVES, Alternative, BoolArray, FloatArray
from ..validation import check_choice
from .counting import chance_of_a_false_win
from .decision import at_most
from .direction import complements

Sidedness = Literal["one-sided", "two-sided", "not-stated"]
SIDEDNESSES: tuple[Sidedness, ...] = get_args(Sidedness)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CommonPractice:
    """The datasets that the common practice counts as wins of a system, without any guarantee.

    Attributes
    ----------
    wins : ndarray of bool, shape (N,)
        Where p <= alpha and, if `ahead`, the system has the better score.
    alpha : float
        In (0, 1).
    sidedness : {"one-sided", "two-sided", "not-stated"}
        What the p-values are that are compared with alpha; "not-stated" of a
        table that does not say, where the numbers allow more than one reading.
    ahead : bool
        Whether the better score decides whose win a small p-value is. Without
        it the p-values are of a test for this system.
    either : bool
        Whether a small p-value counts whichever system is ahead, as evidence
        that they differ.
    neither : ndarray of bool, shape (N,), or None
        Where p <= alpha, but the test speaks for a system that is not ahead, as
        tests of ranks and signs may: a win of neither system. None where the
        direction of the test is not known.
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

        Parameters
        ----------
        of_both : bool
            A win of either system, where this practice is stated for both.
        sidedness : {"one-sided", "two-sided"}, optional
            Where the p-values do not say; by default what gives the larger
            chance, and two-sided where either system's wins count.

        Raises
        ------
        ValueError
            If there is no such sidedness.
        """
        if sidedness is not None:
            check_choice(sidedness, SIDEDNESSES, name="sidedness")
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
    """The common practice on tests of both directions.

    Parameters
    ----------
    p_values, p_values_b : ndarray, shape (N,)
        One-sided, of "A better" and of "B better".
    two_sided : ndarray, shape (N,), or None
        The tests' own two-sided p-values. Without them one-sided ones are counted.
    differences : ndarray, shape (N,), or None
        score(A) - score(B), higher better. Without them the system with the
        smaller one-sided p-value is ahead.
    alpha : float
        In (0, 1).

    Notes
    -----
    A win needs the test and the scores to agree: the smaller one-sided p-value
    and the better score. A test of ranks or signs can speak for the system with
    the lower mean; such a p-value is a win of neither.
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
    """The common practice on a published table's p-values.

    Parameters
    ----------
    p_values : ndarray, shape (N,)
        As printed.
    differences : ndarray, shape (N,), or None
        score(A) - score(B), higher better; 0 where a score is missing.
    alpha : float
        In (0, 1).
    known : str
        What the p-values speak for: as declared, if the numbers do not
        contradict it, or the only reading that they leave; else "not-stated".
    """
    check_choice(known, ALTERNATIVES, name="known")
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
