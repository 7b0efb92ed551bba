"""What is said of simulated studies is what was counted in them."""

import re
from dataclasses import replace

import pytest
from scipy.stats import binomtest

from core.replicability.combinations import combination_names
from core.sections.parts import Table
from core.sections.simulation import (
    claim_table,
    informative_claim,
    names_table,
    needed_sentence,
    power_parts,
    power_sentence,
    promise_sentence,
    promise_table,
    promise_words,
)
from core.simulation.batch import estimator_names
from core.simulation.families import family_of
from core.simulation.planning import datasets_needed, power_curve
from core.simulation.runs import simulate_identification, simulate_k_hat
from core.simulation.scenarios import Block, Scenario, shift_of
from core.words.simulation import percent, rate_without_effects
from tests.core.words.made import counted


def test_average_counts_of_thousands_of_datasets_are_no_powers_of_ten() -> None:
    many = simulate_k_hat(Scenario((Block(1_200, effect=9.0), Block(300))), n_repetitions=20, rng=0)
    said = promise_sentence(many) + claim_table(many, at_least=1_000).to_csv()
    assert "e+" not in said
    assert "Bonferroni 1,200" in said
    curve = power_curve(lambda n: family_of(2, effect=n), [1_234_567.0], n_repetitions=9, rng=0)
    assert "Bonferroni 1,234,567," in power_sentence(curve, quantity="n", target=0.8)


def test_a_promise_is_said_to_hold_to_fail_or_to_be_undecided_by_its_interval() -> None:
    # Clopper and Pearson's intervals of 30, 100 and 52 of 1,000: only the last holds .05.
    seen, near, none = (400, 30, 100, 52, 0), (400, 51, 52, 100, 0), (0,) * 5
    for simulation, promises in (
        (counted(seen), ("held", "did not hold", "not decided", "held")),
        (
            counted(near, proved=("bonferroni", "fisher")),
            ("proved", "proved", "did not hold", "held"),
        ),
        (counted(none), ("held",) * 4),
        (counted(none, n=1), ("–",) * 4),
    ):
        table = promise_table(simulation)
        assert table["promise of ≤ .05"].tolist() == ["none made", *promises]
        # Only what the table says is explained.
        said = promise_words(simulation)
        assert ("Proved:" in said) == ("proved" in promises)
        assert ("Not decided:" in said) == ("not decided" in promises)


def test_a_proved_count_is_within_chance_unless_that_is_hardly_ever_so_high() -> None:
    for n_wrong in range(51, 90):
        said = promise_sentence(counted((400, n_wrong, 0, 0, 0), proved=("bonferroni",)))
        hardly = binomtest(n_wrong, 1_000, 0.05, alternative="greater").pvalue <= 1 / 40
        assert ("chance puts it in at most 1 of 40 simulations" in said) == hardly
        assert ("within chance of 5%" in said) != hardly


def test_a_share_never_looks_to_lie_on_the_other_side_of_the_level() -> None:
    cases: tuple[tuple[float, float | None, str], ...] = (
        *((0.0502, 0.05, "5.02%"), (0.04998, 0.05, "4.998%"), (0.05, 0.05, "5%")),
        *((0.0003, 0.05, "0.03%"), (0.0003, 0.0001, "0.03%"), (0.000123, 0.0001, "0.012%")),
        *((0.0001004, 0.0001, "0.01004%"), (0.0, None, "0%"), (0.00001, None, "less than 0.01%")),
        *((0.0488, None, "4.88%"), (0.99999, None, "more than 99.99%"), (1.0, None, "100%")),
    )
    for share, level, written in cases:
        assert percent(share, level=level) == written, share


def test_where_a_is_better_on_all_no_count_is_judged() -> None:
    all_better = Scenario((Block(5, effect=2.0),))
    table = promise_table(simulate_k_hat(all_better, n_repetitions=300, rng=1))
    assert table["promise of ≤ .05"].tolist() == ["none made", *["–"] * 4]
    assert table["too many: P(k̂ > 5)"].tolist() == ["–"] * 5
    assert table["95% interval"].tolist() == ["–"] * 5
    assert not [column for column in table if "6" in str(column)]


def test_procedures_that_name_wrongly_too_often_are_named() -> None:
    # The closed Fisher test is not valid where one factor moves all datasets.
    names = simulate_identification(Scenario((Block(10, rho=0.9),)), n_repetitions=2_000, rng=0)
    table = names_table(names).set_index("procedure")
    assert table.loc["Closed Fisher test", "promise"] == "did not hold"
    assert table.loc["Holm", "promise"] == "proved"
    assert "finds, of those truly better" not in table
    holm = names.summaries["holm"].family_wise_error.rate
    assert float(str(table.loc["Holm", "any wrong name"])) == pytest.approx(holm, abs=1e-9)
    some = simulate_identification(Scenario((Block(3, effect=9.0),)), n_repetitions=100, rng=0)
    assert names_table(some)["finds, of those truly better"].tolist()[0] == "100%"
    assert names_table(replace(some, proved=()))["promise"].tolist()[0] != "proved"


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
    wrong = power_curve(lambda n: family_of(int(n)), [4], at_least=1, n_repetitions=100, rng=0)
    shown = power_parts(wrong, quantity="N")
    (table,) = (part.frame for part in shown if isinstance(part, Table))
    assert table["claim is"].tolist() == ["wrong"]


def test_a_number_after_which_the_power_falls_again_is_only_the_first() -> None:
    shift = shift_of(0.02, 1_000, 0.1)
    found = datasets_needed(
        lambda n: family_of(n, share_better=0.2, effect=shift),
        5,
        estimator="fisher",
        n_repetitions=2_000,
        most=110,
        rng=0,
    )
    assert re.findall(r"\b(?:73|78)\b", needed_sentence(found)) == ["73", "78"]


def test_the_claim_to_look_at_first_is_a_true_one_that_is_made_in_half_of_the_studies() -> None:
    simulation = simulate_k_hat(
        Scenario((Block(20, effect=3.0), Block(20))), n_repetitions=2_000, rng=1
    )
    m = informative_claim(simulation)
    assert 1 < m < 20
    assert max(simulation.power(name, m).rate for name in combination_names()) >= 0.5
    assert max(simulation.power(name, m + 1).rate for name in combination_names()) < 0.5
    assert informative_claim(simulate_k_hat(Scenario((Block(5),)), n_repetitions=50, rng=1)) == 1


@pytest.mark.parametrize("estimator", estimator_names())
def test_the_rate_in_theory_is_the_one_that_is_simulated(estimator: str) -> None:
    for n_datasets, alpha in ((1, 0.05), (7, 0.05), (12, 0.2)):
        simulation = simulate_k_hat(
            Scenario((Block(n_datasets),)), n_repetitions=50_000, alpha=alpha, rng=5
        )
        rate = simulation.overcount(estimator)
        theory = rate_without_effects(estimator, n_datasets, alpha=alpha)
        assert binomtest(rate.count, rate.n, theory).pvalue > 1e-4
