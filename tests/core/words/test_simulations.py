"""Chances in theory are those that are simulated."""

from __future__ import annotations

import pytest
from scipy.stats import binomtest

from core.simulation import Block, Scenario, estimator_names, simulate_k_hat
from core.words.simulation import rate_without_effects


@pytest.mark.parametrize("estimator", estimator_names())
def test_the_rate_in_theory_is_the_one_that_is_simulated(estimator: str) -> None:
    for n_datasets, alpha in ((1, 0.05), (7, 0.05), (12, 0.2)):
        simulation = simulate_k_hat(
            Scenario((Block(n_datasets),)), n_repetitions=50_000, alpha=alpha, rng=5
        )
        rate = simulation.overcount(estimator)
        theory = rate_without_effects(estimator, n_datasets, alpha=alpha)
        assert binomtest(rate.count, rate.n, theory).pvalue > 1e-4
