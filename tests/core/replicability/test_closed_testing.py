"""Claims about groups against a closed test that leaves no intersection out."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.replicability.combinations import combination_named, combination_names
from core.replicability.counting import (
    closed_p_values,
    count_datasets,
    count_groups,
    count_in_group,
)
from core.replicability.identification import identify_datasets
from core.replicability.local_tests import SimesTest
from tests.core.replicability import oracles

every_combination = pytest.mark.parametrize("combination", combination_names())


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
        for chosen in combinations(members, size)
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


def test_what_cannot_be_counted_by_groups_is_refused() -> None:
    with pytest.raises(ValueError, match="one entry for each p-value; got 1 for 2"):
        count_groups([0.1, 0.2], "a")
    with pytest.raises(ValueError, match="`combination` must be one of 'bonferroni', 'simes'"):
        count_groups([0.1, 0.2], "ab", combination="fisher")


@every_combination
def test_the_datasets_outside_a_group_count_too(combination: str) -> None:
    # .04 alone is within .05; beside a hopeless second dataset it is not: .08 by Bonferroni
    # and Simes, .04 (1 - ln .04) = .169 by Fisher, 1 by Stouffer.
    assert count_in_group([0.04], [0], combination=combination) == 1
    assert count_in_group([0.04, 1.0], [0], combination=combination) == 0


@settings(max_examples=100)
@given(p_values=oracles.exact_p_values(8), level=oracles.levels)
def test_hommels_value_is_the_size_of_the_largest_set_that_simes_does_not_reject(
    p_values: list[Fraction], level: Fraction
) -> None:
    sizes = [
        members.bit_count()
        for members, p in oracles.ClosedTest(p_values, "simes").tests.items()
        if p > level
    ]
    found = SimesTest().hommel_value(np.array(oracles.as_floats(p_values)), float(level))
    assert found == max(sizes, default=0)


def _fisher_by_poisson(p_values: list[float]) -> float:
    """P(fewer than m arrivals) with the sum of -ln p as mean."""
    if 0.0 in p_values:
        return 0.0
    total = -math.fsum(map(math.log, p_values))
    if total == 0.0:
        return 1.0
    exponents = (k * math.log(total) - total - math.lgamma(k + 1) for k in range(len(p_values)))
    return math.fsum(map(math.exp, exponents))


def test_adjusted_p_values_are_the_largest_over_all_sets_of_one_dataset_and_the_largest_others() -> (
    None
):
    rng = np.random.default_rng(11)
    tests: dict[str, Callable[[list[float]], float]] = {
        "bonferroni": lambda own: len(own) * min(own),
        "fisher": _fisher_by_poisson,
        "simes": lambda own: min(len(own) * p / rank for rank, p in enumerate(sorted(own), 1)),
        "stouffer": lambda own: oracles.stouffer(own),
    }
    for case in range(60):
        n = int(rng.integers(1, 40))
        # Near 0, near 1, with ties, with zeros.
        values = rng.random(n) ** rng.choice([0.01, 0.3, 1.0, 3.0, 30.0])
        if case % 3 == 1:
            values = np.ceil(values * 4.0) / 4.0
        if case % 5 == 2:
            values[rng.random(n) < 0.3] = 0.0
        for combination, test in tests.items():
            found = closed_p_values(values, combination=combination)
            for i, own in enumerate(values.tolist()):
                others = sorted(np.delete(values, i).tolist(), reverse=True)
                largest = max(test([own, *others[:j]]) for j in range(n))
                assert found[i] == pytest.approx(min(1.0, largest), rel=1e-9), (case, combination)


# Extremes


@every_combination
def test_zeros_are_all_counted_and_ones_never_in_any_group(combination: str) -> None:
    p_values = [0.0, 1.0, 0.0, 1.0]
    # Fisher's and Stouffer's tests reject every set with a zero in it, and only those.
    assert count_in_group(p_values, [0, 2], combination=combination) == 2
    assert count_in_group(p_values, [1, 3], combination=combination) == 0
    assert count_in_group(p_values, [0, 1, 2, 3], combination=combination) == 2
    assert count_in_group([0.0] * 5, range(5), combination=combination) == 5
    assert count_in_group([1.0] * 5, range(5), combination=combination) == 0


# Errors


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


def test_an_unknown_combination_is_refused_with_its_name() -> None:
    with pytest.raises(ValueError, match=r"`combination` must be one of .*; got 'holm'"):
        count_in_group([0.1], [0], combination="holm")
