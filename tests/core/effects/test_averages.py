"""Macro- and micro-average, and their intervals."""

import numpy as np
import pytest
from scipy import stats

from core.effects import macro_average, micro_average


def test_the_macro_average_is_scipys_one_sample_t() -> None:
    effects = [0.02, 0.05, -0.01, 0.03, 0.08]
    test = stats.ttest_1samp(effects, 0.0)
    expected = test.confidence_interval(0.9)
    average = macro_average(effects, confidence_level=0.9)
    assert average.estimate == pytest.approx(0.034)
    assert average.confidence_interval == pytest.approx((expected.low, expected.high))
    assert average.weights == pytest.approx(np.full(5, 0.2))


def test_the_macro_average_of_one_dataset_has_no_interval() -> None:
    average = macro_average([0.3])
    assert average.estimate == 0.3
    assert average.variance is None
    assert average.standard_error is None
    assert average.confidence_interval is None


def test_the_macro_average_of_equal_effects_has_no_spread() -> None:
    average = macro_average([0.1] * 3)
    assert average.estimate == 0.1
    assert average.confidence_interval == (0.1, 0.1)


def test_the_micro_average_is_the_difference_over_all_examples() -> None:
    rng = np.random.default_rng(5)
    parts = [rng.normal(size=n) for n in (3, 40, 200)]
    effects = [part.mean() for part in parts]
    within = [part.var(ddof=1) / part.size for part in parts]
    average = micro_average(effects, [3, 40, 200], within)
    assert average.estimate == pytest.approx(np.concatenate(parts).mean())
    # Stratified: the sum of what each part's sum varies, over all examples.
    variance = sum(part.size * part.var(ddof=1) for part in parts) / 243**2
    assert average.variance == pytest.approx(variance)
    low, high = stats.norm.interval(0.95, average.estimate, np.sqrt(variance))
    assert average.confidence_interval == pytest.approx((low, high))


def test_without_variances_the_micro_average_has_no_interval() -> None:
    average = micro_average([0.1, 0.4], [1, 3])
    assert average.estimate == pytest.approx(0.325)
    assert average.confidence_interval is None
    assert micro_average([0.1, 0.4], [1, 3], [0.0, 0.0]).confidence_interval is not None


@pytest.mark.parametrize("sizes", [[1], [1, 0], [1, 2.5], [1, np.nan]])
def test_sizes_are_whole_and_as_many_as_effects(sizes: list[float]) -> None:
    with pytest.raises(ValueError, match="`n_examples` must"):
        micro_average([0.1, 0.4], sizes)
