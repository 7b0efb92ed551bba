"""Published meta-analyses against metafor, statsmodels and R, in each variant there is."""

from typing import Any

import numpy as np
import pytest

from core.effects.meta_analysis import MetaAnalysis, meta_analysis
from tests.real.cases import expected

pytestmark = pytest.mark.real

NAMES = (
    "bcg_logRR",
    "bcg_logOR",
    "bcg_RD",
    "hackshaw1998",
    "raudenbush1985",
    "normand1999_MD",
    "konstantopoulos2011",
    "molloy2014_z",
    "kacker2004",
    "statsmodels_smd",
    "homogeneous_tau0",
    "two_studies",
)


@pytest.fixture(scope="module")
def cases() -> dict[str, Any]:
    found = expected("published/c05_meta_analysis")
    assert tuple(found) == NAMES
    return found


def assert_pooled(result: MetaAnalysis, known: dict[str, Any]) -> None:
    found = (result.estimate, result.standard_error, result.z, *result.confidence_interval)
    reference = [known["estimate"], known["se"], known["z"], *known["ci95"]]
    assert found == pytest.approx(reference, rel=1e-9, abs=0)
    p_values = (result.p_value_two_sided, result.p_value_greater)
    assert p_values == pytest.approx([known["p_two"], known["p_greater"]], rel=1e-7, abs=0)


@pytest.mark.parametrize("name", NAMES)
def test_fixed_effects(cases: dict[str, Any], name: str) -> None:
    case = cases[name]
    meta, known = case["meta"], case["meta"]["fixed"]
    result = meta_analysis(case["yi"], case["vi"], model="fixed", tau2="dersimonian-laird")
    assert result.n_datasets == meta["k"]
    assert result.degrees_of_freedom == meta["df"]
    assert result.q == pytest.approx(meta["Q"], rel=1e-9, abs=0)
    assert result.q_p_value == pytest.approx(meta["p_Q"], rel=1e-8, abs=0)
    assert 100 * result.i2 == pytest.approx(meta["I2_percent"], abs=1e-9)
    assert_pooled(result, known)
    metafor = meta["metafor"]["FE"]
    assert result.estimate == pytest.approx(metafor["estimate"], rel=1e-9, abs=0)
    assert result.confidence_interval == pytest.approx(tuple(metafor["ci"]), rel=1e-9, abs=0)


@pytest.mark.parametrize("name", NAMES)
def test_random_effects(cases: dict[str, Any], name: str) -> None:
    case = cases[name]
    known = case["meta"]["DL"]
    result = meta_analysis(case["yi"], case["vi"], tau2="dersimonian-laird")
    assert_pooled(result, known)
    assert result.tau2 == pytest.approx(known["tau2"], rel=1e-9, abs=1e-15)
    assert result.tau2_untruncated == pytest.approx(known["tau2_untruncated"], rel=1e-9)
    prediction = known.get("prediction_interval_t_k_minus_2")
    assert result.prediction_interval == (prediction and pytest.approx(prediction, rel=1e-9))
    metafor = case["meta"]["metafor"]["DL"]
    assert result.confidence_interval == pytest.approx(tuple(metafor["ci"]), rel=1e-9)
    assert result.tau2 == pytest.approx(metafor["tau2"], rel=1e-9, abs=1e-15)
    # Of metafor with the estimated τ²: (τ² + s²)/s², where Q is above its degrees of freedom.
    assert 100 * result.i2 == pytest.approx(metafor["I2"], abs=1e-8)
    typical = result.typical_variance
    assert (result.tau2 + typical) / typical == pytest.approx(metafor["H2"], rel=1e-8)


@pytest.mark.parametrize("name", NAMES)
def test_hartung_knapp(cases: dict[str, Any], name: str) -> None:
    case = cases[name]
    known, metafor = case["meta"]["DL_HKSJ"], case["meta"]["metafor"]["DL_knha"]
    result = meta_analysis(case["yi"], case["vi"], tau2="dersimonian-laird")
    assert result.estimate == pytest.approx(known["estimate"], rel=1e-9, abs=0)
    error = result.hartung_knapp_standard_error
    assert error == pytest.approx(known["se"], rel=1e-9, abs=0)
    assert error == pytest.approx(metafor["se"], rel=1e-9, abs=0)
    assert result.estimate / error == pytest.approx(known["t"], rel=1e-9, abs=0)
    assert result.n_datasets - 1 == known["df"]
    assert result.hartung_knapp_p_value == pytest.approx(known["p_two"], rel=1e-7, abs=0)
    assert result.hartung_knapp_interval == pytest.approx(tuple(known["ci95"]), rel=1e-9, abs=0)
    assert result.hartung_knapp_interval == pytest.approx(tuple(metafor["ci"]), rel=1e-9, abs=0)


def test_what_publications_print(cases: dict[str, Any]) -> None:
    bcg = cases["bcg_logRR"]
    result = meta_analysis(bcg["yi"], bcg["vi"])
    assert round(result.q, 4) == bcg["published"]["Q"]
    # Kacker (Metrologia 2004) prints τ = .5359; the digits of the same table give .5367, as
    # metafor has it too.
    kacker = cases["kacker2004"]
    own = meta_analysis(kacker["yi"], kacker["vi"])
    assert round(own.tau2, 4) == 0.7054
    assert round(np.sqrt(own.tau2), 4) == kacker["published"]["tau_PM"] == 0.8399
    moment = meta_analysis(kacker["yi"], kacker["vi"], tau2="dersimonian-laird")
    assert round(moment.tau2, 4) == 0.2880
    tau = np.sqrt(moment.tau2)
    assert round(tau, 4) == 0.5367
    assert tau == pytest.approx(np.sqrt(kacker["meta"]["metafor"]["DL"]["tau2"]), rel=1e-9)
    assert tau == pytest.approx(kacker["published"]["tau_DL"], rel=2e-3)
