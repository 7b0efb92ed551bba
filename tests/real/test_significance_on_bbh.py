"""27 BIG-Bench-Hard tasks, 0/1: every test against R, scipy and full convolution.

Reference values and the exact variant of each: expected.json and README.md beside the data.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from core import count_datasets
from core.data import ResultSet
from core.significance import run_dataset_tests, run_significance_test
from core.significance.result import SignificanceResult
from core.types import FloatArray
from tests.real.cases import expected, numbers_of

pytestmark = pytest.mark.real

FOLDER = "real/r01_bbh_cot_vs_direct"


def scores() -> dict[str, FloatArray]:
    return numbers_of(f"{FOLDER}/data.csv", "score_a", "score_b")


@cache
def result_set() -> ResultSet:
    return ResultSet.from_scores(
        {name: {"cot": a, "direct": b} for name, (a, b) in scores().items()}
    )


def each(test: str, **settings: Any) -> list[tuple[dict[str, Any], SignificanceResult]]:
    return [
        (expected(FOLDER)["per_dataset"][name], run_significance_test(a, b, test=test, **settings))
        for name, (a, b) in scores().items()
    ]


@pytest.mark.parametrize(
    ("test", "greater", "two_sided"),
    [
        ("mcnemar", "exact_p_greater", "exact_p_two"),
        ("mcnemar-mid-p", "midp_greater", "midp_two"),
        ("mcnemar-chi2", "p_z_greater", "p_chi2_two"),
        ("mcnemar-chi2-corrected", "p_cc_greater", "p_chi2_cc_two"),
    ],
)
def test_mcnemar(test: str, greater: str, two_sided: str) -> None:
    for reference, result in each(test):
        ours = reference["mcnemar"]
        assert (result.wins, result.losses) == (ours["b"], ours["c"])
        assert result.p_value_greater == pytest.approx(ours[greater], rel=1e-11)
        assert result.p_value_two_sided == pytest.approx(ours[two_sided], rel=1e-11)


def test_sign() -> None:
    for reference, result in each("sign"):
        ours = reference["sign"]
        assert (result.wins, result.ties, result.losses) == (
            ours["wins"],
            ours["ties"],
            ours["losses"],
        )
        assert result.p_value_greater == pytest.approx(ours["exact_p_greater"], rel=1e-11)
        assert result.p_value_two_sided == pytest.approx(ours["exact_p_two"], rel=1e-11)


def test_paired_t() -> None:
    for reference, result in each("paired-t"):
        assert result.statistic == pytest.approx(reference["t"]["t"], rel=1e-11)
        assert result.p_value_greater == pytest.approx(reference["t"]["p_greater"], rel=1e-11)
        assert result.p_value_two_sided == pytest.approx(reference["t"]["p_two"], rel=1e-11)


@pytest.mark.parametrize("zeros", ["wilcox", "pratt", "zsplit"])
def test_wilcoxon_by_the_normal_approximation(zeros: str) -> None:
    for reference, result in each("wilcoxon", zeros=zeros, method="normal"):
        ours = reference["wilcoxon"][f"{zeros}_nocc"]
        assert result.statistic == ours["W_plus"]
        assert result.p_value_greater == pytest.approx(ours["p_greater"], rel=1e-9)
        assert result.p_value_two_sided == pytest.approx(ours["p_two"], rel=1e-9)


@pytest.mark.parametrize("zeros", ["wilcox", "pratt"])
def test_wilcoxon_exact_with_ties(zeros: str) -> None:
    compared = 0
    for reference, result in each("wilcoxon", zeros=zeros):
        ours = reference["wilcoxon"].get(f"{zeros}_exact_conditional")
        if ours is None:
            continue
        compared += 1
        assert result.statistic == ours["V"]
        assert result.p_value_greater == pytest.approx(ours["p_greater"], rel=1e-11)
        assert result.p_value_two_sided == pytest.approx(ours["p_two"], rel=1e-11)
    assert compared == 27


def test_randomization_exact() -> None:
    for reference, result in each("approximate-randomization"):
        ours = reference["permutation_exact_mean"]
        assert result.exact
        assert result.p_value_greater == pytest.approx(ours["p_greater"], rel=1e-11)
        assert result.p_value_less == pytest.approx(ours["p_less"], abs=1e-12)
        assert result.p_value_two_sided == pytest.approx(ours["p_two"], rel=1e-11)


def test_bootstrap_exact_within_the_references_own_error() -> None:
    for reference, result in each("paired-bootstrap"):
        ours = reference["bootstrap_exact_mean"]
        assert result.exact
        assert result.p_value_greater == pytest.approx(ours["bk_ge_2delta"], abs=1e-11)
    for reference, result in each("paired-bootstrap", estimator="berg-kirkpatrick"):
        ours = reference["bootstrap_exact_mean"]
        assert result.p_value_greater == pytest.approx(ours["bk_gt_2delta"], abs=1e-11)


def test_counting_by_exact_mcnemar() -> None:
    table = run_dataset_tests(result_set(), a="cot", b="direct")
    assert {result.test for result in table.results or ()} == {"mcnemar"}
    for combination, k_hat in (("bonferroni", 15), ("simes", 17), ("fisher", 18)):
        assert count_datasets(table.p_values, combination=combination).k_hat == k_hat
    assert table.p_values_b is not None
    # Direct answering is better on word sorting, and nowhere else by Bonferroni.
    assert count_datasets(table.p_values_b, combination="bonferroni").k_hat == 1
