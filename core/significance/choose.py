"""The tests by name, and the fixed rule that chooses one."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from core.metrics.per_example import other_than_binary
from core.types import FloatArray

SignificanceTest = Literal[
    "paired-bootstrap",
    "approximate-randomization",
    "wilcoxon",
    "mcnemar",
    "mcnemar-mid-p",
    "mcnemar-chi2",
    "mcnemar-chi2-corrected",
    "sign",
    "paired-t",
]
WILLIAMS_IS_MISSING = (
    "`test` 'auto' stands for 'williams' where two numeric predictions are compared with gold "
    "scores, and that test is not available yet."
)
NAME_ANOTHER = "Name another test, on per-example scores."

significance_tests: tuple[SignificanceTest, ...] = get_args(SignificanceTest)


def choose_test(
    a: FloatArray, b: FloatArray, *, gold: object | None = None
) -> tuple[SignificanceTest, str]:
    """The test that ``test="auto"`` stands for, and why, as one sentence.

    The rule looks at the kind of the scores, never at which system is ahead.

    Parameters
    ----------
    a, b : ndarray, shape (n,)
        Per-example scores.
    gold : array_like, shape (n,), optional
        Gold scores that `a` and `b` predict.

    Raises
    ------
    ValueError
        If there are gold scores and two numeric predictions: correlations with
        gold are compared by Williams' test, which is not available.

    References
    ----------
    Dror et al. (TACL 2017), section 6.2.
    """
    if not (other_than_binary(a) or other_than_binary(b)):
        return "mcnemar", "Each score is 0 or 1, so the exact McNemar test is used."
    if gold is not None and np.asarray(gold).dtype.kind in "fiu":
        raise ValueError(f"{WILLIAMS_IS_MISSING} {NAME_ANOTHER}")
    return (
        "wilcoxon",
        "Scores are other than 0 and 1, so the Wilcoxon signed-rank test is used.",
    )
