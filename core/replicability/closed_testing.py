"""Closed testing: claims about single datasets and about any group of them, without a 2^N search.

Vocabulary
----------
closed test
    Rejects "A is better on none of the datasets in S" when every set that
    contains S is rejected by the combination's own test.
d(S)
    A is better on at least d(S) of the datasets in S; holds for all S at once
    with confidence 1 - alpha, also for S chosen after looking.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ..types import BoolArray, FloatArray, IntArray
from ..validation import check_alpha, check_p_values
from .combinations import combination_named
from .decision import at_most


def closed_p_values(p_values: FloatArray, *, combination: str) -> FloatArray:
    """Adjusted p-value of each single dataset under closed testing.

    The dataset with p-value p_i is identified at level alpha when its entry is
    at most alpha, that is when d({i}) = 1.

    Parameters
    ----------
    p_values : ndarray, shape (N,)
        In [0, 1].
    combination : str
        The local test: Bonferroni's gives Holm, Simes' Hommel.

    Returns
    -------
    ndarray, shape (N,)
        In the order of `p_values`.

    Raises
    ------
    ValueError
        If the combination is unknown.
    """
    ordered = np.sort(p_values)
    adjusted = combination_named(combination).local.adjusted(ordered)
    # Ties share one decision: a set may hold either of two equal p-values.
    return adjusted[np.searchsorted(ordered, p_values, side="left")]


def closed_names(p_values: FloatArray, *, alpha: float, combination: str) -> BoolArray:
    """Which datasets the closed test behind a count names: `identify_datasets` without the rest."""
    return at_most(closed_p_values(p_values, combination=combination), alpha)


def count_in_group(
    p_values: npt.ArrayLike,
    group_indices: Sequence[int] | npt.NDArray[np.integer],
    *,
    alpha: float = 0.05,
    combination: str = "bonferroni",
) -> int:
    """On at least how many datasets of a group A is better: the bound d(S).

    Holds for all groups at once with confidence 1 - alpha, also for groups
    chosen after looking, provided `alpha` and `combination` were fixed before.

    Parameters
    ----------
    p_values : array_like, shape (N,)
        P-values of ALL datasets, in [0, 1]; those outside the group count too.
    group_indices : sequence of int
        Positions of the group's datasets in `p_values`, each once, 0..N-1.
    alpha : float
        In (0, 1).
    combination : str
        As in `count_datasets`; the assumption concerns all N datasets.

    Returns
    -------
    int
        d(S), between 0 and the size of the group; for the whole it is k_hat.

    Raises
    ------
    ValueError
        If an index is repeated or out of range, or as `count_datasets`.

    References
    ----------
    Goeman, Meijer, Krebs and Solari (Biometrika 2019) for Simes; Goeman and
    Solari (Statistical Science 2011) for closed testing in general.

    Examples
    --------
    >>> from replicability import count_in_group
    >>> count_in_group([.001, .002, .4, .03], [0, 1], combination="fisher")
    2
    """
    level = check_alpha(alpha)
    local = combination_named(combination).local
    values = check_p_values(p_values)
    group = _check_group(group_indices, values.size)
    return local.count_in_group(values, group, level)


def _check_group(group_indices: Sequence[int] | npt.NDArray[np.integer], n: int) -> IntArray:
    raw = np.asarray(group_indices)
    if raw.size == 0:
        return np.empty(0, dtype=np.intp)
    if raw.ndim != 1 or not np.issubdtype(raw.dtype, np.integer):
        raise ValueError(
            f"`group_indices` must be a list of whole numbers; got dtype {raw.dtype} "
            f"with {raw.ndim} dimensions."
        )
    group = raw.astype(np.intp)
    if group.min() < 0 or group.max() >= n:
        raise ValueError(
            f"`group_indices` must lie between 0 and {n - 1}; got {group.min()} to {group.max()}."
        )
    found, times = np.unique(group, return_counts=True)
    if np.any(times > 1):
        repeated = int(found[times > 1][0])
        raise ValueError(f"`group_indices` must name each dataset once; got {repeated} repeatedly.")
    return group
