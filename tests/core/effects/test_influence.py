"""Leave-one-out analyses."""

import numpy as np
import pytest
from statsmodels.stats.meta_analysis import combine_effects

from core.effects import MODELS, leave_one_out
from tests.core.effects.bcg import LOG_RISK_RATIOS, VARIANCES
from tests.core.effects.cases import V, Y


def test_each_entry_is_the_analysis_of_the_others() -> None:
    influence = leave_one_out(LOG_RISK_RATIOS, VARIANCES, tau2="dersimonian-laird")
    for i in range(13):
        rest = np.arange(13) != i
        known = combine_effects(LOG_RISK_RATIOS[rest], VARIANCES[rest], method_re="chi2")
        assert influence.estimates[i] == pytest.approx(known.mean_effect_re)
        assert influence.tau2[i] == pytest.approx(known.tau2)
        assert tuple(influence.confidence_intervals[i]) == pytest.approx(tuple(known.conf_int()[1]))
        assert influence.i2[i] == pytest.approx(known.i2)
    assert influence.shifts == pytest.approx(influence.estimates - influence.whole.estimate)


def test_the_most_influential_dataset_is_the_one_far_away() -> None:
    influence = leave_one_out([0.1, 0.1, 0.12, -0.9, 0.11], [0.01] * 5, model="fixed")
    assert influence.most_influential == 3
    assert influence.changes_sign == (3,)


def test_of_equal_shifts_the_first_is_named() -> None:
    influence = leave_one_out([0.1, 0.2, 0.3], [0.01] * 3, model="fixed")
    assert influence.shifts == pytest.approx([0.05, 0.0, -0.05])
    assert influence.most_influential == 0
    assert influence.changes_sign == ()


def test_the_frame_has_a_row_for_each_dataset_with_the_interval_to_state() -> None:
    found = leave_one_out(Y, V)
    frame = found.to_frame(list("abcde"))
    assert frame[["low", "high"]].to_numpy() == pytest.approx(found.intervals)
    assert frame["left_out"].tolist() == list("abcde")
    assert list(frame.columns) == ["left_out", "estimate", "low", "high", "shift", "tau2", "i2"]


@pytest.mark.parametrize("model", MODELS)
def test_too_few_to_leave_one_out(model: str) -> None:
    n = 2 if model == "gumbel" else 1
    with pytest.raises(ValueError, match=f"at least {n + 1} entries to leave one out"):
        leave_one_out([0.1, 0.3][:n], [0.1, 0.2][:n], model=model)  # type: ignore[arg-type]


def test_an_analysis_that_fails_names_what_was_left_out() -> None:
    with pytest.raises(ValueError, match="Without the dataset at index 2: "):
        leave_one_out([0.1, 0.1, 0.3], [0.1] * 3, model="gumbel")
