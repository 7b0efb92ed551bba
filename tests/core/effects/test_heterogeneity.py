"""Q, τ² and I² against what defines them."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from scipy import stats

from core.effects.heterogeneity import heterogeneity, q_profile, typical_variance
from core.types import FloatArray
from tests.core.effects.cases import effects_and_variances


def q_by_pairs(effects: FloatArray, variances: FloatArray) -> float:
    """Q from differences of pairs, without a mean."""
    w = 1 / variances
    apart = (effects[:, np.newaxis] - effects) ** 2
    return float((np.outer(w, w) * apart).sum() / (2 * w.sum()))


@settings(max_examples=30)
@given(data=effects_and_variances(fewest=3))
def test_at_the_ends_of_the_q_profile_q_is_at_its_quantiles(
    data: tuple[FloatArray, FloatArray],
) -> None:
    effects, variances = data
    assume(np.ptp(effects) > 1e-3)
    low, high = q_profile(effects, variances, confidence_level=0.9)
    df = effects.size - 1
    for end, quantile in ((low, stats.chi2.ppf(0.95, df)), (high, stats.chi2.ppf(0.05, df))):
        if end > 0.0:
            assert q_by_pairs(effects, variances + end) == pytest.approx(quantile, rel=1e-6)
        else:
            assert q_by_pairs(effects, variances) <= quantile * (1 + 1e-9)
    assert 0.0 <= low <= high


@settings(max_examples=30)
@given(data=effects_and_variances(fewest=3))
def test_i2_by_dersimonian_and_laird_is_the_share_of_q_above_its_degrees_of_freedom(
    data: tuple[FloatArray, FloatArray],
) -> None:
    found = heterogeneity(*data, confidence_level=0.95, tau2="dersimonian-laird")
    q = q_by_pairs(*data)
    share = max(0.0, 1.0 - (data[0].size - 1) / q) if q > 0.0 else 0.0
    assert found.i2 == pytest.approx(share, rel=1e-6, abs=1e-6)
    assert 0.0 <= found.i2 <= 1.0


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
@settings(max_examples=30)
@given(data=effects_and_variances())
def test_tau2_and_i2_of_paule_and_mandel_lie_in_their_intervals(
    level: float, data: tuple[FloatArray, FloatArray]
) -> None:
    found = heterogeneity(*data, confidence_level=level)
    for estimate, interval in (
        (found.tau2, found.tau2_interval),
        (found.i2, found.i2_interval),
    ):
        assert interval[0] * (1 - 1e-9) <= estimate <= interval[1] * (1 + 1e-9)
    assert not found.is_outside_interval


def test_the_typical_variance_keeps_its_digits_beside_a_tiny_one() -> None:
    # Of two effects it is their variances' mean.
    for smallest in (1.0, 1e-8, 1e-20, 1e-300):
        assert typical_variance(np.array([smallest, 1.0])) == pytest.approx(
            0.5 * (1.0 + smallest), rel=1e-12
        )


def test_the_p_value_of_q_keeps_its_digits_far_out() -> None:
    found = heterogeneity(np.array([0.0, 30.0]), np.ones(2), confidence_level=0.95)
    assert found.q == pytest.approx(450.0)
    assert found.q_p_value == pytest.approx(stats.chi2.sf(450, 1), rel=1e-10, abs=0)
    assert found.q_p_value > 0.0
