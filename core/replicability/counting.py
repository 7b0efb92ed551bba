"""On at least how many datasets A is better, and the p-values of the claims "on at least u of N".

Vocabulary
----------
partial conjunction p-value
    P-value of the null hypothesis "fewer than u datasets have an effect",
    made of the N - u + 1 largest p-values (Benjamini & Heller 2008).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..shown import Plotted
from ..types import FloatArray
from ..validation import check_alpha, check_p_values
from .combinations import combination_named
from .decision import at_most

if TYPE_CHECKING:
    import pandas as pd


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
        `replicability.combinations.COMBINATIONS`.

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

    Examples
    --------
    >>> from replicability import partial_conjunction_p_values
    >>> partial_conjunction_p_values([.001, .02, .5]).round(3).tolist()
    [0.003, 0.04, 0.5]
    """
    local = combination_named(combination).local
    return np.maximum.accumulate(local.of_largest(np.sort(check_p_values(p_values))))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Counting(Plotted):
    """On at least how many datasets A is better.

    Attributes
    ----------
    k_hat : int
        Lower bound on the number of datasets with an effect, 0..n_datasets;
        P(k_hat > k) <= alpha, k the true number.
    n_datasets : int
        N.
    alpha : float
        Chance of an overstatement, in (0, 1).
    combination : str
        How p-values were combined; each has its own assumption on dependence.
    p_values : ndarray, shape (n_datasets,)
        As given, in the order given.
    partial_conjunction_p_values : ndarray, shape (n_datasets,)
        With the running maximum; entry ``u - 1`` tests "at least u datasets".
    """

    k_hat: int
    n_datasets: int
    alpha: float
    combination: str
    p_values: FloatArray
    partial_conjunction_p_values: FloatArray

    def to_frame(self) -> pd.DataFrame:
        """One row a claim "at least u of N", with its p-value and whether it holds at alpha."""
        import pandas as pd

        u = np.arange(1, self.n_datasets + 1)
        return pd.DataFrame(
            {
                "u": u,
                "p_value": self.partial_conjunction_p_values,
                "holds": u <= self.k_hat,
            }
        )


def count_datasets(
    p_values: npt.ArrayLike, *, alpha: float = 0.05, combination: str = "bonferroni"
) -> Counting:
    """Count, with a guarantee, the datasets on which A is better.

    Parameters
    ----------
    p_values : array_like, shape (N,)
        One p-value a dataset in [0, 1], each of the null hypothesis "A is not
        better than B here" and valid for it: P(p <= t) <= t.
    alpha : float
        Greatest chance that the count overstates the truth, in (0, 1).
    combination : str
        "bonferroni" holds under any dependence between datasets, "fisher" and "stouffer"
        for independent ones, "simes" for independent or positively dependent tests.

    Returns
    -------
    Counting
        With ``k_hat`` = max{u : p_*^{u/N} <= alpha}, 0 if there is none.

    Raises
    ------
    ValueError
        If there are no p-values, one lies outside [0, 1], or `alpha` outside (0, 1).

    References
    ----------
    Dror et al. (TACL 2017), section 4.2; Benjamini and Heller (Biometrics 2008).

    Examples
    --------
    >>> from replicability import count_datasets
    >>> count_datasets([.168, .297, .357, .019, .218, .001], combination="fisher").k_hat
    2
    """
    level = check_alpha(alpha)
    values = check_p_values(p_values)
    claims = partial_conjunction_p_values(values, combination=combination)
    claims.flags.writeable = False
    return Counting(
        k_hat=int(np.count_nonzero(at_most(claims, level))),
        n_datasets=values.size,
        alpha=level,
        combination=combination,
        p_values=values,
        partial_conjunction_p_values=claims,
    )


def count_by_common_practice(p_values: npt.ArrayLike, *, alpha: float = 0.05) -> int:
    """Count the p-values at or below `alpha`, as Dror et al. (2017) do, without any guarantee.

    Parameters
    ----------
    p_values : array_like, shape (N,)
        One p-value a dataset, in [0, 1].
    alpha : float
        The level of each single test, in (0, 1).

    Raises
    ------
    ValueError
        As `count_datasets`.

    Examples
    --------
    >>> from replicability import count_by_common_practice
    >>> count_by_common_practice([.168, .297, .357, .019, .218, .001])
    2
    """
    level = check_alpha(alpha)
    return int(np.count_nonzero(at_most(check_p_values(p_values), level)))


def chance_of_a_false_win(
    n_datasets: int, *, alpha: float = 0.05, two_sided: bool = False, either: bool = False
) -> float:
    """1 - (1 - r)^N: how often counting small p-values finds a "win" where there is none.

    Holds where no dataset has an effect, the N datasets are independent and
    each null p-value is uniform; discrete p-values make it smaller.

    Parameters
    ----------
    n_datasets : int
        N.
    alpha : float
        In (0, 1).
    two_sided : bool
        Whether a win of A is a two-sided p <= alpha with A ahead, so that
        r = alpha/2. A one-sided p <= alpha has r = alpha.
    either : bool
        Whether a win of B counts as well: r is twice as large, at most 1.

    Raises
    ------
    ValueError
        If `alpha` does not lie in (0, 1).
    """
    rate = check_alpha(alpha) * (0.5 if two_sided else 1.0) * (2.0 if either else 1.0)
    return 1.0 if rate >= 1.0 else float(-np.expm1(n_datasets * np.log1p(-rate)))
