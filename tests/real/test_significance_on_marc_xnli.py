"""Sentiment and inference in six languages: 0/1 files, and the same from gold labels."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from core import count_datasets
from core.data import ResultSet
from core.significance import run_dataset_tests, run_significance_test
from core.types import FloatArray
from tests.real.cases import expected, numbers_of, rows_of

pytestmark = pytest.mark.real

FOLDER = "real/r05_multilingual_marc_xnli"


@cache
def labels() -> dict[str, dict[str, list[str]]]:
    rows = rows_of(f"{FOLDER}/data_gold_pred.csv")
    names = ("gold", "pred_a", "pred_b")
    return {d: {name: [row[name] for row in own] for name in names} for d, own in rows.items()}


def outcomes() -> dict[str, dict[str, FloatArray]]:
    numbers = numbers_of(f"{FOLDER}/data.csv", "score_a", "score_b")
    return {name: {"a": a, "b": b} for name, (a, b) in numbers.items()}


def test_gold_labels_give_the_outcomes_and_the_same_p_values() -> None:
    assert len(outcomes()) == 9
    for name, c in labels().items():
        own = outcomes()[name]
        labelled = run_significance_test(
            c["pred_a"], c["pred_b"], test="mcnemar", metric="accuracy", gold=c["gold"]
        )
        scored = run_significance_test(own["a"], own["b"], test="mcnemar")
        reference = expected(FOLDER)["per_dataset"][name]
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
        group = expected(FOLDER)["per_dataset"][name]
        for key in path[:-1]:
            group = group[key]
        result = run_significance_test(own["a"], own["b"], test=test, **settings)
        assert result.p_value_greater == pytest.approx(group[path[-1]], rel=1e-9)
        assert result.p_value_two_sided == pytest.approx(group[two_sided], rel=1e-9)


def test_bootstrap_exact_within_the_references_own_error() -> None:
    for name, own in outcomes().items():
        ours = expected(FOLDER)["per_dataset"][name]["bootstrap_exact_mean"]
        add_one = run_significance_test(own["a"], own["b"], test="paired-bootstrap")
        strict = run_significance_test(
            own["a"], own["b"], test="paired-bootstrap", estimator="berg-kirkpatrick"
        )
        assert add_one.p_value == pytest.approx(ours["bk_ge_2delta"], abs=1e-11)
        assert strict.p_value == pytest.approx(ours["bk_gt_2delta"], abs=1e-11)


def test_three_datasets_are_counted_from_labels() -> None:
    labelled = ResultSet.from_predictions(
        {name: c["gold"] for name, c in labels().items()},
        {name: {"mlpp": c["pred_a"], "mt5": c["pred_b"]} for name, c in labels().items()},
    )
    table = run_dataset_tests(labelled, a="mlpp", b="mt5")
    for combination in ("bonferroni", "simes", "fisher"):
        reference = expected(FOLDER)["pvector_analyses"]["mcnemar_exact_greater"]
        k_hat = reference["partial_conjunction"][combination]["k_hat"]["0.05"]
        found = count_datasets(table.p_values, combination=combination).k_hat
        assert found == k_hat == 3


def triples_of(name: str) -> np.ndarray:
    """XNLI has three hypotheses for each premise, one after the other, one of each label."""
    gold = labels()[name]["gold"]
    triples: np.ndarray = np.arange(len(gold)) // 3
    assert all(len(set(gold[i : i + 3])) == 3 for i in range(0, len(gold), 3))
    return triples


@pytest.mark.parametrize("name", ["xnli-en", "xnli-es", "xnli-zh"])
def test_randomization_of_premises_is_their_full_convolution(name: str) -> None:
    own, triples = outcomes()[name], triples_of(name)
    result = run_significance_test(
        own["a"], own["b"], test="approximate-randomization", clusters=triples
    )
    # One premise after the other in whole numbers: how many signs give each sum.
    sums = (own["a"] - own["b"]).astype(int).reshape(-1, 3).sum(axis=1)
    reach = int(np.abs(sums).sum())
    ways = [0] * (2 * reach + 1)
    ways[reach] = 1
    for size in np.abs(sums[sums != 0]).tolist():
        ways = [
            (ways[i - size] if i >= size else 0) + (ways[i + size] if i + size < len(ways) else 0)
            for i in range(len(ways))
        ]
    total = int(sums.sum())
    assert result.exact
    assert result.n_clusters == 1670
    greater = Fraction(sum(ways[reach + total :]), sum(ways))
    less = Fraction(sum(ways[: reach + total + 1]), sum(ways))
    assert result.p_value_greater == pytest.approx(float(greater), rel=1e-9)
    assert result.p_value_less == pytest.approx(float(less), rel=1e-9)
    reference = expected(FOLDER)["per_dataset"][name]["permutation_exact_mean"]["p_greater"]
    assert result.p_value_greater != pytest.approx(reference, rel=1e-3)
