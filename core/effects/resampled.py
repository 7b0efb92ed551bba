"""Effects of paired bootstrap samples, and their variance.

A resample draws examples with replacement, the same ones for A and for B; with
clusters, whole clusters. Each metric's effect is computed from sums over the
resample, Spearman's correlation from new midranks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from ..metrics.registry import divided
from ..significance.differences import Clusters
from ..significance.predictions import Predictions, ranked_deltas, units_drawn
from ..significance.resamples import DeltasOf, bootstrap_deltas, product, row_codes
from ..significance.stopping import KeepGoing
from ..types import FloatArray

# Effects closer than this, beside their size, differ by rounding alone.
_ROUNDING = 1e-12

EffectOfSums = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Resampled:
    """What is drawn on one dataset: rows, one for each example or cluster, shape (units, c).

    From distinct rows `effects_from` makes a function from their counts to effects, nan where one
    is not defined; `breadth` numbers are held for each resample, where they are more than units.
    """

    rows: FloatArray
    effects_from: Callable[[FloatArray], DeltasOf]
    breadth: int = 1


def of_sums(rows: FloatArray, effect: EffectOfSums, clusters: Clusters | None) -> Resampled:
    """An effect of sums of rows, shape (n, c), clusters being added up first."""
    units = rows if clusters is None else clusters.summed(rows)

    def effects_from(distinct: FloatArray) -> DeltasOf:
        return lambda counts: effect(product(counts, distinct))

    return Resampled(rows=np.ascontiguousarray(units), effects_from=effects_from)


def of_ranks(predictions: Predictions, *, reduction: bool) -> Resampled:
    """The difference of two Spearman correlations with gold, or with `reduction` its share of 1 − r(B)."""
    rows = np.ascontiguousarray(predictions.standings.T)
    effects_from = partial(_of_ranks, sign=predictions.sign, reduction=reduction)
    units, effects_of_units = units_drawn(rows, effects_from, predictions.clusters)
    return Resampled(rows=units, effects_from=effects_of_units, breadth=rows.shape[0])


def drawn_variance(
    resampled: Resampled, *, n_resamples: int, rng: np.random.Generator, keep_going: KeepGoing
) -> tuple[float, int]:
    """The variance of the effects of bootstrap samples, and how many have none, as `variance_of`."""
    rows, effects_from = _by_first_place(resampled.rows, resampled.effects_from)
    effects = bootstrap_deltas(
        rows,
        effects_from,
        size=resampled.rows.shape[0],
        n_resamples=n_resamples,
        rng=rng,
        keep_going=keep_going,
        breadth=resampled.breadth,
    )
    return variance_of(effects)


def drawn_sums(
    rows: FloatArray, *, n_resamples: int, rng: np.random.Generator, keep_going: KeepGoing
) -> FloatArray:
    """Sums of the rows of bootstrap samples, shape (n_resamples, c)."""
    drawn: list[FloatArray] = []

    def sums_from(distinct: FloatArray) -> DeltasOf:
        def keep(counts: FloatArray) -> FloatArray:
            drawn.append(product(counts, distinct))
            return drawn[-1][:, 0]

        return keep

    numbers, from_numbers = _by_first_place(rows, sums_from)
    bootstrap_deltas(
        numbers,
        from_numbers,
        size=rows.shape[0],
        n_resamples=n_resamples,
        rng=rng,
        keep_going=keep_going,
    )
    return np.concatenate(drawn)


def _by_first_place(
    rows: FloatArray, effects_from: Callable[[FloatArray], DeltasOf]
) -> tuple[FloatArray, Callable[[FloatArray], DeltasOf]]:
    """Numbers of distinct rows in the order of their first examples, and the same effects of them.

    Sorted by values, A's and B's rows would change places when the systems are exchanged.
    """
    n = rows.shape[0]
    coded = row_codes(rows, at_most=n - 1)
    _, first, codes = np.unique(
        np.arange(n) if coded is None else coded, return_index=True, return_inverse=True
    )
    order = np.argsort(first)
    number = np.empty(first.size)
    number[order] = np.arange(first.size)
    own = rows[first[order]]
    return number[codes][:, np.newaxis], lambda numbers: effects_from(
        own[numbers[:, 0].astype(np.intp)]
    )


def variance_of(effects: FloatArray) -> tuple[float, int]:
    """The variance of drawn effects over n − 1, and how many have no effect and are left out.

    0 where they differ by rounding alone, nan where fewer than two have an effect.
    """
    defined = effects[np.isfinite(effects)]
    n_undefined = effects.size - defined.size
    if defined.size < 2:
        return float("nan"), n_undefined
    spread = float(defined.max() - defined.min())
    if spread <= _ROUNDING * float(np.abs(defined).max()):
        return 0.0, n_undefined
    return float(defined.var(ddof=1)), n_undefined


def _of_ranks(rows: FloatArray, *, sign: float, reduction: bool) -> DeltasOf:
    deltas_of = ranked_deltas(rows, sign=sign)
    if not reduction:
        return deltas_of
    # Beside gold itself, whose correlation is 1, B is behind by what it leaves.
    left_of = ranked_deltas(rows[:, [0, 0, 2]], sign=1.0)
    return lambda counts: divided(deltas_of(counts), left_of(counts))
