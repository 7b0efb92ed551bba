"""Correct and total of each sentence of nine treebanks, and BLEU of sixteen language pairs of WMT22.

Reference values: expected.json and README.md beside the data; of BLEU 100,000 resamples each.
"""

from functools import cache

import numpy as np
import pytest

from core import count_datasets
from core.data import ResultSet, read_results
from core.metrics.registry import STATISTIC_METRICS
from core.significance.run import run_dataset_tests
from core.significance.single import SignificanceResult, run_significance_test
from core.types import FloatArray
from tests.real.cases import DATA, expected, numbers_of

pytestmark = pytest.mark.real

FOLDER = "real/r07_ud_pos_correct_total"


@cache
def counts() -> dict[str, tuple[FloatArray, FloatArray]]:
    numbers = numbers_of(f"{FOLDER}/data.csv", "correct_a", "correct_b", "total")
    return {
        name: (np.column_stack([a, total]), np.column_stack([b, total]))
        for name, (a, b, total) in numbers.items()
    }


def test_randomization_is_exact_down_to_the_smallest_p_values() -> None:
    for name, (a, b) in counts().items():
        result = run_significance_test(a, b, test="approximate-randomization", metric="ratio")
        reference = expected(FOLDER)["per_dataset"][name]["approx_randomisation_exact"]
        assert result.exact
        assert result.p_value_greater == pytest.approx(reference["p_greater"], rel=1e-9, abs=0)
        assert result.p_value_less == pytest.approx(reference["p_less"], rel=1e-9, abs=0)
        assert result.p_value_two_sided == pytest.approx(reference["p_two"], rel=1e-9, abs=0)


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
    read = read_results(DATA / FOLDER / "data.csv")
    assert isinstance(read, ResultSet)
    table = run_dataset_tests(read, a="a", b="b", n_resamples=299)
    assert {result.test for result in table.results or ()} == {"paired-bootstrap"}
    assert {result.kind for result in table.results or ()} == {"ratio"}
    assert count_datasets(table.p_values).k_hat == 7
    by_swaps = run_dataset_tests(read, a="a", b="b", test="approximate-randomization")
    assert count_datasets(by_swaps.p_values).k_hat == 7


WMT = "real/r04b_wmt22_bleu_stats"
COLUMNS = [f"{system}_{name}" for system in "ab" for name in STATISTIC_METRICS["bleu"].statistics]
N_RESAMPLES = 1_999


def bleu_counts() -> dict[str, FloatArray]:
    """Shape (n, 2, 10) for each pair of languages."""
    found = numbers_of(f"{WMT}/data.csv", *COLUMNS)
    return {name: columns.T.reshape(-1, 2, 10) for name, columns in found.items()}


@cache
def results(test: str) -> dict[str, SignificanceResult]:
    return {
        name: run_significance_test(
            rows[:, 0],
            rows[:, 1],
            test=test,
            metric="bleu",
            n_resamples=N_RESAMPLES,
            rng=0,
        )
        for name, rows in bleu_counts().items()
    }


def near(p: float, reference: float) -> bool:
    room = 4 * float(reference * (1 - reference) / N_RESAMPLES) ** 0.5 + 1 / N_RESAMPLES
    return bool(abs(p - reference) <= room)


def test_bleu_of_the_sums_is_the_published_score() -> None:
    assert len(bleu_counts()) == 16
    for name, result in results("paired-bootstrap").items():
        reference = expected(WMT)["per_dataset"][name]
        assert result.n_examples == reference["n"]
        assert result.score_a == pytest.approx(reference["bleu_a"], abs=1e-10)
        assert result.score_b == pytest.approx(reference["bleu_b"], abs=1e-10)
        assert result.difference == pytest.approx(reference["delta"], abs=1e-10)


def test_the_bootstrap_of_bleu_lies_as_near_as_it_must() -> None:
    for name, result in results("paired-bootstrap").items():
        assert near(
            result.p_value, expected(WMT)["per_dataset"][name]["bootstrap_BK_gt_2delta"]["p"]
        ), name


def test_randomization_of_bleu_lies_as_near_as_it_must_one_and_two_sided() -> None:
    for name, result in results("approximate-randomization").items():
        reference = expected(WMT)["per_dataset"][name]
        assert near(result.p_value, reference["approx_randomisation_greater"]["p"]), name
        two_sided = reference["approx_randomisation_two"]["p"]
        assert near(result.p_value_two_sided, two_sided), name
