"""What is said of prior odds and toy examples: the papers' figures stand beside, not in place."""

from __future__ import annotations

import re

import pytest

from core.reliability.prior_odds import prior_odds_study
from core.reliability.toys import toy_study
from core.words.reliability_sizes import (
    prior_odds_frame,
    prior_odds_sentence,
    toy_frame,
    toy_sentence,
)


def test_the_papers_shares_come_out_at_its_levels() -> None:
    for alpha, share in [(0.05, "50%"), (0.01, "83%"), (0.0025, "95%")]:
        assert f"{share} are true" in prior_odds_sentence(prior_odds_study(alpha)), (alpha, share)


def test_the_level_that_is_told_gives_the_target() -> None:
    for odds, power in [(0.1, 0.5), (0.07, 0.33), (0.5, 0.81), (0.001, 0.2)]:
        sentence = prior_odds_sentence(prior_odds_study(0.05, power=power, prior_odds=odds))
        found = re.search(r"α = (\.\d+)", sentence)
        assert found is not None, (odds, power)
        level = float(found[1])
        # Of the comparisons, for each one without an effect: true claims and false ones.
        true, false = odds * power, level
        assert 0.95 <= true / (true + false) < 0.956, (odds, power)


def test_the_level_of_the_sidebar_has_a_row_beside_the_papers() -> None:
    frame = prior_odds_frame(prior_odds_study(0.02, power=0.8)).set_index("α")
    assert list(frame.index) == [".05", ".02", ".01", ".0025"]
    assert frame.loc[".02", "share true, as assumed"] == "0.800"
    assert frame.loc[".02", "printed in the paper"] == "–"
    assert frame.loc[".01", "printed in the paper"] == "5/6 (.83)"


def test_a_toy_is_told_with_theory_and_what_the_paper_prints() -> None:
    study = toy_study("covariate-halves-two-metrics", n_repetitions=2000)
    sentence = toy_sentence(study)
    assert "smallest of 4 p-values" in sentence
    assert f"theory says {100 * (1 - 0.95**4):.3g}%" in sentence
    row = toy_frame(study).iloc[0]
    assert row["printed in the paper"] == "16.2%"
    assert row["theory"] == "18.5%"
    assert float(row["simulated"].rstrip("%")) == pytest.approx(18.55, abs=4.0)
