"""P-values of "at least u of N" against the definition, published values and exact sums."""

from __future__ import annotations

import math
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from core.replicability.combinations import combination_names, fisher_tail, minus_logs
from core.replicability.counting import partial_conjunction_p_values
from tests.core.replicability import oracles

# The example in the README of the paper's own code (github rtmdrr/replicability-analysis-NLP):
# k_hat 1 by Bonferroni and 2 by Fisher at .05.
EXAMPLE = [0.168, 0.297, 0.357, 0.019, 0.218, 0.001]

every_combination = pytest.mark.parametrize("combination", combination_names())


@pytest.mark.parametrize(
    ("combination", "expected"),
    [
        # By hand: 6 * .001, 5 * .019, 4 * .168, and nothing larger after it.
        ("bonferroni", [0.006, 0.095, 0.672, 0.672, 0.672, 0.672]),
        # adaFilter::computePC in R, and the maximum over all subsets.
        ("fisher", [0.0010237, 0.0398981, 0.1959760, 0.2742188, 0.3439626, 0.357]),
        ("simes", [0.006, 0.095, 0.357, 0.357, 0.357, 0.357]),
        # By scipy.stats.combine_pvalues of the largest ones.
        ("stouffer", [0.00071963, 0.01748022, 0.09336726, 0.16625155, 0.26236563, 0.357]),
    ],
)
def test_the_papers_example_has_its_published_values(
    combination: str, expected: list[float]
) -> None:
    found = partial_conjunction_p_values(EXAMPLE, combination=combination)
    np.testing.assert_allclose(found, expected, atol=5e-8, rtol=0)


def test_fishers_published_values_hold_to_all_their_digits() -> None:
    # The reference of the family "dror2017_readme", by enumeration of all subsets.
    expected = [
        0.0010236562707984724,
        0.03989813646206071,
        0.19597603158808116,
        0.27421879885938344,
        0.343962596798969,
        0.357,
    ]
    found = partial_conjunction_p_values(EXAMPLE, combination="fisher")
    np.testing.assert_allclose(found, expected, rtol=1e-13)


@every_combination
@settings(max_examples=60)
@given(p_values=oracles.exact_p_values(7))
def test_each_entry_is_the_largest_over_all_sets_of_its_size_and_larger_ones(
    combination: str, p_values: list[Fraction]
) -> None:
    found = partial_conjunction_p_values(oracles.as_floats(p_values), combination=combination)
    expected = [float(p) for p in oracles.partial_conjunction(p_values, combination)]
    np.testing.assert_allclose(found, expected, rtol=1e-11, atol=0)


@pytest.mark.parametrize("combination", ["fisher", "stouffer"])
@settings(max_examples=60)
@given(p_values=st.lists(st.floats(1e-12, 1.0), min_size=2, max_size=30))
def test_every_entry_is_scipys_for_the_largest_p_values(
    combination: Literal["fisher", "stouffer"], p_values: list[float]
) -> None:
    found = partial_conjunction_p_values(p_values, combination=combination)
    ordered = sorted(p_values)
    largest_so_far = 0.0
    for u in range(1, len(ordered) + 1):
        combined = float(stats.combine_pvalues(ordered[u - 1 :], method=combination).pvalue)
        largest_so_far = max(largest_so_far, combined)
        assert found[u - 1] == pytest.approx(largest_so_far, rel=1e-10)


@every_combination
def test_a_zero_leaves_the_claims_about_more_datasets_as_they_are_without_it(
    combination: str,
) -> None:
    rest = [0.3, 0.02, 0.7, 0.004]
    with_zero = partial_conjunction_p_values([*rest, 0.0], combination=combination)
    assert with_zero[0] == 0.0
    np.testing.assert_array_equal(
        with_zero[1:], partial_conjunction_p_values(rest, combination=combination)
    )


@every_combination
def test_datasets_with_p_of_one_count_as_datasets_without_an_effect(
    combination: str,
) -> None:
    alone = partial_conjunction_p_values([1e-4], combination=combination)
    beside = partial_conjunction_p_values([1e-4, 1.0, 1.0, 1.0], combination=combination)
    # By hand: 4e-4 for Bonferroni and Simes; for Fisher 1e-4 * sum_{k<4} (4 ln 10)^k / k!;
    # for Stouffer a single p-value of 1 undoes all others.
    log = 4 * math.log(10)
    fisher = 1e-4 * (1 + log + log**2 / 2 + log**3 / 6)
    expected = {"fisher": fisher, "stouffer": 1.0}.get(combination, 4e-4)
    assert alone[0] == pytest.approx(1e-4, rel=1e-12)
    assert beside[0] == pytest.approx(expected, rel=1e-12)
    assert beside[1:].tolist() == [1.0, 1.0, 1.0]


def test_a_tail_that_one_minus_a_distribution_function_loses_is_kept() -> None:
    # By hand: 1e-40 * (1 + 40 ln 10).
    found = partial_conjunction_p_values([1e-20, 1e-20], combination="fisher")
    assert found[0] == pytest.approx(1e-40 * (1 + 40 * math.log(10)), rel=1e-12)


def test_stouffers_tails_are_kept_far_beyond_what_one_minus_a_distribution_function_has() -> None:
    # Of three z of 20 the sum is 60, over the root of 3: 34.64; Mills' ratio to five terms.
    p = float(stats.norm.sf(20.0))
    x = 60 / math.sqrt(3)
    series = 1 - x**-2 + 3 * x**-4 - 15 * x**-6 + 105 * x**-8
    expected = math.exp(-x * x / 2) / (x * math.sqrt(2 * math.pi)) * series
    found = partial_conjunction_p_values([p, p, p], combination="stouffer")
    assert found[0] == pytest.approx(expected, rel=1e-9, abs=0)
    assert found[2] == pytest.approx(p, rel=1e-12, abs=0)


def test_by_stouffer_one_p_value_near_1_undoes_what_others_show() -> None:
    alone = partial_conjunction_p_values([0.01] * 4, combination="stouffer")
    beside = partial_conjunction_p_values([0.01] * 4 + [1 - 1e-12], combination="stouffer")
    assert alone[0] < 1e-5
    assert beside[0] > 0.05
    # The largest p-value is in every claim.
    undone = partial_conjunction_p_values([0.01] * 4 + [1.0], combination="stouffer")
    assert undone.tolist() == [1.0] * 5
    # A p-value of 0 never occurs where A is not better: it outweighs one of 1.
    extremes = partial_conjunction_p_values([0.0, 1.0], combination="stouffer")
    assert extremes.tolist() == [0.0, 1.0]


# Degrees of freedom from two to ten thousand, sums from far below to far above them.
TAIL_GRID = [
    (n_combined, relative * n_combined)
    for n_combined in (1, 2, 7, 23, 100, 5000)
    for relative in (1e-6, 0.5, 1.0, 1.1, 3.0)
] + [(1, 690.0), (2, 650.0), (5, 650.0), (23, 600.0), (100, 800.0), (1000, 2500.0)]


def test_fishers_tail_is_the_exact_poisson_sum() -> None:
    for n_combined, total in TAIL_GRID:
        exact = float(oracles.poisson_tail(Decimal(total), n_combined))
        found = float(fisher_tail(np.array([total]), np.array([float(n_combined)]))[0])
        if exact > 1e-300:
            assert found == pytest.approx(exact, rel=1e-10, abs=0), (n_combined, total)
        else:
            assert 0.0 <= found < 1e-299, (n_combined, total)


@pytest.mark.parametrize("seed", [1])
def test_fisher_over_many_datasets_is_the_exact_sum_at_every_u(seed: int) -> None:
    p_values = np.sort(np.random.default_rng(seed).beta(0.7, 1.0, size=200))
    found = partial_conjunction_p_values(p_values, combination="fisher")
    with localcontext() as context:
        context.prec = 60
        logs = [-Decimal(float(p)).ln() for p in p_values]
        largest_so_far = 0.0
        for u in range(1, 201):
            tail = float(oracles.poisson_tail(sum(logs[u - 1 :], Decimal(0)), 201 - u))
            largest_so_far = max(largest_so_far, tail)
            assert found[u - 1] == pytest.approx(largest_so_far, rel=1e-10, abs=0)


def test_the_smallest_float_has_a_finite_logarithm_and_zero_an_infinite_one() -> None:
    found = minus_logs(np.array([0.0, 5e-324, 1.0]))
    assert found[0] == math.inf
    assert found[1] == pytest.approx(1074 * math.log(2), rel=1e-14)
    assert found[2] == 0.0
    assert not np.signbit(found[2])


@every_combination
@settings(max_examples=50)
@given(p_values=oracles.float_p_values(12))
def test_entries_of_any_floats_are_p_values_that_never_fall_with_u(
    combination: str, p_values: list[float]
) -> None:
    found = partial_conjunction_p_values(p_values, combination=combination)
    assert not np.isnan(found).any()
    assert np.all((found >= 0.0) & (found <= 1.0))
    assert np.all(np.diff(found) >= 0.0)


@pytest.mark.parametrize(
    ("p_values", "said"),
    [
        ([], "got none"),
        ([0.1, math.nan], "nan at index 1"),
        ([1.5], "1.5 at index 0"),
        ([0.2, 0.3, -0.1], "-0.1 at index 2"),
        ([[0.1, 0.2]], "got 2 dimensions"),
        (0.1, "got 0 dimensions"),
    ],
)
def test_wrong_p_values_are_refused_with_what_came(p_values: object, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        partial_conjunction_p_values(p_values)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["Fisher", "edgington", "", "count", "holm"])
def test_an_unknown_combination_is_refused_with_its_name_and_the_choices(name: str) -> None:
    with pytest.raises(
        ValueError, match=f"'bonferroni', 'fisher', 'simes', 'stouffer'; got '{name}'"
    ):
        partial_conjunction_p_values([0.1], combination=name)
