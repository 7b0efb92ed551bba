"""The tests of one dataset as the guide lists them: the fixed rule, and each null hypothesis."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from core.report.testing import TEST_NAMES, TEST_RULES
from core.significance.choose import SignificanceTest, choose_test, significance_tests

_EQUAL_CHANCE = (
    "of the examples on which exactly one system is right, A wins no more than half in the long run"
)
_EQUAL_CORRELATION = "A's correlation with the gold scores is not above B's"
# What a small one-sided p-value speaks against.
NULL_HYPOTHESES: Mapping[SignificanceTest, str] = {
    "paired-bootstrap": "A's score on all data of this kind is not above B's",
    "approximate-randomization": "A's and B's outputs can be exchanged on every example",
    "wilcoxon": "the differences A − B lie symmetrically around 0, or lower",
    "mcnemar": _EQUAL_CHANCE,
    "mcnemar-mid-p": _EQUAL_CHANCE,
    "mcnemar-chi2": _EQUAL_CHANCE,
    "mcnemar-chi2-corrected": _EQUAL_CHANCE,
    "sign": "of the examples that are not ties, A wins no more than half in the long run",
    "paired-t": "the mean difference A − B is not above 0",
    "steiger": _EQUAL_CORRELATION,
    "williams": _EQUAL_CORRELATION,
    "meng": _EQUAL_CORRELATION,
}


def recommendation_lines() -> list[str]:
    """The fixed rule as the app applies it: for each kind of scores, the test it takes."""
    binary, graded = np.array([0.0, 1.0]), np.array([0.25, 0.75])
    cases = {
        "Every score is 0 or 1, on all datasets": choose_test(binary, binary),
        "Other scores of each example, where randomization is exact": choose_test(
            graded, graded, exact=True
        ),
        "Other scores of each example, where it is not": choose_test(graded, graded, exact=False),
        "Metrics of summed counts, such as F1 and BLEU": choose_test(graded, graded, kind="f1"),
        "Correlations with gold scores": choose_test(graded, graded, kind="spearman"),
        "Examples in clusters": choose_test(graded, graded, clustered=True),
    }
    return [f"{kind}: {TEST_NAMES[test]}." for kind, (test, _) in cases.items()]


def null_hypothesis_lines() -> list[tuple[str, str]]:
    """Each test with its null hypothesis and its rule."""
    return [
        (
            TEST_NAMES[name][:1].upper() + TEST_NAMES[name][1:],
            f"Null hypothesis: {NULL_HYPOTHESES[name]}. {TEST_RULES[name]}",
        )
        for name in TEST_RULES
        if name in significance_tests
    ]
