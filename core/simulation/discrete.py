"""Datasets so small that their p-values take few values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import bdtrc

from core.simulation.effects import shift_of
from core.simulation.scenarios import Block
from core.simulation.sources import plain, positive_whole
from core.types import COMBINATIONS, BoolArray, Combination, FloatArray

# Tables of McNemar's p-values have a row for each number of differing examples.
MOST_EXAMPLES = 2000


@dataclass(frozen=True)
class McNemarDatasets:
    """Independent datasets of 0/1 outcomes with exact McNemar p-values, which are discrete.

    Attributes
    ----------
    n_datasets : int
        At least 1.
    n_examples : int
        Of each, 1..2000.
    share_differing : float
        q, on what share of examples exactly one system is right, in (0, 1].
    difference : float
        d, accuracy of A less that of B where A is better, in [0, q].
    n_better : int
        On how many datasets, the first ones, A is better by d.

    Raises
    ------
    ValueError
        If one is no such number.
    """

    n_datasets: int
    n_examples: int = 30
    share_differing: float = 0.2
    difference: float = 0.0
    n_better: int = 0

    def __post_init__(self) -> None:
        Block(self.n_datasets)
        if positive_whole(self.n_examples, name="n_examples") > MOST_EXAMPLES:
            raise ValueError(
                f"`n_examples` must be at most {MOST_EXAMPLES}; got {self.n_examples}."
            )
        q, d = float(self.share_differing), float(self.difference)
        # Checks both, whatever shift it gives.
        if not d == q == 1.0:
            shift_of(d, 1, q)
        if d < 0.0:
            raise ValueError(f"`difference` must be at least 0; got {self.difference!r}.")
        if not 0 <= self.n_better <= self.n_datasets:
            raise ValueError(
                f"`n_better` must lie between 0 and {self.n_datasets}; got {self.n_better}."
            )
        if self.n_better and d == 0.0:
            raise ValueError("`difference` must be above 0 where `n_better` is; got 0.")

    @property
    def k(self) -> int:
        """On how many datasets A is better."""
        return self.n_better

    @property
    def truly_better(self) -> BoolArray:
        """On which datasets A is better, shape (n_datasets,)."""
        return np.arange(self.n_datasets) < self.n_better

    @property
    def signature(self) -> str:
        """Everything on one line."""
        text = f"mcnemar {self.n_datasets} n={self.n_examples} q={plain(self.share_differing)}"
        if self.n_better:
            text += f" d={plain(self.difference)} on {self.n_better}"
        return text

    @property
    def proved(self) -> tuple[Combination, ...]:
        """Counts whose promise is proved: all, as the datasets are independent."""
        return COMBINATIONS

    @cached_property
    def _tails(self) -> FloatArray:
        """Entry m(m + 1)/2 + b: P(Binomial(m, 1/2) >= b)."""
        m = np.repeat(np.arange(self.n_examples + 1), np.arange(1, self.n_examples + 2))
        b = np.arange(m.size) - m * (m + 1) // 2
        tails = np.ones(m.size)
        tails[b > 0] = bdtrc(b[b > 0] - 1, m[b > 0], 0.5)
        return tails

    def draw(self, rng: np.random.Generator, n: int) -> FloatArray:
        """Draw `n` studies, shape (n, n_datasets)."""
        q = self.share_differing
        differing = rng.binomial(self.n_examples, q, size=(n, self.n_datasets))
        chance = np.where(self.truly_better, 0.5 + 0.5 * self.difference / q, 0.5)
        for_a = rng.binomial(differing, chance)
        p_values: FloatArray = self._tails[differing * (differing + 1) // 2 + for_a]
        return p_values
