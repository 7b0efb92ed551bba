"""The numbers that a simulated scenario is made of, as they are typed in and checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from core.simulation import McNemarDatasets, PValueSource, shared_test_sets, shift_of
from pages.ui.frame import limits

LARGEST_SHIFT = 100.0
LARGEST_SAMPLE = 10_000_000


class Difference(NamedTuple):
    """A is better by d on n examples, of which exactly one system is right on a share q."""

    d: float = 0.02
    n_examples: int = 1_000
    q: float = 0.1


class SmallDatasets(NamedTuple):
    """Numbers of "mcnemar": A is better by d on the first `n_better` datasets."""

    n_datasets: int = 20
    n_examples: int = 30
    q: float = 0.2
    n_better: int = 0
    d: float = 0.1

    @property
    def problem(self) -> str:
        """Why there are no such datasets; empty where there are."""
        if self.n_better > self.n_datasets:
            return f"A can be better on {self.n_datasets:,} datasets at most."
        if self.n_better and not 0.0 < self.d <= self.q:
            return (
                f"Where A is better it must be by more than 0 and at most {100 * self.q:g}%, the "
                "share of examples on which the systems differ."
            )
        return ""

    def scenario(self) -> McNemarDatasets:
        """What is drawn."""
        d = self.d if self.n_better else 0.0
        return McNemarDatasets(self.n_datasets, self.n_examples, self.q, d, self.n_better)


class SharedSets(NamedTuple):
    """Numbers of "test-sets": A is better on `n_better` datasets of each test set."""

    n_test_sets: int = 4
    n_sharing: int = 3
    rho: float = 0.5
    n_better: int = 0
    shift: float = 2.0

    @property
    def problem(self) -> str:
        """Why there are no such datasets; empty where there are."""
        n_datasets = self.n_test_sets * self.n_sharing
        if n_datasets > limits.MAX_DATASETS:
            return f"These are {n_datasets:,} datasets; this server takes {limits.MAX_DATASETS:,}."
        if self.n_better > self.n_sharing:
            return f"A can be better on {self.n_sharing:,} datasets of each test set at most."
        return "" if self.shift > 0.0 or not self.n_better else "The shift of z must be above 0."

    def scenario(self) -> PValueSource:
        """What is drawn."""
        effect = self.shift if self.n_better else 0.0
        return shared_test_sets(
            self.n_test_sets, self.n_sharing, rho=self.rho, effect=effect, n_better=self.n_better
        )


def shift_by(effect: float | Difference) -> float:
    """By how much an effect shifts z.

    Raises
    ------
    ValueError
        If no such difference is possible.
    """
    return shift_of(*effect) if isinstance(effect, Difference) else effect


def problem_of(effect: float | Difference) -> str:
    """Why there is no such effect; empty where there can be."""
    if isinstance(effect, Difference) and abs(effect.d) > effect.q:
        return (
            f"Systems that differ on {100 * effect.q:g}% of the examples cannot be "
            f"{100 * effect.d:g}% apart. Take a smaller difference or a larger share."
        )
    try:
        within = abs(shift_by(effect)) <= LARGEST_SHIFT
    except (ValueError, ArithmeticError):
        within = False
    return "" if within else "Such a difference leaves nothing to chance."


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """Blocks of datasets that are alike.

    Attributes
    ----------
    n_datasets : int
        Of each block.
    n_blocks : int
        How many there are, independent of each other.
    rho : float
        Within a block.
    effect : float or Difference
        A shift of z, or what gives one.
    """

    n_datasets: int
    n_blocks: int = 1
    rho: float = 0.0
    effect: float | Difference = 0.0

    @property
    def shift(self) -> float:
        """By how much z is shifted.

        Raises
        ------
        ValueError
            If no such difference is possible.
        """
        return shift_by(self.effect)
