"""Spearman's correlations of resamples, ranked anew without sorting each."""

from __future__ import annotations

import numpy as np

from core.significance.resamples import DeltasOf
from core.types import FloatArray


def ranked_deltas(rows: FloatArray, *, sign: float) -> DeltasOf:
    """From standings of gold, A and B, shape (n, 3), a function of counts to differences.

    Parameters
    ----------
    sign : float
        1 where a higher correlation is better, else -1.
    """
    gold, a, b = (_Ranker(column) for column in rows.T)

    def deltas_of(counts: FloatArray) -> FloatArray:
        right, spread = gold.ranks(counts)
        weighted = counts * right
        r_a, r_b = (_rank_correlation(weighted, spread, *ranker.ranks(counts)) for ranker in (a, b))
        return sign * (r_a - r_b)

    return deltas_of


class _Ranker:
    """Midranks of resamples from their counts, without sorting each."""

    def __init__(self, values: FloatArray) -> None:
        self._order = np.argsort(values, kind="stable")
        distinct, self._group, sizes = np.unique(values, return_inverse=True, return_counts=True)
        self._starts = np.cumsum(sizes) - sizes
        self._tied = distinct.size < values.size

    def ranks(self, counts: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Midranks less their mean, shape (resamples, d), and their sums of squares."""
        number = counts[:, self._order]
        if self._tied:
            number = np.add.reduceat(number, self._starts, axis=1)
        upper = np.cumsum(number, axis=1)
        # A group's ranks run from `upper - number + 1` to `upper`.
        centred = upper - 0.5 * number - 0.5 * upper[:, -1:]
        squares = np.einsum("ij,ij,ij->i", number, centred, centred)
        return centred[:, self._group], squares


def _rank_correlation(
    weighted_gold: FloatArray, spread_gold: FloatArray, ranks: FloatArray, spread: FloatArray
) -> FloatArray:
    # Ranks that never vary are exact zeros where a resample has examples: 0/0, undefined.
    with np.errstate(invalid="ignore"):
        r = np.einsum("ij,ij->i", weighted_gold, ranks) / np.sqrt(spread_gold * spread)
    clipped: FloatArray = np.clip(r, -1.0, 1.0)
    return clipped
