"""Scenarios made by a few numbers, some to begin with, and further ways of depending on each other.

Vocabulary
----------
test set
    Examples that several datasets are tested on, as three of twelve pairs of
    domains share each target domain's test set.
part
    Anything that draws p-values of datasets of its own.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from types import MappingProxyType

import numpy as np

from ..replicability.combinations import (
    JOINT_METHODS,
    combination_names,
    combinations_under,
    upper_tails,
)
from ..replicability.joint import JointFlips, flip_jointly
from ..types import BoolArray, FloatArray
from .scenarios import (
    MOST_EXAMPLES,
    Block,
    Difference,
    McNemarDatasets,
    Scenario,
    Truth,
    plain,
    shift_by,
)


@dataclass(frozen=True, slots=True)
class UnionOfOthers(Truth):
    """Datasets of these sizes without a common example, and last one that holds all their examples.

    Its z is the mean of theirs, each weighted by the root of its size, as the z of a mean over all
    examples is. A is better on none of them.
    """

    sizes: tuple[int, ...]

    @property
    def n_datasets(self) -> int:
        """The parts and their union."""
        return len(self.sizes) + 1

    @property
    def truly_better(self) -> BoolArray:
        """None of them."""
        return np.zeros(self.n_datasets, dtype=np.bool_)

    @property
    def signature(self) -> str:
        """Sizes on one line."""
        return f"union of {', '.join(map(str, self.sizes))}"

    @property
    def proved(self) -> tuple[str, ...]:
        """Counts whose promise is proved where no two z have a correlation below 0."""
        return combinations_under("positive")

    def draw(self, rng: np.random.Generator, n: int) -> FloatArray:
        """Draw `n` studies, shape (n, n_datasets)."""
        z = rng.standard_normal((n, len(self.sizes)))
        sizes = np.array(self.sizes, dtype=np.float64)
        return upper_tails(np.column_stack([z, z @ np.sqrt(sizes / sizes.sum())]))


@dataclass(frozen=True, slots=True)
class Together(Truth):
    """Independent parts; a name stands in the place of their lines, of which a hash is kept."""

    parts: tuple[Part, ...]
    name: str = ""

    @property
    def n_datasets(self) -> int:
        """N."""
        return sum(part.n_datasets for part in self.parts)

    @property
    def truly_better(self) -> BoolArray:
        """On which datasets A is better, shape (n_datasets,)."""
        return np.concatenate([part.truly_better for part in self.parts])

    @property
    def signature(self) -> str:
        """The name with a hash of what it stands for, or the parts on one line."""
        parts = " + ".join(part.signature for part in self.parts)
        if not self.name:
            return parts
        return f"{self.name} ({sha256(parts.encode('utf-8')).hexdigest()[:8]})"

    @property
    def proved(self) -> tuple[str, ...]:
        """Counts whose promise is proved for every part, and so for independent ones together."""
        return tuple(
            name for name in combination_names() if all(name in part.proved for part in self.parts)
        )

    def draw(self, rng: np.random.Generator, n: int) -> FloatArray:
        """Draw `n` studies, shape (n, n_datasets)."""
        return np.concatenate([part.draw(rng, n) for part in self.parts], axis=1)


def shared_test_sets(
    n_test_sets: int = 4,
    n_sharing: int = 3,
    *,
    rho: float = 0.5,
    effect: float = 0.0,
    n_better: int = 0,
) -> Together:
    """Datasets that share test sets, on `n_better` of each A is better by a shift of z."""
    blocks = []
    if n_better:
        blocks.append(Block(n_better, rho=rho, effect=effect))
    if n_better < n_sharing:
        blocks.append(Block(n_sharing - n_better, rho=rho))
    name = f"{n_test_sets} test sets of {n_sharing} rho={plain(rho)}"
    if n_better:
        name += f" effect={plain(effect)} on {n_better}"
    return Together((Scenario(tuple(blocks), one_factor=True),) * n_test_sets, name=name)


def family_of(
    n_datasets: int,
    *,
    share_better: float = 1.0,
    effect: float | Difference = 0.0,
    rho: float = 0.0,
) -> McNemarDatasets | Scenario:
    """Datasets on a share of which A is better by an effect; any two z correlate by `rho`.

    Unless a difference in accuracy is `drawn_exactly`, z is shifted, a normal approximation, which
    finds too much where only a few examples differ.
    """
    n_better = math.floor(share_better * n_datasets + 0.5)
    if isinstance(effect, Difference) and drawn_exactly(effect, rho=rho):
        n_better = n_better if effect.d > 0.0 else 0
        return McNemarDatasets(n_datasets, effect.n_examples, effect.q, effect.d, n_better)
    blocks = tuple(
        Block(size, rho=rho, effect=shift)
        for size, shift in ((n_better, shift_by(effect)), (n_datasets - n_better, 0.0))
        if size
    )
    return Scenario(blocks, one_factor=rho > 0.0)


def drawn_exactly(difference: Difference, *, rho: float = 0.0) -> bool:
    """Whether examples themselves are drawn: of independent datasets that are not too large."""
    return rho == 0.0 and difference.d >= 0.0 and difference.n_examples <= MOST_EXAMPLES


# By the names that links and pages know them by.
SHAPES: Mapping[str, Part] = MappingProxyType(
    {
        "one-factor": Scenario((Block(100, rho=0.5),), one_factor=True),
        "test-sets": shared_test_sets(),
        "union": Together((UnionOfOthers((203, 252)), Scenario((Block(9),)))),
        "mcnemar": McNemarDatasets(20),
    }
)


# More datasets make the closed test by "sum" slow, which each study runs.
MOST_SHARING_DATASETS = 30
# Fewer have fewer flips than are drawn.
FEWEST_SHARED_EXAMPLES, MOST_SHARED_EXAMPLES = 10, 2_000
_FLIPS = 499
# Studies drawn at once: a stop is waited for by half a second.
_AT_ONCE = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedExamples(Truth):
    """Several datasets on each of some test sets; the differences of every example are drawn.

    They are normal with standard deviation 1 and the correlation `rho` of any two datasets, so that
    the paired t-test is exact. A is better on `n_better` datasets of each test set; `effect` is the
    expected z of these, sqrt(n_examples) times the mean difference.
    """

    n_test_sets: int = 4
    n_sharing: int = 3
    n_examples: int = 100
    rho: float = 0.5
    effect: float = 0.0
    n_better: int = 0

    @property
    def n_datasets(self) -> int:
        """N."""
        return self.n_test_sets * self.n_sharing

    @property
    def truly_better(self) -> BoolArray:
        """On which, shape (N,)."""
        return np.tile(np.arange(self.n_sharing) < self.n_better, self.n_test_sets)

    @property
    def signature(self) -> str:
        """All its numbers on one line."""
        line = f"{self.n_test_sets} test sets of {self.n_sharing} rho={plain(self.rho)}"
        if self.n_better:
            line += f" effect={plain(self.effect)} on {self.n_better}"
        return f"{line} examples={self.n_examples} flips={_FLIPS}"

    @property
    def proved(self) -> tuple[str, ...]:
        """Counts whose promise is proved: joint flips, and what needs no more than is known."""
        independent = self.rho == 0.0 or self.n_sharing == 1
        of_p_values = combinations_under("independent" if independent else "not-known")
        return (*of_p_values, *(each.name for each in JOINT_METHODS))

    @property
    def n_at_once(self) -> int:
        """How many studies to draw together."""
        return _AT_ONCE

    def draw(self, rng: np.random.Generator, n: int) -> FloatArray:
        """Draw `n` studies: one-sided p-values of "A is better", shape (n, N)."""
        from scipy.special import stdtr

        drawn = self._differences(rng, n)
        spread = drawn.std(axis=1, ddof=1)
        t = math.sqrt(self.n_examples) * drawn.mean(axis=1) / spread
        p_values: FloatArray = stdtr(self.n_examples - 1, -t)
        return p_values.reshape(n, self.n_datasets)

    def draw_flips(self, rng: np.random.Generator, n: int) -> list[JointFlips]:
        """Flip the studies that `draw` draws from a stream in the same state."""
        drawn = self._differences(rng, n)
        found = []
        for start in range(0, len(drawn), self.n_test_sets):
            # Each test set has units of its own.
            parts = [
                flip_jointly(own, n_flips=_FLIPS, rng=rng)
                for own in drawn[start : start + self.n_test_sets]
            ]
            flipped = np.hstack([part.flipped for part in parts])
            n_units = self.n_test_sets * self.n_examples
            found.append(
                JointFlips(observed=flipped[0], flipped=flipped, n_units=n_units, exact=False)
            )
        return found

    def _differences(self, rng: np.random.Generator, n: int) -> FloatArray:
        """A - B on every example, shape (n * n_test_sets, n_examples, n_sharing)."""
        shape = (n * self.n_test_sets, self.n_examples, self.n_sharing)
        drawn = math.sqrt(1.0 - self.rho) * rng.standard_normal(shape)
        drawn += math.sqrt(self.rho) * rng.standard_normal((*shape[:2], 1))
        drawn[:, :, : self.n_better] += self.effect / math.sqrt(self.n_examples)
        return drawn


# A source that says everything about itself.
Part = Scenario | UnionOfOthers | Together | McNemarDatasets | SharedExamples
