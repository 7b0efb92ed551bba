"""The tests of one dataset as the guide lists them: the fixed rule, and each null hypothesis."""

from __future__ import annotations

import numpy as np

from ..significance import known_tests
from ..significance.choose import choose_test
from .testing import title_of_test


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
    return [f"{kind}: {title_of_test(test)}." for kind, (test, _) in cases.items()]


def null_hypothesis_lines() -> list[tuple[str, str]]:
    """Each test with its null hypothesis and its rule."""
    return [
        (
            test.title[:1].upper() + test.title[1:],
            f"Null hypothesis: {test.null_hypothesis}. {test.rule}",
        )
        for test in known_tests.SIGNIFICANCE_TESTS
    ]
