"""Tests of "A is better than B" on one dataset, and a runner over many.

Scores in, p-values out: this room knows what each example says and the table that
p-values go into; counting over datasets is another room.
"""

from __future__ import annotations

from .choose import Advice, advise, choose_test, suitable_tests
from .known_tests import significance_tests
from .result import SignificanceResult
from .run import run_dataset_tests
from .settle import Settlement, p_value_ends, settle, settled
from .single import run_significance_test
from .stopping import Stopped

__all__ = [
    "Advice",
    "Settlement",
    "SignificanceResult",
    "Stopped",
    "advise",
    "choose_test",
    "p_value_ends",
    "run_dataset_tests",
    "run_significance_test",
    "settle",
    "settled",
    "significance_tests",
    "suitable_tests",
]
