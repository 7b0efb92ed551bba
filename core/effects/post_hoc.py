"""Which systems' mean ranks lie apart, after Friedman's test: all pairs, or all against a control.

Null hypothesis of each pair: both systems rank alike over the population of
datasets; with Wilcoxon's test, the differences of their scores are symmetric
around zero. With Wilcoxon's test and Holm's procedure the bound on any wrong
separation holds jointly whichever pairs differ; with mean ranks only where all systems
rank alike, as the others' scores move a pair's ranks.
"""

from __future__ import annotations

import math

import numpy as np

from core.effects.critical_difference import range_tail
from core.effects.friedman_result import Friedman
from core.effects.post_hoc_result import (
    ADJUSTMENTS,
    Adjustment,
    Comparison,
    PostHoc,
    PostHocProcedure,
    compared_pairs,
    critical_difference_of,
    separated_of,
)
from core.effects.wilcoxon_pairs import PairMethod, wilcoxon_of_pairs
from core.replicability.identification import identify_datasets
from core.significance.lattice import SMALLEST
from core.types import FloatArray
from core.validation import check_alpha, check_choice

__all__ = [
    "ADJUSTMENTS",
    "Adjustment",
    "PairMethod",
    "PostHoc",
    "PostHocProcedure",
    "bonferroni_dunn",
    "holm_post_hoc",
    "nemenyi",
    "wilcoxon_post_hoc",
]

# Hommel's adjusted p-values take the number of comparisons squared.
_MOST_FOR_HOMMEL = 5_000


def nemenyi(friedman: Friedman, alpha: float = 0.05) -> PostHoc:
    """Compare all pairs of mean ranks with the studentized range.

    Parameters
    ----------
    friedman : Friedman
        Mean ranks of k systems.
    alpha : float
        Bound on the chance of any wrong separation where all systems rank alike.

    Raises
    ------
    ValueError
        If `alpha` lies outside (0, 1).

    References
    ----------
    Nemenyi (1963); Demšar (JMLR 2006), section 3.2.2.
    """
    z = _z(friedman)
    return _post_hoc(
        friedman,
        procedure="nemenyi",
        comparison="mean-ranks",
        variant="studentized range with infinite degrees of freedom",
        alpha=alpha,
        control=None,
        z=z,
        p_values=_normal_tails(z),
        # The range of standard normals is √2 times the largest |z|.
        adjusted=range_tail(math.sqrt(2.0) * np.abs(z), friedman.n_systems),
    )


def bonferroni_dunn(friedman: Friedman, control: str, alpha: float = 0.05) -> PostHoc:
    """Compare every mean rank with the control's, by one critical difference.

    Parameters
    ----------
    friedman : Friedman
        Mean ranks of k systems.
    control : str
        Name of the system to compare with.
    alpha : float
        Bound on the chance of any wrong separation, shared equally among the
        k − 1 comparisons.

    Raises
    ------
    ValueError
        If there is no such system, or `alpha` lies outside (0, 1).

    References
    ----------
    Dunn (JASA 1961); Demšar (JMLR 2006), section 3.2.2.
    """
    z = _z(friedman)
    return _adjusted(friedman, _normal_tails(z), z, control, alpha, "bonferroni", "bonferroni-dunn")


def holm_post_hoc(
    friedman: Friedman,
    control: str | None = None,
    alpha: float = 0.05,
    *,
    procedure: Adjustment = "holm",
) -> PostHoc:
    """Compare mean ranks by normal p-values, adjusted by Holm's procedure or a relative.

    Parameters
    ----------
    friedman : Friedman
        Mean ranks of k systems.
    control : str, optional
        Name of the system that all others are compared with; without it all
        pairs are compared.
    alpha : float
        Bound on the chance of any wrong separation; for "benjamini-hochberg" on
        the expected share of wrong ones.
    procedure : {"holm", "hochberg", "hommel", "bonferroni", "benjamini-hochberg"}
        How p-values are adjusted. "holm" and "bonferroni" hold under any
        dependence, which comparisons of the same systems have.

    Raises
    ------
    ValueError
        If there is no such system, `alpha` lies outside (0, 1), or "hommel" is
        asked for above 5,000 comparisons.

    References
    ----------
    Holm (1979); Demšar (JMLR 2006), section 3.2.2.
    """
    z = _z(friedman)
    return _adjusted(friedman, _normal_tails(z), z, control, alpha, procedure, procedure)


def wilcoxon_post_hoc(
    friedman: Friedman,
    control: str | None = None,
    alpha: float = 0.05,
    *,
    procedure: Adjustment = "holm",
    method: PairMethod = "auto",
) -> PostHoc:
    """Compare pairs by Wilcoxon's signed-rank test of their scores, adjusted by Holm's procedure.

    A pair's verdict by mean ranks depends on which other systems are compared;
    its p-value here does not. But sizes of differences count, so the scores must
    be comparable from dataset to dataset.

    Parameters
    ----------
    friedman : Friedman
        With the scores of k systems.
    control, alpha, procedure
        As in `holm_post_hoc`.
    method : {"auto", "exact", "normal"}
        "exact" and "normal" as in Wilcoxon's test with zeros dropped; "auto" is
        exact as long as that takes a second or two for all pairs.

    Raises
    ------
    ValueError
        As `holm_post_hoc`.

    References
    ----------
    Benavoli, Corani and Mangili (JMLR 2016).
    """
    first, second = compared_pairs(friedman, control)
    sign = np.where(friedman.higher_is_better, 1.0, -1.0)
    found, variant = wilcoxon_of_pairs(
        friedman.scores * sign[:, np.newaxis], first, second, method=method
    )
    p_values = np.full((friedman.n_systems,) * 2, np.nan)
    p_values[first, second] = p_values[second, first] = found
    return _adjusted(
        friedman, p_values, None, control, alpha, procedure, procedure, variant=variant
    )


def _adjusted(
    friedman: Friedman,
    p_values: FloatArray,
    z: FloatArray | None,
    control: str | None,
    alpha: float,
    adjustment: Adjustment,
    procedure: PostHocProcedure,
    *,
    variant: str = "normal approximation of the difference of mean ranks",
) -> PostHoc:
    check_choice(adjustment, ADJUSTMENTS, name="procedure")
    level = check_alpha(alpha)
    first, second = compared_pairs(friedman, control)
    if adjustment == "hommel" and first.size > _MOST_FOR_HOMMEL:
        raise ValueError(
            f"`procedure` 'hommel' is for up to {_MOST_FOR_HOMMEL:,} comparisons; got "
            f"{first.size:,}. Take 'holm'."
        )
    named = identify_datasets(p_values[first, second], alpha=level, procedure=adjustment)
    adjusted = np.full_like(p_values, np.nan)
    adjusted[first, second] = adjusted[second, first] = named.adjusted_p_values
    return _post_hoc(
        friedman,
        procedure=procedure,
        comparison="wilcoxon" if z is None else "mean-ranks",
        variant=variant,
        alpha=level,
        control=control,
        z=z,
        p_values=p_values,
        adjusted=adjusted,
    )


def _post_hoc(
    friedman: Friedman,
    *,
    procedure: PostHocProcedure,
    comparison: Comparison,
    variant: str,
    alpha: float,
    control: str | None,
    z: FloatArray | None,
    p_values: FloatArray,
    adjusted: FloatArray,
) -> PostHoc:
    level = check_alpha(alpha)
    first, second = compared_pairs(friedman, control)
    compared = np.zeros(p_values.shape, dtype=np.bool_)
    compared[first, second] = compared[second, first] = True
    p_values, adjusted = (np.where(compared, array, np.nan) for array in (p_values, adjusted))
    for array in (p_values, adjusted, *(() if z is None else (z,))):
        array.flags.writeable = False
    return PostHoc(
        friedman=friedman,
        procedure=procedure,
        comparison=comparison,
        variant=variant,
        alpha=level,
        control=control,
        critical_difference=critical_difference_of(procedure, friedman, level),
        z=z,
        p_values=p_values,
        adjusted_p_values=adjusted,
        separated=separated_of(adjusted, level),
        n_comparisons=first.size,
    )


def _z(friedman: Friedman) -> FloatArray:
    # Sums of doubled ranks are whole, so that equal differences are equal floats.
    sums = np.rint(2.0 * friedman.mean_ranks * friedman.n_datasets)
    difference: FloatArray = sums[:, np.newaxis] - sums[np.newaxis, :]
    return difference / (2.0 * friedman.n_datasets * friedman.standard_error)


def _normal_tails(z: FloatArray) -> FloatArray:
    from scipy.special import ndtr

    tails: FloatArray = np.clip(2.0 * ndtr(-np.abs(z)), SMALLEST, 1.0)
    return tails
