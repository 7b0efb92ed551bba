"""McNemar's test of two classifiers on the same examples.

Null hypothesis: where only one of the two is right, either is so with chance
1/2, that is, their accuracies are the same.

The exact test rejects a true null at α at most that often. With .2 of n examples
differing, the others at α = .05 (.01) exceed α: mid-p by at most .005 (.003) for
n = 50, .005 (.003) for n = 200, .005 (.003) for n = 1,000; χ² by at most .010
(.005) for n = 50, .005 (.003) for n = 200, .005 (.003) for n = 1,000; corrected
it does not.
"""

from __future__ import annotations

import math
from typing import Literal

from core.metrics.per_example import listed, other_than_binary
from core.significance.binomial import fair_coin, point
from core.significance.differences import Differences
from core.significance.lattice import SMALLEST
from core.significance.result import Outcome, Sides, TestAlternative, attainable
from core.types import FloatArray

Variant = Literal["exact", "mid-p", "chi2", "chi2-corrected"]


def check_binary(**scores: FloatArray) -> None:
    """Check that the systems' scores are 0 or 1.

    Raises
    ------
    ValueError
        If one is not; the message lists the values.
    """
    for name, values in scores.items():
        others = other_than_binary(values)
        if others:
            raise ValueError(
                f"`{name}` must be 0 or 1 for McNemar's test; got {listed(others)}. "
                "Wilcoxon, the bootstrap and randomization take any scores."
            )


def mcnemar(
    differences: Differences,
    *,
    variant: Variant = "exact",
    alternative: TestAlternative = "greater",
) -> Outcome:
    """Compare the examples that only A has right (b) with those that only B has (c).

    Parameters
    ----------
    differences : Differences
        Of 0/1 scores: n values of −1, 0 and 1.
    variant : {"exact", "mid-p", "chi2", "chi2-corrected"}
        Exact: P(X >= b) for X ~ Bin(b + c, 1/2); two-sided twice the smaller
        tail, at most 1. Mid-p: the observed split counts half (Fagerland et
        al. 2013). χ²: (b − c)²/(b + c), one-sided by its signed root; corrected
        by 1 (Edwards 1948), never below 0.
    alternative : {"greater", "less", "two-sided"}
        For the note on the smallest attainable p-value.

    References
    ----------
    McNemar (Psychometrika 1947); Fagerland, Lydersen and Laake (BMC Medical
    Research Methodology 2013), equations 1 to 5.
    """
    b, c = differences.wins, differences.losses
    if variant in ("chi2", "chi2-corrected"):
        return _chi_squared(b, c, corrected=variant == "chi2-corrected")
    p_values = fair_coin(b, c)
    mid_p = variant == "mid-p"
    if mid_p and b + c:
        half = 0.5 * point(b, c)
        greater, less = (max(p - half, SMALLEST) for p in p_values[:2])
        p_values = Sides(greater, less, min(1.0, 2.0 * min(greater, less)))
    return Outcome(
        p_values=p_values,
        exact=True,
        statistic=float(b),
        notes=attainable(alternative, n_differing=b + c, n=differences.n, mid_p=mid_p),
    )


def _chi_squared(b: int, c: int, *, corrected: bool) -> Outcome:
    from scipy.special import ndtr

    if b + c == 0:
        return Outcome(p_values=Sides(1.0, 1.0, 1.0), exact=True, statistic=0.0)
    correction = 1.0 if corrected else 0.0
    spread = math.sqrt(b + c)
    root = max(abs(b - c) - correction, 0.0) / spread
    greater, less, two_sided = (
        max(float(tail), SMALLEST)
        for tail in (
            ndtr(-(b - c - correction) / spread),
            ndtr(-(c - b - correction) / spread),
            2.0 * ndtr(-root),
        )
    )
    few = b + c < 25
    return Outcome(
        p_values=Sides(greater, less, two_sided),
        exact=True,
        statistic=root**2,
        notes=(f"only {b + c} examples differ: the exact test is safer than χ²",) if few else (),
    )
