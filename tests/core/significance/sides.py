"""The three p-values of a test, as oracles give them, and results with something changed."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

from core.significance.settings import TEST_ALTERNATIVES
from core.significance.single import SignificanceResult, run_significance_test

# The correlation of two vectors, by kind.
OF_TWO: dict[str, Any] = {"spearman": stats.spearmanr, "pearson": stats.pearsonr}
RESAMPLING: tuple[Any, ...] = ("paired-bootstrap", "approximate-randomization")
resampling_tests = pytest.mark.parametrize("test", RESAMPLING)


def sides(result: SignificanceResult) -> tuple[float, float, float]:
    """Of "A is better", "B is better" and "they differ"."""
    return result.p_value_greater, result.p_value_less, result.p_value_two_sided


def of_scipy(function: Any, *data: Any, **settings: Any) -> list[float]:
    """The same of one of its tests."""
    return [function(*data, alternative=one, **settings).pvalue for one in TEST_ALTERNATIVES]


def of_differences(values: object, test: str, **settings: Any) -> SignificanceResult:
    """A test of these differences."""
    a = np.asarray(values, dtype=np.float64)
    return run_significance_test(a, np.zeros(a.size), test=test, **settings)


def changed(result: SignificanceResult, **changes: Any) -> SignificanceResult:
    """A result with other fields, and with some other settings."""
    settings = replace(result.settings, **changes.pop("settings", {}))
    return replace(result, settings=settings, **changes)
