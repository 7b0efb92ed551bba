"""The line at the page's top and in the report: on which datasets a verdict hangs on a choice."""

from __future__ import annotations

import numpy as np

from core.data import ResultSet
from core.reliability.covariates import cut_off_study
from core.reliability.metrics import metric_study
from core.reliability.repeated_runs import run_to_run
from core.reliability.sample_size import subsample_significance
from core.report.reliability_summary import (
    LookedAt,
    dependences,
    not_yet_line,
    summary_sentence,
)


def outcomes(wins: int, losses: int, n: int = 200) -> dict[str, list[float]]:
    a = [1.0] * wins + [0.0] * losses + [1.0] * (n - wins - losses)
    b = [0.0] * wins + [1.0] * losses + [1.0] * (n - wins - losses)
    return {"A": a, "B": b}


DATA = ResultSet.from_scores(
    {"clear": outcomes(60, 5), "hangs": outcomes(12, 5), "level": outcomes(20, 20)}
)
METRICS = metric_study(DATA, a="A", b="B", tests=["mcnemar", "mcnemar-mid-p"])
SIZES = subsample_significance(DATA, a="A", b="B", n_subsamples=200, rng=3)


def test_nothing_looked_at_is_no_sentence() -> None:
    assert summary_sentence(LookedAt(), DATA.datasets, alpha=0.05) == ""


def test_the_sentence_counts_each_dataset_once_and_names_it_under_every_choice() -> None:
    looked_at = LookedAt(metrics=METRICS, sizes=SIZES)
    assert SIZES.marked("vanishes") == ("hangs",)
    assert summary_sentence(looked_at, DATA.datasets, alpha=0.05) == (
        "Whether p ≤ .05 depends on a choice on 1 of 3 datasets: on the metric or test: hangs; on "
        "the number of examples: hangs."
    )


def test_datasets_left_out_are_not_counted() -> None:
    sentence = summary_sentence(LookedAt(metrics=METRICS), ("clear", "level"), alpha=0.05)
    assert sentence == (
        "Whether p ≤ .05 depends on no choice that was looked at, on any of 2 datasets. Looked at: "
        "metric or test."
    )


def test_choices_without_effect_are_named_as_looked_at() -> None:
    strict = LookedAt(metrics=METRICS, sizes=SIZES.at(0.0001))
    assert "Also looked at: number of examples." in summary_sentence(
        strict, DATA.datasets, alpha=0.05
    )


def test_a_covariate_counts_where_the_difference_depends_on_it_and_runs_where_pairs_disagree() -> (
    None
):
    rng = np.random.default_rng(1)
    length = np.tile(np.arange(1.0, 41.0), 5)

    def along(shift: np.ndarray) -> object:
        return cut_off_study(
            rng.normal(shift, 1.0),
            np.zeros(length.size),
            length,
            test="paired-t",
            n_random=99,
            name="length",
        )

    planted = along(np.where(length <= 20, 2.0, 0.0))
    # Small parts of a weak, even difference have p above .05: that alone is no dependence.
    weak = along(np.full(length.size, 0.3))
    base = rng.normal(0.0, 1.0, 80)
    a = np.column_stack([base + shift + rng.normal(0.0, 0.5, 80) for shift in (0.6, -0.5)])
    b = np.column_stack([base + rng.normal(0.0, 0.5, 80) for _ in range(2)])
    runs = run_to_run(a, b, test="paired-t", n_resamples=99)
    looked_at = LookedAt(cut_offs={"clear": planted, "level": weak}, runs={"hangs": runs})  # type: ignore[dict-item]
    assert dependences(looked_at) == {"length": ("clear",), "run": ("hangs",)}
    assert "on 2 of 3 datasets" in summary_sentence(looked_at, DATA.datasets, alpha=0.05)


def test_open_questions_are_those_that_the_data_allow() -> None:
    assert not_yet_line(LookedAt(metrics=METRICS), covariates=False, runs=False) == (
        "Not looked at yet: the number of examples."
    )
    assert "covariates; repeated runs" in not_yet_line(LookedAt(), covariates=True, runs=True)
    both = LookedAt(metrics=METRICS, sizes=SIZES)
    assert not_yet_line(both, covariates=False, runs=False) == ""
