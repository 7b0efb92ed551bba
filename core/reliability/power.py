"""Power of a test at an effect that is stated, never at the one observed.

Power at the observed effect is the p-value told a second time: where p = .05 it is
about one half, whatever the truth. And an effect that was chosen because it was
significant is on average too large, so that power computed from it is optimistic.

Vocabulary
----------
effect
    Of 0/1 scores: the difference d of the two accuracies, A − B. Of other
    averaged scores: the mean difference.
disagreement
    Of 0/1 scores: the share q of examples that one of the two has right and the
    other wrong. A alone has (q + d)/2 of the examples right, B alone (q − d)/2.
attained level
    The chance that the test gives p <= alpha where the effect is 0. Of a discrete
    test it lies below alpha.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from core.reliability.power_of_tests import power_of_means, power_of_outcomes
from core.reliability.power_results import ExamplesNeeded, ExpectedShares, Power
from core.significance.known_tests import significance_test_named
from core.significance.result import TEST_ALTERNATIVES, TestAlternative
from core.types import BoolArray, IntArray
from core.validation import check_alpha, check_choice, check_open_share

# Where power rises with small steps back, so many sizes in a row are to reach it.
_IN_A_ROW = 10

# Sizes looked at around the one that the search finds.
_LOOK_BACK, _LOOK_AHEAD = 24, 64


def power_at(
    effect: float,
    n: int | Sequence[int] | IntArray,
    *,
    test: str,
    alpha: float = 0.05,
    alternative: TestAlternative = "greater",
    disagreement: float | None = None,
    standard_deviation: float | None = None,
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

    Raises
    ------
    ValueError
        If an argument is not as described, or the test's power is not known so.

    References
    ----------
    Miettinen (Biometrics 1968) for McNemar's test; Johnson, Kotz and Balakrishnan
    (1995), chapter 31, for the noncentral t distribution.
    """
    significance_test_named(test)
    level = check_alpha(alpha)
    check_choice(alternative, TEST_ALTERNATIVES, name="alternative")
    sizes = np.atleast_1d(np.asarray(n))
    if sizes.ndim != 1 or sizes.dtype.kind not in "iu" or bool((sizes < 1).any()):
        raise ValueError(f"`n` must be whole numbers of at least 1; got {n!r}.")
    shift = _checked_effect(effect, disagreement, standard_deviation)
    if disagreement is not None:
        power, approximation = power_of_outcomes(
            shift, sizes, float(disagreement), test, level, alternative
        )
        chance, _ = power_of_outcomes(0.0, sizes, float(disagreement), test, level, alternative)
    else:
        assert standard_deviation is not None
        spread = float(standard_deviation)
        power, approximation = power_of_means(shift / spread, sizes, test, level, alternative)
        chance, _ = power_of_means(0.0, sizes, test, level, alternative)
    return Power(
        effect=shift,
        n_examples=sizes.astype(np.intp),
        power=power,
        attained_level=chance,
        test=test,
        alpha=level,
        alternative=alternative,
        disagreement=disagreement,
        standard_deviation=standard_deviation,
        approximation=approximation,
    )


def share_expected(
    n_examples: Sequence[int],
    *,
    effect: float | None = None,
    test: str,
    alpha: float = 0.05,
    alternative: TestAlternative = "greater",
    disagreement: float | None = None,
    standard_deviation: float | None = None,
) -> ExpectedShares:
    """What share of independent test sets is significant, by chance and by a stated effect.

    To be shown beside the shares of subsamples of one dataset, which share
    examples and follow the whole dataset as they grow.

    Raises
    ------
    ValueError
        As `power_at`.
    """
    found = power_at(
        0.0 if effect is None else effect,
        list(n_examples),
        test=test,
        alpha=alpha,
        alternative=alternative,
        disagreement=disagreement,
        standard_deviation=standard_deviation,
    )
    return ExpectedShares(
        n_examples=tuple(found.n_examples.tolist()),
        by_chance=tuple(found.attained_level.tolist()),
        by_effect=None if effect is None else tuple(found.power.tolist()),
        effect=effect,
        approximation=found.approximation,
    )


def examples_needed(
    power: float,
    *,
    effect: float,
    test: str,
    alpha: float = 0.05,
    alternative: TestAlternative = "greater",
    disagreement: float | None = None,
    standard_deviation: float | None = None,
    most: int = 1_000_000,
) -> ExamplesNeeded:
    """Search for the size of a test set on which a stated effect is found often enough.

    Parameters
    ----------
    power : float
        In (0, 1).
    most : int
        The largest size to try.
    effect, test, alpha, alternative, disagreement, standard_deviation
        As of `power_at`.

    Raises
    ------
    ValueError
        As `power_at`.
    """
    check_open_share(power, name="power")

    def at(sizes: Sequence[int]) -> Power:
        return power_at(
            effect,
            sizes,
            test=test,
            alpha=alpha,
            alternative=alternative,
            disagreement=disagreement,
            standard_deviation=standard_deviation,
        )

    def reaches(n: int) -> bool:
        return float(at([n]).power[0]) >= power

    found = at([1])
    low, high = 0, 1
    while high < most and not reaches(high):
        low, high = high, min(2 * high, most)
    n: int | None = None
    if reaches(high):
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if reaches(middle) else (middle, high)
        n = _settled(high, reaches=lambda sizes: at(sizes).power >= power)
    return ExamplesNeeded(
        n_examples=n,
        power=power,
        reached=None if n is None else float(at([n]).power[0]),
        most=most,
        effect=found.effect,
        test=test,
        alpha=found.alpha,
        alternative=alternative,
        disagreement=disagreement,
        standard_deviation=standard_deviation,
        approximation=found.approximation,
    )


def _settled(first: int, *, reaches: Callable[[Sequence[int]], BoolArray]) -> int:
    """The smallest size around `first` that reaches, as the sizes after it do."""
    start = max(1, first - _LOOK_BACK)
    while True:
        sizes = range(start, start + _LOOK_AHEAD)
        found = reaches(sizes)
        runs = np.lib.stride_tricks.sliding_window_view(found, _IN_A_ROW + 1).all(axis=1)
        if runs.any():
            return sizes[int(np.argmax(runs))]
        start += _LOOK_AHEAD - _IN_A_ROW


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
