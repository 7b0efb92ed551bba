"""The Gumbel fit against scipy's, against the likelihood, and under change of units."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from core.effects import fit_gumbel

VALUES = st.lists(st.floats(-100, 100), min_size=2, max_size=30)


@pytest.mark.parametrize(("n", "spread"), [(2, 1.0), (3, 1e-6), (10, 1e6), (500, 1.0)])
def test_scipys_fit(n: int, spread: float) -> None:
    values = spread * np.random.default_rng(n).gumbel(2.0, 3.0, size=n)
    location, scale = stats.gumbel_r.fit(values)
    fit = fit_gumbel(values)
    assert fit.location == pytest.approx(location, rel=1e-7, abs=1e-7 * spread)
    assert fit.scale == pytest.approx(scale, rel=1e-7)
    assert fit.mean == pytest.approx(stats.gumbel_r.mean(location, scale), rel=1e-6)
    assert fit.variance == pytest.approx(stats.gumbel_r.var(location, scale), rel=1e-6)


@settings(max_examples=30)
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
