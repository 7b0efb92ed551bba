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

from typing import Literal, get_args

from core.metrics.per_example import listed, other_than_binary
from core.significance.differences import Differences
from core.significance.result import Outcome, TestAlternative, attainable
from core.significance.wins_and_losses import sides_of_counts
from core.types import FloatArray
from core.validation import check_choice

Variant = Literal["exact", "mid-p", "chi2", "chi2-corrected"]
VARIANTS: tuple[Variant, ...] = get_args(Variant)


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
                "Randomization, the paired t-test and Wilcoxon take any scores."
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
        As `wins_and_losses.p_of_counts` has them, with b wins and c losses.
    alternative : {"greater", "less", "two-sided"}
        For the note on the smallest attainable p-value.

    References
    ----------
    McNemar (Psychometrika 1947); Fagerland, Lydersen and Laake (BMC Medical
    Research Methodology 2013), equations 1 to 5.
    """
    check_choice(variant, VARIANTS, name="variant")
    b, c = differences.wins, differences.losses
    if variant in ("chi2", "chi2-corrected"):
        return _chi_squared(b, c, variant)
    test = "mcnemar" if variant == "exact" else "mcnemar-mid-p"
    return Outcome(
        p_values=sides_of_counts(test, b, c),
        exact=True,
        statistic=float(b),
        notes=attainable(alternative, n_differing=b + c, n=differences.n, mid_p=variant == "mid-p"),
    )


def _chi_squared(b: int, c: int, variant: Literal["chi2", "chi2-corrected"]) -> Outcome:
    few = 0 < b + c < 25
    shift = max(abs(b - c) - (1 if variant == "chi2-corrected" else 0), 0)
    return Outcome(
        p_values=sides_of_counts(f"mcnemar-{variant}", b, c),
        exact=True,
        statistic=shift**2 / max(b + c, 1),
        notes=(f"only {b + c} examples differ: the exact test is safer than χ²",) if few else (),
    )
