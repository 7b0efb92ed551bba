"""What a test finds on one dataset: how the two systems stand, its p-values and effect size.

Vocabulary
----------
greater, less, two-sided
    The alternatives: A is better, B is better, one of the two is.
resample
    One artificial test set: a bootstrap sample, or the same examples with A and
    B swapped on some.
extreme
    Of a resample: at least as far out as the event that the p-value is about.
d_z
    Mean difference over the standard deviation of the differences (Cohen 1988).
matched-pairs rank-biserial correlation
    Of the signed ranks' sum, the share for A less the share for B (Kerby 2014).
odds ratio
    Of McNemar's discordant examples, how many A has right for each that B has.
win share
    Of the examples that are not ties, those that A wins.
Cohen's q
    Difference of the Fisher z of two correlations (Cohen 1988).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from ..metrics.registry import ONE
from ..types import BoolArray, FloatArray
from .differences import Differences, Unit
from .lattice import SMALLEST
from .settings import TEST_ALTERNATIVES, Direction, MethodUsed, Own, TestAlternative

# Robbins' sequence holds the p-value of unlimited resamples, at every number of
# resamples at once, but for this chance.
MISSING_CHANCE = 0.001
NO_INTERVAL = "no interval: its resamples would take longer than the test"


# Without slots, as a result of a test is both this and an outcome.
@dataclass(frozen=True, kw_only=True, eq=False)
class Compared:
    """Scores as the metric has them, and how many examples speak for whom.

    `alike` says why no difference can be found, '' where one can. The skewness is of differences, or
    clusters' sums of them, in tests of their mean; None of 0/1 outcomes, of which a mean of 0 is
    symmetry, and of other metrics.
    """

    n_examples: int
    score_a: float
    score_b: float
    difference: float
    wins: int
    ties: int
    losses: int
    alike: str = ""
    correlation_ab: float | None = None
    skewness: float | None = None


ALL_ZERO = "all differences are zero"


class Sides(NamedTuple):
    """One number for each alternative."""

    greater: float
    less: float
    two_sided: float

    def of(self, alternative: TestAlternative) -> float:
        """The number for one alternative."""
        return dict(zip(TEST_ALTERNATIVES, self, strict=True))[alternative]

    def swapped(self) -> Sides:
        """The numbers with A and B exchanged."""
        return Sides(self.less, self.greater, self.two_sided)

    @classmethod
    def of_tails(cls, greater: float, less: float) -> Sides:
        """P-values from both tails; two-sided twice the smaller one, at most 1."""
        return cls(greater, less, min(1.0, 2.0 * min(greater, less)))

    @classmethod
    def of_statistic(cls, statistic: float, below: Callable[[float], float]) -> Sides:
        """P-values, never 0, of a symmetric statistic with so much chance below a value."""
        return cls.of_tails(
            *(max(float(below(value)), SMALLEST) for value in (-statistic, statistic))
        )


# Of systems between which no difference can be found.
NO_EVIDENCE = Sides(1.0, 1.0, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectSize:
    """The difference: above 0, 1 (odds ratio) or one half (win share) if A is better."""

    name: str
    value: float
    note: str = ""


@dataclass(frozen=True, kw_only=True, eq=False)
class Outcome:
    """What a test finds in differences, without names and settings."""

    p_values: Sides
    method: MethodUsed = "exact"
    statistic: float | None
    n_resamples: int | None = None
    extreme: Sides | None = None
    confidence_interval: tuple[float, float] | None = None
    interval_kind: Own | None = None
    notes: tuple[str, ...] = ()
    unreachable: Direction | None = None
    effect_size: EffectSize | None = None

    @classmethod
    def of_bootstrap(
        cls, deltas: FloatArray, delta: float, *, room: float, strict: bool
    ) -> Outcome:
        """The shares of resamples with δ* >= 2δ, δ* <= 2δ and |δ* − δ| >= |δ|, ties within the room.

        `strict`: > instead of >=, and s/b instead of (s + 1)/(b + 1).
        """
        # Where all scores are 0 there is no room, and a tie is one to the last bit.
        above, below = (np.greater, np.less) if strict else (np.greater_equal, np.less_equal)
        edge = -room if strict else room
        return cls._of_deltas(
            deltas,
            delta,
            above(deltas, 2.0 * delta - edge),
            below(deltas, 2.0 * delta + edge),
            above(deltas, delta + abs(delta) - edge) | below(deltas, delta - abs(delta) + edge),
            added=0 if strict else 1,
        )

    @classmethod
    def of_swaps(
        cls, deltas: FloatArray, delta: float, *, room: float, everything: bool = False
    ) -> Outcome:
        """The shares of swaps with δ* >= δ, δ* <= δ and |δ*| >= |δ|; exact of `everything`."""
        outcome = cls._of_deltas(
            deltas,
            delta,
            deltas >= delta - room,
            deltas <= delta + room,
            np.abs(deltas) >= abs(delta) - room,
            added=0 if everything else 1,
        )
        if not everything:
            return outcome
        return replace(outcome, method="exact", n_resamples=None, extreme=None)

    @classmethod
    def _of_deltas(
        cls, deltas: FloatArray, delta: float, *events: BoolArray, added: int
    ) -> Outcome:
        # What has no score is extreme in every direction, which can make a p-value only larger.
        undefined = np.isnan(deltas)
        number = int(np.count_nonzero(undefined))
        note = f"{number:,} of {deltas.size:,} resamples have no defined score and count as extreme"
        return cls.of_resamples(
            *(undefined | event for event in events),
            statistic=delta,
            added=added,
            notes=(note,) if number else (),
        )

    @classmethod
    def of_resamples(
        cls, *extreme: BoolArray, statistic: float, added: int = 1, notes: tuple[str, ...] = ()
    ) -> Outcome:
        """P-values (s + added)/(R + added) of which resamples are `extreme`, by alternative."""
        n = extreme[0].size
        counted = Sides(*(int(np.count_nonzero(side)) for side in extreme))
        return cls(
            p_values=Sides(*((s + added) / (n + added) for s in counted)),
            method="monte-carlo",
            statistic=statistic,
            n_resamples=n,
            extreme=counted,
            notes=notes,
        )

    @property
    def exact(self) -> bool:
        """Whether the p-values are free of Monte Carlo error."""
        return self.method != "monte-carlo"


@lru_cache(maxsize=4096)
def confidence_sequence(n_extreme: int, n_resamples: int) -> tuple[float, float]:
    """The p-values t that s extreme of b resamples do not rule out, at any b.

    {t : (b+1)·C(b,s)·t^s·(1−t)^(b−s) > .001} (Robbins 1970, section 2).
    """
    from scipy.special import gammaln, xlog1py, xlogy

    s, b = n_extreme, n_resamples
    constant = np.log(b + 1.0) + gammaln(b + 1.0) - gammaln(s + 1.0) - gammaln(b - s + 1.0)

    def inside(t: float) -> bool:
        return bool(constant + xlogy(s, t) + xlog1py(b - s, -t) > np.log(MISSING_CHANCE))

    def edge(within: float, without: float) -> float:
        # Each step halves the way; 60 of them reach the last digit of a float.
        for _ in range(60):
            middle = 0.5 * (within + without)
            if inside(middle):
                within = middle
            else:
                without = middle
        return without

    peak = s / b
    low = 0.0 if s == 0 else edge(peak, 0.0)
    high = 1.0 if s == b else edge(peak, 1.0)
    return low, high


# How the note on few differing examples begins.
ONLY_SOME = "only "


class FewDiffer(str):
    """The note on few differing examples, with the smallest p-value that they can give."""

    smallest: float


def attainable(
    alternative: TestAlternative,
    *,
    n_differing: int,
    n: int,
    unit: Unit = "examples",
    mid_p: bool = False,
) -> tuple[str, ...]:
    """A note on the smallest p-value that so few differing examples can give, if above .01."""
    smallest = (2.0 if alternative == "two-sided" else 1.0) * 2.0**-n_differing
    if mid_p:
        smallest /= 2.0
    if smallest <= 0.01 or n_differing == 0:
        return ()
    differ = f"{unit} {'differs' if n_differing == 1 else 'differ'}"
    everything = f"n = {n}" if unit == "examples" else f"{n} {unit if n > 1 else unit[:-1]}"
    which = everything if n_differing == n else f"{ONLY_SOME}{n_differing} of {n} {differ}"
    written = f"{smallest:.4g}".removeprefix("0")
    note = FewDiffer(f"{which}: the smallest attainable p is {written}")
    note.smallest = smallest
    return (note,)


def stated_smallest(notes: Iterable[str]) -> float:
    """The smallest p-value that a note of `attainable` has among these; 0 where none does."""
    return max((note.smallest for note in notes if isinstance(note, FewDiffer)), default=0.0)


COHENS_D_Z = "Cohen's d_z"
RANK_BISERIAL = "matched-pairs rank-biserial correlation"
ODDS_RATIO = "odds ratio b/c"
WIN_SHARE = "win share"
COHENS_Q = "Cohen's q"


def cohens_q(r_a: float, r_b: float) -> EffectSize | None:
    """Cohen's q, 0 of equal correlations; None where only one of them is 1 or −1."""
    z_a, z_b = _fisher_z(r_a), _fisher_z(r_b)
    if z_a == z_b:
        return EffectSize(name=COHENS_Q, value=0.0)
    if math.isinf(z_a) or math.isinf(z_b):
        return None
    return EffectSize(name=COHENS_Q, value=z_a - z_b)


def swapped_effect(effect: EffectSize, *, wins: int, losses: int) -> EffectSize:
    """The same effect size with A and B exchanged, of so many wins and losses of A."""
    counted = {ODDS_RATIO: odds_ratio, WIN_SHARE: win_share}.get(effect.name)
    if counted is not None:
        return counted(losses, wins) or effect
    # 0 − x, as −x would make a zero negative.
    return EffectSize(name=effect.name, value=0.0 - effect.value, note=effect.note)


def _fisher_z(r: float) -> float:
    return math.copysign(math.inf, r) if abs(r) >= ONE else math.atanh(r)


def d_z(differences: Differences) -> EffectSize | None:
    """Cohen's d_z; None where the differences do not vary."""
    if differences.constant:
        return None
    # By a power of two, so that squares neither overflow nor vanish.
    scale = 2.0 ** -math.frexp(float(np.abs(differences.values).max()))[1]
    deviation = float((differences.values * scale).std(ddof=1))
    return EffectSize(name=COHENS_D_Z, value=differences.mean * scale / deviation)


def win_share(wins: int, losses: int) -> EffectSize | None:
    """The win share; None where every example is a tie."""
    decided = wins + losses
    return EffectSize(name=WIN_SHARE, value=wins / decided) if decided else None


def odds_ratio(b: int, c: int) -> EffectSize | None:
    """B over c, infinite where c is 0; None where both are."""
    if c:
        return EffectSize(name=ODDS_RATIO, value=b / c)
    if b == 0:
        return None
    return EffectSize(
        name=ODDS_RATIO,
        value=math.inf,
        note=f"c = 0; with one half added to either count it is {(b + 0.5) / 0.5:g}",
    )
