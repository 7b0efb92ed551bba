"""The share of true claims: the paper's figures, counting, and the inverse."""

from __future__ import annotations

import numpy as np
import pytest

from core.reliability.prior_odds import (
    PAPER_LEVELS,
    alpha_for,
    positive_predictive_value,
    positive_predictive_value_from_probability,
    prior_odds_of,
    prior_odds_study,
)


def test_the_papers_figures_come_out() -> None:
    found = positive_predictive_value(PAPER_LEVELS, power=0.5, prior_odds=0.1)
    assert np.allclose(found, [1 / 2, 5 / 6, 20 / 21], rtol=1e-12)
    assert round(float(np.asarray(found)[2]), 3) == 0.952
    # They are the defaults.
    assert positive_predictive_value(0.05) == pytest.approx(0.5)


def test_it_is_the_share_that_counting_claims_gives() -> None:
    # 300 comparisons with an effect for 600 without: R = 1/2. Power .8, level .1.
    true_claims, false_claims = 0.8 * 300, 0.1 * 600
    share = true_claims / (true_claims + false_claims)
    assert positive_predictive_value(0.1, power=0.8, prior_odds=0.5) == pytest.approx(share)
    # The same comparisons told as a share of those with an effect.
    told = positive_predictive_value_from_probability(0.1, power=0.8, probability=300 / 900)
    assert told == pytest.approx(share)


def test_odds_and_shares_are_not_the_same_number() -> None:
    assert prior_odds_of(0.1) == pytest.approx(1 / 9)
    as_share = positive_predictive_value_from_probability(0.05, power=0.5, probability=0.1)
    assert as_share == pytest.approx(0.05 / 0.095)
    study = prior_odds_study()
    assert study.positive_predictive_value == pytest.approx(0.5)
    assert study.if_probability == pytest.approx(as_share)
    assert prior_odds_study(prior_odds=1.0).if_probability is None


@pytest.mark.parametrize(("power", "prior_odds"), [(0.5, 0.1), (0.8, 0.02), (1.0, 1.0)])
def test_the_level_for_a_share_gives_that_share(power: float, prior_odds: float) -> None:
    for share in (0.6, 0.95, 0.99):
        level = alpha_for(share, power=power, prior_odds=prior_odds)
        if level < 1.0:
            back = positive_predictive_value(float(level), power=power, prior_odds=prior_odds)
            assert back == pytest.approx(share)


def test_where_any_level_will_do_it_is_one() -> None:
    assert alpha_for(0.4, power=1.0, prior_odds=1.0) == 1.0


def test_arrays_go_together_and_numbers_stay_numbers() -> None:
    table = positive_predictive_value(
        np.array([0.05, 0.01])[:, np.newaxis], power=0.5, prior_odds=np.array([0.1, 1.0, 10.0])
    )
    assert np.shape(table) == (2, 3)
    assert isinstance(positive_predictive_value(0.05, power=0.5, prior_odds=0.1), float)
    assert positive_predictive_value(0.05, power=0.5, prior_odds=0.0) == 0.0


def test_the_study_has_the_assumed_curve_in_front_and_each_once() -> None:
    study = prior_odds_study(0.01, prior_odds=0.5, further_powers=(0.2, 0.5))
    pairs = [(curve.prior_odds, curve.power) for curve in study.curves]
    assert pairs[0] == (0.5, 0.5)
    assert len(set(pairs)) == len(pairs) == 5
    for curve in study.curves:
        assert (np.diff(curve.values) < 0).all()
    assert study.to_frame().shape[0] == 5 * study.levels.size
    assert study.false_per_true == pytest.approx(0.01 / 0.25)
    assert "prior-odds:0.5" in study.signature


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"alpha": 0.0}, "`alpha` must lie strictly between 0 and 1"),
        ({"alpha": [0.1, 1.0]}, "`alpha` must lie strictly"),
        ({"alpha": "x"}, "`alpha` must be a number"),
        ({"power": 0.0}, "`power` must be above 0"),
        ({"power": 1.2}, "`power` must be above 0"),
        ({"prior_odds": -1.0}, "`prior_odds` must be at least 0"),
        ({"prior_odds": np.inf}, "`prior_odds` must be at least 0"),
        ({"power": np.nan}, "`power` must be above 0"),
    ],
)
def test_arguments_out_of_range_are_refused(arguments: dict[str, object], message: str) -> None:
    given = {"alpha": 0.05, "power": 0.5, "prior_odds": 0.1, **arguments}
    with pytest.raises(ValueError, match=message):
        positive_predictive_value(given.pop("alpha"), **given)  # type: ignore[call-overload]


def test_shares_out_of_range_are_refused() -> None:
    with pytest.raises(ValueError, match="`ppv` must lie strictly"):
        alpha_for(1.0)
    with pytest.raises(ValueError, match="`probability` must be at least 0 and below 1"):
        prior_odds_of(1.0)
