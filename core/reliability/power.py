"""Power of a test at an effect that is stated, never at the one observed.

Power at the observed effect is the p-value told a second time: where p = .05 it is
about one half, whatever the truth. And an effect that was chosen because it was
significant is on average too large, so that power computed from it is optimistic.

A claim at a margin has power too: that A is not worse by more than the margin is often
true of equal systems.

Vocabulary
----------
effect
    Of 0/1 scores: the difference d of the two accuracies, A − B. Of other
    averaged scores: the mean difference.
disagreement
    Of 0/1 scores: the share q of examples that one of the two has right and the
    other wrong. A alone has (q + d)/2 of the examples right, B alone (q − d)/2.
attained level
    The chance that the test gives p <= alpha at the edge of the null hypothesis: where
    the effect is 0, of a claim at a margin where it is just the margin. Of a discrete
    test it lies below alpha.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from ..comparison import BETTER, checked_margin, comparison_named
from ..shown import DataFrame, frame_of
from ..signature import listed
from ..significance.choose import why_not_at
from ..significance.known_tests import significance_test_named
from ..significance.settings import TEST_ALTERNATIVES, TestAlternative
from ..significance.stopping import Stopped
from ..types import BoolArray, FloatArray, IntArray
from ..validation import check_alpha, check_choice, check_open_share
from .power_of_tests import StatedEffect


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Power(StatedEffect):
    """Chance of p <= alpha at each size, at a stated effect.

    Attributes
    ----------
    n_examples : ndarray of int, shape (sizes,)
        Sizes of independent test sets.
    power : ndarray, shape (sizes,)
        At the effect.
    attained_level : ndarray, shape (sizes,)
        At the edge of the null hypothesis, with the same standard deviation or
        disagreement, or one of the margin where that is more.
    """

    n_examples: IntArray
    power: FloatArray
    attained_level: FloatArray

    @property
    def signature(self) -> str:
        """The line that names everything the numbers depend on."""
        return self._signature(power=self.test, sizes=listed(self.n_examples.tolist()))

    def to_frame(self) -> DataFrame:
        """A row for each size."""
        return frame_of(
            {
                "n_examples": self.n_examples,
                "effect": self.effect,
                "power": self.power,
                "attained_level": self.attained_level,
            }
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExamplesNeeded(StatedEffect):
    """The smallest test set on which a stated effect is found often enough.

    Attributes
    ----------
    n_examples : int or None
        The smallest n that reaches the power, as the ten sizes after it do: the
        power of discrete tests rises with small steps back. None where none up
        to `most` does.
    power : float
        As asked for.
    reached : float or None
        The power at `n_examples`.
    most : int
        The largest size tried.
    """

    n_examples: int | None
    power: float
    reached: float | None
    most: int

    @property
    def signature(self) -> str:
        """The line that names everything the number depends on."""
        return self._signature(needed=self.test, power=self.power, most=self.most)


# Where power rises with small steps back, so many sizes in a row are to reach it.
_IN_A_ROW = 10

# Sizes looked at around the one that the search finds.
_LOOK_BACK, _LOOK_AHEAD = 24, 40


def power_at(
    effect: float,
    n: int | Sequence[int] | IntArray,
    *,
    test: str,
    alpha: float = 0.05,
    alternative: TestAlternative = "greater",
    disagreement: float | None = None,
    standard_deviation: float | None = None,
    claim: str = BETTER,
    margin: float = 0.0,
) -> Power:
    """Chance that a test set of `n` independent examples gives p <= alpha.

    Parameters
    ----------
    effect : float
        What the user states: A − B, higher being better. Never the observed one.
    n : int or sequence of int
        Sizes, at least 1 each.
    test : str
        With `disagreement`: McNemar's tests, "sign" and "approximate-randomization"
        by enumerating wins and losses; "paired-bootstrap" by the normal
        approximation. With `standard_deviation`: "paired-t" by the noncentral t
        distribution; "paired-bootstrap" and "approximate-randomization" as that,
        which they approach, and "wilcoxon" with 3/π of the examples.
    alpha : float
        In (0, 1).
    alternative : {"greater", "less", "two-sided"}
        What p-values speak for.
    disagreement : float, optional
        Of 0/1 scores, in [|effect|, 1].
    standard_deviation : float, optional
        Of the differences of other scores, above 0. One of the two is given.
    claim, margin
        As of `run_significance_test`. At a margin "mcnemar" (melding) and "tango" by
        enumerating wins and losses, and the tests of other scores as without one, of
        differences less the margin; equivalence by t is integrated over the standard
        deviation observed.

    Raises
    ------
    ValueError
        If an argument is not as described, or the test's power is not known so.

    References
    ----------
    Miettinen (Biometrics 1968) for McNemar's test; Johnson, Kotz and Balakrishnan
    (1995), chapter 31, for the noncentral t distribution.
    """
    stated = _stated(
        effect, test, alpha, alternative, disagreement, standard_deviation, claim, margin
    )
    sizes = np.atleast_1d(np.asarray(n))
    if sizes.ndim != 1 or sizes.dtype.kind not in "iu" or bool((sizes < 1).any()):
        raise ValueError(f"`n` must be whole numbers of at least 1; got {n!r}.")
    # The edge of the null hypothesis that lies nearest to the claim.
    edge = -comparison_named(claim).shift * stated.margin
    return Power(
        **asdict(stated),
        n_examples=sizes.astype(np.intp),
        power=stated.at(stated.effect, sizes),
        attained_level=stated.at(edge, sizes),
    )


def _stated(
    effect: float,
    test: str,
    alpha: float,
    alternative: TestAlternative,
    disagreement: float | None,
    standard_deviation: float | None,
    claim: str,
    margin: float,
) -> StatedEffect:
    """What power is asked for, checked."""
    known = significance_test_named(test)
    level = check_alpha(alpha)
    check_choice(alternative, TEST_ALTERNATIVES, name="alternative")
    least = checked_margin(claim, margin)
    why_not = ""
    if least:
        why_not = why_not_at(least, known, of_means=True, zero_one=disagreement is not None)
        if alternative != "greater":
            why_not = f"such a claim goes with `alternative` 'greater', not {alternative!r}"
        elif disagreement is not None and least >= 1.0:
            why_not = "of 0/1 scores it must lie below 1"
    if why_not:
        raise ValueError(f"`margin` {least:g} must have a power with {test!r}; {why_not}.")
    shift = _checked_effect(effect, disagreement, standard_deviation)
    stated = StatedEffect(
        effect=shift,
        test=test,
        alpha=level,
        alternative=alternative,
        disagreement=disagreement,
        standard_deviation=standard_deviation,
        approximation="",
        claim=claim,
        margin=least,
    )
    # What is assumed is the same at every effect and size.
    return replace(stated, approximation=stated.power_of(0.0, np.array([2]))[1])


def examples_needed(
    power: float,
    *,
    effect: float,
    test: str,
    alpha: float = 0.05,
    alternative: TestAlternative = "greater",
    disagreement: float | None = None,
    standard_deviation: float | None = None,
    claim: str = BETTER,
    margin: float = 0.0,
    most: int = 1_000_000,
) -> ExamplesNeeded:
    """Search for the size of a test set on which a stated effect is found often enough.

    Parameters
    ----------
    power : float
        In (0, 1).
    most : int
        The largest size to try.
    effect, test, alpha, alternative, disagreement, standard_deviation, claim, margin
        As of `power_at`.

    Raises
    ------
    ValueError
        As `power_at`.
    """
    check_open_share(power, name="power")
    stated = _stated(
        effect, test, alpha, alternative, disagreement, standard_deviation, claim, margin
    )

    def reaches(sizes: Sequence[int]) -> BoolArray:
        enough: BoolArray = stated.at(stated.effect, np.array(sizes)) >= power
        return enough

    low, high = 0, 1
    while high < most and not reaches([high])[0]:
        low, high = high, min(2 * high, most)
    n: int | None = None
    if reaches([high])[0]:
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if reaches([middle])[0] else (middle, high)
        # At a margin each size takes long, and power hardly steps back: where the wins it takes
        # change depends on how many examples differ.
        enumerated = stated.margin > 0.0 and disagreement is not None
        settled = _settled(high, reaches=reaches, back=0 if enumerated else _LOOK_BACK)
        n = settled if settled <= most else None
    return ExamplesNeeded(
        **asdict(stated),
        n_examples=n,
        power=power,
        reached=None if n is None else float(stated.at(stated.effect, np.array([n]))[0]),
        most=most,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SizePlan:
    """The examples that a claim takes, and its power on fewer and on more.

    Attributes
    ----------
    needed : ExamplesNeeded
        The smallest size.
    around : Power
        At sizes from a quarter of it to twice as many; where none was found, from an eighth of
        the largest that was tried to all of it.
    """

    needed: ExamplesNeeded
    around: Power

    @property
    def signature(self) -> str:
        """The line that names everything the numbers depend on."""
        return self.needed.signature

    def to_frame(self) -> DataFrame:
        """A row for each size."""
        return self.around.to_frame()


def plan_size(
    power: float, *, most: int = 100_000, on_progress: Callable[[int, int], object], **asked: Any
) -> SizePlan:
    """Search for the size that a claim takes, and compute the power around it.

    Parameters
    ----------
    power, most, asked
        As of `examples_needed`.
    on_progress : callable
        Called with the parts done and their number; False stops after the search.

    Raises
    ------
    ValueError
        As `examples_needed`.
    Stopped
        If `on_progress` says so.
    """
    needed = examples_needed(power, most=most, **asked)
    if on_progress(1, 2) is False:
        raise Stopped("The plan was stopped before it was done.")
    n = needed.n_examples or most // 2
    sizes = sorted({max(2, round(n * share)) for share in (0.25, 0.5, 0.75, 1.0, 1.5, 2.0)})
    around = power_at(n=sizes, **asked)
    on_progress(2, 2)
    return SizePlan(needed=needed, around=around)


def _settled(first: int, *, reaches: Callable[[Sequence[int]], BoolArray], back: int) -> int:
    """The smallest size around `first` that reaches, as the sizes after it do."""
    start = max(1, first - back)
    ahead = back + _LOOK_AHEAD if back else _IN_A_ROW + 1
    while True:
        sizes = range(start, start + ahead)
        found = reaches(sizes)
        runs = np.lib.stride_tricks.sliding_window_view(found, _IN_A_ROW + 1).all(axis=1)
        if runs.any():
            return sizes[int(np.argmax(runs))]
        start += ahead - _IN_A_ROW


def _checked_effect(
    effect: float, disagreement: float | None, standard_deviation: float | None
) -> float:
    shift = float(effect)
    if not np.isfinite(shift):
        raise ValueError(f"`effect` must be a finite number; got {effect!r}.")
    if (disagreement is None) == (standard_deviation is None):
        raise ValueError(
            "Either `disagreement` (of 0/1 scores) or `standard_deviation` (of the differences of "
            "other scores) must be given, and not both."
        )
    if disagreement is not None and not abs(shift) <= disagreement <= 1.0:
        raise ValueError(
            "`disagreement` must lie between the size of `effect` and 1, as accuracies cannot be "
            f"farther apart than the share of examples that differ; got {disagreement!r} with "
            f"effect {effect!r}."
        )
    if standard_deviation is not None and not 0.0 < standard_deviation < np.inf:
        raise ValueError(f"`standard_deviation` must be above 0; got {standard_deviation!r}.")
    return shift
