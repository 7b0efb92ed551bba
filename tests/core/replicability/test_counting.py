"""k_hat against published values, its definition, and the promises it makes."""

from __future__ import annotations

import dataclasses
import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings

from core.replicability.combinations import combination_names
from core.replicability.counting import (
    chance_of_a_false_win,
    count_by_common_practice,
    count_datasets,
)
from core.replicability.identification import identify_datasets
from tests.core.replicability import oracles

# The example in the README of the paper's own code (github rtmdrr/replicability-analysis-NLP).
EXAMPLE = [0.168, 0.297, 0.357, 0.019, 0.218, 0.001]

every_combination = pytest.mark.parametrize("combination", combination_names())
LEVELS = (0.05, 0.01, 0.1)


@pytest.mark.parametrize(
    ("combination", "alpha", "k_hat"),
    [
        # Printed there: 1 and 2 at .05. The others: adaFilter::computePC in R.
        ("bonferroni", 0.05, 1),
        ("fisher", 0.05, 2),
        ("simes", 0.05, 1),
        ("bonferroni", 0.1, 2),
        ("fisher", 0.01, 1),
        ("fisher", 0.2, 3),
    ],
)
def test_the_papers_example_has_its_published_count(
    combination: str, alpha: float, k_hat: int
) -> None:
    assert count_datasets(EXAMPLE, alpha=alpha, combination=combination).k_hat == k_hat


def test_without_the_running_maximum_four_would_be_counted_where_none_may_be() -> None:
    # 4 * .02 = .08 fails although .045 alone would pass.
    p_values = [0.02, 0.03, 0.04, 0.045]
    assert count_datasets(p_values, combination="bonferroni").k_hat == 0


def test_fisher_can_count_fewer_than_holm_names() -> None:
    p_values = [0.001, 0.9, 0.9, 0.9, 0.9, 0.9]
    assert count_datasets(p_values, combination="fisher").k_hat == 0
    assert identify_datasets(p_values, procedure="holm").n_rejected == 1


@every_combination
@settings(max_examples=80)
@given(p_values=oracles.exact_p_values(7), level=oracles.levels)
def test_k_hat_is_the_number_of_claims_up_to_the_first_that_fails(
    combination: str, p_values: list[Fraction], level: Fraction
) -> None:
    claims = oracles.partial_conjunction(p_values, combination)
    expected = 0
    while expected < len(claims) and oracles.rejects(claims[expected], level):
        expected += 1
    counting = count_datasets(
        oracles.as_floats(p_values), alpha=float(level), combination=combination
    )
    assert counting.k_hat == expected


@settings(max_examples=100)
@given(p_values=oracles.exact_p_values(60), level=oracles.levels)
def test_bonferronis_count_is_the_number_of_holm_rejections(
    p_values: list[Fraction], level: Fraction
) -> None:
    floats = oracles.as_floats(p_values)
    counting = count_datasets(floats, alpha=float(level), combination="bonferroni")
    assert counting.k_hat == identify_datasets(floats, alpha=float(level)).n_rejected


def test_a_p_value_of_alpha_over_n_is_counted_and_named_and_one_just_above_is_not() -> None:
    for n, alpha in itertools.product(range(1, 61), LEVELS):
        case = (n, alpha)
        p_values = [1.0] * (n - 1) + [alpha / n]
        for combination in ("bonferroni", "simes"):
            assert count_datasets(p_values, alpha=alpha, combination=combination).k_hat == 1, case
        for procedure in ("holm", "bonferroni", "hochberg", "hommel", "benjamini-hochberg"):
            named = identify_datasets(p_values, alpha=alpha, procedure=procedure)
            assert named.rejected.tolist() == [False] * (n - 1) + [True], (*case, procedure)
        above = [1.0] * (n - 1) + [alpha / n * (1 + 1e-9)]
        assert count_datasets(above, alpha=alpha, combination="bonferroni").k_hat == 0, case
        assert identify_datasets(above, alpha=alpha).n_rejected == 0, case


def test_p_values_that_all_sit_on_holms_own_steps_are_all_counted_and_named() -> None:
    for n, alpha in itertools.product(range(1, 61), LEVELS):
        p_values = [alpha / (n - i) for i in range(n)]
        counting = count_datasets(p_values, alpha=alpha, combination="bonferroni")
        assert counting.k_hat == n, alpha
        assert identify_datasets(p_values, alpha=alpha).n_rejected == n, (n, alpha)


@settings(max_examples=60)
@given(p_values=oracles.exact_p_values(25), level=oracles.levels)
def test_simes_counts_at_least_as_many_as_bonferroni_and_common_practice_the_most(
    p_values: list[Fraction], level: Fraction
) -> None:
    floats, alpha = oracles.as_floats(p_values), float(level)
    k_hat = {
        c: count_datasets(floats, alpha=alpha, combination=c).k_hat for c in combination_names()
    }
    common = count_by_common_practice(floats, alpha=alpha)
    assert k_hat["bonferroni"] <= k_hat["simes"] <= common
    assert common == sum(p <= level for p in p_values)


@every_combination
def test_one_dataset_is_counted_exactly_when_its_p_value_is_at_most_alpha(
    combination: str,
) -> None:
    for p, k_hat in ((0.0, 1), (0.049, 1), (0.05, 1), (0.0500001, 0), (1.0, 0)):
        assert count_datasets([p], alpha=0.05, combination=combination).k_hat == k_hat


def test_the_chance_of_a_false_win_among_a_hundred_is_the_papers() -> None:
    # Dror et al. (TACL 2017), section 5: 1 - .95^100 = .994.
    assert chance_of_a_false_win(100) == pytest.approx(0.994, abs=5e-4)
    # Two independent looks at .05 and .01: .0975 and .0199.
    assert chance_of_a_false_win(2) == pytest.approx(0.0975, rel=1e-12)
    assert chance_of_a_false_win(2, alpha=0.01) == pytest.approx(0.0199, rel=1e-12)


def test_a_two_sided_win_is_half_as_likely_and_one_of_either_system_twice() -> None:
    alpha, n = Fraction(1, 50), 5
    for times, sides in (
        (Fraction(1, 2), {"two_sided": True}),
        (Fraction(1), {"two_sided": True, "either": True}),
        (Fraction(2), {"either": True}),
    ):
        exact = float(1 - (1 - times * alpha) ** n)
        assert chance_of_a_false_win(n, alpha=0.02, **sides) == pytest.approx(exact, rel=1e-12)
    # More than always is no more likely.
    for level in (0.5, 0.75):
        assert chance_of_a_false_win(1, alpha=level, either=True) == 1.0
    assert chance_of_a_false_win(1, alpha=0.4, either=True) == pytest.approx(0.8, rel=1e-12)


@pytest.mark.parametrize("alpha", [0.0, 1.0, -0.05, 5.0, math.nan, math.inf])
def test_a_wrong_alpha_is_refused_with_its_value(alpha: float) -> None:
    for call in (
        lambda: count_datasets([0.1], alpha=alpha),
        lambda: count_by_common_practice([0.1], alpha=alpha),
        lambda: chance_of_a_false_win(3, alpha=alpha),
    ):
        with pytest.raises(ValueError, match=f"`alpha`.*got {alpha!r}"):
            call()


@pytest.mark.parametrize(
    ("p_values", "said"),
    [
        ([], "got none"),
        ([math.nan], "nan at index 0"),
        ([0.5, 1.5], "1.5 at index 1"),
        ([-0.1], "-0.1 at index 0"),
        ([[0.1], [0.2]], "got 2 dimensions"),
    ],
)
def test_wrong_p_values_are_refused_with_what_came(p_values: list[float], said: str) -> None:
    for call in (count_datasets, count_by_common_practice):
        with pytest.raises(ValueError, match=said):
            call(p_values)


def test_the_result_cannot_be_changed_and_does_not_follow_its_input() -> None:
    given_values = np.array(EXAMPLE)
    counting = count_datasets(given_values)
    given_values[:] = 0.0
    assert counting.p_values.tolist() == EXAMPLE
    for array in (counting.p_values, counting.partial_conjunction_p_values):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0.0
    with pytest.raises(dataclasses.FrozenInstanceError):
        counting.k_hat = 6  # type: ignore[misc]


def test_the_table_has_a_row_a_claim_and_holds_up_to_k_hat() -> None:
    frame = count_datasets(EXAMPLE, combination="fisher").to_frame()
    assert list(frame.columns) == ["u", "p_value", "holds"]
    assert frame["u"].tolist() == [1, 2, 3, 4, 5, 6]
    assert frame["holds"].tolist() == [True, True, False, False, False, False]
    assert frame["p_value"].round(4).tolist() == [0.001, 0.0399, 0.196, 0.2742, 0.344, 0.357]
