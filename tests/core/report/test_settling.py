"""What is said of decisions that hang on resamples."""

from __future__ import annotations

import numpy as np

from core.replicability.identification import identify_datasets
from core.replicability.unsettled import find_unsettled
from core.report.settling import unsettled_sentences
from core.significance import SignificanceResult, run_significance_test
from core.types import Procedure

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
    procedure: Procedure = "holm",
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


def test_a_mark_whose_interval_holds_the_level_is_not_settled() -> None:
    assert told([0.0487], [0.043], [0.054]) == (
        "d0: p = .0487 with 199 resamples; its Monte Carlo interval holds .05, so the mark is not "
        "settled.",
        "The count is not settled: more resamples may give from 0 to 1.",
    )


def test_a_p_value_near_the_level_that_no_procedure_could_name_leaves_only_its_own_comparison() -> (
    None
):
    n = 20
    p_values = [0.052] + [0.9] * (n - 1)
    assert told(p_values, [0.045, *p_values[1:]], [0.06, *p_values[1:]]) == (
        "d0: p = .052 with 199 resamples; its Monte Carlo interval holds .05, so whether p ≤ .05 "
        "is not settled.",
    )


def test_a_mark_away_from_the_level_may_hang_on_a_step_of_the_procedure() -> None:
    sentences = told([0.025, 0.9], [0.02, 0.9], [0.03, 0.9])
    assert sentences[0] == "d0: p = .025 with 199 resamples; whether Holm names it is not settled."


def test_an_exact_mark_that_hangs_on_another_datasets_resamples_is_told() -> None:
    sentences = told(
        [0.01, 0.4], [0.01, 0.3], [0.01, 0.5], alpha=0.025, procedure="fisher-closed", exact=(0,)
    )
    assert sentences == (
        "Whether the closed Fisher test names d0 is not settled: it hangs on the resamples of other "
        "datasets.",
    )


def test_marks_that_are_open_alike_are_told_together() -> None:
    n = 3
    sentences = told([0.048] * n, [0.04] * n, [0.06] * n, procedure="benjamini-hochberg")
    assert sentences[0] == (
        "d0, d1 and d2: with 199 resamples, each p-value's Monte Carlo interval holds .05, so "
        "their marks are not settled."
    )
    steps = told([0.05 / n] * n, [0.04 / n] * n, [0.06 / n] * n)
    assert steps[0] == (
        "d0, d1 and d2: with 199 resamples, whether Holm names them is not settled."
    )
