"""Sixteen language pairs of WMT22, BLEU from counts of each sentence.

Reference values: expected.json and README.md beside the data, 100,000 resamples each.
"""

from __future__ import annotations

from functools import cache

import pytest

from core.metrics.registry import STATISTIC_METRICS
from core.significance import run_significance_test
from core.significance.result import SignificanceResult
from core.types import FloatArray
from tests.real.cases import expected, numbers_of

pytestmark = pytest.mark.real

FOLDER = "real/r04b_wmt22_bleu_stats"
COLUMNS = [f"{system}_{name}" for system in "ab" for name in STATISTIC_METRICS["bleu"].statistics]
N_RESAMPLES = 1_999


def counts() -> dict[str, FloatArray]:
    """Shape (n, 2, 10) for each pair of languages."""
    found = numbers_of(f"{FOLDER}/data.csv", *COLUMNS)
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
        for name, rows in counts().items()
    }


def near(p: float, reference: float) -> bool:
    room = 4 * float(reference * (1 - reference) / N_RESAMPLES) ** 0.5 + 1 / N_RESAMPLES
    return bool(abs(p - reference) <= room)


def test_bleu_of_the_sums_is_the_published_score() -> None:
    assert len(counts()) == 16
    for name, result in results("paired-bootstrap").items():
        reference = expected(FOLDER)["per_dataset"][name]
        assert result.n_examples == reference["n"]
        assert result.score_a == pytest.approx(reference["bleu_a"], abs=1e-10)
        assert result.score_b == pytest.approx(reference["bleu_b"], abs=1e-10)
        assert result.difference == pytest.approx(reference["delta"], abs=1e-10)


def test_the_bootstrap_lies_as_near_as_it_must() -> None:
    for name, result in results("paired-bootstrap").items():
        assert near(
            result.p_value, expected(FOLDER)["per_dataset"][name]["bootstrap_BK_gt_2delta"]["p"]
        ), name


def test_randomization_lies_as_near_as_it_must_one_and_two_sided() -> None:
    for name, result in results("approximate-randomization").items():
        reference = expected(FOLDER)["per_dataset"][name]
        assert near(result.p_value, reference["approx_randomisation_greater"]["p"]), name
        two_sided = reference["approx_randomisation_two"]["p"]
        assert near(result.p_value_two_sided, two_sided), name
