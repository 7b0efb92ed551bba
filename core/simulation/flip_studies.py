"""A scenario of one's own examples: sums under random signs, with their exact distributions.

Vocabulary
----------
unit, contribution, pattern
    As where `like_my_data` makes it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from core.replicability.combinations import combinations_under
from core.simulation.sources import CHUNK_ENTRIES
from core.types import BoolArray, FloatArray, IntArray

Measure = Literal["difference", "correlation", "metric"]

# Coins thrown at once, 8 bytes each where they are added up.
_COINS = 1 << 20
# Coins of one stream: more are thrown for fewer studies at once.
_COINS_OF_A_CHUNK = 1 << 22


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LikeMyData:
    """The null hypothesis of randomization tests, on all datasets at once.

    Each p-value is P(sum under random signs >= its sum) by the dataset's own
    exact distribution, so that P(p <= t) <= t for every dataset. With 0/1
    outcomes it is McNemar's exact p-value.

    Attributes
    ----------
    datasets : tuple of str
        Their names.
    n_units : ndarray of int, shape (N,)
        For each dataset on how many units A and B differ.
    n_shared : int
        On how many units they differ in more than one dataset.
    may_share_more : bool
        Whether datasets may share examples without the file telling which:
        these are drawn as if they were different ones.
    measure : {"difference", "correlation", "metric"}
        What a unit contributes: its own difference, or by how far it moves a
        correlation or another metric's score, in first order.
    is_exact : ndarray of bool, shape (N,)
        Whether the sum is that of the differences themselves; else of
        differences rounded to steps, which is correlated with it by more than
        .999, or of a metric's slope. The p-values are valid in any case.
    observed_p_values : ndarray, shape (N,)
        The p-values that the data themselves have by this test.
    correlations : ndarray, shape (N, N), or None
        Correlations of the datasets' sums, 0 where one never varies; None for
        more than 2,000 datasets.
    signature : str
        Which data, systems and metric.
    """

    datasets: tuple[str, ...]
    n_units: IntArray
    n_shared: int
    may_share_more: bool
    measure: Measure
    is_exact: BoolArray
    observed_p_values: FloatArray
    correlations: FloatArray | None
    signature: str
    # Chances that the sum of a dataset's own units picked is at most 0, 1, ....
    _own: tuple[FloatArray, ...] = field(repr=False)
    _tails: tuple[FloatArray, ...] = field(repr=False)
    # Patterns of shared units: a sparse table, shape (N, patterns), and how many units have each.
    _patterns: Any = field(repr=False)
    _times: IntArray = field(repr=False)

    @property
    def n_datasets(self) -> int:
        """N."""
        return len(self.datasets)

    @property
    def k(self) -> int:
        """No dataset has a difference."""
        return 0

    @property
    def truly_better(self) -> BoolArray:
        """None of them, shape (N,)."""
        return np.zeros(self.n_datasets, dtype=np.bool_)

    @property
    def proved(self) -> tuple[str, ...]:
        """Counts whose promise is proved: all where it is known that no unit is shared."""
        known = not (self.n_shared or self.may_share_more)
        return combinations_under("independent" if known else "not-known")

    @property
    def n_at_once(self) -> int:
        """How many studies to draw together."""
        by_coins = _COINS_OF_A_CHUNK // max(1, self._times.size)
        return max(1, min(by_coins, CHUNK_ENTRIES // self.n_datasets))

    def draw(self, rng: np.random.Generator, n: int) -> FloatArray:
        """Draw `n` studies.

        Parameters
        ----------
        rng : numpy.random.Generator
            Where the coins come from.
        n : int
            How many.

        Returns
        -------
        ndarray, shape (n, N)
            One-sided p-values of "A is better".
        """
        p_values = np.empty((n, self.n_datasets))
        shared = self._shared_sums(rng, n)
        for index, (own, tails) in enumerate(zip(self._own, self._tails, strict=True)):
            # How many steps the units of this dataset alone add: by inversion, all at once.
            picked = np.zeros(n, dtype=np.intp)
            if own.size > 1:
                picked = np.minimum(np.searchsorted(own, rng.random(n), side="right"), own.size - 1)
            total = tails.size - 1
            signed = 2 * picked - (own.size - 1)
            if shared is not None:
                signed += shared[index]
            p_values[:, index] = tails[(signed + total) // 2]
        return p_values

    def _shared_sums(self, rng: np.random.Generator, n: int) -> IntArray | None:
        """Sums of the shared units' contributions under random signs, shape (N, n)."""
        n_patterns = self._times.size
        if not n_patterns:
            return None
        sums = np.empty((self.n_datasets, n), dtype=np.intp)
        step = max(1, _COINS // n_patterns)
        once = self._times == 1
        many = np.flatnonzero(~once)
        for start in range(0, n, step):
            size = min(step, n - start)
            signs = np.empty((n_patterns, size))
            coins = np.unpackbits(
                np.frombuffer(rng.bytes(-(-n_patterns * size // 8)), dtype=np.uint8),
                count=n_patterns * size,
            )
            np.multiply(coins.reshape(n_patterns, size), 2.0, out=signs)
            signs -= 1.0
            if many.size:
                times = self._times[many, np.newaxis]
                signs[many] = 2 * rng.binomial(times, 0.5, size=(many.size, size)) - times
            sums[:, start : start + size] = np.rint(self._patterns @ signs)
        return sums
