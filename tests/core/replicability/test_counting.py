"""k_hat, p-values of 'at least u of N' and bounds of groups: published values, definitions, promises."""

import dataclasses
import itertools
import math
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import partial
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import stats

from core.replicability.combinations import (
    combination_named,
    combination_names,
    fisher_tail,
    minus_logs,
)
from core.replicability.counting import (
    chance_of_a_false_win,
    closed_p_values,
    count_by_common_practice,
    count_datasets,
    count_groups,
    count_in_group,
    partial_conjunction_p_values,
)
from core.replicability.identification import identify_datasets
from tests.core.replicability import oracles

# The example in the README of the paper's own code (github rtmdrr/replicability-analysis-NLP).
EXAMPLE = [0.168, 0.297, 0.357, 0.019, 0.218, 0.001]

every_combination = pytest.mark.parametrize("combination", combination_names())
LEVELS = (0.05, 0.01, 0.1)


@every_combination
@settings(max_examples=80)
@given(p_values=oracles.exact_p_values(7), level=oracles.levels)
# By Bonferroni 4 * .02 = .08 fails although .045 alone would pass.
@example(p_values=[Fraction(k, 1000) for k in (20, 30, 40, 45)], level=Fraction(1, 20))
def test_k_hat_is_the_number_of_claims_up_to_the_first_that_fails(
    combination: str, p_values: list[Fraction], level: Fraction
) -> None:
    counting = count_datasets(
        oracles.as_floats(p_values), alpha=float(level), combination=combination
    )
    assert counting.k_hat == oracles.k_hat(p_values, combination, level)


@settings(max_examples=100)
@given(p_values=oracles.exact_p_values(60), level=oracles.levels)
def test_bonferronis_count_is_the_number_of_holm_rejections(
    p_values: list[Fraction], level: Fraction
) -> None:
    floats = oracles.as_floats(p_values)
    counting = count_datasets(floats, alpha=float(level), combination="bonferroni")
    assert counting.k_hat == identify_datasets(floats, alpha=float(level)).n_rejected
    common = count_by_common_practice(floats, alpha=float(level))
    assert common == sum(p <= level for p in p_values)


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
        # All on Holm's own steps.
        steps = [alpha / (n - i) for i in range(n)]
        assert count_datasets(steps, alpha=alpha, combination="bonferroni").k_hat == n, case
        assert identify_datasets(steps, alpha=alpha).n_rejected == n, case


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
        lambda: identify_datasets([0.1], alpha=alpha),
        lambda: count_datasets([0.1], alpha=alpha),
        lambda: count_by_common_practice([0.1], alpha=alpha),
        lambda: chance_of_a_false_win(3, alpha=alpha),
    ):
        with pytest.raises(ValueError, match=f"`alpha`.*got {alpha!r}"):
            call()


def test_wrong_p_values_are_refused_with_what_came_by_whatever_takes_them() -> None:
    wrong: tuple[tuple[Any, str], ...] = (
        ([], "got none"),
        ([0.5, math.nan], "nan at index 1"),
        ([0.5, 1.5], "1.5 at index 1"),
        ([0.2, 0.3, -0.1], "-0.1 at index 2"),
        ([[0.1], [0.2]], "got 2 dimensions"),
        (0.1, "got 0 dimensions"),
    )
    calls: tuple[Callable[[Any], object], ...] = (
        count_datasets,
        count_by_common_practice,
        partial_conjunction_p_values,
        identify_datasets,
        lambda p_values: count_in_group(p_values, [0]),
    )
    for (p_values, said), call in itertools.product(wrong, calls):
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


@pytest.mark.parametrize(
    ("combination", "expected", "counts"),
    [
        # By hand: 6 * .001, 5 * .019, 4 * .168, and nothing larger after it.
        ("bonferroni", [0.006, 0.095, 0.672, 0.672, 0.672, 0.672], {0.05: 1, 0.1: 2}),
        # adaFilter::computePC in R, and the maximum over all subsets.
        (
            "fisher",
            [0.0010237, 0.0398981, 0.1959760, 0.2742188, 0.3439626, 0.357],
            {0.05: 2, 0.01: 1, 0.2: 3},
        ),
        ("simes", [0.006, 0.095, 0.357, 0.357, 0.357, 0.357], {0.05: 1}),
        # By scipy.stats.combine_pvalues of the largest ones.
        ("stouffer", [0.00071963, 0.01748022, 0.09336726, 0.16625155, 0.26236563, 0.357], {}),
    ],
)
def test_the_papers_example_has_its_published_values_and_counts(
    combination: str, expected: list[float], counts: dict[float, int]
) -> None:
    found = partial_conjunction_p_values(EXAMPLE, combination=combination)
    np.testing.assert_allclose(found, expected, atol=5e-8, rtol=0)
    # Printed there: 1 by Bonferroni and 2 by Fisher at .05. The others: adaFilter::computePC in R.
    for alpha, k_hat in counts.items():
        assert count_datasets(EXAMPLE, alpha=alpha, combination=combination).k_hat == k_hat


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
        assert found[u - 1] == pytest.approx(largest_so_far, rel=1e-10, abs=0)


def test_stouffers_tails_are_kept_far_beyond_what_one_minus_a_distribution_function_has() -> None:
    # Of three z of 20 the sum is 60, over the root of 3: 34.64; Mills' ratio to five terms.
    p = float(stats.norm.sf(20.0))
    x = 60 / math.sqrt(3)
    series = 1 - x**-2 + 3 * x**-4 - 15 * x**-6 + 105 * x**-8
    expected = math.exp(-x * x / 2) / (x * math.sqrt(2 * math.pi)) * series
    found = partial_conjunction_p_values([p, p, p], combination="stouffer")
    assert found[0] == pytest.approx(expected, rel=1e-9, abs=0)
    assert found[2] == pytest.approx(p, rel=1e-12, abs=0)


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


@pytest.mark.parametrize("name", ["Fisher", "edgington", "", "count", "holm"])
def test_an_unknown_combination_is_refused_with_its_name_and_the_choices(name: str) -> None:
    said = f"{', '.join(map(repr, combination_names()))}; got '{name}'"
    for call in (partial_conjunction_p_values, partial(count_in_group, group_indices=[0])):
        with pytest.raises(ValueError, match=said):
            call([0.1], combination=name)


@every_combination
@settings(max_examples=40)
@given(p_values=oracles.exact_p_values(7), level=oracles.levels)
# By Simes the first p-value is just alpha / h, h being 2.
@example(p_values=[Fraction(1, 40), Fraction(1, 30), Fraction(1)], level=Fraction(1, 20))
def test_every_group_has_the_bound_of_the_closed_test_over_all_intersections(
    combination: str, p_values: list[Fraction], level: Fraction
) -> None:
    count = oracles.ClosedTest(p_values, combination).counter(level)
    floats, alpha = oracles.as_floats(p_values), float(level)
    for group in range(1 << len(p_values)):
        found = count_in_group(
            floats, oracles.positions(group), alpha=alpha, combination=combination
        )
        assert found == count(group), oracles.positions(group)


@every_combination
@settings(max_examples=40)
@given(p_values=oracles.exact_p_values(30), level=oracles.levels)
def test_the_bound_for_all_is_k_hat_and_for_one_is_its_name(
    combination: str, p_values: list[Fraction], level: Fraction
) -> None:
    floats, alpha = oracles.as_floats(p_values), float(level)
    n = len(floats)

    def bound(group: Sequence[int]) -> int:
        return count_in_group(floats, group, alpha=alpha, combination=combination)

    assert bound(range(n)) == count_datasets(floats, alpha=alpha, combination=combination).k_hat
    named = identify_datasets(
        floats, alpha=alpha, procedure=combination_named(combination).procedure
    )
    assert [bound([i]) for i in range(n)] == named.rejected.astype(int).tolist()


def _groups_with_an_effect(
    p_values: Sequence[Fraction], labels: Sequence[str], combination: str, level: Fraction
) -> int:
    """All groups but the most that lie in one set which the closed test leaves standing."""
    count = oracles.ClosedTest(p_values, combination).counter(level)
    names = sorted(set(labels))
    members = [sum(1 << i for i, own in enumerate(labels) if own == name) for name in names]
    standing = [
        len(chosen)
        for size in range(len(names) + 1)
        for chosen in itertools.combinations(members, size)
        if count(sum(chosen)) == 0
    ]
    return len(names) - max(standing)


_SIZES_OF_GROUPS = ("aabbcc", "aaabbb", "abcdef", "aaabbc", "aabbccdd", "abbbccc")


@settings(max_examples=120)
@given(
    p_values=oracles.exact_p_values(8, min_size=8),
    labels=st.sampled_from(_SIZES_OF_GROUPS),
    level=oracles.levels,
)
def test_groups_with_an_effect_are_those_of_the_closed_test_over_all_intersections(
    p_values: list[Fraction], labels: str, level: Fraction
) -> None:
    exact = p_values[: len(labels)]
    floats, alpha = oracles.as_floats(exact), float(level)
    expected = _groups_with_an_effect(exact, labels, "bonferroni", level)
    assert count_groups(floats, labels, alpha=alpha) == expected
    k_hat = count_datasets(floats, alpha=alpha).k_hat
    assert expected >= math.ceil(k_hat / max(map(labels.count, labels)))


def test_groups_with_an_effect_by_simes_are_never_more_than_the_closed_test_gives() -> None:
    rng = np.random.default_rng(5)
    level, cases, fewer = Fraction(1, 20), 150, 0
    for _ in range(cases):
        labels = _SIZES_OF_GROUPS[rng.integers(len(_SIZES_OF_GROUPS))]
        exact = [Fraction(int(k), 1000) for k in rng.integers(0, 150, len(labels))]
        floats = oracles.as_floats(exact)
        found = count_groups(floats, labels, alpha=0.05, combination="simes")
        expected = _groups_with_an_effect(exact, labels, "simes", level)
        places = [[i for i, own in enumerate(labels) if own == name] for name in set(labels)]
        alone = sum(count_in_group(floats, own, combination="simes") > 0 for own in places)
        k_hat = count_datasets(floats, combination="simes").k_hat
        # Each is a bound of its own, of the same closed test.
        smallest = max(
            alone, math.ceil(k_hat / max(map(len, places))), count_groups(floats, labels)
        )
        assert smallest <= found <= expected, (labels, floats)
        fewer += found < expected
    assert fewer <= 0.01 * cases
    # One group by a name of its own, another by two p-values that take each other: both are counted.
    exact = [Fraction(k, 1000) for k in (1, 30, 30, 900)]
    assert count_groups(oracles.as_floats(exact), "abbc", combination="simes") == 2
    assert _groups_with_an_effect(exact, "abbc", "simes", level) == 2


def test_an_adjusted_p_value_is_the_largest_over_sets_of_a_dataset_and_the_largest_others() -> None:
    rng = np.random.default_rng(11)
    for case in range(30):
        n = int(rng.integers(1, 40))
        # Near 0, near 1, with ties, with zeros.
        values = rng.random(n) ** rng.choice([0.01, 0.3, 1.0, 3.0, 30.0])
        if case % 3 == 1:
            values = np.ceil(values * 4.0) / 4.0
        if case % 5 == 2:
            values[rng.random(n) < 0.3] = 0.0
        for combination, test in oracles.COMBINED.items():
            found = closed_p_values(values, combination=combination)
            for i, own in enumerate(values.tolist()):
                others = sorted(np.delete(values, i).tolist(), reverse=True)
                largest = max(test([own, *others[:j]]) for j in range(n))
                assert found[i] == pytest.approx(min(1.0, largest), rel=1e-9, abs=0), (
                    case,
                    combination,
                )


@pytest.mark.parametrize(
    ("group", "said"),
    [
        ([0, 3], "between 0 and 2; got 0 to 3"),
        ([-1], "between 0 and 2; got -1 to -1"),
        ([0, 1, 2, 1], "got 1"),
        ([True, False, True], "whole numbers; got dtype bool"),
        ([0.0, 1.0], "whole numbers; got dtype float64"),
        ([math.nan], "whole numbers; got dtype float64"),
        (["a"], "whole numbers; got dtype <U1"),
        ([[0, 1]], "got dtype int64 with 2 dimensions"),
        (1, "with 0 dimensions"),
        ([2**80], "whole numbers; got dtype object"),
    ],
)
@every_combination
def test_wrong_group_indices_are_refused_with_what_came(
    combination: str, group: list[int], said: str
) -> None:
    with pytest.raises(ValueError, match=f"`group_indices`.*{said}"):
        count_in_group([0.1, 0.2, 0.3], group, combination=combination)
