"""How often 95% intervals hold the truth, judged by exact binomial tests.

`SMALLEST_P_VALUE` is the level of each of them.
"""

from functools import cache

import numpy as np
import pytest
from scipy.stats import binomtest

from core.effects.dataset_effects import CombinedEffects, DatasetEffects, combine_effects
from core.effects.meta_analysis import meta_analysis
from core.types import FloatArray
from tests.calibration.effects import PROMISED, covered, variances_of

SMALLEST_P_VALUE = 0.001
N = 500
# Of those that are combined in every way, or whose intervals take longest.
N_SLOW = 250
VARIANCES = np.array([0.01, 0.02, 0.005, 0.04, 0.015, 0.01, 0.03, 0.02])
TRUTH = 0.07


def effects(tau2: float, seed: int) -> FloatArray:
    rng = np.random.default_rng(seed)
    return rng.normal(TRUTH, np.sqrt(VARIANCES + tau2), size=(N, VARIANCES.size))


def held(interval: tuple[float, float] | None, truth: float = TRUTH) -> bool:
    return interval[0] <= truth <= interval[1]


def agrees(number: int, rate: float = 0.95) -> bool:
    return bool(binomtest(number, N, rate).pvalue >= SMALLEST_P_VALUE)


def test_the_fixed_interval_covers_where_one_effect_is_true() -> None:
    found = [meta_analysis(y, VARIANCES, model="fixed") for y in effects(0.0, 1)]
    assert agrees(sum(held(one.confidence_interval) for one in found))


def test_under_heterogeneity_hartung_knapp_covers_and_the_normal_interval_falls_short() -> None:
    found = [meta_analysis(y, VARIANCES) for y in effects(0.02, 2)]
    assert agrees(sum(held(one.hartung_knapp_interval) for one in found))
    normal = sum(held(one.confidence_interval) for one in found)
    assert binomtest(normal, N, 0.95, alternative="less").pvalue < SMALLEST_P_VALUE


def test_the_q_profile_interval_covers_tau2() -> None:
    found = [meta_analysis(y, VARIANCES) for y in effects(0.02, 3)]
    assert agrees(sum(held(one.tau2_interval, 0.02) for one in found))


def test_q_rejects_one_effect_as_often_as_alpha_says() -> None:
    found = [meta_analysis(y, VARIANCES, model="fixed") for y in effects(0.0, 4)]
    assert agrees(sum(one.q_p_value <= 0.05 for one in found), 0.05)


@pytest.mark.parametrize(
    ("n_datasets", "kind", "n"), [(12, "hundredfold", N), (30, "equal", N_SLOW)]
)
def test_the_interval_for_a_new_dataset_reaches_its_level_where_that_of_higgins_falls_short(
    n_datasets: int, kind: str, n: int
) -> None:
    # The latter takes the estimated τ² as known (Partlett and Riley, Statistics in Medicine 2017).
    found = covered(variances_of(kind, n_datasets), 0.3, n_repetitions=n, seed=6)
    assert binomtest(found.new, n, PROMISED, alternative="less").pvalue >= SMALLEST_P_VALUE
    assert binomtest(found.higgins, n, 0.9, alternative="less").pvalue < SMALLEST_P_VALUE


def test_the_interval_for_a_new_dataset_is_not_far_too_wide_where_tau2_is_large() -> None:
    for n_datasets in (3, 8):
        found = covered(variances_of("equal", n_datasets), 30.0, n_repetitions=N_SLOW, seed=7)
        assert binomtest(found.new, N_SLOW, 0.95).pvalue >= SMALLEST_P_VALUE, n_datasets


def drawn_accuracies(
    n: int, for_a: float, for_b: float, *, n_datasets: int, seed: int
) -> DatasetEffects:
    """Differences of accuracies on examples of which few are right for one system alone."""
    rng = np.random.default_rng(seed)
    won = rng.binomial(n, for_a, size=n_datasets)
    lost = rng.binomial(n - won, for_b / (1.0 - for_a))
    effects = (won - lost) / n
    closed = "closed-form"
    return DatasetEffects(
        datasets=tuple(f"d{i}" for i in range(n_datasets)),
        effects=effects,
        variances=((won + lost) / n - effects**2) / (n - 1),
        n_examples=np.full(n_datasets, n),
        effect="difference",
        variance_methods=(closed,) * n_datasets,
        n_differing=tuple((won + lost).tolist()),
    )


@cache
def combined_accuracies(
    n: int, for_a: float, for_b: float, n_datasets: int
) -> tuple[CombinedEffects, ...]:
    return tuple(
        combine_effects(drawn_accuracies(n, for_a, for_b, n_datasets=n_datasets, seed=seed))
        for seed in range(N_SLOW)
    )


@pytest.mark.parametrize(("n", "n_datasets"), [(100, 20), (500, 50)])
def test_the_answer_covers_where_few_examples_differ(n: int, n_datasets: int) -> None:
    found = combined_accuracies(n, 0.04, 0.01, n_datasets)
    covered = sum(held(one.front_interval, 0.03) for one in found)
    # The answer may be wider than it says, as where the normal interval is the wider one.
    assert binomtest(covered, N_SLOW, 0.95, alternative="less").pvalue >= SMALLEST_P_VALUE


def test_weights_of_1_over_variance_do_not_where_few_examples_differ() -> None:
    found = combined_accuracies(100, 0.04, 0.01, 20)
    covered = sum(held(one.random.interval, 0.03) for one in found if one.random is not None)
    assert binomtest(covered, N_SLOW, 0.95, alternative="less").pvalue < SMALLEST_P_VALUE
    assert {one.front for one in found} == {"macro-average"}
