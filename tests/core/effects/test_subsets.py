"""Meta-analyses of parts of the datasets: leave-one-out, and groups with F between them."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.meta_analysis import combine_effects

from core.effects.subsets import group_analyses, leave_one_out
from tests.core.effects.bcg import LOG_RISK_RATIOS, VARIANCES


def test_each_entry_is_the_analysis_of_the_others() -> None:
    influence = leave_one_out(LOG_RISK_RATIOS, VARIANCES, tau2="dersimonian-laird")
    for i in range(13):
        rest = np.arange(13) != i
        known = combine_effects(LOG_RISK_RATIOS[rest], VARIANCES[rest], method_re="chi2")
        assert influence.estimates[i] == pytest.approx(known.mean_effect_re)
        assert influence.tau2[i] == pytest.approx(known.tau2)
        without = influence.without[i]
        assert without.confidence_interval == pytest.approx(tuple(known.conf_int()[1]))
        assert influence.i2[i] == pytest.approx(known.i2)
    assert influence.shifts == pytest.approx(influence.estimates - influence.whole.estimate)


def test_the_most_influential_dataset_is_the_one_far_away() -> None:
    influence = leave_one_out([0.1, 0.1, 0.12, -0.9, 0.11], [0.01] * 5)
    assert influence.most_influential == 3
    assert influence.changes_sign == (3,)


def test_of_one_dataset_none_can_be_left_out() -> None:
    with pytest.raises(ValueError, match="at least 2 entries to leave one out"):
        leave_one_out([0.1], [0.1])


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


@settings(max_examples=25)
@given(
    effects=st.lists(st.floats(-5, 5).map(lambda one: round(one, 3)), min_size=6, max_size=12),
    n_first=st.integers(1, 3),
)
def test_between_groups_with_variances_of_one_size_random_effects_have_the_f_of_anova(
    effects: list[float], n_first: int
) -> None:
    # v + τ² is then the mean square within groups, wherever that is above v.
    groups = ["a"] * n_first + ["b"] * 2 + ["c"] * (len(effects) - n_first - 2)
    parts = [[y for y, g in zip(effects, groups, strict=True) if g == own] for own in "abc"]
    within = sum((np.var(part) * len(part) for part in parts), start=0.0)
    assume(within / (len(effects) - 3) > 1e-4)
    found = group_analyses(effects, [1e-6] * len(effects), groups)
    known = stats.f_oneway(*parts)
    assert found.q_between is not None
    assert found.q_between / 2 == pytest.approx(known.statistic, rel=1e-6, abs=1e-9)
    assert found.q_between_p_value == pytest.approx(known.pvalue, rel=1e-5, abs=1e-12)
    assert found.degrees_of_freedom_within == len(effects) - 3


@pytest.mark.parametrize("sizes", [(1, 7), (3, 3, 3), (1, 1, 8)])
def test_groups_that_do_not_differ_are_seldom_said_to_where_datasets_do(
    sizes: tuple[int, ...],
) -> None:
    # With a τ² of their own, groups of one dataset would have none, and .4 and more are rejected.
    rng = np.random.default_rng(23)
    groups = np.repeat(list("abc")[: len(sizes)], sizes).tolist()
    variances = np.geomspace(0.1, 10.0, len(groups))
    n = 120
    rejected = 0
    for _ in range(n):
        own = rng.permutation(variances)
        found = group_analyses(rng.normal(0.0, np.sqrt(own + 10.0)), own, groups)
        assert found.q_between_p_value is not None
        rejected += found.q_between_p_value <= 0.05
    assert stats.binomtest(rejected, n, 0.08, alternative="greater").pvalue > 0.001


def test_groups_of_one_dataset_each_cannot_be_compared_under_random_effects() -> None:
    found = group_analyses([0.1, 0.9], [0.1, 0.1], ["a", "b"])
    assert (found.q_between, found.q_between_p_value) == (None, None)


def test_one_group_has_no_q_between() -> None:
    found = group_analyses([0.1, 0.2], [0.1, 0.1], ["all", "all"])
    assert found.q_between is None
    assert found.q_between_p_value is None
    assert found.degrees_of_freedom == 0


def test_what_is_wrong_with_groups_is_said() -> None:
    with pytest.raises(ValueError, match="one group for each of 2 effects; got 1"):
        group_analyses([0.1, 0.2], [0.1, 0.1], ["a"])
    with pytest.raises(ValueError, match="none at index 1"):
        group_analyses([0.1, 0.2], [0.1, 0.1], ["a", ""])
    with pytest.raises(ValueError, match="positive and finite"):
        group_analyses([0.1, 0.2], [0.1, 0.0], ["a", "b"])
