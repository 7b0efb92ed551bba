"""The share of true claims: the paper's figures, counting, and the inverse."""

from typing import Any

import numpy as np
import pytest

from core.charts.simulation import prior_odds_chart
from core.reliability.prior_odds import (
    PAPER_LEVELS,
    alpha_for,
    positive_predictive_value,
    prior_odds_study,
)
from core.sections.sizes import prior_odds_sentence


def test_the_papers_figures_come_out() -> None:
    found = positive_predictive_value(PAPER_LEVELS, power=0.5, prior_odds=0.1)
    assert np.allclose(found, [1 / 2, 5 / 6, 20 / 21], rtol=1e-12)
    assert round(float(np.asarray(found)[2]), 3) == 0.952
    # They are the defaults.
    assert positive_predictive_value(0.05) == pytest.approx(0.5)


def test_the_level_for_a_share_gives_that_share() -> None:
    for power, prior_odds in ((0.5, 0.1), (0.8, 0.02), (1.0, 1.0)):
        for share in (0.6, 0.95, 0.99):
            level = alpha_for(share, power=power, prior_odds=prior_odds)
            if level < 1.0:
                back = positive_predictive_value(level, power=power, prior_odds=prior_odds)
                assert back == pytest.approx(share), (power, prior_odds)


def test_arguments_out_of_range_are_refused() -> None:
    wrong: tuple[tuple[dict[str, Any], str], ...] = (
        ({"alpha": 0.0}, "`alpha` must lie strictly between 0 and 1"),
        ({"alpha": [0.1, 1.0]}, "`alpha` must lie strictly"),
        ({"alpha": "x"}, "`alpha` must be a number"),
        ({"power": 0.0}, "`power` must be above 0"),
        ({"power": 1.2}, "`power` must be above 0"),
        ({"prior_odds": -1.0}, "`prior_odds` must be at least 0"),
        ({"prior_odds": np.inf}, "`prior_odds` must be at least 0"),
        ({"power": np.nan}, "`power` must be above 0"),
    )
    for arguments, message in wrong:
        with pytest.raises(ValueError, match=message):
            positive_predictive_value(**{"alpha": 0.05, "power": 0.5, **arguments})


def test_a_study_says_how_many_claims_without_an_effect_come_with_each_that_has_one() -> None:
    study = prior_odds_study(0.05, power=0.8, prior_odds=0.25, further_powers=(0.5,))
    # Of 1,000 comparisons 200 have an effect: 160 claims are true, 40 of 800 are not.
    assert study.false_per_true == pytest.approx(40 / 160)
    assert study.positive_predictive_value == pytest.approx(160 / 200)
    back = positive_predictive_value(study.alpha_for_target, power=0.8, prior_odds=0.25)
    assert back == pytest.approx(0.95)
    assumed = [(curve.prior_odds, curve.power) for curve in study.curves]
    assert assumed == [(0.25, 0.8), (0.01, 0.8), (0.1, 0.8), (0.5, 0.8), (1.0, 0.8), (0.25, 0.5)]
    for curve in study.curves:
        share = curve.power * curve.prior_odds / (curve.power * curve.prior_odds + study.levels)
        assert np.allclose(curve.values, share)
    assert (study.levels[0], study.levels[-1]) == pytest.approx((1e-6, 0.5))
    assert "|further:0.01/0.8,0.1/0.8,0.5/0.8,1/0.8,0.25/0.5|" in study.signature


def test_where_no_idea_or_every_other_one_is_true() -> None:
    none, even = (prior_odds_study(prior_odds=odds, further_prior_odds=()) for odds in (0.0, 1.0))
    assert (none.alpha, none.false_per_true, none.positive_predictive_value) == (0.05, np.inf, 0.0)
    assert "no claim made at p ≤ .05 or any other level is true" in prior_odds_sentence(none)
    assert [len(trace.x) for trace in prior_odds_chart(none).data] == [121, 1]
    assert even.false_per_true == pytest.approx(0.1)
    assert "further" not in even.signature
    # Where every level will do it is 1.
    assert alpha_for(0.01, power=1.0, prior_odds=5.0) == 1.0
