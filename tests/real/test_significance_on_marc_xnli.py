"""Sentiment and inference in six languages: 0/1 files, and the same from gold labels."""

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
from core.significance import run_dataset_tests, run_significance_test

pytestmark = pytest.mark.real

FOLDER = (
    Path(__file__).resolve().parents[3] / "shared" / "data" / "real" / "r05_multilingual_marc_xnli"
)


@cache
def columns(name: str) -> dict[str, dict[str, list[str]]]:
    found: dict[str, dict[str, list[str]]] = {}
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            dataset = found.setdefault(row["dataset"], {key: [] for key in row})
            for key, value in row.items():
                dataset[key].append(value)
    return found


@cache
def expected() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))
    return found


def outcomes() -> dict[str, dict[str, np.ndarray]]:
    return {
        name: {system: np.array(c[f"score_{system}"], dtype=np.float64) for system in ("a", "b")}
        for name, c in columns("data.csv").items()
    }


def test_gold_labels_give_the_outcomes_and_the_same_p_values() -> None:
    assert len(outcomes()) == 9
    for name, c in columns("data_gold_pred.csv").items():
        own = outcomes()[name]
        labelled = run_significance_test(
            c["pred_a"], c["pred_b"], test="mcnemar", metric="accuracy", gold=c["gold"]
        )
        scored = run_significance_test(own["a"], own["b"], test="mcnemar")
        reference = expected()["per_dataset"][name]
        assert labelled.p_value == scored.p_value
        assert labelled.score_a == pytest.approx(reference["mean_a"], abs=1e-15)
        assert labelled.p_value == pytest.approx(reference["mcnemar"]["exact_p_greater"], rel=1e-11)


@pytest.mark.parametrize(
    ("test", "settings", "path", "two_sided"),
    [
        ("mcnemar", {}, ("mcnemar", "exact_p_greater"), "exact_p_two"),
        ("mcnemar-mid-p", {}, ("mcnemar", "midp_greater"), "midp_two"),
        ("mcnemar-chi2", {}, ("mcnemar", "p_z_greater"), "p_chi2_two"),
        ("sign", {}, ("sign", "exact_p_greater"), "exact_p_two"),
        ("paired-t", {}, ("t", "p_greater"), "p_two"),
        ("approximate-randomization", {}, ("permutation_exact_mean", "p_greater"), "p_two"),
        ("wilcoxon", {"method": "normal"}, ("wilcoxon", "wilcox_nocc", "p_greater"), "p_two"),
        (
            "wilcoxon",
            {"method": "normal", "zeros": "pratt"},
            ("wilcoxon", "pratt_nocc", "p_greater"),
            "p_two",
        ),
    ],
)
def test_p_values(test: str, settings: dict, path: tuple[str, ...], two_sided: str) -> None:
    for name, own in outcomes().items():
        group = expected()["per_dataset"][name]
        for key in path[:-1]:
            group = group[key]
        result = run_significance_test(own["a"], own["b"], test=test, **settings)  # type: ignore[arg-type]
        assert result.p_value_greater == pytest.approx(group[path[-1]], rel=1e-9)
        assert result.p_value_two_sided == pytest.approx(group[two_sided], rel=1e-9)


def test_bootstrap_exact_within_the_references_own_error() -> None:
    for name, own in outcomes().items():
        ours = expected()["per_dataset"][name]["bootstrap_exact_mean"]
        add_one = run_significance_test(own["a"], own["b"], test="paired-bootstrap")
        strict = run_significance_test(
            own["a"], own["b"], test="paired-bootstrap", estimator="berg-kirkpatrick"
        )
        assert add_one.p_value == pytest.approx(ours["bk_ge_2delta"], abs=1e-11)
        assert strict.p_value == pytest.approx(ours["bk_gt_2delta"], abs=1e-11)


def test_three_datasets_are_counted_from_labels() -> None:
    labelled = ResultSet.from_predictions(
        {name: c["gold"] for name, c in columns("data_gold_pred.csv").items()},
        {
            name: {"mlpp": c["pred_a"], "mt5": c["pred_b"]}
            for name, c in columns("data_gold_pred.csv").items()
        },
    )
    table = run_dataset_tests(labelled, a="mlpp", b="mt5")
    for combination in ("bonferroni", "simes", "fisher"):
        reference = expected()["pvector_analyses"]["mcnemar_exact_greater"]
        k_hat = reference["partial_conjunction"][combination]["k_hat"]["0.05"]
        found = count_datasets(table.p_values, combination=combination).k_hat
        assert found == k_hat == 3
