"""Analyses of groups, and Q between them."""

import numpy as np
import pytest
from hypothesis import given, settings
from scipy import stats
from statsmodels.stats.meta_analysis import combine_effects

from core.effects import group_analyses
from core.types import FloatArray
from tests.core.effects.bcg import LOG_RISK_RATIOS, VARIANCES
from tests.core.effects.cases import effects_and_variances

ALLOCATION = [
    *["random"] * 4,
    *["alternate"] * 2,
    *["random"] * 3,
    *["systematic"] * 2,
    "random",
    "systematic",
]


def test_groups_of_the_bcg_trials_are_analysed_by_themselves() -> None:
    found = group_analyses(LOG_RISK_RATIOS, VARIANCES, ALLOCATION, tau2="dersimonian-laird")
    assert found.groups == ("random", "alternate", "systematic")
    for group, own, analysis in zip(found.groups, found.members, found.analyses, strict=True):
        assert {ALLOCATION[i] for i in own} == {group}
        known = combine_effects(LOG_RISK_RATIOS[own], VARIANCES[own], method_re="chi2")
        assert analysis.estimate == pytest.approx(known.mean_effect_re)
        assert analysis.tau2 == pytest.approx(known.tau2)
    assert found.degrees_of_freedom == 2
    assert found.whole.n_datasets == 13


@settings(max_examples=40)
@given(data=effects_and_variances(fewest=4))
def test_under_one_fixed_effect_q_splits_into_within_and_between(
    data: tuple[FloatArray, FloatArray],
) -> None:
    effects, variances = data
    groups = [str(i % 3) for i in range(effects.size)]
    found = group_analyses(effects, variances, groups, model="fixed")
    assert found.q_between is not None
    within = sum(one.q for one in found.analyses)
    assert found.q_between + within == pytest.approx(found.whole.q, rel=1e-6, abs=1e-8)
    assert found.q_between_p_value == pytest.approx(stats.chi2.sf(found.q_between, 2), rel=1e-6)


def test_one_group_has_no_q_between() -> None:
    found = group_analyses([0.1, 0.2], [0.1, 0.1], ["all", "all"])
    assert found.q_between is None
    assert found.q_between_p_value is None
    assert found.degrees_of_freedom == 0


def test_the_frame_has_a_row_for_each_group() -> None:
    frame = group_analyses(LOG_RISK_RATIOS, VARIANCES, ALLOCATION).to_frame()
    assert frame["group"].tolist() == ["random", "alternate", "systematic"]
    assert frame["n_datasets"].tolist() == [8, 2, 3]


def test_what_is_wrong_with_groups_is_said() -> None:
    with pytest.raises(ValueError, match="one group for each of 2 effects; got 1"):
        group_analyses([0.1, 0.2], [0.1, 0.1], ["a"])
    with pytest.raises(ValueError, match="none at index 1"):
        group_analyses([0.1, 0.2], [0.1, 0.1], ["a", ""])
    with pytest.raises(ValueError, match=r"Group 'b': .*at least two entries"):
        group_analyses([0.1, 0.2, 0.3], [0.1] * 3, ["a", "a", "b"], model="gumbel")
    with pytest.raises(ValueError, match="positive and finite"):
        group_analyses([0.1, 0.2], [0.1, 0.0], ["a", "b"])


def test_groups_may_be_numbers() -> None:
    assert group_analyses(np.array([0.1, 0.2]), [0.1, 0.1], [1, 2]).groups == ("1", "2")
