"""The Gumbel fit, and which distributions effects may come from."""

import numpy as np
import pytest
from scipy import stats

from core.effects.distributions import DISTRIBUTIONS, distribution_tests, fit_gumbel
from core.types import FloatArray
from core.validation import names_of

SCIPY = {"normal": stats.norm, "logistic": stats.logistic, "gumbel_r": stats.gumbel_r}


DRAWS = {
    "normal": lambda rng, n: rng.normal(size=n),
    "gumbel": lambda rng, n: rng.gumbel(3, 2, size=n),
    "logistic": lambda rng, n: rng.logistic(-5, 0.1, size=n),
    "exponential": lambda rng, n: rng.exponential(size=n),
}
of_samples = pytest.mark.parametrize(
    "values",
    [
        pytest.param(draw(np.random.default_rng(n), n), id=f"{name}-{n}")
        for n in (5, 25, 200)
        for name, draw in DRAWS.items()
    ],
)


@of_samples
def test_the_statistic_is_that_of_the_fitted_distribution(values: FloatArray) -> None:
    for test in distribution_tests(values):
        fitted = SCIPY[test.distribution.name](test.location, test.scale)
        known = stats.goodness_of_fit(
            SCIPY[test.distribution.name],
            values,
            known_params={"loc": test.location, "scale": test.scale},
            statistic="ad",
            n_mc_samples=1,
            rng=np.random.default_rng(0),
        )
        assert test.statistic == pytest.approx(known.statistic, rel=1e-9)
        assert test.n == values.size
        if test.distribution.name == "normal":
            assert (test.location, test.scale) == pytest.approx((values.mean(), values.std(ddof=1)))
            continue
        # No neighbour is more likely.
        best = fitted.logpdf(values).sum()
        for step in (-1e-3, 1e-3):
            moved = SCIPY[test.distribution.name](test.location + step * test.scale, test.scale)
            wider = SCIPY[test.distribution.name](test.location, test.scale * (1 + step))
            assert best > moved.logpdf(values).sum()
            assert best > wider.logpdf(values).sum()


@of_samples
def test_the_bracket_holds_what_scipy_interpolates(values: FloatArray) -> None:
    names = {"normal": "norm", "logistic": "logistic", "gumbel_r": "gumbel_r"}
    for test in distribution_tests(values):
        known = stats.anderson(values, names[test.distribution.name], method="interpolate")  # type: ignore[call-overload]
        if test.distribution.name == "logistic" and known.statistic > test.statistic + 1e-3:
            # scipy's search for the logistic's parameters ends elsewhere on some samples: its A²
            # is then far larger than that of the most likely ones, which is tested above.
            continue
        # Its critical values are rounded.
        points = [point / test.distribution.factor(test.n) for _, point in test.distribution.points]
        if min(abs(test.statistic - value) for value in points) > 2e-3:
            assert test.p_low <= known.pvalue <= test.p_high


def test_a_p_value_is_bracketed_and_never_exact() -> None:
    x = stats.norm.ppf((np.arange(1, 21) - 0.5) / 20)
    normal, logistic, gumbel = distribution_tests(x)
    assert normal.p_bracket == "p > .15"
    assert normal.is_evidence_against() is False
    assert (logistic.distribution.name, gumbel.distribution.name) == ("logistic", "gumbel_r")
    far = distribution_tests([*x, 40.0])[0]
    assert far.p_bracket == "p < .01"
    assert far.is_evidence_against() is True
    found = {
        test.p_bracket: test
        for seed in range(200)
        for test in distribution_tests(np.random.default_rng(seed).exponential(size=10))
    }
    assert {"p between .025 and .05", "p between .10 and .25"} < set(found)
    # Between levels no answer is given.
    between = found["p between .05 and .10"]
    answers = [between.is_evidence_against(alpha) for alpha in (0.05, 0.08, 0.10)]
    assert answers == [False, None, True]


@pytest.mark.parametrize("name", names_of(DISTRIBUTIONS))
def test_true_distributions_are_rejected_as_often_as_the_level_says(name: str) -> None:
    rng = np.random.default_rng(21)
    place = names_of(DISTRIBUTIONS).index(name)
    draws = np.asarray(SCIPY[name].rvs(size=(300, 15), random_state=rng))
    rejected = sum(bool(distribution_tests(x)[place].is_evidence_against(0.05)) for x in draws)
    assert stats.binomtest(rejected, 300, 0.05).pvalue > 0.001


def test_equal_effects_have_no_distribution_to_test() -> None:
    assert distribution_tests([0.1] * 6) == ()
    assert "8 or more" in distribution_tests([1.0, 2.0, 4.0, 5.0, 9.0])[0].note


@pytest.mark.parametrize(("n", "spread"), [(2, 1.0), (3, 1e-6), (10, 1e6), (500, 1.0)])
def test_scipys_fit(n: int, spread: float) -> None:
    values = spread * np.random.default_rng(n).gumbel(2.0, 3.0, size=n)
    location, scale = stats.gumbel_r.fit(values)
    fit = fit_gumbel(values)
    assert fit.location == pytest.approx(location, rel=1e-7, abs=1e-7 * spread)
    assert fit.scale == pytest.approx(scale, rel=1e-7, abs=0)
    assert fit.mean == pytest.approx(stats.gumbel_r.mean(location, scale), rel=1e-6, abs=0)
    assert fit.variance == pytest.approx(stats.gumbel_r.var(location, scale), rel=1e-6, abs=0)
