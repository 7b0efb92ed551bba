"""The tests by name, which of them suit a metric, and the fixed rule that chooses one."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np

from core.metrics.per_example import other_than_binary
from core.metrics.registry import CORRELATIONS, KINDS, MEAN, STATISTIC_METRICS
from core.types import FloatArray
from core.validation import check_choice

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
    "steiger",
    "williams",
    "meng",
]
CorrelationTest = Literal["williams", "steiger", "meng"]

significance_tests: tuple[SignificanceTest, ...] = get_args(SignificanceTest)
RESAMPLING_TESTS: tuple[SignificanceTest, ...] = ("paired-bootstrap", "approximate-randomization")
CORRELATION_TESTS: tuple[CorrelationTest, ...] = get_args(CorrelationTest)
# Of 0/1 outcomes.
MCNEMAR_TESTS: tuple[SignificanceTest, ...] = (
    "mcnemar",
    "mcnemar-mid-p",
    "mcnemar-chi2",
    "mcnemar-chi2-corrected",
)


def suitable_tests(kind: str, *, zero_one: bool = True) -> tuple[SignificanceTest, ...]:
    """The tests that may be run on a metric of this kind, the one that "auto" takes first.

    Parameters
    ----------
    kind : str
        One of `core.metrics.registry.KINDS`.
    zero_one : bool
        Of means: whether every score is 0 or 1.

    Raises
    ------
    ValueError
        If there is no such kind.
    """
    check_choice(kind, KINDS, name="kind")
    if kind in CORRELATIONS:
        return (*CORRELATION_TESTS, *RESAMPLING_TESTS)
    if kind in STATISTIC_METRICS:
        return RESAMPLING_TESTS
    outcomes = MCNEMAR_TESTS if zero_one else ()
    return (*outcomes, "wilcoxon", *RESAMPLING_TESTS, "sign", "paired-t")


def choose_test(
    a: FloatArray, b: FloatArray, *, gold: object | None = None, kind: str = MEAN
) -> tuple[SignificanceTest, str]:
    """The test that ``test="auto"`` stands for, and why, as one sentence.

    The rule looks at the kind of the scores, never at which system is ahead.

    Parameters
    ----------
    a, b : ndarray, shape (n,) or (n, s)
        Per-example scores, or statistics.
    gold : array_like, shape (n,), optional
        Gold scores that `a` and `b` predict.
    kind : str
        The metric's kind, one of `core.metrics.registry.KINDS`.

    Raises
    ------
    ValueError
        If there is no such kind.

    References
    ----------
    Dror et al. (TACL 2017), section 6.2.
    """
    check_choice(kind, KINDS, name="kind")
    if kind in STATISTIC_METRICS:
        return (
            "paired-bootstrap",
            "The metric is computed from sums of counts, so the paired bootstrap is used.",
        )
    if kind == MEAN and not (other_than_binary(a) or other_than_binary(b)):
        return "mcnemar", "Each score is 0 or 1, so the exact McNemar test is used."
    if kind in CORRELATIONS or (gold is not None and np.asarray(gold).dtype.kind in "fiu"):
        return (
            "williams",
            "Two numeric predictions are compared with gold scores, so Williams' test is used.",
        )
    return (
        "wilcoxon",
        "Scores are other than 0 and 1, so the Wilcoxon signed-rank test is used.",
    )
