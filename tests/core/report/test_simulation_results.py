"""What is said of simulated studies is what was counted in them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from core.report.simulation_draws import draw_sentence, draw_tiles
from core.report.simulation_planning import (
    names_sentence,
    names_table,
    needed_sentence,
    over_claims_sentence,
    over_claims_table,
    power_sentence,
    power_table,
)
from core.report.simulation_results import (
    claim_sentence,
    percent,
    printed_sentence,
    promise_sentence,
    proved_sentence,
    stopped_sentence,
    undecided_sentence,
)
from core.report.simulation_tables import claim_table, printed_table, promise_table, results_frame
from core.report.simulation_words import SCENARIO_WORDS, chance_of_a_win, shift_sentence
from core.simulation import (
    ESTIMATORS,
    TOY_DEPENDENT,
    TOY_INDEPENDENT,
    Block,
    Preset,
    Scenario,
    Simulation,
    datasets_needed,
    draw_one,
    family_of,
    over_claim_curve,
    power_curve,
    simulate_identification,
    simulate_k_hat,
)
from core.simulation.batch import CountArray, Estimator
from core.types import COMBINATIONS, Combination


def counted(
    *,
    wrong: dict[Estimator, int],
    n: int,
    k: int = 2,
    n_asked: int | None = None,
    proved: tuple[Combination, ...] = (),
) -> Simulation:
    """Studies of five datasets, in so many of which each count is one too many."""
    k_hat: dict[Estimator, CountArray] = {}
    for name in ESTIMATORS:
        counts = np.full(n, k, dtype=np.int16)
        counts[: wrong[name]] = k + 1
        k_hat[name] = counts
    return Simulation(
        k_hat=k_hat,
        k=k,
        n_datasets=5,
        alpha=0.05,
        n_repetitions=n,
        n_asked=n_asked or n,
        seed=0,
        scenario="made by hand",
        proved=proved,
    )


def test_a_promise_is_said_to_hold_to_fail_or_to_be_undecided_by_its_interval() -> None:
    # Clopper and Pearson's intervals of 30, 100 and 52 of 1,000: only the last holds .05.
    simulation = counted(
        wrong={"count": 400, "bonferroni": 30, "fisher": 100, "simes": 52}, n=1_000
    )
    assert promise_sentence(simulation) == (
        "In 1,000 simulated studies of 5 datasets, with A truly better on 2, counting p ≤ .05, "
        "which promises nothing, claimed too many in 40.0%. The three counts with a guarantee "
        "promise at most 5%: Bonferroni (3.0%) keeps that in this scenario; Fisher (10.0%) does "
        "not keep that; for Simes (5.2%) so many studies do not decide it."
    )
    assert promise_table(simulation)["promise of ≤ .05"].tolist() == [
        "none made",
        "held",
        "did not hold",
        "not decided",
    ]
    assert undecided_sentence(simulation)
    decided = counted(wrong=dict.fromkeys(ESTIMATORS, 0), n=1_000)
    assert ": Bonferroni (0%), Fisher (0%) and Simes (0%) keep that in this" in promise_sentence(
        decided
    )
    assert undecided_sentence(decided) == ""


def test_of_few_studies_numbers_are_said_rather_than_shares() -> None:
    simulation = counted(wrong=dict.fromkeys(ESTIMATORS, 1), n=20)
    assert "claimed too many in 1 of 20." in promise_sentence(simulation)
    assert claim_sentence(simulation, at_least=3) == (
        "“On at least 3”, which is wrong here, as the truth is 2, is claimed by Bonferroni in "
        "1 of 20, Fisher in 1 of 20 and Simes in 1 of 20 studies."
    )
    one = counted(wrong=dict.fromkeys(ESTIMATORS, 0), n=1)
    assert promise_sentence(one) == (
        "In one simulated study of 5 datasets, with A truly better on 2, counting p ≤ .05, which "
        "promises nothing, did not claim too many; a single study says nothing about how often."
    )
    assert promise_table(one)["promise of ≤ .05"].tolist() == ["none made", "–", "–", "–"]
    assert undecided_sentence(one) == ""


def test_a_share_never_looks_like_the_level_unless_it_is() -> None:
    assert percent(0.0502, level=0.05) == "5.02%"
    assert percent(0.04998, level=0.05) == "4.998%"
    assert percent(0.05, level=0.05) == "5.0%"
    assert (percent(0.0), percent(0.0001), percent(0.9999), percent(1.0)) == (
        "0%",
        "less than 0.1%",
        "more than 99.9%",
        "100%",
    )


def test_a_share_beside_a_tiny_level_keeps_its_digits() -> None:
    assert percent(0.0003, level=0.0001) == "0.03%"
    assert percent(0.000123, level=0.0001) == "0.012%"
    assert percent(0.0001004, level=0.0001) == "0.01004%"
    assert percent(0.0003, level=0.05) == "less than 0.1%"
    wrong: dict[Estimator, int] = {"count": 4, "bonferroni": 1, "fisher": 2, "simes": 0}
    simulation = replace(counted(wrong=wrong, n=10_000), alpha=0.0001)
    sentence = promise_sentence(simulation)
    assert "claimed too many in 0.04%. The three" in sentence
    assert "promise at most 0.01%" in sentence
    assert "Fisher (0.02%)" in sentence
    # R: binom.test(2, 10000)$conf.int
    assert promise_table(simulation)["95% interval"].tolist()[2] == ".0000242 to .000722"


def test_what_is_proved_is_not_said_to_be_undecided() -> None:
    wrong: dict[Estimator, int] = {"count": 400, "bonferroni": 51, "fisher": 52, "simes": 100}
    proved: tuple[Combination, ...] = ("bonferroni", "fisher")
    simulation = counted(wrong=wrong, n=1_000, proved=proved)
    assert promise_sentence(simulation).endswith(
        "promise at most 5%: Bonferroni (5.1%) and Fisher (5.2%) keep that, as is proved, though "
        "chance put Bonferroni and Fisher above it here; Simes (10.0%) does not keep that."
    )
    assert promise_table(simulation)["promise of ≤ .05"].tolist() == [
        "none made",
        "proved",
        "proved",
        "did not hold",
    ]
    assert undecided_sentence(simulation) == ""
    assert "theory gives at most α" in proved_sentence(simulation)
    unlucky = counted(wrong={**wrong, "simes": 53}, n=1_000, proved=COMBINATIONS)
    assert "as is proved, though chance put all three above it here." in promise_sentence(unlucky)
    kept = counted(wrong={**wrong, "bonferroni": 50, "fisher": 20}, n=1_000, proved=proved)
    assert "Fisher (2.0%) keep that, as is proved; Simes" in promise_sentence(kept)
    below = counted(wrong=dict.fromkeys(ESTIMATORS, 0), n=1_000, proved=proved)
    assert proved_sentence(below) == ""


def test_where_a_is_better_on_all_no_count_is_judged() -> None:
    all_better = Scenario((Block(5, effect=2.0),))
    simulation = simulate_k_hat(all_better, n_repetitions=300, rng=1)
    assert promise_sentence(simulation) == (
        "In 300 simulated studies of 5 datasets, with A truly better on all, nothing can be too "
        "many: A is better on all."
    )
    table = promise_table(simulation, by_two=True)
    assert table["promise of ≤ .05"].tolist() == ["none made", "–", "–", "–"]
    assert table["too many: P(k̂ > 5)"].tolist() == ["–"] * 4
    assert table["95% interval"].tolist() == ["–"] * 4
    assert not [column for column in table if "6" in str(column)]
    assert undecided_sentence(simulation) == ""
    tiles = draw_tiles(draw_one(all_better, 1), simulation)
    assert {tile.detail for tile in tiles} == {"not too many (truth: 5); nothing can be too many"}


def test_one_dataset_is_one() -> None:
    only = Scenario((Block(1),))
    draw = draw_one(only, 0)
    assert "(seed 0): one dataset; A is not better on it" in draw_sentence(draw)
    curve = over_claim_curve([1], n_repetitions=300, rng=0)
    assert "equally good, one dataset has p ≤ .05 in" in over_claims_sentence(curve)
    power = power_curve(lambda _: family_of(1, effect=9.0), [1], at_least=1, n_repetitions=9, rng=0)
    assert "on 1 of 1 dataset," in power_sentence(power, quantity="number of datasets")
    simulation = simulate_k_hat(only, n_repetitions=300, rng=0)
    assert "studies of one dataset, with A not better on it," in promise_sentence(simulation)


def test_a_stopped_run_is_said_to_be_one() -> None:
    wrong = dict.fromkeys(ESTIMATORS, 0)
    assert "300 of 1,000 studies" in stopped_sentence(counted(wrong=wrong, n=300, n_asked=1_000))
    assert stopped_sentence(counted(wrong=wrong, n=300)) == ""


def test_tables_show_the_rates_the_next_ones_the_means_and_the_power() -> None:
    simulation = counted(
        wrong={"count": 400, "bonferroni": 30, "fisher": 100, "simes": 52}, n=1_000
    )
    table = promise_table(simulation)
    assert table["too many: P(k̂ > 2)"].tolist() == [".4", ".03", ".1", ".052"]
    assert "P(k̂ > 3)" not in table
    assert promise_table(simulation, by_two=True)["P(k̂ > 3)"].tolist() == ["0"] * 4
    # R: binom.test(30, 1000)$conf.int
    assert table["95% interval"].tolist()[1] == ".0203 to .0426"
    claims = claim_table(simulation, at_least=3)
    assert claims["P(k̂ ≥ 3)"].tolist() == [".4", ".03", ".1", ".052"]
    assert claims["mean k̂"].tolist() == ["2.4", "2.03", "2.1", "2.05"]
    frame = results_frame(simulation)
    assert frame["above_k"].tolist() == [0.4, 0.03, 0.1, 0.052]
    assert frame["at_least_2"].tolist() == [1.0] * 4
    assert frame["mean"].tolist() == pytest.approx([2.4, 2.03, 2.1, 2.052])


@pytest.mark.parametrize("preset", [TOY_INDEPENDENT, TOY_DEPENDENT])
def test_the_papers_printed_figures_stand_beside_the_simulated_ones(
    preset: Preset,
) -> None:
    simulation = simulate_k_hat(preset.scenario, n_repetitions=1_000, rng=3)
    table = printed_table(simulation, preset)
    assert table["printed in the paper"].tolist()[-1] == "–"
    for name, shown in zip(ESTIMATORS, table["here: P(k̂ > 0)"], strict=True):
        assert float(shown) == pytest.approx((simulation.k_hat[name] > 0).mean(), abs=1e-9)
    assert ("in theory: P(k̂ > 1)" in table) == (preset is TOY_INDEPENDENT)
    assert preset.note in printed_sentence(simulation, preset)
    other = simulate_k_hat(preset.scenario, n_repetitions=10, alpha=0.1, rng=3)
    assert "at α = .05" in printed_sentence(other, preset)


def test_a_drawn_study_is_told_with_its_truth_and_the_tally() -> None:
    scenario = Scenario((Block(4, effect=8.0), Block(6)))
    draw = draw_one(scenario, 5, repetition=2)
    simulation = simulate_k_hat(scenario, n_repetitions=3, rng=5)
    small = int((draw.p_values <= 0.05).sum())
    assert draw_sentence(draw) == (
        f"Study 3 (seed 5): 10 datasets; A is truly better on 4 of them. {small} have p ≤ .05."
    )
    tiles = draw_tiles(draw, simulation)
    assert tiles[0].figure == f"{small} of 10"
    assert not tiles[0].guaranteed
    for tile, name in zip(tiles, ESTIMATORS, strict=True):
        assert simulation.k_hat[name][-1] == draw.k_hat[name]
        wrong = int((simulation.k_hat[name] > 4).sum())
        assert f"too many in {wrong} of 3 studies so far" in tile.detail
        assert tile.detail.startswith("not too many") == (draw.k_hat[name] <= 4)


def test_the_chance_of_a_win_is_the_share_of_simulated_wins() -> None:
    drawn = Scenario((Block(1, effect=2.0),)).draw(np.random.default_rng(0), 40_000)
    assert float((drawn <= 0.05).mean()) == pytest.approx(
        chance_of_a_win(2.0, alpha=0.05), abs=0.01
    )
    assert "shifted by 2: one such dataset has p ≤ .05 in 64% of studies" in shift_sentence(
        2.0, alpha=0.05
    )
    assert "by chance in 1% of studies" in shift_sentence(0.0, alpha=0.01)
    assert "B is truly better; z is shifted by −1" in shift_sentence(-1.0, alpha=0.05)


def test_procedures_that_name_wrongly_too_often_are_named() -> None:
    # The closed Fisher test is not valid where one factor moves all datasets.
    names = simulate_identification(Scenario((Block(10, rho=0.9),)), n_repetitions=2_000, rng=0)
    assert names_sentence(names) == (
        "In 2,000 studies, the closed Fisher test does not keep the promise about wrong names; the "
        "others keep it, as is proved."
    )
    table = names_table(names).set_index("procedure")
    assert table.loc["Closed Fisher test", "promise"] == "did not hold"
    assert table.loc["Holm", "promise"] == "proved"
    assert "finds, of those truly better" not in table
    holm = names.summaries["holm"].family_wise_error.rate
    assert float(str(table.loc["Holm", "any wrong name"])) == pytest.approx(holm, abs=1e-9)
    some = simulate_identification(Scenario((Block(3, effect=9.0),)), n_repetitions=100, rng=0)
    assert names_table(some)["finds, of those truly better"].tolist()[0] == "100%"
    assert "every procedure keeps its promise about names, as is proved" in names_sentence(some)
    unknown = replace(some, proved=())
    assert "no procedure is shown to break" in names_sentence(unknown)
    assert names_table(unknown)["promise"].tolist()[0] != "proved"
    # A share above the level by chance takes nothing away from what is proved.
    unlucky = replace(names, proved=tuple(names.summaries))
    assert "every procedure keeps its promise" in names_sentence(unlucky)


def test_wins_where_there_are_none_are_told_beside_theory() -> None:
    curve = over_claim_curve([1, 100], n_repetitions=4_000, rng=0)
    sentence = over_claims_sentence(curve)
    assert "at least one of 100 independent datasets has p ≤ .05 in 99" in sentence
    assert "in theory 99.4%; with one dataset it is" in sentence
    # 1 - .95**100 by hand: .99408.
    assert over_claims_table(curve)["theory, independent"].tolist() == [".05", ".9941"]
    dependent = over_claims_sentence(over_claim_curve([2, 9], n_repetitions=500, rho=0.5, rng=0))
    assert "9 dependent (ρ = 0.5) datasets" in dependent
    assert "theory" not in dependent


def test_power_is_told_of_the_last_point_and_tabled_for_each() -> None:
    curve = power_curve(
        lambda n: family_of(int(n), effect=9.0), [2, 6], at_least=2, n_repetitions=300, rng=0
    )
    sentence = power_sentence(curve, quantity="number of datasets")
    assert "(number of datasets: 6), with A truly better on 6 of 6 datasets" in sentence
    assert "“on at least 2” is claimed by Bonferroni in 100%, by Fisher in 100%" in sentence
    table = power_table(curve, quantity="number of datasets")
    assert table["number of datasets"].tolist() == ["2", "6"]
    assert table["Fisher"].tolist() == ["1", "1"]


def test_the_number_of_datasets_needed_is_told_with_what_is_open() -> None:
    found = datasets_needed(lambda n: family_of(n, effect=9.0), 3, n_repetitions=200, rng=0)
    assert needed_sentence(found).startswith(
        "With 3 datasets or more, “on at least 3” is claimed by Bonferroni in at least 80%"
    )
    assert "between 3 and 3" in needed_sentence(found)
    never = datasets_needed(lambda n: family_of(n), 3, n_repetitions=200, most=20, rng=0)
    assert needed_sentence(never).startswith("Up to 20 datasets do not suffice: with 20 ")
    stopped = datasets_needed(
        lambda n: family_of(n), 3, n_repetitions=200, rng=0, on_progress=lambda *_: False
    )
    assert needed_sentence(stopped).startswith("The search was stopped")


def test_every_scenario_says_what_is_true_in_it_in_whole_sentences() -> None:
    for words in SCENARIO_WORDS.values():
        assert words.title
        assert words.meaning.endswith(".")
