"""Meta-analyses against metafor and statsmodels, and what must hold of any of them."""

import math

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.linalg import helmert
from statsmodels.stats.meta_analysis import _fit_tau_iterative as statsmodels_paule_mandel
from statsmodels.stats.meta_analysis import combine_effects

from core.effects.heterogeneity import TAU2_ESTIMATORS
from core.effects.meta_analysis import (
    ALL_EQUAL,
    EMPTY_PROFILE,
    NARROWER,
    ONE_DATASET,
    OUTSIDE_PROFILE,
    MetaAnalysis,
    meta_analysis,
)
from core.types import FloatArray
from core.validation import names_of
from tests.core.effects.cases import LOG_RISK_RATIOS, VARIANCES, V, Y, effects_and_variances


def test_fixed_and_random_effects_against_metafor() -> None:
    fixed = meta_analysis(Y, V, model="fixed")
    assert fixed.estimate == pytest.approx(0.0168421, abs=5e-8)
    assert fixed.q == pytest.approx(5.8158, abs=5e-5)
    assert fixed.hartung_knapp_interval is fixed.prediction_interval is None
    random = meta_analysis(Y, V, tau2="dersimonian-laird")
    assert random.model == "random"
    assert random.estimate == pytest.approx(0.0216881, abs=5e-8)
    assert random.tau2 == pytest.approx(0.00029795, abs=5e-9)


@settings(max_examples=25)
@given(data=effects_and_variances(fewest=2))
def test_paule_and_mandel_is_that_of_statsmodels(data: tuple[FloatArray, FloatArray]) -> None:
    effects, variances = data
    # Newton's steps from the left, ended here before a rounding takes one beyond the root, which
    # it reads as a τ² of 0.
    known, _ = statsmodels_paule_mandel(effects, variances, atol=1e-6, maxiter=2000)
    result = meta_analysis(effects, variances)
    room = 1e-5 * (known + float(variances.max()))
    assert result.tau2 == pytest.approx(known, abs=room)


@settings(max_examples=25)
@given(data=effects_and_variances(fewest=2, most=8))
def test_no_tau2_has_a_larger_restricted_likelihood_than_reml(
    data: tuple[FloatArray, FloatArray],
) -> None:
    effects, variances = data
    # The density of M − 1 contrasts, which have mean 0 whatever the effect is.
    contrasts = helmert(effects.size)
    best = meta_analysis(effects, variances, tau2="reml").tau2

    def likelihood(tau2: float) -> float:
        spread = contrasts @ np.diag(variances + tau2) @ contrasts.T
        zeros = np.zeros(effects.size - 1)
        return float(stats.multivariate_normal.logpdf(contrasts @ effects, zeros, spread))

    others = (0.0, *np.geomspace(1e-8, 1e3, 80), 0.999 * best, 1.001 * best)
    assert likelihood(best) >= max(likelihood(other) for other in others) - 1e-6


def test_the_bcg_trials_against_metafor() -> None:
    # The digits that metafor prints. Its search for Paule and Mandel's τ² stops at a coarse
    # tolerance; the empirical Bayes estimate is the same root, and prints .3181 too.
    printed = {"dersimonian-laird": 0.3088, "reml": 0.3132, "paule-mandel": 0.3181}
    found = {
        method: meta_analysis(LOG_RISK_RATIOS, VARIANCES, tau2=method)
        for method in names_of(TAU2_ESTIMATORS)
    }
    assert {method: round(one.tau2, 4) for method, one in found.items()} == printed
    moments = found["dersimonian-laird"]
    assert moments.estimate == pytest.approx(-0.7141, abs=5e-5)
    assert moments.standard_error == pytest.approx(0.1787, abs=5e-5)
    assert 100 * moments.i2 == pytest.approx(92.12, abs=5e-3)
    assert moments.q == pytest.approx(152.2330, abs=5e-5)
    # `confint`, whose root finder stops at a tolerance of .0001, for each estimator the same.
    for one in found.values():
        assert one.tau2_interval == pytest.approx((0.1197, 1.1115), abs=5e-5)
    assert 100 * np.array(moments.i2_interval) == pytest.approx([81.9177, 97.6781], abs=5e-3)


@pytest.mark.parametrize("level", [0.8, 0.99])
@settings(max_examples=25)
@given(data=effects_and_variances(fewest=3))
def test_everything_that_statsmodels_computes(
    level: float, data: tuple[FloatArray, FloatArray]
) -> None:
    effects, variances = data
    mean = np.average(effects, weights=1 / variances)
    # It does not cut a negative τ² at 0, and takes roots of negative numbers then.
    assume(float(((effects - mean) ** 2 / variances).sum()) >= effects.size - 1)
    known = combine_effects(effects, variances, method_re="chi2", alpha=1 - level)
    fixed = meta_analysis(effects, variances, model="fixed", confidence_level=level)
    random = meta_analysis(effects, variances, confidence_level=level, tau2="dersimonian-laird")
    scale = float(np.abs(effects).max())
    assert fixed.estimate == pytest.approx(known.mean_effect_fe, rel=1e-8, abs=1e-8 * scale)
    assert fixed.standard_error == pytest.approx(known.sd_eff_w_fe, rel=1e-9)
    assert fixed.weights * variances == pytest.approx(fixed.standard_error**2)
    assert random.q == pytest.approx(known.q, rel=1e-6)
    ends = known.conf_int(alpha=1 - level)
    assert fixed.confidence_interval == pytest.approx(tuple(ends[0]), rel=1e-6, abs=1e-6 * scale)
    assert random.tau2_untruncated == pytest.approx(known.tau2, rel=1e-6, abs=1e-9)
    assert random.estimate == pytest.approx(known.mean_effect_re, rel=1e-6, abs=1e-6 * scale)
    assert random.confidence_interval == pytest.approx(tuple(ends[1]), rel=1e-5, abs=1e-5 * scale)
    known_hk = known.mean_effect_re + np.array([-1, 1]) * stats.t.isf(
        (1 - level) / 2, effects.size - 1
    ) * known.sd_eff_w_re * math.sqrt(known.scale_hksj_re)
    assert random.hartung_knapp_interval == pytest.approx(
        tuple(known_hk), rel=1e-5, abs=1e-5 * scale
    )


def test_fixed_is_random_where_tau2_is_cut_at_0() -> None:
    effects, variances = [0.1, 0.11, 0.09, 0.1], [0.01, 0.02, 0.03, 0.01]
    random, fixed = (meta_analysis(effects, variances, model=m) for m in ("random", "fixed"))
    moment = meta_analysis(effects, variances, tau2="dersimonian-laird")
    assert random.tau2 == moment.tau2 == 0.0
    assert moment.tau2_untruncated < 0.0
    assert random.i2 == 0.0
    assert random.estimate == fixed.estimate
    assert random.variance == fixed.variance
    assert random.confidence_interval == fixed.confidence_interval
    assert random.is_hartung_knapp_below_one
    assert NARROWER in random.notes
    # Untruncated: narrower than the normal one, in spite of the wider quantile.
    assert np.ptp(random.hartung_knapp_interval) < np.ptp(random.confidence_interval)
    # What is stated is the wider interval, and the p-value that goes with it.
    assert random.interval == random.confidence_interval
    assert random.hartung_knapp_p_value < random.p_value == random.p_value_two_sided


@settings(max_examples=25)
@given(data=effects_and_variances())
def test_with_paule_and_mandel_the_factor_is_1_or_tau2_is_0(
    data: tuple[FloatArray, FloatArray],
) -> None:
    result = meta_analysis(*data)
    if result.tau2 > 0.0:
        assert result.hartung_knapp_factor == 1.0
        assert not result.is_hartung_knapp_below_one
        assert NARROWER not in result.notes
        assert result.interval == result.hartung_knapp_interval
    else:
        assert result.hartung_knapp_factor <= 1.0


@pytest.mark.parametrize("method", names_of(TAU2_ESTIMATORS))
@settings(max_examples=25)
@given(data=effects_and_variances())
def test_the_p_value_is_at_most_alpha_where_the_interval_excludes_0(
    method: str, data: tuple[FloatArray, FloatArray]
) -> None:
    result = meta_analysis(*data, tau2=method)
    low, high = result.interval
    assume(abs(result.p_value - 0.05) > 1e-6)
    assert (result.p_value <= 0.05) == (low > 0.0 or high < 0.0)
    assert high - low >= np.ptp(result.confidence_interval) * (1 - 1e-12)


@pytest.mark.parametrize("method", names_of(TAU2_ESTIMATORS))
@settings(max_examples=25)
@given(data=effects_and_variances(), power=st.integers(-120, 120))
def test_tau2_follows_the_unit_of_the_effects(
    method: str, data: tuple[FloatArray, FloatArray], power: int
) -> None:
    effects, variances = data
    one = meta_analysis(effects, variances, tau2=method)
    # Variances from 1e-246 to 1e243.
    factor = 10.0**power
    other = meta_analysis(factor * effects, factor**2 * variances, tau2=method)
    smallest = float(variances.min())
    assert other.tau2 / factor**2 == pytest.approx(one.tau2, rel=1e-6, abs=1e-6 * smallest)
    assert other.i2 == pytest.approx(one.i2, rel=1e-6, abs=1e-6)
    if one.new_dataset_interval is not None:
        room = 1e-6 * float(np.ptp(one.new_dataset_interval))
        scaled = np.array(other.new_dataset_interval) / factor
        assert scaled == pytest.approx(one.new_dataset_interval, abs=room)


@pytest.mark.parametrize("method", names_of(TAU2_ESTIMATORS))
@settings(max_examples=12)
@given(
    effects=st.lists(st.floats(-1e150, 1e150), min_size=2, max_size=6),
    powers=st.lists(st.floats(-307, 307), min_size=6, max_size=6),
)
# Of a variance near the largest number, v + τ² is one only where τ² is small.
@example(effects=[0.0, 2.33e147, 2.33e147], powers=[306.0] + [0.0] * 5)
def test_sizes_of_every_kind_have_a_finite_answer_or_are_refused(
    method: str, effects: list[float], powers: list[float]
) -> None:
    variances = 10.0 ** np.array(powers[: len(effects)])

    def analysed() -> tuple[MetaAnalysis, tuple[float, ...]]:
        result = meta_analysis(effects, variances, tau2=method)
        return result, result.new_dataset_interval or ()

    try:
        result, prediction = analysed()
    except ValueError:
        with pytest.raises(ValueError, match="too large for a number"):
            analysed()
        return
    numbers = (result.estimate, result.tau2, result.i2, *result.tau2_interval, *prediction)
    assert np.isfinite(numbers).all()
    assert result.tau2 >= 0.0


def test_the_gumbel_model_is_scipys_fit_to_weighted_effects() -> None:
    weights = 1 / np.array(V)
    location, scale = stats.gumbel_r.fit(weights * np.array(Y))
    result = meta_analysis(Y, V, model="gumbel")
    assert result.weights == pytest.approx(weights / weights.sum())
    assert result.gumbel.location == pytest.approx(location, rel=1e-6)
    assert result.gumbel.scale == pytest.approx(scale, rel=1e-6)
    mean = stats.gumbel_r.mean(location, scale)
    assert result.estimate == pytest.approx(mean / weights.mean(), rel=1e-6)
    of_one = stats.gumbel_r.var(location, scale)
    assert result.variance == pytest.approx(of_one / 5 / weights.mean() ** 2, rel=1e-6)
    # What the paper prints is that of one weighted effect, in other units.
    assert result.paper_variance == pytest.approx(of_one, rel=1e-6)


@pytest.mark.parametrize("model", ["fixed", "random"])
def test_one_dataset_is_itself(model: str) -> None:
    result = meta_analysis([0.03], [0.0004], model=model)
    assert result.estimate == 0.03
    assert result.variance == 0.0004
    assert result.confidence_interval == pytest.approx((-0.0091993, 0.0691993), abs=1e-6)
    assert (result.q, result.q_p_value, result.tau2, result.i2) == (0.0, 1.0, 0.0, 0.0)
    assert result.tau2_interval is None
    assert result.hartung_knapp_interval is None
    assert result.prediction_interval is None
    assert result.notes == (ONE_DATASET,)


def test_the_new_dataset_interval_of_certain_effects_is_the_classical_one() -> None:
    # With effects that are known without error: t with M − 1 degrees of freedom, the interval
    # that holds one more value of a normal sample.
    effects = np.array([0.3, -0.2, 1.4, 0.9, 0.1, 0.6])
    n = effects.size
    half = stats.t.isf(0.025, n - 1) * effects.std(ddof=1) * math.sqrt(1 + 1 / n)
    known = (effects.mean() - half, effects.mean() + half)
    for method in names_of(TAU2_ESTIMATORS):
        result = meta_analysis(effects, np.full(n, 1e-12), tau2=method)
        assert result.new_dataset_interval == pytest.approx(known, abs=1e-6)


def test_the_new_dataset_interval_is_that_of_draws_from_its_definition() -> None:
    # A chi-squared Q, the τ² that has it by bisection, a new effect around the mean.
    rng = np.random.default_rng(20)
    effects, variances = LOG_RISK_RATIOS[:5], VARIANCES[:5]
    n_draws = 20_000
    wanted = rng.chisquare(4, size=n_draws)
    low, high = np.zeros(n_draws), np.full(n_draws, 1e6)
    for _ in range(60):
        middle = 0.5 * (low + high)
        weights = 1 / (variances + middle[:, np.newaxis])
        means = (weights * effects).sum(axis=1) / weights.sum(axis=1)
        above = (weights * (effects - means[:, np.newaxis]) ** 2).sum(axis=1) > wanted
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    drawn = rng.normal(means, np.sqrt(middle + 1 / weights.sum(axis=1)))
    found = meta_analysis(effects, variances).new_dataset_interval
    for end, share in zip(found, (0.025, 0.975), strict=True):
        number = int((drawn <= end).sum())
        assert stats.binomtest(number, n_draws, share).pvalue > 1e-4


@pytest.mark.parametrize("model", ["fixed", "random"])
def test_equal_effects_are_the_estimate_to_the_last_digit(model: str) -> None:
    result = meta_analysis([0.1] * 7, np.linspace(0.01, 0.3, 7), model=model)
    assert result.estimate == 0.1
    assert result.q == 0.0
    assert result.i2 == 0.0
    assert result.tau2 == 0.0
    assert EMPTY_PROFILE in result.notes
    if model == "random":
        assert result.hartung_knapp_factor == 0.0
        assert result.hartung_knapp_interval == (0.1, 0.1)
        assert result.hartung_knapp_p_value is None
        assert ALL_EQUAL in result.notes


def test_the_gumbel_model_says_why_it_has_no_answer() -> None:
    with pytest.raises(ValueError, match="at least two entries for model 'gumbel'"):
        meta_analysis([0.1], [0.1], model="gumbel")
    with pytest.raises(ValueError, match=r"must not all be the same .* all 3 are 1\."):
        meta_analysis([0.1, 0.1, 0.1], [0.1] * 3, model="gumbel")


@pytest.mark.parametrize(
    ("effects", "variances", "part"),
    [
        ([], [], "at least one entry"),
        ([0.1, 0.2], [0.1], "one entry for each of 2 effects; got 1"),
        ([0.1, math.nan], [0.1, 0.1], "`effects` must be finite; got nan at index 1"),
        ([0.1, 0.2, 0.3], [0.0, 0.1, -1.0], r"got 0\.0 at index 0, -1\.0 at index 2"),
        ([0.1, 0.2], [0.1, math.inf], "inf at index 1"),
        ([0.1, 0.2], [0.1, 5e-324], "5e-324 at index 1"),
        ([[0.1]], [[0.1]], "one-dimensional"),
        (["a"], [0.1], "list of numbers"),
        (np.ma.masked_array([0.1, 0.2], [False, True]), [0.1, 0.1], "masked"),
        ([1e200, -1e200], [1e-200, 1e-200], "too large for a number"),
    ],
)
def test_wrong_entries_are_named(effects: object, variances: object, part: str) -> None:
    with pytest.raises(ValueError, match=part):
        meta_analysis(effects, variances)  # type: ignore[arg-type]


def test_a_level_lies_between_0_and_1() -> None:
    with pytest.raises(ValueError, match="`confidence_level` must lie strictly between 0 and 1"):
        meta_analysis(Y, V, confidence_level=95)


def test_a_prediction_takes_three_datasets_and_student_s_t_of_one_degree() -> None:
    for few in (meta_analysis(Y[:2], V[:2]), meta_analysis(Y[:3], V[:3], model="fixed")):
        assert few.prediction_interval is few.new_dataset_interval is None
    three = meta_analysis(Y[:3], V[:3])
    assert three.prediction_interval is not None
    low, high = three.prediction_interval
    reach = stats.t.ppf(0.975, 1) * math.sqrt(three.tau2 + three.variance)
    assert (low, high) == pytest.approx((three.estimate - reach, three.estimate + reach))


def test_a_moment_estimate_outside_the_interval_for_tau2_is_said() -> None:
    # Two sure effects that agree weigh down the one that lies far off.
    effects, variances = [-3.0, -1.3, -2.7, 2.3, -2.9], [0.02, 0.22, 0.57, 1.19, 0.02]
    moments = meta_analysis(effects, variances, tau2="dersimonian-laird")
    assert moments.tau2_interval is not None
    assert moments.tau2 < moments.tau2_interval[0]
    assert OUTSIDE_PROFILE in moments.notes
    assert OUTSIDE_PROFILE not in meta_analysis(effects, variances).notes
