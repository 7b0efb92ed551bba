"""The Gumbel fit against scipy's, against the likelihood, and under change of units."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from core.effects import fit_gumbel

VALUES = st.lists(st.floats(-100, 100), min_size=2, max_size=30)


@pytest.mark.parametrize("n", [2, 3, 10, 500])
@pytest.mark.parametrize("spread", [1e-6, 1.0, 1e6])
def test_scipys_fit(n: int, spread: float) -> None:
    values = spread * np.random.default_rng(n).gumbel(2.0, 3.0, size=n)
    location, scale = stats.gumbel_r.fit(values)
    fit = fit_gumbel(values)
    assert fit.location == pytest.approx(location, rel=1e-7, abs=1e-7 * spread)
    assert fit.scale == pytest.approx(scale, rel=1e-7)
    assert fit.mean == pytest.approx(stats.gumbel_r.mean(location, scale), rel=1e-6)
    assert fit.variance == pytest.approx(stats.gumbel_r.var(location, scale), rel=1e-6)


@settings(max_examples=60)
@given(values=VALUES)
def test_no_neighbour_is_more_likely(values: list[float]) -> None:
    x = np.round(values, 4)
    assume(np.ptp(x) > 0.01)
    fit = fit_gumbel(x)

    def likelihood(location: float, scale: float) -> float:
        return float(stats.gumbel_r.logpdf(x, location, scale).sum())

    best = likelihood(fit.location, fit.scale)
    for step in (-1e-3, 1e-3):
        assert best >= likelihood(fit.location + step * fit.scale, fit.scale)
        assert best >= likelihood(fit.location, fit.scale * (1 + step))


@settings(max_examples=60)
@given(values=VALUES, shift=st.floats(-1e3, 1e3), factor=st.floats(1e-3, 1e3))
def test_location_and_scale_go_with_the_values(
    values: list[float], shift: float, factor: float
) -> None:
    x = np.round(values, 4)
    assume(np.ptp(x) > 0.01)
    one, other = fit_gumbel(x), fit_gumbel(shift + factor * x)
    size = abs(shift) + 100 * factor
    assert other.location == pytest.approx(shift + factor * one.location, abs=1e-8 * size)
    assert other.scale == pytest.approx(factor * one.scale, rel=1e-5, abs=1e-8 * size)


def test_one_far_value_among_many_is_fitted() -> None:
    values = np.array([0.0] * 99 + [1e6])
    fit = fit_gumbel(values)
    assert np.isfinite([fit.location, fit.scale]).all()
    assert fit.scale > 0.0


def test_equal_values_have_no_scale() -> None:
    fit = fit_gumbel([0.1] * 4)
    assert (fit.location, fit.scale, fit.mean) == (0.1, 0.0, 0.1)


def test_what_is_no_number_is_named() -> None:
    with pytest.raises(ValueError, match="`values` must be finite; got nan at index 1"):
        fit_gumbel([1.0, np.nan])
