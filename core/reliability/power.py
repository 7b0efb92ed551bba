"""Power of a test at an effect that is stated, never at the one observed.

Power at the observed effect is the p-value told a second time: where p = .05 it is
about one half, whatever the truth. And an effect that was chosen because it was
significant is on average too large, so that power computed from it is optimistic.

Where a test's p-value depends on wins and losses alone, every number of them is gone through;
else power is by theory. A claim at a margin has power too: that A is not worse by more than the
margin is often true of equal systems.

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

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ..comparison import BETTER, comparison_named
from ..shown import DataFrame, frame_of
from ..signature import listed, signature_line
from ..significance.choose import why_not_at
from ..significance.counting import SIGN, CountingTest, PAtMargin, binomial_at_least, binomial_point
from ..significance.known_tests import (
    SignificanceTest,
    significance_test_named,
    significance_test_names,
)
from ..significance.paired_tests import signed_ranks, student
from ..significance.single import claim_in_signature
from ..significance.stopping import Stopped
from ..types import BoolArray, FloatArray, IntArray
from ..validation import at_most, check_choice

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

_NORMAL = "normal differences"
_NORMAL_MEAN = "the mean difference is taken to be normal"
_AS_SIGN = (
    "computed as for the sign test, which it is on 0/1 scores but for rounding of its normal form"
)
_OF_RANKS = (
    "normal differences, of which Wilcoxon's test uses as much as Student's does of 3/π of them"
)
_AS_STUDENT = "normal differences; computed for Student's t, which the test approaches as n grows"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StatedEffect:
    """What power is asked for: a test of "A is better", and an effect that is stated.

    The `effect` is what the user states, A − B, higher being better; never the observed one. Either
    the `disagreement` of 0/1 scores is given, in [|effect|, 1], or the `standard_deviation` of the
    differences of other scores. Power of 0/1 scores is by wins and losses gone through, of
    "paired-bootstrap" by the normal approximation (Miettinen, Biometrics 1968); of others by the
    noncentral t distribution (Johnson, Kotz and Balakrishnan 1995, chapter 31), which resampling
    tests approach, "wilcoxon" with 3/π of the examples. `claim` and `margin` are as of
    `run_significance_test`; equivalence by t is integrated over the standard deviation observed.
    ValueError if an argument is not as described, or the test's power is not known so.
    """

    effect: float
    test: str
    alpha: float = 0.05
    disagreement: float | None = None
    standard_deviation: float | None = None
    claim: str = BETTER
    margin: float = 0.0

    def __post_init__(self) -> None:
        if self.margin:
            known, of_outcomes = significance_test_named(self.test), self.disagreement is not None
            why_not = why_not_at(self.margin, known, of_means=True, zero_one=of_outcomes)
            if why_not:
                raise ValueError(
                    f"`margin` {self.margin:g} must have a power with {self.test!r}; {why_not}."
                )
        # Refuses a test whose power is not known.
        self.power_of(0.0, np.array([2]))

    @property
    def approximation(self) -> str:
        """What is assumed beyond independent examples, '' where nothing is."""
        # The same at every effect and size.
        return self.power_of(0.0, np.array([2]))[1]

    def power_of(self, effect: float, sizes: IntArray) -> tuple[FloatArray, str]:
        """The power at another effect, shape (sizes,), with no smaller disagreement than it.

        Beside it what is assumed beyond independent examples; ValueError if it is not known.
        """
        if self.disagreement is not None:
            differing = max(float(self.disagreement), abs(effect))
            return _power_of_outcomes(self, effect, sizes, differing)
        assert self.standard_deviation is not None
        sd = float(self.standard_deviation)
        return _power_of_means(self, effect / sd, sizes, self.margin / sd)

    def signature_of(self, **asked: object) -> str:
        """The line that names everything a result depends on, what else was asked for first."""
        return signature_line(
            **asked,
            alt="greater",
            alpha=self.alpha,
            effect=self.effect,
            disagreement=self.disagreement,
            sd=self.standard_deviation,
            **claim_in_signature(self.claim, self.margin),
        )


def _power_of_outcomes(
    stated: StatedEffect, effect: float, sizes: IntArray, disagreement: float
) -> tuple[FloatArray, str]:
    """Of 0/1 scores."""
    from scipy.special import ndtr, ndtri

    known = significance_test_named(stated.test)
    if stated.margin and known.p_at_margin is not None:
        return _enumerated_at_margin(stated, effect, sizes, disagreement, known.p_at_margin), ""
    _of_known_power(stated.test)
    if disagreement == 0.0:
        return np.zeros(sizes.size), ""
    if known.p_of_moments is not None:
        spread = np.sqrt(disagreement - effect**2)
        if spread == 0.0:
            # Every example differs the same way.
            return np.full(sizes.size, float(effect > 0.0)), _NORMAL_MEAN
        reach = float(ndtri(stated.alpha)) + effect / spread * np.sqrt(sizes)
        return np.asarray(ndtr(reach)), _NORMAL_MEAN
    chance = 0.5 * (1.0 + effect / disagreement)
    power = _enumerated(stated, sizes, disagreement, chance, known.counting or SIGN)
    return power, _AS_SIGN if known.of_scores is signed_ranks else ""


def _power_of_means(
    stated: StatedEffect, shift: float, sizes: IntArray, margin: float
) -> tuple[FloatArray, str]:
    """At a mean difference in standard deviations; the margin is in standard deviations too."""
    from scipy.special import ndtr

    known = _of_known_power(stated.test)
    if known.suits_outcomes_only:
        raise ValueError(
            f"`disagreement` must be given with `test` {stated.test!r}, which is for 0/1 scores."
        )
    if known.counting is not None:
        chance = float(ndtr(shift))
        return _enumerated(stated, sizes, 1.0, chance, known.counting), _NORMAL
    of_ranks = known.of_scores is signed_ranks
    own = sizes.astype(np.float64) * (_EFFICIENCY if of_ranks else 1.0)
    comparison = comparison_named(stated.claim)
    if comparison.both_sides:
        power = _student_power_within(shift, margin, own, stated.alpha)
    else:
        power = _student_power(shift + comparison.shift * margin, own, stated.alpha)
    if of_ranks:
        return power, _OF_RANKS
    return power, _NORMAL if known.of_scores is student else _AS_STUDENT


def tests_of_known_power() -> tuple[str, ...]:
    """Names of the tests of averaged scores whose power is known."""
    return significance_test_names(
        lambda test: any((test.counting, test.p_of_moments, test.signed_weights))
    )


def _of_known_power(name: str) -> SignificanceTest:
    return significance_test_named(check_choice(name, tests_of_known_power(), name="test"))


def _student_power(shift: float, sizes: FloatArray, alpha: float) -> FloatArray:
    from scipy.special import stdtrit
    from scipy.stats import nct

    power = np.zeros(sizes.size)
    enough = sizes > 1.0
    freedom, own = sizes[enough] - 1.0, sizes[enough]
    power[enough] = nct.sf(-stdtrit(freedom, alpha), freedom, shift * np.sqrt(own))
    return power


def _student_power_within(
    shift: float, margin: float, sizes: FloatArray, alpha: float
) -> FloatArray:
    """Of two one-sided t-tests: the chance that the mean lies within the margin by both.

    Given the standard deviation observed the mean is normal; over that, √(χ²/freedom), it is
    integrated.
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
    stated: StatedEffect, sizes: IntArray, disagreement: float, chance: float, kernel: CountingTest
) -> FloatArray:
    """Sum over the number of discordant examples and, within it, over the wins."""
    windows = [_discordant(n, disagreement, _DEVIATIONS, 40.0) for n in sizes.tolist()]
    numbers = np.unique(np.concatenate([np.arange(low, high + 1) for low, high in windows]))
    of = numbers.astype(np.float64)

    def small(wins: FloatArray, of: FloatArray) -> BoolArray:
        return at_most(kernel.p_of_counts(wins, of - wins, alternative="greater"), stated.alpha)

    critical = _fewest(small, of, np.ceil(0.5 * of + np.sqrt(of)))
    rejected = binomial_at_least(critical, of, chance)
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
    stated: StatedEffect,
    effect: float,
    sizes: IntArray,
    disagreement: float,
    p_at_margin: PAtMargin,
) -> FloatArray:
    """As `_enumerated`; how many wins it takes depends on n as well."""
    from scipy.special import ndtri

    alpha, margin, comparison = stated.alpha, stated.margin, comparison_named(stated.claim)
    one_sided = "not-worse" if comparison.shift > 0 else "better-by"
    chance = 0.5 * (1.0 + effect / disagreement) if disagreement else 0.5
    power = np.empty(sizes.size)
    for i, n in enumerate(sizes.tolist()):
        low, high = _discordant(n, disagreement, _DEVIATIONS_AT_MARGIN, 8.0)
        of = np.arange(low, high + 1, dtype=np.float64)

        def p_of(wins: FloatArray, of: FloatArray, n: int = n) -> FloatArray:
            return p_at_margin(wins, of - wins, n, margin=margin, claim=one_sided)

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

    Where p passes alpha, between two whole numbers of wins, lies on a line that bends by less than
    .003 of a win from one of `some` to the next. The test is asked where the line is no farther
    than .05 from a whole number.
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
    """The fewest wins of so many with a small p-value, one more than all if none.

    In growing steps from a guess, then by halves.
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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Power:
    """Chance of p <= alpha at each size of independent test sets, at a stated effect.

    The `attained_level` is at the edge of the null hypothesis, with the same standard deviation or
    disagreement, or one of the margin where that is more. Arrays have shape (sizes,).
    """

    stated: StatedEffect
    n_examples: IntArray
    power: FloatArray
    attained_level: FloatArray

    @property
    def signature(self) -> str:
        """The line that names everything the numbers depend on."""
        sizes = listed(self.n_examples.tolist())
        return self.stated.signature_of(power=self.stated.test, sizes=sizes)

    def to_frame(self) -> DataFrame:
        """A row for each size."""
        return frame_of(
            {
                "n_examples": self.n_examples,
                "effect": self.stated.effect,
                "power": self.power,
                "attained_level": self.attained_level,
            }
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExamplesNeeded:
    """The smallest test set on which a stated effect is found often enough.

    It reaches the power, as the ten sizes after it do: the power of discrete tests rises with small
    steps back. `n_examples` is None where none up to `most` does.
    """

    stated: StatedEffect
    n_examples: int | None
    power: float
    most: int

    @property
    def signature(self) -> str:
        """The line that names everything the number depends on."""
        return self.stated.signature_of(needed=self.stated.test, power=self.power, most=self.most)


# Where power rises with small steps back, so many sizes in a row are to reach it.
_IN_A_ROW = 10

# Sizes looked at around the one that the search finds.
_LOOK_BACK, _LOOK_AHEAD = 24, 40


def power_at(stated: StatedEffect, n: int | Sequence[int] | IntArray) -> Power:
    """Chance that a test set of `n` independent examples, or of each of several sizes, gives p <= alpha."""
    sizes = np.atleast_1d(np.asarray(n))
    # The edge of the null hypothesis that lies nearest to the claim.
    edge = -comparison_named(stated.claim).shift * stated.margin
    return Power(
        stated=stated,
        n_examples=sizes.astype(np.intp),
        power=stated.power_of(stated.effect, sizes)[0],
        attained_level=stated.power_of(edge, sizes)[0],
    )


def examples_needed(stated: StatedEffect, power: float, *, most: int = 1_000_000) -> ExamplesNeeded:
    """Search, up to `most`, for the size of a test set on which a stated effect is found often enough."""

    def reaches(sizes: Sequence[int]) -> BoolArray:
        enough: BoolArray = stated.power_of(stated.effect, np.array(sizes))[0] >= power
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
        enumerated = stated.margin > 0.0 and stated.disagreement is not None
        settled = _settled(high, reaches=reaches, back=0 if enumerated else _LOOK_BACK)
        n = settled if settled <= most else None
    return ExamplesNeeded(stated=stated, n_examples=n, power=power, most=most)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SizePlan:
    """The examples that a claim takes.

    And its power `around` that size, or around half of the most tried.
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
    stated: StatedEffect,
    power: float,
    *,
    most: int = 100_000,
    on_progress: Callable[[int, int], object],
) -> SizePlan:
    """Search for the size that a claim takes, and compute the power around it.

    False of `on_progress` stops after the search, which raises `Stopped`.
    """
    needed = examples_needed(stated, power, most=most)
    if on_progress(1, 2) is False:
        raise Stopped("The plan was stopped before it was done.")
    n = needed.n_examples or most // 2
    sizes = sorted({max(2, round(n * share)) for share in (0.25, 0.5, 0.75, 1.0, 1.5, 2.0)})
    around = power_at(stated, sizes)
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
