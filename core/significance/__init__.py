"""Tests of "A is better than B" on one dataset, and a runner over many.

Scores in, p-values out: this room knows per-example scores and the table that
p-values go into; counting over datasets is another room.
"""

from __future__ import annotations

from core.significance.choose import choose_test, significance_tests
from core.significance.result import SignificanceResult
from core.significance.run import run_dataset_tests
from core.significance.single import run_significance_test
from core.significance.stopping import Stopped

__all__ = [
    "SignificanceResult",
    "Stopped",
    "choose_test",
    "run_dataset_tests",
    "run_significance_test",
    "significance_tests",
]
