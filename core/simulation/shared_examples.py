"""Studies drawn example by example on shared test sets, so that they can be counted by joint flips."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ..replicability.combinations import JOINT_METHODS, combinations_under
from ..replicability.joint import JointFlips, flip_jointly
from ..types import BoolArray, FloatArray
from .sources import plain

# More datasets make the closed test by "sum" slow, which each study runs.
MOST_SHARING_DATASETS = 30
# Fewer have fewer flips than are drawn.
FEWEST_SHARED_EXAMPLES, MOST_SHARED_EXAMPLES = 10, 2_000
_FLIPS = 499
# Studies drawn at once: a stop is waited for by half a second.
_AT_ONCE = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class SharedExamples:
    """Several datasets on each test set; the differences of every example are drawn.

    On an example of a test set the differences of its datasets are normal with standard
    deviation 1 and the same correlation of any two. Each dataset's p-value is that of its
    paired t-test, which is exact here.

    Attributes
    ----------
    n_test_sets, n_sharing : int
        How many test sets, and how many datasets are tested on each.
    n_examples : int
        Of each test set.
    rho : float
        Correlation, in [0, 1].
    effect : float
        Expected z of a dataset on which A is better: sqrt(n_examples) times its mean difference.
    n_better : int
        On how many datasets of each test set A is better.

    Raises
    ------
    ValueError
        If one of them is no such number.
    """

    n_test_sets: int = 4
    n_sharing: int = 3
    n_examples: int = 100
    rho: float = 0.5
    effect: float = 0.0
    n_better: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.n_datasets <= MOST_SHARING_DATASETS or self.n_sharing < 1:
            raise ValueError(
                f"`n_test_sets` times `n_sharing` must lie between 1 and {MOST_SHARING_DATASETS}; "
                f"got {self.n_test_sets} times {self.n_sharing}."
            )
        if not FEWEST_SHARED_EXAMPLES <= self.n_examples <= MOST_SHARED_EXAMPLES:
            raise ValueError(
                f"`n_examples` must lie between {FEWEST_SHARED_EXAMPLES} and {MOST_SHARED_EXAMPLES}; "
                f"got {self.n_examples}."
            )
        if not 0.0 <= self.rho <= 1.0:
            raise ValueError(f"`rho` must lie between 0 and 1; got {self.rho!r}.")
        if not 0 <= self.n_better <= self.n_sharing:
            raise ValueError(
                f"`n_better` must lie between 0 and {self.n_sharing}; got {self.n_better}."
            )
        if self.n_better and not (self.effect > 0.0 and math.isfinite(self.effect)):
            raise ValueError(f"`effect` must be above 0 where `n_better` is; got {self.effect!r}.")

    @property
    def n_datasets(self) -> int:
        """N."""
        return self.n_test_sets * self.n_sharing

    @property
    def k(self) -> int:
        """On how many datasets A is better."""
        return self.n_test_sets * self.n_better

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
