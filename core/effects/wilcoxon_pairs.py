"""Wilcoxon's signed-rank test of many pairs of systems at once, over the same datasets."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from core.effects.score_columns import midranks, paired_averages
from core.significance.differences import paired_differences
from core.significance.lattice import SMALLEST
from core.significance.wilcoxon import wilcoxon
from core.types import FloatArray, IntArray
from core.validation import check_choice

PairMethod = Literal["auto", "exact", "normal"]
PAIR_METHODS: tuple[PairMethod, ...] = get_args(PairMethod)

# An exact test takes about as long as its number of datasets squared and some more;
# so much in all is a second or two.
_EXACT_WORK = 13_000_000
_MORE = 2_500
# Pairs ranked at once, to keep the memory small.
_BLOCK = 4_096


def wilcoxon_of_pairs(
    scores: FloatArray, first: IntArray, second: IntArray, *, method: PairMethod = "auto"
) -> tuple[FloatArray, str]:
    """Two-sided p-values of the pairs, zeros dropped, and where they come from.

    Each p-value is the one that `core.significance.wilcoxon.wilcoxon` gives for
    the pair alone.

    Parameters
    ----------
    scores : ndarray, shape (N, k)
        Higher being better.
    first, second : ndarray of int
        Columns that are compared.
    method : {"auto", "exact", "normal"}
        "auto" is exact as long as that takes a second or two in all.

    Returns
    -------
    (ndarray, str)
        A pair of equal scores has p = 1.
    """
    check_choice(method, PAIR_METHODS, name="method")
    if method == "auto":
        method = "exact" if first.size * (_MORE + scores.shape[0] ** 2) <= _EXACT_WORK else "normal"
    whole = None if method == "exact" else _as_integers(scores)
    if whole is not None:
        p_values = np.concatenate(
            [
                _normal(whole[:, first[i : i + _BLOCK]] - whole[:, second[i : i + _BLOCK]])
                for i in range(0, first.size, _BLOCK)
            ]
        )
    else:
        p_values = np.array(
            [
                wilcoxon(
                    paired_averages(scores[:, i], scores[:, j]), method=method
                ).p_values.two_sided
                for i, j in zip(first.tolist(), second.tolist(), strict=True)
            ]
        )
    how = "exact" if method == "exact" else "normal approximation corrected for ties"
    return p_values, f"Wilcoxon's signed-rank test, zeros dropped, {how}"


def _as_integers(scores: FloatArray) -> FloatArray | None:
    """All scores as whole multiples of one step, which differences cannot untie."""
    flat = paired_differences(scores.ravel(), np.zeros(scores.size))
    if flat.integers is None:
        return None
    return flat.integers.reshape(scores.shape).astype(np.float64)


def _normal(differences: FloatArray) -> FloatArray:
    """The normal approximation with the variance of midranks; a column for each pair."""
    from scipy.special import ndtr

    sizes = np.abs(differences).T
    zero = sizes == 0.0
    # Zeros rank first; without them, all other ranks are lower by their number.
    ranks = midranks(sizes)[0] - zero.sum(axis=1, keepdims=True)
    ranks[zero] = 0.0
    won = np.where(differences.T > 0.0, ranks, 0.0).sum(axis=1)
    spread = 0.5 * np.sqrt((ranks**2).sum(axis=1))
    none = zero.all(axis=1)
    z = (won - 0.5 * ranks.sum(axis=1)) / np.where(none, 1.0, spread)
    tails: FloatArray = np.clip(2.0 * ndtr(-np.abs(z)), SMALLEST, 1.0)
    return tails
