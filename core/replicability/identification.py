"""On which datasets A is better, by procedures that bound wrong names."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..shown import Plotted
from ..types import BoolArray, FloatArray
from ..validation import check_alpha, check_p_values
from .decision import at_most
from .procedures import p_value_procedure


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Identification(Plotted):
    """Which datasets are named as those on which A is better.

    Attributes
    ----------
    rejected : ndarray of bool, shape (N,)
        True where the dataset is named, in the order of the p-values given.
    adjusted_p_values : ndarray, shape (N,)
        Smallest level at which the dataset would be named, in the order given.
    thresholds : ndarray, shape (N,)
        What the procedure compares this dataset's p-value with at `alpha`; nan where it compares
        none. A
        step-down procedure (Holm) stops at its first failure, so a p-value
        below its own threshold need not be named; a step-up one names all
        below its last success.
    n_rejected : int
        How many are named.
    alpha : float
        In (0, 1).
    procedure : str
        Its name.
    p_values : ndarray, shape (N,)
        As given.
    """

    rejected: BoolArray
    adjusted_p_values: FloatArray
    thresholds: FloatArray
    n_rejected: int
    alpha: float
    procedure: str
    p_values: FloatArray

    @property
    def compares_p_values(self) -> bool:
        """Whether each p-value has a threshold; joint flips compare none."""
        return not bool(np.isnan(self.thresholds).all())


def identify_datasets(
    p_values: npt.ArrayLike, *, alpha: float = 0.05, procedure: str = "holm"
) -> Identification:
    """Name the datasets on which A is better.

    Parameters
    ----------
    p_values : array_like, shape (N,)
        One p-value a dataset in [0, 1], of the null hypothesis "A is not better
        than B here" and valid for it.
    alpha : float
        Level in (0, 1): of the family-wise error for "holm", "bonferroni" (any
        dependence), "hochberg", "hommel" (where Simes' inequality holds) and
        "fisher-closed" and "stouffer-closed" (independent datasets); of the false
        discovery rate for
        "benjamini-hochberg" (independent or positively dependent) and
        "benjamini-yekutieli" (any dependence).
    procedure : str
        One of those names.

    Returns
    -------
    Identification

    Raises
    ------
    ValueError
        If there are no p-values, one lies outside [0, 1], `alpha` outside
        (0, 1), or the procedure is unknown.

    References
    ----------
    Dror et al. (TACL 2017), section 4.3; Holm (1979); Hochberg (1988); Hommel
    (1988); Benjamini and Hochberg (1995); Benjamini and Yekutieli (2001).

    Examples
    --------
    >>> from replicability import identify_datasets
    >>> identify_datasets([.168, .297, .357, .019, .218, .001], procedure="holm").rejected.tolist()
    [False, False, False, False, False, True]
    """
    level = check_alpha(alpha)
    kernel = p_value_procedure(procedure).kernel
    values = check_p_values(p_values)
    adjusted = np.minimum(kernel.adjusted(values), 1.0)
    rejected = at_most(adjusted, level)
    thresholds = kernel.thresholds(values, level)
    for array in (adjusted, rejected, thresholds):
        array.flags.writeable = False
    return Identification(
        rejected=rejected,
        adjusted_p_values=adjusted,
        thresholds=thresholds,
        n_rejected=int(np.count_nonzero(rejected)),
        alpha=level,
        procedure=procedure,
        p_values=values,
    )


def named_by(p_values: npt.ArrayLike, *, alpha: float, procedure: str) -> BoolArray:
    """Which datasets a procedure names: `identify_datasets` without the rest.

    Raises
    ------
    ValueError
        As `identify_datasets`.
    """
    level = check_alpha(alpha)
    kernel = p_value_procedure(procedure).kernel
    return at_most(kernel.adjusted(check_p_values(p_values)), level)
