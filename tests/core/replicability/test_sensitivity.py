"""What would change a count and its names, and what may still change, against trying every change."""

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.replicability.combinations import combination_named, combination_names
from core.replicability.counting import count_datasets
from core.replicability.identification import identify_datasets, procedure_names
from core.replicability.sensitivity import find_sensitivity, find_unsettled
from tests.core.replicability import oracles

VECTORS = st.lists(
    st.integers(0, 1000).map(lambda thousandths: (thousandths / 1000) ** 3), min_size=1, max_size=9
)


def is_named(p_values: list[float], position: int, combination: str) -> bool:
    procedure = combination_named(combination).procedure
    return bool(identify_datasets(p_values, procedure=procedure).rejected[position])


@pytest.mark.parametrize("combination", combination_names())
@settings(max_examples=30)
@given(p_values=VECTORS)
def test_a_dataset_is_named_up_to_its_critical_p_value_and_not_beyond(
    combination: str, p_values: list[float]
) -> None:
    found = find_sensitivity(p_values, combination=combination)
    for position, critical in enumerate(found.critical_p_values.tolist()):
        changed = list(p_values)
        changed[position] = critical * (1 - 1e-9)
        assert is_named(changed, position, combination)
        if 0 < critical < 1:
            changed[position] = min(1.0, critical * (1 + 1e-6))
            assert not is_named(changed, position, combination)


@pytest.mark.parametrize("combination", combination_names())
@settings(max_examples=30)
@given(p_values=VECTORS)
def test_the_count_without_each_dataset_is_that_of_the_others(
    combination: str, p_values: list[float]
) -> None:
    found = find_sensitivity(p_values, combination=combination)
    others = [p_values[:i] + p_values[i + 1 :] for i in range(len(p_values))]
    expected = [count_datasets(o, combination=combination).k_hat if o else 0 for o in others]
    assert found.k_hat_without.tolist() == expected


@pytest.mark.parametrize("combination", combination_names())
@settings(max_examples=30)
@given(p_values=VECTORS)
def test_the_count_steps_at_its_levels(combination: str, p_values: list[float]) -> None:
    found = find_sensitivity(p_values, combination=combination)
    for u, level in enumerate(found.levels.tolist(), start=1):
        if 1e-9 < level < 0.999:
            above = count_datasets(p_values, alpha=level * (1 + 1e-6), combination=combination)
            below = count_datasets(p_values, alpha=level * (1 - 1e-6), combination=combination)
            assert above.k_hat >= u > below.k_hat


def test_a_count_that_depends_on_one_dataset_says_which() -> None:
    found = find_sensitivity([0.4, 0.001, 0.6])
    assert found.counting.k_hat == 1
    assert found.depends_on.tolist() == [1]
    assert found.next_level_down == pytest.approx(0.003)
    assert found.next_level_up == pytest.approx(0.8)
    nothing = find_sensitivity([0.4, 0.6])
    assert (nothing.depends_on.size, nothing.next_level_down) == (0, None)
    everything = find_sensitivity([0.001, 0.002])
    assert (everything.counting.k_hat, everything.next_level_up) == (2, None)


ALPHA = Fraction(1, 20)
# Around alpha and its parts, so that every step is now and then between two ends.
VALUES = [
    Fraction(n, 10_000)
    for n in (0, 40, 100, 120, 167, 180, 250, 300, 400, 500, 510, 1_000, 4_000, 9_000, 10_000)
]
intervals = st.lists(
    st.tuples(st.integers(0, 14), st.integers(0, 4)).map(
        lambda pair: (pair[0], min(14, pair[0] + pair[1]))
    ),
    min_size=1,
    max_size=4,
)


def names_by(p_values: tuple[Fraction, ...], procedure: str) -> list[bool]:
    # By testing every set; the others by what is tested elsewhere.
    if procedure in oracles.CLOSED:
        count = oracles.ClosedTest(p_values, oracles.CLOSED[procedure]).counter(ALPHA)
        return [count(1 << i) == 1 for i in range(len(p_values))]
    floats = oracles.as_floats(p_values)
    found = identify_datasets(floats, alpha=float(ALPHA), procedure=procedure)
    return [bool(named) for named in found.rejected]


def grid(given_intervals: list[tuple[int, int]]) -> list[tuple[Fraction, ...]]:
    return list(itertools.product(*[VALUES[low : high + 1] for low, high in given_intervals]))


def ends(given_intervals: list[tuple[int, int]]) -> tuple[list[float], list[float]]:
    low, high = ([VALUES[pair[end]] for pair in given_intervals] for end in (0, 1))
    return oracles.as_floats(low), oracles.as_floats(high)


@pytest.mark.parametrize("combination", combination_names())
@settings(max_examples=20, deadline=None)
@given(own=intervals)
def test_the_range_of_the_count_is_that_of_all_p_values_inside(combination: Any, own: Any) -> None:
    found = find_unsettled(*ends(own), alpha=float(ALPHA), combination=combination)
    counts = [oracles.k_hat(p_values, combination, ALPHA) for p_values in grid(own)]
    assert found.k_hat_range == (min(counts), max(counts))
    at_alpha = [VALUES[low] <= ALPHA < VALUES[high] for low, high in own]
    assert found.at_alpha.tolist() == at_alpha


@pytest.mark.parametrize("procedure", procedure_names())
@settings(max_examples=15, deadline=None)
@given(own=intervals)
def test_a_mark_is_open_where_p_values_inside_disagree_on_it(procedure: Any, own: Any) -> None:
    found = find_unsettled(*ends(own), alpha=float(ALPHA), procedure=procedure)
    names = np.array([names_by(p_values, procedure) for p_values in grid(own)])
    assert found.marks.tolist() == (names.any(axis=0) & ~names.all(axis=0)).tolist()


@settings(max_examples=400)
@given(
    own=intervals,
    combination=st.sampled_from(combination_names()),
    procedure=st.sampled_from(procedure_names()),
)
def test_what_is_extended_is_all_that_matters(own: Any, combination: Any, procedure: Any) -> None:
    low, high = (np.array(end) for end in ends(own))
    found = find_unsettled(
        low, high, alpha=float(ALPHA), combination=combination, procedure=procedure
    )
    extend = found.to_extend
    assert not (extend & (low == high)).any()
    assert extend.any() != found.settled
    assert not ((found.at_alpha | found.marks) & (low < high) & ~extend).any()
    # Once those were certain, at either end, nothing would be open.
    for end in (low, high):
        after = find_unsettled(
            np.where(extend, end, low),
            np.where(extend, end, high),
            alpha=float(ALPHA),
            combination=combination,
            procedure=procedure,
        )
        assert after.settled
