"""27 BIG-Bench-Hard tasks, 0/1: every test against R, scipy and full convolution.

Reference values and the exact variant of each: expected.json and README.md beside the data.
"""

from __future__ import annotations

import csv
import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core import count_datasets
from core.data import ResultSet
from core.significance import run_dataset_tests, run_significance_test, suitable_tests
from core.significance.result import SignificanceResult

pytestmark = pytest.mark.real

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "data" / "real" / "r01_bbh_cot_vs_direct"


@cache
def scores() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    pairs: dict[str, list[tuple[float, float]]] = {}
    with (FOLDER / "data.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            pair = (float(row["score_a"]), float(row["score_b"]))
            pairs.setdefault(row["dataset"], []).append(pair)
    return {
        name: (np.array([a for a, _ in rows]), np.array([b for _, b in rows]))
        for name, rows in pairs.items()
    }


@cache
def expected() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))
    return found


@cache
def result_set() -> ResultSet:
    return ResultSet.from_scores(
        {name: {"cot": a, "direct": b} for name, (a, b) in scores().items()}
    )


def each(test: str, **settings: Any) -> list[tuple[dict[str, Any], SignificanceResult]]:
    return [
        (expected()["per_dataset"][name], run_significance_test(a, b, test=test, **settings))  # type: ignore[arg-type]
        for name, (a, b) in scores().items()
    ]


def test_all_27_tasks_are_read() -> None:
    assert len(scores()) == 27
    assert sum(a.size for a, _ in scores().values()) == 6511
    for reference, result in each("sign"):
        assert result.n_examples == reference["n"]
        assert result.score_a == pytest.approx(reference["mean_a"], abs=1e-15)
        assert result.difference == pytest.approx(reference["delta"], abs=1e-15)


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


@pytest.mark.parametrize("test", ["paired-bootstrap", "approximate-randomization"])
def test_monte_carlo_lies_as_near_as_it_must(test: str) -> None:
    names = {
        "paired-bootstrap": ("bootstrap_exact_mean", "bk_ge_2delta"),
        "approximate-randomization": ("permutation_exact_mean", "p_greater"),
    }
    group, value = names[test]
    for reference, result in each(test, method="monte-carlo", rng=0):
        p = reference[group][value]
        assert abs(result.p_value - p) <= 4 * (p * (1 - p) / 9999) ** 0.5 + 1 / 9999


def test_counting_by_exact_mcnemar() -> None:
    table = run_dataset_tests(result_set(), a="cot", b="direct")
    assert {result.test for result in table.results or ()} == {"mcnemar"}
    for combination, k_hat in (("bonferroni", 15), ("simes", 17), ("fisher", 18)):
        assert count_datasets(table.p_values, combination=combination).k_hat == k_hat  # type: ignore[arg-type]
    assert table.p_values_b is not None
    # Direct answering is better on word sorting, and nowhere else by Bonferroni.
    assert count_datasets(table.p_values_b, combination="bonferroni").k_hat == 1


def test_every_test_runs_on_every_task_and_agrees_on_the_direction() -> None:
    for test in suitable_tests("mean"):
        table = run_dataset_tests(result_set(), a="cot", b="direct", test=test)
        assert table.complete
        assert table.differences is not None
        ahead = table.differences > 0
        assert (table.p_values[ahead] < 0.5).all()
        assert (table.p_values[~ahead] > 0.5).all()
