"""What is said of decisions that hang on resamples."""

from __future__ import annotations

import numpy as np

from core.replicability.identification import identify_datasets
from core.replicability.sensitivity import find_unsettled
from core.significance import SignificanceResult, run_significance_test
from core.words.testing import unsettled_sentences

RNG = np.random.default_rng(0)
RESAMPLED = run_significance_test(
    RNG.normal(size=40), RNG.normal(size=40), test="paired-bootstrap", n_resamples=199, rng=0
)
EXACT = run_significance_test([1, 0, 1], [0, 0, 1], test="mcnemar")


def told(
    p_values: list[float],
    low: list[float],
    high: list[float],
    *,
    alpha: float = 0.05,
    procedure: str = "holm",
    exact: tuple[int, ...] = (),
) -> tuple[str, ...]:
    results: list[SignificanceResult | None] = [
        EXACT if i in exact else RESAMPLED for i in range(len(p_values))
    ]
    found = find_unsettled(low, high, alpha=alpha, procedure=procedure)
    names = identify_datasets(p_values, alpha=alpha, procedure=procedure)
    return unsettled_sentences(found, names, results, [f"d{i}" for i in range(len(p_values))])


def test_nothing_is_said_where_all_is_settled() -> None:
    assert told([0.2, 0.001], [0.15, 0.0005], [0.25, 0.002]) == ()


def test_a_p_value_near_the_level_that_no_procedure_could_name_leaves_only_its_own_comparison() -> (
    None
):
    n = 20
    p_values = [0.052] + [0.9] * (n - 1)
    (sentence,) = told(p_values, [0.045, *p_values[1:]], [0.06, *p_values[1:]])
    assert "d0" in sentence
