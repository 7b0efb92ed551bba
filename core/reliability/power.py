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
from dataclasses import dataclass

import numpy as np

from ..comparison import comparison_named
from ..shown import DataFrame, frame_of
from ..signature import listed
from ..significance.stopping import Stopped
from ..types import BoolArray, FloatArray, IntArray
from .power_of_tests import StatedEffect


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
        power=stated.at(stated.effect, sizes),
        attained_level=stated.at(edge, sizes),
    )


def examples_needed(stated: StatedEffect, power: float, *, most: int = 1_000_000) -> ExamplesNeeded:
    """Search, up to `most`, for the size of a test set on which a stated effect is found often enough."""

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
        enumerated = stated.margin > 0.0 and stated.disagreement is not None
        settled = _settled(high, reaches=reaches, back=0 if enumerated else _LOOK_BACK)
        n = settled if settled <= most else None
    return ExamplesNeeded(
        stated=stated,
        n_examples=n,
        power=power,
        most=most,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SizePlan:
    """The examples that a claim takes, and its power around that size.

    `around` is at sizes from a quarter of it to twice as many; where none was found, from an
    eighth of the largest that was tried to all of it.
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

    `on_progress` is called with the parts done and their number; False stops after the
    search, which raises `Stopped`.
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
