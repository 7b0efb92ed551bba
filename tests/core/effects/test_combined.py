"""Averages, and every way of combining effects side by side."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.meta_analysis import combine_effects as statsmodels_combined

from core.effects.dataset_effects import DatasetEffects, combine_effects
from tests.core.effects.cases import V, Y

SIZES = (100, 200, 300, 400, 500)


def made(effects=Y, variances=V, sizes=SIZES) -> DatasetEffects:
    return DatasetEffects(
        datasets=tuple(f"d{i}" for i in range(len(effects))),
        effects=np.array(effects),
        variances=None if variances is None else np.array(variances),
        n_examples=None if sizes is None else np.array(sizes),
        effect="difference",
        variance_methods=("given",) * len(effects),
    )


def test_all_ways_of_weighing_are_there_and_agree_with_statsmodels() -> None:
    found = combine_effects(made(), tau2="dersimonian-laird")
    assert found.gumbel is not None
    other = statsmodels_combined(np.array(Y), np.array(V), method_re="dl")
    assert found.fixed.estimate == pytest.approx(other.mean_effect_fe, rel=1e-12)
    assert found.random.estimate == pytest.approx(other.mean_effect_re, rel=1e-12)


def test_a_dataset_without_variance_within_is_averaged_and_not_weighed() -> None:
    found = combine_effects(made(variances=(0.0004, 0.0, 0.0003, 0.001, 0.002)))
    assert found.weighed == (0, 2, 3, 4)
    assert [one.dataset for one in found.not_weighed] == ["d1"]
    assert found.random.n_datasets == 4


def test_without_variances_there_are_averages_alone() -> None:
    found = combine_effects(made(variances=None))
    assert found.random is None
    assert found.fixed is None
    assert found.gumbel is None
    assert len(found.not_weighed) == 5
    assert found.micro.confidence_interval is None
    level = combine_effects(made((0.1, 0.4), (0.0, 0.0), (1, 3)))
    assert level.micro.confidence_interval is not None


def test_two_datasets_have_no_gumbel_fit_and_one_has_a_random_effect_that_is_its_own() -> None:
    assert combine_effects(made((0.1, 0.2), (0.01, 0.02), (10, 20))).gumbel is None
    assert combine_effects(made((0.1, 0.2, 0.4), (0.01, 0.02, 0.01), (10, 20, 9))).gumbel
    single = combine_effects(made((0.1,), (0.01,), (10,)))
    assert single.random.estimate == 0.1
    assert (single.front, single.front_interval) == ("macro-average", single.random.interval)


@pytest.mark.parametrize(("n_datasets", "enough"), [(5, 20), (12, 24)])
def test_weights_are_trusted_from_so_many_differing_examples_on(
    n_datasets: int, enough: int
) -> None:
    effects, variances = np.linspace(0.0, 0.1, n_datasets), np.full(n_datasets, 1e-4)
    data = made(tuple(effects), tuple(variances), (500,) * n_datasets)
    for n, front in ((enough - 1, "macro-average"), (enough, "random")):
        found = combine_effects(replace(data, n_differing=(n,) * n_datasets))
        assert found.front == front, n


def test_the_macro_average_is_scipys_one_sample_t() -> None:
    test = stats.ttest_1samp(Y, 0.0)
    expected = test.confidence_interval(0.9)
    average = combine_effects(made(), confidence_level=0.9).macro
    assert average.estimate == pytest.approx(0.034)
    assert average.confidence_interval == pytest.approx((expected.low, expected.high))


def test_the_micro_average_is_the_difference_over_all_examples() -> None:
    rng = np.random.default_rng(5)
    parts = [rng.normal(size=n) for n in (3, 40, 200)]
    effects = [part.mean() for part in parts]
    within = [part.var(ddof=1) / part.size for part in parts]
    average = combine_effects(made(effects, within, (3, 40, 200))).micro
    assert average.estimate == pytest.approx(np.concatenate(parts).mean())
    # Stratified: the sum of what each part's sum varies, over all examples.
    variance = sum(part.size * part.var(ddof=1) for part in parts) / 243**2
    low, high = stats.norm.interval(0.95, average.estimate, np.sqrt(variance))
    assert average.confidence_interval == pytest.approx((low, high))
