"""The share of true claims: the paper's figures, counting, and the inverse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from core.reliability.prior_odds import (
    PAPER_LEVELS,
    alpha_for,
    positive_predictive_value,
    positive_predictive_value_from_probability,
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


def test_the_level_for_a_share_gives_that_share() -> None:
    for power, prior_odds in ((0.5, 0.1), (0.8, 0.02), (1.0, 1.0)):
        for share in (0.6, 0.95, 0.99):
            level = float(alpha_for(share, power=power, prior_odds=prior_odds))
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
