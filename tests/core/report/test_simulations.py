"""Sentences and rows about simulated counts."""

from __future__ import annotations

import pytest
from scipy.stats import binomtest

from core.report.simulations import (
    overcount_sentence,
    rate_row,
    rate_without_effects,
    truth_sentence,
)
from core.simulation import ESTIMATORS, TOY_INDEPENDENT, Block, Scenario, simulate_k_hat


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_the_rate_in_theory_is_the_one_that_is_simulated(estimator: str) -> None:
    for n_datasets, alpha in ((1, 0.05), (7, 0.05), (12, 0.2)):
        simulation = simulate_k_hat(
            Scenario((Block(n_datasets),)), n_repetitions=50_000, alpha=alpha, rng=5
        )
        rate = simulation.overcount(estimator)  # type: ignore[arg-type]
        theory = rate_without_effects(estimator, n_datasets, alpha=alpha)  # type: ignore[arg-type]
        assert binomtest(rate.count, rate.n, theory).pvalue > 1e-4


def test_a_row_has_the_papers_figures_only_for_its_examples() -> None:
    simulation = simulate_k_hat(TOY_INDEPENDENT.scenario, n_repetitions=1_000, rng=0)
    rate = simulation.overcount("count")
    assert rate_row(rate, simulation, TOY_INDEPENDENT)["printed in the paper"] == ".963"
    own = rate_row(rate, simulation, None, independent_nulls=True)
    assert own["in theory"] == ".9941"
    assert "printed in the paper" not in own
    assert "in theory" not in rate_row(rate, simulation, None)


def test_sentences_say_the_truth_the_rate_and_how_far_the_runs_decide() -> None:
    simulation = simulate_k_hat(Scenario((Block(7),)), n_repetitions=20_000, rng=1)
    share = 100.0 * simulation.overcount("count").rate
    assert truth_sentence(simulation) == (
        f"7 datasets without any difference: counting p ≤ .05 claimed too many in {share:.1f}% of "
        "20,000 simulated studies."
    )
    assert overcount_sentence(simulation.overcount("count")).endswith("more often than α allows.")
    mixed = simulate_k_hat(Scenario((Block(3, effect=3.0), Block(4))), n_repetitions=500, rng=1)
    assert truth_sentence(mixed).startswith("7 datasets, A truly better on 3: ")


def test_a_stopped_simulation_says_how_many_repetitions_were_asked_for() -> None:
    stopped = simulate_k_hat(
        Scenario((Block(100),)), n_repetitions=100_000, rng=1, on_progress=lambda done, total: False
    )
    assert truth_sentence(stopped).endswith("(stopped; 100,000 were asked for).")
