"""What would change a count and its names, against trying every change."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.replicability.combinations import combination_named, combination_names
from core.replicability.counting import count_datasets
from core.replicability.identification import identify_datasets
from core.replicability.sensitivity import find_sensitivity

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
