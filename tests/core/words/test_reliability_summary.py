"""The line at the page's top and in the report: on which datasets a verdict depends on a choice."""

from __future__ import annotations

import numpy as np

from core.data import ResultSet
from core.reliability.levels import level_study
from core.reliability.repeated_runs import run_to_run
from core.reliability.sample_size import subsample_significance
from core.words.reliability_choices import (
    LookedAt,
    choices_looked_at,
)
from tests.core.reliability.along import cut_off_study


def outcomes(wins: int, losses: int, n: int = 200) -> dict[str, list[float]]:
    a = [1.0] * wins + [0.0] * losses + [1.0] * (n - wins - losses)
    b = [0.0] * wins + [1.0] * losses + [1.0] * (n - wins - losses)
    return {"A": a, "B": b}


DATA = ResultSet.from_scores(
    {"clear": outcomes(60, 5), "hangs": outcomes(12, 5), "level": outcomes(20, 20)}
)
SIZES = subsample_significance(DATA, a="A", b="B", n_subsamples=200, rng=3)


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
    found = {own.name: own.depending for own in choices_looked_at(looked_at, DATA.datasets)}
    assert found == {"length": ("clear",), "run": ("hangs",)}


def test_levels_count_where_one_test_of_all_levels_has_the_difference_depend_on_them() -> None:
    level = level_study(
        ResultSet.from_scores({"even": outcomes(30, 8), "apart": outcomes(30, 0, 60)}),
        a="A",
        b="B",
        covariate={
            # The same mix on both: the smaller one has p above .05 for its size alone.
            "even": ["small" if i % 10 == 0 else "large" for i in range(200)],
            "apart": ["large"] * 30 + ["small"] * 30,
        },
        name="genre",
    )
    assert level.datasets_that_differ == ("even", "apart")
    (found,) = choices_looked_at(LookedAt(levels=level), ("even", "apart"))
    assert found.depending == level.datasets_that_depend == ("apart",)
