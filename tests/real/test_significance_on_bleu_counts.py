"""Sixteen language pairs of WMT22, BLEU from counts of each sentence.

Reference values: expected.json and README.md beside the data, 100,000 resamples each.
"""

from __future__ import annotations

import csv
import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.metrics.registry import STATISTIC_METRICS
from core.significance import run_significance_test
from core.significance.result import SignificanceResult

pytestmark = pytest.mark.real

FOLDER = Path(__file__).resolve().parents[3] / "shared" / "data" / "real" / "r04b_wmt22_bleu_stats"
N_RESAMPLES = 4_999


@cache
def counts() -> dict[str, np.ndarray]:
    """Shape (n, 2, 10) for each pair of languages."""
    columns = [
        f"{system}_{name}" for system in "ab" for name in STATISTIC_METRICS["bleu"].statistics
    ]
    rows: dict[str, list[list[float]]] = {}
    with (FOLDER / "data.csv").open(encoding="utf-8", newline="") as file:
        reader = csv.reader(file)
        header = next(reader)
        places = [header.index(column) for column in columns]
        for row in reader:
            rows.setdefault(row[0], []).append([float(row[place]) for place in places])
    return {name: np.array(found).reshape(-1, 2, 10) for name, found in rows.items()}


@cache
def expected() -> dict[str, Any]:
    text = (FOLDER / "expected.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)["per_dataset"]
    return found


@cache
def results(test: str) -> dict[str, SignificanceResult]:
    return {
        name: run_significance_test(
            rows[:, 0],
            rows[:, 1],
            test=test,  # type: ignore[arg-type]
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
        reference = expected()[name]
        assert result.n_examples == reference["n"]
        assert result.score_a == pytest.approx(reference["bleu_a"], abs=1e-10)
        assert result.score_b == pytest.approx(reference["bleu_b"], abs=1e-10)
        assert result.difference == pytest.approx(reference["delta"], abs=1e-10)


def test_the_bootstrap_lies_as_near_as_it_must() -> None:
    for name, result in results("paired-bootstrap").items():
        assert near(result.p_value, expected()[name]["bootstrap_BK_gt_2delta"]["p"]), name


def test_randomization_lies_as_near_as_it_must_one_and_two_sided() -> None:
    for name, result in results("approximate-randomization").items():
        reference = expected()[name]
        assert near(result.p_value, reference["approx_randomisation_greater"]["p"]), name
        two_sided = reference["approx_randomisation_two"]["p"]
        assert near(result.p_value_two_sided, two_sided), name


def test_each_interval_agrees_with_its_test() -> None:
    for result in results("paired-bootstrap").values():
        assert result.confidence_interval is not None
        low, high = result.confidence_interval
        assert low < result.difference < high
        assert (low > 0.0) == (result.p_value <= 0.025)
        assert (high < 0.0) == (result.p_value_less <= 0.025)
