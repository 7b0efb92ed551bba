"""Studies like one's own, in which no dataset has a difference: A and B change places at random.

Vocabulary
----------
flip
    A fair coin that makes A and B change places on a unit (see `flip_units`), in
    every dataset that holds it: shared examples keep their dependence.
contribution
    By how much a unit speaks for A on a dataset (see `flip_differences`).
pattern
    A unit's contributions to all datasets; equal ones are drawn together.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from core.data.result_set import ResultSet
from core.signature import short_fingerprint
from core.significance.stopping import Stopped
from core.simulation.flip_differences import contributions
from core.simulation.flip_patterns import correlations_of, patterns_of
from core.simulation.flip_units import units_of
from core.simulation.sign_flips import point_probabilities, upper_tails_of, whole_numbers
from core.simulation.sources import CHUNK_ENTRIES
from core.types import COMBINATIONS, BoolArray, Combination, FloatArray, IntArray

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
    def proved(self) -> tuple[Combination, ...]:
        """Counts whose promise is proved: all where no dataset shares a unit with another."""
        return ("bonferroni",) if self.n_shared else COMBINATIONS

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


def like_my_data(
    result_set: ResultSet,
    *,
    a: str,
    b: str,
    metric: str | None = None,
    without: Collection[str] = (),
    on_progress: Callable[[int, int], object] | None = None,
) -> LikeMyData:
    """Make a scenario like one's own data, in which every null hypothesis is true.

    Parameters
    ----------
    result_set : ResultSet
        Scores of both systems on every example.
    a, b : str
        The two systems.
    metric : str, optional
        By default the first.
    without : collection of str
        Datasets that take no part.
    on_progress : callable, optional
        Called as ``on_progress(done, total)`` after each dataset, which takes up
        to a tenth of a second; False stops. Before the first is done all are
        gone through once, which is told of as 0.

    Raises
    ------
    Stopped
        If `on_progress` says so: half a scenario is none.
    ValueError
        If the systems or the metric are unknown or the same, no dataset is left,
        or a score is not defined on one.
    """
    if a == b:
        raise ValueError(f"`a` and `b` must be two systems; got {a!r} twice.")
    unknown = [name for name in without if name not in result_set.datasets]
    if unknown:
        raise ValueError(f"`without` must name datasets of the results; got {unknown[0]!r}.")
    datasets = tuple(name for name in result_set.datasets if name not in without)
    if not datasets:
        raise ValueError("`without` must leave at least one dataset; it names all of them.")
    units = units_of(result_set, datasets)
    rows, columns, values, exact, differing = [], [], [], [], []
    for index, dataset in enumerate(datasets):
        _tell(on_progress, 0, len(datasets))
        given, integers = contributions(result_set, dataset, a, b, metric)
        held, place = np.unique(units[index], return_inverse=True)
        sums = np.bincount(place, weights=given, minlength=held.size).astype(np.float64)
        whole = None
        if integers is not None:
            # Sums of whole numbers below 2**53 are exact in floats.
            whole = np.bincount(place, weights=integers, minlength=held.size).astype(np.int64)
        rounded, own = whole_numbers(sums, whole)
        # Some are too small for a step of their own, and so for the sum.
        differing.append(held[(sums if whole is None else whole) != 0])
        speaks = rounded != 0
        rows.append(np.full(int(speaks.sum()), index))
        columns.append(held[speaks])
        values.append(rounded[speaks])
        exact.append(own and integers is not None)
    signature = (
        f"like {short_fingerprint(result_set.fingerprint)}: {a} and {b} "
        f"exchanged by {metric or result_set.metrics[0]}"
    )
    if len(datasets) < result_set.n_datasets:
        places = [str(i) for i, name in enumerate(result_set.datasets, 1) if name in without]
        # By their places in the file, as names may be long.
        signature += f", without {','.join(places)}"
    return _assembled(
        datasets,
        np.concatenate(rows),
        np.concatenate(columns),
        np.concatenate(values),
        np.array(exact, dtype=np.bool_),
        differing,
        signature,
        on_progress,
    )


def _tell(on_progress: Callable[[int, int], object] | None, done: int, total: int) -> None:
    if on_progress is not None and on_progress(done, total) is False:
        raise Stopped


def _assembled(
    datasets: tuple[str, ...],
    dataset: IntArray,
    unit: IntArray,
    value: IntArray,
    exact: BoolArray,
    differing: Sequence[IntArray],
    signature: str,
    on_progress: Callable[[int, int], object] | None,
) -> LikeMyData:
    from scipy import sparse

    n_datasets = len(datasets)
    n_holders = np.bincount(unit, minlength=1)
    shared = n_holders[unit] > 1
    own, tails, observed = [], [], []
    # Datasets come one after the other.
    bounds = np.searchsorted(dataset, np.arange(n_datasets + 1))
    for start, stop in pairwise(bounds.tolist()):
        signed, alone = value[start:stop], ~shared[start:stop]
        points = point_probabilities(np.abs(signed))
        tails.append(upper_tails_of(points))
        picked = (int(signed.sum()) + int(np.abs(signed).sum())) // 2
        observed.append(float(tails[-1][picked]))
        if not alone.all():
            points = point_probabilities(np.abs(signed[alone]))
        own.append(np.cumsum(points))
        _tell(on_progress, len(own), n_datasets)
    patterns, times = patterns_of(dataset[shared], unit[shared], value[shared])
    table = sparse.csc_array(
        (
            np.array([v for pattern in patterns for _, v in pattern], dtype=np.float64),
            np.array([d for pattern in patterns for d, _ in pattern], dtype=np.int64),
            np.cumsum([0, *(len(pattern) for pattern in patterns)]),
        ),
        shape=(n_datasets, len(patterns)),
    ).tocsr()
    weights = value.astype(np.float64) ** 2
    squares = np.bincount(dataset, weights=weights, minlength=n_datasets).astype(np.float64)
    return LikeMyData(
        datasets=datasets,
        n_units=np.array([units.size for units in differing]),
        n_shared=int(np.count_nonzero(np.bincount(np.concatenate(differing)) > 1)),
        is_exact=exact,
        observed_p_values=np.array(observed),
        correlations=correlations_of(table, times, squares),
        signature=signature,
        _own=tuple(own),
        _tails=tuple(tails),
        _patterns=table,
        _times=times,
    )
