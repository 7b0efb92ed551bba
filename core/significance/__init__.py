"""Tests of "A is better than B" on one dataset, and a runner over many.

Scores in, p-values out: this room knows what each example says and the table that
p-values go into; counting over datasets is another room.
"""

from __future__ import annotations

from core.significance.choose import Advice, advise, choose_test, suitable_tests
from core.significance.compare_correlations import CorrelationComparison, compare_correlations
from core.significance.known_tests import significance_tests
from core.significance.result import SignificanceResult
from core.significance.run import run_dataset_tests
from core.significance.settle import Settlement, p_value_ends, settle, settled
from core.significance.single import run_significance_test
from core.significance.stopping import Stopped

__all__ = [
    "Advice",
    "CorrelationComparison",
    "Settlement",
    "SignificanceResult",
    "Stopped",
    "advise",
    "choose_test",
    "compare_correlations",
    "p_value_ends",
    "run_dataset_tests",
    "run_significance_test",
    "settle",
    "settled",
    "significance_tests",
    "suitable_tests",
]
