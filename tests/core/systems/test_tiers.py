"""Tiers are all largest groups of systems that the data do not separate."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.systems.tiers import tiers
from tests.core.effects.test_critical_difference import brute_force


@st.composite
def matrices(draw):
    m = draw(st.integers(1, 8))
    flags = draw(st.lists(st.booleans(), min_size=m * m, max_size=m * m))
    upper = np.triu(np.array(flags, dtype=bool).reshape(m, m), 1)
    return upper | upper.T


def named(m: int) -> tuple[str, ...]:
    return tuple(f"s{k}" for k in range(m))


@settings(max_examples=50, deadline=None)
@given(matrices())
def test_tiers_equal_a_brute_force(separated):
    found = tiers(separated, systems=named(separated.shape[0]))
    assert {frozenset(tier) for tier in found.tiers} == brute_force(separated)
    assert found.maximal


@settings(max_examples=50, deadline=None)
@given(matrices())
def test_fewer_groups_still_tell_who_is_separated(separated):
    m = separated.shape[0]
    found = tiers(separated, systems=named(m), at_most=0)
    for i, j in itertools.combinations(range(m), 2):
        together = any(i in tier and j in tier for tier in found.tiers)
        assert together != separated[i, j]
    assert {k for tier in found.tiers for k in tier} == set(range(m))


def test_letters_overlap_as_not_separated_is_not_transitive():
    apart = np.zeros((3, 3), dtype=bool)
    apart[0, 2] = apart[2, 0] = True
    found = tiers(apart, systems=("low", "middle", "high"), order=[3.0, 2.0, 1.0])
    assert found.systems == ("high", "middle", "low")
    assert found.letters == ("a", "ab", "b")
    assert found.names == (("high", "middle"), ("middle", "low"))
    assert found.to_frame()["tiers"].tolist() == ["a", "ab", "b"]


def test_three_hundred_systems_without_any_order_end_soon():
    rng = np.random.default_rng(0)
    upper = np.triu(rng.random((300, 300)) < 0.5, 1)
    found = tiers(upper | upper.T, systems=named(300))
    assert not found.maximal
    together = np.zeros((300, 300), dtype=bool)
    for tier in found.tiers:
        together[np.ix_(tier, tier)] = True
    assert np.array_equal(
        together & ~np.eye(300, dtype=bool), ~(upper | upper.T | np.eye(300, dtype=bool))
    )


def test_wrong_arguments_are_refused():
    with pytest.raises(ValueError, match="symmetric"):
        tiers([[False, True], [False, False]], systems=("a", "b"))
    with pytest.raises(ValueError, match="shape"):
        tiers([[False]], systems=("a", "b"))
