"""Names by each procedure against published values, statsmodels and the textbooks' own steps."""

from collections.abc import Callable
from fractions import Fraction
from unittest import mock

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from core.replicability.identification import (
    OF_JOINT_FLIPS,
    all_procedures,
    identify_datasets,
    named_by,
    procedure_names,
    usual_procedure,
)
from tests.core.replicability import oracles

STATSMODELS_NAMES: dict[str, str] = {
    "bonferroni": "bonferroni",
    "holm": "holm",
    "hochberg": "simes-hochberg",
    "hommel": "hommel",
    "benjamini-hochberg": "fdr_bh",
    "benjamini-yekutieli": "fdr_by",
}

every_procedure = pytest.mark.parametrize("procedure", procedure_names())


@pytest.mark.parametrize("procedure", STATSMODELS_NAMES)
@settings(max_examples=60)
@given(p_values=oracles.float_p_values(25), alpha=st.sampled_from([0.01, 0.05, 0.1, 0.5]))
# In floats 5 · .007 / 5 is above .007.
@example(p_values=[0.007, 1.0, 1.0, 1.0, 1.0], alpha=0.05)
def test_adjusted_p_values_and_names_are_those_of_statsmodels(
    procedure: str, p_values: list[float], alpha: float
) -> None:
    # For Holm statsmodels collects all garbage in each call: those of every test collected so far.
    with mock.patch("gc.collect"):
        expected_names, expected, _, _ = multipletests(
            p_values, alpha=alpha, method=STATSMODELS_NAMES[procedure]
        )
    found = identify_datasets(p_values, alpha=alpha, procedure=procedure)
    np.testing.assert_allclose(found.adjusted_p_values, expected, rtol=1e-12, atol=1e-322)
    # A tie at the boundary is decided by the rounding there, by arithmetic here.
    assume(np.all(np.abs(expected / alpha - 1.0) > 1e-9))
    np.testing.assert_array_equal(found.rejected, expected_names)


def _cut_offs(procedure: str, n: int, level: Fraction) -> list[Fraction]:
    ranks = range(1, n + 1)
    harmonic = sum((Fraction(1, rank) for rank in ranks), Fraction(0))
    rules: dict[str, Callable[[int], Fraction]] = {
        "bonferroni": lambda rank: level / n,
        "holm": lambda rank: level / (n + 1 - rank),
        "hochberg": lambda rank: level / (n + 1 - rank),
        "benjamini-hochberg": lambda rank: level * rank / n,
        "benjamini-yekutieli": lambda rank: level * rank / (n * harmonic),
    }
    return [rules[procedure](rank) for rank in ranks]


STEP_DOWN: tuple[str, ...] = ("bonferroni", "holm")
STEP_UP: tuple[str, ...] = ("hochberg", "benjamini-hochberg", "benjamini-yekutieli")


@pytest.mark.parametrize("procedure", [*STEP_DOWN, *STEP_UP])
@settings(max_examples=60)
@given(p_values=oracles.exact_p_values(30), level=oracles.levels)
# In floats 7/3 of .01 · 3/7 is above .01.
@example(p_values=[Fraction(3, 700)] * 3 + [Fraction(1)] * 4, level=Fraction(1, 100))
def test_names_are_those_of_the_textbooks_steps_in_exact_fractions_ties_at_the_boundary_included(
    procedure: str, p_values: list[Fraction], level: Fraction
) -> None:
    walk = oracles.step_down if procedure in STEP_DOWN else oracles.step_up
    expected = walk(p_values, _cut_offs(procedure, len(p_values), level))
    found = identify_datasets(oracles.as_floats(p_values), alpha=float(level), procedure=procedure)
    assert found.rejected.tolist() == expected


@pytest.mark.parametrize("procedure", oracles.CLOSED)
@settings(max_examples=60, deadline=None)
@given(p_values=oracles.exact_p_values(10), level=oracles.levels)
def test_names_are_those_of_a_closed_test_over_all_intersections(
    procedure: str, p_values: list[Fraction], level: Fraction
) -> None:
    closed = oracles.ClosedTest(p_values, oracles.CLOSED[procedure])
    count = closed.counter(level)
    found = identify_datasets(oracles.as_floats(p_values), alpha=float(level), procedure=procedure)
    singles = range(len(p_values))
    assert found.rejected.tolist() == [count(1 << i) == 1 for i in singles]
    np.testing.assert_allclose(
        found.adjusted_p_values, [closed.adjusted_p_value(i) for i in singles], rtol=1e-11
    )


@every_procedure
@settings(max_examples=60)
@given(p_values=oracles.float_p_values(15), data=st.data())
def test_an_adjusted_p_value_is_the_smallest_level_that_names_its_dataset(
    procedure: str, p_values: list[float], data: st.DataObject
) -> None:
    index = data.draw(st.integers(0, len(p_values) - 1))
    level = float(identify_datasets(p_values, procedure=procedure).adjusted_p_values[index])
    assume(1e-300 < level < 1.0)
    assert identify_datasets(p_values, alpha=level, procedure=procedure).rejected[index]
    below = identify_datasets(p_values, alpha=level * (1 - 1e-9), procedure=procedure)
    assert not below.rejected[index]


# Thresholds


@pytest.mark.parametrize("procedure", ["bonferroni", "hommel", "fisher-closed"])
@settings(max_examples=60)
@given(p_values=oracles.exact_p_values(12), level=oracles.levels)
def test_a_dataset_is_named_exactly_when_its_p_value_is_within_its_threshold(
    procedure: str, p_values: list[Fraction], level: Fraction
) -> None:
    floats = oracles.as_floats(p_values)
    found = identify_datasets(floats, alpha=float(level), procedure=procedure)
    # 1e-10: room for the quantile function; the exact fractions never come so near but to tie.
    within = np.array(floats) <= found.thresholds * (1 + 1e-10)
    np.testing.assert_array_equal(within, found.rejected)


@pytest.mark.parametrize(
    ("procedure", "expected"),
    [
        # By hand for p = .01, .02, .02, .5 at .06; the tied two take their first rank (2) when
        # stepping down and their last (3) when stepping up.
        ("bonferroni", [0.015, 0.015, 0.015, 0.015]),
        ("holm", [0.015, 0.02, 0.02, 0.06]),
        ("hochberg", [0.015, 0.03, 0.03, 0.06]),
        ("benjamini-hochberg", [0.015, 0.045, 0.045, 0.06]),
        # 1 + 1/2 + 1/3 + 1/4 = 25/12.
        ("benjamini-yekutieli", [0.0072, 0.0216, 0.0216, 0.0288]),
        # {.5} is the largest set that Simes' test does not reject: {.02, .5} gives .04.
        ("hommel", [0.06, 0.06, 0.06, 0.06]),
    ],
)
def test_thresholds_worked_out_by_hand(procedure: str, expected: list[float]) -> None:
    found = identify_datasets([0.02, 0.5, 0.01, 0.02], alpha=0.06, procedure=procedure)
    np.testing.assert_allclose(found.thresholds, np.array(expected)[[1, 3, 0, 2]], rtol=1e-13)


@pytest.mark.parametrize("procedure", ["fisher-closed", "stouffer-closed"])
@settings(max_examples=200)
@given(
    p_values=oracles.float_p_values(15), alpha=st.sampled_from([0.01, 0.05, 0.1]), data=st.data()
)
def test_a_p_value_moved_to_its_closed_threshold_is_named_and_a_bit_beyond_is_not(
    procedure: str, p_values: list[float], alpha: float, data: st.DataObject
) -> None:
    index = data.draw(st.integers(0, len(p_values) - 1))
    found = identify_datasets(p_values, alpha=alpha, procedure=procedure)
    threshold = float(found.thresholds[index])
    assume(threshold > 1e-290)

    def named_at(p: float) -> bool:
        moved = [*p_values[:index], p, *p_values[index + 1 :]]
        again = identify_datasets(moved, alpha=alpha, procedure=procedure)
        return bool(again.rejected[index])

    assert threshold <= alpha * (1 + 1e-12)
    assert named_at(threshold * (1 - 1e-10))
    assert not named_at(threshold * (1 + 1e-8))


# Extremes


@every_procedure
def test_p_values_of_1e_minus_300_keep_their_order_of_magnitude(procedure: str) -> None:
    found = identify_datasets([1e-300, 0.2, 1e-200], procedure=procedure)
    assert found.rejected.tolist() == [True, False, True]
    # By Stouffer's z, 37.0, -.8 and 30.2: their least sum over the root of how many.
    low, high = (1e-158, 1e-157) if procedure == "stouffer-closed" else (1e-301, 1e-296)
    assert low < found.adjusted_p_values[0] < high
    assert found.adjusted_p_values[0] < found.adjusted_p_values[2] < 1e-90
    assert 1e-201 < found.adjusted_p_values[2] < 1e-196 or procedure == "stouffer-closed"


# The result and its errors


def test_the_short_way_to_names_gives_those_of_the_whole_procedure() -> None:
    for procedure in procedure_names():
        rng = np.random.default_rng(5)
        for _ in range(50):
            p_values = np.round(rng.uniform(size=rng.integers(1, 30)) ** 3, 3)
            whole = identify_datasets(p_values, procedure=procedure)
            short = named_by(p_values, alpha=0.05, procedure=procedure)
            assert short.tolist() == whole.rejected.tolist(), (procedure, p_values)


def test_an_unknown_procedure_is_refused_with_its_name() -> None:
    for name, said in (
        ("Holm", "one of 'holm', .*; got 'Holm'"),
        ("fisher", "'fisher'"),
        ("", "''"),
    ):
        with pytest.raises(ValueError, match=f"`procedure` must be .*{said}"):
            identify_datasets([0.1], procedure=name)


def test_two_procedures_bound_a_mean_share_of_wrong_names_and_all_others_any_wrong_name() -> None:
    of_shares = {each.name for each in all_procedures() if not each.bounds_each_list}
    assert of_shares == {"benjamini-hochberg", "benjamini-yekutieli"}
    assert all(each.bounds_each_list for each in OF_JOINT_FLIPS)
    assert (usual_procedure(), usual_procedure(joint=True)) == ("holm", OF_JOINT_FLIPS[0].name)


@every_procedure
def test_all_procedures_of_p_values_compare_each_with_a_threshold(procedure: str) -> None:
    assert identify_datasets([0.001, 0.2, 1.0], procedure=procedure).compares_p_values
