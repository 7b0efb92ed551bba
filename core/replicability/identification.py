"""On which datasets A is better, by procedures that bound wrong names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

import numpy as np
import numpy.typing as npt

from core.replicability.closed_testing import closed_p_values, hommel_value
from core.replicability.decision import RELATIVE_TOLERANCE, at_most
from core.replicability.partial_conjunction import minus_logs
from core.types import PROCEDURES, BoolArray, Combination, FloatArray, Procedure
from core.validation import check_alpha, check_choice, check_p_values

# The procedure whose names come from the same closed test as the count.
PROCEDURE_OF_COMBINATION: dict[Combination, Procedure] = {
    "bonferroni": "holm",
    "fisher": "fisher-closed",
    "simes": "hommel",
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Identification:
    """Which datasets are named as those on which A is better.

    Attributes
    ----------
    rejected : ndarray of bool, shape (N,)
        True where the dataset is named, in the order of the p-values given.
    adjusted_p_values : ndarray, shape (N,)
        Smallest level at which the dataset would be named, in the order given.
    thresholds : ndarray, shape (N,)
        What the procedure compares this dataset's p-value with at `alpha`. A
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
    procedure: Procedure
    p_values: FloatArray


def identify_datasets(
    p_values: npt.ArrayLike, *, alpha: float = 0.05, procedure: Procedure = "holm"
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
        "fisher-closed" (independent datasets); of the false discovery rate for
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
    """
    level = check_alpha(alpha)
    check_choice(procedure, PROCEDURES, name="procedure")
    values = check_p_values(p_values)
    adjusted = np.minimum(_adjust(values, procedure), 1.0)
    rejected = at_most(adjusted, level)
    thresholds = _thresholds(values, procedure, level)
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


def closed_names(p_values: FloatArray, *, alpha: float, combination: Combination) -> BoolArray:
    """Which datasets the closed test behind a count names: `identify_datasets` without the rest.

    Takes about N log N steps where the adjusted p-values of Simes and Fisher
    take N squared.
    """
    if combination == "bonferroni":
        return at_most(closed_p_values(p_values, combination="bonferroni"), alpha)
    thresholds = closed_thresholds(p_values, alpha=alpha, combination=combination)
    # As at_most, with the thresholds in the place of the level.
    return p_values <= thresholds * (1.0 + RELATIVE_TOLERANCE)


def closed_thresholds(
    p_values: FloatArray, *, alpha: float, combination: Combination
) -> FloatArray:
    """What the closed test behind a count compares each p-value with, shape (N,)."""
    return _thresholds(p_values, PROCEDURE_OF_COMBINATION[combination], alpha)


def _adjust(values: FloatArray, procedure: Procedure) -> FloatArray:
    n = values.size
    if procedure == "holm":
        return closed_p_values(values, combination="bonferroni")
    if procedure == "hommel":
        return closed_p_values(values, combination="simes")
    if procedure == "fisher-closed":
        return closed_p_values(values, combination="fisher")
    if procedure == "bonferroni":
        return n * values
    ranks = np.arange(1, n + 1, dtype=np.float64)
    if procedure == "hochberg":
        return _step_up(values, ranks[::-1])
    if procedure == "benjamini-hochberg":
        return _step_up(values, n / ranks)
    if procedure == "benjamini-yekutieli":
        return _step_up(values, _harmonic(n) * (n / ranks))
    assert_never(procedure)


def _step_up(values: FloatArray, factors: FloatArray) -> FloatArray:
    """Adjusted p-value of rank i: the smallest factor times p-value from rank i upward."""
    order = np.argsort(values, kind="stable")
    running = np.minimum.accumulate((factors * values[order])[::-1])[::-1]
    result = np.empty_like(running)
    result[order] = running
    return result


def _thresholds(values: FloatArray, procedure: Procedure, alpha: float) -> FloatArray:
    n = values.size
    ordered = np.sort(values)
    # Ties share one decision: that of their first rank when stepping down, of
    # their last when stepping up.
    first = np.searchsorted(ordered, values, side="left") + 1
    last = np.searchsorted(ordered, values, side="right").astype(np.float64)
    if procedure == "holm":
        return alpha / (n - first + 1)
    if procedure == "bonferroni":
        return np.full(n, alpha / n)
    if procedure == "hochberg":
        return alpha / (n - last + 1)
    if procedure == "hommel":
        return np.full(n, alpha / max(1, hommel_value(values, alpha=alpha)))
    if procedure == "benjamini-hochberg":
        return last * (alpha / n)
    if procedure == "benjamini-yekutieli":
        return last * (alpha / (n * _harmonic(n)))
    if procedure == "fisher-closed":
        return _fisher_closed_thresholds(values, alpha)
    assert_never(procedure)


def _fisher_closed_thresholds(values: FloatArray, alpha: float) -> FloatArray:
    """Largest p-value with which each dataset would be named, the others as they are.

    {i} with the j largest of the others is rejected when -ln p_i reaches the
    chi-squared quantile halved, less the sum of the others' -ln p.
    """
    from scipy.special import gammainccinv

    n = values.size
    order = np.argsort(-values, kind="stable")
    logs = minus_logs(values[order])
    of_largest = np.concatenate([[0.0], np.cumsum(logs)])
    needed = gammainccinv(np.arange(1.0, n + 1.0), alpha)
    # j up to the own position: the j largest are all others. Beyond it they
    # include the own p-value, which is taken out again.
    before = np.maximum.accumulate(needed - of_largest[:n])
    with np.errstate(invalid="ignore"):
        beyond = needed[1:] - of_largest[2:]
        after = np.full(n, -np.inf)
        after[:-1] = np.maximum.accumulate(beyond[::-1])[::-1] + logs[:-1]
    # An infinite sum (another p of 0) demands nothing of this dataset.
    after[np.isnan(after)] = -np.inf
    result = np.empty(n)
    result[order] = np.exp(-np.maximum(before, after))
    return result


def _harmonic(n: int) -> float:
    return float(np.sum(1.0 / np.arange(1, n + 1)))


def named_by(p_values: npt.ArrayLike, *, alpha: float, procedure: Procedure) -> BoolArray:
    """Which datasets a procedure names: `identify_datasets` without the rest, in N log N steps.

    Raises
    ------
    ValueError
        As `identify_datasets`.
    """
    level = check_alpha(alpha)
    check_choice(procedure, PROCEDURES, name="procedure")
    values = check_p_values(p_values)
    for combination, closed in PROCEDURE_OF_COMBINATION.items():
        if closed == procedure:
            return closed_names(values, alpha=level, combination=combination)
    return at_most(_adjust(values, procedure), level)
