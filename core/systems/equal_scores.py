"""Which scores count as equal, and ranks that follow from it.

Means of the same decimals, added in another order, may differ by rounding.
"""

from __future__ import annotations

import numpy as np

from core.significance.differences import TIE_TOLERANCE, tied
from core.types import FloatArray


def with_ties(scores: FloatArray) -> FloatArray:
    """Scores of which those that differ by rounding alone are the same number.

    Parameters
    ----------
    scores : ndarray, shape (m,) or (n_datasets, m)
        Compared within a dataset.

    Returns
    -------
    ndarray
        Of the same shape: scores closer to their neighbour than
        `TIE_TOLERANCE` of the dataset's largest become the lowest of them.
    """
    return tied(scores, TIE_TOLERANCE * np.abs(scores).max(axis=-1, keepdims=True, initial=0.0))


def differences(scores: FloatArray) -> FloatArray:
    """Row less column; 0 where the two are equal but for rounding."""
    own = with_ties(scores)
    return np.asarray(own[:, np.newaxis] - own)


def mean_ranks_of(oriented: FloatArray) -> FloatArray:
    """Mean over datasets of each system's rank, 1 being the best; ties share their mean rank."""
    return np.asarray(ranks_of(oriented).mean(axis=0))


def ranks_of(oriented: FloatArray) -> FloatArray:
    """Rank of each system on each dataset, shape (n_datasets, m), 1 being the best."""
    from scipy.stats import rankdata

    return np.asarray(rankdata(-oriented, axis=1), dtype=np.float64)
