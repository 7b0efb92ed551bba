"""Quade's test: as Friedman's, but datasets on which scores lie farther apart count more."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from core.effects.friedman import full_agreement_p_value
from core.effects.friedman_result import Friedman
from core.effects.score_columns import midranks, paired_averages
from core.significance.lattice import SMALLEST


@dataclass(frozen=True, slots=True, kw_only=True)
class Quade:
    """Whether k systems rank alike, each dataset weighted by the rank of its range of scores.

    Attributes
    ----------
    f, p_value : float or None
        F and its p; infinite with the exact p where all weighted ranks agree,
        None where every dataset ties all systems.
    f_df : (int, int)
        Degrees of freedom.
    reason : str
        Why there is no p-value; '' where there is one.
    """

    f: float | None
    p_value: float | None
    f_df: tuple[int, int]
    reason: str = ""


def quade(friedman: Friedman) -> Quade:
    """Weigh datasets by their range; scores must be comparable from dataset to dataset.

    Parameters
    ----------
    friedman : Friedman
        With the scores and ranks of k systems on N datasets.

    References
    ----------
    Quade (JASA 1979).
    """
    from scipy.special import fdtrc

    n, k = friedman.n_datasets, friedman.n_systems
    scores = friedman.scores
    # Ranges that are equal in decimals tie.
    ranges = paired_averages(scores.max(axis=1), scores.min(axis=1)).values
    weights = midranks(ranges[np.newaxis, :])[0][0]
    weighted = weights[:, np.newaxis] * (friedman.ranks - (k + 1) / 2.0)
    total = float((weighted**2).sum())
    between = float((weighted.sum(axis=0) ** 2).sum()) / n
    df = (k - 1, (k - 1) * (n - 1))
    if total == 0.0:
        return Quade(f=None, p_value=None, f_df=df, reason=friedman.reason)
    if total - between <= 1e-12 * total:
        exact = full_agreement_p_value(friedman.ranks[0], n)
        return Quade(f=math.inf, p_value=exact, f_df=df)
    f = (n - 1) * between / (total - between)
    return Quade(f=f, p_value=max(float(fdtrc(*df, f)), SMALLEST), f_df=df)
