"""Power of a test at an effect that is stated, never at the one observed.

Power at the observed effect is the p-value told a second time: where p = .05 it is
about one half, whatever the truth. And an effect that was chosen because it was
significant is on average too large, so that power computed from it is optimistic.

It is computed by enumeration where a test's p-value depends on wins and losses
alone, else by theory. A claim at a margin has power too: that A is not worse by more
than the margin is often true of equal systems.

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
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from ..comparison import BETTER, Comparison, checked_margin, comparison_named
from ..replicability.decision import at_most
from ..signature import signature_line
from ..significance.choose import why_not_at
from ..significance.counting import SIGN, binomial_at_least, binomial_point
from ..significance.known_tests import significance_test_named, significance_test_names
from ..significance.result import claim_in_signature
from ..significance.settings import TEST_ALTERNATIVES, TestAlternative
from ..significance.significance_test import (
    HasMargin,
    Kernel,
    OfCounts,
    OfDifferences,
    OfMoments,
    OfSigns,
)
from ..significance.stopping import Stopped
from ..significance.student import StudentTest
from ..significance.wilcoxon import SignedRankTest
from ..types import BoolArray, FloatArray, IntArray
from ..validation import check_alpha, check_choice, check_open_share

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StatedEffect:
    """What power is asked for: a test, and an effect that is stated.

    Attributes
    ----------
    effect : float
        As stated, A − B with higher being better.
    test : str
        Name of the test.
    alpha : float
        The level.
    alternative : {"greater", "less", "two-sided"}
        What its p-value speaks for; "two-sided" counts both directions.
    disagreement, standard_deviation : float or None
        What the effect is seen against: the first with 0/1 scores, else the second.
    approximation : str
        What is assumed beyond independent examples, '' where nothing is.
    claim : str
        What p <= alpha speaks for, one of `core.comparison.COMPARISONS`.
    margin : float
        Of the claim.
    """

    effect: float
    test: str
    alpha: float
    alternative: TestAlternative
    disagreement: float | None
    standard_deviation: float | None
    approximation: str
    claim: str
    margin: float

    def at(self, effect: float, sizes: IntArray) -> FloatArray:
        """The power at another effect, shape (sizes,), with no smaller disagreement than it."""
        given: dict[str, Any] = {"claim": self.claim, "margin": self.margin}
        asked = self.test, self.alpha, self.alternative
        if self.disagreement is not None:
            differing = max(float(self.disagreement), abs(effect))
            return power_of_outcomes(effect, sizes, differing, *asked, **given)[0]
        assert self.standard_deviation is not None
        sd = float(self.standard_deviation)
        given["margin"] = self.margin / sd
        return power_of_means(effect / sd, sizes, *asked, **given)[0]

    def _signature(self, **asked: object) -> str:
        return signature_line(
            **asked,
            alt=self.alternative,
            alpha=self.alpha,
            effect=self.effect,
            disagreement=self.disagreement,
            sd=self.standard_deviation,
            **claim_in_signature(self.claim, self.margin),
        )


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
        return self._signature(power=self.test)

    def to_frame(self) -> pd.DataFrame:
        """A row for each size."""
        import pandas as pd

        return pd.DataFrame(
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
        return self._signature(needed=self.test, power=self.power)


# Of the number of discordant examples, so many standard deviations to either side: 1e-15.
_DEVIATIONS = 8.5
# At a margin, where each takes p-values of its own: 6e-7.
_DEVIATIONS_AT_MARGIN = 5.0
_LOOKED_FOR, _SMOOTH_FROM, _UNSURE = 9, 100, 0.05
# Of a standard deviation, so much is left out at either end; the rest is integrated at these nodes.
_BEYOND = 1e-15
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(200)
# Of Wilcoxon's test beside Student's for normal differences (Hodges and Lehmann 1956).
_EFFICIENCY = 3.0 / np.pi

_NOT_OF_CORRELATIONS = (
    "`test` must be one of scores that are averaged; the power of {!r} depends on three "
    "correlations, not on one effect."
)
_NORMAL = "normal differences"
_NORMAL_MEAN = "the mean difference is taken to be normal"
_AS_SIGN = (
    "computed as for the sign test, which it is on 0/1 scores but for rounding of its normal form"
)
_OF_RANKS = (
    "normal differences, of which Wilcoxon's test uses as much as Student's does of 3/π of them"
)
_AS_STUDENT = "normal differences; computed for Student's t, which the test approaches as n grows"


def power_of_outcomes(
    effect: float,
    sizes: IntArray,
    disagreement: float,
    test: str,
    alpha: float,
    alternative: TestAlternative,
    *,
    claim: str = BETTER,
    margin: float = 0.0,
) -> tuple[FloatArray, str]:
    """Of 0/1 scores, shape (sizes,), and what is assumed beyond independent examples.

    Raises
    ------
    ValueError
        If the test is one of correlations, its power is not known, or there is no
        such test or alternative.
    """
    check_choice(alternative, TEST_ALTERNATIVES, name="alternative")
    known = significance_test_named(test)
    if margin and isinstance(known.kernel, HasMargin):
        return _enumerated_at_margin(
            sizes, disagreement, effect, known.kernel, alpha, comparison_named(claim), margin
        ), ""
    kernel = _kernel(test)
    if disagreement == 0.0:
        return np.zeros(sizes.size), ""
    if isinstance(kernel, OfMoments):
        spread = np.sqrt(disagreement - effect**2)
        if spread == 0.0:
            return np.full(sizes.size, float(effect > 0.0)), _NORMAL_MEAN
        return _normal_power(effect / spread * np.sqrt(sizes), alpha, alternative), _NORMAL_MEAN
    counting = kernel if isinstance(kernel, OfCounts) else SIGN
    chance = 0.5 * (1.0 + effect / disagreement)
    power = _enumerated(sizes, disagreement, chance, counting, alpha, alternative)
    return power, _AS_SIGN if isinstance(kernel, SignedRankTest) else ""


def power_of_means(
    shift: float,
    sizes: IntArray,
    test: str,
    alpha: float,
    alternative: TestAlternative,
    *,
    claim: str = BETTER,
    margin: float = 0.0,
) -> tuple[FloatArray, str]:
    """At a mean difference in standard deviations, shape (sizes,), and what is assumed.

    The margin is in standard deviations too.

    Raises
    ------
    ValueError
        If the test is one of correlations, or of 0/1 scores, its power is not
        known, or there is no such test or alternative.
    """
    from scipy.special import ndtr

    check_choice(alternative, TEST_ALTERNATIVES, name="alternative")
    kernel = _kernel(test)
    if significance_test_named(test).suits_outcomes_only:
        raise ValueError(
            f"`disagreement` must be given with `test` {test!r}, which is for 0/1 scores."
        )
    if isinstance(kernel, OfCounts):
        chance = float(ndtr(shift))
        return _enumerated(sizes, 1.0, chance, kernel, alpha, alternative), _NORMAL
    of_ranks = isinstance(kernel, SignedRankTest)
    own = sizes.astype(np.float64) * (_EFFICIENCY if of_ranks else 1.0)
    comparison = comparison_named(claim)
    if comparison.both_sides:
        power = _student_power_within(shift, margin, own, alpha)
    else:
        power = _student_power(shift + comparison.shift * margin, own, alpha, alternative)
    if of_ranks:
        return power, _OF_RANKS
    return power, _NORMAL if isinstance(kernel, StudentTest) else _AS_STUDENT


def tests_of_known_power() -> tuple[str, ...]:
    """Names of the tests of averaged scores whose power is known, as `power_of_outcomes` has it."""
    return significance_test_names(
        lambda test: isinstance(test.kernel, OfCounts | OfMoments | OfSigns)
    )


def _kernel(name: str) -> Kernel:
    kernel = significance_test_named(name).kernel
    if not isinstance(kernel, OfDifferences):
        raise ValueError(_NOT_OF_CORRELATIONS.format(name))
    check_choice(name, tests_of_known_power(), name="test")
    return kernel


def _normal_power(centre: FloatArray, alpha: float, alternative: TestAlternative) -> FloatArray:
    from scipy.special import ndtr, ndtri

    if alternative == "two-sided":
        edge = float(ndtri(alpha / 2.0))
        return np.asarray(ndtr(edge + centre) + ndtr(edge - centre))
    sign = 1.0 if alternative == "greater" else -1.0
    return np.asarray(ndtr(float(ndtri(alpha)) + sign * centre))


def _student_power(
    shift: float, sizes: FloatArray, alpha: float, alternative: TestAlternative
) -> FloatArray:
    from scipy.special import stdtrit
    from scipy.stats import nct

    power = np.zeros(sizes.size)
    enough = sizes > 1.0
    freedom, own = sizes[enough] - 1.0, sizes[enough]
    if alternative == "less":
        shift = -shift
    elif alternative == "two-sided":
        shift = abs(shift)
    edge = -stdtrit(freedom, alpha / 2.0 if alternative == "two-sided" else alpha)
    centre = shift * np.sqrt(own)
    found = nct.sf(edge, freedom, centre)
    if alternative == "two-sided":
        # Of the wrong side, far out, scipy gives nan for what is below 1e-20.
        found = found + np.nan_to_num(nct.cdf(-edge, freedom, centre))
    power[enough] = found
    return power


def _student_power_within(
    shift: float, margin: float, sizes: FloatArray, alpha: float
) -> FloatArray:
    """Of two one-sided t-tests: the chance that the mean lies within the margin by both.

    Given the standard deviation that is observed, the mean is normal; over that, the
    square root of a χ² by its degrees of freedom, it is integrated.
    """
    from scipy.special import chdtri, ndtr, stdtrit
    from scipy.stats import chi2

    power = np.zeros(sizes.size)
    enough = sizes > 1.0
    own = sizes[enough, np.newaxis]
    freedom, root = own - 1.0, np.sqrt(own)
    edge = -stdtrit(freedom, alpha)
    # Below the smaller of what its tail leaves and what still lets the two tests meet.
    most = np.minimum(
        np.sqrt(chdtri(freedom, _BEYOND) / freedom), margin * root / np.maximum(edge, 1e-300)
    )
    least = np.sqrt(np.maximum(chi2.ppf(_BEYOND, freedom), 0.0) / freedom)
    half = 0.5 * np.maximum(most - least, 0.0)
    spread = least + half * (1.0 + _NODES)
    density = 2.0 * spread * freedom * chi2.pdf(freedom * spread**2, freedom)
    both = ndtr((margin - shift) * root - edge * spread) - ndtr(
        edge * spread - (margin + shift) * root
    )
    power[enough] = (half * np.maximum(both, 0.0) * density) @ _WEIGHTS
    return power


def _enumerated(
    sizes: IntArray,
    disagreement: float,
    chance: float,
    kernel: OfCounts,
    alpha: float,
    alternative: TestAlternative,
) -> FloatArray:
    """Sum over the number of discordant examples and, within it, over the wins."""
    windows = [_discordant(n, disagreement, _DEVIATIONS, 40.0) for n in sizes.tolist()]
    numbers = np.unique(np.concatenate([np.arange(low, high + 1) for low, high in windows]))
    of = numbers.astype(np.float64)
    if alternative == "less":
        chance = 1.0 - chance
    side: TestAlternative = "two-sided" if alternative == "two-sided" else "greater"

    def small(wins: FloatArray, of: FloatArray) -> BoolArray:
        # Two-sided, what is small below one half is so for the other side.
        p = kernel.p_of_counts(wins, of - wins, alternative=side)
        return at_most(p, alpha) & ((side == "greater") | (2.0 * wins >= of))

    critical = _fewest(small, of, np.ceil(0.5 * of + np.sqrt(of)))
    rejected = binomial_at_least(critical, of, chance)
    if alternative == "two-sided":
        rejected = rejected + binomial_at_least(critical, of, 1.0 - chance)
    power = np.empty(sizes.size)
    for i, (n, (low, high)) in enumerate(zip(sizes.tolist(), windows, strict=True)):
        part = slice(*np.searchsorted(numbers, [low, high + 1]).tolist())
        weights = binomial_point(of[part], n, disagreement)
        power[i] = float(weights @ rejected[part]) / float(weights.sum())
    return power


def _discordant(n: int, disagreement: float, deviations: float, more: float) -> tuple[int, int]:
    """The fewest and the most examples that differ, but for what is too far out to matter."""
    centre = n * disagreement
    reach = deviations * np.sqrt(centre * (1.0 - disagreement)) + more
    return max(0, int(centre - reach)), min(n, int(np.ceil(centre + reach)))


def _enumerated_at_margin(
    sizes: IntArray,
    disagreement: float,
    effect: float,
    kernel: HasMargin,
    alpha: float,
    comparison: Comparison,
    margin: float,
) -> FloatArray:
    """As `_enumerated`; how many wins it takes depends on n as well."""
    from scipy.special import ndtri

    one_sided = "not-worse" if comparison.shift > 0 else "better-by"
    chance = 0.5 * (1.0 + effect / disagreement) if disagreement else 0.5
    power = np.empty(sizes.size)
    for i, n in enumerate(sizes.tolist()):
        low, high = _discordant(n, disagreement, _DEVIATIONS_AT_MARGIN, 8.0)
        of = np.arange(low, high + 1, dtype=np.float64)

        def p_of(wins: FloatArray, of: FloatArray, n: int = n) -> FloatArray:
            return kernel.p_at_margin(wins, of - wins, n, margin=margin, claim=one_sided)

        # Where a normal approximation has them.
        likely = 0.5 * (of - comparison.shift * n * margin - ndtri(alpha) * np.sqrt(of))
        critical = _fewest_at_margin(p_of, of, np.rint(likely), alpha)
        accepted = binomial_at_least(critical, of, chance)
        if comparison.both_sides:
            # As many losses as wins are enough for the other side.
            accepted = accepted - binomial_at_least(of - critical + 1.0, of, chance)
        weights = binomial_point(of, n, disagreement)
        power[i] = float(weights @ np.maximum(accepted, 0.0)) / float(weights.sum())
    return power


def _fewest_at_margin(
    p_of: Callable[[FloatArray, FloatArray], FloatArray],
    of: FloatArray,
    likely: FloatArray,
    alpha: float,
) -> FloatArray:
    """As `_fewest`, of consecutive numbers: of some by the test, of those between by a smooth line.

    Where p passes alpha, between two whole numbers of wins, lies on a line in how many
    examples differ that bends by less than .003 of a win from one of `some` to the next.
    The test itself is asked where the line is no farther than .05 from a whole number.
    """
    from scipy.special import ndtri

    def small(wins: FloatArray, of: FloatArray) -> BoolArray:
        return at_most(p_of(wins, of), alpha)

    places = np.unique(np.linspace(0, of.size - 1, _LOOKED_FOR).round().astype(np.intp))
    some = of[places]
    fewest = _fewest(small, some, likely[places])
    if of[0] < _SMOOTH_FROM or bool((fewest > some).any() or (fewest < 1.0).any()):
        return _fewest(small, of, np.rint(np.interp(of, some, fewest)))
    before, there = (ndtri(p_of(fewest - less, some)) for less in (1.0, 0.0))
    crossing = fewest - (float(ndtri(alpha)) - there) / (before - there)
    line = np.interp(of, some, crossing)
    nearest = np.rint(line)
    unsure = np.abs(line - nearest) < _UNSURE
    critical = np.ceil(line)
    decided = small(nearest[unsure], of[unsure])
    critical[unsure] = np.where(decided, nearest[unsure], nearest[unsure] + 1.0)
    return critical


def _fewest(
    small: Callable[[FloatArray, FloatArray], BoolArray], of: FloatArray, guess: FloatArray
) -> FloatArray:
    """The fewest wins of so many with a small p-value; one more than all if none.

    They are looked for away from the guess in growing steps, until they lie between two
    numbers, and then by halves.
    """
    low, high = np.full(of.size, -1.0), of + 1.0
    middle, reach = np.clip(guess, 0.0, of), 1.0
    open_ = high - low > 1.0
    while bool(open_.any()):
        found = np.zeros(of.size, dtype=np.bool_)
        found[open_] = small(middle[open_], of[open_])
        high = np.where(open_ & found, middle, high)
        low = np.where(open_ & ~found, middle, low)
        onward = np.where(low < 0.0, high - reach, low + reach)
        between = (low >= 0.0) & (high <= of)
        middle = np.where(between, np.floor((low + high) / 2.0), onward)
        middle = np.clip(middle, low + 1.0, np.maximum(high - 1.0, low + 1.0))
        open_ = high - low > 1.0
        reach *= 2.0
    return high


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
        **_fields_of(stated),
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
    one = np.array([2])
    given: dict[str, Any] = {"claim": claim, "margin": least}
    if disagreement is not None:
        differing = max(float(disagreement), least)
        found = power_of_outcomes(0.0, one, differing, test, level, alternative, **given)
    else:
        found = power_of_means(0.0, one, test, level, alternative, **given)
    return StatedEffect(
        effect=shift,
        test=test,
        alpha=level,
        alternative=alternative,
        disagreement=disagreement,
        standard_deviation=standard_deviation,
        approximation=found[1],
        claim=claim,
        margin=least,
    )


def _fields_of(stated: StatedEffect) -> dict[str, Any]:
    return {field.name: getattr(stated, field.name) for field in fields(StatedEffect)}


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
        n = _settled(high, reaches=reaches, back=0 if enumerated else _LOOK_BACK)
    return ExamplesNeeded(
        **_fields_of(stated),
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
        At sizes from a quarter of it, or of the largest that was tried, to twice as many.
    """

    needed: ExamplesNeeded
    around: Power

    @property
    def signature(self) -> str:
        """The line that names everything the numbers depend on."""
        return self.needed.signature

    def to_frame(self) -> pd.DataFrame:
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
