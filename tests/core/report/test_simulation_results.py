"""What is said of simulated studies is what was counted in them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from core.data.result_set import ResultSet
from core.report.simulation_draws import draw_sentence, draw_tiles
from core.report.simulation_frames import (
    names_frame,
    needed_frame,
    over_claims_frame,
    power_frame,
)
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
    informative_claim,
    percent,
    printed_sentence,
    promise_sentence,
    proved_sentence,
    stopped_sentence,
    undecided_sentence,
)
from core.report.simulation_tables import claim_table, printed_table, promise_table, results_frame
from core.report.simulation_words import (
    SCENARIO_WORDS,
    accuracy_sentence,
    chance_of_a_win,
    drawing_sentence,
    my_data_sentence,
    shift_sentence,
)
from core.simulation import (
    ESTIMATORS,
    TOY_DEPENDENT,
    TOY_INDEPENDENT,
    Block,
    LikeMyData,
    Preset,
    Scenario,
    Simulation,
    datasets_needed,
    draw_one,
    family_of,
    like_my_data,
    over_claim_curve,
    power_curve,
    shift_of,
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
        "In 1,000 simulated studies of 5 datasets, with A truly better on 2, counting one-sided p ≤ .05 "
        "claimed too many in 40%. The counts with a guarantee promise at most 5%: Bonferroni (3%) "
        "keeps that in this scenario; Fisher (10%) does not; for Simes (5.2%) so many studies do "
        "not decide it. Average counts, where the truth is 2: Bonferroni 2.03, Fisher 2.1 and "
        "Simes 2.05."
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
        "In one simulated study of 5 datasets, with A truly better on 2, counting one-sided p ≤ .05 did "
        "not claim too many; a single study says nothing about how often."
    )
    assert promise_table(one)["promise of ≤ .05"].tolist() == ["none made", "–", "–", "–"]
    assert undecided_sentence(one) == ""


def test_a_share_never_looks_like_the_level_unless_it_is() -> None:
    assert percent(0.0502, level=0.05) == "5.02%"
    assert percent(0.04998, level=0.05) == "4.998%"
    assert percent(0.05, level=0.05) == "5%"
    assert [percent(share) for share in (0.0, 0.00001, 0.0488, 0.99999, 1.0)] == [
        "0%",
        "less than 0.01%",
        "4.88%",
        "more than 99.99%",
        "100%",
    ]


def test_a_share_beside_a_tiny_level_keeps_its_digits() -> None:
    assert percent(0.0003, level=0.0001) == "0.03%"
    assert percent(0.000123, level=0.0001) == "0.012%"
    assert percent(0.0001004, level=0.0001) == "0.01004%"
    assert percent(0.0003, level=0.05) == "0.03%"
    wrong: dict[Estimator, int] = {"count": 4, "bonferroni": 1, "fisher": 2, "simes": 0}
    simulation = replace(counted(wrong=wrong, n=10_000), alpha=0.0001)
    sentence = promise_sentence(simulation)
    assert "claimed too many in 0.04%. The counts" in sentence
    assert "promise at most 0.01%" in sentence
    assert "Fisher (0.02%)" in sentence
    # R: binom.test(2, 10000)$conf.int
    assert promise_table(simulation)["95% interval"].tolist()[2] == ".0000242 to .000722"


def test_what_is_proved_is_not_said_to_be_undecided() -> None:
    wrong: dict[Estimator, int] = {"count": 400, "bonferroni": 51, "fisher": 52, "simes": 100}
    proved: tuple[Combination, ...] = ("bonferroni", "fisher")
    simulation = counted(wrong=wrong, n=1_000, proved=proved)
    # Their intervals hold .05: that they exceed it is chance, and is said beside each.
    assert (
        "promise at most 5%: as is proved, Bonferroni (5.1%, within chance of 5%) and Fisher (5.2%, "
        "within chance of 5%) keep that; Simes (10%) does not."
    ) in promise_sentence(simulation)
    assert promise_table(simulation)["promise of ≤ .05"].tolist() == [
        "none made",
        "proved",
        "proved",
        "did not hold",
    ]
    assert undecided_sentence(simulation) == ""
    assert "theory gives at most α" in proved_sentence(simulation)
    above: dict[Estimator, int] = {**wrong, "bonferroni": 70, "fisher": 80, "simes": 90}
    unlucky = counted(wrong=above, n=1_000, proved=COMBINATIONS)
    assert "keep that, though chance put all three above it here." in promise_sentence(unlucky)
    kept = counted(wrong={**wrong, "bonferroni": 50, "fisher": 20}, n=1_000, proved=proved)
    assert "as is proved, Bonferroni (5%) and Fisher (2%) keep that; Simes" in promise_sentence(
        kept
    )
    below = counted(wrong=dict.fromkeys(ESTIMATORS, 0), n=1_000, proved=proved)
    assert proved_sentence(below) == ""


def test_where_a_is_better_on_all_no_count_is_judged() -> None:
    all_better = Scenario((Block(5, effect=2.0),))
    simulation = simulate_k_hat(all_better, n_repetitions=300, rng=1)
    assert promise_sentence(simulation) == (
        "In 300 simulated studies of 5 datasets, with A truly better on all, nothing can be too "
        "many: A is better on all."
    )
    table = promise_table(simulation)
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
    assert "equally good, one dataset has a one-sided p ≤ .05 in" in over_claims_sentence(curve)
    power = power_curve(lambda _: family_of(1, effect=9.0), [1], at_least=1, n_repetitions=9, rng=0)
    assert "by Fisher from 1 on" in power_sentence(power, quantity="number of datasets", target=0.8)
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
    assert table["P(k̂ > 3)"].tolist() == ["0"] * 4
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
        f"Study 3 (seed 5): 10 datasets; A is truly better on 4 of them. {small} have a one-sided p ≤ .05."
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
    assert "at least one of 100 independent datasets has a one-sided p ≤ .05 in 99" in sentence
    said = "in theory 99.41%, and 92.05% for two-sided p ≤ .05 with A ahead; with one dataset it is"
    assert said in sentence
    # 1 - .95**100 by hand: .99408.
    assert over_claims_table(curve)["theory, independent"].tolist() == [".05", ".9941"]
    dependent = over_claims_sentence(over_claim_curve([2, 9], n_repetitions=500, rho=0.5, rng=0))
    assert "9 dependent (ρ = 0.5) datasets" in dependent
    assert "theory" not in dependent


def test_power_is_told_by_where_each_count_makes_the_claim_often_enough() -> None:
    curve = power_curve(
        lambda n: family_of(int(n), effect=3.0), [2, 4, 6], at_least=2, n_repetitions=300, rng=0
    )
    first = {
        name: next((p.value for p in curve.points if p.power[name].rate >= 0.8), None)
        for name in COMBINATIONS
    }
    sentence = power_sentence(curve, quantity="number of datasets", target=0.8)
    assert "“On at least 2” is claimed in at least 80% of 300 simulated studies" in sentence
    for name, value in first.items():
        assert f"by {name.capitalize()} from {value} on" in sentence
    assert "no guarantee" not in sentence
    table = power_table(curve, quantity="number of datasets")
    assert table["number of datasets"].tolist() == ["2", "4", "6"]
    assert table["claim is"].tolist() == ["true"] * 3
    never = power_curve(lambda n: family_of(int(n), effect=0.1), [3], at_least=3, rng=0)
    assert "by Fisher not up to 3, with" in power_sentence(
        never, quantity="number of datasets", target=0.8
    )


def test_a_wrong_claim_is_no_power_and_fisher_has_no_guarantee_where_datasets_depend() -> None:
    curve = power_curve(
        lambda n: family_of(int(n), share_better=0.5, effect=9.0, rho=0.5),
        [4, 10, 12],
        at_least=5,
        n_repetitions=300,
        rng=0,
    )
    assert [point.is_true for point in curve.points] == [False, True, True]
    assert [point.value for point in curve.true_points] == [10, 12]
    sentence = power_sentence(curve, quantity="number of datasets", target=0.8)
    assert "1 point is left out, where A is better on fewer datasets" in sentence
    assert "by Fisher (no guarantee here) from 10 on" in sentence
    assert "by Bonferroni from 10 on" in sentence
    wrong = power_curve(lambda n: family_of(int(n)), [4], at_least=1, n_repetitions=100, rng=0)
    assert "At no point of the curve is the claim true" in power_sentence(
        wrong, quantity="N", target=0.8
    )
    assert power_table(wrong, quantity="N")["claim is"].tolist() == ["wrong"]


def test_the_number_of_datasets_needed_is_told_with_what_is_open() -> None:
    found = datasets_needed(lambda n: family_of(n, effect=9.0), 3, n_repetitions=200, rng=0)
    assert needed_sentence(found) == (
        "From 3 datasets on, “on at least 3” is claimed by Bonferroni in at least 80% of studies. "
        "Simulation leaves no other number as the first (200 studies for each number tried, 95% "
        "intervals)."
    )
    never = datasets_needed(
        lambda n: family_of(n, effect=0.5), 3, n_repetitions=200, most=20, rng=0
    )
    assert needed_sentence(never).startswith("Up to 20 datasets do not suffice: with 20 ")
    wrong = datasets_needed(lambda n: family_of(n), 3, n_repetitions=200, most=20, rng=0)
    assert needed_sentence(wrong).startswith("Up to 20 datasets A is better on fewer than 3: the")
    stopped = datasets_needed(
        lambda n: family_of(n, effect=9.0),
        3,
        n_repetitions=200,
        rng=0,
        on_progress=lambda *_: False,
    )
    assert stopped.complete or needed_sentence(stopped).startswith("The search was stopped")


def test_a_number_after_which_the_power_falls_again_is_only_the_first() -> None:
    shift = shift_of(0.02, 1_000, 0.1)
    found = datasets_needed(
        lambda n: family_of(n, share_better=0.2, effect=shift),
        5,
        estimator="fisher",
        n_repetitions=20_000,
        most=150,
        rng=0,
    )
    sentence = needed_sentence(found)
    assert sentence.startswith("73 datasets are the first with which “on at least 5” is claimed by")
    assert "from 78 on it is so with every number" in sentence
    dependent = datasets_needed(
        lambda n: family_of(n, effect=9.0, rho=0.5), 2, estimator="fisher", n_repetitions=99, rng=0
    )
    assert "claimed by Fisher (no guarantee here) in" in needed_sentence(dependent)


def test_what_a_difference_in_accuracy_means_is_said_with_how_it_is_known() -> None:
    # 12.7%: McNemar's exact power by summing over every outcome; 30.4%: the normal tail.
    drawn = accuracy_sentence(0.05, 50, 0.1, alpha=0.05, exactly=True)
    assert "has p ≤ .05 by McNemar's exact test, which is drawn here, in 13%" in drawn
    shifted = accuracy_sentence(0.05, 50, 0.1, alpha=0.05, exactly=False)
    assert (
        "in 30% of studies. That is a normal approximation; by McNemar's exact test it is 13%"
        in (shifted)
    )
    assert "About 5 differing examples are few for it" in shifted
    many = accuracy_sentence(0.02, 5_000, 0.1, alpha=0.05, exactly=False)
    assert many.endswith("That is a normal approximation.")
    assert "below about 500 examples" in drawing_sentence(rho=0.5, share_differing=0.1)
    assert "McNemar's exact p-values are drawn" in drawing_sentence(rho=0.0, share_differing=0.1)


def made_of(**given: Any) -> LikeMyData:
    rng = np.random.default_rng(1)
    scores = {name: {"A": rng.random(40) < 0.6, "B": rng.random(40) < 0.5} for name in ("D", "E")}
    plain = {
        name: {system: values.astype(float).tolist() for system, values in systems.items()}
        for name, systems in scores.items()
    }
    return like_my_data(ResultSet.from_scores(plain, **given), a="A", b="B")


def test_independence_of_ones_own_data_is_said_only_where_it_is_known() -> None:
    unknown = made_of()
    sentence = my_data_sentence(unknown)
    assert unknown.proved == ("bonferroni",)
    assert "cannot be told from this file; they are simulated as if they did not" in sentence
    assert "Fisher's share may be larger" in sentence
    assert "independent" not in sentence
    words = [
        f"{a}{b}{c}"
        for a in ("ba", "de", "fi", "go")
        for b in ("lum", "per", "sot", "ran")
        for c in ("ing", "ed", "ly", "ous", "ness")
    ]
    known = made_of(examples={"D": words[:40], "E": words[40:]})
    assert known.proved == COMBINATIONS
    assert "here the datasets are independent" in my_data_sentence(known)
    shared = made_of(examples={"D": words[:40], "E": words[20:60]})
    assert "stand in more than one dataset and keep what they say" in my_data_sentence(shared)
    assert "which may not be the test chosen under Per-dataset tests" in my_data_sentence(shared)
    assert "On " not in my_data_sentence(shared)[20:].partition("Per-dataset tests.")[2]


def test_what_a_units_contribution_is_said_truly_of_every_kind_of_metric() -> None:
    rounded = replace(made_of(), is_exact=np.array([True, False]))
    for measure, words in (
        ("difference", "On 1 dataset they are of differences rounded finely"),
        ("correlation", "of how far each example moves the correlation, in first order"),
        ("metric", "of how far each example moves the score, in first order"),
    ):
        assert words in my_data_sentence(replace(rounded, measure=measure))  # type: ignore[arg-type]


def test_the_claim_to_look_at_first_is_a_true_one_that_is_made_in_half_of_the_studies() -> None:
    simulation = simulate_k_hat(
        Scenario((Block(20, effect=3.0), Block(20))), n_repetitions=2_000, rng=1
    )
    m = informative_claim(simulation)
    assert 1 < m < 20
    assert max(simulation.power(name, m).rate for name in COMBINATIONS) >= 0.5
    assert max(simulation.power(name, m + 1).rate for name in COMBINATIONS) < 0.5
    assert informative_claim(simulate_k_hat(Scenario((Block(5),)), n_repetitions=50, rng=1)) == 1


def test_what_is_taken_away_has_all_digits_and_the_line_that_gives_it_again() -> None:
    scenario = Scenario((Block(3, effect=2.0), Block(3)))
    names = simulate_identification(scenario, n_repetitions=700, rng=0)
    frame = names_frame(names).set_index("procedure")
    holm = names.summaries["holm"]
    assert frame.loc["holm", "any_wrong_name"] == holm.family_wise_error.rate
    assert holm.power is not None
    assert frame.loc["holm", "share_found"] == holm.power.value
    curve = power_curve(lambda n: family_of(int(n), effect=2.0), [2, 3], n_repetitions=700, rng=0)
    assert power_frame(curve)["fisher"].tolist() == [p.power["fisher"].rate for p in curve.points]
    wins = over_claim_curve([1, 9], n_repetitions=700, rng=0)
    assert over_claims_frame(wins)["simulated"].tolist() == [p.simulated.rate for p in wins.points]
    needed = datasets_needed(lambda n: family_of(n, effect=3.0), 2, n_repetitions=700, rng=0)
    assert needed_frame(needed)["power"].tolist() == [one.rate for one in needed.tried.values()]
    for signature in (curve.signature, needed.signature):
        assert "repetitions:700|seed:0|v:" in signature
    other = power_curve(lambda n: family_of(int(n), effect=2.1), [2, 3], n_repetitions=700, rng=0)
    assert other.signature != curve.signature


def test_every_scenario_says_what_is_true_in_it_in_whole_sentences() -> None:
    for words in SCENARIO_WORDS.values():
        assert words.title
        assert words.meaning.endswith(".")
