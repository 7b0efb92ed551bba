"""Meta-analyses against metafor and statsmodels, and what must hold of any of them."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.meta_analysis import combine_effects

from core.effects import MODELS, meta_analysis
from core.effects.meta_analysis import ALL_EQUAL, EMPTY_PROFILE, NARROWER, ONE_DATASET
from core.types import FloatArray
from tests.core.effects.bcg import LOG_RISK_RATIOS, VARIANCES
from tests.core.effects.cases import V, Y, effects_and_variances


def test_fixed_effect_against_metafor() -> None:
    result = meta_analysis(Y, V, model="fixed")
    assert result.estimate == pytest.approx(0.0168421, abs=5e-8)
    assert result.q == pytest.approx(5.8158, abs=5e-5)
    assert result.hartung_knapp_interval is None
    assert result.prediction_interval is None


def test_random_effects_against_metafor() -> None:
    result = meta_analysis(Y, V)
    assert result.model == "random"
    assert result.estimate == pytest.approx(0.0216881, abs=5e-8)
    assert result.tau2 == pytest.approx(0.00029795, abs=5e-9)


def test_the_bcg_trials_against_metafor() -> None:
    result = meta_analysis(LOG_RISK_RATIOS, VARIANCES)
    assert result.estimate == pytest.approx(-0.7141, abs=5e-5)
    assert result.standard_error == pytest.approx(0.1787, abs=5e-5)
    assert result.tau2 == pytest.approx(0.3088, abs=5e-5)
    assert 100 * result.i2 == pytest.approx(92.12, abs=5e-3)
    assert result.q == pytest.approx(152.2330, abs=5e-5)


def test_q_profile_intervals_of_the_bcg_trials_against_metafor() -> None:
    # `confint` of metafor, whose root finder stops at a tolerance of .0001; the ends for τ² do not
    # depend on how τ² itself is estimated.
    result = meta_analysis(LOG_RISK_RATIOS, VARIANCES)
    assert result.tau2_interval == pytest.approx((0.1197, 1.1115), abs=5e-5)
    assert result.i2_interval is not None
    assert 100 * np.array(result.i2_interval) == pytest.approx([81.9177, 97.6781], abs=5e-3)


def test_the_prediction_interval_of_the_bcg_trials() -> None:
    # −.7141 ± t(11) · √(.3088 + .1787²), with 2.2010 from a printed table of t.
    half = 2.2010 * math.sqrt(0.3088 + 0.1787**2)
    result = meta_analysis(LOG_RISK_RATIOS, VARIANCES)
    assert result.prediction_interval == pytest.approx((-0.7141 - half, -0.7141 + half), abs=5e-4)


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
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
    random = meta_analysis(effects, variances, confidence_level=level)
    scale = float(np.abs(effects).max())
    assert fixed.estimate == pytest.approx(known.mean_effect_fe, rel=1e-8, abs=1e-8 * scale)
    assert fixed.standard_error == pytest.approx(known.sd_eff_w_fe, rel=1e-9)
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
    assert random.tau2 == 0.0
    assert random.tau2_untruncated < 0.0
    assert random.i2 == 0.0
    assert random.estimate == fixed.estimate
    assert random.variance == fixed.variance
    assert random.confidence_interval == fixed.confidence_interval
    assert random.is_hartung_knapp_below_one
    assert NARROWER in random.notes
    assert random.hartung_knapp_interval is not None
    # Untruncated: narrower than the normal one, in spite of the wider quantile.
    assert np.ptp(random.hartung_knapp_interval) < np.ptp(random.confidence_interval)


@pytest.mark.parametrize("model", MODELS)
@settings(max_examples=40)
@given(data=effects_and_variances(), factor=st.floats(0.01, 100))
def test_scaling_the_effects_scales_the_estimate(
    model: str, data: tuple[FloatArray, FloatArray], factor: float
) -> None:
    effects, variances = data
    assume(np.ptp(effects / variances) > 1e-3)
    one = meta_analysis(effects, variances, model=model)  # type: ignore[arg-type]
    other = meta_analysis(factor * effects, factor**2 * variances, model=model)  # type: ignore[arg-type]
    scale = factor * float(np.abs(effects).max())
    assert other.estimate == pytest.approx(factor * one.estimate, rel=1e-6, abs=1e-7 * scale)
    assert other.standard_error == pytest.approx(factor * one.standard_error, rel=1e-5)
    assert other.weights == pytest.approx(one.weights, rel=1e-6, abs=1e-9)
    assert other.q == pytest.approx(one.q, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("model", ["fixed", "random"])
@settings(max_examples=40)
@given(data=effects_and_variances(), shift=st.floats(-10, 10))
def test_shifting_the_effects_shifts_the_estimate_and_leaves_the_rest(
    model: str, data: tuple[FloatArray, FloatArray], shift: float
) -> None:
    effects, variances = data
    one = meta_analysis(effects, variances, model=model)  # type: ignore[arg-type]
    other = meta_analysis(effects + shift, variances, model=model)  # type: ignore[arg-type]
    assert other.estimate == pytest.approx(one.estimate + shift, rel=1e-6, abs=1e-6)
    assert other.tau2 == pytest.approx(one.tau2, rel=1e-5, abs=1e-7)
    assert other.i2 == pytest.approx(one.i2, abs=1e-5)


@pytest.mark.parametrize("model", ["fixed", "random"])
@given(data=effects_and_variances())
def test_exchanging_the_systems_turns_the_sign_alone(
    model: str, data: tuple[FloatArray, FloatArray]
) -> None:
    effects, variances = data
    one = meta_analysis(effects, variances, model=model)  # type: ignore[arg-type]
    other = meta_analysis(-effects, variances, model=model)  # type: ignore[arg-type]
    assert other.estimate == pytest.approx(-one.estimate, rel=1e-9, abs=1e-12)
    assert other.variance == pytest.approx(one.variance, rel=1e-9)


def test_exchanging_the_systems_changes_more_under_gumbel() -> None:
    one = meta_analysis(Y, V, model="gumbel")
    other = meta_analysis(-np.array(Y), V, model="gumbel")
    assert abs(other.estimate + one.estimate) > 0.01 * abs(one.estimate)


@pytest.mark.parametrize("model", MODELS)
@given(data=effects_and_variances())
def test_weights_add_up_to_one_and_go_with_the_raw_ones(
    model: str, data: tuple[FloatArray, FloatArray]
) -> None:
    effects, variances = data
    assume(model != "gumbel" or np.ptp(effects / variances) > 1e-3)
    result = meta_analysis(effects, variances, model=model)  # type: ignore[arg-type]
    assert result.weights.sum() == pytest.approx(1.0, rel=1e-12)
    assert result.weights == pytest.approx(result.raw_weights / result.raw_weights.sum(), rel=1e-9)
    if model != "gumbel":
        assert result.weights @ effects == pytest.approx(result.estimate, rel=1e-9, abs=1e-9)


def test_the_gumbel_model_is_scipys_fit_to_weighted_effects() -> None:
    weights = 1 / np.array(V)
    location, scale = stats.gumbel_r.fit(weights * np.array(Y))
    result = meta_analysis(Y, V, model="gumbel")
    assert result.gumbel is not None
    assert result.gumbel.location == pytest.approx(location, rel=1e-6)
    assert result.gumbel.scale == pytest.approx(scale, rel=1e-6)
    mean = stats.gumbel_r.mean(location, scale)
    assert result.estimate == pytest.approx(mean / weights.mean(), rel=1e-6)
    of_one = stats.gumbel_r.var(location, scale)
    assert result.variance == pytest.approx(of_one / 5 / weights.mean() ** 2, rel=1e-6)
    # What the paper prints is that of one weighted effect, in other units.
    assert result.paper_variance == pytest.approx(of_one, rel=1e-6)


def test_the_gumbel_estimate_of_equal_variances_is_the_mean_of_the_fit_to_the_effects() -> None:
    location, scale = stats.gumbel_r.fit(Y)
    result = meta_analysis(Y, [0.01] * 5, model="gumbel")
    assert result.estimate == pytest.approx(stats.gumbel_r.mean(location, scale), rel=1e-7)


@pytest.mark.parametrize("model", ["fixed", "random"])
def test_one_dataset_is_itself(model: str) -> None:
    result = meta_analysis([0.03], [0.0004], model=model)  # type: ignore[arg-type]
    assert result.estimate == 0.03
    assert result.variance == 0.0004
    assert result.confidence_interval == pytest.approx((-0.0091993, 0.0691993), abs=1e-6)
    assert (result.q, result.q_p_value, result.tau2, result.i2) == (0.0, 1.0, 0.0, 0.0)
    assert result.tau2_interval is None
    assert result.hartung_knapp_interval is None
    assert result.prediction_interval is None
    assert result.notes == (ONE_DATASET,)


def test_two_datasets_have_no_prediction_interval() -> None:
    result = meta_analysis([0.0, 1.0], [0.1, 0.1])
    assert result.prediction_interval is None
    assert result.hartung_knapp_interval is not None
    assert meta_analysis([0.0, 1.0, 2.0], [0.1] * 3).prediction_interval is not None


@pytest.mark.parametrize("model", ["fixed", "random"])
def test_equal_effects_are_the_estimate_to_the_last_digit(model: str) -> None:
    result = meta_analysis([0.1] * 7, np.linspace(0.01, 0.3, 7), model=model)  # type: ignore[arg-type]
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
    ],
)
def test_wrong_entries_are_named(effects: object, variances: object, part: str) -> None:
    with pytest.raises(ValueError, match=part):
        meta_analysis(effects, variances)  # type: ignore[arg-type]


@pytest.mark.parametrize("level", [0, 1, 95, math.nan, "high"])
def test_a_level_lies_between_0_and_1(level: object) -> None:
    with pytest.raises(ValueError, match="`confidence_level` must lie strictly between 0 and 1"):
        meta_analysis(Y, V, confidence_level=level)  # type: ignore[arg-type]


def test_an_unknown_model_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="'random', 'fixed', 'gumbel'"):
        meta_analysis(Y, V, model="reml")  # type: ignore[arg-type]


def test_very_small_and_very_large_variances_do_not_overflow() -> None:
    for size in (1e-300, 1e300):
        fixed = meta_analysis([1.0, 2.0], [size, 3 * size], model="fixed")
        assert fixed.estimate == pytest.approx(1.25, rel=1e-12)
        assert fixed.variance == pytest.approx(0.75 * size, rel=1e-12)


def test_numbers_too_large_to_combine_are_refused() -> None:
    with pytest.raises(ValueError, match="too large for a number"):
        meta_analysis([1e200, -1e200], [1e-200, 1e-200])


def test_given_arrays_are_copied_and_results_cannot_be_written() -> None:
    effects = np.array(Y)
    result = meta_analysis(effects, V)
    effects[0] = 9.0
    assert result.effects[0] == 0.02
    for values in (result.effects, result.variances, result.weights, result.raw_weights):
        assert not values.flags.writeable


def test_the_signature_says_what_the_estimate_depends_on() -> None:
    assert meta_analysis(Y, V).signature.startswith(
        "meta:random|tau2:dersimonian-laird|datasets:5|level:0.95|v:"
    )
    assert "tau2" not in meta_analysis(Y, V, model="fixed").signature
