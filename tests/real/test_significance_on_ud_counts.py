"""Nine treebanks, correct and total of each sentence: exact randomization and the bootstrap.

Reference values: expected.json and README.md beside the data.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from core import count_datasets
from core.data import ResultSet
from core.significance import run_dataset_tests, run_significance_test
from core.types import FloatArray
from tests.real.cases import expected, numbers_of

pytestmark = pytest.mark.real

FOLDER = "real/r07_ud_pos_correct_total"


@cache
def counts() -> dict[str, tuple[FloatArray, FloatArray]]:
    numbers = numbers_of(f"{FOLDER}/data.csv", "correct_a", "correct_b", "total")
    return {
        name: (np.column_stack([a, total]), np.column_stack([b, total]))
        for name, (a, b, total) in numbers.items()
    }


@cache
def result_set() -> ResultSet:
    return ResultSet(
        datasets=tuple(counts()),
        systems=("perceptron", "backoff"),
        values={"accuracy": tuple(np.stack(pair, axis=1) for pair in counts().values())},
        higher_is_better={"accuracy": True},
        kinds={"accuracy": "ratio"},
    )


def test_randomization_is_exact_down_to_the_smallest_p_values() -> None:
    for name, (a, b) in counts().items():
        result = run_significance_test(a, b, test="approximate-randomization", metric="ratio")
        reference = expected(FOLDER)["per_dataset"][name]["approx_randomisation_exact"]
        assert result.exact
        assert result.p_value_greater == pytest.approx(reference["p_greater"], rel=1e-9)
        assert result.p_value_less == pytest.approx(reference["p_less"], rel=1e-9)
        assert result.p_value_two_sided == pytest.approx(reference["p_two"], rel=1e-9)


@pytest.mark.parametrize("method", ["auto", "monte-carlo"])
def test_the_bootstrap_lies_as_near_as_it_must(method: str) -> None:
    exact = 0
    for name, (a, b) in counts().items():
        result = run_significance_test(
            a,
            b,
            test="paired-bootstrap",
            metric="ratio",
            method=method,  # type: ignore[arg-type]
            n_resamples=2_999,
            rng=0,
        )
        exact += result.exact
        p = expected(FOLDER)["per_dataset"][name]["bootstrap_BK_gt_2delta"]["p"]
        drawn = 100_000 if result.exact else 2_999
        # The reference is drawn as well, 100,000 times, and counts > where we count >=.
        assert abs(result.p_value - p) <= 4 * (p * (1 - p) / drawn) ** 0.5 + 1 / drawn
    assert exact == (3 if method == "auto" else 0)


def test_auto_counts_with_the_bootstrap_and_as_randomization_does() -> None:
    table = run_dataset_tests(result_set(), a="perceptron", b="backoff", n_resamples=299)
    assert {result.test for result in table.results or ()} == {"paired-bootstrap"}
    assert {result.kind for result in table.results or ()} == {"ratio"}
    assert count_datasets(table.p_values).k_hat == 7
    by_swaps = run_dataset_tests(
        result_set(), a="perceptron", b="backoff", test="approximate-randomization"
    )
    assert count_datasets(by_swaps.p_values).k_hat == 7
