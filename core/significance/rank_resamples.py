"""Spearman's correlations of resamples and after swaps, ranked anew without sorting each."""

from __future__ import annotations

import numpy as np

from core.significance.resamples import DeltasOf
from core.types import FloatArray, IntArray


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
    return _correlation(np.einsum("ij,ij->i", weighted_gold, ranks), spread_gold * spread)


def swapped_deltas(rows: FloatArray, units: IntArray, *, sign: float) -> DeltasOf:
    """From standings of gold, A and B, shape (n, 3), a function of swaps to differences.

    The swaps have shape (resamples, columns). Both systems are ranked anew after
    each, as ranks that were swapped are seldom 1 to n.

    Parameters
    ----------
    units : ndarray of int, shape (n,)
        Which column of the swaps exchanges the two systems on an example; -1 for none.
    sign : float
        1 where a higher correlation is better, else -1.

    Notes
    -----
    The standings of both systems together are the same after every swap. Each
    distinct one is a place, and what a swap changes are the numbers c of A's examples
    at the places. Twice their midranks are q = 2·Σc − c, and the spread is
    (n³ − Σc³)/3; B has the rest of c and q. All are whole numbers, so that no order
    of adding them matters.
    """
    gold, a, b = rows.T
    n = gold.size
    places = np.unique(np.concatenate([a, b]), return_inverse=True)[1]
    of_a, of_b = places[:n], places[n:]
    n_places = int(places.max()) + 1
    number_of_a, gold_of_a, number_of_b, gold_of_b = (
        np.bincount(of, weights, minlength=n_places).astype(np.float64)
        for of in (of_a, of_b)
        for weights in (None, gold)
    )
    number_of_both = number_of_a + number_of_b
    ranks_of_both = 2.0 * np.cumsum(number_of_both) - number_of_both
    moved = np.flatnonzero(units >= 0)
    units, gold, of_a, of_b = units[moved], gold[moved], of_a[moved], of_b[moved]
    taken, brought = (_Moves(of, n_places) for of in (of_a, of_b))
    shifts = gold * (ranks_of_both[of_b] - ranks_of_both[of_a])
    before = float(gold_of_b @ ranks_of_both)
    # As the cubes of places are made, so that a system without any spread has exactly none.
    cube = float(n) * n * n
    scale = float(rows[:, 0] @ rows[:, 0]) / 3.0

    def deltas_of(swapped: FloatArray) -> FloatArray:
        # Examples and places go down, resamples across: rows are taken and added whole.
        drawn = swapped.T[units]
        number = np.repeat(number_of_a[:, np.newaxis], drawn.shape[1], axis=1)
        number[taken.reached] -= taken.summed(drawn)
        number[brought.reached] += brought.summed(drawn)
        ranks = 2.0 * np.cumsum(number, axis=0) - number
        exchanged = gold @ (drawn * (ranks[of_b] - ranks[of_a]))
        r_a = _correlation(gold_of_a @ ranks + exchanged, scale * (cube - _cubes(number)))
        r_b = _correlation(
            before - shifts @ drawn - gold_of_b @ ranks + exchanged,
            scale * (cube - _cubes(number_of_both[:, np.newaxis] - number)),
        )
        return sign * (r_a - r_b)

    return deltas_of


class _Moves:
    """At which places a system's examples are, to add up what is known of those at each."""

    def __init__(self, places: IntArray, n_places: int) -> None:
        self._order = np.argsort(places, kind="stable")
        starts = np.flatnonzero(np.diff(places[self._order], prepend=-1))
        reached = places[self._order][starts]
        self._starts = starts if starts.size < places.size else None
        self.reached: IntArray | slice = reached if reached.size < n_places else slice(None)

    def summed(self, drawn: FloatArray) -> FloatArray:
        """Sums over the examples of each place reached, shape (places reached, resamples)."""
        ordered = drawn[self._order]
        return ordered if self._starts is None else np.add.reduceat(ordered, self._starts, axis=0)


def _cubes(number: FloatArray) -> FloatArray:
    cubes: FloatArray = np.einsum("ij,ij,ij->j", number, number, number)
    return cubes


def _correlation(covariance: FloatArray, spread: FloatArray) -> FloatArray:
    # Ranks that never vary are exact zeros: 0/0, undefined.
    with np.errstate(invalid="ignore"):
        r: FloatArray = covariance / np.sqrt(spread)
    return np.clip(r, -1.0, 1.0)
