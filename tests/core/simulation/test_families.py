"""Shapes of dependence draw what they say, and every true null keeps P(p <= t) <= t."""

import re
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtri
from scipy.stats import binom, binomtest, kstest
from scipy.stats import t as student

from core.charts import k_hat_histograms
from core.replicability.joint import count_by_flips
from core.sections.simulation import promise_sentence, promise_table
from core.simulation.families import (
    SHAPES,
    family_of,
    shared_examples,
    shared_test_sets,
    together,
    union_of_others,
)
from core.simulation.runs import draw_one, extend_simulation, simulate_k_hat
from core.simulation.scenarios import (
    MOST_EXAMPLES,
    TOY_DEPENDENT,
    Block,
    Difference,
    Scenario,
    Source,
    mcnemar_datasets,
    shift_of,
)
from core.words.simulation import SCENARIO_WORDS
from tests.calibration.margins import Outcomes

N_DRAWS = 40_000
SMALLEST_P_VALUE = 1e-4
# Five standard errors of a correlation of 0; more of any other.
CLOSE = 5.0 / np.sqrt(N_DRAWS)


def drawn(source: Any, seed: int = 1) -> np.ndarray:
    p_values = source.draw(np.random.default_rng(seed), N_DRAWS)
    assert p_values.shape == (N_DRAWS, source.n_datasets)
    return np.asarray(p_values)


def correlations_of_z(p_values: np.ndarray) -> np.ndarray:
    return np.asarray(np.corrcoef(-ndtri(p_values), rowvar=False))


def test_the_words_about_a_shape_have_its_numbers() -> None:
    for name, told, signature in (
        ("one-factor", "all 100 datasets, and any two of these", "one factor over 100 rho=0.5"),
        ("union", "two others (203 and 252)", "union of 203, 252 + 9"),
    ):
        assert told in SCENARIO_WORDS[name].meaning
        assert (SHAPES[name].signature, SHAPES[name].k) == (signature, 0)


def test_one_factor_correlates_datasets_of_all_blocks() -> None:
    blocks = (Block(2, rho=0.2), Block(2, rho=0.8, effect=1.0), Block(1))
    shape = Scenario(blocks, one_factor=True)
    p_values = drawn(shape)
    loadings = np.sqrt([0.2, 0.2, 0.8, 0.8, 0.0])
    truth = np.outer(loadings, loadings)
    np.fill_diagonal(truth, 1.0)
    assert np.abs(correlations_of_z(p_values) - truth).max() < CLOSE
    for column, effect in zip(p_values.T, (0.0, 0.0, 1.0, 1.0, 0.0), strict=True):
        assert kstest(-ndtri(column) - effect, "norm").pvalue > SMALLEST_P_VALUE
    assert (shape.k, shape.truly_better.tolist()) == (2, [False, False, True, True, False])
    assert shape.signature == "one factor over 2 rho=0.2 + 2 rho=0.8 effect=1 + 1"


def test_one_factor_shared_by_both_groups_gives_the_note_of_the_second_example() -> None:
    shared = Scenario(TOY_DEPENDENT.scenario.blocks, one_factor=True)
    simulation = simulate_k_hat(shared, n_repetitions=100_000, rng=1)
    for estimator, rate in (("count", 0.944), ("bonferroni", 0.041), ("fisher", 0.267)):
        found = simulation.overcount(estimator)
        # The note gives three digits.
        assert abs(found.rate - rate) < 0.0005 + 5.0 * np.sqrt(rate * (1.0 - rate) / found.n)
        assert estimator in TOY_DEPENDENT.printed
    assert ".944, .041 and .267" in TOY_DEPENDENT.note


def test_a_union_is_the_test_of_all_examples_of_its_parts() -> None:
    # Beside examples themselves: unit normal differences, their sums over roots of n.
    sizes, rng = (3, 5, 8), np.random.default_rng(2)
    examples = rng.standard_normal((N_DRAWS, 16))
    parts = np.split(examples, np.cumsum(sizes)[:-1], axis=1)
    z = np.column_stack([part.sum(axis=1) / np.sqrt(part.shape[1]) for part in (*parts, examples)])
    p_values = drawn(union_of_others(*sizes))
    assert min(kstest(column, "uniform").pvalue for column in p_values.T) > SMALLEST_P_VALUE
    found = correlations_of_z(p_values)
    # Both are estimates.
    assert np.abs(found - np.corrcoef(z, rowvar=False)).max() < 1.5 * CLOSE
    assert found[3, 2] == pytest.approx(np.sqrt(8 / 16), abs=CLOSE)


def test_discrete_p_values_are_those_of_mcnemars_exact_test() -> None:
    shape = mcnemar_datasets(2, n_examples=30, share_differing=0.4, difference=0.2, n_better=1)
    p_values = drawn(shape)
    # P(p <= level) over every outcome of 30 examples.
    outcomes = Outcomes(30)
    exact = binom.sf(outcomes.wins - 1, outcomes.wins + outcomes.losses, 0.5)
    for column, d in zip(p_values.T, (0.2, 0.0), strict=True):
        for level in (0.01, 0.05, 0.2):
            expected = float(outcomes.chances(d, 0.4)[exact <= level * (1.0 + 1e-12)].sum())
            hits = int(np.count_nonzero(column <= level * (1.0 + 1e-12)))
            assert binomtest(hits, N_DRAWS, expected).pvalue >= SMALLEST_P_VALUE
            assert d > 0.0 or expected < level
    assert abs(float(np.corrcoef(p_values, rowvar=False)[0, 1])) < CLOSE
    assert shape.truly_better.tolist() == [True, False]
    assert shape.signature == "mcnemar 2 n=30 q=0.4 d=0.2 on 1"


def test_examples_of_a_family_are_drawn_where_they_are_few_and_datasets_independent() -> None:
    few, half = Difference(d=0.1, n_examples=MOST_EXAMPLES, q=0.2), {"share_better": 0.5}
    for d, n_better in ((0.1, 3), (0.0, 0)):
        expected = mcnemar_datasets(5, MOST_EXAMPLES, 0.2, d, n_better)
        found = family_of(5, effect=few._replace(d=d), **half)
        assert (type(found), found.signature) == (Source, expected.signature)
    many, worse = few._replace(n_examples=MOST_EXAMPLES + 1), few._replace(d=-0.1)
    for effect, rho in ((many, 0.0), (worse, 0.0), (few, 0.3), (2.5, 0.0)):
        shift = shift_of(*effect) if isinstance(effect, Difference) else effect
        blocks = Block(3, rho=rho, effect=shift), Block(2, rho=rho)
        shifted = Scenario(blocks, one_factor=rho > 0.0)
        assert family_of(5, effect=effect, rho=rho, **half) == shifted
    sets = shared_test_sets(2, 3, rho=0.5, n_better=1, effect=2.0)
    assert sets.truly_better.tolist() == [1, 0, 0] * 2
    apart = correlations_of_z(drawn(sets))[0, [1, 3]]
    assert apart == pytest.approx(np.array([0.5, 0.0]), abs=CLOSE)
    assert shared_test_sets(1, 3, rho=0.5, n_better=3, effect=2.0).k == 3
    # Eight digits of a hash stand for what each test set is made of.
    assert re.fullmatch(r"2 test sets of 3 rho=0\.5 effect=2 on 1 \(\w{8}\)", sets.signature)


@pytest.mark.parametrize(("d", "n", "q"), [(0.05, 400, 0.2), (-0.25, 50, 0.3), (0.0, 10, 1.0)])
def test_a_difference_on_so_many_examples_shifts_z_by_so_much(d: float, n: int, q: float) -> None:
    rng = np.random.default_rng(3)
    outcomes = rng.multinomial(n, [(q + d) / 2, (q - d) / 2, 1 - q], size=N_DRAWS)
    means = (outcomes[:, 0] - outcomes[:, 1]) / n
    # In units of the spread of such means, as simulated, where the shift is a formula.
    assert shift_of(d, n, q) == pytest.approx(float(means.mean() / means.std()), abs=0.06)


ALL, NOT_INDEPENDENT = ("bonferroni", "fisher", "simes", "stouffer"), ("bonferroni", "simes")


@pytest.mark.parametrize(
    ("source", "proved"),
    [
        (Scenario((Block(3), Block(2, effect=1.0))), ALL),
        (Scenario((Block(1, rho=0.5), Block(2))), ALL),
        (Scenario((Block(3), Block(2, rho=0.1))), NOT_INDEPENDENT),
        (Scenario((Block(1, rho=0.5), Block(2)), one_factor=True), ALL),
        (Scenario((Block(1, rho=0.5), Block(1, rho=0.5)), one_factor=True), NOT_INDEPENDENT),
        (union_of_others(3, 4), NOT_INDEPENDENT),
        (mcnemar_datasets(3), ALL),
        (together(mcnemar_datasets(3), union_of_others(3, 4)), NOT_INDEPENDENT),
        (together(mcnemar_datasets(3), Scenario((Block(2),))), ALL),
    ],
)
def test_a_scenario_knows_which_promises_are_proved_in_it(
    source: Scenario | Source, proved: tuple[str, ...]
) -> None:
    simulation = simulate_k_hat(source, n_repetitions=20_000, rng=3)
    assert simulation.proved == proved
    # What is proved is never simulated to be wrong beyond chance.
    for name in simulation.proved:
        rate = simulation.overcount(name)
        assert binom.sf(rate.count - 1, rate.n, rate.alpha) > 1e-5, name
    assert extend_simulation(simulation, source, n_repetitions=1).proved == proved


SETS = shared_examples(n_test_sets=2, n_sharing=3, n_examples=40, rho=0.6, effect=2.5, n_better=1)


def test_p_values_are_of_the_t_test_on_the_differences_that_are_flipped() -> None:
    p_values = SETS.draw(np.random.default_rng(3), 4)
    assert SETS.draw_flips is not None
    flips = SETS.draw_flips(np.random.default_rng(3), 4)
    z = np.array([each.observed for each in flips])
    # A sum over the root of its squares, 40 of them, as Student's t.
    assert p_values == pytest.approx(student.sf(z * np.sqrt(39.0 / (40.0 - z**2)), 39), rel=1e-9)
    correlation = correlations_of_z(SETS.draw(np.random.default_rng(4), 4_000))[1, 2]
    assert correlation == pytest.approx(0.6, abs=0.05)
    assert {(len(each.flipped), each.n_units, each.exact) for each in flips} == {(500, 80, False)}
    assert SETS.signature == "2 test sets of 3 rho=0.6 effect=2.5 on 1 examples=40 flips=499"
    assert SETS.truly_better.tolist() == [1, 0, 0] * 2
    for independent in (shared_examples(rho=0.0), shared_examples(n_sharing=1)):
        assert {*ALL, "joint-sum", "joint-max"} == set(independent.proved)
    apart = np.asarray(np.corrcoef(flips[0].flipped[1:], rowvar=False))
    assert apart[0, 1] > 0.3
    assert abs(apart[0, 3]) < 0.2


def test_the_joint_counts_stand_beside_those_of_p_values_in_every_answer() -> None:
    found = simulate_k_hat(SETS, n_repetitions=70, rng=5)
    assert found.estimators[-2:] == ("joint-sum", "joint-max")
    begun = simulate_k_hat(SETS, n_repetitions=33, rng=5)
    longer = extend_simulation(begun, SETS, n_repetitions=37)
    one = draw_one(SETS, 5, repetition=40)
    for name in found.estimators:
        assert (longer.k_hat[name] == found.k_hat[name]).all(), name
        assert one.k_hat[name] == found.k_hat[name][40], name
    bits = np.random.SFC64(np.random.SeedSequence(5, spawn_key=(1,)))
    assert SETS.draw_flips is not None
    flips = SETS.draw_flips(np.random.Generator(bits), 32)[8]
    assert one.k_hat["joint-sum"] == count_by_flips(flips).k_hat
    assert {"joint flips", "joint step-down"} <= set(promise_table(found)["count by"])
    assert "joint step-down" in promise_sentence(found)
    assert "joint flips" in str(k_hat_histograms(found).layout.annotations)


def test_joint_counts_keep_the_promise_that_fishers_breaks_on_shared_examples() -> None:
    none = shared_examples(n_test_sets=1, n_sharing=6, n_examples=30, rho=0.9)
    found = simulate_k_hat(none, n_repetitions=600, rng=1)
    assert found.overcount("fisher").position == "above"
    for name in ("joint-sum", "joint-max"):
        assert found.overcount(name).position != "above", name
        assert name in found.proved, name
    assert not {"fisher", "simes"} & set(found.proved)
