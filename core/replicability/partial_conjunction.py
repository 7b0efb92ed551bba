"""P-values of the claims "A is better on at least u of the N datasets".

Vocabulary
----------
partial conjunction p-value
    P-value of the null hypothesis "fewer than u datasets have an effect",
    made of the N - u + 1 largest p-values (Benjamini & Heller 2008).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from core.replicability.combinations import combination_named
from core.types import FloatArray
from core.validation import check_p_values


def partial_conjunction_p_values(
    p_values: npt.ArrayLike, *, combination: str = "bonferroni"
) -> FloatArray:
    """P-values of "at least u of N datasets", for u = 1, ..., N.

    Parameters
    ----------
    p_values : array_like, shape (N,)
        One p-value a dataset, each valid for its own null hypothesis; in [0, 1].
    combination : str
        How the N - u + 1 largest p-values are combined: a name of
        `core.replicability.combinations.COMBINATIONS`.

    Returns
    -------
    ndarray, shape (N,)
        Entry ``u - 1`` is p_*^{u/N}: the p-value of the null hypothesis that A
        is better on fewer than u datasets, made monotone in u by the running
        maximum.

    Raises
    ------
    ValueError
        If `p_values` is empty or holds anything outside [0, 1], or the
        combination is unknown.

    References
    ----------
    Dror et al. (TACL 2017), sections 4.1 and 4.2, equations 3 to 6; Benjamini
    and Heller (Biometrics 2008).
    """
    local = combination_named(combination).local
    return np.maximum.accumulate(local.of_largest(np.sort(check_p_values(p_values))))
