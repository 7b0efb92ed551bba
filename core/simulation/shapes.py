"""Further ways in which datasets depend on each other, beside independent blocks.

Vocabulary
----------
part
    Anything that draws p-values of datasets of its own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol

import numpy as np
from scipy.special import ndtr

from core.replicability.combinations import combination_names, combinations_under
from core.simulation.scenarios import Block, Scenario, upper_tails
from core.simulation.sources import plain, positive_whole
from core.types import BoolArray, FloatArray


class Part(Protocol):
    """A source that says everything about itself, as all of these do."""

    @property
    def n_datasets(self) -> int:
        """How many datasets it draws."""

    @property
    def k(self) -> int:
        """On how many of them A is better."""

    @property
    def truly_better(self) -> BoolArray:
        """On which."""

    @property
    def signature(self) -> str:
        """One line."""

    @property
    def proved(self) -> tuple[str, ...]:
        """Counts whose promise is proved here."""

    def draw(self, rng: np.random.Generator, n: int, /) -> FloatArray:
        """P-values of `n` studies."""


@dataclass(frozen=True, slots=True)
class OneFactor:
    """One normal factor shared by everything: z_i = √ρ_i z_0 + √(1 − ρ_i) e_i + effect_i.

    Attributes
    ----------
    blocks : tuple of Block
        As in a `Scenario`, each with its own rho and effect; the factor is the
        same for all, so that datasets of different blocks are correlated by
        √(ρ_i ρ_j).

    Raises
    ------
    ValueError
        As `Scenario`.
    """

    blocks: tuple[Block, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "blocks", Scenario(self.blocks).blocks)

    @property
    def n_datasets(self) -> int:
        """N."""
        return Scenario(self.blocks).n_datasets

    @property
    def k(self) -> int:
        """On how many datasets A is better."""
        return Scenario(self.blocks).k

    @property
    def truly_better(self) -> BoolArray:
        """On which datasets A is better, shape (n_datasets,)."""
        return Scenario(self.blocks).truly_better

    @property
    def signature(self) -> str:
        """The blocks on one line."""
        return f"one factor over {Scenario(self.blocks).signature}"

    @property
    def proved(self) -> tuple[str, ...]:
        """Counts whose promise is proved here: all where nothing is correlated."""
        moved = sum(block.n_datasets for block in self.blocks if block.rho > 0.0)
        return combinations_under("independent" if moved <= 1 else "positive")

    def draw(self, rng: np.random.Generator, n: int) -> FloatArray:
        """Draw `n` studies, shape (n, n_datasets)."""
        z = self.draw_minus_z(rng, n)
        if z is None:
            return self.blocks[0].draw(rng, n)
        p_values: FloatArray = ndtr(z, out=z)
        return p_values

    def draw_minus_z(self, rng: np.random.Generator, n: int) -> FloatArray | None:
        """Draw -z of the same studies; None, and nothing drawn, where uniform numbers do."""
        if len(self.blocks) == 1:
            return Scenario(self.blocks).draw_minus_z(rng, n)
        z = rng.standard_normal((n, self.n_datasets))
        factor = rng.standard_normal((n, 1))
        start = 0
        # Block by block, without a second table: -z, whose lower tail is wanted.
        for block in self.blocks:
            own = z[:, start : start + block.n_datasets]
            own *= -math.sqrt(1.0 - block.rho)
            if block.rho > 0.0:
                own -= math.sqrt(block.rho) * factor
            if block.effect != 0.0:
                own -= block.effect
            start += block.n_datasets
        return z


@dataclass(frozen=True, slots=True)
class UnionOfOthers:
    """Datasets without a common example, and one more that holds all examples of these.

    Its z is the mean of theirs, each weighted by the root of its size, as the z
    of a mean over all examples is; so is its effect. It comes last.

    Attributes
    ----------
    sizes : tuple of int
        Numbers of examples of the parts, at least two of them.
    effects : tuple of float
        Shifts of their z; () for none.

    Raises
    ------
    ValueError
        If sizes are no whole numbers of at least 1, or effects are not as many.
    """

    sizes: tuple[int, ...]
    effects: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        sizes = tuple(positive_whole(size, name="sizes") for size in self.sizes)
        if len(sizes) < 2:
            raise ValueError(f"`sizes` must be of at least two datasets; got {len(sizes)}.")
        effects = tuple(float(effect) for effect in self.effects) or (0.0,) * len(sizes)
        if len(effects) != len(sizes) or not all(math.isfinite(effect) for effect in effects):
            raise ValueError(
                f"`effects` must be {len(sizes)} finite numbers, one a size; got {self.effects!r}."
            )
        object.__setattr__(self, "sizes", sizes)
        object.__setattr__(self, "effects", effects)

    @property
    def n_datasets(self) -> int:
        """The parts and their union."""
        return len(self.sizes) + 1

    @property
    def all_effects(self) -> FloatArray:
        """Shifts of z of all datasets, that of the union last."""
        return np.append(np.array(self.effects), self._weights @ np.array(self.effects))

    @property
    def truly_better(self) -> BoolArray:
        """On which datasets A is better; on the union where it is over all examples."""
        better: BoolArray = self.all_effects > 0.0
        return better

    @property
    def k(self) -> int:
        """On how many datasets A is better."""
        return int(self.truly_better.sum())

    @property
    def signature(self) -> str:
        """Sizes and effects on one line."""
        text = f"union of {', '.join(map(str, self.sizes))}"
        if any(self.effects):
            text += f" effects={', '.join(map(plain, self.effects))}"
        return text

    @property
    def proved(self) -> tuple[str, ...]:
        """Counts whose promise is proved where no two z have a correlation below 0."""
        return combinations_under("positive")

    @property
    def _weights(self) -> FloatArray:
        sizes = np.array(self.sizes, dtype=np.float64)
        weights: FloatArray = np.sqrt(sizes / sizes.sum())
        return weights

    def draw(self, rng: np.random.Generator, n: int) -> FloatArray:
        """Draw `n` studies, shape (n, n_datasets)."""
        z = rng.standard_normal((n, len(self.sizes)))
        z += np.array(self.effects)
        return upper_tails(np.column_stack([z, z @ self._weights]))


@dataclass(frozen=True, slots=True)
class Together:
    """Parts that are independent of each other.

    Attributes
    ----------
    parts : tuple
        Scenarios and shapes.
    name : str
        In the place of the parts' own lines, of which a hash is kept.
    """

    parts: tuple[Part, ...]
    name: str = ""

    def __post_init__(self) -> None:
        parts = tuple(self.parts)
        if not parts:
            raise ValueError("`parts` must hold at least one part; got none.")
        object.__setattr__(self, "parts", parts)

    @property
    def n_datasets(self) -> int:
        """N."""
        return sum(part.n_datasets for part in self.parts)

    @property
    def k(self) -> int:
        """On how many datasets A is better."""
        return sum(part.k for part in self.parts)

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
